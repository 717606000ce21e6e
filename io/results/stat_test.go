package results

import (
	"math"
	"testing"
)

// By hand: 1, 2, 3, 4 have mean 2.5, variance 5/3, standard error √(5/12).
func TestSummarise(t *testing.T) {
	s := Summarise([]float64{1, 2, 3, 4})
	if s.Mean != 2.5 || !(math.Abs(s.SE-math.Sqrt(5.0/12)) <= 1e-15) || s.Min != 1 || s.Max != 4 || !s.Integers {
		t.Errorf("%+v", s)
	}
	if one := Summarise([]float64{0.5}); !math.IsNaN(one.SE) || one.Mean != 0.5 || one.Integers {
		t.Errorf("%+v", one)
	}
}

func TestMetricOfOneOutputIsNotTheMean(t *testing.T) {
	o := Outcome{Scores: []Score{{Metric: "mae", Output: "y1", Point: -1, Value: 7}, {Metric: "mae", Point: 10, Value: 8}, {Metric: "mae", Point: -1, Value: 9}}}
	if v, ok := o.Metric("mae"); v != 9 || !ok {
		t.Errorf("got %v, want the mean of the outputs of the final model, 9", v)
	}
}
