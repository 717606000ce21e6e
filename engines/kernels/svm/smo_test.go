package svm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// trial is a random problem of so many rows, among them equal ones with equal and with different signs, and columns that are
// constant. Bounds differ from row to row.
func trial(seed uint64, rows int, k kernel, binary bool, bound float64) problem {
	rng := rand.New(rand.NewPCG(seed, 2))
	x := make([][]float64, rows)
	p := problem{}
	for i := range x {
		sign := float64(1 - 2*(i%2))
		row := []float64{1, 0, 0, 0, 0, 0}
		for j := 1; j < 6; j++ {
			switch v := rng.NormFloat64() + 0.3*sign; {
			case binary && v > 0.2:
				row[j] = 1
			case !binary && rng.Float64() < 0.7:
				row[j] = v
			}
		}
		if i%7 == 6 {
			row = slices.Clone(x[i-1-rng.IntN(4)])
		}
		x[i] = row
		p.y, p.c = append(p.y, sign), append(p.c, bound*(0.5+rng.Float64()))
	}
	p.points = newPoints(k, enginetest.Matrix(x...), nil)
	return p
}

// literal kernel matrix.
func (p problem) literal() [][]float64 {
	n := len(p.y)
	rows := make([][]float64, n)
	_, columns := p.x.Dims()
	for i := range n {
		rows[i] = make([]float64, columns)
		p.x.Row(i).AddTo(rows[i], 1)
	}
	k := make([][]float64, n)
	for i := range k {
		k[i] = make([]float64, n)
		for j := range k[i] {
			dot, distance := 0.0, 0.0
			for c, v := range rows[i] {
				dot += v * rows[j][c]
				distance += (v - rows[j][c]) * (v - rows[j][c])
			}
			switch p.kernel.form {
			case rbf:
				k[i][j] = math.Exp(-p.kernel.gamma * distance)
			case polynomial:
				k[i][j] = math.Pow(p.kernel.gamma*dot+p.kernel.coef0, float64(p.kernel.degree))
			default:
				k[i][j] = dot
			}
		}
	}
	return k
}

var kernels = []kernel{
	{form: rbf, gamma: 0.3},
	{form: linear},
	{form: polynomial, gamma: 0.2, coef0: 1, degree: 3},
}

func room(kib int) []float64 { return make([]float64, kib<<7) }

// TestOptimality: of the solution of every problem, computed anew from the definitions, rows keep to their bounds, Σβ = 0,
// slopes satisfy the conditions of optimality to the tolerance, and the two objectives are those reported, and meet.
func TestOptimality(t *testing.T) {
	for _, k := range kernels {
		for _, binary := range []bool{false, true} {
			for seed, size := range []int{2, 3, 14, 60, 150} {
				for _, bound := range []float64{0.01, 1, 100} {
					t.Run(fmt.Sprintf("%s binary=%v rows=%d c=%v", k.form, binary, size, bound), func(t *testing.T) {
						p := trial(uint64(seed), size, k, binary, bound)
						const tol = 1e-4
						s, err := solve(context.Background(), p, tol, 1e7, room(800))
						if err != nil {
							t.Fatal(err)
						}
						optimal(t, p, s, tol)
					})
				}
			}
		}
	}
}

