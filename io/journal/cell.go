package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"tenfold/engines/data"
	"tenfold/io/results"
)

// A file is the magic, the version of its layout (one byte), the CRC-32C of all that follows (four bytes, little-endian),
// and then the unit's key, the outcome's head and the outcome.
const (
	magic   = "tenfold cell"
	version = 2 // raise it with the layout below
	header  = len(magic) + 1 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// cell is a stored outcome, checked and decoded as far as its head.
type cell struct {
	head results.Head
	rest *codec // the outcome, not yet decoded
}

func encodeCell(unit string, o *results.Outcome) []byte {
	buf := append(make([]byte, 0, 1<<12), magic...)
	buf = append(buf, version, 0, 0, 0, 0)
	c := newWriter(buf)
	c.codeText(&unit)
	head := o.Head()
	c.codeHead(&head)
	c.codeOutcome(o)
	binary.LittleEndian.PutUint32(c.buf[header-4:], crc32.Checksum(c.buf[header:], castagnoli))
	return c.buf
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

// openCell decodes the key and the head.
func openCell(unit string, b []byte) (*cell, error) {
	c := &cell{rest: newReader(b)}
	var of string
	c.rest.codeText(&of)
	c.rest.codeHead(&c.head)
	if c.rest.err == nil && of != unit {
		return nil, fmt.Errorf("it holds the outcome of unit %q", of)
	}
	return c, c.rest.err
}

// decodeOutcome decodes the outcome. It can be called once.
func (c *cell) decodeOutcome() (*results.Outcome, error) {
	o := new(results.Outcome)
	c.rest.codeOutcome(o)
	if c.rest.err == nil && len(c.rest.buf) > 0 {
		return nil, fmt.Errorf("damaged: %d bytes too many", len(c.rest.buf))
	}
	return o, c.rest.err
}

func (c *codec) codeHead(h *results.Head) {
	c.codeText((*string)(&h.Status))
	c.codeFloat(&h.SecondsFit)
	codeInt(c, &h.Limit)
	c.codeBool(&h.NoPredictions)
}

func (c *codec) codeOutcome(o *results.Outcome) {
	codeInt(c, &o.Schema)
	c.codeText((*string)(&o.Status))
	c.codeText(&o.Error)
	codeInt(c, &o.Attempts)

	codeList(c, &o.Scores, c.codeScore)
	codeList(c, &o.Selected, c.codeSelected)
	codeInt(c, &o.Nonzero)
	codeInt(c, &o.Features)
	c.codeText(&o.SelectedSum)
	codeList(c, &o.Path, c.codePoint)
	c.codePredictions(&o.Predictions)

	codeInt(c, &o.RowsTrain)
	codeInt(c, &o.RowsTest)
	codeInt(c, &o.Columns)

	codeInt(c, &o.Limit)
	c.codeText(&o.Stop)
	c.codeBool(&o.Optimistic)
	codeList(c, &o.Notes, c.codeText)
	codeList(c, &o.Prepared, func(f *data.Fact) { c.codeText(&f.Name); c.codeText(&f.Value) })
	codeList(c, &o.Facts, func(f *data.Fact) { c.codeText(&f.Name); c.codeText(&f.Value) })

	c.codeFloat(&o.SecondsFit)
	c.codeFloat(&o.SecondsPredict)
	c.codeFloat(&o.CPUSeconds)
	c.codeTime(&o.Started)
	c.codeText(&o.Machine)
	c.codeText(&o.Version)
	c.codeText(&o.Commit)
	c.codeBool(&o.Dirty)

	c.codeBytes(&o.Artefact)
	codeList(c, &o.Clusters, c.codeCluster)
}

func (c *codec) codeCurve(k *results.Curve) {
	c.codeText(&k.Output)
	for _, floats := range []*[]float64{&k.Time, &k.Uncensored, &k.Hazard} {
		codeList(c, floats, c.codeFloat)
	}
}

func (c *codec) codeCluster(k *results.Cluster) {
	codeInt(c, &k.Number)
	c.codeText(&k.Shared)
	codeList(c, &k.Members, func(m *results.Member) {
		c.codeText(&m.Task)
		c.codeText(&m.Output)
		codeInt(c, &m.Rows)
		codeInt(c, &m.Features)
		c.codeFloat(&m.Nearest)
	})
}

func (c *codec) codeScore(s *results.Score) {
	c.codeText(&s.Metric)
	c.codeText(&s.Output)
	codeInt(c, &s.Point)
	c.codeFloat(&s.Value)
	c.codeBool(&s.Higher)
}

func (c *codec) codeSelected(s *results.Selected) {
	codeInt(c, &s.Rank)
	c.codeText(&s.Feature)
	c.codeText(&s.Class)
	c.codeText(&s.Output)
	c.codeFloat(&s.Coefficient)
	c.codeFloat(&s.Score)
	c.codeText(&s.Unit)
	c.codeBool(&s.Kept)
	c.codeBits(&s.Bits)
}

func (c *codec) codeBits(at **results.Bits) {
	has := *at != nil
	if c.codeBool(&has); !has || c.err != nil {
		return
	}
	if c.reading {
		*at = new(results.Bits)
	}
	b := *at
	for _, part := range []*float64{&b.Saved, &b.Refined, &b.Class, &b.Index, &b.Subset, &b.Coefficient} {
		c.codeFloat(part)
	}
}

func (c *codec) codePoint(p *results.Point) {
	codeInt(c, &p.Step)
	codeInt(c, &p.Nonzero)
	c.codeFloat(&p.TrainError)
	c.codeFloat(&p.TestError)
	c.codeText(&p.Parameter)
	c.codeFloat(&p.ParameterValue)
	codeInt(c, &p.Evaluations)
	c.codeFloat(&p.Seconds)
	c.codeBool(&p.Best)
}

func (c *codec) codePredictions(p *results.Predictions) {
	for _, texts := range []*[]string{&p.Row, &p.Group, &p.Output, &p.TruthLabel, &p.PredictionLabel} {
		codeList(c, texts, c.codeText)
	}
	for _, floats := range []*[]float64{&p.Truth, &p.Prediction, &p.Score, &p.Margin, &p.LogProbability, &p.Weight} {
		codeList(c, floats, c.codeFloat)
	}
	codeList(c, &p.Curves, c.codeCurve)
}
