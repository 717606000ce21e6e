package metric

import (
	"math"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/elementary"
)

// The metrics of probabilities and ranks are those of scikit-learn, by its conventions that docs/metrics.md names.
func TestScikitLearn(t *testing.T) {
	t.Parallel()
	for _, c := range oracle.Fixture[struct {
		Levels int
		Truth  []float64
		Scores [][]float64 // log-odds of the second of two levels, or scores of several
		Weight []float64
		Brier  float64 `json:"brier_score"`
		ECE    float64
		Loss   float64 `json:"log_loss"`
		Area   float64 `json:"roc_auc"`
		Mean   float64 `json:"pr_auc"`
	}](t, "probabilities.json") {
		o := &Outcome{Type: data.Class, Levels: make([]string, c.Levels), Positive: 1, Probabilities: true, Test: Side{Truth: c.Truth, Weight: c.Weight}}
		for _, s := range c.Scores {
			if c.Levels == 2 {
				s = []float64{elementary.LogSigmoid(-s[0]), elementary.LogSigmoid(s[0])}
			} else {
				elementary.LogSoftmax(s)
			}
			o.Test.Add(s, data.Class, nil)
		}
		want := map[string]float64{"brier_score": c.Brier, "ece": c.ECE, "log_loss": c.Loss}
		if c.Levels == 2 {
			want["roc_auc"], want["pr_auc"] = c.Area, c.Mean
		}
		check(t, o, want)
	}
}

// By hand: of three rows with probabilities ¼ and ¾, two are right; weights count.
func TestBrierAndCalibration(t *testing.T) {
	t.Parallel()
	o := &Outcome{Type: data.Class, Levels: []string{"no", "yes"}, Positive: 1, Probabilities: true}
	for _, truth := range []float64{1, 1, 0} {
		o.Test.Truth = append(o.Test.Truth, truth)
		o.Test.Add(logs(0.25, 0.75), data.Class, nil)
	}
	check(t, o, map[string]float64{"brier_score": (2*2./16 + 2*9./16) / 3, "ece": math.Abs(2./3 - 0.75)})
	o.Test.Weight = []float64{1, 2, 1}
	check(t, o, map[string]float64{"brier_score": (3*2./16 + 2*9./16) / 4, "ece": 0})

	// What is certain is in the last bin, and impossible levels take no part; a guess of three is right as often as it says.
	o = &Outcome{Type: data.Class, Levels: []string{"a", "b", "c"}, Probabilities: true}
	for _, r := range [][]float64{{0, 1, 0, 0}, {1, 1, 0, 0}, {0, 1. / 3, 1. / 3, 1. / 3}, {1, 1. / 3, 1. / 3, 1. / 3}, {2, 1. / 3, 1. / 3, 1. / 3}} {
		o.Test.Truth = append(o.Test.Truth, r[0])
		o.Test.Add(logs(r[1:]...), data.Class, nil)
	}
	check(t, o, map[string]float64{"brier_score": (0 + 2 + 3*(4./9+1./9+1./9)) / 5, "ece": 2 * 0.5 / 5})

	// Of labels that were decoded, the confidence is that in what was predicted, not in what alone would be.
	o.Test.Prediction = []float64{0, 0, 0, 1, 2}
	check(t, o, map[string]float64{"ece": (math.Abs(1-2) + math.Abs(3-1)) / 5})
	o.Probabilities = false
	check(t, o, map[string]float64{"brier_score": math.NaN(), "ece": math.NaN()})
	check(t, &Outcome{Type: data.Class, Levels: []string{"a", "b"}, Probabilities: true}, map[string]float64{"brier_score": math.NaN(), "ece": math.NaN()})
}

// Bins are open below and closed above: of rows at an edge and just above it, each is in its own.
func TestEdgesOfBins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p    float64
		want int
	}{{1, 14}, {14. / 15, 13}, {math.Nextafter(14./15, 1), 14}, {0.5, 7}, {1e-300, 0}, {0, 0}} {
		if got := binOf(c.p); got != c.want {
			t.Errorf("%v is in bin %d, want %d", c.p, got, c.want)
		}
	}
}
