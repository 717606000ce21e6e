// Package recheck compares results that were computed again with recorded ones: of a result file, or of a run's folder.
package recheck

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/io/results/difference"
	"tenfold/runner/plan"
)

// Record holds recorded rows by the keys of their units.
type Record map[string]*results.Row

// Of returns the record of some rows.
func Of(rows []results.Row) Record {
	r := Record{}
	for i := range rows {
		r[rows[i].Unit] = &rows[i]
	}
	return r
}

// Has reports whether any unit of a cell is recorded, however it ended.
func (r Record) Has(c *plan.Cell) bool {
	return slices.ContainsFunc(c.Units, func(u *plan.Unit) bool { return r[u.Label.Unit] != nil })
}

// Sample draws cells whose units all ended well: size(n) of n cells with the smallest hashes of seed and key.
func (r Record) Sample(cells []plan.FrozenCell, size func(n int) int, seed int64) map[string]bool {
	rank := map[string]string{}
	var keys []string
	for _, c := range cells {
		well := len(c.Units) > 0 && !slices.ContainsFunc(c.Units, func(u plan.FrozenUnit) bool {
			row := r[u.Unit]
			return row == nil || row.Status != results.OK
		})
		if _, seen := rank[c.Key]; well && !seen {
			keys = append(keys, c.Key)
			sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, c.Key))
			rank[c.Key] = string(sum[:])
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return strings.Compare(rank[a], rank[b]) })
	chosen := map[string]bool{}
	for _, k := range keys[:size(len(keys))] {
		chosen[k] = true
	}
	return chosen
}

// SameData returns an error if the present data sets are not those that results were made from.
func SameData(was, present []results.Set) error {
	var errs []error
	for _, d := range was {
		i := slices.IndexFunc(present, func(p results.Set) bool { return p.Name == d.Name })
		switch {
		case i < 0:
			errs = append(errs, fmt.Errorf("data set %s is not in the plan", d.Name))
		case !slices.Contains(present, d):
			errs = append(errs, fmt.Errorf("data set %s is not what it was: its files, or their reader, changed (digest %.20s…, was %.20s…)",
				d.Name, present[i].Digest, d.Digest))
		}
	}
	return errors.Join(errs...)
}

// Comparison counts how recomputed fits compare with recorded ones.
type Comparison struct {
	Fits                          int      // fits compared
	Varying                       int      // different fits that are declared as not repeatable
	Equal, Close, Different, Gone int      // equal to the last bit, equal within difference.Agree, neither; not comparable
	Apart                         float64  // largest relative difference of close fits
	Lines                         []string // on each fit that is different or gone
}

// Add compares a fit; one that was not recorded is ignored.
func (c *Comparison) Add(was, is *results.Row) {
	if was == nil {
		return
	}
	c.Fits++
	words, apart := difference.Between(was, is)
	switch varies := was.Status == results.OK && is.Status == results.OK && (was.NotRepeatable() || is.NotRepeatable()); {
	case words == "":
		c.Equal++
	case apart <= difference.Agree:
		c.Close++
		c.Apart = math.Max(c.Apart, apart)
	case varies:
		c.Varies(&is.Label, words)
	default:
		c.Differs(&is.Label, words)
	}
}

// Differs counts a fit that came out differently.
func (c *Comparison) Differs(l *results.Label, words string) {
	c.Different++
	c.addLine(l, words)
}

// Varies counts a fit that came out differently, as its method is declared to.
func (c *Comparison) Varies(l *results.Label, words string) {
	c.Varying++
	c.addLine(l, words+" (not deterministic)")
}

// Lacks counts a fit whose key is not recorded.
func (c *Comparison) Lacks(l *results.Label) {
	c.Gone++
	c.addLine(l, "its key is not among the results: the engine was revised, perhaps")
}

func (c *Comparison) addLine(l *results.Label, words string) {
	dataset, algorithm := results.Labels(l.Dataset, l.Algorithm, l.Grid, results.Exact)
	c.Lines = append(c.Lines, fmt.Sprintf("%s, %s, repeat %d fold %d: %s", dataset, algorithm, l.Repeat, l.Fold, words))
}

// Join adds another comparison of the same fits computed in another way.
func (c *Comparison) Join(other Comparison) {
	c.Fits, c.Equal, c.Close = c.Fits+other.Fits, c.Equal+other.Equal, c.Close+other.Close
	c.Different, c.Gone, c.Varying = c.Different+other.Different, c.Gone+other.Gone, c.Varying+other.Varying
	c.Apart = math.Max(c.Apart, other.Apart)
	c.Lines = append(c.Lines, other.Lines...)
}

// String counts by outcome: 12 equal, 1 different.
func (c Comparison) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{c.Equal, "equal"}, {c.Close, fmt.Sprintf("equal to %.1g", c.Apart)}, {c.Different, "different"}, {c.Varying, "different as declared"}, {c.Gone, "not comparable"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}
