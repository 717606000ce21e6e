package metric

import (
	"math"
	"testing"

	"tenfold/engines/data"
)

// The example of CONTRIBUTING.md.

// begin metric

// bias is an entry of the list in regression().
var bias = Metric{
	Name: "bias", Doc: "mean of prediction − truth on the test rows, without its sign", Better: Lower, Target: data.Real,
	Properties: Properties{Axis: "bias on test rows"},
	Score: func(o *Outcome) float64 {
		return math.Abs(o.Test.mean(func(i int) float64 { return o.Test.Prediction[i] - o.Test.Truth[i] }))
	},
}

// end

func TestExampleMetric(t *testing.T) {
	t.Parallel()
	o := &Outcome{Type: data.Real, Test: Side{Truth: []float64{1, 2}, Prediction: []float64{0, 0}, Weight: []float64{1, 3}}}
	if got := bias.Score(o); got != 1.75 {
		t.Errorf("%v, expected (1 + 3·2)/4", got)
	}
}
