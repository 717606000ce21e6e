// Package scores has the engine filter, which keeps the columns that score most, each by itself, by the score that is asked for.
//
// filter.go has the engine, information.go the scores of levels, and nearest.go information by near rows. Ranks are compared in package
// univariate.
package scores

import (
	"cmp"
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/filters/redundancy"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
)

// Filter is the parameters of the engine filter.
type Filter struct {
	Score             string `yaml:"score" doc:"of a column, for a class: kruskal (Kruskal & Wallis' H), wilcoxon (two classes; |z| of the rank sum), auc (mean over pairs of classes of |2·AUC − 1|), levene (F of distances from the classes' medians: spread), information-gain, gain-ratio, symmetric-uncertainty, gini (of levels); for a number: pearson (|r|), spearman (|r| of ranks); for either: knn-information (mutual information by nearest values)"`
	Neighbours        int    `yaml:"k" doc:"of score knn-information: nearest values, at least 1"`
	Features          int    `yaml:"features" simpler:"smaller,0 last" doc:"columns at most, of those that score above 0; 0: no limit; −1: a hundred, at most half of the columns, and of numbers at most the root of the training rows"`
	redundancy.Levels `yaml:",inline"`
	subset.Ridge      `yaml:",inline"`
}

// Words of parameter score.
const (
	kruskal              = "kruskal"
	wilcoxon             = "wilcoxon"
	auc                  = "auc"
	levene               = "levene"
	pearson              = "pearson"
	spearman             = "spearman"
	informationGain      = "information-gain"
	gainRatio            = "gain-ratio"
	symmetricUncertainty = "symmetric-uncertainty"
	gini                 = "gini"
	knnInformation       = "knn-information"
)

const defaultNeighbours = 3

// floor is what a score must be above: less is rounding.
const floor = 1e-12

// Kind is the engine filter.
var Kind = engines.Define(engines.Kind{
	Name: "filter",
	Doc:  "logistic regression, or least squares, on the columns with the largest score of their own: of ranks, of information, or by nearest values",
	Cite: "Kruskal & Wallis 1952; Brown & Forsythe 1974; Quinlan 1993; Hall 1999; Ross 2014; Kraskov, Stögbauer & Grassberger 2004",
	Rev:  2,
}, Filter{Score: symmetricUncertainty, Neighbours: defaultNeighbours, Features: subset.ByDefault, Levels: redundancy.DefaultLevels()})

// countsLevels reports whether the score is of levels, and of weights of rows.
func (e Filter) countsLevels() bool { return levelScore(e.Score) != nil }

// Validate checks the parameters.
func (e Filter) Validate() error {
	usual := redundancy.DefaultLevels()
	return errors.Join(
		param.OneOf("score", e.Score, kruskal, wilcoxon, auc, levene, pearson, spearman, informationGain, gainRatio, symmetricUncertainty, gini, knnInformation),
		param.Require("k", e.Neighbours >= 1, "%d, expected at least 1", e.Neighbours),
		param.Idle("k", e.Neighbours, defaultNeighbours, e.Score == knnInformation, "only score: knn-information has neighbours"),
		param.Idle("bins", e.Bins, usual.Bins, e.countsLevels(), "score "+e.Score+" is of values, not of levels"),
		param.Require("cuts", e.countsLevels() || len(e.Cuts) == 0, "%v means nothing here: score %s is of values, not of levels", e.Cuts, e.Score),
		e.validateDiscretize(), subset.CheckSize(e.Features), e.Ridge.Validate(),
	)
}

// validateDiscretize checks the levels of scores that count any, and of others that discretize stays as it is.
func (e Filter) validateDiscretize() error {
	if e.countsLevels() {
		return e.ValidateLevels()
	}
	return cmp.Or(e.ValidateWord(), param.Idle("discretize", e.Discretize, redundancy.DefaultLevels().Discretize, false, "score "+e.Score+" is of values, not of levels"))
}

// Needs returns what the score asks of data: one target, and weights of 1 but for scores of levels.
func (e Filter) Needs() engines.Needs {
	n := engines.Needs{
		Target: data.Class, Sizes: engines.Sizes{Limit: "features", Ranked: true}, Keeps: true,
		Together: e.countsLevels(), Unweighted: !e.countsLevels(),
	}
	switch e.Score {
	case wilcoxon:
		n.Levels = 2
	case pearson, spearman:
		n.Target = data.Real
	case knnInformation:
		n.Target = data.Any
	}
	return n
}

// Footprint returns the memory of a fit: the columns laid out, their levels, and a column's values in order.
func (Filter) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: (s.EntryBytes()+8)*s.Entries + 160*int64(s.Columns) + 128*int64(s.Rows)}
}

// Fit ranks, keeps and fits. O(entries · log rows) and the plain model; knn-information O(columns · rows · (log rows + neighbours)), of
// numbers as target O(columns · rows²) at worst.
func (e Filter) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.filter().Fit(ctx, run)
}

// Choose ranks and keeps.
func (e Filter) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return e.filter().Choose(ctx, run)
}

func (e Filter) filter() ranking.Filter {
	return ranking.Filter{Rank: e.rank, Count: ranking.CountUpTo(e.Features), Ridge: e.Ridge.Ridge}
}

func (e Filter) rank(ctx context.Context, run engines.Run) (*ranking.Ranking, error) {
	if e.countsLevels() {
		return e.rankLevels(ctx, run)
	}
	tests := map[string]func(*data.View) (*sparse.Matrix, ranking.ColumnTest, error){
		kruskal: univariate.KruskalWallis, wilcoxon: univariate.RankSum, auc: univariate.AUC, levene: univariate.Levene, pearson: univariate.Pearson,
		spearman: univariate.Spearman, knnInformation: e.nearest,
	}
	r, err := ranking.Tests{Columns: tests[e.Score], Floor: floor}.Rank(ctx, run)
	if err == nil && (e.Score == auc || e.Score == knnInformation) {
		r.P = nil
	}
	return r, err
}
