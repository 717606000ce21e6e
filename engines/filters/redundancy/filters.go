package redundancy

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/param"
)

// Size is how many columns are selected.
type Size struct {
	Features int `yaml:"features" simpler:"smaller,0 last" doc:"columns at most; 0: no limit; −1: a hundred, at most half of the columns, and of numbers and times at most the root of the training rows"`
}

func (s Size) validate() error {
	return subset.CheckSize(s.Features)
}

var usual = Size{subset.ByDefault}

// Informed is a filter by mutual information with the response: of columns by themselves (mim), or of each together with those selected.
type Informed struct {
	Size         `yaml:",inline"`
	Levels       `yaml:",inline"`
	subset.Ridge `yaml:",inline"`
	by           *criterion
}

func informed(name, doc, cite string, by *criterion) engines.Kind {
	return engines.Define(engines.Kind{Name: name, Doc: plainModel + " on the columns " + doc, Cite: cite, Rev: 5}, Informed{usual, cutWhereMany, plain, by})
}

var plain = subset.Ridge{}

// plainModel names the models that are fitted to a selection.
const plainModel = "logistic regression, least squares, or Cox regression of times,"

// The engines of this type.
var (
	MIMKind   = informed("mim", "that tell most about the response, each by itself", "Lewis 1992; Brown et al. 2012", &mim)
	JMIKind   = informed("jmi", "that tell most about the response together with each of those selected before, on average", "Yang & Moody 1999; Brown et al. 2012", &jmi)
	JMIMKind  = informed("jmim", "that tell most about the response together with whichever of those selected before they tell least with", "Bennasar, Hicks & Setchi 2015", &jmim)
	NJMIMKind = informed("njmim", "of jmim, information being divided by entropy", "Bennasar, Hicks & Setchi 2015", &njmim)
	DISRKind  = informed("disr", "of jmi, information being divided by entropy (double input symmetrical relevance)", "Meyer & Bontempi 2006", &disr)
	CMIMKind  = informed("cmim", "that tell most about the response when any one of those selected before is known", "Fleuret 2004", &cmim)
)

// Validate checks the parameters.
func (e Informed) Validate() error {
	return errors.Join(e.Size.validate(), e.Levels.validate(), e.Ridge.Validate())
}

// Needs returns what the engine asks of data: one target, of any type.
func (Informed) Needs() engines.Needs {
	return engines.Needs{Survival: true, Rates: true, Sizes: engines.Sizes{Limit: "features", Ranked: true}, Keeps: true}
}

// Footprint returns the memory of a fit.
func (Informed) Footprint(s engines.Shape) engines.Footprint { return footprint(s) }

// Fit selects and fits. A step takes O(entries + rows), whatever the number of levels; memory is O(entries).
func (e Informed) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return fit(ctx, run, e.Ridge, e.find)
}

// Choose selects.
func (e Informed) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return choose(ctx, run, e.find)
}

func (e Informed) find(ctx context.Context, run engines.Run) (*selection, error) {
	return byInformation(ctx, run, *e.by, e.Levels, e.Features)
}

// byInformation makes the selection by a criterion of levels.
func byInformation(ctx context.Context, run engines.Run, c criterion, l Levels, features int) (*selection, error) {
	features = subset.Size(features, run)
	view, y, classes, err := responseLevels(run.Train)
	if err != nil {
		return nil, err
	}
	columns, cut, err := l.read(ctx, view, run.Workers)
	if err != nil {
		return nil, err
	}
	weight, _ := view.TestWeights()
	t := newTables(columns, y, classes, weight, run.Workers)
	if c.gini {
		m, err := newImpurity(ctx, t)
		if err != nil {
			return nil, err
		}
		return c.searchCut(ctx, m, features, run, cut)
	}
	m, err := newInformation(ctx, t, c.pair)
	switch {
	case err != nil:
		return nil, err
	case c.pair == nil:
		found := alone(m.tells, nothing, features, run.Train.Kept())
		found.cut = cut
		return found, nil
	case c.fewer:
		relevance := m.tells
		if m, err = newInformation(ctx, newTables(columns, make([]int32, len(y)), 1, weight, run.Workers), c.pair); err != nil {
			return nil, err
		}
		m.tells = relevance
	}
	return c.searchCut(ctx, m, features, run, cut)
}

