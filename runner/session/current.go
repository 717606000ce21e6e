package session

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"

	"tenfold/io/results"
)

// Current tells whether the result files in the run's folder are whole and say what is stored: the same units of the same
// plan in the same order, each with the outcome that it has now. Then writing them again would change nothing but the date.
func (s *Session) Current(frozen string) bool {
	t, err := results.ReadColumns(filepath.Join(s.Dir, results.ResultsFile), "unit", "status", "seconds_fit")
	if err != nil || t.Plan != frozen || !s.planned(frozen) || !s.whole(t.Digest) {
		return false
	}
	at := 0
	for _, c := range s.Cells {
		for _, u := range c.Units {
			if u.Stored == nil {
				continue
			}
			if at == len(t.Rows) || t.Rows[at].Unit != u.Label.Unit || !same(t.Rows[at].Outcome, *u.Stored) {
				return false
			}
			at++
		}
	}
	return at == len(t.Rows)
}

// planned tells whether the plan in the run's folder is this one.
func (s *Session) planned(frozen string) bool {
	var b bytes.Buffer
	stored, _, err := results.ReadPlan(s.Dir)
	return err == nil && json.Compact(&b, stored) == nil && b.String() == frozen
}

// whole tells whether the files beside results.parquet are those that were written with it.
func (s *Session) whole(digest string) bool {
	names := []string{results.MetricsFile, results.SelectionsFile, results.PathsFile}
	if s.Predictions {
		names = append(names, results.PredictionsFile)
	}
	if clusterings, err := s.Clusterings(); err != nil || len(clusterings) > 0 {
		names = append(names, results.ClustersFile)
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		t, err := results.ReadFooter(filepath.Join(s.Dir, name))
		return err != nil || t.Digest != digest
	})
}

// same compares what a head has of an outcome and a row has, too. The seconds of a fit are as good as a number drawn for
// it.
func same(o results.Outcome, h results.Head) bool {
	return o.Status == h.Status && o.SecondsFit == h.SecondsFit
}
