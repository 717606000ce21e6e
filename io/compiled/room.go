package compiled

import (
	"cmp"
	"fmt"

	"tenfold/io/files"
	"tenfold/io/scratch"
	"tenfold/io/source"
)

// roomy holds source files with disk space for the data made from them.
type roomy struct {
	*files.Set
	room *source.Room // nil if memory is enough
}

// Room returns the disk space for the reader.
func (r roomy) Room() *source.Room { return r.room }

const (
	usual   = 1 << 30 // bytes of memory for a reader
	perByte = 8       // maximum bytes of memory of a reader for a byte of its source: the 4 bytes "1:1 " become 12, held twice for a while
)

// roomFor makes room on disk for files that might take more memory than a reader may; nil for others.
func (c Cache) roomFor(in *files.Set) *source.Room {
	memory := cmp.Or(c.Memory, usual)
	if c.Dir == "" || !scratch.Supported || in.Size() <= memory/perByte {
		return nil
	}
	if err := files.Sweep(scratch.In(c.Dir)); err != nil {
		c.warn(fmt.Errorf("disk space in place of memory: %w", err))
	}
	return &source.Room{Space: scratch.New(scratch.In(c.Dir), c.Warn), Limit: memory}
}

// closeRoom frees the disk space; nothing may use it afterwards.
func closeRoom(room *source.Room) error {
	if room == nil {
		return nil
	}
	return room.Close()
}
