package paired

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/engines/numeric/survival"
	"tenfold/io/results"
)

// The integrated Brier score of survival is the mean of losses of rows, of all rows that have the same times of the others to be judged by.
func TestBrierOfRows(t *testing.T) {
	of := known["integrated_brier"]
	if !RowWise(of) {
		t.Fatal("integrated_brier is not resampled by rows")
	}
	curve := results.Curve{Time: []float64{1, 2, 4, 6, 9}, Uncensored: []float64{1, 0.9, 0.9, 0.6, 0.3}, Hazard: []float64{0.1, 0.1, 0.3, 0.8, 1.5}}
	var sides [2]*Losses
	for k, spread := range []float64{1, -1} {
		p := results.Predictions{Curves: []results.Curve{curve}, Truth: []float64{1, 2, 5, 6, 8}}
		events := []int8{1, 1, 0, 1, 0}
		for i := range p.Truth {
			p.Row, p.Group, p.Output = append(p.Row, fmt.Sprint(i)), append(p.Group, ""), append(p.Output, "")
			p.Prediction = append(p.Prediction, spread*float64(2-i))
			p.TruthLabel = append(p.TruthLabel, [...]string{results.Censored, results.Event}[events[i]])
		}
		c := curve.Known()
		mean := 0.0
		for _, l := range c.BrierLosses(p.Truth, events, p.Prediction) {
			mean += l / 5
		}
		l, err := lossesOf("integrated_brier", of, p, mean)
		if err != nil {
			t.Fatal(err)
		}
		// By definition, from the Brier scores at the distinct times.
		integral, before := 0.0, 0.0
		for q, at := range p.Truth {
			b := survival.Brier(p.Truth, events, nil, c.Censoring, at, func(i int) float64 { return c.Baseline.Survival(at, p.Prediction[i]) })
			if q > 0 {
				integral += (b + before) / 2 * (at - p.Truth[q-1]) / 7
			}
			before = b
		}
		if !(math.Abs(integral-mean) <= 1e-14) {
			t.Errorf("%v, by definition %v", mean, integral)
		}
		sides[k] = l
		p.Curves = nil
		if _, err := lossesOf("integrated_brier", of, p, mean); err == nil || !strings.Contains(err.Error(), "no baseline hazard") {
			t.Errorf("without curves: %v", err)
		}
	}
	got, err := Bootstrap(sides[0], sides[1])
	if err != nil || !(got.Mean < 0) || got.N != 5 {
		t.Errorf("%+v, %v: the first ranks rows as they came", got, err)
	}
}