// searchCut searches, and notes how many columns were cut into levels.
func (c criterion) searchCut(ctx context.Context, m measure, features int, run engines.Run, cut int) (*selection, error) {
	found, err := c.search(ctx, m, features, run.Train.Kept())
	if err == nil {
		found.cut = cut
	}
	return found, err
}

// MRMR is minimum redundancy, maximum relevance.
type MRMR struct {
	Measure      string `yaml:"measure" doc:"information (of levels with the response and with each other), or correlation (F of an analysis of variance, and |r|)"`
	Form         string `yaml:"form" doc:"relevance less mean redundancy (difference: MID, FCD), or divided by it (quotient: MIQ, FCQ)"`
	Positive     bool   `yaml:"positive" doc:"of form difference: end where no column is more relevant than redundant"`
	Size         `yaml:",inline"`
	Levels       `yaml:",inline"`
	subset.Ridge `yaml:",inline"`
}

// Words of the parameters.
const (
	ofInformation = "information"
	ofCorrelation = "correlation"
	asDifference  = "difference"
	asQuotient    = "quotient"
)

// MRMRKind is the engine mrmr.
var MRMRKind = engines.Define(engines.Kind{
	Name: "mrmr",
	Doc:  plainModel + " on the columns that are relevant and repeat little of those selected before (minimum redundancy, maximum relevance)",
	Cite: "Peng, Long & Ding 2005; Ding & Peng 2005",
	Rev:  8,
}, MRMR{ofInformation, asDifference, false, usual, cutWhereMany, plain})

// Validate checks the parameters.
func (e MRMR) Validate() error {
	return errors.Join(
		param.OneOf("measure", e.Measure, ofInformation, ofCorrelation),
		param.OneOf("form", e.Form, asDifference, asQuotient),
		param.Require("positive", !e.Positive || e.Form != asQuotient, "means nothing with form: quotient, which is never negative"),
		param.Require("discretize", e.Measure != ofCorrelation || e.Discretize == cutWhereMany.Discretize, "%s means nothing with measure: correlation, which is of numbers", e.Discretize),
		param.Idle("bins", e.Bins, cutWhereMany.Bins, e.Measure != ofCorrelation, "measure correlation is of numbers"),
		e.Size.validate(), e.Levels.validate(), e.Ridge.Validate(),
	)
}

// Needs returns what the engine asks of data: one target, of any type.
func (MRMR) Needs() engines.Needs {
	return engines.Needs{Survival: true, Rates: true, Sizes: engines.Sizes{Limit: "features", Ranked: true}, Keeps: true}
}

// Footprint returns the memory of a fit.
func (e MRMR) Footprint(s engines.Shape) engines.Footprint {
	if e.Measure == ofCorrelation {
		return engines.Footprint{Bytes: 2*s.EntryBytes()*s.Entries + s.CenteredBytes(true) + 80*int64(s.Columns) + 16*int64(s.Rows)}
	}
	return footprint(s)
}

// Fit selects and fits. A step takes O(entries), whatever the number of levels; memory is O(entries).
func (e MRMR) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return fit(ctx, run, e.Ridge, e.find)
}

// Choose selects.
func (e MRMR) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return choose(ctx, run, e.find)
}

func (e MRMR) find(ctx context.Context, run engines.Run) (*selection, error) {
	c := map[string]map[string]criterion{
		ofInformation: {asDifference: mid, asQuotient: miq},
		ofCorrelation: {asDifference: fcd, asQuotient: fcq},
	}[e.Measure][e.Form]
	c.ends = e.Positive
	if e.Measure == ofInformation {
		return byInformation(ctx, run, c, e.Levels, e.Features)
	}
	floor := 0.0
	if e.Form == asQuotient {
		floor = 0.001
	}
	m, err := newCorrelations(ctx, run.Train, floor, run.Workers)
	if err != nil {
		return nil, err
	}
	return c.search(ctx, m, subset.Size(e.Features, run), run.Train.Kept())
}

