package source

import (
	"tenfold/engines/numeric/sparse"
	"tenfold/io/scratch"
)

// Room is disk space that a reader may use for what does not fit in memory.
type Room struct {
	*scratch.Space
	// Limit is about how many bytes of memory the reader may take for what it collects from the entries. Data per row (where it
	// ends, its label, weight and id) is not included.
	Limit int64
}

// Roomy is implemented by an Input of a data set that may not fit in memory. A reader that supports it returns the same data set as
// from the files alone, with its matrix on disk; others ignore it.
type Roomy interface {
	Input
	Room() *Room
}

// Hold makes x keep its entries in the room; a nil room changes nothing.
func (r *Room) Hold(x *sparse.Builder) error {
	if r == nil {
		return nil
	}
	return x.SpillTo(r.Entries())
}

// RoomIn returns the room that comes with the files, nil if the data set is to be made in memory.
func RoomIn(in Input) *Room {
	if r, ok := in.(Roomy); ok {
		return r.Room()
	}
	return nil
}
