package data

import "tenfold/engines/data/account"

// FindConstant accounts for the columns of files that have the same value in every row of the data set, and are used all the same. It reads
// the matrix until no column can be one: O(entries).
func (d *Dataset) FindConstant() {
	d.Account.Columns.Constant = account.Part{}
	columns := d.X.ConstantColumns()
	if len(columns) == 0 {
		return
	}
	constant := make([]bool, d.Features.Len())
	for _, j := range columns {
		constant[j] = true
	}
	part := account.Part{What: "the same in every row"}
	if d.Factor == nil && len(d.Features.Classes()) == 0 { // each is a column of a file: there may be millions
		part.Count = len(columns)
		for _, j := range columns[:min(len(columns), account.MaxNamed)] {
			part.Names = append(part.Names, d.Features.Name(int(j)))
		}
	} else {
		part.Names = d.fileColumns(func(j int) bool { return constant[j] })
		part.Count = len(part.Names)
	}
	part.Names = part.Names[:min(len(part.Names), account.MaxNamed)]
	if part.Count > 0 {
		d.Account.Columns.Constant = part
	}
}
