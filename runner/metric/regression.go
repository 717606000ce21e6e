package metric

import (
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/io/results"
)

func regression() []Metric {
	m := func(name, doc string, better Direction, properties Properties, score func(o *Outcome) float64) Metric {
		return Metric{Name: name, Doc: doc, Better: better, Target: data.Real, Properties: properties, Score: score}
	}
	usual := func(m Metric) Metric { m.Usual = true; return m }
	counts := func(m Metric) Metric { m.Also = data.Count; return m }
	return []Metric{
		usual(m("test_mse", "mean squared error on the test rows", Lower,
			Properties{RowLoss: results.SquaredLoss, Axis: "mean squared error on test rows"},
			func(o *Outcome) float64 { return o.Test.mse() })),
		m("train_mse", "mean squared error on the training rows", Lower,
			Properties{Training: true, Axis: "mean squared error on training rows"},
			func(o *Outcome) float64 { return o.Train.mse() }),
		counts(m("rmse", "root of the mean squared error on the test rows", Lower,
			Properties{RowLoss: results.SquaredLoss, Root: true, Axis: "root mean squared error on test rows"},
			func(o *Outcome) float64 { return math.Sqrt(o.Test.mse()) })),
		counts(m("mae", "mean absolute error on the test rows", Lower,
			Properties{RowLoss: results.AbsoluteLoss, Axis: "mean absolute error on test rows"},
			func(o *Outcome) float64 {
				return o.Test.mean(func(i int) float64 { return math.Abs(o.Test.Truth[i] - o.Test.Prediction[i]) })
			})),
		usual(m("test_r2", "1 − squared error / variance of the test rows", Higher,
			Properties{Commensurable: true, Axis: "R² on test rows", None: "none where the test rows do not vary"},
			func(o *Outcome) float64 { return o.Test.r2() })),
		m("train_r2", "1 − squared error / variance of the training rows", Higher,
			Properties{Training: true, Commensurable: true, Axis: "R² on training rows"},
			func(o *Outcome) float64 { return o.Train.r2() }),
	}
}

func (s *Side) mse() float64 {
	return s.mean(func(i int) float64 { d := s.Truth[i] - s.Prediction[i]; return d * d })
}

// r2 returns NaN, for undefined, if the truth does not vary: equal numbers have a mean that may be another one by rounding.
func (s *Side) r2() float64 {
	if len(s.Truth) == 0 || slices.Min(s.Truth) == slices.Max(s.Truth) {
		return math.NaN()
	}
	centre := s.mean(func(i int) float64 { return s.Truth[i] })
	variance := s.mean(func(i int) float64 { d := s.Truth[i] - centre; return d * d })
	if variance == 0 {
		return math.NaN()
	}
	return 1 - s.mse()/variance
}
