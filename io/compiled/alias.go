package compiled

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"
)

// The files hold little-endian numbers. Where memory does too, arrays and bytes are one and the same memory; elsewhere
// they are copied. All of the package's unsafe code is in this file.

// number is a type of array elements; int is stored as int64.
type number interface {
	int8 | uint8 | int32 | int64 | uint64 | float64
}

func littleEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// toBytes keeps the difference between nil and empty, as do the functions below.
func toBytes[T number](s []T) []byte {
	switch {
	case s == nil:
		return nil
	case len(s) == 0:
		return []byte{}
	case littleEndian():
		return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*binary.Size(s[0]))
	}
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, s) // fails only for types without a fixed size
	return b.Bytes()
}

// fromBytes returns an error if b is not a whole number of numbers.
func fromBytes[T number](b []byte) ([]T, error) {
	var one T
	size := binary.Size(one)
	switch {
	case b == nil:
		return nil, nil
	case len(b)%size != 0:
		return nil, fmt.Errorf("%d bytes, expected a multiple of %d", len(b), size)
	case len(b) == 0:
		return []T{}, nil
	}
	if first := unsafe.Pointer(&b[0]); littleEndian() && uintptr(first)%uintptr(size) == 0 {
		return unsafe.Slice((*T)(first), len(b)/size), nil
	}
	s := make([]T, len(b)/size)
	_, err := binary.Decode(b, binary.LittleEndian, s)
	return s, err
}

// toString shares the memory of b, which must never change.
func toString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// fromString shares the memory of s: read it, never write.
func fromString(s string) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice(unsafe.StringData(s), len(s))
}

const sameInt = math.MaxInt == math.MaxInt64

func toInt64(s []int) []int64 { return convertInts[int, int64](s) }

// toInt returns an error for numbers that int cannot hold on this machine.
func toInt(s []int64) ([]int, error) {
	if !sameInt {
		for _, v := range s {
			if int64(int(v)) != v {
				return nil, fmt.Errorf("number %d is too large for this machine", v)
			}
		}
	}
	return convertInts[int64, int](s), nil
}

func convertInts[A, B int | int64](s []A) []B {
	if s == nil {
		return nil
	}
	if sameInt && len(s) > 0 {
		return unsafe.Slice((*B)(unsafe.Pointer(&s[0])), len(s))
	}
	out := make([]B, len(s)) // also for an empty slice, which has no first element
	for i, v := range s {
		out[i] = B(v)
	}
	return out
}
