package serve

import (
	"slices"
	"time"

	"tenfold/engines/data"
	"tenfold/engines/searches"
	"tenfold/io/journal"
	"tenfold/io/results"
)

// storedRows are the outcomes of a run without result files. It implements the source of what their rows leave out.
type storedRows struct {
	journal *journal.Journal
	metrics results.Metrics
	plan    []results.Label
	known   map[string]*results.Row // by unit
	Left    int                     // outcomes that were not read for lack of time
	last    *results.Outcome        // requested last, of unit
	unit    string
}

func newStoredRows(dir string, plan []results.Label, metrics results.Metrics) *storedRows {
	return &storedRows{metrics: metrics, journal: journal.At(dir), plan: plan, known: map[string]*results.Row{}}
}

// readTime is how long a page waits for outcomes to be read; the next page goes on.
const readTime = 400 * time.Millisecond

// readNew reads new outcomes, and again those that did not end well, which may have been run again. It reports whether
// anything was new.
func (s *storedRows) readNew() (some bool) {
	keys, err := s.journal.Keys()
	if err != nil {
		return false
	}
	slices.Sort(keys)
	until := time.Now().Add(readTime)
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
			s.known[l.Unit] = &results.Row{Label: *l, Outcome: stripOutcome(o)}
			some = true
		}
	}
	return some
}

// stripOutcome drops what is read again when a cell is shown.
func stripOutcome(o *results.Outcome) results.Outcome {
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

// planRows returns the rows that there are, in the order of the plan. A unit with several names has a row for each.
func (s *storedRows) planRows() []results.Row {
	var out []results.Row
	for _, l := range s.plan {
		if r := s.known[l.Unit]; r != nil {
			out = append(out, results.Row{Label: l, Outcome: r.Outcome})
		}
	}
	return out
}

// fullOutcome returns the whole outcome of a row.
func (s *storedRows) fullOutcome(r *results.Row) (*results.Outcome, error) {
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

// Metric returns the properties of a metric.
func (s *storedRows) Metric(name string) results.Properties { return s.metrics[name] }

// Alike returns nil: similar columns are known from result files only.
func (*storedRows) Alike(*results.Row) *results.Similar { return nil }

// Facts returns the facts of a row.
func (s *storedRows) Facts(r *results.Row) ([]data.Fact, error) {
	o, err := s.fullOutcome(r)
	return o.Facts, err
}

// Scores returns the scores of a row.
func (s *storedRows) Scores(r *results.Row) ([]results.Score, error) {
	o, err := s.fullOutcome(r)
	return o.Scores, err
}

// Path returns the path of a row.
func (s *storedRows) Path(r *results.Row) ([]results.Point, error) {
	o, err := s.fullOutcome(r)
	return o.Path, err
}

// Searches returns what the fit of a row measured inside.
func (s *storedRows) Searches(r *results.Row) ([]searches.Record, error) {
	o, err := s.fullOutcome(r)
	return o.Searches, err
}

// Selected returns the selected features of a row.
func (s *storedRows) Selected(r *results.Row) ([]results.Selected, error) {
	o, err := s.fullOutcome(r)
	return o.Selected, err
}

// Predictions returns the predictions of a row.
func (s *storedRows) Predictions(r *results.Row) (results.Predictions, error) {
	o, err := s.fullOutcome(r)
	return o.Predictions, err
}
