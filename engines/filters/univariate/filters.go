package univariate

import (
	"context"
	"errors"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/param"
)

// Chi2 keeps the columns whose values depend most on the class.
type Chi2 struct {
	Of    string `yaml:"of" doc:"what is counted: sums (of the values, which are counts) or presence (rows with a value other than 0, as a table of classes against zeros and ones)"`
	Keep  `yaml:",inline"`
	Ridge `yaml:",inline"`
}

// Words of parameter of.
const (
	ofSums     = "sums"
	ofPresence = "presence"
)

// Chi2Kind is the engine chi2.
var Chi2Kind = engines.Define(engines.Kind{
	Name: "chi2",
	Doc:  "logistic regression on the columns of counts with the largest χ² against the class",
	Cite: "Liu & Setiono 1995; Yang & Pedersen 1997",
	Rev:  7,
}, Chi2{ofSums, usual, Ridge{}})

// Validate checks the parameters.
func (e Chi2) Validate() error {
	return errors.Join(param.OneOf("of", e.Of, ofSums, ofPresence), e.Keep.validateKeep(), e.Ridge.Validate())
}

// Needs returns what the engine asks of data: one class target, and counts.
func (Chi2) Needs() engines.Needs {
	return engines.Needs{Target: data.Class, Counts: true, Sizes: engines.Sizes{Limit: "features", Ranked: true}, Keeps: true, Together: true}
}

// Footprint returns the memory of a fit.
func (Chi2) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: memoryOf(s)}
}

// Fit ranks, keeps and fits. O(nnz + columns · log columns), and the logistic regression.
func (e Chi2) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.filter().Fit(ctx, run)
}

// Choose ranks and keeps. O(nnz + columns · log columns).
func (e Chi2) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return e.filter().Choose(ctx, run)
}

func (e Chi2) filter() ranking.Filter {
	return ranking.Filter{Rank: ranking.Tests{Columns: onClasses(func(c *classes) ranking.ColumnTest { return c.chiSquared(e.Of == ofPresence) }), Units: classUnits(tableChiSquared), Weighted: true}.Rank, Count: e.Keep.countKept, Ridge: e.Ridge.Ridge}
}

// MutualInformation keeps the columns of zeros and ones that tell most about the class.
type MutualInformation struct {
	Keep  `yaml:",inline"`
	Ridge `yaml:",inline"`
}

// MutualInformationKind is the engine mutual-information.
var MutualInformationKind = engines.Define(engines.Kind{
	Name: "mutual-information",
	Doc:  "logistic regression on the columns of 0 and 1 with the largest mutual information with the class",
	Cite: "Lewis 1992; Yang & Pedersen 1997",
	Rev:  7,
}, MutualInformation{usual, Ridge{}})

// Validate checks the parameters.
func (e MutualInformation) Validate() error {
	return errors.Join(e.Keep.validateKeep(), e.Ridge.Validate())
}

// Needs returns what the engine asks of data: one class target, and columns of 0 and 1.
func (MutualInformation) Needs() engines.Needs {
	return engines.Needs{Target: data.Class, Binary: true, Sizes: engines.Sizes{Limit: "features", Ranked: true}, Keeps: true, Together: true}
}

// Footprint returns the memory of a fit.
func (MutualInformation) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: memoryOf(s)}
}

// Fit ranks, keeps and fits. O(nnz + columns · log columns), and the logistic regression.
func (e MutualInformation) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.filter().Fit(ctx, run)
}

// Choose ranks and keeps. O(nnz + columns · log columns).
func (e MutualInformation) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return e.filter().Choose(ctx, run)
}

func (e MutualInformation) filter() ranking.Filter {
	return ranking.Filter{Rank: ranking.Tests{Columns: onClasses(func(c *classes) ranking.ColumnTest { return c.mutualInformation }), Units: classUnits(tableInformation), Weighted: true}.Rank, Count: e.Keep.countKept, Ridge: e.Ridge.Ridge}
}

// Anova keeps the columns whose means differ most between classes, or that correlate most with a number.
type Anova struct {
	Keep  `yaml:",inline"`
	Ridge `yaml:",inline"`
}

// AnovaKind is the engine anova.
var AnovaKind = engines.Define(engines.Kind{
	Name: "anova",
	Doc:  "logistic regression on the columns with the largest F of an analysis of variance by class; for numbers least squares on those of the largest correlation, for times Cox regression on those that go most with the martingale residuals of the model without columns",
	Cite: "Fisher 1925; Therneau, Grambsch & Fleming 1990",
	Rev:  9,
}, Anova{usual, Ridge{}})

// Validate checks the parameters.
func (e Anova) Validate() error { return errors.Join(e.Keep.validateKeep(), e.Ridge.Validate()) }

// Needs returns what the engine asks of data: one target, of any type.
func (Anova) Needs() engines.Needs {
	return engines.Needs{Survival: true, Rates: true, Sizes: engines.Sizes{Limit: "features", Ranked: true}, Keeps: true, Together: true}
}

