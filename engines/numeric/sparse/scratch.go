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

// large is the number of bytes from which an array goes to scratch.
const large = 1 << 20

func int32s(s Scratch, n int) []int32 {
	if s == nil || 4*n < large {
		return make([]int32, n)
	}
	return s.Int32s(n)
}

func float64s(s Scratch, n int) []float64 {
	if s == nil || 8*n < large {
		return make([]float64, n)
	}
	return s.Float64s(n)
}

func uint64s(s Scratch, n int) []uint64 {
	if s == nil || 8*n < large {
		return make([]uint64, n)
	}
	return s.Uint64s(n)
}

func bytesOf(s Scratch, n int) []byte {
	if s == nil || n < large {
		return make([]byte, n)
	}
	return s.Bytes(n)
}

// window is how many bytes of a scratch are written at random at a time: they have to be resident, or every write waits for the
// disk.
const window = 512 << 20

// columnBands splits the columns, of which column j takes ptr[j+1] − ptr[j] times size bytes, into ranges that are laid out one
// after the other: each takes at most a window of scratch, unless one column alone is larger. In the program's own memory all are
// one range.
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
