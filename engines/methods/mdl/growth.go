package mdl

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/core/sparse"
)

// growth is least squares of several responses on growing sets of columns, each response on its own, with what every
// column outside would bring. With an orthonormal basis q_1…q_s of a response's columns, and its residual r,
//
//	c_j = x̃_j·r,   d_j = ‖x̃_j‖² − Σ (x̃_j·q_s)²,   column j lowers the residual sum of squares by c_j²/d_j.
//
// A new column is made orthogonal to the basis, z = x̃_j − Σ q(q·x̃_j), and becomes q = z/‖z‖; then with b = X̃ᵀq
//
//	d −= b²,   c −= b·(q·r),   r −= q·(q·r):
//
// O(nnz) for all columns at once, dense or sparse, and nothing is estimated anew.
type growth struct {
	*design
	responses []*response
}

// response is one task.
type response struct {
	mean     float64
	tss, rss float64
	r        []float64 // residual, of mean 0
	c        []float64 // by column
	along    []float64 // q_s·ỹ
	basis    *basis
	columns  []int32 // in order of entry, also those that brought nothing to the basis
}

// basis of the columns of some responses, which share it as long as they have the same ones.
type basis struct {
	users   int
	q       [][]float64
	columns []int32     // one a vector
	r       [][]float64 // the triangular factor, by column: x̃ of columns[s] is Σ_k r[s][k]·q[k]
	d       []float64   // by column of the data; 0 where one adds nothing to the basis
}

const (
	dependentBelow = 1e-10 // share of ‖x̃‖² that a column must have outside the basis
	fewEntries     = 0.1   // share of the rows below which a column is taken by its entries
	mostLeft       = 0.25  // share of a column outside the basis above which projecting it once leaves no trace
	roundedBelow   = 1e-6  // share below which d is projected anew, since differences have lost digits
	hopelessBelow  = dependentBelow / 2
	saturatedBelow = 1e-12 // share of the total sum of squares that counts as nothing left
)

func newGrowth(ctx context.Context, d *design, y [][]float64) *growth {
	g := &growth{design: d}
	empty := &basis{users: len(y), d: slices.Clone(d.Norm2)}
	for _, values := range y {
		r, mean, tss := d.Center(values)
		g.responses = append(g.responses, &response{mean: mean, tss: tss, rss: tss, r: r, c: make([]float64, d.columns()), basis: empty})
	}
	g.computeCorrelations(ctx)
	return g
}

// computeCorrelations computes c from the residuals.
func (g *growth) computeCorrelations(ctx context.Context) {
	residuals := make([][]float64, len(g.responses))
	for t, u := range g.responses {
		residuals[t] = u.r
	}
	g.eachInnerProduct(ctx, residuals, func(j int32, p []float64) {
		for t, u := range g.responses {
			u.c[j] = p[t]
		}
	})
}

// rssDecrease is by how much column j lowers the residual sum of squares of task t.
func (g *growth) rssDecrease(t int, j int32) float64 {
	u := g.responses[t]
	d := u.basis.d[j]
	if d == 0 {
		return 0
	}
	return u.c[j] * u.c[j] / d
}

// direction is what a column adds to a basis.
type direction struct {
	basis *basis
	tasks []int     // some of its users
	q     []float64 // nil where the column depends on the basis
	r     []float64 // the column's place in the factor
	along []float64 // q·r_t, by task of tasks
}

// directions of column j for the given tasks, one a basis: exact, from the column itself. O(nnz_j + rows · columns in).
func (g *growth) directions(j int32, tasks []int32) []direction {
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
			d.along = append(d.along, g.dot(d.q, u.r))
		}
	}
	return out
}

func (g *growth) direction(b *basis, j int32) direction {
	if g.constant(j) {
		return direction{basis: b}
	}
	z, r := g.projectOut(b, j)
	square := g.dot(z, z)
	if square <= dependentBelow*g.Norm2[j] {
		return direction{basis: b}
	}
	norm := math.Sqrt(square)
	for i := range z {
		z[i] /= norm
	}
	return direction{basis: b, q: z, r: append(r, norm)}
}

