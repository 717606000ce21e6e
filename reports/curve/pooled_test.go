package curve

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

func checkPooled(t *testing.T, c oracle.Case) {
	var in struct {
		Y      []float64
		Scores [][]float64
		Groups []int32
	}
	var options struct{ Number *int }
	var want struct{ AUC, SE, Low, High *float64 }
	c.Parts(t, &in, &options, &want)
	positive := make([]bool, len(in.Y))
	for i, y := range in.Y {
		positive[i] = y == 1
	}
	got := PoolAreas(positive, in.Scores, in.Groups)
	oracle.Near(t, "area", got.Area, *want.AUC, 1e-9)
	if options.Number != nil { // an interval by the bootstrap
		return
	}
	for name, pair := range map[string][2]*float64{"se": {&got.SE, want.SE}, "low": {&got.Low, want.Low}, "high": {&got.High, want.High}} {
		if pair[1] != nil {
			oracle.Near(t, name, *pair[0], *pair[1], 1e-9)
		} else if !math.IsNaN(*pair[0]) {
			t.Errorf("%s is %v, expected none", name, *pair[0])
		}
	}
}

// The area is that of the curve; groups of one row have DeLong's error; doubling each row as its own group leaves the error as it is, which
// DeLong's falls by the root of two; rows that are told apart have no error.
func TestPoolAreas(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const n = 40
	var positive, twice []bool
	var score, scoreTwice []float64
	var alone, pairs []int32
	for i := range n {
		is, s := i%3 == 0, math.Round(4*rng.NormFloat64())
		if is {
			s++
		}
		positive, score, alone = append(positive, is), append(score, s), append(alone, int32(i))
		twice, scoreTwice, pairs = append(twice, is, is), append(scoreTwice, s, s), append(pairs, int32(i), int32(i))
	}
	plain := PoolAreas(positive, [][]float64{score}, nil)
	_, area := ROC(Rows{Score: score, Positive: positive})
	oracle.Near(t, "area", plain.Area, area, 1e-12)
	oracle.Near(t, "error of groups of one row", PoolAreas(positive, [][]float64{score}, alone).SE, plain.SE, 1e-12)
	oracle.Near(t, "error of pairs", PoolAreas(twice, [][]float64{scoreTwice}, pairs).SE, PoolAreas(positive, [][]float64{score}, alone).SE, 1e-12)
	for i, is := range positive {
		score[i] = float64(side(is))
	}
	if p := PoolAreas(positive, [][]float64{score}, nil); p.Area != 1 || p.SE != 0 || p.Low != 1 || p.High != 1 {
		t.Errorf("rows told apart: %+v", p)
	}
}
