package likelihood

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/growing"
)

// Columns kept by row and columns laid out are the same regression.
func TestRowsOrColumns(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		const n, m = 300, 30
		rng := rand.New(rand.NewPCG(5, 6))
		y := make([]float64, n)
		x := enginetest.Random(3, n, m, 0.06, weighted) // with values, and without
		for i := range y {
			if row := x.Row(i); rng.Float64() < 0.2+0.6*min(1, math.Abs(row.Sum())) {
				y[i] = 1
			}
		}
		set := enginetest.Dataset(x, enginetest.Class("y", 2, y...))
		if weighted {
			set.Weight = make([]float64, n)
			for i := range set.Weight {
				set.Weight[i] = float64(1 + i%3)
			}
		}
		d, err := growing.NewDesign(t.Context(), set.X, set.Weight, 1)
		if err != nil {
			t.Fatal(err)
		}
		byRow, byColumn := &Regression{y: y, w: make([]float64, m+1)}, &Regression{y: y, w: make([]float64, m+1)}
		for j := range int32(m) {
			byRow.columns, byColumn.columns = append(byRow.columns, j), append(byColumn.columns, j)
			byColumn.z = append(byColumn.z, d.CentredColumn(j))
		}
		if byRow.rows = newRowMajor(d, byRow.columns); byRow.rows == nil {
			t.Fatal("columns with 6 % of the entries are not kept by row")
		}
		byRow.fit(t.Context(), d, 0.5)
		byColumn.fit(t.Context(), d, 0.5)
		for k, w := range byColumn.w {
			if !(math.Abs(byRow.w[k]-w) <= 1e-9*(1+math.Abs(w))) {
				t.Errorf("weighted %v: weight %d is %v by row, %v by column", weighted, k, byRow.w[k], w)
			}
		}
		if !(math.Abs(byRow.nll-byColumn.nll) <= 1e-9*byColumn.nll) {
			t.Errorf("loss %v by row, %v by column", byRow.nll, byColumn.nll)
		}
	}
}
