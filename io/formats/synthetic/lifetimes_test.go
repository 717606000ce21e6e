package synthetic

import (
	"math"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/survival"
)

// Lifetimes have the share of censored rows, the true columns, and the hazards: cumulative hazards Λ(T) = T^shape·exp(η) are exponential of
// mean 1, so that events are as many as the cumulative hazards of all rows; and no row depends on how many are drawn, but for censoring.
func TestLifetimes(t *testing.T) {
	t.Parallel()
	for _, l := range []Lifetimes{
		{Rows: 4000, Columns: 6, True: 3, Weight: 0.7, Shape: 1, Censored: 0.4},
		{Rows: 4000, Columns: 6, True: 0, Weight: 0.7, Shape: 2, Censored: 0},
		{Rows: 4000, Columns: 6, True: 6, Weight: 0.3, Shape: 0.5, Censored: 0.9},
	} {
		s := defaults
		s.Generator, s.Lifetimes = lifetimes, l
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		d, err := s.Load(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		target := d.Targets[0]
		if target.Type != data.Survival || len(d.Truth) != l.True {
			t.Fatalf("type %v, %d true columns", target.Type, len(d.Truth))
		}
		events, hazards, risk := 0.0, 0.0, make([]float64, l.Rows)
		for i, time := range target.Values {
			for _, c := range d.Truth {
				risk[i] += c.Value * d.X.Row(i).Val[c.Feature]
			}
			events += float64(target.Events[i])
			hazards += math.Pow(time, l.Shape) * math.Exp(risk[i])
		}
		if share := 1 - events/float64(l.Rows); !(math.Abs(share-l.Censored) <= 0.02) {
			t.Errorf("%+v: %v censored", l, share)
		}
		if !(math.Abs(hazards/events-1) <= 4/math.Sqrt(events)) {
			t.Errorf("%+v: %v events, of %v expected", l, events, hazards)
		}
		if c := survival.Concordance(target.Values, target.Events, risk, nil, nil); l.True > 0 && c < 0.6 {
			t.Errorf("%+v: the true risk has a concordance of %v", l, c)
		}
	}
	s := defaults
	s.Generator, s.Target.Binarize = lifetimes, "train-mean"
	if s.Validate() == nil {
		t.Error("times are cut by their mean")
	}
}
