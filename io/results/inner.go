package results

import (
	"math"

	"tenfold/engines/searches"
	"tenfold/io/sealed"
)

// InnerFile holds what fits measured inside their training rows to choose among candidates: one row per candidate and inner fold.
const InnerFile = "inner.parquet"

// innerLine is an attempt on an inner fold.
type innerLine struct {
	key
	search, stage, inner    int32
	part, kind, metric      string
	parameter, candidate    string
	number, value, seconds  float64
	rows                    searches.Rows
	kept, best, one, chosen bool
}

func innerColumns() []sealed.Column[innerLine] {
	return append(keyColumns(func(l *innerLine) *key { return &l.key }),
		sealed.Int32("search", func(l *innerLine) *int32 { return &l.search }),
		sealed.OptionalText("part", func(l *innerLine) *string { return &l.part }),
		sealed.String("kind", func(l *innerLine) *string { return &l.kind }),
		sealed.Int32("stage", func(l *innerLine) *int32 { return &l.stage }),
		sealed.String("candidate", func(l *innerLine) *string { return &l.candidate }),
		sealed.OptionalText("parameter", func(l *innerLine) *string { return &l.parameter }),
		sealed.Float("parameter_value", func(l *innerLine) *float64 { return &l.number }),
		sealed.Int32("inner_fold", func(l *innerLine) *int32 { return &l.inner }),
		sealed.Int32("rows_train", func(l *innerLine) *int32 { return &l.rows.Fitted }),
		sealed.Int32("rows_test", func(l *innerLine) *int32 { return &l.rows.Held }),
		sealed.String("metric", func(l *innerLine) *string { return &l.metric }),
		sealed.Float("value", func(l *innerLine) *float64 { return &l.value }),
		sealed.Float("seconds", func(l *innerLine) *float64 { return &l.seconds }),
		sealed.Bool("kept", func(l *innerLine) *bool { return &l.kept }),
		sealed.Bool("best", func(l *innerLine) *bool { return &l.best }),
		sealed.Bool("one_se", func(l *innerLine) *bool { return &l.one }),
		sealed.Bool("chosen", func(l *innerLine) *bool { return &l.chosen }),
	)
}

// addSearches writes the searches of a unit; the first call with any makes the file.
func (w *runWriter) addSearches(k key, searches []searches.Record) (err error) {
	if len(searches) > 0 && w.inner == nil {
		if w.inner, err = newTable(w, InnerFile, innerColumns()); err != nil {
			return err
		}
	}
	for n, s := range searches {
		for number, stage := range s.Stages {
			for _, a := range stage.Attempts {
				l := innerLine{
					key: k, search: int32(n), stage: int32(number), part: s.Part, kind: s.Kind, metric: stage.Metric, parameter: s.Parameter, candidate: a.Candidate, number: a.Number,
					kept: a.Kept, best: a.Best, one: a.OneSE, chosen: a.Chosen,
				}
				if s.Parameter == "" {
					l.number = math.NaN()
				}
				for f, rows := range stage.Folds {
					l.inner, l.rows, l.value, l.seconds = int32(f), rows, a.Values[f], a.Seconds[f]
					if err := w.inner.Add(l); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// Searches returns what the fit of a row measured to choose among candidates.
func (t *Tables) Searches(r *Row) (all []searches.Record, err error) {
	lines, err := t.inner.linesOf(r.key())
	for _, l := range lines {
		if int(l.search) == len(all) {
			all = append(all, searches.Record{Part: l.part, Kind: l.kind, Parameter: l.parameter})
		}
		s := &all[len(all)-1]
		if int(l.stage) == len(s.Stages) {
			s.Stages = append(s.Stages, searches.Stage{Metric: l.metric})
		}
		stage := &s.Stages[len(s.Stages)-1]
		if l.inner == 0 {
			stage.Attempts = append(stage.Attempts, searches.Attempt{Candidate: l.candidate, Number: l.number, Kept: l.kept, Best: l.best, OneSE: l.one, Chosen: l.chosen})
		}
		if len(stage.Attempts) == 1 {
			stage.Folds = append(stage.Folds, l.rows)
		}
		a := &stage.Attempts[len(stage.Attempts)-1]
		a.Values, a.Seconds = append(a.Values, l.value), append(a.Seconds, l.seconds)
	}
	return all, err
}
