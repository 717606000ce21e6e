// Package knockoffs selects the columns that an engine prefers to their knockoffs, controlling the false discovery rate (Barber and
// Candès 2015, Annals of Statistics 43; Candès, Fan, Janson and Lv 2018, JRSS B 80).
//
// statistic.go lets the engine choose between columns and knockoffs, filter.go selects by the statistics; engines/numeric/knockoff
// draws.
package knockoffs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/numeric/knockoff"
	"tenfold/engines/param"
	"tenfold/engines/registry"
	"tenfold/engines/wrappers/refit"
)

// Options holds the parameters of the selection.
type Options struct {
	FDR       float64 `yaml:"fdr" doc:"false discovery rate: the expected share of wrong columns among those selected is at most this, in (0, 1)"`
	Statistic string  `yaml:"statistic" doc:"importance: by how much the coefficient of a column, or its importance to a model without coefficients, is larger than that of its knockoff; entry: which of the two enters first, and when, with engines whose steps tell that"`
	Offset    int     `yaml:"offset" doc:"1: knockoff+, which bounds the rate; 0: selects more, and bounds another one, with 1/fdr added to the number selected"`
	Draws     int     `yaml:"draws" doc:"knockoffs drawn, each with fits of its own; of several, the e-values are averaged, so that the selection depends less on chance"`
	FDRDraw   float64 `yaml:"fdr_draw" doc:"rate of each of several draws, in (0, 1); 0: half of fdr"`
	Shrink    float64 `yaml:"shrink" doc:"share of the identity in the correlations of the columns, in [0, 1]; -1: estimated (Schäfer & Strimmer 2005)"`
	S         string  `yaml:"s" doc:"by how much knockoffs differ from their columns: equi, all by the same; sdp, each as much as it can, up to 500 columns"`
	Memory    string  `yaml:"memory" doc:"dense: a matrix of columns × columns; low: one of rows × rows, with s: equi; auto: low where there are as many columns as rows"`
}

// Values of the options.
const (
	byImportance = "importance"
	byEntry      = "entry"
	equi         = "equi"
	sdp          = "sdp"
	auto         = "auto"
	dense        = "dense"
	low          = "low"
)

// Validate checks the options by themselves.
func (o Options) Validate() error {
	return errors.Join(
		param.Require("fdr", o.FDR > 0 && o.FDR < 1, "%v, expected a share above 0 and below 1", o.FDR),
		param.OneOf("statistic", o.Statistic, byImportance, byEntry),
		param.Require("offset", o.Offset == 0 || o.Offset == 1, "%d, expected 0 or 1", o.Offset),
		param.Require("offset", o.Offset != 0 || o.Draws <= 1, "0, expected 1 with several draws: e-values are those of knockoff+"),
		param.Require("draws", o.Draws >= 1 && o.Draws <= 10_000, "%d, expected 1 to 10000", o.Draws),
		param.Require("fdr_draw", o.FDRDraw >= 0 && o.FDRDraw < 1, "%v, expected a share above 0 and below 1, or 0 for half of fdr", o.FDRDraw),
		param.Require("fdr_draw", o.FDRDraw == 0 || o.Draws > 1, "%v, and there is one draw, whose rate is fdr", o.FDRDraw),
		param.Require("shrink", o.Shrink == -1 || o.Shrink >= 0 && o.Shrink <= 1, "%v, expected a share from 0 to 1, or -1 to estimate it", o.Shrink),
		param.OneOf("s", o.S, equi, sdp),
		param.OneOf("memory", o.Memory, auto, dense, low),
		param.Require("memory", o.Memory != low || o.S == equi, "low, expected dense or auto with s: sdp"),
	)
}

// rate returns the false discovery rate of one draw.
func (o Options) rate() float64 {
	if o.Draws == 1 {
		return o.FDR
	}
	return cmp.Or(o.FDRDraw, o.FDR/2)
}

// isLow reports whether knockoffs of this many columns are drawn without their correlation matrix.
func (o Options) isLow(rows, columns int) bool {
	return o.Memory == low || o.Memory == auto && o.S == equi && columns >= rows
}

// Engine selects the columns that its base prefers to their knockoffs, and fits the plain model to them.
type Engine struct {
	Base    engines.Engine `yaml:",inline"`
	Options `yaml:"knockoffs"`
}

