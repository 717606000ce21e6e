package knockoff

import (
	"testing"

	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// TestOracle: shrunk correlations, s and knockoffs of given normal numbers are those of the cases.
func TestOracle(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){
		"knock_covariance": checkCovariance, "knock_sample": checkSample, "knock_sdp": checkSDP,
	})
}

func matrix(t *testing.T, rows [][]float64) *sparse.Matrix {
	t.Helper()
	var b sparse.Builder
	idx := make([]int32, len(rows[0]))
	for j := range idx {
		idx[j] = int32(j)
	}
	for _, row := range rows {
		if err := b.Add(idx, row); err != nil {
			t.Fatal(err)
		}
	}
	return b.Matrix(len(idx))
}

func learned(t *testing.T, rows [][]float64, o Options) *Distribution {
	t.Helper()
	l, err := Learn(t.Context(), 2, matrix(t, rows), o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func checkCovariance(t *testing.T, c oracle.Case) {
	var in struct{ X [][]float64 }
	var want struct {
		Intensity   float64
		Correlation [][]float64
		Smallest    float64 `json:"smallest_eigenvalue"`
		Equi        float64 `json:"s_equi"`
		Low         float64 `json:"s_low_memory"`
	}
	c.Parts(t, &in, &struct{}{}, &want)
	l := learned(t, in.X, Options{Shrink: -1})
	oracle.Near(t, "λ", l.Shrunk, want.Intensity, 1e-9)
	oracle.Near(t, "s", l.S[0], want.Equi, 1e-6)
	r := l.correlations(t.Context(), 1, -1)
	for j, row := range r.Square() {
		oracle.NearAll(t, "correlations", row, want.Correlation[j], 1e-9)
	}
	oracle.Near(t, "smallest eigenvalue", dense.Smallest(r), want.Smallest, 1e-8)
	low := learned(t, in.X, Options{Shrink: -1, Low: true})
	oracle.Near(t, "λ without correlations", low.Shrunk, want.Intensity, 1e-9)
	oracle.Near(t, "s without correlations", low.S[0], want.Low, 1e-6)
}

// listed numbers, one after the other.
func listed(rows ...[]float64) func() float64 {
	return func() float64 {
		for len(rows[0]) == 0 {
			rows = rows[1:]
		}
		v := rows[0][0]
		rows[0] = rows[0][1:]
		return v
	}
}

func checkSample(t *testing.T, c oracle.Case) {
	var in struct {
		X, Normals [][]float64
		Rows       [][]float64 `json:"normals_rows"`
		S          []float64
	}
	var options struct{ Memory string }
	var want struct {
		Intensity float64
		Knockoffs [][]float64
	}
	c.Parts(t, &in, &options, &want)
	l := learned(t, in.X, Options{Shrink: -1, Low: options.Memory == "low"})
	oracle.Near(t, "λ", l.Shrunk, want.Intensity, 1e-9)
	if in.S != nil { // given
		f := l.rule.(*denseConditional)
		inverse := dense.NewTriangle(len(in.S))
		for j := range in.S {
			copy(inverse.Row(j), f.inverse[j])
		}
		if !f.setDiagonal(t.Context(), in.S, inverse) {
			t.Fatal("the covariance has no factor")
		}
	}
	var normals [][]float64
	for i, row := range in.Normals {
		if normals = append(normals, row); in.Rows != nil {
			normals = append(normals, in.Rows[i])
		}
	}
	for name, rows := range map[string]*Rows{"training rows": l.Training(t.Context(), 2), "the same rows": l.Of(t.Context(), 1, matrix(t, in.X))} {
		for i, row := range rows.Draw(t.Context(), 2, listed(append([][]float64(nil), normals...)...)) {
			for j := range row {
				row[j] = l.Mean[j] + l.SD[j]*row[j]
			}
			oracle.NearAll(t, name, row, want.Knockoffs[i], 1e-8)
		}
	}
}

func checkSDP(t *testing.T, c oracle.Case) {
	var in struct{ Correlation [][]float64 }
	var want struct {
		Sum  float64
		Equi float64
	}
	c.Parts(t, &in, &struct{ Method string }{}, &want)
	p := len(in.Correlation)
	r := dense.NewTriangle(p)
	for j, row := range in.Correlation {
		copy(r.Row(j), row)
	}
	equal := make([]float64, p)
	for j := range equal {
		equal[j] = min(1, 2*dense.Smallest(append(dense.Triangle(nil), r...))*inside)
	}
	oracle.Near(t, "sum of equal s", equal[0]*float64(p), want.Equi, 1e-5)
	s, bound := solveSDP(t.Context(), r, equal)
	sum := 0.0
	for j, v := range s {
		if sum += v; v < 0 || v > 1 {
			t.Errorf("s is %v", s)
		}
		r.Row(j)[j] -= v / 2
	}
	if oracle.Near(t, "sum of s", sum, want.Sum, 1e-4*float64(p)); bound < want.Sum-1e-9 || dense.Smallest(r) < -1e-9 {
		t.Errorf("bound %v of %v, smallest eigenvalue %v", bound, want.Sum, dense.Smallest(r))
	}
}
