package sparse

import "slices"

// Ordered holds the values of a column in rising order, and counts the zeros among them, which are not stored.
type Ordered struct {
	values       []float64
	below, zeros int // the zeros come after the first below values
}

// NewOrdered sorts values, which it keeps, and adds the given number of zeros.
func NewOrdered(values []float64, zeros int) Ordered {
	slices.Sort(values)
	below, _ := slices.BinarySearch(values, 0)
	return Ordered{values, below, zeros}
}

// Ordered returns the sorted values of a column with the given number of rows.
func (v Vec) Ordered(rows int) Ordered {
	values := make([]float64, v.Len())
	for k := range values {
		values[k] = v.At(k)
	}
	return NewOrdered(values, rows-v.Len())
}

// Len returns the number of values.
func (o Ordered) Len() int { return len(o.values) + o.zeros }

// At returns the k-th smallest value, from 0.
func (o Ordered) At(k int) float64 {
	switch {
	case k < o.below:
		return o.values[k]
	case k < o.below+o.zeros:
		return 0
	}
	return o.values[k-o.zeros]
}

// Median returns the middle value, or the mean of the two in the middle.
func (o Ordered) Median() float64 { return (o.At((o.Len()-1)/2) + o.At(o.Len()/2)) / 2 }

// Distinct returns the distinct values, rising.
func (o Ordered) Distinct() []float64 {
	all := slices.Clone(o.values)
	if o.zeros > 0 {
		all = slices.Insert(all, o.below, 0)
	}
	return slices.Compact(all)
}
