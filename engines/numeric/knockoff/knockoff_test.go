package knockoff

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// related columns: each goes with the one before.
func related(rows, columns int, rho float64) [][]float64 {
	rng := rand.New(rand.NewPCG(uint64(rows), uint64(columns)))
	x := newRows(rows, columns)
	for _, row := range x {
		for j := range row {
			if row[j] = rng.NormFloat64(); j > 0 {
				row[j] = rho*row[j-1] + math.Sqrt(1-rho*rho)*row[j]
			}
		}
	}
	return x
}

func normals(seed uint64) func() float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	return func() float64 { return elementary.Normal(rng.Uint64()) }
}

// Over many draws, the rows of columns and knockoffs together have the covariance [R, R − S; R − S, R] of the distribution, by each way.
func TestCovarianceOfKnockoffs(t *testing.T) {
	t.Parallel()
	const draws, rows, columns = 15, 400, 4
	x := related(rows, columns, 0.6)
	for name, o := range map[string]Options{"dense": {Shrink: 0}, "sdp": {Shrink: 0, SDP: true}, "low": {Shrink: 0.3, Low: true}, "shrunk": {Shrink: 0.3}} {
		l := learned(t, x, o)
		if o.Shrink > 0 { // rows that have the correlations of the distribution
			x := related(rows, columns, 0)
			factor := learned(t, related(rows, columns, 0.6), Options{Shrink: o.Shrink}).correlations(t.Context(), 1, o.Shrink)
			if !factor.Factor(t.Context()) {
				t.Fatal("no factor")
			}
			own := learned(t, x, Options{Shrink: 1})
			l.z = newRows(rows, columns)
			for i, z := range own.z {
				factor.LowerProduct(l.z[i], z)
			}
		}
		r := learned(t, related(rows, columns, 0.6), Options{Shrink: o.Shrink}).correlations(t.Context(), 1, o.Shrink).Square()
		from := &Rows{l, l.z, l.rule.conditionalMeans(t.Context(), 1, l.z, false)}
		var within, between [columns][columns]float64
		normal := normals(7)
		for range draws {
			for i, k := range from.Draw(t.Context(), 2, normal) {
				for a := range k {
					for b := range k {
						within[a][b] += k[a] * k[b] / (draws * rows)
						between[a][b] += l.z[i][a] * k[b] / (draws * rows)
					}
				}
			}
		}
		tol := 0.05 // draws: four standard errors of 6,000 products; of the distribution's own rows for those that were made
		if o.Shrink > 0 {
			tol = 0.16
		}
		for a := range columns {
			for b := range columns {
				want := r[a][b]
				if !(math.Abs(within[a][b]-want) <= tol) {
					t.Errorf("%s: covariance %d, %d of knockoffs %v, expected %v", name, a, b, within[a][b], want)
				}
				if a == b {
					want -= l.S[a]
				}
				if !(math.Abs(between[a][b]-want) <= tol) {
					t.Errorf("%s: covariance %d, %d with knockoffs %v, expected %v", name, a, b, between[a][b], want)
				}
			}
		}
	}
}

// With equal s, both ways draw from one distribution: from the same rows the means are the same, and so are the covariances.
func TestLowIsDense(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows, columns int
		shrink        float64
	}{{12, 30, 0.4}, {40, 25, 0.4}, {12, 30, 1}} {
		x := related(c.rows, c.columns, 0.5)
		low := learned(t, x, Options{Shrink: c.shrink, Low: true})
		whole := learned(t, x, Options{Shrink: c.shrink})
		f := whole.rule.(*denseConditional)
		inverse := dense.NewTriangle(c.columns)
		for j := range f.inverse {
			copy(inverse.Row(j), f.inverse[j])
		}
		if !f.setDiagonal(t.Context(), multiplied(low.S, inside), inverse) {
			t.Fatal("the covariance has no factor")
		}
		ctx, zero := t.Context(), func() float64 { return 0 }
		means := func(r *Rows) [][]float64 { return r.Draw(ctx, 1, zero) }
		other, own := matrix(t, related(5, c.columns, 0.1)), matrix(t, x)
		for name, pair := range map[string][2][][]float64{
			"other rows":             {means(low.Of(ctx, 1, other)), means(whole.Of(ctx, 1, other))},
			"training rows":          {means(low.Training(ctx, 1)), means(whole.Training(ctx, 1))},
			"training rows as other": {means(low.Training(ctx, 1)), means(low.Of(ctx, 1, own))},
		} {
			for i := range pair[0] {
				for j, got := range pair[0][i] {
					if want := pair[1][i][j]; !(math.Abs(got-want) <= 1e-4) {
						t.Fatalf("%+v, %s: mean of knockoff %d, %d: %v, %v", c, name, i, j, got, want)
					}
				}
			}
		}
	}
}

