package stagewise

import (
	"math"

	"tenfold/engines/steps/gram"
)

// correlations knows every c = G'r exactly while raw coefficients move (Hooker & Weng 2004, section 5):
//
//	u = ỹ − X·b,   a = X'M·u,   s = Σ m·u,   c = γ·(a − μ·s).
type correlations interface {
	value(k int) float64     // c of the feature at position k
	update(k int, h float64) // b ← b + h at position k
	offset() float64         // s
	// recompute computes everything from raw coefficients b, and returns RSS and the largest change of any c.
	recompute(b []float64) (rss, drift float64)
}

// gramCorrelations keeps a and s. A step changes a only at the entries of one column of X'MX: the rank-one part of the change,
// which affects every correlation, is in the scalar s (Hooker & Weng 2004, section 5;
// docs/engines/stagewise.md#erratum-correlations).
type gramCorrelations struct {
	d      *design
	a      []float64 // by position
	s      float64
	gram   *gram.Matrix
	blocks *blocks // whose bounds updates raise; nil unless the lookup is full and blocked

	gramEntriesRead int64
	u, xu           []float64 // scratch of recompute, by row and by column
}

func newGramCorrelations(d *design, group uint, gramMemory int64) *gramCorrelations {
	rows, columns := d.x.Dims()
	g := &gramCorrelations{d: d, a: make([]float64, len(d.column)), u: make([]float64, rows), xu: make([]float64, columns)}
	g.gram = gram.New(d.cols, d.weight, d.position, len(d.column), group, gramMemory)
	g.recompute(nil)
	return g
}

func (g *gramCorrelations) value(k int) float64 { return g.d.scales[k].c(g.a[k], g.s) }

func (g *gramCorrelations) offset() float64 { return g.s }

func (g *gramCorrelations) update(k int, h float64) {
	column := g.gram.Column(int(g.d.column[k]))
	g.gramEntriesRead += int64(column.Len())
	if g.blocks != nil {
		g.updateBlocks(column, h)
	} else {
		g.updateCorrelations(column, h)
	}
	g.s -= float64(h * g.d.total[k])
}

// updateCorrelations is a ← a − h·(X'MX)·1ⱼ.
func (g *gramCorrelations) updateCorrelations(column *gram.Column, h float64) {
	column.Each(func(k int, v float64) { g.a[k] -= float64(h * v) })
}

func (g *gramCorrelations) recompute(b []float64) (rss, drift float64) {
	g.d.residual(g.u, b)
	s, rss := g.d.residualMoments(g.u)
	g.d.innerProducts(g.xu, g.u)
	for k := range g.a {
		before := g.value(k)
		g.a[k] = g.xu[g.d.column[k]]
		drift = max(drift, math.Abs(g.d.scales[k].c(g.a[k], s)-before))
	}
	g.s = s
	if g.blocks != nil {
		g.blocks.resetBounds()
	}
	return rss, drift
}
