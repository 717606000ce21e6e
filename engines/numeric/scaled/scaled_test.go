package scaled_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// dense returns the matrix as its rows show it.
func dense(m *sparse.Matrix) [][]float64 {
	rows, cols := m.Dims()
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, cols)
		m.Row(i).AddTo(out[i], 1)
	}
	return out
}

func weights(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = float64(1 + i%3)
	}
	return w
}

// literal is G itself, with every row as often as its weight says.
func literal(x *sparse.Matrix, weight []float64, scale string) (g [][]float64, constant []int32) {
	full := dense(x)
	_, cols := x.Dims()
	g = make([][]float64, len(full))
	for i := range g {
		g[i] = make([]float64, cols)
	}
	for j := range cols {
		n, sum, ss := 0.0, 0.0, 0.0
		for i, row := range full {
			n += weight[i]
			sum += weight[i] * row[j]
		}
		for i, row := range full {
			g[i][j] = row[j] - sum/n
			ss += weight[i] * g[i][j] * g[i][j]
		}
		gamma := map[string]float64{"sd": math.Sqrt(n / ss), "unit": 1 / math.Sqrt(ss), "none": 1}[scale]
		if ss < 1e-9 {
			gamma, constant = 0, append(constant, int32(j))
		}
		for i := range g {
			g[i][j] *= gamma
		}
	}
	return g, constant
}

func TestScaledAgainstDense(t *testing.T) {
	const rows, cols = 50, 9
	ctx := context.Background()
	for _, binary := range []bool{true, false} {
		for _, scale := range scaled.Scales {
			for _, weight := range [][]float64{nil, weights(rows)} {
				name := fmt.Sprintf("binary %v, %s, weighted %v", binary, scale, weight != nil)
				x := withConstant(enginetest.Random(5, rows, cols-2, 0.3, binary))
				s, err := scaled.Standardize(x, weight, scale)
				if err != nil {
					t.Fatal(err)
				}
				m := weight
				if m == nil {
					m = slices.Repeat([]float64{1}, rows)
				}
				g, constant := literal(x, m, scale)
				if !slices.Equal(s.Constant(), constant) || len(constant) != 2 {
					t.Errorf("%s: constant columns %v, want %v", name, s.Constant(), constant)
				}
				beta, y := make([]float64, cols), make([]float64, rows)
				for j := range beta {
					beta[j] = math.Sin(float64(1 + j))
				}
				for i := range y {
					y[i] = math.Cos(float64(i))
				}
				want, square := make([]float64, cols), 0.0
				for i := range g {
					e := y[i]
					for j, b := range beta {
						e -= g[i][j] * b
					}
					square += m[i] * e * e
					for j := range want {
						want[j] += m[i] * g[i][j] * e
					}
				}
				got := make([]float64, cols)
				if sq := s.Normal().Apply(ctx, got, beta, y, 1); !(math.Abs(sq-square) <= 1e-10*square) {
					t.Errorf("%s: ‖y − Gβ‖² = %v, want %v", name, sq, square)
				}
				for j := range want {
					norm2 := 0.0
					for i := range g {
						norm2 += m[i] * g[i][j] * g[i][j]
					}
					if !(math.Abs(got[j]-want[j]) <= 1e-10) || !(math.Abs(s.Norm2[j]-norm2) <= 1e-10*norm2) {
						t.Errorf("%s, column %d: G'e = %v, ‖G_j‖² = %v; want %v, %v", name, j, got[j], s.Norm2[j], want[j], norm2)
					}
				}
			}
		}
	}
}

// withConstant adds an empty column and one that is always one.
func withConstant(x *sparse.Matrix) *sparse.Matrix {
	var rows [][]float64
	for _, row := range dense(x) {
		rows = append(rows, append(row, 0, 1))
	}
	return enginetest.Matrix(rows...)
}

func TestStandardizeFarFromZero(t *testing.T) {
	const far = 1e5
	x := enginetest.Matrix([]float64{far, 0.1}, []float64{far + 1, 0.1}, []float64{far + 2, 0.1})
	s, err := scaled.Standardize(x, nil, "sd")
	if err != nil {
		t.Fatal(err)
	}
	if want := math.Sqrt(3. / 2); !(math.Abs(s.Scale[0]-want) <= 1e-12) {
		t.Errorf("γ = %v, want %v: digits were lost", s.Scale[0], want)
	}
	if !slices.Equal(s.Constant(), []int32{1}) {
		t.Errorf("constant columns %v, want [1]", s.Constant())
	}
	for name, c := range map[string]struct {
		column [3]float64
		far    bool
	}{
		"a mean of 10⁵ deviations": {[3]float64{far, far + 1, far + 2}, true}, "of 10⁷": {[3]float64{far, far + 0.01, far + 0.02}, true},
		"of 100 deviations": {[3]float64{100, 101, 102}, false}, "one value": {[3]float64{0.1, 0.1, 0.1}, false},
	} {
		s, err := scaled.Standardize(enginetest.Matrix(c.column[:1], c.column[1:2], c.column[2:]), nil, "none")
		if err != nil || s.Far != c.far {
			t.Errorf("%s: far %v, want %v (%v)", name, s.Far, c.far, err)
		}
	}
}