// Footprint returns the memory of a fit.
func (Anova) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: memoryOf(s)}
}

// Fit ranks, keeps and fits. O(nnz + columns · log columns), and the model.
func (e Anova) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.filter().Fit(ctx, run)
}

// Choose ranks and keeps. O(nnz + columns · log columns).
func (e Anova) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return e.filter().Choose(ctx, run)
}

func (e Anova) filter() ranking.Filter {
	return ranking.Filter{Rank: ranking.Tests{Columns: varianceTest, Units: varianceUnits, Weighted: true}.Rank, Count: e.Keep.countKept, Ridge: e.Ridge.Ridge}
}

// FDR keeps the columns whose tests a step-up procedure rejects.
type FDR struct {
	Test      string  `yaml:"test" doc:"p-values of columns: anova (F; also of numbers), chi2 (sums of counts by class), mutual-information (columns of 0 and 1), kruskal (ranks by class), wilcoxon (ranks of two classes), levene (spread by class), spearman (ranks of numbers)"`
	Alpha     float64 `yaml:"alpha" doc:"the share of wrong columns among those kept, in (0, 1)"`
	Procedure string  `yaml:"procedure" doc:"bh: Benjamini and Hochberg's, for tests that are independent or go together; by: Benjamini and Yekutieli's, for any, which keeps fewer columns"`
	Ridge     `yaml:",inline"`
}

// Words of the parameters.
const (
	bh = "bh"
	by = "by"

	byAnova       = "anova"
	byChi2        = "chi2"
	byInformation = "mutual-information"
	byKruskal     = "kruskal"
	byWilcoxon    = "wilcoxon"
	byLevene      = "levene"
	bySpearman    = "spearman"
)

// FDRKind is the engine fdr.
var FDRKind = engines.Define(engines.Kind{
	Name: "fdr",
	Doc:  "logistic regression, or least squares, on the columns that a test selects one by one at a rate of false discoveries, whichever way they go with the response",
	Cite: "Benjamini & Hochberg 1995; Benjamini & Yekutieli 2001",
	Rev:  7,
}, FDR{byAnova, 0.05, bh, Ridge{}})

// Validate checks the parameters.
func (e FDR) Validate() error {
	return errors.Join(
		param.OneOf("test", e.Test, byAnova, byChi2, byInformation, byKruskal, byWilcoxon, byLevene, bySpearman),
		param.OneOf("procedure", e.Procedure, bh, by),
		param.Require("alpha", e.Alpha > 0 && e.Alpha < 1, "%v, expected a number between 0 and 1", e.Alpha),
		e.Ridge.Validate(),
	)
}

// Needs returns what the test asks of data.
func (e FDR) Needs() engines.Needs {
	switch e.Test {
	case byChi2:
		return engines.Needs{Target: data.Class, Counts: true, Keeps: true}
	case byInformation:
		return engines.Needs{Target: data.Class, Binary: true, Keeps: true}
	case byKruskal, byLevene:
		return engines.Needs{Target: data.Class, Keeps: true, Unweighted: true}
	case byWilcoxon:
		return engines.Needs{Target: data.Class, Levels: 2, Keeps: true, Unweighted: true}
	case bySpearman:
		return engines.Needs{Target: data.Real, Keeps: true, Unweighted: true}
	}
	return engines.Needs{Rates: true, Keeps: true}
}

// Footprint returns the memory of a fit.
func (FDR) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: memoryOf(s)}
}

// Fit tests, keeps and fits. O(nnz + columns · log columns), and the model.
func (e FDR) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.filter().Fit(ctx, run)
}

// Choose tests and keeps. O(nnz + columns · log columns).
func (e FDR) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return e.filter().Choose(ctx, run)
}

func (e FDR) filter() ranking.Filter {
	test := varianceTest
	switch e.Test {
	case byChi2:
		test = onClasses(func(c *classes) ranking.ColumnTest { return c.chiSquared(false) })
	case byInformation:
		test = onClasses(func(c *classes) ranking.ColumnTest { return c.mutualInformation })
	case byKruskal:
		test = KruskalWallis
	case byWilcoxon:
		test = RankSum
	case byLevene:
		test = Levene
	case bySpearman:
		test = Spearman
	}
	return ranking.Filter{Rank: ranking.Tests{Columns: test, Weighted: !e.Needs().Unweighted}.Rank, Count: e.countDiscovered, Ridge: e.Ridge.Ridge}
}

// countDiscovered returns the number of columns, from the best on, that the step-up procedure selects by their p-values.
func (e FDR) countDiscovered(r *ranking.Ranking) int {
	p, columns := r.TestedP()
	alpha := e.Alpha
	if e.Procedure == by {
		alpha /= harmonic(len(p))
	}
	selected := stepUp(p, alpha)
	return len(slices.DeleteFunc(selected, func(k int32) bool { return !(r.Score[columns[k]] > 0) }))
}
