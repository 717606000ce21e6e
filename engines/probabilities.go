package engines

import (
	"fmt"
	"math"

	"tenfold/engines/numeric/elementary"
)

// rounded is the tolerance for probabilities that another program computed and may have written as text.
const rounded = 1e-6

// CheckProbabilities verifies that numbers from another program, one for each level of a class, are probabilities that sum to one.
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

// TakeLogarithms replaces probabilities by their logarithms, which models return; values that rounding put below 0 count as 0.
func TakeLogarithms(p []float64) {
	for k, v := range p {
		p[k] = elementary.Log(max(0, v))
	}
}
