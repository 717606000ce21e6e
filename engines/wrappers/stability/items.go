package stability

import (
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
)

// items are what is selected and counted: columns, or the units of columns (features: {unit: variable}). Decoys come last; those of
// a unit's columns are one item, as the columns are.
type items struct {
	byColumn  []int32 // item, by column; nil: each column is one
	n         int
	real      int // items that are no decoys
	competing int // of these, those that are not in every model
	kept      []int32
	view      *data.View
}

func itemsOf(v *data.View) items {
	item, n := v.Units()
	it := items{byColumn: item, n: n, real: n - v.Probes().Number, kept: v.Kept(), view: v}
	if item == nil {
		it.competing = it.real - len(it.kept)
		return it
	}
	it.byColumn = slices.Clone(item)
	competes := make([]bool, it.real)
	decoy := map[int32]int32{} // by the unit of its source
	for j := range it.byColumn {
		if !v.Probes().Has(j) {
			competes[it.byColumn[j]] = competes[it.byColumn[j]] || v.Competes(j)
			continue
		}
		source, _ := v.Features().Lookup(strings.TrimPrefix(v.Features().Name(j), data.ProbePrefix))
		u, known := decoy[it.byColumn[source]]
		if !known {
			u = int32(it.real + len(decoy))
			decoy[it.byColumn[source]] = u
		}
		it.byColumn[j] = u
	}
	it.n = it.real + len(decoy)
	for _, is := range competes {
		if is {
			it.competing++
		}
	}
	return it
}

// item returns the item of a column.
func (it items) item(j int32) int32 {
	if it.byColumn == nil {
		return j
	}
	return it.byColumn[j]
}

// name returns the name of an item.
func (it items) name(item int32) string {
	if it.byColumn == nil {
		return it.view.Features().Name(int(item))
	}
	j := slices.Index(it.byColumn, item)
	if unit := it.view.UnitName(j); unit != "" {
		return unit
	}
	return it.view.Features().Name(j)
}

// enough returns the number of columns among which there are always q items, at most that of all columns.
func (it items) enough(q int) int {
	if it.byColumn == nil || it.view.Together() {
		return q
	}
	size := make([]int, it.n)
	for _, u := range it.byColumn {
		size[u]++
	}
	slices.SortFunc(size, func(a, b int) int { return b - a })
	total := 0
	for _, s := range size[:min(q, len(size))] {
		total += s
	}
	return min(total, len(it.byColumn))
}

// columns returns the columns of chosen items, given in order, rising, with the item's score; ranks continue from one item to the
// next. Kept columns are added, without rank.
func (it items) columns(chosen []engines.Coef) []engines.Coef {
	var out []engines.Coef
	if it.byColumn == nil {
		out = chosen
	} else {
		members := make([][]int, it.real)
		for j, u := range it.byColumn {
			if int(u) < it.real && it.view.Competes(j) {
				members[u] = append(members[u], j)
			}
		}
		for _, c := range chosen {
			for _, j := range members[c.Feature] {
				out = append(out, engines.Coef{Feature: j, Rank: len(out), Score: c.Score})
			}
		}
	}
	for _, j := range it.kept {
		out = append(out, engines.Coef{Feature: int(j), Rank: -1})
	}
	slices.SortFunc(out, func(a, b engines.Coef) int { return a.Feature - b.Feature })
	return out
}
