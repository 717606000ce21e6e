package selection

import (
	"cmp"
	"math"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// Feature is one feature over the folds of a cell that selected it; with several outputs, for one of them.
type Feature struct {
	Name, Output, Class string
	Folds               int          // that selected it
	Rank                float64      // mean order of entry, from 0; NaN if some fold has none
	Coefficient         results.Stat // over these folds
	Flips               bool         // its sign is not the same on all of them
}

// Frequency counts the features that the folds of a cell selected.
type Frequency struct {
	Folds    int       // that ended well
	Features []Feature // those selected on most folds first, then by rank and by the absolute coefficient
	Listed   int       // number of Features, also after Keep
	Outputs  bool      // some feature belongs to one of several outputs
	// Distinct features, whatever the output, that were selected on every fold, on at least half, on one, and on any.
	All, Half, Once, Any int
}

// FrequencyOf counts features over the folds that ended well. Errors are those of cells.Selection.
func FrequencyOf(src cells.Source, c *cells.Cell) (Frequency, error) {
	rows := c.Finished()
	index := map[coefficient]int{}
	var found []gathered
	for i, r := range rows {
		err := cells.EachSelected(src, r, func(s results.Selected) {
			k := coefficient{s.Feature, s.Output}
			j, ok := index[k]
			if !ok {
				j = len(found)
				index[k] = j
				found = append(found, gathered{name: k, class: s.Class})
			}
			found[j].addFold(i, s)
		})
		if err != nil {
			return Frequency{}, err
		}
	}
	f := Frequency{Folds: len(rows)}
	f.countFolds(found)
	for i := range found {
		f.Features = append(f.Features, found[i].asFeature())
	}
	slices.SortFunc(f.Features, compareFeatures)
	f.Listed = len(f.Features)
	f.Outputs = slices.ContainsFunc(f.Features, func(x Feature) bool { return x.Output != "" })
	return f, nil
}

// Keep keeps the first n features alone, and gives the memory of the others back.
func (f *Frequency) Keep(n int) { f.Features = slices.Clone(f.Features[:min(n, len(f.Features))]) }

// coefficient identifies a feature for an output.
type coefficient struct{ feature, output string }

// gathered accumulates a feature over folds.
type gathered struct {
	name         coefficient
	class        string
	folds        []int
	ranks        float64 // sum; NaN if a fold has none
	coefficients []float64
}

func (g *gathered) addFold(fold int, s results.Selected) {
	g.folds = append(g.folds, fold)
	g.coefficients = append(g.coefficients, s.Coefficient)
	if g.ranks += float64(s.Rank); s.Rank < 0 {
		g.ranks = math.NaN()
	}
}

func (g *gathered) asFeature() Feature {
	negative := func(x float64) bool { return x < 0 }
	positive := func(x float64) bool { return x > 0 }
	return Feature{Name: g.name.feature, Output: g.name.output, Class: g.class, Folds: len(g.folds), Rank: g.ranks / float64(len(g.folds)),
		Coefficient: results.Summarise(g.coefficients),
		Flips:       slices.ContainsFunc(g.coefficients, negative) && slices.ContainsFunc(g.coefficients, positive)}
}

// compareFeatures orders features: those selected on most folds first, then by mean rank at entry, with those that have none last,
// then by the absolute coefficient and by name.
func compareFeatures(a, b Feature) int {
	rank := func(f Feature) float64 {
		if math.IsNaN(f.Rank) {
			return math.Inf(1)
		}
		return f.Rank
	}
	size := func(f Feature) float64 { return math.Abs(f.Coefficient.Mean) }
	return cmp.Or(cmp.Compare(b.Folds, a.Folds), cmp.Compare(rank(a), rank(b)), cmp.Compare(size(b), size(a)),
		cmp.Compare(a.Name, b.Name), cmp.Compare(a.Output, b.Output))
}

// countFolds counts the distinct features on all, half, one and any of the folds. A feature is on a fold that selected it
// for some output.
func (f *Frequency) countFolds(found []gathered) {
	folds := map[string][]int{}
	for _, g := range found {
		folds[g.name.feature] = append(folds[g.name.feature], g.folds...)
	}
	for _, fold := range folds {
		slices.Sort(fold)
		n := len(slices.Compact(fold))
		f.Any++
		if n == f.Folds {
			f.All++
		}
		if 2*n >= f.Folds {
			f.Half++
		}
		if n == 1 {
			f.Once++
		}
	}
}
