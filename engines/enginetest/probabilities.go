package enginetest

import (
	"fmt"
	"math"

	"tenfold/engines/data"
)

// Exp makes numbers of their logarithms, in place: probabilities of what a model of classes predicts.
func Exp(x []float64) []float64 {
	for k, v := range x {
		x[k] = math.Exp(v)
	}
	return x
}

// addUp checks that outputs which are said to be logarithms of probabilities are: those of a target's levels add up to 1.
func addUp(p problem, o outcome) error {
	first, width := 0, len(o.scores)/p.test.Len()
	for t := range p.train.Targets() {
		info := p.train.TargetInfo(t)
		levels := max(1, len(info.Levels))
		for i := range p.test.Len() {
			sum := 0.0
			for _, v := range o.scores[i*width+first : i*width+first+levels] {
				sum += math.Exp(v)
			}
			if info.Type == data.Class && o.fitted.Probabilities && !(math.Abs(sum-1) <= 1e-9) {
				return fmt.Errorf("row %d, target %d: outputs are logarithms of probabilities that add up to %v", i, t, sum)
			}
		}
		first += levels
	}
	return nil
}
