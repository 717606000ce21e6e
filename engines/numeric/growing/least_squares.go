// Package growing implements least squares on a set of columns that grows by one at a time, and keeps, for every column that is
// not in it, by how much that one would lower the residual sum of squares: forward selection by orthogonalisation (Golub & Van Loan,
// Matrix Computations, 4th ed., 5.2.7; Chen, Billings & Luo 1989). Several responses share the columns, each with a set of its own.
//
// It chooses nothing: which column enters, and when none does, is the caller's. Columns leave only a copy in triangular form
// (Triangle). Begin with LeastSquares; Design is the centred columns that it stands on.
package growing

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// LeastSquares is least squares of several responses on growing sets of columns, each response on its own set, with the decrease
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
type LeastSquares struct {
	*Design
	Responses []*Response
	distinct  []int32 // columns
	Place     []int32 // of each column in distinct
}

// Response is the state of one task.
type Response struct {
	mean     float64
	TSS, RSS float64
	Residual []float64 // r by row, of mean 0
	C        []float64 // by place
	along    []float64 // coordinates q_s·ỹ in the basis
	Basis    *Basis
	Columns  []int32 // in order of entry, those that depend on earlier ones included
}

// Basis is the orthonormal basis of the columns of one or several responses, which share it as long as they have the same ones.
type Basis struct {
	users   int         // responses that share it
	Q       [][]float64 // its vectors, by row of the data
	columns []int32     // the column that each vector was made of
	r       [][]float64 // the triangular factor R of X̃ = QR, by column: x̃ of columns[s] is Σ_k r[s][k]·q[k]
	D       []float64   // by place; 0 if the column depends on the basis
}

// Limits of what counts as equal, dependent and explained.
const (
	DriftTolerance = 1e-8  // relative error of the decrease by a candidate above which to recompute the running sums
	DependentBelow = 1e-10 // share of ‖x̃‖² outside the basis up to which a column depends on it
	sparseBelow    = 0.1   // share of nonzero rows below which projectOut reads a column by its entries
	onePassAbove   = 0.25  // share of ‖x̃‖² outside the basis above which one pass of projectOut is orthogonal enough
	projectBelow   = 1e-6  // share of ‖x̃‖² below which d is computed by projection, since subtraction has lost digits
	zeroBelow      = DependentBelow / 2
	SaturatedBelow = 1e-12 // share of the total sum of squares that counts as nothing left
)

// New returns the least squares of the responses y, by row, without any column yet. O(nnz · responses).
func New(ctx context.Context, d *Design, y [][]float64) *LeastSquares {
	g := &LeastSquares{Design: d}
	g.distinct, g.Place = distinctColumns(d.X)
	empty := &Basis{users: len(y), D: g.norms()}
	for _, values := range y {
		r, mean, tss := d.Center(values)
		g.Responses = append(g.Responses, &Response{mean: mean, TSS: tss, RSS: tss, Residual: r, C: make([]float64, len(g.distinct)), Basis: empty})
	}
	g.computeCorrelations(ctx)
	return g
}

// norms returns ‖x̃‖² by place.
func (g *LeastSquares) norms() []float64 {
	out := make([]float64, len(g.distinct))
	for k, j := range g.distinct {
		out[k] = g.Norm2[j]
	}
	return out
}

// computeCorrelations computes every c from the residuals.
func (g *LeastSquares) computeCorrelations(ctx context.Context) {
	residuals := make([][]float64, len(g.Responses))
	for t, u := range g.Responses {
		residuals[t] = u.Residual
	}
	g.EachInnerProduct(ctx, g.distinct, residuals, func(k int, p []float64) {
		for t, u := range g.Responses {
			u.C[k] = p[t]
		}
	})
}

// RSSDecrease returns by how much column j lowers the residual sum of squares of task t, by the running sums; 0 if it depends on the
// basis. O(1).
func (g *LeastSquares) RSSDecrease(t int, j int32) float64 {
	u, k := g.Responses[t], g.Place[j]
	d := u.Basis.D[k]
	if d == 0 {
		return 0
	}
	return u.C[k] * u.C[k] / d
}

// Correlation returns c_j of a task by the running sums.
func (g *LeastSquares) Correlation(task int, j int32) float64 {
	return g.Responses[task].C[g.Place[j]]
}

