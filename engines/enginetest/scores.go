package enginetest

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// rowByRow asks for the test rows backwards, and for one alone.
func rowByRow(e engines.Engine, p problem) error {
	m, want, err := p.fit(e)
	if err != nil {
		return err
	}
	n, k := p.test.Len(), m.Outputs()
	back := make([]int32, n)
	for i := range back {
		back[i] = int32(n - 1 - i)
	}
	for _, rows := range [][]int32{back, {int32(n / 2)}} {
		got := scores(m, p.test.Sub(rows))
		for r, i := range rows {
			if row := want.scores[int(i)*k : int(i)*k+k]; !reflect.DeepEqual(got[r*k:r*k+k], row) {
				return fmt.Errorf("row %d: scores %v among all rows, %v among %d others", i, row, got[r*k:r*k+k], len(rows)-1)
			}
		}
	}
	return nil
}

// scored scores every row by itself, where the model can.
func scored(e engines.Engine, p problem) error {
	m, want, err := p.fit(e)
	if err != nil {
		return err
	}
	s, ok := m.(engines.Scorer)
	if !ok {
		return nil
	}
	k := m.Outputs()
	got := make([]float64, k)
	for i := range p.test.Len() {
		if s.Score(got, p.test.Row(i)); !slices.EqualFunc(got, want.scores[i*k:(i+1)*k], same) {
			return fmt.Errorf("row %d: by itself %v, predicted %v", i, got, want.scores[i*k:(i+1)*k])
		}
	}
	return nil
}

// sparing scores every row by itself with other values in the columns that the model does not use, and without them.
func sparing(e engines.Engine, p problem) error {
	m, want, err := p.fit(e)
	if err != nil {
		return err
	}
	s, ok := m.(engines.Scorer)
	if !ok {
		return nil
	}
	used := make([]bool, p.test.Columns())
	for _, j := range engines.Uses(m, p.test.Columns()) {
		used[j] = true
	}
	k := m.Outputs()
	got := make([]float64, k)
	for i := range p.test.Len() {
		row := p.test.Row(i)
		var other, without sparse.Vec
		for j := range used {
			v := 0.0
			if place, has := slices.BinarySearch(row.Idx, int32(j)); has {
				v = row.At(place)
			}
			if used[j] && v != 0 {
				without.Idx, without.Val = append(without.Idx, int32(j)), append(without.Val, v)
			}
			if !used[j] {
				v = 7
			}
			if v != 0 {
				other.Idx, other.Val = append(other.Idx, int32(j)), append(other.Val, v)
			}
		}
		for _, row := range []sparse.Vec{other, without} {
			if s.Score(got, row); !slices.EqualFunc(got, want.scores[i*k:(i+1)*k], same) {
				return fmt.Errorf("row %d: %v, without what it does not use %v", i, want.scores[i*k:(i+1)*k], got)
			}
		}
	}
	return nil
}

// linearly computes scores from the intercepts and coefficients of a model that has the former and no features of its own, for rows
// of ones in the columns of the test rows: they are the outputs of a number, and logarithms of probabilities are as far apart.
func linearly(e engines.Engine, p problem) error {
	m, want, err := p.fit(e)
	if err != nil {
		return err
	}
	bias := engines.Biases(m)
	scorer, can := m.(engines.Scorer)
	if _, named := m.(engines.Namer); bias == nil || named || !can || p.train.Targets() > 1 {
		return nil
	}
	if len(bias) != m.Outputs() {
		return fmt.Errorf("%d intercepts of %d outputs", len(bias), m.Outputs())
	}
	number, scores := p.train.TargetInfo(0).Type == data.Real, make([]float64, len(bias))
	for i := range p.test.Len() {
		row := sparse.Vec{Idx: p.test.Row(i).Idx}
		dense, sums := make([]float64, p.test.Columns()), slices.Clone(bias)
		row.AddTo(dense, 1)
		scorer.Score(scores, row)
		for _, c := range want.coefs {
			sums[c.Output] += c.Value * dense[c.Feature]
		}
		for a := range sums {
			for b := range sums {
				difference, expected := scores[a]-scores[b], sums[a]-sums[b]
				if !number && want.fitted.Probabilities && math.Abs(difference-expected) > 1e-9*(1+math.Abs(expected)) {
					return fmt.Errorf("row %d: outputs %v, of the sums %v", i, scores, sums)
				}
			}
			if number && !want.fitted.Probabilities && math.Abs(sums[a]-scores[a]) > 1e-9*(1+math.Abs(sums[a])) {
				return fmt.Errorf("row %d: output %v, of the sum %v", i, scores[a], sums[a])
			}
		}
	}
	return nil
}
