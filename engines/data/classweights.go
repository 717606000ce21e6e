package data

import (
	"slices"

	"tenfold/engines/data/classweight"
	"tenfold/engines/data/memo"
)

// Weighted returns the view with rows that count by class weights as well, in it and in every view of some of its rows; balanced ones are
// found again for each of these. Rows whose level has the factor 0 are left out. The first target is a class.
func (v *View) Weighted(by classweight.Weights) *View {
	type key struct{ by string }
	w, _ := memo.Once(v.memo, key{by.String()}, func() (*View, error) { // it never fails
		t := v.from.Targets[0]
		c := &classweight.Rows{By: by, Levels: t.Levels, Level: slices.Repeat([]int32{-1}, v.from.Set.Rows())}
		defined, y := v.Defined(0)
		for k, i := range defined.rows {
			c.Level[i] = int32(y[k])
		}
		w := &View{from: v.from, rows: v.rows, like: v}
		if by.Zeros() > 0 {
			w = v.Sub(c.Counted(v.rows))
		}
		if w.classes = c; v.memo != nil {
			w.memo = new(memo.Values)
		}
		return w, nil
	})
	return w
}

// ClassWeights returns the class weights of the rows as experiment files have them.
func (v *View) ClassWeights() string { return v.classes.String() }
