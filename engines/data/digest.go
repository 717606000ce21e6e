package data

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"slices"
)

// Identify sets the digests of a data set from what is in it: columns with their names and classes, values, responses with
// their levels, ids, groups, times, weights, parts, sequences, tasks and true coefficients, all in order. Where it came from
// (format, line ends, compression), its name and its facts have no part in it. TrainingDigest is the digest of the rows given
// as training and of what occurs in them; Digest again where no test rows are given. O(entries + columns).
func (d *Dataset) Identify() {
	d.Digest = d.digest(nil)
	d.TrainingDigest = d.Digest
	if d.Part != nil {
		d.TrainingDigest = d.digest(d.training())
	}
}

// training are the rows that were given as training.
func (d *Dataset) training() []int32 {
	rows := []int32{}
	for i, part := range d.Part {
		if part == 0 {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// digest of the data set, or of some rows with the columns, levels and groups that occur in them.
func (d *Dataset) digest(rows []int32) string {
	h := &hasher{sum: sha256.New()}
	of := *d
	var columns []int32
	if rows != nil {
		columns = d.X.Occurring(rows)
		of.pickRows(d, rows)
		for t := range of.Targets {
			if target := &of.Targets[t]; target.Type == Class && target.Numbers == nil {
				*target = target.shortened()
			}
		}
		of.Factor = at(d.Factor, columns)
		of.Sequences, of.Tasks, of.Truth, of.Part = nil, nil, nil, nil
	}
	h.text("tenfold data set 2")
	h.features(d.Features, columns)
	h.matrix(d, rows, columns)
	integers(h, "factor", of.Factor)
	for t := range of.Targets {
		h.target(&of.Targets[t])
	}
	h.texts("ids", of.IDs)
	if g := of.Groups; g != nil {
		h.text("groups " + g.Name)
		integers(h, "of", g.Of)
		integers(h, "key", g.Key)
	}
	h.floats("time", of.Time)
	h.floats("weight", of.Weight)
	integers(h, "part", of.Part)
	h.sequences(of.Sequences)
	if t := of.Tasks; t != nil {
		h.texts("tasks", t.Names)
		integers(h, "of", t.Of)
	}
	if of.Truth != nil {
		h.open("truth", len(of.Truth))
		for _, c := range of.Truth {
			h.number(uint64(c.Feature))
			h.number(uint64(c.Target))
			h.number(bits(c.Value))
		}
	}
	h.flush()
	return hex.EncodeToString(h.sum.Sum(nil))
}

// hasher takes what a data set consists of, field by field. An empty field is not there, so that fields may be added.
type hasher struct {
	sum hash.Hash
	buf []byte
}

func (h *hasher) flush() {
	h.sum.Write(h.buf)
	h.buf = h.buf[:0]
}

func (h *hasher) number(v uint64) {
	if len(h.buf) >= 1<<15 {
		h.flush()
	}
	h.buf = binary.LittleEndian.AppendUint64(h.buf, v)
}

func (h *hasher) text(s string) {
	h.number(uint64(len(s)))
	h.buf = append(h.buf, s...)
}

// open a field of so many parts.
func (h *hasher) open(name string, n int) {
	h.text(name)
	h.number(uint64(n))
}

func (h *hasher) texts(name string, list []string) {
	if len(list) == 0 {
		return
	}
	h.open(name, len(list))
	for _, s := range list {
		h.text(s)
	}
}

func integers[T int8 | int32 | int64 | uint64](h *hasher, name string, list []T) {
	if len(list) == 0 {
		return
	}
	h.open(name, len(list))
	for _, v := range list {
		h.number(uint64(v))
	}
}

func (h *hasher) floats(name string, list []float64) {
	if len(list) == 0 {
		return
	}
	h.open(name, len(list))
	for _, v := range list {
		h.number(bits(v))
	}
}

// bits of a number; every NaN has the same.
func bits(v float64) uint64 {
	if v != v {
		v = math.NaN()
	}
	return math.Float64bits(v)
}

// features of some columns, nil for all.
func (h *hasher) features(f *Features, columns []int32) {
	if columns == nil {
		columns = upTo(f.Len())
	}
	h.open("columns", len(columns))
	for _, j := range columns {
		h.text(f.Name(int(j)))
	}
	if !f.HasClasses() {
		return
	}
	h.open("classes", len(columns))
	for _, j := range columns {
		if c := f.Class(int(j)); c < 0 {
			h.number(0)
		} else {
			h.number(1)
			h.text(f.classes[c])
		}
	}
}

// matrix of some rows and columns, nil for all. Numbers of columns, and values, take what they need: there may be billions.
func (h *hasher) matrix(d *Dataset, rows, columns []int32) {
	n, cols := d.X.Dims()
	to := []int32(nil)
	if columns != nil {
		to = places(columns, cols)
	}
	if rows != nil {
		n = len(rows)
	}
	ones := d.X.Binary() || d.onesAlone(rows)
	h.open("rows", n)
	for k := range n {
		i := k
		if rows != nil {
			i = int(rows[k])
		}
		row := d.X.Row(i)
		h.number(uint64(len(row.Idx)))
		for q, j := range row.Idx {
			if len(h.buf) >= 1<<15 {
				h.flush()
			}
			if to != nil {
				j = to[j]
			}
			h.buf = binary.LittleEndian.AppendUint32(h.buf, uint32(j))
			if !ones {
				h.buf = binary.LittleEndian.AppendUint64(h.buf, bits(row.Val[q]))
			}
		}
	}
	if ones {
		h.text("ones")
	}
}

// onesAlone tells whether all values that some rows store are one, whichever way they are kept.
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

func (h *hasher) target(t *Target) {
	h.text("target " + t.Name)
	h.text(t.Group)
	h.number(uint64(t.Type))
	h.texts("levels", t.Levels)
	h.floats("values", t.Values)
	integers(h, "rows", t.Rows)
	if p := t.Pairs; p != nil {
		integers(h, "left", p.Left)
		integers(h, "right", p.Right)
		h.number(bits(p.Kappa))
	}
	if t.Pooled {
		h.text("pooled")
	}
	h.number(uint64(t.Positive))
	h.floats("numbers", t.Numbers)
}

func (h *hasher) sequences(s *Sequences) {
	if s == nil {
		return
	}
	integers(h, "sequences", s.Start)
	h.number(uint64(s.Static))
	for _, of := range s.Parts {
		integers(h, "parts", of)
	}
	for _, p := range s.Previous {
		integers(h, "back", p.Back)
		h.number(uint64(p.Parts))
		integers(h, "ptr", p.Ptr)
		integers(h, "code", p.Code)
		integers(h, "column", p.Column)
	}
}
