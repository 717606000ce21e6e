package mdl

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// leastSquares is least squares of several responses on growing sets of columns, each response on its own set, with the decrease
// of RSS that every other column would bring. With an orthonormal basis q_1…q_s of a response's columns, and its residual r,
//
//	c_j = x̃_j·r,   d_j = ‖x̃_j‖² − Σ (x̃_j·q_s)²,   column j lowers the residual sum of squares by c_j²/d_j.
//
// A new column is made orthogonal to the basis (Gram-Schmidt), z = x̃_j − Σ q(q·x̃_j), and becomes q = z/‖z‖; then with b = X̃ᵀq
//
//	d −= b²,   c −= b·(q·r),   r −= q·(q·r),
//
// which is O(nnz) for all columns together, dense or sparse. Weights follow by back substitution when they are asked for.
//
// Equal columns share c and d, which are kept by place in the list of distinct ones.
type leastSquares struct {
	*design
	responses []*response
	distinct  []int32 // columns
	place     []int32 // of each column in distinct
}

// response is the state of one task.
type response struct {
	mean     float64
	tss, rss float64
	residual []float64 // r by row, of mean 0
	c        []float64 // by place
	along    []float64 // coordinates q_s·ỹ in the basis
	basis    *basis
	columns  []int32 // in order of entry, those that depend on earlier ones included
}

// basis is the orthonormal basis of the columns of one or several responses, which share it as long as they have the same ones.
type basis struct {
	users   int         // responses that share it
	q       [][]float64 // its vectors, by row of the data
	columns []int32     // the column that each vector was made of
	r       [][]float64 // the triangular factor R of X̃ = QR, by column: x̃ of columns[s] is Σ_k r[s][k]·q[k]
	d       []float64   // by place; 0 if the column depends on the basis
}

const (
	driftTolerance = 1e-8  // relative error of the decrease by a candidate above which to recompute the running sums
	dependentBelow = 1e-10 // share of ‖x̃‖² outside the basis up to which a column depends on it
	sparseBelow    = 0.1   // share of nonzero rows below which projectOut reads a column by its entries
	onePassAbove   = 0.25  // share of ‖x̃‖² outside the basis above which one pass of projectOut is orthogonal enough
	projectBelow   = 1e-6  // share of ‖x̃‖² below which d is computed by projection, since subtraction has lost digits
	zeroBelow      = dependentBelow / 2
	saturatedBelow = 1e-12 // share of the total sum of squares that counts as nothing left
)

func newLeastSquares(ctx context.Context, d *design, y [][]float64) *leastSquares {
	g := &leastSquares{design: d}
	g.distinct, g.place = distinctColumns(d.X)
	empty := &basis{users: len(y), d: g.norms()}
	for _, values := range y {
		r, mean, tss := d.Center(values)
		g.responses = append(g.responses, &response{mean: mean, tss: tss, rss: tss, residual: r, c: make([]float64, len(g.distinct)), basis: empty})
	}
	g.computeCorrelations(ctx)
	return g
}

// norms is ‖x̃‖² by place.
func (g *leastSquares) norms() []float64 {
	out := make([]float64, len(g.distinct))
	for k, j := range g.distinct {
		out[k] = g.Norm2[j]
	}
	return out
}

// computeCorrelations computes every c from the residuals.
func (g *leastSquares) computeCorrelations(ctx context.Context) {
	residuals := make([][]float64, len(g.responses))
	for t, u := range g.responses {
		residuals[t] = u.residual
	}
	g.eachInnerProduct(ctx, g.distinct, residuals, func(k int, p []float64) {
		for t, u := range g.responses {
			u.c[k] = p[t]
		}
	})
}

// rssDecrease is by how much column j lowers the residual sum of squares of task t.
func (g *leastSquares) rssDecrease(t int, j int32) float64 {
	u, k := g.responses[t], g.place[j]
	d := u.basis.d[k]
	if d == 0 {
		return 0
	}
	return u.c[k] * u.c[k] / d
}

// correlation returns c_j of a task by the running sums.
func (g *leastSquares) correlation(task int, j int32) float64 {
	return g.responses[task].c[g.place[j]]
}

// exclude marks column j, and those equal to it, as dependent on the basis of a task.
func (g *leastSquares) exclude(task int, j int32) { g.responses[task].basis.d[g.place[j]] = 0 }

