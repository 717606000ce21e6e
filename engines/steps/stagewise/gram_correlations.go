package stagewise

import (
	"math"

	"tenfold/engines/steps/gram"
	"tenfold/engines/steps/stagewise/design"
	"tenfold/engines/steps/stagewise/lookup"
)

// correlations knows every c = G'r exactly while raw coefficients move (Hooker & Weng 2004, section 5):
//
//	u = ỹ − X·b,   a = X'M·u,   s = Σ m·u,   c = γ·(a − μ·s).
type correlations interface {
	Value(k int) float64     // c of the feature at position k
	update(k int, h float64) // b ← b + h at position k
	Offset() float64         // s
	// recompute computes everything from raw coefficients b, and returns RSS and the largest change of any c.
	recompute(b []float64) (rss, drift float64)
}

// gramCorrelations keeps a and s. A step changes a only at the entries of one column of X'MX: the rank-one part of the change,
// which affects every correlation, is in the scalar s (Hooker & Weng 2004, section 5;
// docs/engines/stagewise.md#erratum-correlations).
type gramCorrelations struct {
	d      *design.Design
	a      []float64 // by position
	s      float64
	gram   *gram.Matrix
	blocks *lookup.Blocks // whose bounds updates raise; nil unless the lookup is full and blocked

	gramEntriesRead int64
	u, xu           []float64 // scratch of recompute, by row and by column
}

func newGramCorrelations(d *design.Design, group uint, gramMemory int64) *gramCorrelations {
	rows, columns := d.X.Dims()
	g := &gramCorrelations{d: d, a: make([]float64, len(d.Column)), u: make([]float64, rows), xu: make([]float64, columns)}
	g.gram = gram.New(d.Cols, d.Weight, d.Position, len(d.Column), group, gramMemory)
	g.recompute(nil)
	return g
}

// Value returns c of the feature at position k.
func (g *gramCorrelations) Value(k int) float64 { return g.d.Scales[k].Correlation(g.a[k], g.s) }

// Offset returns s.
func (g *gramCorrelations) Offset() float64 { return g.s }

func (g *gramCorrelations) update(k int, h float64) {
	column := g.gram.Column(int(g.d.Column[k]))
	g.gramEntriesRead += int64(column.Len())
	if g.blocks != nil {
		g.updateBlocks(column, h)
	} else {
		g.updateCorrelations(column, h)
	}
	g.s -= float64(h * g.d.Total[k])
}

// updateCorrelations computes a ← a − h·(X'MX)·1ⱼ.
func (g *gramCorrelations) updateCorrelations(column *gram.Column, h float64) {
	column.Each(func(k int, v float64) { g.a[k] -= float64(h * v) })
}

func (g *gramCorrelations) recompute(b []float64) (rss, drift float64) {
	g.d.Residual(g.u, b)
	s, rss := g.d.ResidualMoments(g.u)
	g.d.InnerProducts(g.xu, g.u)
	for k := range g.a {
		before := g.Value(k)
		g.a[k] = g.xu[g.d.Column[k]]
		drift = max(drift, math.Abs(g.d.Scales[k].Correlation(g.a[k], s)-before))
	}
	g.s = s
	if g.blocks != nil {
		g.blocks.ResetBounds()
	}
	return rss, drift
}