// Variance keeps the columns that vary most, whatever the response.
type Variance struct {
	Size         `yaml:",inline"`
	subset.Ridge `yaml:",inline"`
}

// VarianceKind is the engine variance.
var VarianceKind = engines.Define(engines.Kind{
	Name: "variance",
	Doc:  plainModel + " on the columns with the largest variance, chosen without the response",
	Rev:  6,
}, Variance{usual, plain})

// Validate checks the parameters.
func (e Variance) Validate() error { return errors.Join(e.Size.validate(), e.Ridge.Validate()) }

// Needs returns what the engine asks of data: one target, of any type.
func (Variance) Needs() engines.Needs {
	return engines.Needs{Survival: true, Rates: true, Sizes: engines.Sizes{Limit: "features", Ranked: true}, Keeps: true}
}

// Footprint returns the memory of a fit.
func (Variance) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: s.EntryBytes()*s.Entries + 48*int64(s.Columns) + 16*int64(s.Rows)}
}

// Fit ranks, keeps and fits. O(nnz + columns · log columns), and the model.
func (e Variance) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return fit(ctx, run, e.Ridge, e.find)
}

// Choose ranks and keeps.
func (e Variance) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return choose(ctx, run, e.find)
}

func (e Variance) find(ctx context.Context, run engines.Run) (*selection, error) {
	rows, _ := run.Train.Defined(0)
	v, err := variances(ctx, rows)
	if err != nil {
		return nil, err
	}
	return alone(v, 0, subset.Size(e.Features, run), run.Train.Kept()), nil
}

// footprint returns the footprint of tables: the columns laid out, and their levels; scores by column, and divisions of the rows.
func footprint(s engines.Shape) engines.Footprint {
	levels := 0
	if !s.Ones {
		levels = 8
	}
	return engines.Footprint{Bytes: (s.EntryBytes()+int64(levels))*s.Entries + 160*int64(s.Columns) + 48*int64(s.Rows)}
}

// finder is what selects.
type finder func(ctx context.Context, run engines.Run) (*selection, error)

func (f finder) on(ctx context.Context, run engines.Run) (*selection, error) {
	s, err := f(ctx, run)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return s, err
}

func fit(ctx context.Context, run engines.Run, ridge subset.Ridge, find finder) (engines.Model, error) {
	s, err := find.on(ctx, run)
	if err != nil {
		return nil, err
	}
	return subset.Path(ctx, run, len(s.order), ridge.Ridge, s.first)
}

func choose(ctx context.Context, run engines.Run, find finder) ([]engines.Coef, engines.Fitted, error) {
	s, err := find.on(ctx, run)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	chosen, fitted := s.first(len(s.order))
	return chosen, fitted, nil
}

// first n columns to enter, by column, with their ranks and scores, and what there is to say of them.
func (s *selection) first(n int) ([]engines.Coef, engines.Fitted) {
	fitted := engines.Fitted{Stop: "selected", Evaluated: int64(s.columns), Best: -1}
	switch {
	case n == 0:
		fitted.Stop = "none_selected"
	case n == len(s.order) && s.exhausted:
		fitted.Stop = "exhausted"
	}
	fitted.Facts = []data.Fact{
		{Name: "columns kept", Value: fmt.Sprintf("%d of %d", n, s.columns)},
		{Name: "columns that tell nothing by themselves", Value: fmt.Sprint(s.columns - s.candidates)},
	}
	if s.cut > 0 {
		fitted.Facts = append(fitted.Facts, data.Fact{Name: "columns cut into levels of equal frequency", Value: fmt.Sprint(s.cut)})
	}
	if n > 0 {
		fitted.Evaluated = s.evaluated[n-1]
		fitted.Facts = append(fitted.Facts, data.Fact{Name: "score of the last column kept", Value: fmt.Sprintf("%.6g", s.score[n-1])})
	}
	return engines.Ranked(slices.Concat(s.kept, s.order[:n]), func(rank int, j int32) float64 {
		if rank < len(s.kept) {
			return s.alone[j]
		}
		return s.score[rank-len(s.kept)]
	}), fitted
}
