package mat

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Classes of variables (MAT-File Format, table 1-3).
const (
	cellClass = 1 + iota
	structClass
	objectClass
	charClass
	sparseClass
	doubleClass
	singleClass
	int8Class
	uint8Class
	int16Class
	uint16Class
	int32Class
	uint32Class
	int64Class
	uint64Class
	functionClass
	opaqueClass
)

var classNames = map[uint8]string{
	cellClass: "cell", structClass: "struct", objectClass: "object", charClass: "char", sparseClass: "sparse", doubleClass: "double", singleClass: "single",
	int8Class: "int8", uint8Class: "uint8", int16Class: "int16", uint16Class: "uint16", int32Class: "int32", uint32Class: "uint32", int64Class: "int64",
	uint64Class: "uint64", functionClass: "function handle", opaqueClass: "object of MATLAB's own, such as string or table",
}

// variable is what a matrix says of itself before its content.
type variable struct {
	name    string
	class   uint8
	complex bool
	logical bool
	shape   []int
}

func (v variable) isNumber() bool { return v.class >= doubleClass && v.class <= uint64Class }
func (v variable) isMatrix() bool { return v.isNumber() || v.class == sparseClass }
func (v variable) isText() bool   { return v.class == charClass || v.class == cellClass }

// elements returns their number in an array of this shape, below 2³¹ for any variable that describe accepts.
func (v variable) elements() int {
	n := 1
	for _, d := range v.shape {
		n *= d
	}
	return n
}

func (v variable) String() string {
	var dims []string
	for _, d := range v.shape {
		dims = append(dims, fmt.Sprint(d))
	}
	word := classNames[v.class]
	switch {
	case word == "":
		word = fmt.Sprintf("class %d", v.class)
	case v.logical:
		word = "logical"
	}
	if v.complex {
		word = "complex " + word
	}
	return strings.Join(dims, " × ") + " " + word
}

// describe reads flags, shape and name of a matrix, and leaves its content.
func (r *reader) describe() (v variable, err error) {
	flags, err := r.next(true)
	if err != nil {
		return v, err
	}
	if flags.kind != miUINT32 || len(flags.body) != 8 {
		return v, fmt.Errorf("flags of type %d in %d bytes, expected type %d in 8", flags.kind, len(flags.body), miUINT32)
	}
	word := r.order.Uint32(flags.body)
	v.class, v.logical, v.complex = uint8(word), word&0x200 != 0, word&0x800 != 0
	if v.class == opaqueClass { // names come at once, of it and its class
		name, err := r.next(true)
		v.name, v.shape = string(name.body), []int{1, 1}
		return v, err
	}
	dims, err := r.next(true)
	if err != nil {
		return v, err
	}
	if dims.kind != miINT32 || len(dims.body) < 8 || len(dims.body)%4 != 0 {
		return v, fmt.Errorf("dimensions of type %d in %d bytes, expected at least two numbers of type %d", dims.kind, len(dims.body), miINT32)
	}
	n := int64(1)
	for b := dims.body; len(b) > 0; b = b[4:] {
		d := int32(r.order.Uint32(b))
		if d < 0 {
			return v, fmt.Errorf("a dimension of %d, expected 0 or more", d)
		}
		v.shape = append(v.shape, int(d))
		if n *= int64(d); n > math.MaxInt32 && v.class != sparseClass {
			return v, fmt.Errorf("dimensions %v, expected less than 2³¹ elements", v.shape)
		}
		n = min(n, math.MaxInt32)
	}
	name, err := r.next(true)
	v.name = string(name.body)
	if !utf8.ValidString(v.name) {
		return v, fmt.Errorf("a variable's name %q, expected text", v.name)
	}
	return v, err
}

// sizes of a number of each type, in bytes.
var sizes = map[uint32]int{
	miINT8: 1, miUINT8: 1, miINT16: 2, miUINT16: 2, miINT32: 4, miUINT32: 4, miSINGLE: 4, miDOUBLE: 8, miINT64: 8, miUINT64: 8, miUTF8: 1, miUTF16: 2, miUTF32: 4,
}

// numbers are the values of an element, whatever type they were stored by: what is small is stored in few bytes, whatever its class.
type numbers struct {
	reader
	element
	each int
}

// numbers takes an element of so many numbers at least.
func (r *reader) numbers(what string, least int) (numbers, error) {
	e, err := r.next(true)
	if err != nil {
		return numbers{}, fmt.Errorf("%s: %w", what, err)
	}
	if r.truths && e.kind == miDOUBLE && len(e.body) >= least && len(e.body) < 8*least {
		e.kind = miUINT8 // MATLAB says double of the truth values of a sparse matrix, and stores bytes
	}
	n := numbers{*r, e, sizes[e.kind]}
	switch {
	case n.each == 0 || e.kind >= miUTF8:
		return n, fmt.Errorf("%s: data of type %d, expected numbers", what, e.kind)
	case len(e.body)%n.each != 0:
		return n, fmt.Errorf("%s: %d bytes, expected a multiple of %d", what, len(e.body), n.each)
	case n.len() < least:
		return n, fmt.Errorf("%s: %d numbers, expected %d", what, n.len(), least)
	}
	return n, nil
}

func (n numbers) len() int { return len(n.body) / n.each }

