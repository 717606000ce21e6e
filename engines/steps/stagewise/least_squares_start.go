package stagewise

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/steps/stagewise/design"
	"tenfold/engines/steps/stagewise/lookup"
)

// startLeastSquares prepares a path over run.Train, with the rows of run.Watch held out.
func (e Stagewise) startLeastSquares(ctx context.Context, run engines.Run) (*leastSquaresPath, error) {
	d, err := design.New(ctx, run.Train, e.Scale, design.FarColumns)
	if err != nil {
		return nil, err
	}
	features := len(d.Column)
	p := &leastSquaresPath{pathState: newPathState(e, run, features), d: d, unit: 1, coefficients: make([]float64, features), rss: d.TSS}
	if run.Watch != nil {
		held, y := run.Watch.Defined(0)
		if len(y) == 0 {
			return nil, fmt.Errorf("choose: %s: there is no held-out row to measure the error on", e.Choose)
		}
		p.heldOut, p.hasHeldOut = engines.NewResidual(held, d.Mean), true
	}
	p.tol = p.zeroTolerance()
	p.setStepSize()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return p, p.setLookup(run)
}

// zeroTolerance returns the |c| that counts as nothing.
func (p *leastSquaresPath) zeroTolerance() float64 {
	g := 0.0
	for _, norm := range p.d.Norm {
		g = max(g, norm)
	}
	return max(p.e.MinC, 1e-12*math.Sqrt(p.d.TSS)*math.Sqrt(g))
}

// setStepSize fixes how large a step is. Every policy uses the state before the step.
func (p *leastSquaresPath) setStepSize() {
	eps := p.e.Epsilon
	switch p.e.Step {
	case "fixed":
		p.unit = eps
		p.stepSize = func(_, _ float64) float64 { return eps }
	case "rss":
		p.stepSize = func(_, _ float64) float64 { return eps * p.rss / p.d.TSS }
	case "rms":
		p.stepSize = func(_, _ float64) float64 { return eps * math.Sqrt(max(p.rss, 0)/p.d.N) }
	case "linesearch":
		p.stepSize = func(c, norm float64) float64 { return eps * math.Abs(c) / norm }
	}
}

func (p *leastSquaresPath) setLookup(run engines.Run) error {
	var g *gramCorrelations
	block := p.e.blockBits(len(p.d.Column))
	if p.e.Lazy {
		p.correlations = newResidualCorrelations(p.d)
	} else {
		g = newGramCorrelations(p.d, block, p.e.GramMemory)
		p.correlations = g
	}
	if p.e.Lookup == "full" && p.e.Scan == "blocked" {
		g.setBlocks(block)
		p.lookup = lookup.All{Blocks: g.blocks}
		return nil
	}
	sample, err := p.e.sampler(p.d, p.d.PositionsByColumn(), p.d.Column, run)
	p.lookup = lookup.Sampled(p.correlations.Value, p.d.Column, sample, p.e.Carry)
	return err
}

// sampler returns a function that draws the features of each iteration from all, which are positions in order of rank, of features of
// the columns given by position. Random draws go by the names of columns, so that their order in a file changes none.
func (e Stagewise) sampler(d *design.Design, all, column []int32, run engines.Run) (func() []int32, error) {
	switch e.Lookup {
	case "random":
		name := run.Train.Features().Name
		slices.SortStableFunc(all, func(a, b int32) int { return strings.Compare(name(int(column[a])), name(int(column[b]))) })
		return lookup.DrawWithoutReplacement(all, e.Sample, run.Rand), nil
	case "queue":
		return lookup.LongestUnseen(all, e.Sample), nil
	case "list":
		lists, err := d.Positions(e.Lists)
		return lookup.CycleLists(lists), err
	}
	return lookup.AllEveryTime(all), nil
}

// blockBits returns log₂ of the size of a block.
func (e Stagewise) blockBits(p int) uint {
	switch {
	case e.Block > 0:
		return uint(bits.Len(uint(e.Block)) - 1)
	case p < 50_000:
		return 6
	}
	return 8
}
