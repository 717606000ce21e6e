package engines

import (
	"fmt"
	"math"
	"testing"
)

func TestProbabilitiesFromElsewhere(t *testing.T) {
	levels := []string{"a", "b", "c"}
	for want, p := range map[string][]float64{
		"<nil>": {0.2, 0.3, 0.5000004},
		"level b: found -0.1, expected a probability":              {0.6, -0.1, 0.5},
		"level c: found 1.5, expected a probability":               {0, 0, 1.5},
		"level a: found NaN, expected a probability":               {math.NaN(), 0.5, 0.5},
		"the probabilities of the levels sum to 1.125, expected 1": {0.5, 0.25, 0.375},
		"the probabilities of the levels sum to 0.75, expected 1":  {0.25, 0.25, 0.25},
	} {
		if got := fmt.Sprint(CheckProbabilities(p, levels)); got != want {
			t.Errorf("%v: %s, want %s", p, got, want)
		}
	}
	p := []float64{1, 0, -1e-7, math.Exp(-2)}
	TakeLogarithms(p)
	if p[0] != 0 || !math.IsInf(p[1], -1) || !math.IsInf(p[2], -1) || !(math.Abs(p[3]+2) <= 1e-15) {
		t.Errorf("logarithms %v", p)
	}
}
