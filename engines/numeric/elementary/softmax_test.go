package elementary

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Values by Python's decimal with 400 digits: -(1 + (-s).exp()).ln().
func TestLogSigmoid(t *testing.T) {
	for _, c := range [][2]float64{
		{0, -0.69314718055994530942}, {1, -0.31326168751822283405}, {-1, -1.3132616875182228340}, {40, -4.2483542552915889953e-18},
		{-40, -40}, {-50, -50}, {700, -9.8596765437597708567e-305}, {-5000, -5000}, {5000, 0}, {math.Inf(1), 0}, {math.Inf(-1), math.Inf(-1)},
	} {
		if got := LogSigmoid(c[0]); got != c[1] && !(math.Abs(got-c[1]) <= 4e-16*math.Abs(c[1])) {
			t.Errorf("of %v: %v, want %v", c[0], got, c[1])
		}
	}
}

// Scores far apart, a common constant, and what is impossible.
func TestLogSoftmax(t *testing.T) {
	for _, c := range []struct{ scores, want []float64 }{
		{[]float64{3}, []float64{0}},
		{[]float64{0, 40}, []float64{-40, -4.2483542552915889953e-18}},
		{[]float64{-1e4, -1e4 - 900, -1e4 - 1000}, []float64{0, -900, -1000}},
		{[]float64{1e300, 1e300}, []float64{-math.Ln2, -math.Ln2}},
		{[]float64{0, 1, 2}, []float64{-2.4076059644443804, -1.4076059644443804, -0.4076059644443804}},
		{[]float64{math.Inf(-1), 0, 0}, []float64{math.Inf(-1), -math.Ln2, -math.Ln2}},
	} {
		got := append([]float64(nil), c.scores...)
		LogSoftmax(got)
		for k, want := range c.want {
			if got[k] != want && !(math.Abs(got[k]-want) <= 4e-16*math.Abs(want)) {
				t.Errorf("of %v: %v, want %v", c.scores, got, c.want)
			}
		}
	}
	same := []float64{math.Inf(-1), math.Inf(-1)}
	if LogSoftmax(same); fmt.Sprint(same) != "[NaN NaN]" {
		t.Errorf("of nothing possible: %v", same)
	}
}

// SumExp is Exp of each number, to the last bit, and their sum in order; in place, too.
func TestSumExp(t *testing.T) {
	for high := -800.0; high <= 800; high += 61.7 {
		x := []float64{0, 1, -1, 0.3, high, high + 1e-17, 707.9, -707.9, 708, -708, -745, -746, -800, 709.7, 711, math.Inf(-1), math.Copysign(0, -1)}
		want, total := make([]float64, len(x)), 0.0
		for k, v := range x {
			want[k] = Exp(v - high)
			total += want[k]
		}
		got := make([]float64, len(x)+2)
		sum := SumExp(got, x, high)
		inPlace := SumExp(x, x, high)
		if !slices.Equal(got[:len(x)], want) || !slices.Equal(x, want) || sum != total || inPlace != total {
			t.Errorf("less %v: %v, in place %v, want %v, sums %v, %v, want %v", high, got, x, want, sum, inPlace, total)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 100 {
		x, got, want := make([]float64, n), make([]float64, n), make([]float64, n)
		for k := range x {
			x[k] = 20 * r.NormFloat64()
			if n%3 == 0 {
				x[k] *= 20 // some are no normal numbers
			}
		}
		if sum, plain := SumExp(got, x, 3), sumExpPlain(want, x, 3, 0); sum != plain || !slices.Equal(got, want) {
			t.Errorf("of %v: %v, %v, plainly %v, %v", x, got, sum, want, plain)
		}
	}
	if sum := SumExp(nil, nil, 3); sum != 0 {
		t.Errorf("of none: %v", sum)
	}
	if sum := SumExp(make([]float64, 1), []float64{math.NaN()}, 0); sum == sum {
		t.Errorf("of no number: %v", sum)
	}
}

func BenchmarkSumExp(b *testing.B) {
	x, out := make([]float64, 86), make([]float64, 86)
	for k := range x {
		x[k] = -float64(k) / 9
	}
	b.Run("SumExp", func(b *testing.B) {
		for range b.N {
			SumExp(out, x, 0)
		}
	})
	b.Run("sumExpPlain", func(b *testing.B) {
		for range b.N {
			sumExpPlain(out, x, 0, 0)
		}
	})
}
