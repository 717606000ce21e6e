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
	p := len(d.column)
	w := &walk{track: newTrack(e, run, p), d: d, unit: 1, b: make([]float64, p), rss: d.tss}
	if run.Watch != nil {
		held, y := run.Watch.Defined(0)
		if len(y) == 0 {
			return nil, fmt.Errorf("choose: %s: there is no held-out row to measure the error on", e.Choose)
		}
		w.held, w.watched = engines.NewResidual(held, d.mean), true
	}
	w.nothing = w.threshold()
	w.setSize()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return w, w.setLookup(run)
}

// setSize fixes how large a step is. Every policy uses the state before the step.
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
		g.search(block)
		w.look = everything{g.blocks}
		return nil
	}
	next, err := w.e.next(w.d, w.d.byColumn(), run)
	w.look = newSome(w.c.at, w.d.column, next, w.e.Carry)
	return err
}

// next names the features that each turn looks at, of all of them, in order of index.
func (e Stagewise) next(d *design, all []int32, run engines.Run) (func() []int32, error) {
	switch e.Lookup {
	case "random":
		return random(all, e.Sample, run.Rand), nil
	case "queue":
		return queue(all, e.Sample), nil
	case "list":
		lists, err := d.positions(e.Lists)
		return listed(lists), err
	}
	return full(all), nil
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
