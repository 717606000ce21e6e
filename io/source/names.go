package source

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/io/scratch"
)

// Names numbers the columns of a data set by name, in order of first appearance.
//
// With room, it holds no more names in memory than the limit allows: then it writes them to disk as a run, in order of name,
// forgets them, and goes on with new numbers, even for names that it had before. Done merges the runs, and tells which of its
// numbers mean the same.
//
// With hashing, names of one hash are one column, called by the hash: memory is bounded, and so is the number of columns. How
// many names met is counted.
type Names struct {
	room   *Room // nil: all in memory
	number map[string]int32
	list   []string // names in memory
	bytes  int64
	runs   []*scratch.Spool
	text   *scratch.Spool // of all runs, name after name
	end    []int64        // of each name there
	hashed *hashed        // nil without hashing
}

// NewNames numbers names in memory, or, if room is not nil, on disk when there are many. If bits is not 0, columns are numbered by
// that many bits of a hash.
func NewNames(room *Room, bits int) *Names {
	n := &Names{room: room, number: map[string]int32{}}
	if bits > 0 {
		n.hashed = newHashed(bits)
	}
	return n
}

// Len returns how many numbers were assigned.
func (n *Names) Len() int { return len(n.end) + len(n.list) }

// Number returns the number of a name. Equal names have one number until Row forgets them.
func (n *Names) Number(name []byte) int32 {
	if n.hashed != nil {
		return n.hashed.numberOf(name, &n.list)
	}
	if k, ok := n.number[string(name)]; ok {
		return k
	}
	k := int32(n.Len())
	text := string(name)
	n.number[text] = k
	n.list = append(n.list, text)
	n.bytes += int64(len(text)) + perName
	return k
}

// perName is about the bytes that the map and the list take for a name beside its text.
const perName = 72

// Row must be called between rows: it may write the names in memory to disk and forget them.
func (n *Names) Row() (forgot bool, err error) {
	switch {
	case n.Len() > math.MaxInt32/2:
		return false, fmt.Errorf("more than %d names of columns; hash: says how many bits of their hashes are to number them", math.MaxInt32/2)
	case n.room == nil || n.bytes <= n.room.Limit/2:
		return false, nil
	}
	return true, n.spillRun()
}

// Name returns the name of a number that was assigned since names were last written to disk.
func (n *Names) Name(k int32) string { return n.list[int(k)-len(n.end)] }

// spillRun writes a run: its names in order of appearance, and sorted with their numbers.
func (n *Names) spillRun() (err error) {
	if n.text == nil {
		if n.text, err = n.room.Spool(); err != nil {
			return err
		}
	}
	run, err := n.room.Spool()
	if err != nil {
		return err
	}
	first := len(n.end)
	for _, name := range n.list {
		if _, err := io.WriteString(n.text, name); err != nil {
			return err
		}
		n.end = append(n.end, n.text.Len())
	}
	order := make([]int32, len(n.list))
	for k := range order {
		order[k] = int32(k)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(n.list[a], n.list[b]) })
	var b []byte
	for _, k := range order {
		b = binary.AppendUvarint(b[:0], uint64(len(n.list[k])))
		b = append(b, n.list[k]...)
		b = binary.AppendUvarint(b, uint64(first+int(k)))
		if _, err := run.Write(b); err != nil {
			return err
		}
	}
	n.runs = append(n.runs, run)
	n.number, n.list, n.bytes = map[string]int32{}, nil, 0
	return nil
}

// Done returns the columns in order of first appearance, and the column of each number, nil if they are the same. Numbers
// take 4 bytes each in memory.
func (n *Names) Done() (columns *data.Features, column []int32, err error) {
	if len(n.runs) == 0 {
		return data.NewFeatures(n.list), nil, nil
	}
	if err := n.spillRun(); err != nil {
		return nil, nil, err
	}
	first, err := n.mergeRuns()
	if err != nil {
		return nil, nil, err
	}
	text, err := n.text.Map()
	if err != nil {
		return nil, nil, err
	}
	// Numbers were given in order of appearance, so the lowest of those that mean the same is the name's first.
	blob, err := n.room.Spool()
	if err != nil {
		return nil, nil, err
	}
	ends, start := []int64{0}, int64(0)
	column = first
	for k, end := range n.end {
		if f := first[k]; f < int32(k) {
			column[k] = column[f]
		} else {
			column[k] = int32(len(ends) - 1)
			if _, err := blob.Write(text[start:end]); err != nil {
				return nil, nil, err
			}
			ends = append(ends, blob.Len())
		}
		start = end
	}
	all, err := blob.Map()
	if err != nil {
		return nil, nil, err
	}
	return data.PackedFeatures(all, ends), column, nil
}

// mergeRuns returns, for every number, the lowest number of the same name.
func (n *Names) mergeRuns() (first []int32, err error) {
	first = make([]int32, len(n.end))
	var heads runs
	for _, spool := range n.runs {
		content, err := spool.Map()
		if err != nil {
			return nil, err
		}
		r := &run{rest: bufio.NewReader(bytes.NewReader(content))}
		if r.readNext() {
			heads = append(heads, r)
		}
	}
	heap.Init(&heads)
	var name []byte
	lowest := int32(-1)
	for len(heads) > 0 {
		r := heads[0]
		if lowest < 0 || !bytes.Equal(r.name, name) {
			name, lowest = append(name[:0], r.name...), r.number
		}
		first[r.number] = lowest
		if r.readNext() {
			heap.Fix(&heads, 0)
		} else {
			heap.Pop(&heads)
		}
	}
	return first, nil
}

// run is a sorted list of names with their numbers, and the position of its reader.
type run struct {
	rest   *bufio.Reader
	name   []byte
	number int32
}

func (r *run) readNext() bool {
	size, err := binary.ReadUvarint(r.rest)
	if err != nil {
		return false
	}
	r.name = slices.Grow(r.name[:0], int(size))[:size]
	if _, err := io.ReadFull(r.rest, r.name); err != nil {
		return false
	}
	number, err := binary.ReadUvarint(r.rest)
	r.number = int32(number)
	return err == nil
}

// runs is a heap by name, then number.
type runs []*run

func (h runs) Len() int { return len(h) }
func (h runs) Less(a, b int) bool {
	return cmp.Or(bytes.Compare(h[a].name, h[b].name), cmp.Compare(h[a].number, h[b].number)) < 0
}
func (h runs) Swap(a, b int) { h[a], h[b] = h[b], h[a] }
func (h *runs) Push(x any)   { *h = append(*h, x.(*run)) }
func (h *runs) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
