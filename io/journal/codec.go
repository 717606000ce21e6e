package journal

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"time"
)

var errShort = errors.New("damaged: its contents end too early or make no sense")

// codec writes values to bytes, or reads them back. Every method does both, so that the layout of a record is written
// down once. After an error, methods do nothing.
//
// Whole numbers are variable-length (zigzag), floats eight bytes, little-endian. A text is 0, its length and its bytes at
// its first occurrence, and its number (from 1, in order of occurrence) after that.
type codec struct {
	buf     []byte // written so far, or left to read
	reading bool
	err     error
	known   []string          // texts, when reading
	number  map[string]uint64 // of texts, when writing
}

func newWriter(buf []byte) *codec { return &codec{buf: buf, number: map[string]uint64{}} }
func newReader(buf []byte) *codec { return &codec{buf: buf, reading: true} }

// takeBytes returns the next n bytes to read, nil if there are fewer.
func (c *codec) takeBytes(n uint64) []byte {
	if c.err != nil || n > uint64(len(c.buf)) {
		c.err = errShort
		return nil
	}
	b := c.buf[:n]
	c.buf = c.buf[n:]
	return b
}

func (c *codec) codeUint(n *uint64) {
	if !c.reading {
		c.buf = binary.AppendUvarint(c.buf, *n)
		return
	}
	v, size := binary.Uvarint(c.buf)
	if size <= 0 {
		c.err, v, size = errShort, 0, 0
	}
	*n, c.buf = v, c.buf[size:]
}

// codeInt codes a signed number; reading one beyond the range of its type is an error.
func codeInt[T ~int32 | ~int64](c *codec, v *T) {
	n := uint64(int64(*v)<<1) ^ uint64(int64(*v)>>63)
	c.codeUint(&n)
	if c.reading {
		signed := int64(n>>1) ^ -int64(n&1)
		if *v = T(signed); int64(*v) != signed {
			c.err = errShort
		}
	}
}

func (c *codec) codeBool(v *bool) {
	n := int32(0)
	if *v {
		n = 1
	}
	codeInt(c, &n)
	*v = n != 0
}

func (c *codec) codeFloat(v *float64) {
	if !c.reading {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, math.Float64bits(*v))
	} else if b := c.takeBytes(8); b != nil {
		*v = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
}

// codeBytes codes the length and the bytes. No bytes are read as nil.
func (c *codec) codeBytes(b *[]byte) {
	size := uint64(len(*b))
	c.codeUint(&size)
	if !c.reading {
		c.buf = append(c.buf, *b...)
	} else if size > 0 {
		*b = slices.Clone(c.takeBytes(size))
	}
}

func (c *codec) codeText(s *string) {
	if c.reading {
		c.readText(s)
		return
	}
	n := c.number[*s]
	c.codeUint(&n)
	if n == 0 {
		c.number[*s] = uint64(len(c.number) + 1)
		size := uint64(len(*s))
		c.codeUint(&size)
		c.buf = append(c.buf, *s...)
	}
}

func (c *codec) readText(s *string) {
	var n, size uint64
	c.codeUint(&n)
	switch {
	case c.err != nil:
	case n == 0:
		c.codeUint(&size)
		*s = string(c.takeBytes(size))
		c.known = append(c.known, *s)
	case n <= uint64(len(c.known)):
		*s = c.known[n-1]
	default:
		c.err = errShort
	}
}

// codeTime keeps nanoseconds and drops the time zone.
func (c *codec) codeTime(t *time.Time) {
	seconds, nanos := t.Unix(), int32(t.Nanosecond())
	codeInt(c, &seconds)
	codeInt(c, &nanos)
	if c.reading {
		*t = time.Unix(seconds, int64(nanos)).UTC()
	}
}

// codeList codes the number of elements and the elements, each of at least one byte. An empty list is read as nil.
func codeList[T any](c *codec, s *[]T, element func(*T)) {
	n := uint64(len(*s))
	c.codeUint(&n)
	if c.reading {
		if *s = nil; n > uint64(len(c.buf)) {
			c.err = errShort
		}
		if n == 0 || c.err != nil {
			return
		}
		*s = make([]T, n)
	}
	for i := range *s {
		if element(&(*s)[i]); c.err != nil {
			return
		}
	}
}