func multiplied(v []float64, by float64) []float64 {
	out := make([]float64, len(v))
	for j, x := range v {
		out[j] = x * by
	}
	return out
}

// s of the semidefinite program is feasible, and its sum is next to a bound that no other exceeds.
func TestLargest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows, columns int
		rho, shrink   float64
	}{{100, 30, 0.4, 0}, {60, 50, 0.9, 0.01}, {40, 60, 0.8, -1}, {200, 3, 0.999, 0}, {50, 2, -0.7, 0}} {
		l := learned(t, related(c.rows, c.columns, c.rho), Options{Shrink: c.shrink})
		r := l.correlations(t.Context(), 1, c.shrink)
		s, bound := solveSDP(t.Context(), r, l.S)
		sum := 0.0
		for j, v := range s {
			if sum += v; !(v > 0 && v <= 1) {
				t.Errorf("%+v: s_%d is %v", c, j, v)
			}
		}
		if sum > bound || bound-sum > 2*shortBy*float64(c.columns) || sum < 0.9999*l.S[0]*float64(c.columns) {
			t.Errorf("%+v: sum %v, bound %v, equal %v", c, sum, bound, l.S[0]*float64(c.columns))
		}
		for j, v := range s {
			r.Row(j)[j] -= v / 2
		}
		if least := dense.Smallest(r); least < -1e-12 {
			t.Errorf("%+v: smallest eigenvalue %v", c, least)
		}
	}
}

// What knockoffs cannot be made of is refused, and equal columns get knockoffs next to themselves.
func TestDegenerate(t *testing.T) {
	t.Parallel()
	learn := func(rows [][]float64, o Options) (*Distribution, error) {
		return Learn(t.Context(), 1, matrix(t, rows), o)
	}
	for name, c := range map[string]struct {
		rows [][]float64
		o    Options
	}{
		"more columns than rows":         {related(5, 9, 0), Options{}},
		"more columns than rows, low":    {related(5, 9, 0), Options{Low: true}},
		"equal columns":                  {[][]float64{{1, 1}, {2, 2}, {4, 4}}, Options{}},
		"nothing varies":                 {[][]float64{{1, 0}, {1, 0}}, Options{Shrink: -1}},
		"fewer columns, low, not shrunk": {related(9, 3, 0), Options{Low: true}},
	} {
		if l, err := learn(c.rows, c.o); err == nil {
			t.Errorf("%s: a distribution with λ %v", name, l.Shrunk)
		}
	}
	equal := related(50, 3, 0)
	for _, row := range equal {
		row[2] = row[0]
	}
	l, err := learn(equal, Options{Shrink: 1e-6})
	if err != nil || l.S[1] > 1e-5 {
		t.Fatalf("s of equal columns %v, %v", l, err)
	}
	l, err = learn(equal, Options{Shrink: 1e-6, SDP: true})
	if err != nil || l.S[1] < 0.9 || l.S[0] > 0.01 {
		t.Fatalf("the largest s of equal columns %v, %v", l.S, err)
	}
	constant := [][]float64{{1, 5, 2}, {2, 5, 0}, {3, 5, 1}, {5, 5, 1}}
	if l, err = learn(constant, Options{Shrink: 1}); err != nil || len(l.Columns) != 2 || l.Columns[1] != 2 || l.S[0] != 1 {
		t.Errorf("%+v, %v", l, err)
	}
}

// Numbers depend on the draws alone, not on how many goroutines there are.
func TestWorkers(t *testing.T) {
	t.Parallel()
	x := matrix(t, related(30, 50, 0.3))
	for _, o := range []Options{{Shrink: -1}, {Shrink: -1, Low: true}, {Shrink: -1, SDP: true}} {
		var first [][]float64
		for _, workers := range []int{1, 3} {
			l, err := Learn(t.Context(), workers, x, o)
			if err != nil {
				t.Fatal(err)
			}
			drawn := l.Training(t.Context(), workers).Draw(t.Context(), workers, normals(3))
			if first == nil {
				first = drawn
			}
			for i, row := range drawn {
				for j, v := range row {
					if v != first[i][j] {
						t.Fatalf("%+v: %v and %v", o, v, first[i][j])
					}
				}
			}
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	var m sparse.Builder
	columns := make([]int32, 1000)
	for j := range columns {
		columns[j] = int32(j)
	}
	for _, row := range related(500, 1000, 0.4) {
		if err := m.Add(columns, row); err != nil {
			b.Fatal(err)
		}
	}
	x := m.Matrix(1000)
	for b.Loop() {
		l, err := Learn(b.Context(), 1, x, Options{Shrink: -1, Low: true})
		if err != nil {
			b.Fatal(err)
		}
		l.Training(b.Context(), 1).Draw(b.Context(), 1, normals(3))
	}
}