// projectOut is x̃_j less its part in the basis, and that part's coordinates. Twice, since once is not orthogonal enough where
// little is left. Of a column with few entries the coordinates are to be had from these, at first; as most of it is left
// then, as a rule, that is one pass over the basis instead of four, and reading the basis is what takes the time.
func (g *growth) projectOut(b *basis, j int32) (z, r []float64) {
	z, r = g.centredColumn(j), make([]float64, len(b.q), len(b.q)+1)
	passes := 2
	if col := g.X.Col(int(j)); float64(col.Len()) < fewEntries*float64(len(z)) {
		for s, q := range b.q {
			r[s] = g.innerProduct(col, q)
			addTo(z, -r[s], q)
		}
		if passes = 1; g.dot(z, z) > mostLeft*g.Norm2[j] {
			passes = 0
		}
	}
	for range passes {
		for s, q := range b.q {
			a := g.dot(q, z)
			r[s] += a
			addTo(z, -a, q)
		}
	}
	return z, r
}

// innerProduct is the inner product of a column with a vector of rows of which the mean is 0.
func (g *growth) innerProduct(col sparse.Vec, q []float64) float64 {
	s := 0.0
	for k, i := range col.Idx {
		s += float64(g.RowWeight(int(i)) * float64(col.At(k)*q[i]))
	}
	return s
}

// addColumn gives column j to the tasks of its directions.
func (g *growth) addColumn(ctx context.Context, j int32, steps []direction) error {
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
			addTo(u.r, -step.along[i], step.q)
			u.rss = g.dot(u.r, u.r)
		}
		q, moved = append(q, step.q), append(moved, step)
	}
	g.eachInnerProduct(ctx, q, func(j int32, p []float64) {
		for l, step := range moved {
			b := step.basis
			if b.d[j] == 0 || p[l] == 0 {
				continue
			}
			b.d[j] = g.residualNorm2(b, j, b.d[j]-float64(p[l]*p[l]))
			for i, t := range step.tasks {
				g.responses[t].c[j] -= float64(p[l] * step.along[i])
			}
		}
	})
	return context.Cause(ctx)
}

// ownBasis is a basis that only the tasks of the step use: a copy where others use it too.
func (g *growth) ownBasis(step direction) *basis {
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

// residualNorm2 is d_j, given what subtraction made of it: 0 where nothing is left, and projected anew where digits were lost.
func (g *growth) residualNorm2(b *basis, j int32, d float64) float64 {
	whole := g.Norm2[j]
	switch {
	case d >= roundedBelow*whole:
		return d
	case d < hopelessBelow*whole:
		return 0
	}
	z, _ := g.projectOut(b, j)
	if d = g.dot(z, z); d <= dependentBelow*whole {
		return 0
	}
	return d
}

// recompute computes residuals, c and d from the bases. O(nnz · (tasks + vectors of all bases)).
func (g *growth) recompute(ctx context.Context) {
	done := map[*basis]bool{}
	for _, u := range g.responses {
		u.rss = g.dot(u.r, u.r)
		if b := u.basis; !done[b] {
			done[b] = true
			copy(b.d, g.Norm2)
			g.eachInnerProduct(ctx, b.q, func(j int32, p []float64) {
				d := b.d[j]
				for _, along := range p {
					d -= float64(along * along)
				}
				b.d[j] = g.residualNorm2(b, j, d)
			})
		}
	}
	g.computeCorrelations(ctx)
}

// saturatedTask is a task that can take no more columns: it has as many as rows allow, or nothing is left to explain.
func (g *growth) saturatedTask() (task int, ok bool) {
	for t, u := range g.responses {
		if len(u.columns) >= g.rows()-2 || u.isExplained() {
			return t, true
		}
	}
	return 0, false
}

// isExplained tells whether nothing is left of a response.
func (u *response) isExplained() bool { return u.rss <= saturatedBelow*u.tss }

// weights of a task's columns, and its intercept, on the scale of the data: back substitution in the triangular factor.
// Columns that depend on others have 0.
func (g *growth) weights(task int) (w map[int32]float64, bias float64) {
	u := g.responses[task]
	b, rest := u.basis, slices.Clone(u.along)
	w, bias = map[int32]float64{}, u.mean
	for s := len(b.q) - 1; s >= 0; s-- {
		j, beta := b.columns[s], rest[s]/b.r[s][s]
		w[j] = beta
		bias -= float64(beta * g.Mean[j])
		for k := range s {
			rest[k] -= float64(beta * b.r[s][k])
		}
	}
	return w, bias
}