// Exclude marks column j, and those equal to it, as dependent on the basis of a task.
func (g *LeastSquares) Exclude(task int, j int32) { g.Responses[task].Basis.D[g.Place[j]] = 0 }

// Direction is the vector by which a column would extend a basis.
type Direction struct {
	basis *Basis
	Tasks []int     // some of the tasks that share the basis
	Q     []float64 // nil if the column depends on the basis
	r     []float64 // the column of the triangular factor
	Along []float64 // q·r_t, by task of tasks: RSS_t falls by its square
}

// Directions returns those of column j for the given tasks, one for each basis, computed from the column itself.
// O(nnz_j + rows · columns in).
func (g *LeastSquares) Directions(j int32, tasks []int32) []Direction {
	var out []Direction
	for _, task := range tasks {
		t := int(task)
		u := g.Responses[t]
		k := slices.IndexFunc(out, func(d Direction) bool { return d.basis == u.Basis })
		if k < 0 {
			k = len(out)
			out = append(out, g.direction(u.Basis, j))
		}
		d := &out[k]
		d.Tasks = append(d.Tasks, t)
		if d.Q != nil {
			d.Along = append(d.Along, g.Inner(d.Q, u.Residual))
		}
	}
	return out
}

// direction returns that of column j for basis b, without tasks.
func (g *LeastSquares) direction(b *Basis, j int32) Direction {
	if g.IsConstant(j) {
		return Direction{basis: b}
	}
	z, r := g.projectOut(b, j)
	square := g.Inner(z, z)
	if square <= DependentBelow*g.Norm2[j] {
		return Direction{basis: b}
	}
	norm := math.Sqrt(square)
	for i := range z {
		z[i] /= norm
	}
	return Direction{basis: b, Q: z, r: append(r, norm)}
}

// JointDecrease returns, of some columns, those that depend neither on the basis of a task nor on the ones before, and by how much these
// lower the residual sum of squares together. It computes them from the columns themselves, by Gram-Schmidt. O(rows · columns in).
func (g *LeastSquares) JointDecrease(task int, columns []int32) (independent []int32, decrease float64) {
	u := g.Responses[task]
	var added [][]float64 // orthonormal, beside the basis
	for _, j := range columns {
		if g.IsConstant(j) {
			continue
		}
		z, _ := g.projectOut(u.Basis, j)
		for range 2 {
			for _, q := range added {
				dense.AddTo(z, q, -g.Inner(q, z))
			}
		}
		square := g.Inner(z, z)
		if square <= DependentBelow*g.Norm2[j] {
			continue
		}
		norm := math.Sqrt(square)
		for i := range z {
			z[i] /= norm
		}
		along := g.Inner(z, u.Residual)
		added, independent, decrease = append(added, z), append(independent, j), decrease+float64(along*along)
	}
	return independent, decrease
}

// projectOut returns z = x̃_j less its projection on the basis, and the coordinates r of that projection. Two passes of Gram-Schmidt
// are orthogonal enough also if little of the column is left. For a sparse column the first pass computes the coordinates from its
// entries; if most of the column is left after it, as a rule, it is the only one, which saves reading the basis.
func (g *LeastSquares) projectOut(b *Basis, j int32) (z, r []float64) {
	z, r = g.CentredColumn(j), make([]float64, len(b.Q), len(b.Q)+1)
	passes := 2
	if col := g.X.Col(int(j)); float64(col.Len()) < sparseBelow*float64(len(z)) {
		for s, q := range b.Q {
			r[s] = g.innerProduct(col, q)
		}
		subtractAll(z, r, b.Q)
		if passes = 1; g.Inner(z, z) > onePassAbove*g.Norm2[j] {
			passes = 0
		}
	}
	for range passes {
		for s, q := range b.Q {
			a := g.Inner(q, z)
			r[s] += a
			dense.AddTo(z, q, -a)
		}
	}
	return z, r
}

// subtractAll computes z −= Σ a[s]·v[s], one product after the other, of four vectors at a time: reading and writing z is half of the
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

// innerProduct returns the inner product of a column with a vector of rows of which the mean is 0.
func (g *LeastSquares) innerProduct(col sparse.Vec, q []float64) float64 {
	s := 0.0
	for k, i := range col.Idx {
		s += float64(g.RowWeight(int(i)) * float64(col.At(k)*q[i]))
	}
	return s
}

