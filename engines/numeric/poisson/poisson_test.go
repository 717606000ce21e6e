package poisson

import (
	"math"
	"testing"
)

func TestLogFactorial(t *testing.T) {
	for _, y := range []float64{0, 1, 2, 5, 63, 64, 65, 66, 100, 1000, 1e6, 1e12} {
		want, _ := math.Lgamma(y + 1)
		if got := LogFactorial(y); !(math.Abs(got-want) <= 2e-15*max(1, want)*max(1, math.Log(y+1))) {
			t.Errorf("log %v! is %v, want %v", y, got, want)
		}
	}
}

// The deviance of a count is twice what its log-probability is below that of the best expectation, the count itself.
func TestDeviance(t *testing.T) {
	for _, y := range []float64{0, 1, 2, 7, 100} {
		for _, mu := range []float64{1e-3, 0.5, 1, 2, 50, 1e5} {
			best := LogProbability(y, y)
			if y == 0 {
				best = 0
			}
			if got, want := Deviance(y, mu), 2*(best-LogProbability(y, mu)); !(math.Abs(got-want) <= 1e-12*max(1, want)) {
				t.Errorf("%v expected %v: %v, want %v", y, mu, got, want)
			}
		}
	}
	if Deviance(0, 0) != 0 || LogProbability(0, 0) != 0 || !math.IsInf(Deviance(3, 0), 1) || !math.IsInf(LogProbability(3, 0), -1) {
		t.Error("nothing is expected")
	}
}