// Wrapper adds knockoffs around an engine, tuned or not.
var Wrapper = engines.Wrapper{
	Kind: registry.Define(registry.Kind[param.Validator]{
		Name: "knockoffs", Rev: 5,
		Doc:  "model-X knockoffs: the columns that the engine prefers to knockoffs of them, at a rate of false discoveries",
		Cite: "Candès, Fan, Janson & Lv 2018; Ren & Barber 2024",
	}, Options{FDR: 0.1, Statistic: byImportance, Offset: 1, Draws: 1, Shrink: -1, S: equi, Memory: auto}),
	Whole:   true,
	Accepts: func(inner engines.Engine) bool { _, across := inner.(engines.Across); return !across },
	Lacks:   "does not learn from other tasks",
	Excludes: []engines.Exclusion{
		{Key: "path", Why: ": what is selected has the size that the rate allows"},
		{Key: "combinations", Why: ", since knockoffs are drawn of columns, not of products"},
	},
	Wrap: func(inner engines.Engine, o param.Validator) engines.Engine { return Engine{inner, o.(Options)} },
}

// Validate checks the options together with the engine.
func (e Engine) Validate() error {
	n := e.Base.Needs()
	return errors.Join(
		e.Base.Validate(),
		param.Require("knockoffs", !n.Watch, "the engine, with these parameters, chooses by test rows, which have no knockoffs"),
		param.Require("knockoffs", !n.Truth, "the engine knows the true coefficients: nothing is left to be found"),
		param.Require("knockoffs.statistic", e.Statistic != byImportance || !n.Opaque, "%s: the engine, with these parameters, has neither coefficients nor importances to tell columns from knockoffs by", byImportance),
		param.Require("knockoffs", !n.Binary && !n.Counts, "the engine takes 0/1 columns or counts alone, and knockoffs are real numbers"),
		param.Require("knockoffs.statistic", e.Statistic == byImportance || n.Entry, "entry: the steps of the engine do not tell which column enters; expected importance"),
	)
}

// Needs returns the requirements of the base, except that columns are selected one by one.
func (e Engine) Needs() engines.Needs {
	n := e.Base.Needs()
	n.Sizes, n.Entry, n.Together, n.Missing, n.ChoosesMissing = engines.Sizes{}, false, false, false, false
	return n
}

// Footprint returns that of the base with twice the columns, all dense, and of the distribution of the columns and one draw.
func (e Engine) Footprint(s engines.Shape) engines.Footprint {
	n, p := int64(s.Rows), int64(s.Columns)
	distribution := 5*8*n*p + 3*8*p*p
	if e.isLow(s.Rows, s.Columns) {
		distribution = 6*8*n*p + 2*8*n*n
	}
	whole := s
	s.Columns, s.Entries, s.Ones = 2*s.Columns, 2*n*p, false
	base := engines.FootprintOf(e.Base, s)
	base.Bytes += s.EntryBytes() * s.Entries
	base.Resident = 0 // a draw is in memory
	return base.And(distribution).Or(engines.FootprintOf(refit.Plain{}, whole))
}

// Fit selects, and fits the plain model to the columns themselves, as filters do.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return narrowed.Selected(ctx, e, refit.Plain{}, run)
}

// Choose selects the columns: score and rank are by the statistic, or by the e-values of several draws.
func (e Engine) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	if run.Train.Starts() != nil {
		return nil, engines.Fitted{}, errors.New("knockoffs: of rows that follow each other they are not known")
	}
	if columns := penalised(run.Train); len(columns) < run.Train.Columns() {
		run.Train = run.Train.Narrow(columns)
		chosen, fitted, err := e.Choose(ctx, run)
		for k, c := range chosen {
			chosen[k].Feature = int(columns[c.Feature])
		}
		return chosen, fitted, err
	}
	d, err := e.newComparison(ctx, run)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	w := make([][]float64, e.Draws) // by draw and column that varies
	for draw := range w {
		if w[draw], err = d.statistic(ctx, draw); err != nil {
			return nil, engines.Fitted{}, fmt.Errorf("knockoffs, draw %d: %w", draw+1, err)
		}
	}
	fitted := engines.Fitted{Stop: "done", Best: -1, Evaluated: d.evaluated, Facts: d.facts(), Notes: append(d.notes(), d.noted...)}
	score, selected := w[0], []int(nil)
	what := "W"
	if e.Draws == 1 {
		var t float64
		t, selected = filter(w[0], e.FDR, e.Offset)
		fitted.Facts = append(fitted.Facts, data.Fact{Name: "threshold of W", Value: fmt.Sprintf("%.4g", t)})
	} else {
		score, selected = derandomised(w, e.FDR, e.rate())
		what = "e-values"
	}
	if len(selected) == 0 {
		fitted.Stop = "none_selected"
	}
	fitted.Facts = append(fitted.Facts, d.ranked(what, score)...)
	if few := e.tooFew(w); few != "" {
		fitted.Notes = append(fitted.Notes, few)
	}
	chosen := make([]engines.Coef, len(selected))
	for rank, k := range selected {
		chosen[rank] = engines.Coef{Feature: d.columnOf(k), Rank: rank, Score: score[k]}
	}
	for _, j := range run.Train.Kept() {
		chosen = append(chosen, engines.Coef{Feature: int(j), Rank: -1})
	}
	slices.SortFunc(chosen, func(a, b engines.Coef) int { return a.Feature - b.Feature })
	return chosen, fitted, nil
}

