package npz

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

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

var (
	number = regexp.MustCompile(`^(\|[biu]1|[<>]([iu][248]|f[248]))$`)
	word   = regexp.MustCompile(`^(\|S|[<>]U)[0-9]{1,7}$`)

	descr   = regexp.MustCompile(`'descr': *'([^']*)'`)
	fortran = regexp.MustCompile(`'fortran_order': *(True|False)`)
	shape   = regexp.MustCompile(`'shape': *\(([0-9L, ]*)\)`)
)

// openArray reads the array of numbers or texts given for a role.
func openArray(in source.Input, role string) (array, error) {
	content, file, err := in.Bytes(role)
	if err != nil {
		return array{}, err
	}
	if bytes.HasPrefix(content, []byte("PK")) {
		return array{}, severalArrays(in, file, content)
	}
	return numbersOrTexts(file, content)
}

// parseNumbers reads an array of numbers; its values cover the whole of its shape.
func parseNumbers(file string, content []byte) (array, error) {
	a, err := parseHeader(file, content)
	if err != nil {
		return array{}, err
	}
	switch {
	case word.MatchString(a.dtype):
		return array{}, fmt.Errorf("%s: texts (type %s), expected numbers", file, a.dtype)
	case strings.HasSuffix(a.dtype, "O"):
		return array{}, fmt.Errorf("%s: Python objects (type %s), which only Python reads; save texts with astype(str), and numbers with astype(float)", file, a.dtype)
	case !number.MatchString(a.dtype):
		return array{}, fmt.Errorf("%s: values of type %s, expected b1 (bool), i1 to i8, u1 to u8, f2, f4 or f8", file, a.dtype)
	}
	return a, a.checkSize()
}

// numbersOrTexts reads an array of either. Texts are bytes that are UTF-8, or code points.
func numbersOrTexts(file string, content []byte) (array, error) {
	if a, err := parseHeader(file, content); err == nil && word.MatchString(a.dtype) {
		return a, a.checkSize()
	}
	return parseNumbers(file, content)
}

// checkSize checks that the values cover the whole of the shape.
func (a array) checkSize() error {
	size := a.valueSize()
	want := size
	for _, n := range a.shape {
		if n > 0 && want > math.MaxInt/n {
			return fmt.Errorf("%s: shape %v is too large", a.file, a.shape)
		}
		want *= n
	}
	if len(a.body) != want {
		return fmt.Errorf("%s: %d bytes of values, expected %d for shape %v of %s", a.file, len(a.body), want, a.shape, a.dtype)
	}
	return nil
}

// parseHeader reads the header of an .npy file, a Python dictionary.
func parseHeader(file string, content []byte) (array, error) {
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

// isInteger reports whether the values are whole numbers by their type.
func (a array) isInteger() bool { return !a.isText() && a.dtype[1] != 'f' }

// isText reports whether the values are texts.
func (a array) isText() bool { return len(a.dtype) > 2 && (a.dtype[1] == 'U' || a.dtype[1] == 'S') }

// valueSize returns the size of a value in bytes.
func (a array) valueSize() int {
	n, _ := strconv.Atoi(a.dtype[2:]) // as its pattern has it
	if a.dtype[1] == 'U' {
		return 4 * n
	}
	return n
}

// byteOrder returns that of the bytes of a value.
func (a array) byteOrder() binary.ByteOrder {
	if a.dtype[0] == '>' {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// columns returns the number of columns; an array of one dimension has one.
func (a array) columns() int {
	if len(a.shape) < 2 {
		return 1
	}
	return a.shape[1]
}

// indexOf returns the place of row i, column j.
func (a array) indexOf(i, j int) int {
	if a.fortran {
		return j*a.shape[0] + i
	}
	return i*a.columns() + j
}

// integerAt returns value k of an array of integers.
func (a array) integerAt(k int) int64 {
	switch a.dtype {
	case "<i4":
		return int64(int32(binary.LittleEndian.Uint32(a.body[4*k:])))
	case "<i8":
		return int64(binary.LittleEndian.Uint64(a.body[8*k:]))
	case "|u1", "|b1":
		return int64(a.body[k])
	case "|i1":
		return int64(int8(a.body[k]))
	}
	order, signed := a.byteOrder(), a.dtype[1] == 'i'
	switch a.dtype[2] {
	case '2':
		v := order.Uint16(a.body[2*k:])
		if signed {
			return int64(int16(v))
		}
		return int64(v)
	case '4':
		v := order.Uint32(a.body[4*k:])
		if signed {
			return int64(int32(v))
		}
		return int64(v)
	}
	return int64(order.Uint64(a.body[8*k:])) // of u8 beyond 2⁶³ − 1 it is negative
}

// floatAt returns value k.
func (a array) floatAt(k int) float64 {
	switch a.dtype {
	case "<f4":
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(a.body[4*k:])))
	case "<f8":
		return math.Float64frombits(binary.LittleEndian.Uint64(a.body[8*k:]))
	case ">f4":
		return float64(math.Float32frombits(binary.BigEndian.Uint32(a.body[4*k:])))
	case ">f8":
		return math.Float64frombits(binary.BigEndian.Uint64(a.body[8*k:]))
	case "<f2", ">f2":
		return float16(a.byteOrder().Uint16(a.body[2*k:]))
	case "<u8", ">u8":
		return float64(uint64(a.integerAt(k)))
	}
	return float64(a.integerAt(k))
}

// float16 decodes a half-precision number of IEEE 754: a sign, five bits of exponent, ten of fraction.
func float16(bits uint16) float64 {
	exponent, fraction := int(bits>>10&0x1f), float64(bits&0x3ff)
	v := math.Ldexp(1024+fraction, exponent-25)
	switch {
	case exponent == 0:
		v = math.Ldexp(fraction, -24)
	case exponent == 0x1f && fraction == 0:
		v = math.Inf(1)
	case exponent == 0x1f:
		return math.NaN()
	}
	if bits>>15 == 1 {
		return -v
	}
	return v
}

// textAt returns value k of an array of texts, without the zeros that fill it up.
func (a array) textAt(k int) (string, error) {
	size := a.valueSize()
	cell := a.body[size*k : size*(k+1)]
	if a.dtype[1] == 'S' {
		if cell = bytes.TrimRight(cell, "\x00"); !utf8.Valid(cell) {
			return "", fmt.Errorf("%s: value %d (from 0), %q, is no UTF-8", a.file, k, cell)
		}
		return string(cell), nil
	}
	var out []rune
	for ; len(cell) > 0; cell = cell[4:] {
		r := rune(a.byteOrder().Uint32(cell))
		if !utf8.ValidRune(r) {
			return "", fmt.Errorf("%s: value %d (from 0) has %#x, which is no character of Unicode", a.file, k, uint32(r))
		}
		out = append(out, r)
	}
	return strings.TrimRight(string(out), "\x00"), nil
}

// allOnes reports whether the first n values are one. Its inner loops run over every entry of the largest files.
func (a array) allOnes(n int) bool {
	switch a.dtype {
	case "<f4":
		return allEqual32(a.body[:4*n], math.Float32bits(1))
	case "<i4":
		return allEqual32(a.body[:4*n], 1)
	}
	for k := range n {
		if a.floatAt(k) != 1 {
			return false
		}
	}
	return true
}

func allEqual32(b []byte, want uint32) bool {
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
		j := a.integerAt(k)
		if j < 0 || j > math.MaxInt32 {
			return dst, fmt.Errorf("entry %d (from 0) of indices is %d, expected 0 to %d", k, j, math.MaxInt32)
		}
		dst = append(dst, int32(j))
	}
	return dst, nil
}
