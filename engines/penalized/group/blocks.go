package group

import (
	"fmt"
	"math"

	"tenfold/engines/data"
)

// parts of the data that the two engines make differently.
type parts struct {
	columns [][]int32 // of the blocks
	weight  []float64
	notes   []string
	name    func(block int) string
	names   string // what blocks are
}

// classes returns the classes of the columns as blocks, and the columns without one as the last block; units, where these are to be
// selected.
func classes(v *data.View) (parts, error) {
	if v.Together() {
		return units(v)
	}
	features := v.Features()
	if !features.HasClasses() {
		return parts{}, fmt.Errorf("group lasso selects classes of features, there are none")
	}
	names := features.Classes()
	columns := make([][]int32, len(names)+1)
	for j := range int32(features.Len()) {
		c := features.Class(int(j))
		if c < 0 {
			c = len(names)
		}
		columns[c] = append(columns[c], j)
	}
	p := parts{names: "classes"}
	if n := len(columns[len(names)]); n > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d of %d columns have no class; they are one of their own, %s", n, features.Len(), data.None))
	}
	var number []int
	for c, list := range columns {
		if len(list) > 0 {
			p.columns, p.weight, number = append(p.columns, list), append(p.weight, math.Sqrt(float64(len(list)))), append(number, c)
		}
	}
	p.name = func(g int) string {
		if number[g] == len(names) {
			return data.None
		}
		return names[number[g]]
	}
	return p, p.multiplyWeights(v)
}

// units returns the units of the columns as blocks.
func units(v *data.View) (parts, error) {
	unitOf, n := v.Units()
	p := parts{names: "units", columns: make([][]int32, n)}
	for j, u := range unitOf {
		p.columns[u] = append(p.columns[u], int32(j))
	}
	for _, list := range p.columns {
		p.weight = append(p.weight, math.Sqrt(float64(len(list))))
	}
	p.name = func(g int) string { return v.Features().Name(int(p.columns[g][0])) }
	return p, p.multiplyWeights(v)
}

// singleColumnBlocks returns blocks of one column each, whose weights are the factors of their penalty.
func singleColumnBlocks(v *data.View) (parts, error) {
	n := v.Columns()
	p := parts{columns: make([][]int32, n), weight: make([]float64, n), names: "features"}
	all := data.Numbers(n)
	for j := range all {
		p.columns[j], p.weight[j] = all[j:j+1:j+1], 1
	}
	return p, p.multiplyWeights(v)
}

// multiplyWeights multiplies the weight of each block by the factor that its columns have in common. Columns of one block with different
// factors are an error.
func (p *parts) multiplyWeights(v *data.View) error {
	factor := v.Factors()
	if factor == nil {
		return nil
	}
	for g, list := range p.columns {
		for _, j := range list {
			if factor[j] != factor[list[0]] {
				return fmt.Errorf("columns %q and %q are selected together, and the factors of their penalty (features: {penalty: …}, or keep, which is 0) are %v and %v; give all columns of a group one",
					v.Features().Name(int(list[0])), v.Features().Name(int(j)), factor[list[0]], factor[j])
			}
		}
		p.weight[g] *= factor[list[0]]
	}
	return nil
}
