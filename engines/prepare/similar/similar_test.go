package similar

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/numeric/sparse"
)

// correlations of all pairs by definition, gaps as the mean.
func correlations(x [][]float64) [][]float64 {
	p := len(x[0])
	centred := make([][]float64, p)
	for j := range p {
		sum, n := 0.0, 0.0
		for i := range x {
			if v := x[i][j]; v == v {
				sum, n = sum+v, n+1
			}
		}
		norm := 0.0
		for i := range x {
			v := x[i][j] - sum/n
			if v != v {
				v = 0
			}
			centred[j] = append(centred[j], v)
			norm += v * v
		}
		for i := range x {
			centred[j][i] /= math.Sqrt(norm)
		}
	}
	r := make([][]float64, p)
	for a := range p {
		r[a] = make([]float64, p)
		for b := range p {
			for i := range x {
				r[a][b] += centred[a][i] * centred[b][i]
			}
			r[a][b] = math.Abs(r[a][b])
		}
	}
	return r
}

func TestSimilarColumns(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([][]float64, 40)
	for i := range x {
		base, sparse := rng.NormFloat64(), float64(rng.IntN(5)/4)
		x[i] = []float64{base, 1e6 - base + 0.1*rng.NormFloat64(), rng.NormFloat64(), 7, sparse, 3 * sparse, 2*base + 0.2*rng.NormFloat64(), base}
	}
	x[3][0], x[9][5] = math.NaN(), math.NaN()
	var b sparse.Builder
	for _, row := range x {
		var idx []int32
		var val []float64
		for j, v := range row {
			if v != 0 {
				idx, val = append(idx, int32(j)), append(val, v)
			}
		}
		if err := b.Add(idx, val); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Build(len(x[0]))
	if err != nil {
		t.Fatal(err)
	}
	r := correlations(x)
	for _, least := range []float64{0.5, 0.9, 0.99, 1} {
		var want []string
		for a := range r {
			for b := a + 1; b < len(r); b++ {
				if r[a][b] >= least {
					want = append(want, fmt.Sprintf("%d %d %.9f", a, b, r[a][b]))
				}
			}
		}
		var before []Pair
		for _, workers := range []int{1, 3} {
			found, err := Columns(m, least, workers)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range found {
				got = append(got, fmt.Sprintf("%d %d %.9f", s.A, s.B, s.Correlation))
			}
			if !slices.Equal(got, want) {
				t.Errorf("from %v on, %d workers: got %s, want %s", least, workers, strings.Join(got, ", "), strings.Join(want, ", "))
			}
			if workers > 1 && !slices.Equal(found, before) {
				t.Errorf("%d workers find %v, one %v", workers, found, before)
			}
			before = found
		}
	}
}

// More pairs than can be kept are an error.
func TestTooManySimilarColumns(t *testing.T) {
	t.Parallel()
	var b sparse.Builder
	idx := make([]int32, 3000)
	for j := range idx {
		idx[j] = int32(j)
	}
	for _, of := range [][]int32{idx, nil} {
		if err := b.Add(of, nil); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Build(len(idx))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Columns(m, 0.9, 1); err == nil || !strings.Contains(err.Error(), "raise it") {
		t.Errorf("%v", err)
	}
}
