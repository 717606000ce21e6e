package lars

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// TestGramFollowsColumns: the path by the Gram matrix goes through the turning points of the path by the columns, whatever these are.
func TestGramFollowsColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 4))
	left := 0
	for trial := range 120 {
		columns := 1 + rng.IntN(25)
		rows := max(3, columns+rng.IntN(60))
		x, y, weight := make([][]float64, rows), make([]float64, rows), []float64(nil)
		kinds := make([]int, columns)
		for j := range kinds {
			kinds[j] = rng.IntN(12)
		}
		if trial%3 == 0 {
			weight = make([]float64, rows)
		}
		for i := range x {
			x[i] = make([]float64, columns)
			for j := range x[i] {
				v := rng.NormFloat64()
				switch {
				case kinds[j] == 0: // far from zero
					v += 1e7
				case kinds[j] == 1:
					v = 3
				case kinds[j] == 2 && j > 0: // equal
					v = x[i][j-1]
				case kinds[j] == 3 && j > 0: // nearly dependent
					v = x[i][j-1] + 1e-4*v
				case kinds[j] == 4:
					v = float64(rng.IntN(2)) + 1
				case kinds[j] == 5:
					v *= 1e-5
				case j > 0:
					v += x[i][j-1]
				}
				x[i][j] = v
			}
			y[i] = 5 + 2*rng.NormFloat64() + x[i][0] - x[i][columns/2]
			if weight != nil {
				weight[i] = float64(1 + rng.IntN(4))
			}
		}
		set := enginetest.Dataset(enginetest.Matrix(x...).Filled(), enginetest.Real("y", y...))
		set.Weight = weight
		for _, method := range methods {
			e := with(func(e *LARS) { e.Method = method })
			var paths [2]*larsPath
			for k := range paths {
				w, err := e.newPath(t.Context(), engines.Run{Train: enginetest.View(set, nil), Workers: 1 + k})
				if err != nil {
					t.Fatal(err)
				}
				if w.g.X.IsFull() != (w.gram != nil) {
					t.Fatalf("%d × %d, full %v, with a Gram matrix %v", rows, columns, w.g.X.IsFull(), w.gram != nil)
				}
				if k == 1 && w.gram != nil {
					w.leaveGram()
				}
				w.record = &turningPoints{}
				if err := w.follow(t.Context()); err != nil {
					t.Fatal(err)
				}
				w.updateResidual()
				paths[k] = w
			}
			byGram, byColumns := paths[0], paths[1]
			if byGram.gram == nil {
				left++
			}
			a, b := byGram.g.Inner(byGram.r, byGram.r), byColumns.g.Inner(byColumns.r, byColumns.r)
			if !(math.Abs(a-b) <= 1e-9*byGram.tss) || byGram.stop != byColumns.stop {
				t.Errorf("trial %d, %s of %d × %d: RSS %v after %d steps (%s), by columns %v after %d (%s)", trial, method, rows, columns, a, byGram.steps, byGram.stop, b, byColumns.steps, byColumns.stop)
			}
			for k, p := range byGram.record.turns[:min(len(byGram.record.turns), len(byColumns.record.turns))] {
				q := byColumns.record.turns[k]
				if p.lambda < 1e-6*byGram.largest {
					break
				}
				if !(math.Abs(p.lambda-q.lambda) <= 1e-8*byGram.largest && math.Abs(p.l1-q.l1) <= 1e-5*max(1, q.l1)) {
					t.Errorf("trial %d, %s of %d × %d, turn %d: λ %v and Σ|β| %v, by columns %v and %v", trial, method, rows, columns, k, p.lambda, p.l1, q.lambda, q.l1)
					break
				}
			}
		}
	}
	if left == 0 {
		t.Error("no path left the Gram matrix")
	}
}

// BenchmarkTall walks the whole lasso path of 16,000 rows and 50 columns.
func BenchmarkTall(b *testing.B) {
	const rows, columns = 16_000, 50
	rng := rand.New(rand.NewPCG(23, 5))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
			y[i] += x[i][j] / float64(1+j)
		}
		y[i] += 3 * rng.NormFloat64()
	}
	train := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...).Filled(), enginetest.Real("y", y...)), nil)
	before := enginetest.CPU()
	for b.Loop() {
		if _, err := with(nil).Fit(context.Background(), engines.Run{Train: train, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((enginetest.CPU()-before)/float64(b.N), "cpu-s/op")
}
