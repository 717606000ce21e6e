package stagewise

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"tenfold/engines"
)

// startLeastSquares prepares a path over run.Train that follows the error on run.Watch, where there is one.
func (e Stagewise) startLeastSquares(ctx context.Context, run engines.Run) (*leastSquaresPath, error) {
	d, err := newDesign(ctx, run.Train, e.Scale)
	if err != nil {
		return nil, err
	}
	p := len(d.column)
	w := &leastSquaresPath{pathState: newPathState(e, run, p), d: d, unit: 1, coefficients: make([]float64, p), rss: d.tss}
	if run.Watch != nil {
		held, y := run.Watch.Defined(0)
		if len(y) == 0 {
			return nil, fmt.Errorf("choose: %s: there is no held-out row to measure the error on", e.Choose)
		}
		w.heldOut, w.hasHeldOut = engines.NewResidual(held, d.mean), true
	}
	w.tol = w.zeroTolerance()
	w.setStepSize()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return w, w.setLookup(run)
}

// setStepSize fixes how large a step is. Every policy uses the state before the step.
func (w *leastSquaresPath) setStepSize() {
	eps := w.e.Epsilon
	switch w.e.Step {
	case "fixed":
		w.unit = eps
		w.stepSize = func(_, _ float64) float64 { return eps }
	case "rss":
		w.stepSize = func(_, _ float64) float64 { return eps * w.rss / w.d.tss }
	case "rms":
		w.stepSize = func(_, _ float64) float64 { return eps * math.Sqrt(max(w.rss, 0)/w.d.n) }
	case "linesearch":
		w.stepSize = func(c, norm float64) float64 { return eps * math.Abs(c) / norm }
	}
}

func (w *leastSquaresPath) setLookup(run engines.Run) error {
	var g *gramCorrelations
	block := w.e.blockBits(len(w.d.column))
	if w.e.Lazy {
		w.correlations = newResidualCorrelations(w.d)
	} else {
		g = newGramCorrelations(w.d, block, w.e.GramMemory)
		w.correlations = g
	}
	if w.e.Lookup == "full" && w.e.Scan == "blocked" {
		g.setBlocks(block)
		w.lookup = allFeatures{g.blocks}
		return nil
	}
	next, err := w.e.sampler(w.d, w.d.positionsByColumn(), run)
	w.lookup = newSampledFeatures(w.correlations.value, w.d.column, next, w.e.Carry)
	return err
}

// sampler returns a function that draws the features of each iteration from all, which are in order of index.
func (e Stagewise) sampler(d *design, all []int32, run engines.Run) (func() []int32, error) {
	switch e.Lookup {
	case "random":
		return drawWithoutReplacement(all, e.Sample, run.Rand), nil
	case "queue":
		return longestUnseen(all, e.Sample), nil
	case "list":
		lists, err := d.positions(e.Lists)
		return cycleLists(lists), err
	}
	return allEveryTime(all), nil
}

// blockBits is log₂ of the size of a block.
func (e Stagewise) blockBits(p int) uint {
	switch {
	case e.Block > 0:
		return uint(bits.Len(uint(e.Block)) - 1)
	case p < 50_000:
		return 6
	}
	return 8
}

// positions translates lists of columns; columns that do not vary are never looked at.
func (d *design) positions(lists [][]int) ([][]int32, error) {
	out := make([][]int32, len(lists))
	for t, list := range lists {
		for _, j := range list {
			if j < 0 || j >= len(d.position) {
				return nil, fmt.Errorf("lists: column %d of list %d is outside 0..%d", j, t, len(d.position)-1)
			}
			if k := d.position[j]; k >= 0 {
				out[t] = append(out[t], k)
			}
		}
	}
	return out, nil
}