// penalised returns the columns that a model may have: those whose penalty is finite.
func penalised(v *data.View) (columns []int32) {
	factor := v.Factors()
	for j := range int32(v.Columns()) {
		if factor == nil || !math.IsInf(factor[j], 1) {
			columns = append(columns, j)
		}
	}
	return columns
}

// fewest returns the smallest number of columns that one draw can select, if it selects any.
func (e Engine) fewest() int {
	if e.Offset == 0 {
		return 1
	}
	return int(math.Ceil(1/e.rate() - slack))
}

// tooFew returns a note if nothing could be selected, whatever the responses; else "".
func (e Engine) tooFew(w [][]float64) string {
	most := 0
	for _, draw := range w {
		n := 0
		for _, v := range draw {
			if v != 0 {
				n++
			}
		}
		most = max(most, n)
	}
	if most >= e.fewest() {
		return ""
	}
	return fmt.Sprintf("nothing can be selected: the engine tells %d of %d columns from their knockoffs, and at a rate of %.4g no fewer than %d are selected; expected a higher fdr, or an engine that uses more columns",
		most, len(w[0]), e.rate(), e.fewest())
}

// facts returns the facts of what was drawn.
func (d *comparison) facts() []data.Fact {
	least, mean := math.Inf(1), 0.0
	for _, k := range d.paired {
		least = min(least, d.distribution.S[k])
		mean += d.distribution.S[k] / float64(len(d.paired))
	}
	s := fmt.Sprintf("%.4g", least)
	if d.engine.S == sdp {
		s = fmt.Sprintf("%.4g on average, at least %.4g", mean, least)
	}
	kept := len(d.run.Train.Kept())
	facts := []data.Fact{{Name: "columns with knockoffs", Value: fmt.Sprintf("%d of %d: those that vary", len(d.paired), d.run.Train.Columns()-kept)}}
	if kept > 0 {
		facts = append(facts, data.Fact{Name: "columns that every model has, without knockoffs", Value: fmt.Sprint(kept)})
	}
	return append(facts,
		data.Fact{Name: "fewest columns that are selected, if any", Value: fmt.Sprint(d.engine.fewest())},
		data.Fact{Name: "shrinkage of the correlations", Value: fmt.Sprintf("%.4g", d.distribution.Shrunk)},
		data.Fact{Name: "1 - correlation of column and knockoff (s)", Value: s},
	)
}

// minDistance is the smallest s at which a column and its knockoff can be distinguished without very many rows.
const minDistance = 0.05

func (d *comparison) notes() (notes []string) {
	near := 0
	for _, k := range d.paired {
		if d.distribution.S[k] < minDistance {
			near++
		}
	}
	if near > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d columns have knockoffs that are nearly the same (s below %v), since other columns all but determine them: there is little power to select these; with s: sdp only such columns are affected", near, len(d.paired), minDistance))
	}
	ones := 0
	x := d.run.Train.Matrix()
	for k := range d.paired {
		if col := x.Col(d.columnOf(k)); !slices.ContainsFunc(col.Val, func(v float64) bool { return v != 1 && v != 0 }) {
			ones++
		}
	}
	if ones > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d columns are of 0 and 1, and their knockoffs are not: the rate of false discoveries is then no promise", ones, len(d.paired)))
	}
	return notes
}

// listed is the number of columns in the fact of statistics.
const listed = 100

// ranked returns a fact that names the columns with the largest scores.
func (d *comparison) ranked(what string, score []float64) []data.Fact {
	var out []string
	for _, k := range byScore(score) {
		if score[k] <= 0 || len(out) == listed {
			break
		}
		out = append(out, fmt.Sprintf("%s %.4g", d.run.Train.Features().Name(d.columnOf(k)), score[k]))
	}
	if len(out) == 0 {
		return nil
	}
	return []data.Fact{{Name: what, Value: strings.Join(out, ", ")}}
}

// learn estimates the distribution of the columns.
func (o Options) learn(ctx context.Context, run engines.Run) (*knockoff.Distribution, error) {
	distribution, err := knockoff.Learn(ctx, run.Workers, run.Train.Matrix(), knockoff.Options{
		Shrink: o.Shrink, SDP: o.S == sdp, Low: o.isLow(run.Train.Len(), run.Train.Columns()), Order: run.Train.Features().ByName(),
	})
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("knockoffs: %w", err)
	}
	return distribution, err
}
