package scratch

import "unsafe"

// All of the package's unsafe code is in this file. Files are read by the process that wrote them, so numbers lie in them as in
// memory.

// number is what arrays are made of.
type number interface{ int32 | uint64 | float64 }

// raw returns the same memory as bytes.
func raw[T number](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// view returns the same memory as numbers; mappings begin at a page, so they are aligned.
func view[T number](b []byte, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}
