package npz

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"tenfold/io/source"
)

// array is an .npy file: its header, and its values where they lie in the file.
type array struct {
	file    string
	dtype   string
	shape   []int
	fortran bool // the first index runs fastest
	body    []byte
}

// sizes of the types of number that are read, in bytes.
var sizes = map[string]int{"<i4": 4, "<i8": 8, "|u1": 1, "|b1": 1, "<f4": 4, "<f8": 8}

var (
	descr   = regexp.MustCompile(`'descr': *'([^']*)'`)
	fortran = regexp.MustCompile(`'fortran_order': *(True|False)`)
	shape   = regexp.MustCompile(`'shape': *\(([0-9L, ]*)\)`)
)

// openArray reads the array of numbers given for a role.
func openArray(in source.Input, role string) (array, error) {
	content, file, err := in.Bytes(role)
	if err != nil {
		return array{}, err
	}
	return numbers(file, content)
}

// numbers reads an array of numbers; its values cover the whole of its shape.
func numbers(file string, content []byte) (array, error) {
	a, err := parse(file, content)
	if err != nil {
		return array{}, err
	}
	size, known := sizes[a.dtype]
	if !known {
		return array{}, fmt.Errorf("%s: values of type %s, expected <i4, <i8, |u1, |b1, <f4 or <f8", file, a.dtype)
	}
	want := size
	for _, n := range a.shape {
		if n > 0 && want > math.MaxInt/n {
			return array{}, fmt.Errorf("%s: shape %v is too large", file, a.shape)
		}
		want *= n
	}
	if len(a.body) != want {
		return array{}, fmt.Errorf("%s: %d bytes of values, expected %d for shape %v of %s", file, len(a.body), want, a.shape, a.dtype)
	}
	return a, nil
}

// parse reads the header of an .npy file, a Python dictionary.
func parse(file string, content []byte) (array, error) {
	if len(content) < 12 || string(content[:6]) != "\x93NUMPY" {
		return array{}, fmt.Errorf("%s: not an .npy file: it does not begin with \\x93NUMPY and a header", file)
	}
	var start, length int
	switch version := content[6]; version {
	case 1:
		start, length = 10, int(binary.LittleEndian.Uint16(content[8:]))
	case 2, 3:
		start, length = 12, int(binary.LittleEndian.Uint32(content[8:]))
	default:
		return array{}, fmt.Errorf("%s: version %d of the .npy format, expected 1, 2 or 3", file, version)
	}
	if length > len(content)-start {
		return array{}, fmt.Errorf("%s: the file ends in its header", file)
	}
	header := string(content[start : start+length])
	d, f, s := descr.FindStringSubmatch(header), fortran.FindStringSubmatch(header), shape.FindStringSubmatch(header)
	if d == nil || f == nil || s == nil {
		return array{}, fmt.Errorf("%s: header %q, expected descr (of one type), fortran_order and shape", file, strings.TrimSpace(header))
	}
	a := array{file: file, dtype: d[1], fortran: f[1] == "True", shape: []int{}, body: content[start+length:]}
	for _, word := range strings.Split(s[1], ",") {
		if word = strings.Trim(word, " L"); word == "" {
			continue
		}
		n, err := strconv.Atoi(word)
		if err != nil || n > math.MaxInt32 {
			return array{}, fmt.Errorf("%s: shape (%s), expected at most %d rows and columns", file, s[1], math.MaxInt32)
		}
		a.shape = append(a.shape, n)
	}
	return a, nil
}

func (a array) integers() bool { return a.dtype != "<f4" && a.dtype != "<f8" }

// width is the number of columns; an array of one dimension has one.
func (a array) width() int {
	if len(a.shape) < 2 {
		return 1
	}
	return a.shape[1]
}

// offset is the place of row i, column j.
func (a array) offset(i, j int) int {
	if a.fortran {
		return j*a.shape[0] + i
	}
	return i*a.width() + j
}

// integer is value k of an array of integers.
func (a array) integer(k int) int64 {
	switch a.dtype {
	case "<i4":
		return int64(int32(binary.LittleEndian.Uint32(a.body[4*k:])))
	case "<i8":
		return int64(binary.LittleEndian.Uint64(a.body[8*k:]))
	}
	return int64(a.body[k])
}

// float is value k.
func (a array) float(k int) float64 {
	switch a.dtype {
	case "<f4":
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(a.body[4*k:])))
	case "<f8":
		return math.Float64frombits(binary.LittleEndian.Uint64(a.body[8*k:]))
	}
	return float64(a.integer(k))
}

// ones tells whether the first n values all are one. Its inner loops run over every entry of the largest files.
func (a array) ones(n int) bool {
	switch a.dtype {
	case "<f4":
		return all32(a.body[:4*n], math.Float32bits(1))
	case "<i4":
		return all32(a.body[:4*n], 1)
	}
	for k := range n {
		if a.float(k) != 1 {
			return false
		}
	}
	return true
}

func all32(b []byte, want uint32) bool {
	for ; len(b) >= 4; b = b[4:] {
		if binary.LittleEndian.Uint32(b) != want {
			return false
		}
	}
	return true
}

// appendIndices appends the first n values to dst.
func (a array) appendIndices(dst []int32, n int) ([]int32, error) {
	if a.dtype == "<i4" {
		for b := a.body[:4*n]; len(b) >= 4; b = b[4:] {
			dst = append(dst, int32(binary.LittleEndian.Uint32(b)))
		}
		return dst, nil
	}
	for k := range n {
		j := a.integer(k)
		if j < 0 || j > math.MaxInt32 {
			return dst, fmt.Errorf("entry %d (from 0) of indices is %d, expected 0 to %d", k, j, math.MaxInt32)
		}
		dst = append(dst, int32(j))
	}
	return dst, nil
}
