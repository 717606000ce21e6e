package data

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"slices"
)

// Identify sets the digests of a data set from its content: columns with names and classes, values, responses with levels, ids, groups,
// times, weights, parts, sequences, tasks and true coefficients, all in order. Name, facts, account and source (format, line ends, compression) do
// not matter. TrainingDigest covers the given training rows and what occurs in them; it equals Digest if no test rows are given.
// O(entries + columns).
func (d *Dataset) Identify() {
	d.Digest = d.digestOf(nil)
	d.TrainingDigest = d.Digest
	if d.Part != nil {
		d.TrainingDigest = d.digestOf(d.trainingRows())
	}
}

// trainingRows returns the rows given as training.
func (d *Dataset) trainingRows() []int32 {
	rows := []int32{}
	for i, part := range d.Part {
		if part == 0 {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// digestOf returns the digest of the data set (nil rows), or of some rows with the columns, levels and groups that occur in them.
func (d *Dataset) digestOf(rows []int32) string {
	h := &fieldHasher{sum: sha256.New()}
	of := *d
	var columns []int32
	if rows != nil {
		columns = d.X.Occurring(rows)
		of.pickRows(d, rows)
		for t := range of.Targets {
			if target := &of.Targets[t]; target.Type == Class && target.Numbers == nil {
				*target = target.withoutEmptyLevels()
			}
		}
		of.Factor, of.Texts = ValuesAt(d.Factor, columns), d.Texts.At(columns)
		of.Sequences, of.Tasks, of.Truth, of.Part = nil, nil, nil, nil
	}
	h.addText("tenfold data set 2")
	h.addFeatures(d.Features, columns)
	h.addMatrix(d, rows, columns)
	addIntegers(h, "factor", of.Factor)
	if t := of.Texts; t != nil {
		h.addTexts("texts", t.Names)
		addIntegers(h, "of", t.Of)
	}
	for t := range of.Targets {
		h.addTarget(&of.Targets[t])
	}
	h.addTexts("ids", of.IDs)
	if g := of.Groups; g != nil {
		h.addText("groups " + g.Name)
		addIntegers(h, "of", g.Of)
		addIntegers(h, "key", g.Key)
	}
	h.addFloats("time", of.Time)
	h.addFloats("weight", of.Weight)
	addIntegers(h, "part", of.Part)
	h.addSequences(of.Sequences)
	if t := of.Tasks; t != nil {
		h.addTexts("tasks", t.Names)
		addIntegers(h, "of", t.Of)
	}
	if of.Truth != nil {
		h.openField("truth", len(of.Truth))
		for _, c := range of.Truth {
			h.addNumber(uint64(c.Feature))
			h.addNumber(uint64(c.Target))
			h.addNumber(canonicalBits(c.Value))
		}
	}
	h.flushBuffer()
	return hex.EncodeToString(h.sum.Sum(nil))
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

// addFeatures adds the names and classes of some columns, nil for all.
func (h *fieldHasher) addFeatures(f *Features, columns []int32) {
	if columns == nil {
		columns = Numbers(f.Len())
	}
	h.openField("columns", len(columns))
	for _, j := range columns {
		h.addText(f.Name(int(j)))
	}
	if !f.HasClasses() {
		return
	}
	h.openField("classes", len(columns))
	for _, j := range columns {
		if c := f.Class(int(j)); c < 0 {
			h.addNumber(0)
		} else {
			h.addNumber(1)
			h.addText(f.classes[c])
		}
	}
}

// addMatrix adds some rows and columns of the matrix, nil for all. It encodes column numbers and values compactly: there may be billions.
func (h *fieldHasher) addMatrix(d *Dataset, rows, columns []int32) {
	n, cols := d.X.Dims()
	to := []int32(nil)
	if columns != nil {
		to = PlacesOf(columns, cols)
	}
	if rows != nil {
		n = len(rows)
	}
	ones := d.X.Binary() || d.onesAlone(rows)
	h.openField("rows", n)
	for k := range n {
		i := k
		if rows != nil {
			i = int(rows[k])
		}
		row := d.X.Row(i)
		h.addNumber(uint64(len(row.Idx)))
		for q, j := range row.Idx {
			if len(h.buf) >= 1<<15 {
				h.flushBuffer()
			}
			if to != nil {
				j = to[j]
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

// onesAlone reports whether all stored values of some rows are one.
func (d *Dataset) onesAlone(rows []int32) bool {
	n, _ := d.X.Dims()
	other := func(i int) bool { return slices.ContainsFunc(d.X.Row(i).Val, func(v float64) bool { return v != 1 }) }
	if rows == nil {
		for i := range n {
			if other(i) {
				return false
			}
		}
		return true
	}
	return !slices.ContainsFunc(rows, func(i int32) bool { return other(int(i)) })
}

func (h *fieldHasher) addTarget(t *Target) {
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

func (h *fieldHasher) addSequences(s *Sequences) {
	if s == nil {
		return
	}
	addIntegers(h, "sequences", s.Start)
	h.addNumber(uint64(s.Static))
	for _, of := range s.Parts {
		addIntegers(h, "parts", of)
	}
	for _, p := range s.Previous {
		addIntegers(h, "back", p.Back)
		h.addNumber(uint64(p.Parts))
		addIntegers(h, "ptr", p.Ptr)
		addIntegers(h, "code", p.Code)
		addIntegers(h, "column", p.Column)
	}
}
