package engines_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

func TestLinear(t *testing.T) {
	x := enginetest.Matrix([]float64{1, 0, 2}, []float64{0, 0, 0}, []float64{0, 3, 1})
	view := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", 0, 0, 0)), nil)
	m := engines.NewLinear(3, []float64{10, 20, 30}, []engines.Coef{
		{Feature: 2, Output: 2, Value: 4}, {Feature: 1, Output: 0, Value: 0}, {Feature: 2, Output: 0, Value: 1}, {Feature: 0, Output: 0, Value: -1},
	}, engines.Fitted{Stop: "why"})
	if got := fmt.Sprint(m.Coefs()); got != "[{0 0 -1 0 0 <nil>} {2 0 1 0 0 <nil>} {2 2 4 0 0 <nil>}]" {
		t.Errorf("coefficients %s", got)
	}
	got := make([]float64, 9)
	m.Predict(got, view.Inputs())
	if fmt.Sprint(got) != "[11 20 38 10 20 30 11 20 34]" {
		t.Errorf("predictions %v", got)
	}
	one := make([]float64, 3)
	for i := range 3 {
		one[0] = 99 // what was there plays no part
		if m.Score(one, x.Row(i)); fmt.Sprint(one) != fmt.Sprint(got[3*i:3*i+3]) {
			t.Errorf("row %d: scores %v, predictions %v", i, one, got[3*i:3*i+3])
		}
	}
	if m.Outputs() != 3 || m.Bias(1) != 20 || m.Fitted().Stop != "why" {
		t.Errorf("%d outputs, bias %v, %+v", m.Outputs(), m.Bias(1), m.Fitted())
	}
}

// Score sums as Predict does, to the last bit.
func TestScoreIsPredict(t *testing.T) {
	const rows, cols, outputs = 41, 12, 5
	rng := rand.New(rand.NewPCG(3, 1))
	var dense [][]float64
	for i := range rows { // full ones, and ever sparser ones
		row := make([]float64, cols)
		for j := range row {
			if rng.IntN(1+i%5) == 0 {
				row[j] = rng.NormFloat64()
			}
		}
		dense = append(dense, row)
	}
	x := enginetest.Matrix(dense...)
	view := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", make([]float64, rows)...)), nil)
	var coefs []engines.Coef
	bias := make([]float64, outputs)
	for o := range outputs {
		bias[o] = rng.NormFloat64()
		for j := range cols {
			if rng.IntN(3) > 0 {
				coefs = append(coefs, engines.Coef{Feature: j, Output: o, Value: rng.NormFloat64()})
			}
		}
	}
	m := engines.NewLinear(cols, bias, coefs, engines.Fitted{})
	whole, one := make([]float64, rows*outputs), make([]float64, outputs)
	m.Predict(whole, view.Inputs())
	for i := range rows {
		m.Score(one, x.Row(i))
		for o, s := range one {
			if s != whole[i*outputs+o] {
				t.Errorf("row %d, output %d: score %v, prediction %v", i, o, s, whole[i*outputs+o])
			}
		}
	}
}

// A residual that moves one coefficient at a time agrees with one computed from the coefficients.
func TestResidual(t *testing.T) {
	const rows, cols = 30, 6
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name     string
		binary   bool
		weighted bool
		rows     []int32
	}{
		{"binary", true, false, nil},
		{"values", false, false, nil},
		{"weights", false, true, nil},
		{"some rows, weighted", true, true, []int32{20, 3, 7, 8, 29}},
		{"no rows", true, false, []int32{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			y := make([]float64, rows)
			for i := range y {
				y[i] = 5 + rng.NormFloat64()
			}
			set := enginetest.Dataset(enginetest.Random(9, rows, cols, 0.4, c.binary), enginetest.Real("y", y...))
			if c.weighted {
				set.Weight = make([]float64, rows)
				for i := range set.Weight {
					set.Weight[i] = 0.5 + float64(i%4)
				}
			}
			view := enginetest.View(set, c.rows)
			b, bias := make([]float64, cols), 4.0
			direct := func() float64 {
				sum, n := 0.0, 0.0
				_, y := view.Target(0)
				for i := range y {
					m := 1.0
					if c.weighted {
						m = view.Weights()[i]
					}
					e := y[i] - bias - view.Row(i).Dot(b)
					sum += m * e * e
					n += m
				}
				if n == 0 {
					return 0
				}
				return sum / n
			}
			r := engines.NewResidual(view, bias)
			for step := range 200 {
				if got, want := r.MSE(), direct(); !(math.Abs(got-want) <= 1e-10*(1+want)) {
					t.Fatalf("after %d moves: %v, want %v", step, got, want)
				}
				j, h := rng.IntN(cols), rng.NormFloat64()/10
				b[j] += h
				bias += rng.NormFloat64() / 10
				r.Move(j, h, bias)
			}
			clear(b)
			bias = 3
			r.Reset(bias)
			if got, want := r.MSE(), direct(); !(math.Abs(got-want) <= 1e-12*(1+want)) {
				t.Errorf("after a reset: %v, want %v", got, want)
			}
		})
	}
}

func TestResidualOfPerfectFit(t *testing.T) {
	view := enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{3}, []float64{7}), enginetest.Real("y", 0.1, 0.3, 0.7)), nil)
	r := engines.NewResidual(view, 1)
	for range 10 {
		r.Move(0, 0.01, 0)
	}
	if got := r.MSE(); got < 0 || got > 1e-15 {
		t.Errorf("got %v, want 0 up to rounding and never less", got)
	}
}
