package metric

import (
	"math"
	"testing"

	"tenfold/engines/data"
)

func TestTruth(t *testing.T) {
	t.Parallel()
	check(t, &Outcome{Type: data.Real, Truth: &Truth{Coefficients: Support{Chosen: 4, True: 6, Both: 3}, Features: Support{Chosen: 10, True: 5, Both: 1}}},
		map[string]float64{"coefficient_precision": 0.75, "coefficient_recall": 0.5, "feature_precision": 0.1, "feature_recall": 0.2, "fdp": 0.9, "false_discoveries": 9})
	nothing, unknown := &Outcome{Type: data.Class, Truth: &Truth{Coefficients: Support{True: 6}}}, &Outcome{Type: data.Real}
	for _, name := range []string{"coefficient_precision", "feature_precision", "feature_recall"} {
		m, ok := Find(name)
		if !ok || !math.IsNaN(m.Score(nothing)) || !math.IsNaN(m.Score(unknown)) {
			t.Errorf("%s: %v of nothing, %v of the unknown", name, m.Score(nothing), m.Score(unknown))
		}
	}
}
