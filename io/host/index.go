package host

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"time"
)

// entry is a tracked file, as an index has it.
type entry struct {
	name     string // its path in the work tree, with slashes
	mode     uint32 // type and permissions
	id       []byte // hash of its content
	changed  stamp  // of the inode, when git last looked at the file
	modified stamp
	size     uint32 // then, modulo 2³²
	absent   bool   // it may be missing: it is left out of a sparse work tree
}

// stamp is a time: seconds since 1970 modulo 2³², and nanoseconds.
type stamp struct{ seconds, nanoseconds uint32 }

func stampOf(t time.Time) stamp { return stamp{uint32(t.Unix()), uint32(t.Nanosecond())} }

// indexReader reads the entries of an index of version 2, 3 or 4 (gitformat-index), in order of names.
type indexReader struct {
	rest    []byte
	version uint32
	left    uint32 // number of entries
	hash    int    // bytes of a hash
	name    string // of the entry before
}

// maxName limits the bytes of a file's path in the work tree.
const maxName = 4096

var (
	errIndex    = errors.New("an index that is not understood")
	errUnstored = errors.New("an entry that no commit can have: in conflict, or yet to be added")
)

func newIndexReader(content []byte, hash int) (*indexReader, error) {
	if len(content) < 12+hash || string(content[:4]) != "DIRC" {
		return nil, errIndex
	}
	r := &indexReader{rest: content[12 : len(content)-hash], version: binary.BigEndian.Uint32(content[4:]), left: binary.BigEndian.Uint32(content[8:]), hash: hash}
	if r.version < 2 || r.version > 4 {
		return nil, errIndex
	}
	return r, nil
}

// Flags of an entry.
const (
	hasMoreFlags = 1 << 14
	stage        = 3 << 12 // not 0 in a conflict
	skipWorktree = 1 << 14 // of those that follow
	intentToAdd  = 1 << 13
)

// next returns the next entry; io.EOF after the last one.
func (r *indexReader) next() (*entry, error) {
	if r.left == 0 {
		return nil, r.checkExtensions()
	}
	r.left--
	const numbers = 4 * 10
	begin := numbers + r.hash + 2 // of the name
	if len(r.rest) < begin+2 {
		return nil, errIndex
	}
	number := func(k int) uint32 { return binary.BigEndian.Uint32(r.rest[4*k:]) }
	e := &entry{changed: stamp{number(0), number(1)}, modified: stamp{number(2), number(3)}, mode: number(6), size: number(9), id: r.rest[numbers : numbers+r.hash]}
	flags := binary.BigEndian.Uint16(r.rest[begin-2:])
	var more uint16
	if flags&hasMoreFlags != 0 {
		more, begin = binary.BigEndian.Uint16(r.rest[begin:]), begin+2
	}
	if flags&stage != 0 || more&intentToAdd != 0 {
		return nil, errUnstored
	}
	e.absent = more&skipWorktree != 0
	if r.version == 4 { // it has the beginning of the name before
		in := bytes.NewReader(r.rest[begin:])
		dropped, err := readOffset(in)
		if err != nil || dropped > int64(len(r.name)) {
			return nil, errIndex
		}
		e.name, begin = r.name[:len(r.name)-int(dropped)], len(r.rest)-in.Len()
	}
	length := bytes.IndexByte(r.rest[begin:], 0)
	if length < 0 || len(e.name)+length > maxName {
		return nil, errIndex
	}
	e.name += string(r.rest[begin : begin+length])
	end := begin + length + 1
	if r.version < 4 { // zeros follow, up to a multiple of eight bytes
		end = (begin + length + 8) &^ 7
	}
	if end > len(r.rest) || e.name <= r.name {
		return nil, errIndex
	}
	r.rest, r.name = r.rest[end:], e.name
	return e, nil
}

// checkExtensions returns io.EOF, or an error if an extension changes what the entries mean: its name has no capital then.
func (r *indexReader) checkExtensions() error {
	for len(r.rest) >= 8 {
		size := uint64(binary.BigEndian.Uint32(r.rest[4:]))
		if r.rest[0] < 'A' || r.rest[0] > 'Z' || size > uint64(len(r.rest)-8) {
			return errIndex
		}
		r.rest = r.rest[8+size:]
	}
	return io.EOF
}
