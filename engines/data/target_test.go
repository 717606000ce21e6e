package data_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/pairs"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/pooled"
)

func TestPairsInformation(t *testing.T) {
	p := &pairs.Pairs{Left: []int32{0, 0, 1, 2}, Right: []int32{0, 0, 1, 1}}
	want := []float64{math.Log(2), math.Log(2), math.Log(2), math.Log(2)} // n·c(L,R)/(c(L)·c(R)) with κ = 0
	for i, v := range p.Information(nil) {
		if !(math.Abs(v-want[i]) <= 1e-15) {
			t.Errorf("row %d: %v, want %v", i, v, want[i])
		}
	}
	// Counted over rows 0 and 2: row 1 is the pair of row 0; the left side of row 3 was never counted.
	p.Kappa = 1
	got := p.Information([]int32{0, 2})
	seen := math.Log(5. / 3)
	if !(math.Abs(got[1]-seen) <= 1e-15) || got[3] != 0 {
		t.Errorf("counted over two rows: %v, want rows 0 to 2 at %v and row 3 at 0", got, seen)
	}

	// An unseen pair of seen sides: finite with κ > 0.
	unseen := &pairs.Pairs{Left: []int32{0, 1, 0}, Right: []int32{0, 1, 1}, Kappa: 1}
	if got := unseen.Information([]int32{0, 1})[2]; !(math.Abs(got-math.Log(1./3)) <= 1e-15) {
		t.Errorf("unseen pair: %v, want log(κ/(N+κ))", got)
	}
	unseen.Kappa = 0
	set := enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{1}, []float64{1}), data.Target{Name: "mi", Type: data.Real, Pairs: unseen})
	// In a fold, training rows are counted over training rows, others over all rows.
	p2, err := (prepare.Recipe{}).Fit(set, []int32{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	train, all := unseen.Information([]int32{0, 1}), unseen.Information(nil)
	if _, got := p2.View(nil).Target(0); !slices.Equal(got, []float64{train[0], train[1], all[2]}) {
		t.Errorf("prepared %v, want %v of training rows and %v of all", got, train[:2], all[2:])
	}
}

// What training rows are counted to have is compared with what they have in all rows: a warning says where the two are far apart, as on few
// rows of many, and nothing does where test rows are few. A count over all rows is no different.
func TestCountedOverFewRows(t *testing.T) {
	const rows = 4000
	rng := rand.New(rand.NewPCG(8, 8))
	pairs := &pairs.Pairs{Kappa: 1}
	dense := make([][]float64, rows)
	for i := range rows {
		dense[i] = []float64{1}
		left := int32(rng.ExpFloat64() * 30)
		right := int32(rng.ExpFloat64() * 30)
		if rng.IntN(2) == 0 {
			right = left
		}
		pairs.Left, pairs.Right = append(pairs.Left, left), append(pairs.Right, right)
	}
	set := enginetest.Dataset(enginetest.Matrix(dense...), data.Target{Name: "mi", Type: data.Real, Pairs: pairs})
	for count, warned := range map[int]bool{rows: false, rows * 9 / 10: false, rows / 100: true} {
		train := make([]int32, count)
		for i := range train {
			train[i] = int32(i)
		}
		p, err := (prepare.Recipe{}).Fit(set, train)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(p.Warnings) == 1 && strings.Contains(p.Warnings[0], fmt.Sprintf("of the %d training rows are %s", count, pooled.FewCounted)); got != warned || len(p.Warnings) > 1 {
			t.Errorf("%d of %d rows: warnings %q", count, rows, p.Warnings)
		}
	}
}
