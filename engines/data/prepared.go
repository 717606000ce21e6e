package data

import "tenfold/engines/core/sparse"

// Prepared is a data set after a recipe was fitted: fewer columns, the same rows.
type Prepared struct {
	set      *Dataset
	x        *sparse.Matrix
	features *Features
	targets  []Target
	Facts    []Fact
	Warnings []string // of what test rows show: for reports alone

	kept      []int32    // the data set's number of each column; nil for all
	responses []int32    // the data set's number of each target; nil for all
	sequences *Sequences // nil when the data set has none
	beam      int
}

// View of some rows of the prepared data, in the order given (nil: all rows).
func (p *Prepared) View(rows []int32) *View {
	if rows == nil {
		rows = upTo(p.set.Rows())
	}
	return &View{from: p, rows: rows}
}

// Columns is the number of columns kept.
func (p *Prepared) Columns() int { return p.features.Len() }

// Bytes is the memory that the prepared data holds beyond the data set it came from.
func (p *Prepared) Bytes() int64 {
	if p.x == p.set.X {
		return 0
	}
	ptr, idx, val := p.x.Rows()
	return int64(8*len(ptr) + 4*len(idx) + 8*len(val))
}

// placesInPrepared are the numbers that columns and targets of the data set have once prepared, -1 for those left out.
func (p *Prepared) placesInPrepared() (column, target []int32) {
	_, columns := p.set.X.Dims()
	kept, responses := p.kept, p.responses
	if kept == nil {
		kept = upTo(columns)
	}
	if responses == nil {
		responses = upTo(len(p.set.Targets))
	}
	return placesOf(kept, columns), placesOf(responses, len(p.set.Targets))
}
