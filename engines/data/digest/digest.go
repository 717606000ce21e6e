// Package digest identifies data sets by their content: Identify, where to begin, hashes them field by field. One digest covers all
// that a fit or a score may depend on, and another the training rows alone, from which seeds derive. Empty fields are skipped, so that
// new fields leave old digests as they are. Where the content came from is no part of it.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/data/sequence"
	"tenfold/engines/numeric/sparse"
)

// Identify sets the digests of a data set from its content: columns with names and classes, values, responses with levels, ids, groups,
// times, weights, parts, sequences, tasks and true coefficients, all in order. Name, facts, account and source (format, line ends, compression) do
// not matter. TrainingDigest covers the rows given for training, all if no part is, and what occurs in them, in whatever order the
// columns are. O(entries + columns).
func Identify(d *data.Dataset) {
	d.Digest, d.TrainingDigest = whole(d), training(d)
}

// whole returns the digest of everything.
func whole(d *data.Dataset) string {
	h := &fieldHasher{sum: sha256.New()}
	h.addText("tenfold data set 2")
	h.addFeatures(d.Features)
	h.addMatrix(d.X)
	addIntegers(h, "factor", d.Factor)
	if t := d.Texts; t != nil {
		h.addTexts("texts", t.Names)
		addIntegers(h, "of", t.Of)
	}
	h.addRows(d)
	addIntegers(h, "part", d.Part)
	h.addSequences(d.Sequences)
	if t := d.Tasks; t != nil {
		h.addTexts("tasks", t.Names)
		addIntegers(h, "of", t.Of)
	}
	if d.Truth != nil {
		h.openField("truth", len(d.Truth))
		for _, c := range d.Truth {
			h.addNumber(uint64(c.Feature))
			h.addNumber(uint64(c.Target))
			h.addNumber(canonicalBits(c.Value))
		}
	}
	return h.digest()
}

// training returns the digest of the training rows, which knows a column by its name, its class and whether it is of a level. A row is the sum of hashes of its entries.
func training(d *data.Dataset) string {
	h, rest, x := &fieldHasher{sum: sha256.New()}, *d, d.X
	if d.Part != nil {
		rows := trainingRows(d)
		rest.PickRows(d, rows)
		x = d.X.Pick(rows)
	}
	rest.Targets = slices.Clone(rest.Targets)
	for t := range rest.Targets {
		if target := &rest.Targets[t]; target.Type == data.Class && target.Numbers == nil {
			*target = target.WithoutEmptyLevels()
		}
	}
	h.addText("tenfold training rows 1")
	column := make([]uint64, d.Features.Len())
	for j := range column {
		class, kind := "", "number"
		if c := d.Features.Class(j); c >= 0 {
			class = d.Features.Classes()[c]
		}
		if d.Factor != nil && d.Factor[j] >= 0 {
			kind = "level"
		}
		column[j] = data.Key(d.Features.Name(j), class, kind)
	}
	rows, _ := x.Dims()
	h.openField("rows", rows)
	for i := range rows {
		row, sum := x.Row(i), uint64(0)
		for q, j := range row.Idx {
			sum += data.Mix(column[j] ^ data.Mix(canonicalBits(row.At(q))))
		}
		h.addNumber(sum)
	}
	h.addRows(&rest)
	return h.digest()
}

