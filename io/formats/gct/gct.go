// Package gct reads gene expression as GSEA and GenePattern keep it: matrices with a gene a line and a sample a column
// (GCT), classes of samples (CLS), and genes that probes stand for (CHIP). Samples become rows.
package gct

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/formats/tabular"
	"tenfold/io/source"
)

// GCT reads a matrix of expression. Targets are the labels of a .cls file, in the order of the samples, or columns of tables of samples: that
// in a matrix of version 1.3, or those that are joined.
type GCT struct {
	tabular.Described `yaml:",inline"`
	Collapse          string   `yaml:"collapse" doc:"lines of the same gene, by name or by the chip: max, mean or first of their values in each sample; none (a column a probe; the chip names its gene for gene sets)"`
	Metadata          []string `yaml:"metadata" doc:"lines of the samples' metadata (version 1.3) to predict from, beside the genes; * matches any text"`
}

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "gct",
	Doc:  "gene expression, a gene a line and a sample a column (GCT 1.2 and 1.3), with classes (.cls), metadata of samples or a table of samples, and a .chip",
	Cite: "GSEA and GenePattern file formats; Connectivity Map, GCT 1.3",
	Rev:  1,
}, GCT{})

// Roles of files beside the matrix.
const (
	labels = "labels"
	chip   = "chip"
)

// Validate checks the options by themselves.
func (g GCT) Validate() error {
	return errors.Join(g.CheckDescribed(), param.OneOf("collapse", g.Collapse, "", "max", "mean", "first", "none"))
}

// Declares returns what is known before loading.
func (g GCT) Declares() source.Declares {
	d := source.Declares{Roles: [][]string{{"all"}}, Optional: append([]string{chip}, g.Join.Roles()...)}
	if !g.HasTables() {
		d.Optional = append(d.Optional, labels)
	}
	for _, name := range g.Target.Names() {
		d.Targets = append(d.Targets, source.Declared{Name: name, Type: g.Target.Becomes()})
	}
	if g.Columns.Group != "" {
		d.Groups = []string{g.Columns.Group}
	}
	return g.Features.Classes.Declare(d)
}

// Look reads what stands before the genes: the numbers of samples and genes, and what is said of samples.
func (g GCT) Look(_ context.Context, in source.Input) (source.Sight, error) {
	content, file, err := in.Bytes("all")
	if err != nil {
		return source.Sight{}, err
	}
	m, s, _, err := beginMatrix(file, content)
	if err != nil {
		return source.Sight{}, err
	}
	sight := source.Sight{Rows: s.samples, Columns: s.genes, Samples: m.samples}
	for _, md := range m.metadata {
		sight.About = append(sight.About, source.About{Name: md.name, Cells: md.cells})
	}
	return sight, nil
}

// Load reads the files.
func (g GCT) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	d, m, known, err := g.readSamples(ctx, in)
	if err != nil {
		return nil, err
	}
	if !in.Has(labels) {
		if !g.HasTables() && len(m.metadata) == 0 {
			return nil, fmt.Errorf("%s: nothing says what is to be predicted: give labels: FILE.cls under files, or a table of samples with join: {file: FILE, by: COLUMN}", m.file)
		}
		return g.Describe(ctx, in, d, m.described(g.Metadata), known)
	}
	if err := g.readLabels(in, d); err != nil {
		return nil, err
	}
	if d, err = g.Target.Finish(d, g.Prepare.Gaps); err != nil {
		return nil, err
	}
	return g.Features.Classes.Apply(in, d, known)
}

// LoadNew reads samples to apply a model to.
func (g GCT) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	d, m, _, err := g.readSamples(ctx, in)
	if err != nil {
		return nil, err
	}
	g.Target.Positive = ""
	if in.Has(labels) {
		if a.Responses {
			err = g.readLabels(in, d)
		}
		if err != nil {
			return nil, err
		}
		a.Responses = false
	}
	return g.DescribeNew(ctx, in, d, m.described(g.Metadata), a)
}

// readSamples reads samples without their labels, and the genes as gene sets know them where their columns have other
// names.
func (g GCT) readSamples(ctx context.Context, in source.Input) (d *data.Dataset, m *matrix, known []string, err error) {
	content, file, err := in.Bytes("all")
	if err != nil {
		return nil, nil, nil, err
	}
	if m, err = readMatrix(ctx, file, content); err != nil {
		return nil, nil, nil, err
	}
	d = &data.Dataset{IDs: m.samples}
	if known, err = g.collapseGenes(in, m, d); err != nil {
		return nil, nil, nil, err
	}
	d.X, d.Features = m.transpose(), data.NewFeatures(m.genes)
	return d, m, known, nil
}

// readLabels reads the targets of a .cls file.
func (g GCT) readLabels(in source.Input, d *data.Dataset) error {
	if len(g.Target.Responses()) > 0 && g.Target.Name != "class" || g.Target.IsSurvival() {
		return param.Errorf("target", "a .cls file has no columns to choose from: leave name, column and columns out, or join a table in its place")
	}
	content, file, err := in.Bytes(labels)
	if err != nil {
		return err
	}
	d.Targets, err = readCLS(file, content, d.Rows(), g.Target.Positive)
	return err
}

// collapseGenes makes one line of those of the same gene. It returns the genes of the lines where those keep other names,
// for gene sets to be found by.
func (g GCT) collapseGenes(in source.Input, m *matrix, d *data.Dataset) (known []string, err error) {
	genes := m.genes
	if in.Has(chip) {
		if g.Collapse == "" {
			return nil, param.Errorf("collapse", "a chip is given: say what becomes of the probes of one gene, max, mean, first or none")
		}
		content, file, err := in.Bytes(chip)
		if err != nil {
			return nil, err
		}
		if genes, err = chipSymbols(file, content, m.genes); err != nil {
			return nil, err
		}
	}
	switch g.Collapse {
	case "", "none":
		if err := m.checkDistinct(); err != nil {
			return nil, err
		}
		return genes, nil
	}
	probes := len(m.genes)
	without := m.collapseLines(genes, collapses[g.Collapse])
	columns := &d.Account.Columns
	columns.Found, columns.Used = probes, len(m.genes)
	columns.LeaveNumber("united with others of their gene ("+g.Collapse+")", probes-without-len(m.genes))
	columns.LeaveNumber("for which the chip names no gene", without)
	return nil, nil
}
