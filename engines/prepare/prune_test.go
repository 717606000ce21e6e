package prepare_test

import (
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/pruning"
)

// TestPrune: columns leave by what the training rows show after gaps are filled in; those to keep stay, variables leave as a whole,
// and facts name what leaves and why.
func TestPrune(t *testing.T) {
	t.Parallel()
	rows := [][]float64{ // x0 to x2 are levels of one variable; x4 is x3 but for a gap, x5 constant in training, x6 unlike all
		{1, 0, 0, 1, 1, 7, 3},
		{1, 0, 0, 2, 2, 7, 1},
		{1, 0, 0, 4, 4, 7, 4},
		{0, 1, 0, 5, 5, 7, 1},
		{0, 0, 1, 3, nan, 7, 5},
		{1, 0, 0, 9, 2, 8, 9},
	}
	train := []int32{0, 1, 2, 3, 4}
	share := func(share float64) pruning.NearZero { return pruning.NearZero{Rule: pruning.Share, Share: share} }
	similar := func(rule string) pruning.Correlated { return pruning.Correlated{Cutoff: 0.9, Rule: rule} }
	for _, c := range []struct {
		name   string
		recipe prepare.Recipe
		want   string // columns, or what the error says
		facts  string
	}{
		{"constant in the training rows alone", prepare.Recipe{NearZero: share(0.9)}, "x0 x1 x2 x3 x4 x6",
			"columns left out as near-zero: 1 of 7\nnear-zero columns: x5 (constant)"},
		{"rare levels, too", prepare.Recipe{NearZero: share(0.7)}, "x0 x3 x4 x6",
			"columns left out as near-zero: 3 of 7\nnear-zero columns: x1 (4 of 5 rows have one value), x2 (4 of 5 rows have one value), x5 (constant)"},
		{"a variable stays with its most frequent level", prepare.Recipe{NearZero: share(0.7), Treatment: prepare.Treatment{Unit: prepare.Variable}}, "x0 x1 x2 x3 x4 x6",
			"columns left out as near-zero: 1 of 7\nnear-zero columns: x5 (constant)"},
		{"and leaves with it", prepare.Recipe{NearZero: share(0.5), Treatment: prepare.Treatment{Unit: prepare.Variable}}, "x3 x4 x6", ""},
		{"the later of two, after filling", prepare.Recipe{Correlated: similar(pruning.First)}, "x0 x1 x2 x3 x5 x6",
			"columns left out as correlated: 1 of 7\ncorrelated columns: x4 (1 with x3)"},
		{"what is to stay", prepare.Recipe{NearZero: share(0.9), Correlated: similar(pruning.First), Treatment: prepare.Treatment{Keep: "x4\nx5"}}, "x0 x1 x2 x4 x5 x6",
			"columns left out as near-zero: 0 of 7\ncolumns left out as correlated: 1 of 7\ncorrelated columns: x3 (1 with x4)"},
		{"all", prepare.Recipe{NearZero: share(0.01)}, "prepare.near_zero: all columns leave", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Real("y", make([]float64, len(rows))...))
			set.Factor = []int32{0, 0, 0, -1, -1, -1, -1}
			c.recipe.Missing = "mean"
			p, err := c.recipe.Fit(set, train)
			if err != nil {
				if !strings.Contains(err.Error(), c.want) {
					t.Fatal(err)
				}
				return
			}
			names, _ := enginetest.Table(p.View(nil))
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("columns %s, expected %s", got, c.want)
			}
			var facts []string
			for _, f := range p.Facts {
				if strings.HasPrefix(f.Name, "columns left out") || strings.HasSuffix(f.Name, " columns") {
					facts = append(facts, f.Name+": "+f.Value)
				}
			}
			if got := strings.Join(facts, "\n"); c.facts != "" && got != c.facts {
				t.Errorf("facts\n%s\nexpected\n%s", got, c.facts)
			}
		})
	}
}

// TestPruneRefusesMany: correlations of more columns than can be compared are refused before any fold, with the time they would take.
func TestPruneRefusesMany(t *testing.T) {
	t.Parallel()
	var b sparse.Builder
	for range 3 {
		if err := b.Add(data.Numbers(20001), nil); err != nil {
			t.Fatal(err)
		}
	}
	set := enginetest.Dataset(b.Matrix(20001), enginetest.Real("y", 1, 2, 3))
	r := prepare.Recipe{Correlated: pruning.Correlated{Cutoff: 0.9, Rule: pruning.Mean}}
	if err := r.Check(set); err == nil || !strings.Contains(err.Error(), "prepare.correlated: correlations of 20001 columns would take about") {
		t.Errorf("%v", err)
	}
	r.NearZero = pruning.NearZero{Rule: pruning.Share, Share: 0.9} // which leaves none, and nothing is compared
	if err := r.Check(set); err != nil {
		t.Error(err)
	}
}
