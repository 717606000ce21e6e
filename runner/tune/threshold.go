package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/decided"
	"tenfold/engines/decision"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/param"
	"tenfold/engines/searches"
	"tenfold/runner/inner"
	"tenfold/runner/metric"
	"tenfold/runner/score"
)

// Threshold holds the options of the cut of a model of two classes: the positive one is predicted where its margin, log-odds or how far
// its decision value is above the other's, is at least the cut.
type Threshold struct {
	Metric string `yaml:"metric" json:"metric" ref:"metric" doc:"what the cut is best for: a metric that follows from true and predicted classes, such as f1, balanced_accuracy or mcc (default none: no cut is chosen)"`
	K      int    `yaml:"k" json:"k" doc:"inner folds whose held-out rows give the margins, at least 2; 0: those on which parameters are compared"`
}

// Validate checks the options.
func (t Threshold) Validate() error {
	m, known := metric.Find(t.Metric) // unknown names are reported when the experiment file is read
	return errors.Join(
		param.Require("threshold.metric", t.Metric != "" || t.K == 0, "missing, expected a metric that follows from true and predicted classes, such as f1"),
		param.Require("threshold.metric", !known || m.OfDecisions(), "%s does not follow from true and predicted classes alone, and so from no cut; these do: accuracy, balanced_accuracy, f1, f2, f:BETA, mcc, kappa and others", t.Metric),
		param.Require("threshold.k", t.K == 0 || t.K >= 2, "%d folds, expected at least 2, or 0 for those on which parameters are compared", t.K),
	)
}

// heldOut holds what a model predicts for rows that it was not fitted to: the margin of each, whether it is positive, and its weight.
type heldOut struct {
	margins  []float64
	positive []bool
	weights  []float64
}

// fitCut fits the engine to all rows, and to each inner fold for the cut of its margins that is best for the metric there.
func (e Engine) fitCut(ctx context.Context, run engines.Run, chosen engines.Engine, innerFolds []inner.Fold, seed uint64) (engines.Model, error) {
	m, _ := e.Defined.Find(e.Threshold.Metric)
	info := run.Train.TargetInfo(0)
	matrix := m.Costs.Matrix(info.Levels)
	if m.Costs != nil && matrix == nil {
		return nil, fmt.Errorf("the target has none of the levels of %s", m.Name)
	}
	if e.Threshold.K > 0 && e.Threshold.K != e.K {
		var err error
		if innerFolds, err = inner.Divide(ctx, run, engines.InnerFolds{K: e.Threshold.K, Repeats: e.Repeats}, seed); err != nil {
			return nil, err
		}
	}
	pooled, err := pool(ctx, run, chosen, innerFolds, seed)
	if err != nil {
		return nil, err
	}
	run.Rand = random(seed)
	model, err := chosen.Fit(ctx, run)
	if err != nil {
		return nil, err
	}
	usual := 0.0 // the cut without a choice
	if r, ok := model.(engines.Reporter); ok && matrix != nil && r.Fitted().Probabilities {
		usual = decision.CostCut(matrix, info.Positive)
	}
	rule := decision.Rule{Positive: info.Positive, Cut: exact.Float(usual)}
	best, ok := pooled.bestCut(m.Better, m.ByDecisions([]string{info.Levels[1-info.Positive], info.Levels[info.Positive]}), usual)
	if !ok {
		run.Note(fmt.Sprintf("threshold: %s has no value at any cut, since the inner rows held out are of one class: it stays %.6g", m.Name, usual))
	} else {
		rule.Cut = exact.Float(best.cut)
		run.Say("threshold", fmt.Sprintf("%s where its margin is at least %.6g", info.Levels[rule.Positive], best.cut))
		run.Say("inner "+m.Name+" at the threshold", fmt.Sprintf("%.6g, the best of %d cuts of %d margins, so optimistic", best.value, best.among, len(pooled.margins)))
	}
	return decided.New(model, run.Train.Features(), rule), nil
}

// checkDecided returns an error where no cut can decide.
func checkDecided(v *data.View) error {
	steps, err := v.Inputs().Steps()
	switch {
	case err != nil:
		return err
	case steps != nil:
		return errors.New("columns look at previous labels, so that sequences are labelled as a whole and no cut decides on single rows")
	}
	return nil
}

