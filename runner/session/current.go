package session

import (
	"path/filepath"

	"tenfold/io/results"
)

// Current tells whether the result files in the run's folder say what is stored: the same units of the same plan in the
// same order, each with the outcome that it has now. Then writing them again would change nothing but the date.
func (s *Session) Current(plan string) bool {
	t, err := results.ReadColumns(filepath.Join(s.Dir, results.ResultsFile), "unit", "status", "seconds_fit")
	if err != nil || t.Plan != plan {
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

// same compares what a head has of an outcome and a row has, too. The seconds of a fit are as good as a number drawn for
// it.
func same(o results.Outcome, h results.Head) bool {
	return o.Status == h.Status && o.SecondsFit == h.SecondsFit
}
