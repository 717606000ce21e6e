package loglin

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/losses/logits"
)

// Draw makes a sketch: some noise, a constant column, a column of zeros, and one column twice.
func Draw(seed uint64, rows, columns, classes int, bias logits.Bias, weights bool) Sketch {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := Sketch{Classes: classes, Bias: bias}
	truth := make([]float64, columns*classes)
	for k := range truth {
		truth[k] = rng.NormFloat64()
	}
	for range rows {
		x := make([]float64, columns)
		for j := range x {
			if rng.Float64() < 0.6 {
				x[j] = math.Round(100*rng.NormFloat64()) / 100
			}
		}
		x[1], x[2], x[4] = 1, 0, x[3]
		y, best := 0, math.Inf(-1)
		for c := range classes {
			z := -2 * math.Log(-math.Log(rng.Float64()))
			for j, v := range x {
				z += v * truth[j*classes+c]
			}
			if z > best {
				y, best = c, z
			}
		}
		s.X, s.Y = append(s.X, x), append(s.Y, int32(y))
		if weights {
			s.M = append(s.M, float64(1+rng.IntN(3)))
		}
	}
	return s
}

// Example is a problem with a penalty.
type Example struct {
	Sketch
	Pen logits.Penalty
}

// Examples returns problems that solvers are held to, by what they are.
func Examples() map[string]Example {
	all := map[string]Example{}
	for _, classes := range []int{2, 3} {
		for _, bias := range []logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias} {
			for k, c2 := range []float64{0, 0.4} {
				weights := k == 0 == (bias == logits.FreeBias)
				name := fmt.Sprintf("%d classes, bias %s, c2 %v, weights %v", classes, bias, c2, weights)
				all[name] = Example{Draw(uint64(classes), 40, 7, classes, bias, weights), logits.Penalty{L1: 0.9, L2: c2}}
			}
		}
	}
	return all
}

// Drawn returns a problem of random rows with weights, whose labels follow a few of the columns.
func Drawn(t testing.TB, seed uint64, rows, columns, classes int, bias logits.Bias, binary bool) *logits.Problem {
	t.Helper()
	x := enginetest.Random(seed, rows, columns, 0.2, binary)
	rng := rand.New(rand.NewPCG(seed, 9))
	y, weight := make([]int32, rows), make([]float64, rows)
	for i := range y {
		score := make([]float64, classes)
		for k := range score {
			score[k] = 2 * rng.NormFloat64()
		}
		row := x.Row(i)
		for k, j := range row.Idx {
			if j < 6 {
				score[int(j)%classes] += 2 * row.At(k)
			}
		}
		y[i] = int32(slices.Index(score, slices.Max(score)))
		weight[i] = 0.5 + rng.Float64()
	}
	p, err := logits.New(x, y, weight, classes, bias)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Weights returns random ones for a problem.
func Weights(p *logits.Problem, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 2))
	w := make([]float64, p.Width())
	for k := range w {
		w[k] = rng.NormFloat64() / 2
	}
	return w
}
