package dense

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// drawn is a random positive definite matrix, and gonum's of it.
func drawn(rng *rand.Rand, n int) (Triangle, *mat.SymDense) {
	x := make([][]float64, n+2)
	for i := range x {
		x[i] = make([]float64, n)
		for j := range x[i] {
			x[i][j] = rng.Float64() - 0.3
		}
	}
	a, b := NewTriangle(n), mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			for _, row := range x {
				a.Row(i)[j] += row[i] * row[j]
			}
			b.SetSym(i, j, a.Row(i)[j])
		}
	}
	return a, b
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-8*(1+math.Abs(b)) }

// Factors, determinants, inverses, solutions, products and eigenvalues are those of another library.
func TestTriangle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 40; n += 3 {
		a, b := drawn(rng, n)
		v, product := make([]float64, n), make([]float64, n)
		for i := range v {
			v[i] = rng.Float64()
		}
		a.Product(product, v)
		values, vectors := Eigen(a.Square())
		var eigen mat.EigenSym
		var chol mat.Cholesky
		if !eigen.Factorize(b, false) || !chol.Factorize(b) {
			t.Fatal("the reference fails")
		}
		for i, want := range eigen.Values(nil) {
			if got := values[n-1-i]; !near(got, want) {
				t.Errorf("%d rows: eigenvalue %d is %v, want %v", n, n-1-i, got, want)
			}
			image := make([]float64, n)
			a.Product(image, vectors[i])
			for k, x := range image {
				if !near(x, values[i]*vectors[i][k]) {
					t.Errorf("%d rows: eigenvector %d is none", n, i)
				}
			}
		}
		l := append(Triangle(nil), a...)
		if l.Rows() != n || !l.Factor(context.Background()) {
			t.Fatalf("%d rows: no factor of %d", n, l.Rows())
		}
		if got, want := l.LogDet(), chol.LogDet(); !near(got, want) {
			t.Errorf("%d rows: log of the determinant %v, want %v", n, got, want)
		}
		var inverse mat.SymDense
		if err := chol.InverseTo(&inverse); err != nil {
			t.Fatal(err)
		}
		own := l.Inverse()
		for i := range n {
			for j, got := range own.Row(i) {
				if want := inverse.At(i, j); !near(got, want) {
					t.Errorf("%d rows: inverse %d, %d: %v, want %v", n, i, j, got, want)
				}
			}
		}
		l.Solve(product)
		for i := range v {
			if !near(product[i], v[i]) {
				t.Errorf("%d rows: solution %d: %v, want %v", n, i, product[i], v[i])
			}
		}
	}
	for _, bad := range []Triangle{{1, 2, 1}, {0}, {math.NaN()}, {1, math.NaN(), 2}} {
		if bad.Factor(context.Background()) {
			t.Errorf("%v has a factor", bad)
		}
	}
}

// Four sums by turns, and what is left over in the first: to the last bit.
func TestDot4(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for n := range 15 {
		a, b, s := make([]float64, n), make([]float64, n), [4]float64{}
		for i := range a {
			a[i], b[i] = rng.NormFloat64(), rng.NormFloat64()
			k := i % 4
			if i >= n/4*4 {
				k = 0
			}
			s[k] += float64(a[i] * b[i])
		}
		if got, want := Dot(a, b), (s[0]+s[1])+(s[2]+s[3]); got != want {
			t.Errorf("%d numbers: %v, want %v", n, got, want)
		}
	}
}

// The smallest eigenvalue is the last of all, and products are sums in order.
func TestSmallest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 1; n < 40; n += 3 {
		a, _ := drawn(rng, n)
		for k := range a.Row(n - 1) { // not definite, and with a row that needs no reflection
			if n > 3 && k < n-2 {
				a.Row(n - 1)[k] = 0
			}
		}
		a.Row(0)[0] -= 1
		values, _ := Eigen(a.Square())
		if got := Smallest(a); !near(got, values[n-1]) {
			t.Errorf("%d rows: %v, want %v", n, got, values[n-1])
		}
	}
	if got := Smallest(Triangle{0, 0, 0}); got != 0 {
		t.Errorf("of zeros %v", got)
	}
}