func TestStandardizeRefuses(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{0})
	if _, err := scaled.Standardize(x, []float64{1}, "sd"); err == nil || !strings.Contains(err.Error(), "1 weights for 2 rows") {
		t.Errorf("weights of the wrong length: %v", err)
	}
	if _, err := scaled.Standardize(x, nil, "max"); err == nil || !strings.Contains(err.Error(), `"max"`) {
		t.Errorf("an unknown scale: %v", err)
	}
	large := enginetest.Matrix([]float64{1, 1e200}, []float64{0, 2}, []float64{3, 3})
	if _, err := scaled.Standardize(large, nil, "none"); err == nil || !strings.Contains(err.Error(), "column 1: the sum of its squares") {
		t.Errorf("values whose squares are infinite: %v", err)
	}
	if _, err := scaled.Center(t.Context(), large, nil, scaled.Mean, false); err == nil || !strings.Contains(err.Error(), "column 1: the sum of its squares") {
		t.Errorf("centred values whose squares are infinite: %v", err)
	}
}

// A matrix of several blocks gives the same bits with any number of workers.
func TestNormalWithWorkers(t *testing.T) {
	const rows, cols = 3000, 20
	x := enginetest.Random(6, rows, cols, 0.3, true)
	s, err := scaled.Standardize(x, weights(rows), "sd")
	if err != nil {
		t.Fatal(err)
	}
	beta := slices.Repeat([]float64{0.1}, cols)
	want := make([]float64, cols)
	square := s.Normal().Apply(context.Background(), want, beta, nil, 1)
	one := s.Normal()
	for workers := range 12 {
		got := make([]float64, cols)
		if sq := one.Apply(context.Background(), got, beta, nil, workers); sq != square || !slices.Equal(got, want) {
			t.Errorf("%d workers: other bits", workers)
		}
	}
}

// A block of more rows than are taken at a time leaves none out.
func TestNormalOnManyRows(t *testing.T) {
	const rows, cols = 20_001, 3
	x := enginetest.Random(7, rows, cols, 0.5, true)
	s, err := scaled.Standardize(x, nil, "none")
	if err != nil {
		t.Fatal(err)
	}
	y, want, square := make([]float64, rows), make([]float64, cols), 0.0
	for i := range y {
		y[i] = float64(i % 5)
		square += y[i] * y[i]
		for j := range want {
			want[j] -= s.Mean[j] * y[i]
		}
		x.Row(i).AddTo(want, y[i])
	}
	got := make([]float64, cols)
	if sq := s.Normal().Apply(context.Background(), got, make([]float64, cols), y, 1); sq != square {
		t.Errorf("‖y‖² = %v, want %v", sq, square)
	}
	for j, v := range got {
		if !(math.Abs(v-want[j]) <= 1e-9*square) {
			t.Errorf("column %d: G'y = %v, want %v", j, v, want[j])
		}
	}
}

// Products with centred and scaled columns are those of the columns written out, with weights and without.
func TestProductsOfScaledColumns(t *testing.T) {
	t.Parallel()
	const rows, columns = 23, 9
	rng := rand.New(rand.NewPCG(8, 8))
	for _, density := range []float64{1, 0.4} {
		for _, m := range [][]float64{nil, weights(rows)} {
			x := enginetest.Random(9, rows, columns, density, false)
			g, err := scaled.Standardize(x, m, "sd")
			if err != nil {
				t.Fatal(err)
			}
			written := make([][]float64, columns) // G_j
			for j := range written {
				written[j] = make([]float64, rows)
				for i := range written[j] {
					written[j][i] = (x.Row(i).ValueOf(int32(j)) - g.Mean[j]) * g.Scale[j]
				}
			}
			v := make([]float64, rows)
			for i := range v {
				v[i] = rng.NormFloat64()
			}
			w, want := make([]float64, rows), make([]float64, columns)
			sum := g.Weighted(w, v)
			for j, col := range written {
				for i, c := range col {
					want[j] += g.RowWeight(i) * c * v[i]
				}
				oracle.Near(t, "inner product", g.Inner(col, v), want[j], 1e-12)
				oracle.Near(t, "product", g.DotColumn(int32(j), w, sum), want[j], 1e-12)
			}
			got, all := make([]float64, columns), []int32{0, 1, 2, 3, 4, 5, 6, 7, 8}
			g.MulTVec(got, w, sum)
			oracle.NearAll(t, "products by row", got, want, 1e-12)
			g.DotColumns(got, all, w, sum)
			oracle.NearAll(t, "products by column", got, want, 1e-12)
			by, added, dst := []float64{2, 0, -0.5}, []int32{1, 4, 7}, slices.Clone(v)
			g.AddColumns(dst, added, by)
			for i := range v {
				oracle.Near(t, "sum of columns", dst[i], v[i]+2*written[1][i]-0.5*written[7][i], 1e-12)
			}
		}
	}
}
