package runner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"tenfold/io/files"
	"tenfold/io/planfile"
	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/plan"
)

// Current returns the digest of the result files in the run's folder, and whether they are complete and agree with what is stored: the
// same units of the same plan in the same order, each with its present outcome, written by this version. Writing them again would then change only the date. What cannot be
// read for a fault of the system is not current, and Fault returns why.
func (s *Session) Current(frozen string) (digest string, current bool) {
	t, err := results.Read(s.Dir, "unit", "status", "seconds_fit")
	if err == nil {
		err = t.Close()
	}
	s.faults.keep(err)
	if err != nil || t.Plan != frozen || t.Provenance.Version != execute.ThisBuild().Version || !s.hasPlan(frozen) || !s.hasAllFiles(t) {
		return "", false
	}
	next := 0
	for _, c := range s.Cells {
		for _, u := range c.Units {
			if u.Stored == nil {
				continue
			}
			if next == len(t.Rows) || t.Rows[next].Unit != u.Label.Unit || !sameOutcome(t.Rows[next].Outcome, *u.Stored) {
				return "", false
			}
			next++
		}
	}
	return t.Digest, next == len(t.Rows)
}

// hasPlan reports whether the plan in the run's folder equals frozen.
func (s *Session) hasPlan(frozen string) bool {
	var b bytes.Buffer
	stored, err := planfile.Read(s.Dir)
	s.faults.keep(err)
	return err == nil && json.Compact(&b, stored) == nil && b.String() == frozen
}

// hasAllFiles reports whether the files that were written with results.parquet are there, and of the same results.
func (s *Session) hasAllFiles(t *results.Tables) bool {
	return len(t.Beside) > 0 && !slices.ContainsFunc(t.Beside, func(name string) bool {
		if filepath.Ext(name) != ".parquet" {
			_, err := files.Root(s.Dir).Stat(name)
			return err != nil
		}
		beside, err := results.ReadFooter(filepath.Join(s.Dir, filepath.Base(name)))
		s.faults.keep(err)
		return err != nil || beside.Digest != t.Digest
	})
}

// Damaged returns an error for each result file in the run's folder that is damaged, and for the plan. They are written anew.
func (s *Session) Damaged() (all []error) {
	if _, err := plan.ReadFrozen(s.Dir); err != nil && !s.faults.keep(err) {
		all = append(all, fmt.Errorf("%s: damaged", filepath.Join(s.Dir, plan.FileName)))
	}
	for _, name := range results.TableNames() {
		_, err := results.ReadFooter(filepath.Join(s.Dir, name+".parquet"))
		all = append(all, err)
	}
	return slices.DeleteFunc(all, func(err error) bool { return err == nil || errors.Is(err, fs.ErrNotExist) || s.faults.keep(err) })
}

// unitsOfResults returns the units that the result files in the run's folder have.
func (s *Session) unitsOfResults() map[string]bool {
	out := map[string]bool{}
	t, err := results.ReadColumns(filepath.Join(s.Dir, results.ResultsFile), "unit")
	if s.faults.keep(err); err != nil {
		return out
	}
	for i := range t.Rows {
		out[t.Rows[i].Unit] = true
	}
	return out
}

// sameOutcome compares the fields that a stored head and a row share. The seconds of a fit identify it about as well as a
// random number would.
func sameOutcome(o results.Outcome, h results.Head) bool {
	return o.Status == h.Status && o.SecondsFit == h.SecondsFit
}
