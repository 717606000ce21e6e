package engines

import (
	"fmt"
	"math"

	"tenfold/engines/core/elementary"
)

// rounded is how far off probabilities may be that were computed, and perhaps written as text, elsewhere.
const rounded = 1e-6

// CheckProbabilities refuses numbers from elsewhere, one a level of a class, that are no probabilities or do not sum to one.
func CheckProbabilities(p []float64, levels []string) error {
	sum := 0.0
	for k, v := range p {
		if !(v >= -rounded && v <= 1+rounded) {
			return fmt.Errorf("level %s: found %v, expected a probability", levels[k], v)
		}
		sum += v
	}
	if math.Abs(sum-1) > rounded {
		return fmt.Errorf("the probabilities of the levels sum to %v, expected 1", sum)
	}
	return nil
}

// TakeLogarithms of probabilities, in place, as models have them; what rounding has put below 0 is 0.
func TakeLogarithms(p []float64) {
	for k, v := range p {
		p[k] = elementary.Log(max(0, v))
	}
}
