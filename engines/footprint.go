package engines

import "tenfold/engines/numeric/sparse"

// Sized is implemented by engines that predict the memory of a fit, so that a fit that cannot run is refused before it starts.
type Sized interface{ Footprint(shape Shape) Footprint }

// Shape is the size of the training data of a fit, on which its memory depends.
type Shape struct {
	Rows, Columns int
	Entries       int64
	Ones          bool // every value is one, and values are not stored
	Classes       int  // classes of features; 0 if there are none
	Levels        int  // levels of the target, the maximum over several; 0 if all are numbers
}

// EntryBytes returns the bytes of one entry, index and value, in a further layout of the matrix.
func (s Shape) EntryBytes() int64 {
	if s.Ones {
		return 4
	}
	return 12
}

// Filled returns the shape of data.View.FilledMatrix, and the bytes of its rows.
func (s Shape) Filled() (filled Shape, bytes int64) {
	if sparse.Fills(s.Rows, s.Columns, int(s.Entries), s.Ones) {
		s.Entries = int64(s.Rows) * int64(s.Columns)
		bytes = 12 * s.Entries
	}
	return s, bytes
}

// CenteredBytes estimates the bytes of scaled.Center's result, for columns that are centred and, with standardize, divided by their
// standard deviation.
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

// RotatedBytes bounds the bytes that sparse.Matrix.Rotate takes: inner products, axes and factor, beside dense rows.
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
	// A fit that takes its large arrays from the matrix (sparse.Scratch) can have them on disk. Resident is the memory it needs even
	// then, and Useful how much more would save time, within Run.Cache. Resident is 0 if everything must be in memory.
	Resident, Useful int64
}

// FootprintOf predicts the memory of a fit; the zero Footprint if the engine is not Sized.
func FootprintOf(e Engine, s Shape) Footprint {
	if sized, ok := e.(Sized); ok {
		return sized.Footprint(s)
	}
	return Footprint{}
}

// And adds bytes that are in memory in any case.
func (f Footprint) And(bytes int64) Footprint {
	f.Bytes += bytes
	if f.Resident > 0 {
		f.Resident += bytes
	}
	return f
}

// Or returns the footprint of two fits that run one after the other.
func (f Footprint) Or(g Footprint) Footprint {
	both := Footprint{Bytes: max(f.Bytes, g.Bytes), Useful: max(f.Useful, g.Useful)}
	if f.Resident > 0 && g.Resident > 0 {
		both.Resident = max(f.Resident, g.Resident)
	} else {
		both.Useful = 0
	}
	return both
}
