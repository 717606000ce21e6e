// Package inner chooses the strength of a penalty by cross-validation inside the training rows, for engines whose default no fixed share of
// the largest penalty could be.
package inner

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/units"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/poisson"
	"tenfold/engines/numeric/survival"
)

const (
	mostFolds = 5
	// each third value of a path is tried: eight a decade.
	thin = 3
	// better is by how much, relatively, a smaller penalty has to lower the loss.
	better = 1e-9
)

// Share returns the value of an engine's path, in shares of the largest penalty, whose models have the least loss on rows that they were not
// fitted to: five folds of the units that stay together, by class, or the latest fifth where folds are in order of time. The loss is the squared
// error, the log-loss, of counts the deviance, or of times what held rows take from the logarithm of the partial likelihood (Verweij & van Houwelingen 1993). Of equal ones the largest share wins. It is 0 if no fold has a loss, since the rows are too few or of one class, and of several targets. Folds are
// drawn from the number of units alone. The path goes on as that of tuning does while no value is better than its end: where columns differ in
// their units, losses can stay as they are for decades before the next column enters.
func Share(ctx context.Context, run engines.Run, e engines.Pathed) (share float64, err error) {
	if run.Train.Targets() != 1 {
		return 0, nil
	}
	folds := divide(run)
	path, err := e.PathValues(run)
	if err != nil {
		return 0, err
	}
	values := thinned(path.Values)
	losses, ended, err := pathLosses(ctx, run, e, folds, values)
	for err == nil {
		best := least(losses)
		if best < 0 {
			return 0, nil
		}
		if ended || len(path.Onward) == 0 || latest(losses) < len(values)-max(1, path.Onward[0].Near/thin) {
			run.Say(e.PathParameters()[0], fmt.Sprintf("%.3g, by %d inner folds", values[best], len(folds)))
			return values[best], nil
		}
		more := thinned(path.Onward[0].Values)
		path.Onward = path.Onward[1:]
		var further []float64
		further, ended, err = pathLosses(ctx, run, e, folds, more)
		values, losses = append(values, more...), append(losses, further...)
	}
	return 0, err
}

func thinned(values []float64) (out []float64) {
	for k := 0; k < len(values); k += thin {
		out = append(out, values[k])
	}
	return out
}

// least returns the first of the smallest losses that are numbers, −1 if there is none.
func least(losses []float64) int {
	best := -1
	for k, l := range losses {
		if !math.IsNaN(l) && !math.IsInf(l, 0) && (best < 0 || l < losses[best]*(1-better)) {
			best = k
		}
	}
	return best
}

// latest returns the last of the smallest losses.
func latest(losses []float64) int {
	last := least(losses)
	for k, l := range losses {
		if l <= losses[last]*(1+better) {
			last = max(last, k)
		}
	}
	return last
}

// fold is rows to fit and rows held out, rising.
type fold struct{ fitted, held []int32 }

func divide(run engines.Run) (folds []fold) {
	if run.Inner.Ordered && run.Train.Division().Time != nil {
		fitted, held := units.Latest(run, run.Train.Division(), 1.0/mostFolds)
		return usable(run.Train, []fold{{fitted, held}})
	}
	all := units.Of(run)
	k := min(mostFolds, len(all))
	folds = make([]fold, k)
	rng, next := rand.New(rand.NewPCG(uint64(len(all)), 0x696e6e6572)), 0
	for _, stratum := range units.Strata(run.Train, all) {
		for _, place := range rng.Perm(len(stratum)) {
			rows := all[stratum[place]]
			for f := range folds {
				if f == next%k {
					folds[f].held = append(folds[f].held, rows...)
				} else {
					folds[f].fitted = append(folds[f].fitted, rows...)
				}
			}
			next++
		}
	}
	for f := range folds {
		slices.Sort(folds[f].held)
		slices.Sort(folds[f].fitted)
	}
	return usable(run.Train, folds)
}

