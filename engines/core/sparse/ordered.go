package sparse

import "slices"

// Ordered is the values of a column in rising order, with the zeros that are not stored among them.
type Ordered struct {
	values       []float64
	below, zeros int // the zeros stand after so many values
}

// NewOrdered sorts values, which it keeps, beside so many zeros.
func NewOrdered(values []float64, zeros int) Ordered {
	slices.Sort(values)
	below, _ := slices.BinarySearch(values, 0)
	return Ordered{values, below, zeros}
}

// Ordered values of a column of so many rows.
func (v Vec) Ordered(rows int) Ordered {
	values := make([]float64, v.Len())
	for k := range values {
		values[k] = v.At(k)
	}
	return NewOrdered(values, rows-v.Len())
}

// Len is the number of values.
func (o Ordered) Len() int { return len(o.values) + o.zeros }

// At is the k-th smallest.
func (o Ordered) At(k int) float64 {
	switch {
	case k < o.below:
		return o.values[k]
	case k < o.below+o.zeros:
		return 0
	}
	return o.values[k-o.zeros]
}

// Median is the middle value, or the mean of the two in the middle.
func (o Ordered) Median() float64 { return (o.At((o.Len()-1)/2) + o.At(o.Len()/2)) / 2 }

// Distinct values, rising.
func (o Ordered) Distinct() []float64 {
	all := slices.Clone(o.values)
	if o.zeros > 0 {
		all = slices.Insert(all, o.below, 0)
	}
	return slices.Compact(all)
}
