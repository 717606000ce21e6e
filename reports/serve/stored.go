package serve

import (
	"slices"
	"time"

	"tenfold/io/journal"
	"tenfold/io/results"
)

// stored is the outcomes of a run that has no result files yet. It is the source of what its rows leave out.
type stored struct {
	journal *journal.Journal
	metrics results.Metrics
	plan    []results.Label
	known   map[string]*results.Row // by unit
	Left    int                     // outcomes that there was no time to read yet
	last    *results.Outcome        // that was asked for, of the unit
	unit    string
}

func follow(dir string, plan []results.Label, metrics results.Metrics) *stored {
	return &stored{metrics: metrics, journal: journal.At(dir), plan: plan, known: map[string]*results.Row{}}
}

// patience is how long a page waits for outcomes to be read; the next page goes on.
const patience = 400 * time.Millisecond

// catchUp reads outcomes that were not read yet, and again those that did not end well, which may have been run once more.
// It tells whether there was anything new.
func (s *stored) catchUp() (some bool) {
	keys, err := s.journal.Keys()
	if err != nil {
		return false
	}
	slices.Sort(keys)
	until := time.Now().Add(patience)
	s.Left = 0
	for i := range s.plan {
		l := &s.plan[i]
		if _, ok := slices.BinarySearch(keys, l.Unit); !ok {
			continue
		}
		before := s.known[l.Unit]
		if before != nil && before.Status == results.OK {
			continue
		}
		if time.Now().After(until) {
			if before == nil {
				s.Left++
			}
			continue
		}
		o, ok, err := s.journal.Get(l.Unit)
		if !ok || err != nil { // being replaced, or damaged: its unit runs again
			continue
		}
		if before == nil || before.Attempts != o.Attempts || before.Status != o.Status {
			s.known[l.Unit] = &results.Row{Label: *l, Outcome: light(o)}
			some = true
		}
	}
	return some
}

// light is an outcome without what is read again when it is looked at.
func light(o *results.Outcome) results.Outcome {
	out := *o
	out.Scores = nil
	for _, s := range o.Scores {
		if s.Output == "" && s.Point < 0 {
			out.Scores = append(out.Scores, s)
		}
	}
	out.Selected, out.Path, out.Facts, out.Predictions, out.Artefact, out.Clusters = nil, nil, nil, results.Predictions{}, nil, nil
	return out
}

// rows that there are, in the order of the plan. A unit that goes by several names has a row for each.
func (s *stored) rows() []results.Row {
	var out []results.Row
	for _, l := range s.plan {
		if r := s.known[l.Unit]; r != nil {
			out = append(out, results.Row{Label: l, Outcome: r.Outcome})
		}
	}
	return out
}

// whole is the outcome of a row with everything.
func (s *stored) whole(r *results.Row) (*results.Outcome, error) {
	if s.last != nil && s.unit == r.Unit {
		return s.last, nil
	}
	o, ok, err := s.journal.Get(r.Unit)
	if err != nil || !ok {
		return new(results.Outcome), err
	}
	s.last, s.unit = o, r.Unit
	return o, nil
}

// Metric by its name.
func (s *stored) Metric(name string) results.Properties { return s.metrics[name] }

// Facts of a row.
func (s *stored) Facts(r *results.Row) ([]results.Fact, error) {
	o, err := s.whole(r)
	return o.Facts, err
}

// Scores of a row.
func (s *stored) Scores(r *results.Row) ([]results.Score, error) {
	o, err := s.whole(r)
	return o.Scores, err
}

// Path of a row.
func (s *stored) Path(r *results.Row) ([]results.Point, error) {
	o, err := s.whole(r)
	return o.Path, err
}

// Selected features of a row.
func (s *stored) Selected(r *results.Row) ([]results.Selected, error) {
	o, err := s.whole(r)
	return o.Selected, err
}

// Predictions of a row.
func (s *stored) Predictions(r *results.Row) (results.Predictions, error) {
	o, err := s.whole(r)
	return o.Predictions, err
}
