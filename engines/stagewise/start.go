package stagewise

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"tenfold/engines"
)

// start prepares a walk over run.Train that watches run.Watch, where there is one.
func (e Stagewise) start(ctx context.Context, run engines.Run) (*walk, error) {
	d, err := newDesign(ctx, run.Train, e.Scale)
	if err != nil {
		return nil, err
	}
	w := &walk{e: e, d: d, trace: run.Trace, last: -1, unit: 1, q: make([]float64, len(d.column)), b: make([]float64, len(d.column)), rss: d.tss, entered: make([]bool, len(d.column))}
	w.featureName = run.Train.Features().Name
	if run.Watch != nil {
		held, y := defined(run.Watch)
		if len(y) == 0 {
			return nil, fmt.Errorf("choose: %s: there is no held-out row to measure the error on", e.Choose)
		}
		w.held = engines.NewResidual(held, d.mean)
	}
	w.setSize()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return w, w.setLookup(run)
}

// setSize fixes how large a step is (spec 4.5). Every policy uses the state before the step.
func (w *walk) setSize() {
	eps := w.e.Epsilon
	switch w.e.Step {
	case "fixed":
		w.unit = eps
		w.size = func(_, _ float64) float64 { return eps }
	case "rss":
		w.size = func(_, _ float64) float64 { return eps * w.rss / w.d.tss }
	case "rms":
		w.size = func(_, _ float64) float64 { return eps * math.Sqrt(max(w.rss, 0)/w.d.n) }
	case "linesearch":
		w.size = func(c, norm float64) float64 { return eps * math.Abs(c) / norm }
	}
}

func (w *walk) setLookup(run engines.Run) error {
	var g *gaussian
	block := w.e.blockBits(len(w.d.column))
	if w.e.Lazy {
		w.c = newLazy(w.d)
	} else {
		g = newGaussian(w.d, block, w.e.GramMemory)
		w.c = g
	}
	if w.e.Lookup == "full" && w.e.Scan == "blocked" {
		g.blocks = newBlocks(g, block)
		w.look = everything{g.blocks}
		return nil
	}
	var next func() []int32
	switch w.e.Lookup {
	case "full":
		next = full(w.d)
	case "random":
		next = random(w.d, w.e.Sample, run.Rand)
	case "queue":
		next = queue(w.d, w.e.Sample)
	case "list":
		lists, err := w.d.positions(w.e.Lists)
		if err != nil {
			return err
		}
		next = listed(lists)
	}
	w.look = newSome(w.c, w.d.column, next, w.e.Carry)
	return nil
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
