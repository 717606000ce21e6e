package univariate

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/kind"
)

// FDR keeps the columns whose tests Benjamini and Hochberg's procedure rejects.
type FDR struct {
	Test  string  `yaml:"test" doc:"p-values of columns: anova (F; also of numbers), chi2 (sums of counts by class), mutual-information (columns of 0 and 1)"`
	Alpha float64 `yaml:"alpha" doc:"the share of wrong columns among those kept, in (0, 1)"`
	Ridge `yaml:",inline"`
}

// Words of the parameter.
const (
	byAnova       = "anova"
	byChi2        = "chi2"
	byInformation = "mutual-information"
)

// FDRKind is the engine fdr.
var FDRKind = engines.Define(engines.Kind{
	Name: "fdr",
	Doc:  "logistic regression, or least squares, on the columns that a test selects one by one at a rate of false discoveries, whichever way they go with the response",
	Cite: "Benjamini & Hochberg 1995",
	Rev:  1,
}, FDR{byAnova, 0.05, Ridge{1}})

// Validate checks the parameters.
func (e FDR) Validate() error {
	return errors.Join(
		kind.OneOf("test", e.Test, byAnova, byChi2, byInformation),
		require("alpha", e.Alpha > 0 && e.Alpha < 1, "%v, expected a number between 0 and 1", e.Alpha),
		e.Ridge.validate(),
	)
}

// Needs is what the test needs.
func (e FDR) Needs() engines.Needs {
	switch e.Test {
	case byChi2:
		return engines.Needs{Target: data.Class, Counts: true}
	case byInformation:
		return engines.Needs{Target: data.Class, Binary: true}
	}
	return engines.Needs{}
}

// Footprint of a fit.
func (FDR) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: bytes(s)}
}

// Fit tests, keeps and fits. O(nnz + columns · log columns), and the model.
func (e FDR) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	test := varianceTest
	switch e.Test {
	case byChi2:
		test = onClasses(func(c *classes) onColumn { return c.chi2(false) })
	case byInformation:
		test = onClasses(func(c *classes) onColumn { return c.information })
	}
	discovered := func(r *ranking) int { return r.discovered(e.Alpha) }
	return filter{test, discovered, e.Ridge.Ridge}.fit(ctx, run)
}