// usable returns the folds whose fitted rows have two values of the target, or an event, and whose held rows have any.
func usable(v *data.View, folds []fold) []fold {
	return slices.DeleteFunc(folds, func(f fold) bool {
		if len(f.fitted) == 0 || len(f.held) == 0 {
			return true
		}
		fitted := v.Sub(f.fitted)
		_, y := fitted.Target(0)
		if v.TargetInfo(0).Type == data.Survival && !slices.Contains(fitted.Events(0), 1) {
			return true
		}
		_, held := v.Sub(f.held).Target(0)
		return len(held) == 0 || !slices.ContainsFunc(y, func(x float64) bool { return x != y[0] })
	})
}

// pathLosses returns the loss of each value over all held rows, NaN if there is none, and whether the paths of all folds ended before the
// last value. Where a path ends, its last model stands for what remains.
func pathLosses(ctx context.Context, run engines.Run, e engines.Pathed, folds []fold, values []float64) (losses []float64, ended bool, err error) {
	losses, ended = make([]float64, len(values)), true
	rows := 0.0
	for _, f := range folds {
		here := make([]float64, len(values))
		for k := range here {
			here[k] = math.NaN()
		}
		loss, n := heldLoss(run.Train, f), 0.0
		points := engines.PathPoints{Parameter: e.PathParameters()[0], Values: values, MayEnd: true}
		part := engines.Run{Train: run.Train.Subsample(f.fitted), Rand: rand.New(rand.NewPCG(1, 1)), Workers: run.Workers, Cache: run.Cache, Inner: run.Inner}
		err := e.FitPath(ctx, part, points, func(k int, m engines.Model) { here[k], n = loss(m) })
		if ctx.Err() != nil {
			return nil, false, context.Cause(ctx)
		}
		if err != nil { // nothing goes with these rows' target, say: the fit to all rows tells
			continue
		}
		ended = ended && math.IsNaN(here[len(here)-1])
		for k := range here {
			if k > 0 && math.IsNaN(here[k]) {
				here[k] = here[k-1]
			}
			losses[k] += here[k]
		}
		rows += n
	}
	for k := range losses {
		losses[k] /= rows
	}
	return losses, ended, nil
}

// heldLoss returns a function that sums the losses of a model over the rows that a fold holds out, and their weights.
func heldLoss(v *data.View, f fold) func(m engines.Model) (loss, weight float64) {
	held := v.Sub(f.held)
	if v.TargetInfo(0).Type != data.Survival {
		return func(m engines.Model) (loss, weight float64) { return predictionLoss(held, m) }
	}
	fitted := v.Sub(f.fitted)
	return func(m engines.Model) (loss, weight float64) {
		return logPartial(fitted, m) - logPartial(v, m), held.CaseWeights().Sum(held.Len())
	}
}

// logPartial returns the logarithm of Breslow's partial likelihood of a model; NaN without an event.
func logPartial(v *data.View, m engines.Model) float64 {
	out := make([]float64, v.Len())
	m.Predict(out, v.Inputs())
	rows, times := v.Target(0)
	eta, weight := make([]float64, len(times)), make([]float64, len(times))
	for k := range times {
		i := k
		if rows != nil {
			i = int(rows[k])
		}
		eta[k], weight[k] = out[i], v.CaseWeights().Of(i)
	}
	l, err := survival.NewLikelihood(times, v.Events(0), weight, false)
	if err != nil {
		return math.NaN()
	}
	return l.Log(eta)
}

// predictionLoss returns the sums of losses and of weights over rows.
func predictionLoss(v *data.View, m engines.Model) (loss, weight float64) {
	rows, y := v.Target(0)
	out := make([]float64, v.Len()*m.Outputs())
	m.Predict(out, v.Inputs())
	class, counts := v.TargetInfo(0).Type == data.Class, v.TargetInfo(0).Type == data.Count
	weights, exposure := v.CaseWeights(), data.Weights(v.Exposures())
	for k, truth := range y {
		i := k
		if rows != nil {
			i = int(rows[k])
		}
		l := 0.0
		if class {
			l = -out[i*m.Outputs()+int(truth)]
		} else if counts {
			l = poisson.Deviance(truth, float64(exposure.Of(i)*elementary.Exp(out[i])))
		} else {
			l = out[i] - truth
			l *= l
		}
		loss += float64(weights.Of(i) * l)
		weight += weights.Of(i)
	}
	return loss, weight
}
