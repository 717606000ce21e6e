// Package gct reads gene expression as GSEA and GenePattern keep it: matrices with a gene a line and a sample a column
// (GCT), classes of samples (CLS), and genes that probes stand for (CHIP). Samples become rows.
package gct

import (
	"context"
	"errors"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/io/formats/tabular"
	"tenfold/io/source"
)

// GCT reads a matrix of expression. Labels are those of a .cls file, in the order of the samples, or columns of a table that
// names its samples.
type GCT struct {
	Target   source.Response `yaml:"target" doc:"the classes of a .cls file, or columns of the table of responses"`
	Prepare  source.Numeric  `yaml:"prepare"`
	Features source.Columns  `yaml:"features"`
	Collapse string          `yaml:"collapse" doc:"lines of the same gene, by name or by the chip: max, mean or first of their values in each sample; none (a column a probe; the chip names its gene for gene sets)"`
	Join     tabular.Join    `yaml:"join"`
}

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "gct",
	Doc:  "gene expression, a gene a line and a sample a column (GCT 1.2), with classes (.cls) or a table of responses, and a .chip",
	Cite: "GSEA and GenePattern file formats",
	Rev:  1,
}, GCT{Join: tabular.DefaultJoin})

// Roles of files beside the matrix.
const (
	labels    = "labels"
	responses = "responses"
	chip      = "chip"
)

// Validate checks the options by themselves.
func (g GCT) Validate() error {
	return errors.Join(g.Target.Validate(), g.Prepare.Validate(), g.Features.Validate(), g.Join.Validate(),
		param.OneOf("collapse", g.Collapse, "", "max", "mean", "first", "none"))
}

// Declares what is known before loading.
func (g GCT) Declares() source.Declares {
	d := source.Declares{Roles: [][]string{{"all", labels}, {"all", responses}}, Optional: []string{chip}}
	for _, name := range g.Target.Names() {
		d.Targets = append(d.Targets, source.Declared{Name: name, Type: g.Target.Becomes()})
	}
	return g.Features.Classes.Declare(d)
}

// Recipe is the preparation of each fold.
func (g GCT) Recipe() prepare.Recipe {
	r := g.Prepare.Recipe(0)
	g.Features.Into(&r)
	g.Target.Into(&r)
	return r
}

// Named are the files that the options name.
func (g GCT) Named() map[string]string { return g.Features.Classes.Named() }

// Load reads the files.
func (g GCT) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	d, known, err := g.readSamples(ctx, in)
	if err != nil {
		return nil, err
	}
	if in.Has(labels) {
		err = g.readLabels(in, d)
	} else {
		d, err = g.Join.Responses(ctx, in, d, g.Target)
	}
	if err != nil {
		return nil, err
	}
	if d, err = g.Target.Finish(d, g.Prepare.Gaps); err != nil {
		return nil, err
	}
	return g.Features.Classes.Apply(in, d, known)
}

// LoadNew reads samples to apply a model to.
func (g GCT) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	d, _, err := g.readSamples(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := a.All(d, nil, "the matrix"); err != nil {
		return nil, err
	}
	g.Target.Positive = ""
	switch {
	case !a.Responses:
	case in.Has(labels):
		err = g.readLabels(in, d)
	default:
		d, err = g.Join.NewResponses(ctx, in, d, g.Target, a)
	}
	if err != nil {
		return nil, err
	}
	return a.Whole(a.Copies(d), g.Prepare.Gaps)
}

// readSamples reads samples without their labels, and the genes as gene sets know them where their columns have other
// names.
func (g GCT) readSamples(ctx context.Context, in source.Input) (d *data.Dataset, known []string, err error) {
	content, file, err := in.Bytes("all")
	if err != nil {
		return nil, nil, err
	}
	m, err := readMatrix(ctx, file, content)
	if err != nil {
		return nil, nil, err
	}
	d = &data.Dataset{IDs: m.samples}
	if known, err = g.collapseGenes(in, m, d); err != nil {
		return nil, nil, err
	}
	d.X, d.Features = m.transpose(), data.NewFeatures(m.genes)
	return d, known, nil
}

// readLabels reads the targets of a .cls file.
func (g GCT) readLabels(in source.Input, d *data.Dataset) error {
	if len(g.Target.Responses()) > 0 && g.Target.Name != "class" || g.Target.IsSurvival() {
		return param.Errorf("target", "a .cls file has no columns to choose from: leave name, column and columns out, or give a table as the role responses")
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