func optimal(t *testing.T, p problem, s solution, tol float64) {
	t.Helper()
	gram := p.literal()
	top, bottom, sum, norm, gain, loss, size := math.Inf(-1), math.Inf(1), 0.0, 0.0, 0.0, 0.0, 1.0
	for i, b := range s.beta {
		least, most := min(0, p.y[i]*p.c[i]), max(0, p.y[i]*p.c[i])
		if b < least || b > most {
			t.Fatalf("row %d: β = %v outside [%v, %v]", i, b, least, most)
		}
		value := 0.0
		for j, b := range s.beta {
			value += b * gram[i][j]
		}
		if f := p.y[i] - value; b < most {
			top = max(top, f)
		}
		if f := p.y[i] - value; b > least {
			bottom = min(bottom, f)
		}
		sum += b
		size += math.Abs(b)
		norm += b * value
		gain += b * p.y[i]
		loss += p.c[i] * max(0, 1-p.y[i]*(value+s.bias))
	}
	if !(math.Abs(sum) <= 1e-12*size) {
		t.Errorf("Σβ = %v", sum)
	}
	if top-bottom > tol+1e-10*size {
		t.Errorf("slopes violate the conditions by %v, tolerance %v", top-bottom, tol)
	}
	if s.violation > tol || !(math.Abs(s.violation-(top-bottom)) <= 1e-9*size) {
		t.Errorf("violation %v, reported %v", top-bottom, s.violation)
	}
	for _, o := range []struct {
		name      string
		got, want float64
	}{{"primal", s.primal, norm/2 + loss}, {"dual", s.dual, gain - norm/2}} {
		if !(math.Abs(o.got-o.want) <= 1e-9*(1+size)) {
			t.Errorf("%s objective %v, reported %v", o.name, o.want, o.got)
		}
	}
	bounds := 0.0
	for _, c := range p.c {
		bounds += c
	}
	if gap := s.primal - s.dual; gap < -1e-9*size || gap > 2*tol*bounds {
		t.Errorf("duality gap %v with %v of bounds", gap, bounds)
	}
}

// TestReference: no point that projected gradient steps reach has a lower dual objective (as minimised).
func TestReference(t *testing.T) {
	for _, k := range kernels {
		for seed := range uint64(4) {
			p := trial(seed+20, 12, k, false, 2)
			s, err := solve(context.Background(), p, 1e-9, 1e7, room(1))
			if err != nil {
				t.Fatal(err)
			}
			if best := projected(p); s.dual < best-1e-8*(1+best) || s.dual > best+1e-3*(1+best) {
				t.Errorf("%s, seed %d: dual objective %v, projected gradient steps have %v", k.form, seed, s.dual, best)
			}
		}
	}
}

// projected climbs the dual by steps of the size that the largest curvature allows, each projected on the bounds and Σβ = 0.
func projected(p problem) float64 {
	gram, n := p.literal(), len(p.y)
	lipschitz := 0.0
	for i := range gram {
		lipschitz += gram[i][i]
	}
	beta, slope := make([]float64, n), make([]float64, n)
	clip := func(i int, b float64) float64 {
		return min(max(b, min(0, p.y[i]*p.c[i])), max(0, p.y[i]*p.c[i]))
	}
	value := func() float64 {
		v := 0.0
		for i := range slope {
			slope[i] = p.y[i]
			for j, b := range beta {
				slope[i] -= b * gram[i][j]
			}
			v += beta[i] * (p.y[i] + slope[i]) / 2
		}
		return v
	}
	for range 5_000 {
		value()
		for i := range beta {
			beta[i] += slope[i] / lipschitz
		}
		low, high := -1e4, 1e4
		for range 60 {
			mid, sum := (low+high)/2, 0.0
			for i, b := range beta {
				sum += clip(i, b-mid)
			}
			if sum > 0 {
				low = mid
			} else {
				high = mid
			}
		}
		for i, b := range beta {
			beta[i] = clip(i, b-(low+high)/2)
		}
	}
	return value()
}

// TestCache: a solution is the same to the last bit however few kernel rows are kept, also where rows are left out for a while,
// and the matrix of the others is made anew.
func TestCache(t *testing.T) {
	for _, k := range kernels {
		p := trial(5, 200, k, false, 5)
		want, err := solve(context.Background(), p, 1e-3, 1e7, make([]float64, 200*200))
		if err != nil {
			t.Fatal(err)
		}
		optimal(t, p, want, 1e-3)
		for _, rows := range []int{2, 3, 40, 199} {
			got, err := solve(context.Background(), p, 1e-3, 1e7, make([]float64, 200*rows))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.beta, want.beta) || got.outcome != want.outcome || got.bias != want.bias {
				t.Errorf("%s, room for %d rows: %+v, with room for all %+v", k.form, rows, got.outcome, want.outcome)
			}
		}
		if mean := want.examined / int64(want.steps); want.steps < 200 || mean > 195 {
			t.Errorf("%d steps on %d rows each: nothing was left out for a while", want.steps, mean)
		}
	}
}

