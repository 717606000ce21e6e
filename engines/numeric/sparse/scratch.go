package sparse

// Scratch lends memory for arrays in the size of the data, such as files that the system may write out when memory is short. Arrays
// are all zeros, and last as long as the scratch does, which is longer than anything made from the matrix. Safe for several
// goroutines.
type Scratch interface {
	Bytes(n int) []byte
	Int32s(n int) []int32
	Uint64s(n int) []uint64
	Float64s(n int) []float64
}

// On returns the matrix such that what is made from it (rows picked, columns kept or laid out) is allocated in scratch if large;
// nil stands for the program's own memory. It shares the rows, and lays out its columns anew.
func (m *Matrix) On(scratch Scratch) *Matrix {
	return &Matrix{cols: m.cols, ptr: m.ptr, start: m.start, end: m.end, idx: m.idx, val: m.val, entries: m.entries, scratch: scratch}
}

// Scratch returns what the arrays of m are allocated in if large, nil for the program's own memory.
func (m *Matrix) Scratch() Scratch { return m.scratch }

// large is the number of bytes from which an array goes to scratch.
const large = 1 << 20

// Int32s returns n zeros, in the scratch of m if there is one and they are large.
func (m *Matrix) Int32s(n int) []int32 {
	if m.scratch == nil || 4*n < large {
		return make([]int32, n)
	}
	return m.scratch.Int32s(n)
}

// Float64s returns n zeros, in the scratch of m if there is one and they are large.
func (m *Matrix) Float64s(n int) []float64 {
	if m.scratch == nil || 8*n < large {
		return make([]float64, n)
	}
	return m.scratch.Float64s(n)
}

// Uint64s returns n zeros, in the scratch of m if there is one and they are large.
func (m *Matrix) Uint64s(n int) []uint64 {
	if m.scratch == nil || 8*n < large {
		return make([]uint64, n)
	}
	return m.scratch.Uint64s(n)
}

// Bytes returns n zeros, in the scratch of m if there is one and they are large.
func (m *Matrix) Bytes(n int) []byte {
	if m.scratch == nil || n < large {
		return make([]byte, n)
	}
	return m.scratch.Bytes(n)
}

// window is how many bytes of a scratch are written at random at a time: they have to be resident, or every write waits for the
// disk.
const window = 512 << 20

// ColumnBands splits the columns, of which column j takes ptr[j+1] − ptr[j] times size bytes, into ranges that are laid out one
// after the other: each takes at most a window of scratch, unless one column alone is larger. In the program's own memory all are
// one range.
func ColumnBands[N int | uint32](m *Matrix, ptr []N, size int) (ranges [][2]int32) {
	return columnBands(m.scratch, ptr, size, window)
}

func columnBands[N int | uint32](s Scratch, ptr []N, size, window int) (ranges [][2]int32) {
	last := len(ptr) - 1
	if s == nil {
		return [][2]int32{{0, int32(last)}}
	}
	for first := 0; first < last; {
		end := first + 1
		for end < last && int(ptr[end+1]-ptr[first])*size <= window {
			end++
		}
		ranges = append(ranges, [2]int32{int32(first), int32(end)})
		first = end
	}
	return ranges
}
