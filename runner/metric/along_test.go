package metric

import (
	"math"
	"testing"

	"tenfold/io/results"
)

func TestAreaAlongPath(t *testing.T) {
	score := func(metric, output string, point int32, value float64) results.Score {
		return results.Score{Metric: metric, Output: output, Point: point, Value: value, Higher: true}
	}
	stored := []results.Score{
		score("accuracy", "a", -1, 0.1), score("accuracy", "a", 40, 0.9), score("accuracy", "a", 10, 0.5), score("accuracy", "a", 20, 0.7), score("accuracy", "a", 80, math.NaN()),
		score("accuracy", "b", 10, 1), score("accuracy", "c", -1, 1), score("log_loss", "a", 10, 7), score("log_loss", "a", 20, 7),
	}
	got := derive("area:accuracy", &results.Outcome{Scores: stored})
	if len(got) != 1 || got[0].Output != "a" || got[0].Point != -1 || !(math.Abs(got[0].Value-0.7) <= 1e-15) || !got[0].Higher {
		t.Errorf("%+v, expected 0.7 of output a: (0.6 + 0.8)/2, as both steps double the size", got)
	}
	if got := derive("area:accuracy", &results.Outcome{Scores: append(stored, got...)}); got != nil {
		t.Errorf("it is derived again: %v", got)
	}
	for name, found := range map[string]bool{"area:accuracy": true, "area:test_mse": true, "area:area:accuracy": false, "area:selected": false, "area:stability": false, "area:nonsense": false, "area:f:2": true} {
		if m, ok := Find(name); ok != found || ok && (m.Name != name || m.Better != (name != "area:test_mse")) {
			t.Errorf("%s: found %v, %+v", name, ok, m.Name)
		}
	}
}