// AddColumn adds column j to the models of the tasks of its directions.
func (g *LeastSquares) AddColumn(ctx context.Context, j int32, steps []Direction) error {
	var q [][]float64
	var moved []Direction
	for _, step := range steps {
		for _, t := range step.Tasks {
			g.Responses[t].Columns = append(g.Responses[t].Columns, j)
		}
		if step.Q == nil {
			continue
		}
		step.basis = g.ownBasis(step)
		b := step.basis
		b.Q, b.r, b.columns = append(b.Q, step.Q), append(b.r, step.r), append(b.columns, j)
		for i, t := range step.Tasks {
			u := g.Responses[t]
			u.along = append(u.along, step.Along[i])
			dense.AddTo(u.Residual, step.Q, -step.Along[i])
			u.RSS = g.Inner(u.Residual, u.Residual)
		}
		q, moved = append(q, step.Q), append(moved, step)
	}
	g.EachInnerProduct(ctx, g.distinct, q, func(k int, p []float64) {
		for l, step := range moved {
			b := step.basis
			if b.D[k] == 0 || p[l] == 0 {
				continue
			}
			b.D[k] = g.residualNorm2(b, g.distinct[k], b.D[k]-float64(p[l]*p[l]))
			for i, t := range step.Tasks {
				g.Responses[t].C[k] -= float64(p[l] * step.Along[i])
			}
		}
	})
	return context.Cause(ctx)
}

// ownBasis returns a basis that only the tasks of the step use: a copy if others share it.
func (g *LeastSquares) ownBasis(step Direction) *Basis {
	b := step.basis
	if b.users == len(step.Tasks) {
		return b
	}
	b.users -= len(step.Tasks)
	b = &Basis{
		users: len(step.Tasks), Q: slices.Clone(b.Q), r: slices.Clone(b.r),
		columns: slices.Clone(b.columns), D: slices.Clone(b.D),
	}
	for _, t := range step.Tasks {
		g.Responses[t].Basis = b
	}
	return b
}

// residualNorm2 returns d_j given its value d by subtraction: 0 if the column depends on the basis, and computed by projection if
// subtraction has cancelled most digits.
func (g *LeastSquares) residualNorm2(b *Basis, j int32, d float64) float64 {
	whole := g.Norm2[j]
	switch {
	case d >= projectBelow*whole:
		return d
	case d < zeroBelow*whole:
		return 0
	}
	z, _ := g.projectOut(b, j)
	if d = g.Inner(z, z); d <= DependentBelow*whole {
		return 0
	}
	return d
}

// Recompute computes residuals, c and d from the bases. O(nnz · (tasks + vectors of all bases)).
func (g *LeastSquares) Recompute(ctx context.Context) {
	done := map[*Basis]bool{}
	for _, u := range g.Responses {
		u.RSS = g.Inner(u.Residual, u.Residual)
		if b := u.Basis; !done[b] {
			done[b] = true
			copy(b.D, g.norms())
			g.EachInnerProduct(ctx, g.distinct, b.Q, func(k int, p []float64) {
				d := b.D[k]
				for _, along := range p {
					d -= float64(along * along)
				}
				b.D[k] = g.residualNorm2(b, g.distinct[k], d)
			})
		}
	}
	g.computeCorrelations(ctx)
}

// SaturatedTask returns a task that can take no more columns: it has as many as rows allow, or nothing is left to explain.
func (g *LeastSquares) SaturatedTask() (task int, ok bool) {
	for t, u := range g.Responses {
		if len(u.Columns) >= g.Rows()-2 || u.IsExplained() {
			return t, true
		}
	}
	return 0, false
}

// IsExplained reports whether the residual of a response is 0 up to rounding.
func (u *Response) IsExplained() bool { return u.RSS <= SaturatedBelow*u.TSS }

// Weights returns the weights of a task's columns, and its intercept, on the scale of the data, by back substitution in the triangular
// factor. Columns that depend on others have 0.
func (g *LeastSquares) Weights(task int) (w map[int32]float64, bias float64) {
	u := g.Responses[task]
	b, rest := u.Basis, slices.Clone(u.along)
	w, bias = map[int32]float64{}, u.mean
	for s := len(b.Q) - 1; s >= 0; s-- {
		j, beta := b.columns[s], rest[s]/b.r[s][s]
		w[j] = g.Unscale(int(j), beta, &bias)
		for k := range s {
			rest[k] -= float64(beta * b.r[s][k])
		}
	}
	return w, bias
}