// value returns number k. Whole numbers beyond 2⁵³ are rounded.
func (n numbers) value(k int) float64 {
	b := n.body[k*n.each:]
	switch n.kind {
	case miINT8:
		return float64(int8(b[0]))
	case miUINT8:
		return float64(b[0])
	case miINT16:
		return float64(int16(n.order.Uint16(b)))
	case miUINT16:
		return float64(n.order.Uint16(b))
	case miINT32:
		return float64(int32(n.order.Uint32(b)))
	case miUINT32:
		return float64(n.order.Uint32(b))
	case miSINGLE:
		return float64(math.Float32frombits(n.order.Uint32(b)))
	case miINT64:
		return float64(int64(n.order.Uint64(b)))
	case miUINT64:
		return float64(n.order.Uint64(b))
	}
	return math.Float64frombits(n.order.Uint64(b))
}

// array reads the numbers of a full array, column after column.
func (p packed) array(in source.Input) (numbers, error) {
	body, err := p.content(in)
	if err != nil {
		return numbers{}, err
	}
	r := reader{order: p.order, file: p.file, rest: body}
	if _, err := r.describe(); err != nil {
		return numbers{}, fmt.Errorf("%s: variable %s: %w", p.file, p.name, err)
	}
	n, err := r.numbers("its values", p.elements())
	if err != nil {
		return n, fmt.Errorf("%s: variable %s: %w", p.file, p.name, err)
	}
	return n, nil
}

// texts returns the strings of a variable: the rows of a char array without trailing blanks, or the cells of a cell array.
func (p packed) texts(in source.Input) ([]string, error) {
	body, err := p.content(in)
	if err != nil {
		return nil, err
	}
	r := reader{order: p.order, file: p.file, rest: body}
	if _, err = r.describe(); err == nil {
		var texts []string
		if texts, err = r.texts(p.variable); err == nil {
			return texts, nil
		}
	}
	return nil, fmt.Errorf("%s: variable %s: %w", p.file, p.name, err)
}

func (r *reader) texts(v variable) ([]string, error) {
	if v.class == charClass {
		return r.chars(v)
	}
	var texts []string
	for k := range v.elements() {
		e, err := r.next(true)
		if err != nil {
			return nil, fmt.Errorf("cell %d: %w", k+1, err)
		}
		if e.kind != miMATRIX {
			return nil, fmt.Errorf("cell %d: data of type %d, expected an array", k+1, e.kind)
		}
		if len(e.body) == 0 {
			texts = append(texts, "")
			continue
		}
		inner := reader{order: r.order, file: r.file, rest: e.body}
		cell, err := inner.describe()
		if err != nil {
			return nil, fmt.Errorf("cell %d: %w", k+1, err)
		}
		switch {
		case cell.elements() == 0:
			texts = append(texts, "")
			continue
		case cell.class != charClass || len(cell.shape) != 2 || cell.shape[0] != 1:
			return nil, fmt.Errorf("cell %d: %v, expected a row of char", k+1, cell)
		}
		rows, err := inner.chars(cell)
		if err != nil {
			return nil, fmt.Errorf("cell %d: %w", k+1, err)
		}
		texts = append(texts, rows...)
	}
	return texts, nil
}

// chars returns the rows of a char array.
func (r *reader) chars(v variable) ([]string, error) {
	e, err := r.next(true)
	if err != nil {
		return nil, err
	}
	if len(v.shape) != 2 {
		return nil, fmt.Errorf("%v, expected a text a row", v)
	}
	rows, columns := v.shape[0], v.shape[1]
	units, err := r.units(e)
	if err != nil {
		return nil, err
	}
	if rows == 1 { // where a letter may be several units
		return []string{strings.TrimRight(string(units), " \x00")}, nil
	}
	if columns == 0 || len(units) != rows*columns {
		return nil, fmt.Errorf("%d letters in a char array of %d × %d", len(units), rows, columns)
	}
	texts, line := make([]string, rows), make([]rune, columns)
	for i := range texts {
		for j := range line {
			line[j] = units[j*rows+i]
		}
		texts[i] = strings.TrimRight(string(line), " \x00")
	}
	return texts, nil
}

// units returns the letters of an element of text.
func (r *reader) units(e element) ([]rune, error) {
	each := sizes[e.kind]
	if each == 0 || len(e.body)%each != 0 {
		return nil, fmt.Errorf("%d bytes of type %d, expected text", len(e.body), e.kind)
	}
	switch e.kind {
	case miUTF8:
		if !utf8.Valid(e.body) {
			return nil, fmt.Errorf("text %q, expected UTF-8", rawtext.Beginning(e.body))
		}
		return []rune(string(e.body)), nil
	case miUINT8, miINT8: // each a unit of UTF-16 below 256
		out := make([]rune, len(e.body))
		for k, b := range e.body {
			out[k] = rune(b)
		}
		return out, nil
	case miUINT16, miUTF16:
		units := make([]uint16, len(e.body)/2)
		for k := range units {
			units[k] = r.order.Uint16(e.body[2*k:])
		}
		return utf16.Decode(units), nil
	case miUTF32:
		out := make([]rune, len(e.body)/4)
		for k := range out {
			if out[k] = rune(r.order.Uint32(e.body[4*k:])); !utf8.ValidRune(out[k]) {
				return nil, fmt.Errorf("letter %#x, expected Unicode", uint32(out[k]))
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("data of type %d, expected text", e.kind)
}
