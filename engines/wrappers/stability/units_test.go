package stability

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/stabilitypath"
	"tenfold/engines/enginetest"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/steps/forward"
)

// levels are rows of three categorical variables of five levels, of which the first matters, and five numbers.
func levels(rows int, together bool) *data.View {
	rng := rand.New(rand.NewPCG(4, 4))
	x, y := make([][]float64, rows), make([]float64, rows)
	t := data.Treatment{Name: []string{"colour", "shape", "size", "", "", "", "", ""}, Together: together}
	for j := range 15 {
		t.Unit = append(t.Unit, int32(j/5))
	}
	for j := range 5 {
		t.Unit = append(t.Unit, int32(3+j))
	}
	for i := range x {
		x[i] = make([]float64, 20)
		for v := range 3 {
			level := rng.IntN(5)
			x[i][5*v+level] = 1
			if v == 0 {
				y[i] += []float64{2, -2, 1, -1, 0}[level]
			}
		}
		for j := range 5 {
			x[i][15+j] = rng.NormFloat64()
		}
		y[i] += x[i][15] + rng.NormFloat64()
	}
	return enginetest.Treated(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), t)
}

// A half selects the first q units of the columns in their order.
func TestUnitsOfAHalf(t *testing.T) {
	v := levels(60, false)
	plain, of := itemsOf(v.Alike()), itemsOf(v)
	stepwise := forward.Kind.Defaults().(forward.Stepwise)
	stepwise.Criterion = "none"
	for name, e := range map[string]engines.Engine{"forward-stepwise": stepwise, "anova": univariate.AnovaKind.Defaults()} {
		order, err := selectOn(t.Context(), e, runOn(v.Alike()), plain, 17)
		if err != nil {
			t.Fatal(err)
		}
		var want []int32
		for _, j := range order.items {
			if u := of.item(j); !slices.Contains(want, u) {
				want = append(want, u)
			}
		}
		for q := 1; q <= 4; q++ {
			got, err := selectOn(t.Context(), e, runOn(v), of, q)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.items, want[:q]) || int(got.sizes[q-1]) != q {
				t.Errorf("%s, q %d: got %+v, want %v", name, q, got, want[:q])
			}
		}
	}
	got, err := selectOn(t.Context(), lasso.LassoKind.Defaults(), runOn(v), of, 3)
	if err != nil || len(got.items) == 0 || len(got.items) > 3 || !slices.Contains(got.items, 0) {
		t.Errorf("lasso: %+v, %v", got, err)
	}
}

// Units are what q and p count, and what is stable: a variable whose levels take turns is, with all of its columns.
func TestStableUnits(t *testing.T) {
	for _, together := range []bool{false, true} {
		v := levels(80, together)
		base := engines.Engine(lasso.LassoKind.Defaults())
		if together {
			base = univariate.AnovaKind.Defaults()
		}
		e := Engine{base, Options{Q: 3, Threshold: 0.8, Draws: 20, Sampling: pairs, Stratify: true, Decoys: Decoys{Kind: "none", Share: 1}}}
		chosen, fitted, err := e.Choose(t.Context(), runOn(v))
		if err != nil {
			t.Fatal(err)
		}
		var columns []int
		for k, c := range chosen {
			if columns = append(columns, c.Feature); k > 0 && k < 5 && c.Score != chosen[0].Score {
				t.Errorf("columns of one variable score %v and %v", chosen[0].Score, c.Score)
			}
		}
		if !slices.Equal(columns, []int{0, 1, 2, 3, 4, 15}) {
			t.Errorf("together %v: selected %v, expected the five levels of one variable, and column 15", together, columns)
		}
		bound, err := bound{shape: unimodal, columns: 8, pairs: 20, halves: 40}.value(3, 0.8)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(fitted.Facts, func(f data.Fact) bool { return f.Value == fmt.Sprintf("at most %.4g", bound) }) {
			t.Errorf("no fact has the bound of 8 units, %v: %+v", bound, fitted.Facts)
		}
		path, ok := stabilitypath.Read(fitted.Facts)
		if !ok || path.Halves != 40 || path.Lines[0].Name != "colour" || len(path.Lines[0].Counts) != 3 {
			t.Errorf("stability path %+v", path)
		}
		for _, l := range path.Lines {
			if !slices.IsSorted(l.Counts) {
				t.Errorf("%s is selected less often with a larger q: %v", l.Name, l.Counts)
			}
		}
	}
	e := Engine{lasso.LassoKind.Defaults(), Options{Q: 9, Threshold: 0.8, Draws: 20, Sampling: pairs, Decoys: Decoys{Kind: "none", Share: 1}}}
	if _, _, err := e.Choose(t.Context(), runOn(levels(80, false))); err == nil {
		t.Error("q 9 of 8 units is accepted")
	}
}

// Decoys of a variable's levels are one, as these are.
func TestDecoysOfUnits(t *testing.T) {
	v := levels(80, false)
	e := Engine{lasso.LassoKind.Defaults(), Options{Q: 4, Draws: 20, Sampling: pairs, Decoys: Decoys{Kind: "permuted", Share: 1}}}
	chosen, _, err := e.Choose(t.Context(), runOn(v))
	if err != nil || len(chosen) < 6 || chosen[0].Feature != 0 {
		t.Errorf("%+v, %v", chosen, err)
	}
}

// The numbers of the stability path are those of stability selection with a smaller q.
func TestPathOfSmallerSelections(t *testing.T) {
	v := problem(60, 30, 0, false)
	at := func(q int) stabilitypath.Path {
		e := Engine{lasso.LassoKind.Defaults(), Options{Q: q, Threshold: 0.9, Draws: 10, Bound: noShape, Sampling: pairs, Decoys: Decoys{Kind: "none", Share: 1}}}
		_, fitted, err := e.Choose(t.Context(), runOn(v))
		if err != nil {
			t.Fatal(err)
		}
		p, _ := stabilitypath.Read(fitted.Facts)
		return p
	}
	whole := at(8)
	for q := 1; q < 8; q++ {
		count := map[string]int{}
		for _, l := range at(q).Lines {
			count[l.Name] = l.Counts[q-1]
		}
		for _, l := range whole.Lines {
			if l.Counts[q-1] != count[l.Name] {
				t.Errorf("q %d, %s: %d on the path, %d by itself", q, l.Name, l.Counts[q-1], count[l.Name])
			}
		}
	}
}
