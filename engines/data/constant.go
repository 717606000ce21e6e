package data

// FindConstant accounts for the columns of files that have the same value in every row of the data set, and are used all the same. It reads
// the matrix until no column can be one: O(entries).
func (d *Dataset) FindConstant() {
	d.Account.Columns.Constant = Part{}
	columns := d.constantColumns()
	if len(columns) == 0 {
		return
	}
	constant := make([]bool, d.Features.Len())
	for _, j := range columns {
		constant[j] = true
	}
	part := Part{What: "the same in every row"}
	if d.Factor == nil && len(d.Features.Classes()) == 0 { // each is a column of a file: there may be millions
		part.Count = len(columns)
		for _, j := range columns[:min(len(columns), mostNamed)] {
			part.Names = append(part.Names, d.Features.Name(int(j)))
		}
	} else {
		part.Names = d.fileColumns(func(j int) bool { return constant[j] })
		part.Count = len(part.Names)
	}
	if parts := addPart(nil, part); parts != nil {
		d.Account.Columns.Constant = parts[0]
	}
}

// constantColumns returns the columns with one value, rising; none of a single row.
func (d *Dataset) constantColumns() (constant []int32) {
	rows, cols := d.X.Dims()
	if rows < 2 {
		return nil
	}
	first := d.X.Row(0)
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
		row := d.X.Row(i)
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