// direction is the vector by which a column would extend a basis.
type direction struct {
	basis *basis
	tasks []int     // some of the tasks that share the basis
	q     []float64 // nil if the column depends on the basis
	r     []float64 // the column of the triangular factor
	along []float64 // q·r_t, by task of tasks: RSS_t falls by its square
}

// directions of column j for the given tasks, one for each basis, computed from the column itself. O(nnz_j + rows · columns in).
func (g *leastSquares) directions(j int32, tasks []int32) []direction {
	var out []direction
	for _, task := range tasks {
		t := int(task)
		u := g.responses[t]
		k := slices.IndexFunc(out, func(d direction) bool { return d.basis == u.basis })
		if k < 0 {
			k = len(out)
			out = append(out, g.direction(u.basis, j))
		}
		d := &out[k]
		d.tasks = append(d.tasks, t)
		if d.q != nil {
			d.along = append(d.along, g.Inner(d.q, u.residual))
		}
	}
	return out
}

func (g *leastSquares) direction(b *basis, j int32) direction {
	if g.constant(j) {
		return direction{basis: b}
	}
	z, r := g.projectOut(b, j)
	square := g.Inner(z, z)
	if square <= dependentBelow*g.Norm2[j] {
		return direction{basis: b}
	}
	norm := math.Sqrt(square)
	for i := range z {
		z[i] /= norm
	}
	return direction{basis: b, q: z, r: append(r, norm)}
}

// jointDecrease returns, of some columns, those that depend neither on the basis of a task nor on the ones before, and by how much these
// lower the residual sum of squares together. It computes them from the columns themselves, by Gram-Schmidt. O(rows · columns in).
func (g *leastSquares) jointDecrease(task int, columns []int32) (independent []int32, decrease float64) {
	u := g.responses[task]
	var added [][]float64 // orthonormal, beside the basis
	for _, j := range columns {
		if g.constant(j) {
			continue
		}
		z, _ := g.projectOut(u.basis, j)
		for range 2 {
			for _, q := range added {
				dense.AddTo(z, q, -g.Inner(q, z))
			}
		}
		square := g.Inner(z, z)
		if square <= dependentBelow*g.Norm2[j] {
			continue
		}
		norm := math.Sqrt(square)
		for i := range z {
			z[i] /= norm
		}
		along := g.Inner(z, u.residual)
		added, independent, decrease = append(added, z), append(independent, j), decrease+float64(along*along)
	}
	return independent, decrease
}

// projectOut is z = x̃_j less its projection on the basis, and the coordinates r of that projection. Two passes of Gram-Schmidt are
// orthogonal enough also if little of the column is left. For a sparse column the first pass computes the coordinates from its
// entries; if most of the column is left after it, as a rule, it is the only one, which saves reading the basis.
func (g *leastSquares) projectOut(b *basis, j int32) (z, r []float64) {
	z, r = g.centredColumn(j), make([]float64, len(b.q), len(b.q)+1)
	passes := 2
	if col := g.X.Col(int(j)); float64(col.Len()) < sparseBelow*float64(len(z)) {
		for s, q := range b.q {
			r[s] = g.innerProduct(col, q)
		}
		subtractAll(z, r, b.q)
		if passes = 1; g.Inner(z, z) > onePassAbove*g.Norm2[j] {
			passes = 0
		}
	}
	for range passes {
		for s, q := range b.q {
			a := g.Inner(q, z)
			r[s] += a
			dense.AddTo(z, q, -a)
		}
	}
	return z, r
}

// subtractAll is z −= Σ a[s]·v[s], one product after the other, of four vectors at a time: reading and writing z is half of the
// work with one.
func subtractAll(z, a []float64, v [][]float64) {
	for ; len(v) >= 4; a, v = a[4:], v[4:] {
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		v0, v1, v2, v3 := v[0][:len(z)], v[1][:len(z)], v[2][:len(z)], v[3][:len(z)]
		for i, x := range z {
			x -= float64(a0 * v0[i])
			x -= float64(a1 * v1[i])
			x -= float64(a2 * v2[i])
			x -= float64(a3 * v3[i])
			z[i] = x
		}
	}
	for s, w := range v {
		dense.AddTo(z, w, -a[s])
	}
}

// innerProduct is the inner product of a column with a vector of rows of which the mean is 0.
func (g *leastSquares) innerProduct(col sparse.Vec, q []float64) float64 {
	s := 0.0
	for k, i := range col.Idx {
		s += float64(g.RowWeight(int(i)) * float64(col.At(k)*q[i]))
	}
	return s
}

