package stagewise

import (
	"math"

	"tenfold/engines/sparse"
)

// correlations knows every c = G'r exactly while raw coefficients move (spec 4.1):
//
//	u = ỹ − X·b,   a = X'M·u,   s = Σ m·u,   c = γ·(a − μ·s).
type correlations interface {
	at(k int) float64      // c of the feature at position k
	move(k int, h float64) // b ← b + h at position k
	offset() float64       // s
	// restart computes everything anew from raw coefficients b, and returns RSS and the largest change of any c.
	restart(b []float64) (rss, drift float64)
}

// gaussian keeps a and s. A step touches the entries of one column of X'MX only: the rank-one part of the change, which
// touches every correlation, is in the scalar s (spec 4.2, errata H1 to H4).
type gaussian struct {
	d      *design
	cells  []cell
	s      float64
	gram   *sparse.Gram
	blocks *blocks // kept informed of changes of a; nil when nobody asks for the maximum over all features

	touched int64     // Gram entries read
	u, a    []float64 // for restart: one a row, one a column
}

// cell is what is read when the correlation of one feature is, kept together for the sake of the cache.
type cell struct{ a, mu, gamma float64 }

func newGaussian(d *design, group uint, gramMemory int64) *gaussian {
	g := &gaussian{d: d, cells: make([]cell, len(d.column))}
	g.gram = sparse.NewGram(d.x, d.weight, d.position, len(d.column), group, gramMemory)
	for k, s := range d.scales {
		g.cells[k] = cell{mu: s.mu, gamma: s.gamma}
	}
	rows, columns := d.x.Dims()
	g.u, g.a = make([]float64, rows), make([]float64, columns)
	g.restart(nil)
	return g
}

func (f *cell) c(s float64) float64 { return f.gamma * (f.a - float64(f.mu*s)) }

func (g *gaussian) at(k int) float64 { return g.cells[k].c(g.s) }

func (g *gaussian) offset() float64 { return g.s }

func (g *gaussian) move(k int, h float64) {
	column := g.gram.Column(int(g.d.column[k]))
	g.touched += int64(column.Len())
	if g.blocks != nil {
		g.blocks.update(column, h)
	} else {
		g.update(column, h)
	}
	g.s -= float64(h * g.d.scales[k].total)
}

// update is a ← a − h·(X'MX)·1ⱼ.
func (g *gaussian) update(column *sparse.GramColumn, h float64) {
	column.Each(func(k int, v float64) { g.cells[k].a -= float64(h * v) })
}

func (g *gaussian) restart(b []float64) (rss, drift float64) {
	g.d.residual(g.u, b)
	s, rss := g.d.moments(g.u)
	g.d.inner(g.a, g.u)
	for k := range g.cells {
		f := &g.cells[k]
		before := f.c(g.s)
		f.a = g.a[g.d.column[k]]
		drift = max(drift, math.Abs(f.c(s)-before))
	}
	g.s = s
	if g.blocks != nil {
		g.blocks.forget()
	}
	return rss, drift
}