// pool fits the engine to each inner fold, and returns what it predicts for the rows held out. These come fold by fold.
func pool(ctx context.Context, run engines.Run, e engines.Engine, innerFolds []inner.Fold, seed uint64) (all heldOut, err error) {
	counter := searches.NewCounter(run.ShowProgress, "threshold: ", len(innerFolds))
	for k, fold := range innerFolds {
		train, held := fold.Views(run.Train)
		work := engines.Work{What: "margins of rows held out", Engine: e, On: []*data.View{train, held}, Seed: pair(seed + uint64(k) + 1)}
		found, _, err := run.Recalled(work, func(inside engines.Run) (engines.Yield, error) {
			margins, err := marginsOn(ctx, inside.Inside(train, work.Seed), e, held)
			return engines.Yield{Values: margins}, err
		})
		if ctx.Err() != nil {
			return all, context.Cause(ctx)
		}
		if err != nil {
			return all, err
		}
		all.add(held, found.Values)
		counter.Add()
	}
	return all, nil
}

// marginsOn fits the engine, and returns the margins of other rows.
func marginsOn(ctx context.Context, run engines.Run, e engines.Engine, held *data.View) ([]float64, error) {
	model, err := e.Fit(ctx, run)
	if err != nil {
		return nil, err
	}
	defer engines.Close(model)
	outputs, err := score.Predict(model, nil, held, run.Workers)
	if err != nil {
		return nil, err
	}
	o := outputs[0].Outcome
	d, margins := decision.Rule{Positive: o.Positive}, make([]float64, len(o.Test.Truth))
	for i := range margins {
		margins[i] = d.Margin(o.Test.Score[2*i : 2*i+2])
	}
	return margins, nil
}

// add appends the rows of an inner fold.
func (h *heldOut) add(held *data.View, margins []float64) {
	rows, levels := held.Defined(0)
	positive, weights := held.TargetInfo(0).Positive, rows.CaseWeights()
	for i, level := range levels {
		h.positive, h.weights = append(h.positive, int(level) == positive), append(h.weights, weights.Of(i))
	}
	h.margins = append(h.margins, margins...)
}

// cutFound is a cut, the value of the metric there, and the number of cuts that it was chosen from.
type cutFound struct {
	cut, value float64
	among      int
}

// sameValue is how near values of a metric are that count as one.
const sameValue = 1e-12

// bestCut returns the cut with the best value of a metric, by the weights of rows by true and predicted class (1 the positive one), of all that divide the margins differently: −∞, ∞, and between neighbours half
// way, or where there is no number between, the upper one. Of equal ones it takes the usual cut if that predicts alike, else the nearest
// to it, then the lower one. It reports false if the metric has no value at any cut. O(n log n) for n margins.
func (h heldOut) bestCut(better metric.Direction, value func(c metric.Confusion, positive int) float64, usual float64) (best cutFound, ok bool) {
	order := make([]int, len(h.margins))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(h.margins[a], h.margins[b]) })
	// Counts at the k-th cut are of rows below it, summed upwards, and of rows above it, summed downwards: no sum is a difference.
	starts := []int{} // place in order of each distinct margin
	for k, i := range order {
		if k == 0 || h.margins[i] != h.margins[order[k-1]] {
			starts = append(starts, k)
		}
	}
	below, above := make([][2]float64, len(starts)+1), make([][2]float64, len(starts)+1) // weight by class, 1 the positive one
	count := func(into *[2]float64, group int) {
		end := len(order)
		if group+1 < len(starts) {
			end = starts[group+1]
		}
		for _, i := range order[starts[group]:end] {
			if h.positive[i] {
				into[1] += h.weights[i]
			} else {
				into[0] += h.weights[i]
			}
		}
	}
	for k := range starts {
		below[k+1] = below[k]
		count(&below[k+1], k)
	}
	for k := len(starts) - 1; k >= 0; k-- {
		above[k] = above[k+1]
		count(&above[k], k)
	}
	values, most := make([]float64, len(starts)+1), math.NaN()
	sign := 1.0
	if better == metric.Lower {
		sign = -1
	}
	for k := range values {
		values[k] = value(metric.Confusion{{below[k][0], above[k][0]}, {below[k][1], above[k][1]}}, 1)
		if v := float64(sign * values[k]); !math.IsNaN(v) && !(v <= most) {
			most = v
		}
	}
	margin := func(k int) float64 { return h.margins[order[starts[k]]] }
	best.among = len(values)
	for k, value := range values {
		if math.IsNaN(value) || float64(sign*value) < most-sameValue {
			continue
		}
		cut := math.Inf(-1)
		switch {
		case k == len(starts):
			cut = math.Inf(1)
		case k > 0:
			cut = between(margin(k-1), margin(k))
		}
		if (k == 0 || usual > margin(k-1)) && (k == len(starts) || usual <= margin(k)) {
			cut = usual
		}
		if !ok || math.Abs(cut-usual) < math.Abs(best.cut-usual) {
			best.cut, best.value, ok = cut, value, true
		}
	}
	return best, ok
}

// between returns the number half way between two, or the upper one where that is not above the lower.
func between(low, high float64) float64 {
	if half := low + float64((high-low)/2); half > low && half < high {
		return half
	}
	return high
}
