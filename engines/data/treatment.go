package data

import "fmt"

// Treatment says how a fit treats columns. The zero value treats all alike.
type Treatment struct {
	// Factor holds the penalty factor of each column; a column with 0 is in every model. nil: 1 each.
	Factor []float64
	Unit   []int32  // by column, from 0 in the order of their first columns: what is counted as one; nil: each column
	Name   []string // of the units; "" of a column that is one by itself
	// Together asks for the columns of a unit to be selected together.
	Together bool
}

// Factors returns the penalty factors, by column; nil: 1 each.
func (v *View) Factors() Weights { return v.from.Treatment.Factor }

// Kept returns the columns that are in every model, rising.
func (v *View) Kept() (columns []int32) {
	for j, f := range v.Factors() {
		if f == 0 {
			columns = append(columns, int32(j))
		}
	}
	return columns
}

// Units returns the unit of each column, and their number; unitOf is nil if each column is its own unit.
func (v *View) Units() (unitOf []int32, n int) { return v.from.Treatment.units(v.Columns()) }

// WholeUnits returns the columns of each unit that is selected together. It is an error if only some columns of a unit are in every model.
func (v *View) WholeUnits() ([][]int32, error) {
	members := v.Members()
	for _, columns := range members {
		for _, j := range columns {
			if first := int(columns[0]); v.Competes(int(j)) != v.Competes(first) {
				return nil, fmt.Errorf("columns %q and %q are selected together (features: {unit: together}), and one of them is in every model (keep); keep all columns of a variable, or none",
					v.Features().Name(first), v.Features().Name(int(j)))
			}
		}
	}
	return members, nil
}

// Members returns the columns of each unit, rising.
func (v *View) Members() [][]int32 {
	unitOf, n := v.Units()
	members := make([][]int32, n)
	for j := range int32(v.Columns()) {
		u := j
		if unitOf != nil {
			u = unitOf[j]
		}
		members[u] = append(members[u], j)
	}
	return members
}

// Alike returns the view with all columns treated alike.
func (v *View) Alike() *View {
	if v.from.Treatment.Factor == nil && v.from.Treatment.Unit == nil {
		return v
	}
	p := *v.from
	p.Treatment = Treatment{}
	return &View{from: &p, rows: v.rows, like: v, classes: v.classes}
}

// WithFactors returns the view with these penalty factors, by column.
func (v *View) WithFactors(factors []float64) *View {
	p := *v.from
	p.Treatment.Factor = factors
	return &View{from: &p, rows: v.rows, like: v, classes: v.classes}
}

// UnitName returns the name of column j's unit, "" if the column is its own unit.
func (v *View) UnitName(j int) string {
	t := v.from.Treatment
	if t.Unit == nil || t.Name == nil {
		return ""
	}
	return t.Name[t.Unit[j]]
}

// Together reports whether the columns of a unit are to be selected together.
func (v *View) Together() bool { return v.from.Treatment.Together }

func (t Treatment) units(columns int) (unitOf []int32, n int) {
	if t.Unit == nil {
		return nil, columns
	}
	for _, u := range t.Unit {
		n = max(n, int(u)+1)
	}
	return t.Unit, n
}

// competes reports whether column j is subject to selection, rather than in every model.
func (t Treatment) competes(j int) bool { return t.Factor == nil || t.Factor[j] > 0 }

// narrow returns the treatment of some of the columns.
func (t Treatment) narrow(columns []int32) Treatment {
	was, unit := t.Name, ValuesAt(t.Unit, columns)
	t.Factor, t.Unit = ValuesAt(t.Factor, columns), Numbered(unit)
	if was != nil {
		_, n := t.units(0)
		t.Name = make([]string, n)
		for k, u := range unit {
			t.Name[t.Unit[k]] = was[u]
		}
	}
	return t
}

// followedBy adds further columns, each its own unit with the factor of its source.
func (t Treatment) followedBy(sources []int32) Treatment {
	if t.Factor != nil {
		t.Factor = append(ValuesAt(t.Factor, Numbers(len(t.Factor))), ValuesAt(t.Factor, sources)...)
	}
	if unitOf, n := t.units(0); unitOf != nil {
		t.Unit = append([]int32{}, unitOf...)
		for k := range sources {
			t.Unit = append(t.Unit, int32(n+k))
		}
		if t.Name != nil {
			t.Name = append(append([]string{}, t.Name...), make([]string, len(sources))...)
		}
	}
	return t
}

// Numbered renumbers labels from 0 in order of first appearance; nil stays nil.
func Numbered(labels []int32) []int32 {
	if labels == nil {
		return nil
	}
	number, out := map[int32]int32{}, make([]int32, len(labels))
	for j, label := range labels {
		k, ok := number[label]
		if !ok {
			k = int32(len(number))
			number[label] = k
		}
		out[j] = k
	}
	return out
}
