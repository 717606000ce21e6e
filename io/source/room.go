package source

import (
	"tenfold/engines/core/sparse"
	"tenfold/io/scratch"
)

// Room is disk space that a reader may use for what would not fit in memory.
type Room struct {
	*scratch.Space
	// Limit is about how many bytes of memory the reader may take for what it collects from the entries. What there is for
	// each row (where it ends, its label, weight and id) comes on top.
	Limit int64
}

// Roomy is an Input of a data set that may not fit in memory. A reader that knows how gives the same data set as from the
// files alone, with its matrix on disk; another need not ask.
type Roomy interface {
	Input
	Room() *Room
}

// Hold has the entries of x in the room; nil holds none.
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
