package gct

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"tenfold/engines/numeric/sparse"
	"tenfold/io/formats/tabular"
	"tenfold/io/rawtext"
)

// matrix is expression by gene.
type matrix struct {
	file    string
	samples []string
	genes   []string
	lines   []int     // of the file, of each gene
	values  []float64 // genes × samples; NaN where missing

	metadata []metadata // of the samples
}

// metadata is a line about the samples.
type metadata struct {
	name  string
	line  int
	cells []string // by sample
}

// shape is what the second line says.
type shape struct{ genes, samples, about, metadata int }

// most cells that a file may promise: 8 GiB of numbers.
const mostCells = 1 << 30

// readMatrix parses a GCT file: the version, the numbers of genes and samples, a header, and a line for each gene with its name, a
// description, and a value for each sample. Version 1.3 has several columns about genes, or none, in place of the description, and
// lines about samples before those of genes.
func readMatrix(ctx context.Context, file string, content []byte) (*matrix, error) {
	m, s, lines, err := beginMatrix(file, content)
	if err != nil {
		return nil, err
	}
	genes := s.genes
	if genes*s.samples <= len(content) { // no cell without a byte
		m.values = make([]float64, 0, genes*s.samples)
	}
	for lines.Next() {
		if len(bytes.TrimSpace(lines.Line)) == 0 {
			continue
		}
		if len(m.genes) == genes {
			return nil, lines.Errorf("a further line, expected %d genes as line 2 says", genes)
		}
		if len(m.genes)%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := m.readGene(lines, s.about); err != nil {
			return nil, err
		}
	}
	if len(m.genes) != genes {
		return nil, fmt.Errorf("%s: %d genes, expected %d as line 2 says", file, len(m.genes), genes)
	}
	return m, nil
}

// beginMatrix reads what stands before the genes.
func beginMatrix(file string, content []byte) (m *matrix, s shape, lines *rawtext.Lines, err error) {
	if content, err = rawtext.Decode(content, "", file); err != nil {
		return nil, s, nil, err
	}
	lines = rawtext.LinesOf(content, file)
	if s, err = readDimensions(lines, file); err != nil {
		return nil, s, nil, err
	}
	m = &matrix{file: file}
	if m.samples, err = readHeader(lines, &s); err != nil {
		return nil, s, nil, err
	}
	for range s.metadata {
		if err := m.readMetadata(lines, s); err != nil {
			return nil, s, nil, err
		}
	}
	return m, s, lines, nil
}

// readDimensions reads the first two lines.
func readDimensions(lines *rawtext.Lines, file string) (s shape, err error) {
	lines.Next()
	version := string(bytes.TrimSpace(lines.Line))
	numbers := map[string]int{"#1.2": 2, "#1.3": 4}[version]
	if numbers == 0 {
		return s, fmt.Errorf("%s:1: found %.40q, expected #1.2 or #1.3, the version of a GCT file", file, version)
	}
	lines.Next()
	cells := bytes.Fields(lines.Line)
	s.about = 1
	for k, to := range []*int{&s.genes, &s.samples, &s.about, &s.metadata}[:numbers] {
		if len(cells) == numbers {
			*to, err = strconv.Atoi(string(cells[k]))
		}
		if least := max(0, 1-k/2); len(cells) != numbers || err != nil || *to < least || *to > mostCells {
			expected := "the numbers of genes and of samples"
			if numbers == 4 {
				expected = "the numbers of genes, of samples, of columns about genes and of lines about samples"
			}
			return s, fmt.Errorf("%s:2: found %.40q, expected %s (at most 2^30 values)", file, lines.Line, expected)
		}
	}
	if s.genes > mostCells/s.samples || s.metadata > mostCells/s.samples {
		return s, fmt.Errorf("%s:2: found %.40q, expected at most 2^30 values", file, lines.Line)
	}
	return s, nil
}

// readHeader reads the names of the samples. A file of version 1.3 may have a description that its second line does not count.
func readHeader(lines *rawtext.Lines, s *shape) ([]string, error) {
	lines.Next()
	line := bytes.TrimRight(lines.Line, "\t ")
	named := bytes.Count(line, []byte{'\t'}) + 1
	if named > s.samples+1+max(1, s.about) { // no list of more names than that
		return nil, lines.Errorf("%d names, expected %d samples as line 2 says", named, s.samples)
	}
	cells := bytes.Split(line, []byte{'\t'})
	if s.about == 0 && len(cells) == s.samples+2 && bytes.EqualFold(cells[1], []byte("description")) {
		s.about = 1
	}
	samples := s.samples
	if len(cells) != samples+1+s.about {
		between := "DESCRIPTION"
		if s.about != 1 {
			between = fmt.Sprintf("%d columns about genes", s.about)
		}
		return nil, lines.Errorf("%d names, expected NAME, %s and %d samples as line 2 says", len(cells), between, samples)
	}
	names, seen := make([]string, samples), make(map[string]bool, samples)
	column := len(bytes.Join(cells[:1+s.about], nil)) + 1 + s.about // in the line
	for k, cell := range cells[1+s.about:] {
		name := string(bytes.TrimSpace(cell))
		switch {
		case name == "":
			return nil, lines.ErrorAt(column, "the sample has no name")
		case seen[name]:
			return nil, lines.ErrorAt(column, "two samples are named %q", name)
		}
		names[k], seen[name] = name, true
		column += len(cell) + 1
	}
	return names, nil
}