// TestSteps: a fit that may not take enough steps says by how much it falls short.
func TestSteps(t *testing.T) {
	p := trial(5, 400, kernels[0], false, 50)
	for _, steps := range []int{1, 10, 450, 900} {
		s, err := solve(context.Background(), p, 1e-6, steps, room(2000))
		if err != nil {
			t.Fatal(err)
		}
		if s.steps != steps || s.violation < 1e-6 {
			t.Errorf("%d steps of %d with a violation of %v", s.steps, steps, s.violation)
		}
		optimal(t, p, s, s.violation)
	}
}

// TestKeptRows: of every order of use, rows are right, and those used last are the ones kept.
func TestKeptRows(t *testing.T) {
	p := trial(1, 9, kernels[0], false, 1)
	literal := p.literal()
	g := newGram(p.points, make([]float64, 9*3))
	rng := rand.New(rand.NewPCG(3, 4))
	var last []int
	for range 500 {
		i := rng.IntN(9)
		kept := g.slot[i] != none
		if at := slices.Index(last, i); kept != (at >= 0) {
			t.Fatalf("row %d: kept %v, the rows used last are %v", i, kept, last)
		} else if kept {
			last = slices.Delete(last, at, at+1)
		}
		if last = append(last, i); len(last) > 3 {
			last = last[1:]
		}
		for j, v := range g.rowOf(i) {
			if !(math.Abs(v-literal[i][j]) <= 1e-14) {
				t.Fatalf("row %d, point %d: %v, expected %v", i, j, v, literal[i][j])
			}
		}
	}
}

// TestSymmetric: the kernel of two rows is the same to the last bit both ways, and by distances from the table.
func TestSymmetric(t *testing.T) {
	for _, binary := range []bool{false, true} {
		for _, k := range kernels {
			p := trial(7, 30, k, binary, 1)
			a, b := make([]float64, 30), make([]float64, 30)
			for i := range 30 {
				row := p.x.Row(i)
				p.kernelRow(a, row, p.offset[i])
				p.kernelRow(b, valued(row), p.offset[i])
				if !slices.Equal(a, b) {
					t.Errorf("%s: row %d: with stored ones %v, without %v", k.form, i, b, a)
				}
				for j := range i {
					if p.kernelRow(b, p.x.Row(j), p.offset[j]); a[j] != b[i] {
						t.Errorf("%s: rows %d and %d: %v one way, %v the other", k.form, i, j, a[j], b[i])
					}
				}
			}
		}
	}
}

// TestNewRows: a row that is no training row has the kernel as it is defined, whatever its values are.
func TestNewRows(t *testing.T) {
	for _, binary := range []bool{false, true} {
		for _, k := range kernels {
			p := trial(7, 30, k, binary, 1)
			for scale, i := range map[float64]int{0.5: 3, -1.5: 4, 100: 5} {
				row := valued(p.x.Row(i))
				for q := range row.Val {
					row.Val[q] *= scale
				}
				got := make([]float64, 30)
				p.kernelRow(got, row, p.ownOf(row))
				for j := range got {
					_, columns := p.x.Dims()
					x, z, dot, square := make([]float64, columns), make([]float64, columns), 0.0, 0.0
					row.AddTo(x, 1)
					p.x.Row(j).AddTo(z, 1)
					for q := range x {
						dot += x[q] * z[q]
						square += (x[q] - z[q]) * (x[q] - z[q])
					}
					want := map[kernelForm]float64{linear: dot, rbf: math.Exp(-k.gamma * square), polynomial: math.Pow(k.gamma*dot+k.coef0, float64(k.degree))}[k.form]
					if !(math.Abs(got[j]-want) <= 1e-9*max(1, math.Abs(want))) {
						t.Errorf("%s, of ones %v: row %d times %v with row %d: %v, want %v", k.form, binary, i, scale, j, got[j], want)
					}
				}
			}
		}
	}
}

// valued is the vector with its ones stored.
func valued(v sparse.Vec) sparse.Vec {
	out := sparse.Vec{Idx: v.Idx, Val: []float64{}}
	for k := range v.Len() {
		out.Val = append(out.Val, v.At(k))
	}
	return out
}
