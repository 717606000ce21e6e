package stagewise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/kind"
	"tenfold/engines/loglinear"
)

// twoClasses is binary logistic regression, of a class target or of a real one that is 0 or 1.
type twoClasses struct{}

func (twoClasses) needs() engines.Needs { return engines.Needs{Target: data.Any, Levels: 2} }

func (twoClasses) refuse(e Stagewise) error { return errors.Join(climbing(e), onlyFor("loglinear", e)) }

func (twoClasses) footprint(rows, columns, entries int64) int64 {
	return 8*entries + 40*rows + 60*columns
}

func (twoClasses) start(ctx context.Context, e Stagewise, run engines.Run) (walker, error) {
	d, centre, err := e.classDesign(ctx, run)
	if err != nil {
		return nil, err
	}
	info := run.Train.TargetInfo(0)
	known, err := twoOutcomes(run.Train)
	if err != nil {
		return nil, fmt.Errorf("training data: %w", err)
	}
	odds, err := known.logOdds(info)
	if err != nil {
		return nil, err
	}
	second := make([]int32, len(d.column))
	for k := range second {
		second[k] = 1
	}
	f := features{d: d, index: d.column, column: d.column, class: second, gamma: d.gammas()}
	l := &logistic{conditional: newConditional(ctx, f, known, []float64{0, odds}), every: e.InterceptEvery}
	w := newAscent(e, run, l)
	if err := w.hold(run, l.conditional, centre, twoOutcomes); err != nil {
		return nil, err
	}
	columns := len(d.position)
	w.finish = func(b0 float64, coefs []engines.Coef, fitted engines.Fitted) engines.Model {
		bias := centre.intercepts([]float64{0, b0}, coefs)
		if info.Type == data.Class {
			return loglinear.NewModel(columns, bias, coefs, fitted)
		}
		for k := range coefs {
			coefs[k].Output = 0
		}
		return engines.NewLinked(engines.NewLinear(columns, bias[1:], coefs, fitted), engines.Links{{Logistic: true}})
	}
	return w, w.begin(ctx, run)
}

// twoOutcomes is the rows of a view with their classes, 0 and 1.
func twoOutcomes(view *data.View) (outcomes, error) {
	view, y := view.Defined(0)
	if err := checkTwo(view.TargetInfo(0), y, view.ID); err != nil {
		return outcomes{}, err
	}
	return newOutcomes(y, view.Weights(), 2), nil
}

// manyClasses is the conditional log-linear model.
type manyClasses struct{}

func (manyClasses) needs() engines.Needs { return engines.Needs{Target: data.Class} }

func (manyClasses) refuse(e Stagewise) error {
	return errors.Join(climbing(e), onlyFor("logistic", e),
		kind.Require("lookup", e.Lookup != "list", "lists name columns, and family loglinear has a weight for each column and class"))
}

// footprint guesses: how many classes and pairs there are is known to the data alone. Pairs are at most the entries.
func (manyClasses) footprint(rows, columns, entries int64) int64 {
	return 8*entries + 8*16*rows + 60*min(entries, 8*columns)
}

func (manyClasses) start(ctx context.Context, e Stagewise, run engines.Run) (walker, error) {
	d, centre, known, err := e.manyRows(ctx, run)
	if err != nil {
		return nil, err
	}
	return e.startPairs(ctx, run, d, centre, known, d.pairs(ctx, known, e.Cutoff))
}

// classDesign is the design of a class target: without scaling, as it is.
func (e Stagewise) classDesign(ctx context.Context, run engines.Run) (d *design, c centring, err error) {
	if d, err = newDesign(ctx, run.Train, e.uncentred()); err == nil && e.Scale != "none" {
		c, err = d.centreNumbers(ctx)
	}
	return d, c, err
}

func (e Stagewise) manyRows(ctx context.Context, run engines.Run) (*design, centring, outcomes, error) {
	d, centre, err := e.classDesign(ctx, run)
	if err != nil {
		return nil, centre, outcomes{}, err
	}
	known, err := manyOutcomes(run.Train)
	if err != nil {
		return nil, centre, outcomes{}, fmt.Errorf("training data: %w", err)
	}
	return d, centre, known, nil
}

// startPairs is the path of given features. Where several tie, the first of them wins.
func (e Stagewise) startPairs(ctx context.Context, run engines.Run, d *design, centre centring, known outcomes, pairs []loglinear.Feature) (walker, error) {
	l := newConditional(ctx, d.features(pairs), known, make([]float64, known.classes))
	w := newAscent(e, run, l)
	if err := w.hold(run, l, centre, manyOutcomes); err != nil {
		return nil, err
	}
	columns := len(d.position)
	w.finish = func(_ float64, coefs []engines.Coef, fitted engines.Fitted) engines.Model {
		return loglinear.NewModel(columns, centre.intercepts(make([]float64, known.classes), coefs), coefs, fitted)
	}
	return w, w.begin(ctx, run)
}

// manyOutcomes is the rows of a view with their classes.
func manyOutcomes(view *data.View) (outcomes, error) {
	view, y := view.Defined(0)
	levels := view.TargetInfo(0).Levels
	for i, v := range y {
		if !(v >= 0 && v < float64(len(levels))) || v != float64(int(v)) {
			return outcomes{}, fmt.Errorf("row %s: class %v, expected 0..%d", view.ID(i), v, len(levels)-1)
		}
	}
	return newOutcomes(y, view.Weights(), len(levels)), nil
}

// pairs are the columns and classes that come together in enough rows, by column, then class.
func (d *design) pairs(ctx context.Context, known outcomes, cutoff int) (out []loglinear.Feature) {
	seen := make([]float64, known.classes)
	for j, k := range d.position {
		if j%checkEvery == 0 && ctx.Err() != nil {
			return nil
		}
		if k < 0 {
			continue
		}
		for _, i := range d.cols.Col(j).Idx {
			seen[int(known.y[i])] += known.m(int(i))
		}
		for c, m := range seen {
			if m > 0 && m >= float64(cutoff) {
				out = append(out, loglinear.Feature{Column: int32(j), Class: int32(c)})
			}
			seen[c] = 0
		}
	}
	return out
}

// features puts the pairs of a column together, columns in order of position: what fires together is close.
func (d *design) features(pairs []loglinear.Feature) features {
	first := make([]int32, len(d.column)+1)
	for _, f := range pairs {
		if a := d.position[f.Column]; a >= 0 {
			first[a+1]++
		}
	}
	for a := range d.column {
		first[a+1] += first[a]
	}
	n := first[len(d.column)]
	out := features{d: d, first: first, index: make([]int32, n), column: make([]int32, n), class: make([]int32, n), gamma: make([]float64, n)}
	next := slices.Clone(first)
	for i, f := range pairs {
		if a := d.position[f.Column]; a >= 0 {
			k := next[a]
			next[a]++
			out.index[k], out.column[k], out.class[k], out.gamma[k] = int32(i), f.Column, f.Class, d.scales[a].gamma
		}
	}
	return out
}
