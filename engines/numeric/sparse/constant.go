package sparse

// ConstantColumns returns the columns with one value, rising; none of a single row. It reads rows until no column can be one:
// O(entries).
func (m *Matrix) ConstantColumns() (constant []int32) {
	rows, cols := m.Dims()
	if rows < 2 {
		return nil
	}
	first := m.Row(0)
	var ones []int32 // columns that have a value in all rows so far, the same
	var values []float64
	varies, left := make([]bool, cols), cols // whether a column has another value than 0, and how many have none
	for q, j := range first.Idx {
		if v := first.At(q); v != 0 {
			ones, values = append(ones, j), append(values, v)
			varies[j] = true
			left--
		}
	}
	for i := 1; i < rows && left+len(ones) > 0; i++ {
		row := m.Row(i)
		n, q := 0, 0
		for k, j := range ones {
			for q < len(row.Idx) && row.Idx[q] < j {
				q++
			}
			if q < len(row.Idx) && row.Idx[q] == j && row.At(q) == values[k] {
				ones[n], values[n] = j, values[k]
				n++
			}
		}
		ones, values = ones[:n], values[:n]
		for q, j := range row.Idx {
			if !varies[j] && row.At(q) != 0 {
				varies[j] = true
				left--
			}
		}
	}
	for _, j := range ones {
		varies[j] = false
	}
	for j, v := range varies {
		if !v {
			constant = append(constant, int32(j))
		}
	}
	return constant
}