// addColumn adds column j to the models of the tasks of its directions.
func (g *leastSquares) addColumn(ctx context.Context, j int32, steps []direction) error {
	var q [][]float64
	var moved []direction
	for _, step := range steps {
		for _, t := range step.tasks {
			g.responses[t].columns = append(g.responses[t].columns, j)
		}
		if step.q == nil {
			continue
		}
		step.basis = g.ownBasis(step)
		b := step.basis
		b.q, b.r, b.columns = append(b.q, step.q), append(b.r, step.r), append(b.columns, j)
		for i, t := range step.tasks {
			u := g.responses[t]
			u.along = append(u.along, step.along[i])
			dense.AddTo(u.residual, step.q, -step.along[i])
			u.rss = g.Inner(u.residual, u.residual)
		}
		q, moved = append(q, step.q), append(moved, step)
	}
	g.eachInnerProduct(ctx, g.distinct, q, func(k int, p []float64) {
		for l, step := range moved {
			b := step.basis
			if b.d[k] == 0 || p[l] == 0 {
				continue
			}
			b.d[k] = g.residualNorm2(b, g.distinct[k], b.d[k]-float64(p[l]*p[l]))
			for i, t := range step.tasks {
				g.responses[t].c[k] -= float64(p[l] * step.along[i])
			}
		}
	})
	return context.Cause(ctx)
}

// ownBasis is a basis that only the tasks of the step use: a copy if others share it.
func (g *leastSquares) ownBasis(step direction) *basis {
	b := step.basis
	if b.users == len(step.tasks) {
		return b
	}
	b.users -= len(step.tasks)
	b = &basis{
		users: len(step.tasks), q: slices.Clone(b.q), r: slices.Clone(b.r),
		columns: slices.Clone(b.columns), d: slices.Clone(b.d),
	}
	for _, t := range step.tasks {
		g.responses[t].basis = b
	}
	return b
}

// residualNorm2 is d_j given its value d by subtraction: 0 if the column depends on the basis, and computed by projection if
// subtraction has cancelled most digits.
func (g *leastSquares) residualNorm2(b *basis, j int32, d float64) float64 {
	whole := g.Norm2[j]
	switch {
	case d >= projectBelow*whole:
		return d
	case d < zeroBelow*whole:
		return 0
	}
	z, _ := g.projectOut(b, j)
	if d = g.Inner(z, z); d <= dependentBelow*whole {
		return 0
	}
	return d
}

// recompute computes residuals, c and d from the bases. O(nnz · (tasks + vectors of all bases)).
func (g *leastSquares) recompute(ctx context.Context) {
	done := map[*basis]bool{}
	for _, u := range g.responses {
		u.rss = g.Inner(u.residual, u.residual)
		if b := u.basis; !done[b] {
			done[b] = true
			copy(b.d, g.norms())
			g.eachInnerProduct(ctx, g.distinct, b.q, func(k int, p []float64) {
				d := b.d[k]
				for _, along := range p {
					d -= float64(along * along)
				}
				b.d[k] = g.residualNorm2(b, g.distinct[k], d)
			})
		}
	}
	g.computeCorrelations(ctx)
}

// saturatedTask is a task that can take no more columns: it has as many as rows allow, or nothing is left to explain.
func (g *leastSquares) saturatedTask() (task int, ok bool) {
	for t, u := range g.responses {
		if len(u.columns) >= g.rows()-2 || u.isExplained() {
			return t, true
		}
	}
	return 0, false
}

// isExplained reports whether the residual of a response is 0 up to rounding.
func (u *response) isExplained() bool { return u.rss <= saturatedBelow*u.tss }

// weights of a task's columns, and its intercept, on the scale of the data: back substitution in the triangular factor.
// Columns that depend on others have 0.
func (g *leastSquares) weights(task int) (w map[int32]float64, bias float64) {
	u := g.responses[task]
	b, rest := u.basis, slices.Clone(u.along)
	w, bias = map[int32]float64{}, u.mean
	for s := len(b.q) - 1; s >= 0; s-- {
		j, beta := b.columns[s], rest[s]/b.r[s][s]
		w[j] = g.Unscale(int(j), beta, &bias)
		for k := range s {
			rest[k] -= float64(beta * b.r[s][k])
		}
	}
	return w, bias
}