// readMetadata reads a line about samples.
func (m *matrix) readMetadata(lines *rawtext.Lines, s shape) error {
	if !lines.Next() {
		return fmt.Errorf("%s: it ends before the %d lines about samples that line 2 counts", m.file, s.metadata)
	}
	cells := bytes.Split(lines.Line, []byte{'\t'})
	name := string(bytes.TrimSpace(cells[0]))
	if len(cells) != 1+s.about+s.samples || name == "" {
		return lines.Errorf("%d cells, expected a line about samples: its name, %d cells about genes, and one for each of %d samples", len(cells), s.about, s.samples)
	}
	md := metadata{name: name, line: lines.Number}
	for _, cell := range cells[1+s.about:] {
		md.cells = append(md.cells, string(bytes.TrimSpace(cell)))
	}
	m.metadata = append(m.metadata, md)
	return nil
}

// described returns the table of samples that is in the matrix, with columns to predict from; nil if there is none.
func (m *matrix) described(features []string) *tabular.Metadata {
	if len(m.metadata) == 0 && len(features) == 0 {
		return nil
	}
	t := &tabular.Metadata{File: m.file, Samples: m.samples, Features: features}
	for _, md := range m.metadata {
		t.Names = append(t.Names, md.name)
	}
	t.Cell = func(k, i int) string { return m.metadata[k].cells[i] }
	t.Place = func(k, _ int) string { return fmt.Sprintf("%s:%d", m.file, m.metadata[k].line) }
	return t
}

// readGene reads one line.
func (m *matrix) readGene(lines *rawtext.Lines, about int) error {
	name, rest, _ := bytes.Cut(lines.Line, []byte{'\t'})
	for range about {
		_, rest, _ = bytes.Cut(rest, []byte{'\t'})
	}
	if name = bytes.TrimSpace(name); len(name) == 0 {
		return lines.Errorf("the gene has no name")
	}
	for k := range m.samples {
		if rest == nil {
			return lines.Errorf("gene %s: %d values, expected %d", name, k, len(m.samples))
		}
		cell, column := rest, len(lines.Line)-len(rest)
		if end := bytes.IndexByte(rest, '\t'); end >= 0 {
			cell, rest = rest[:end], rest[end+1:]
		} else {
			rest = nil
		}
		v, ok := parseCell(bytes.TrimSpace(cell))
		if !ok {
			return lines.ErrorAt(column, "gene %s, sample %s: found %.40q, expected a finite number", name, m.samples[k], cell)
		}
		m.values = append(m.values, v)
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		return lines.Errorf("gene %s: more values than the %d samples", name, len(m.samples))
	}
	m.genes, m.lines = append(m.genes, string(name)), append(m.lines, lines.Number)
	return nil
}

// parseCell returns the number in a cell; NaN where it is missing.
func parseCell(cell []byte) (v float64, ok bool) {
	switch string(cell) {
	case "", "NA", "NaN", "nan", "null":
		return math.NaN(), true
	}
	return rawtext.ParseNumber(string(cell))
}

// checkDistinct refuses two lines of one name.
func (m *matrix) checkDistinct() error {
	place := make(map[string]int, len(m.genes))
	var errs []error
	for g, name := range m.genes {
		if first, twice := place[name]; twice {
			errs = append(errs, fmt.Errorf("%s:%d: the gene %s stands on line %d already; say what becomes of them, collapse: max, mean or first", m.file, m.lines[g], name, m.lines[first]))
		}
		place[name] = g
	}
	if len(errs) > 3 {
		errs = append(errs[:3], fmt.Errorf("%s: and %d further lines", m.file, len(errs)-3))
	}
	return errors.Join(errs...)
}

// collapses make one value of those of several lines in a sample, which are never none; NaN is missing.
var collapses = map[string]func(values []float64) float64{
	"first": func(values []float64) float64 { return values[0] },
	"max": func(values []float64) float64 {
		most := math.NaN()
		for _, v := range values {
			if v == v && !(v <= most) {
				most = v
			}
		}
		return most
	},
	"mean": func(values []float64) float64 {
		sum, n := 0.0, 0.0
		for _, v := range values {
			if v == v {
				sum, n = sum+v, n+1
			}
		}
		return sum / n
	},
}

// collapseLines makes one line of those of each gene, in order of its first. Lines of no gene are left out, and counted.
func (m *matrix) collapseLines(genes []string, one func(values []float64) float64) (without int) {
	var order []string
	lines := make(map[string][]int)
	for g, name := range genes {
		if name == "" {
			without++
			continue
		}
		if lines[name] == nil {
			order = append(order, name)
		}
		lines[name] = append(lines[name], g)
	}
	n := len(m.samples)
	values := make([]float64, 0, len(order)*n)
	var several []float64
	for _, name := range order {
		for k := range n {
			several = several[:0]
			for _, g := range lines[name] {
				several = append(several, m.values[g*n+k])
			}
			values = append(values, one(several))
		}
	}
	m.genes, m.values, m.lines = order, values, nil
	return without
}

// transpose returns the matrix with a row for each sample.
func (m *matrix) transpose() *sparse.Matrix {
	n := len(m.samples)
	ptr := make([]int, 1, n+1)
	idx, val := make([]int32, 0, len(m.values)), make([]float64, 0, len(m.values))
	for k := range n {
		for g := range m.genes {
			if v := m.values[g*n+k]; v != 0 {
				idx, val = append(idx, int32(g)), append(val, v)
			}
		}
		ptr = append(ptr, len(idx))
	}
	return sparse.New(len(m.genes), ptr, idx, val)
}