// trainingRows returns the rows given as training.
func trainingRows(d *data.Dataset) []int32 {
	rows := []int32{}
	for i, part := range d.Part {
		if part == 0 {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// fieldHasher hashes a data set field by field. Empty fields are skipped, so that new fields leave old digests as they are.
type fieldHasher struct {
	sum hash.Hash
	buf []byte
}

func (h *fieldHasher) flushBuffer() {
	h.sum.Write(h.buf)
	h.buf = h.buf[:0]
}

func (h *fieldHasher) digest() string {
	h.flushBuffer()
	return hex.EncodeToString(h.sum.Sum(nil))
}

func (h *fieldHasher) addNumber(v uint64) {
	if len(h.buf) >= 1<<15 {
		h.flushBuffer()
	}
	h.buf = binary.LittleEndian.AppendUint64(h.buf, v)
}

func (h *fieldHasher) addText(s string) {
	h.addNumber(uint64(len(s)))
	h.buf = append(h.buf, s...)
}

// openField begins a field of n parts.
func (h *fieldHasher) openField(name string, n int) {
	h.addText(name)
	h.addNumber(uint64(n))
}

func (h *fieldHasher) addTexts(name string, list []string) {
	if len(list) == 0 {
		return
	}
	h.openField(name, len(list))
	for _, s := range list {
		h.addText(s)
	}
}

func addIntegers[T int8 | int32 | int64 | uint64](h *fieldHasher, name string, list []T) {
	if len(list) == 0 {
		return
	}
	h.openField(name, len(list))
	for _, v := range list {
		h.addNumber(uint64(v))
	}
}

func (h *fieldHasher) addFloats(name string, list []float64) {
	if len(list) == 0 {
		return
	}
	h.openField(name, len(list))
	for _, v := range list {
		h.addNumber(canonicalBits(v))
	}
}

// canonicalBits returns the bits of a number, equal for every NaN.
func canonicalBits(v float64) uint64 {
	if v != v {
		v = math.NaN()
	}
	return math.Float64bits(v)
}

// addFeatures adds the names and classes of the columns.
func (h *fieldHasher) addFeatures(f *data.Features) {
	h.openField("columns", f.Len())
	for j := range f.Len() {
		h.addText(f.Name(j))
	}
	if !f.HasClasses() {
		return
	}
	h.openField("classes", f.Len())
	for j := range f.Len() {
		if c := f.Class(j); c < 0 {
			h.addNumber(0)
		} else {
			h.addNumber(1)
			h.addText(f.Classes()[c])
		}
	}
}

// addMatrix adds the matrix. It encodes column numbers and values compactly: there may be billions.
func (h *fieldHasher) addMatrix(x *sparse.Matrix) {
	n, _ := x.Dims()
	ones := true
	for i := 0; i < n && ones; i++ {
		ones = !slices.ContainsFunc(x.Row(i).Val, func(v float64) bool { return v != 1 })
	}
	h.openField("rows", n)
	for i := range n {
		row := x.Row(i)
		h.addNumber(uint64(len(row.Idx)))
		for q, j := range row.Idx {
			if len(h.buf) >= 1<<15 {
				h.flushBuffer()
			}
			h.buf = binary.LittleEndian.AppendUint32(h.buf, uint32(j))
			if !ones {
				h.buf = binary.LittleEndian.AppendUint64(h.buf, canonicalBits(row.Val[q]))
			}
		}
	}
	if ones {
		h.addText("ones")
	}
}

// addRows adds what rows have beside their values.
func (h *fieldHasher) addRows(d *data.Dataset) {
	for t := range d.Targets {
		h.addTarget(&d.Targets[t])
	}
	h.addTexts("ids", d.IDs)
	if g := d.Groups; g != nil {
		h.addText("groups " + g.Name)
		addIntegers(h, "of", g.Of)
		addIntegers(h, "key", g.Key)
	}
	h.addFloats("time", d.Time)
	h.addFloats("weight", d.Weight)
	h.addFloats("exposure", d.Exposure)
}

func (h *fieldHasher) addTarget(t *data.Target) {
	h.addText("target " + t.Name)
	h.addText(t.Group)
	h.addNumber(uint64(t.Type))
	h.addTexts("levels", t.Levels)
	h.addFloats("values", t.Values)
	addIntegers(h, "rows", t.Rows)
	if p := t.Pairs; p != nil {
		addIntegers(h, "left", p.Left)
		addIntegers(h, "right", p.Right)
		h.addNumber(canonicalBits(p.Kappa))
	}
	if t.Pooled {
		h.addText("pooled")
	}
	h.addNumber(uint64(t.Positive))
	h.addFloats("numbers", t.Numbers)
	addIntegers(h, "events", t.Events)
}

func (h *fieldHasher) addSequences(s *sequence.Sequences) {
	if s == nil {
		return
	}
	addIntegers(h, "sequences", s.Start)
	h.addNumber(uint64(s.Static))
	for _, parts := range s.Parts {
		addIntegers(h, "parts", parts)
	}
	for _, p := range s.Previous {
		addIntegers(h, "back", p.Back)
		h.addNumber(uint64(p.Parts))
		addIntegers(h, "ptr", p.Ptr)
		addIntegers(h, "code", p.Code)
		addIntegers(h, "column", p.Column)
	}
}
