package journal

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"reflect"

	"tenfold/io/results"
)

// A file is the magic, the version (one byte), the CRC-32C of all that follows (four bytes, little-endian), and then, by
// encoding/gob, an opening and a content.
const (
	magic   = "tenfold cell"
	version = 1
	header  = len(magic) + 1 + 4
)

// opening is what planning needs of an outcome, decoded without the rest.
type opening struct {
	Unit string
	Head results.Head
}

type content struct {
	Outcome       *results.Outcome
	NegativeZeros []int // numbers of the fields that are -0, as eachFloat visits them: gob omits fields that equal 0
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// cell is a stored outcome, checked and decoded as far as its head.
type cell struct {
	head results.Head
	in   *bytes.Reader
	gob  *gob.Decoder // of in, before the content
}

func encodeCell(unit string, o *results.Outcome) ([]byte, error) {
	out := bytes.NewBuffer(append(make([]byte, 0, 1<<12), magic+string(rune(version))+"\x00\x00\x00\x00"...))
	c := content{Outcome: o}
	n := 0
	eachFloat(reflect.ValueOf(o), func(v reflect.Value) {
		if v.Float() == 0 && math.Signbit(v.Float()) {
			c.NegativeZeros = append(c.NegativeZeros, n)
		}
		n++
	})
	enc := gob.NewEncoder(out)
	if err := errors.Join(enc.Encode(opening{unit, o.Head()}), enc.Encode(c)); err != nil {
		return nil, err
	}
	b := out.Bytes()
	binary.LittleEndian.PutUint32(b[header-4:], crc32.Checksum(b[header:], castagnoli))
	return b, nil
}

// eachFloat visits the floats among the fields of a struct and of those inside it, in the order of their declaration.
func eachFloat(v reflect.Value, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Float64:
		visit(v)
	case reflect.Pointer:
		eachFloat(v.Elem(), visit)
	case reflect.Struct:
		for f, inner := range v.Fields() {
			if f.IsExported() {
				eachFloat(inner, visit)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Struct {
			for i := range v.Len() {
				eachFloat(v.Index(i), visit)
			}
		}
	}
}

// checkCell returns an error unless b is a whole file of this unit.
func checkCell(unit string, b []byte) (*cell, error) {
	switch {
	case len(b) < header || !bytes.HasPrefix(b, []byte(magic)):
		return nil, errors.New("damaged: it does not begin as a stored outcome")
	case b[len(magic)] != version:
		return nil, fmt.Errorf("written by another version of tenfold (layout %d, this one reads %d)", b[len(magic)], version)
	case binary.LittleEndian.Uint32(b[header-4:]) != crc32.Checksum(b[header:], castagnoli):
		return nil, fmt.Errorf("damaged: its checksum does not match its %d bytes", len(b))
	}
	return openCell(unit, b[header:])
}

// openCell decodes the opening.
func openCell(unit string, b []byte) (*cell, error) {
	in := bytes.NewReader(b)
	c := &cell{in: in, gob: gob.NewDecoder(in)}
	var o opening
	if err := c.gob.Decode(&o); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	if o.Unit != unit {
		return nil, fmt.Errorf("it holds the outcome of unit %q", o.Unit)
	}
	c.head = o.Head
	return c, nil
}

// decodeOutcome decodes the outcome. It can be called once.
func (c *cell) decodeOutcome() (*results.Outcome, error) {
	decoded := content{Outcome: new(results.Outcome)}
	if err := c.gob.Decode(&decoded); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	if n := c.in.Len(); n > 0 {
		return nil, fmt.Errorf("damaged: %d bytes too many", n)
	}
	n, negative := 0, decoded.NegativeZeros
	eachFloat(reflect.ValueOf(decoded.Outcome), func(v reflect.Value) {
		if len(negative) > 0 && negative[0] == n {
			v.SetFloat(math.Copysign(0, -1))
			negative = negative[1:]
		}
		n++
	})
	return decoded.Outcome, nil
}
