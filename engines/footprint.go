package engines

import "tenfold/engines/core/sparse"

// Sized is an engine that can tell how much memory a fit takes, so that what cannot run is refused before it starts.
type Sized interface{ Footprint(of Shape) Footprint }

// Shape is what memory depends on: the size of the training data of a fit.
type Shape struct {
	Rows, Columns int
	Entries       int64
	Ones          bool // every value is one, and values are not stored
	Classes       int  // of features; 0 where there are none
	Levels        int  // of the target, the most of several; 0 where all are numbers
}

// EntryBytes is what one entry takes in a layout of its own: its index, and its value.
func (s Shape) EntryBytes() int64 {
	if s.Ones {
		return 4
	}
	return 12
}

// Filled is the shape of data.View.FilledMatrix, and the bytes of its rows.
func (s Shape) Filled() (filled Shape, bytes int64) {
	if sparse.Fills(s.Rows, s.Columns, int(s.Entries), s.Ones) {
		s.Entries = int64(s.Rows) * int64(s.Columns)
		bytes = 12 * s.Entries
	}
	return s, bytes
}

// CenteredBytes is about what sparse.Center takes, for columns that are centred, and divided by their standard deviation where
// standardize says so.
func (s Shape) CenteredBytes(standardize bool) int64 {
	entries, cells := s.Entries, int64(s.Rows)*int64(s.Columns)
	if s.Ones && !standardize {
		return 0
	}
	if !s.Ones && 2*entries > cells { // most columns are stored in full then
		entries = cells
	}
	return 12 * entries
}

// RotatedBytes is at most what sparse.Matrix.Rotate takes: inner products, axes and factor, beside rows in full.
func (s Shape) RotatedBytes() int64 {
	rows, columns := int64(s.Rows), int64(s.Columns)
	if s.Ones || columns < 2*rows || 4*s.Entries < rows*columns {
		return 0
	}
	return 32*rows*rows + 8*rows*columns
}

// Footprint predicts the memory of a fit in bytes, beyond the training view itself.
type Footprint struct {
	Bytes int64 // everything in memory
	// Where a fit takes its arrays in the size of the entries from the matrix (sparse.Scratch), they can lie on disk. Resident is
	// what it then needs in memory of its own, and Useful how much more would save time, as Run.Cache allows. Resident is 0
	// where everything must be in memory.
	Resident, Useful int64
}

// FootprintOf a fit of an engine; nothing where the engine cannot tell.
func FootprintOf(e Engine, s Shape) Footprint {
	if sized, ok := e.(Sized); ok {
		return sized.Footprint(s)
	}
	return Footprint{}
}

// And is the footprint with bytes beside it that are in memory in any case.
func (f Footprint) And(bytes int64) Footprint {
	f.Bytes += bytes
	if f.Resident > 0 {
		f.Resident += bytes
	}
	return f
}

// Or is the footprint of two fits, one after the other.
func (f Footprint) Or(g Footprint) Footprint {
	both := Footprint{Bytes: max(f.Bytes, g.Bytes), Useful: max(f.Useful, g.Useful)}
	if f.Resident > 0 && g.Resident > 0 {
		both.Resident = max(f.Resident, g.Resident)
	} else {
		both.Useful = 0
	}
	return both
}
