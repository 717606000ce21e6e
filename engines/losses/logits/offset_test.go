package logits_test

import (
	"math"
	"tenfold/engines/losses/logits"
	"testing"

	"tenfold/engines/enginetest"
)

// The dual point is feasible where gradients of free biases are 0. What rounding leaves of them counts by the size of the bias:
// columns far from 0 need a large one.
func TestCertificateOfLargeBiases(t *testing.T) {
	v := enginetest.View(enginetest.Dataset(enginetest.Random(3, 40, 5, 0.5, false), enginetest.Class("y", 2, repeated(40)...)), nil)
	p, err := logits.Read(v, logits.FreeBias)
	if err != nil {
		t.Fatal(err)
	}
	pt := p.NewPoint(make([]float64, p.Width()))
	largest, err := pt.LambdaMax(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	before := pt.Certify(logits.Penalty{L1: largest})
	bias := p.Columns() * p.Blocks
	pt.W[bias], pt.G[bias] = -1e4, 1e-6
	after := pt.Certify(logits.Penalty{L1: largest})
	if off := before.Dual - after.Dual; !(math.Abs(off-1e-2) <= 1e-9) {
		t.Errorf("the dual fell by %v, expected 0.01", off)
	}
}

func repeated(n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = float64(i % 2)
	}
	return y
}
