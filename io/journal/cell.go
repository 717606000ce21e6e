package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"tenfold/io/results"
)

// A file is the magic, the version of its layout (one byte), the CRC-32C of all that follows (four bytes, little-endian),
// and then the unit's key, the outcome's head and the outcome.
const (
	magic   = "tenfold cell"
	version = 1 // raise it with the layout below; to keep reading older files, read what they lack only if they have it
	header  = len(magic) + 1 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// cell is a stored outcome, checked and decoded as far as its head.
type cell struct {
	head results.Head
	rest *codec
}

func encode(unit string, o *results.Outcome) []byte {
	buf := append(make([]byte, 0, 1<<12), magic...)
	buf = append(buf, version, 0, 0, 0, 0)
	c := newWriter(buf)
	c.text(&unit)
	head := o.Head()
	c.head(&head)
	c.outcome(o)
	binary.LittleEndian.PutUint32(c.buf[header-4:], crc32.Checksum(c.buf[header:], castagnoli))
	return c.buf
}

// check refuses what is not a whole file of this unit.
func check(unit string, b []byte) (*cell, error) {
	switch {
	case len(b) < header || !bytes.HasPrefix(b, []byte(magic)):
		return nil, errors.New("damaged: it does not begin as a stored outcome")
	case b[len(magic)] != version:
		return nil, fmt.Errorf("written by another version of tenfold (layout %d, this one reads %d)", b[len(magic)], version)
	case binary.LittleEndian.Uint32(b[header-4:]) != crc32.Checksum(b[header:], castagnoli):
		return nil, fmt.Errorf("damaged: its checksum does not match its %d bytes", len(b))
	}
	return open(unit, b[header:])
}

// open decodes the key and the head.
func open(unit string, b []byte) (*cell, error) {
	c := &cell{rest: newReader(b)}
	var of string
	c.rest.text(&of)
	c.rest.head(&c.head)
	if c.rest.err == nil && of != unit {
		return nil, fmt.Errorf("it holds the outcome of unit %q", of)
	}
	return c, c.rest.err
}

// decode the outcome, once.
func (c *cell) decode() (*results.Outcome, error) {
	o := new(results.Outcome)
	c.rest.outcome(o)
	if c.rest.err == nil && len(c.rest.buf) > 0 {
		return nil, fmt.Errorf("damaged: %d bytes too many", len(c.rest.buf))
	}
	return o, c.rest.err
}

func (c *codec) head(h *results.Head) {
	c.text((*string)(&h.Status))
	c.float(&h.SecondsFit)
	whole(c, &h.Limit)
	c.flag(&h.NoPredictions)
}

func (c *codec) outcome(o *results.Outcome) {
	whole(c, &o.Schema)
	c.text((*string)(&o.Status))
	c.text(&o.Error)
	whole(c, &o.Attempts)

	list(c, &o.Scores, c.score)
	list(c, &o.Selected, c.selected)
	whole(c, &o.Nonzero)
	whole(c, &o.Features)
	c.text(&o.SelectedSum)
	list(c, &o.Path, c.point)
	c.predictions(&o.Predictions)

	whole(c, &o.RowsTrain)
	whole(c, &o.RowsTest)
	whole(c, &o.Columns)

	whole(c, &o.Limit)
	c.text(&o.Stop)
	c.flag(&o.Optimistic)
	list(c, &o.Notes, c.text)
	list(c, &o.Prepared, func(f *results.Fact) { c.text(&f.Name); c.text(&f.Value) })
	list(c, &o.Facts, func(f *results.Fact) { c.text(&f.Name); c.text(&f.Value) })

	c.float(&o.SecondsFit)
	c.float(&o.SecondsPredict)
	c.float(&o.CPUSeconds)
	c.moment(&o.Started)
	c.text(&o.Machine)
	c.text(&o.Version)
	c.text(&o.Commit)
	c.flag(&o.Dirty)

	// Files from before there were ledgers end here, those from before there were stages after the ledgers, those without weights
	// of rows after the stages, and those from before points named their parameter after the weights.
	weighed := slices.ContainsFunc(o.Selected, func(s results.Selected) bool { return s.Bits != nil })
	left := o.Artefact != nil || o.Clusters != nil
	named := slices.ContainsFunc(o.Path, func(p results.Point) bool { return p.Parameter != "" })
	weights := o.Predictions.Weight != nil || named
	if c.reading && len(c.buf) > 0 || !c.reading && (weighed || left || weights) {
		for i := range o.Selected {
			c.bits(&o.Selected[i].Bits)
		}
	}
	if c.reading && len(c.buf) > 0 || !c.reading && (left || weights) {
		c.bytes(&o.Artefact)
		list(c, &o.Clusters, c.cluster)
	}
	if c.reading && len(c.buf) > 0 || !c.reading && weights {
		list(c, &o.Predictions.Weight, c.float)
	}
	if c.reading && len(c.buf) > 0 || !c.reading && named {
		for i := range o.Path {
			c.text(&o.Path[i].Parameter)
		}
	}
}

func (c *codec) cluster(k *results.Cluster) {
	whole(c, &k.Number)
	c.text(&k.Shared)
	list(c, &k.Members, func(m *results.Member) {
		c.text(&m.Task)
		c.text(&m.Output)
		whole(c, &m.Rows)
		whole(c, &m.Features)
		c.float(&m.Nearest)
	})
}

func (c *codec) score(s *results.Score) {
	c.text(&s.Metric)
	c.text(&s.Output)
	whole(c, &s.Point)
	c.float(&s.Value)
	c.flag(&s.Higher)
}

func (c *codec) selected(s *results.Selected) {
	whole(c, &s.Rank)
	c.text(&s.Feature)
	c.text(&s.Class)
	c.text(&s.Output)
	c.float(&s.Coefficient)
	c.float(&s.Score)
}

func (c *codec) bits(at **results.Bits) {
	has := *at != nil
	if c.flag(&has); !has || c.err != nil {
		return
	}
	if c.reading {
		*at = new(results.Bits)
	}
	b := *at
	for _, part := range []*float64{&b.Saved, &b.Refined, &b.Class, &b.Index, &b.Subset, &b.Coefficient} {
		c.float(part)
	}
}

func (c *codec) point(p *results.Point) {
	whole(c, &p.Step)
	whole(c, &p.Nonzero)
	c.float(&p.TrainError)
	c.float(&p.TestError)
	c.float(&p.ParameterValue)
	whole(c, &p.Evaluations)
	c.float(&p.Seconds)
	c.flag(&p.Best)
}

func (c *codec) predictions(p *results.Predictions) {
	for _, texts := range []*[]string{&p.Row, &p.Group, &p.Output, &p.TruthLabel, &p.PredictionLabel} {
		list(c, texts, c.text)
	}
	for _, floats := range []*[]float64{&p.Truth, &p.Prediction, &p.Score} {
		list(c, floats, c.float)
	}
}
