package data

import (
	"tenfold/engines/data/sequence"
	"tenfold/engines/numeric/sparse"
)

// Prepared is a data set to which a fitted recipe was applied: other columns, the same rows.
type Prepared struct {
	Set      *Dataset
	X        *sparse.Matrix
	Features *Features
	Targets  []Target
	Facts    []Fact
	Warnings []string // of what test rows show: for reports alone

	Kept      []int32 // the data set's number of each column; nil for all
	Probes    Probes  // columns that were drawn, after those of the data
	Treatment Treatment
	Responses []int32             // the data set's number of each target; nil for all
	Sequences *sequence.Sequences // nil when the data set has none
	Beam      int
	Frequency bool // the weight of a row is a number of equal rows
}

// View returns a view of some rows, in the order given (nil: all rows).
func (p *Prepared) View(rows []int32) *View {
	if rows == nil {
		rows = Numbers(p.Set.Rows())
	}
	return &View{from: p, rows: rows}
}

// Columns returns the number of columns.
func (p *Prepared) Columns() int { return p.Features.Len() }

// Bytes returns the memory that the prepared data takes in addition to its data set.
func (p *Prepared) Bytes() int64 {
	if p.X == p.Set.X {
		return 0
	}
	ptr, idx, val := p.X.Rows()
	return int64(8*len(ptr) + 4*len(idx) + 8*len(val))
}

// placesInPrepared returns the new numbers of the data set's columns and targets, -1 for those left out.
func (p *Prepared) placesInPrepared() (column, target []int32) {
	_, columns := p.Set.X.Dims()
	kept, responses := p.Kept, p.Responses
	if kept == nil {
		kept = Numbers(columns)
	}
	if responses == nil {
		responses = Numbers(len(p.Set.Targets))
	}
	return PlacesOf(kept, columns), PlacesOf(responses, len(p.Set.Targets))
}

// AddFact appends what preparation learned from the training rows, for reports.
func (p *Prepared) AddFact(name, value string) {
	p.Facts = append(p.Facts, Fact{Name: name, Value: value})
}
