package svm

import (
	"context"
	"math"
)

// problem is one of two sides: y is 1 or −1, and C the bound of each row.
type problem struct {
	*points
	y, c []float64
}

// solution of a problem. The decision value of a row is Σ_i β_i·K(x_i, row) + bias.
type solution struct {
	beta []float64
	bias float64
	outcome
}

// outcome is how well a problem is solved.
type outcome struct {
	primal, dual float64 // values of the two objectives
	steps        int
	examined     int64   // rows looked at for the second of a pair
	violation    float64 // of the optimality conditions; less than the tolerance, unless steps ran out
}

// tie: a row must be better than those before it by this, relatively.
const tie = 1e-9

// solver minimises ½βᵀKβ − yᵀβ where Σβ = 0 and β_i goes from 0 to y_i·C_i. This is the dual in β = y·α, so that no step asks
// for signs. With slopes f = y − Kβ, a step takes β_i up and β_j down by δ ≥ 0:
//
//	i = argmax f over rows that may go up,
//	j = argmax (f_i − f_j)² / (K_ii + K_jj − 2·K_ij) over rows that may go down, f_j < f_i,
//	δ = (f_i − f_j) / (K_ii + K_jj − 2·K_ij), as far as the bounds allow.
//
// The end is where the largest slope that may go up exceeds the smallest that may go down by less than the tolerance.
//
// Rows at a bound whose slope holds them there are left out for a while (shrinking). Their slopes are those at base.
type solver struct {
	problem
	diagonal []float64
	room     []float64 // for kernel rows

	beta, f, base []float64
	full          *kernelCache // of all rows

	work    activeSet // rows that are worked on
	partial bool      // not all are
}

// activeSet is the rows that steps are taken on, in order, with all that a step needs in arrays of their own.
type activeSet struct {
	gram  *kernelCache
	row   []int32 // of the problem
	point []int32 // of the gram
	beta  []float64
	f     []float64
	diag  []float64
	can   []uint8
}

// can is where β may go.
const (
	up   uint8 = 1
	down uint8 = 2
)

// solve solves a problem to the tolerance, or for so many steps. room is for kernel rows, two at least.
func solve(ctx context.Context, p problem, tol float64, steps int, room []float64) (solution, error) {
	diagonal, err := p.diagonal()
	if err != nil {
		return solution{}, err
	}
	n := len(p.y)
	s := &solver{
		problem: p, diagonal: diagonal, room: room, full: newGram(p.points, room),
		beta: make([]float64, n), base: make([]float64, n), f: append([]float64(nil), p.y...),
	}
	s.activateAll()
	m := solution{}
	period := min(n, 1000)
	near := false // whether slopes were brought up to date shortly before the end, as rows may have been left out too early
	i, top, bottom := s.work.firstOfPair()
	for countdown := period; ; m.steps++ {
		if ctx.Err() != nil {
			return solution{}, context.Cause(ctx)
		}
		done := top-bottom < tol || m.steps == steps
		if s.partial && (done || !near && top-bottom < 10*tol) {
			near = true
			if err := s.reactivate(ctx); err != nil {
				return solution{}, err
			}
			i, top, bottom = s.work.firstOfPair()
			countdown = 1
			done = top-bottom < tol || m.steps == steps
		}
		if done {
			break
		}
		if countdown--; countdown == 0 {
			countdown = period
			s.shrink(top, bottom)
			i, _, _ = s.work.firstOfPair() // slopes are what they were, places are not
		}
		kernel := s.work.gram.rowOf(int(s.work.point[i]))
		j := s.work.secondOfPair(i, kernel)
		m.examined += int64(len(s.work.row))
		i, top, bottom = s.takeStep(i, j, kernel, s.work.gram.rowOf(int(s.work.point[j])))
	}
	s.setSolution(&m, top, bottom)
	return m, nil
}

// activateAll takes all rows into the active set. s.f must be that of s.beta.
func (s *solver) activateAll() {
	n := len(s.y)
	s.partial = false
	s.work = activeSet{
		gram: s.full, row: make([]int32, n), point: make([]int32, n), can: make([]uint8, n),
		beta: append([]float64(nil), s.beta...), f: append([]float64(nil), s.f...), diag: append([]float64(nil), s.diagonal...),
	}
	for k := range s.work.row {
		s.work.row[k], s.work.point[k] = int32(k), int32(k)
		s.setDirections(k)
	}
}

// bounds returns the bounds of β.
func (s *solver) bounds(k int) (least, most float64) {
	if i := s.work.row[k]; s.y[i] > 0 {
		return 0, s.c[i]
	} else {
		return -s.c[i], 0
	}
}

// setDirections records whether β of an active row may go up, and down.
func (s *solver) setDirections(k int) {
	least, most := s.bounds(k)
	s.work.can[k] = 0
	if s.work.beta[k] < most {
		s.work.can[k] |= up
	}
	if s.work.beta[k] > least {
		s.work.can[k] |= down
	}
}

// firstOfPair returns the row of the largest gradient that may go up, with the two gradients of the stopping rule.
func (a *activeSet) firstOfPair() (i int, top, bottom float64) {
	top, bottom = math.Inf(-1), math.Inf(1)
	better := top
	for k, f := range a.f {
		can := a.can[k]
		if can&down != 0 && f < bottom {
			bottom = f
		}
		if can&up != 0 && f > better {
			i, top, better = k, f, f+float64(tie*math.Abs(f))
		}
	}
	return i, top, bottom
}

// secondOfPair returns the partner of row i, whose kernel row is given, by the second-order rule of Fan, Chen & Lin 2005.
func (a *activeSet) secondOfPair(i int, kernel []float64) (j int) {
	fi, kii, better := a.f[i], a.diag[i], 0.0
	point, can, diag := a.point[:len(a.f)], a.can[:len(a.f)], a.diag[:len(a.f)]
	for k, f := range a.f {
		d := fi - f
		if can[k]&down == 0 || d <= 0 {
			continue
		}
		if gain := float64(d*d) / curvature(kii, diag[k], kernel[point[k]]); gain > better {
			j, better = k, gain+float64(tie*gain)
		}
	}
	return j
}

// curvature returns the curvature of the objective along a step, from the kernels of its two rows.
func curvature(ii, jj, ij float64) float64 { return max(ii+jj-float64(2*ij), 1e-12) }

// takeStep takes β_i up and β_j down, and returns what firstOfPair would.
func (s *solver) takeStep(i, j int, kernel, other []float64) (next int, top, bottom float64) {
	a := &s.work
	least, _ := s.bounds(j)
	_, most := s.bounds(i)
	rise, fall := most-a.beta[i], a.beta[j]-least
	delta := min((a.f[i]-a.f[j])/curvature(a.diag[i], a.diag[j], kernel[a.point[j]]), rise, fall)
	a.beta[i] += delta
	a.beta[j] -= delta
	if delta == rise { // to the last bit
		a.beta[i] = most
	}
	if delta == fall {
		a.beta[j] = least
	}
	s.setDirections(i)
	s.setDirections(j)
	return a.updateGradient(delta, kernel, other)
}

// updateGradient subtracts δ times the difference of two kernel rows; its result is that of firstOfPair.
func (a *activeSet) updateGradient(delta float64, kernel, other []float64) (i int, top, bottom float64) {
	top, bottom = math.Inf(-1), math.Inf(1)
	better := top
	point, can := a.point[:len(a.f)], a.can[:len(a.f)]
	for k, f := range a.f {
		q, can := point[k], can[k]
		f -= float64(delta * (kernel[q] - other[q]))
		a.f[k] = f
		if can&down != 0 && f < bottom {
			bottom = f
		}
		if can&up != 0 && f > better {
			i, top, better = k, f, f+float64(tie*math.Abs(f))
		}
	}
	return i, top, bottom
}

// shrink leaves out rows that their slopes hold at their bounds, by more than the worst violation of others.
func (s *solver) shrink(top, bottom float64) {
	a := &s.work
	if !s.partial {
		copy(s.f, a.f)
		copy(s.base, a.beta)
		copy(s.beta, a.beta)
	}
	n := 0
	for k, can := range a.can {
		f := a.f[k]
		if can == 0 || can == down && f > top || can == up && f < bottom {
			s.beta[a.row[k]] = a.beta[k]
			continue
		}
		a.row[n], a.point[n], a.beta[n], a.f[n], a.diag[n], a.can[n] = a.row[k], a.point[k], a.beta[k], f, a.diag[k], can
		n++
	}
	a.row, a.point, a.beta, a.f, a.diag, a.can = a.row[:n], a.point[:n], a.beta[:n], a.f[:n], a.diag[:n], a.can[:n]
	s.partial = n < len(s.y)
	if a.gram.isFull() && 4*n <= 3*len(a.gram.offset) { // shorter rows: more of them can be kept
		a.gram = newGram(s.subset(a.row), s.room)
		for k := range a.point {
			a.point[k] = int32(k)
		}
	}
}

// reactivate recomputes the gradient of all rows, and takes all into the active set again. O(rows · those moved since the first was
// left out), with a kernel row for each of these.
func (s *solver) reactivate(ctx context.Context) error {
	for k, i := range s.work.row {
		s.beta[i] = s.work.beta[k]
	}
	if s.work.gram != s.full { // which had no room of its own since
		s.full = newGram(s.points, s.room)
	}
	for j, b := range s.beta {
		d := b - s.base[j]
		if d == 0 {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for k, v := range s.full.rowOf(j) {
			s.f[k] -= float64(d * v)
		}
	}
	s.activateAll()
	return nil
}

// setSolution sets the bias, which is the gradient of rows between their bounds, and the two objectives. All rows are active.
func (s *solver) setSolution(m *solution, top, bottom float64) {
	m.beta, m.violation = s.work.beta, top-bottom
	sum, free := 0.0, 0
	for k, can := range s.work.can {
		if can == up|down {
			sum += s.work.f[k]
			free++
		}
	}
	m.bias = (top + bottom) / 2
	if free > 0 {
		m.bias = sum / float64(free)
	}
	norm, gain, loss := 0.0, 0.0, 0.0 // βᵀKβ, yᵀβ, Σ C·hinge
	for k, f := range s.work.f {
		b, y := s.work.beta[k], s.y[k]
		norm += float64(b * (y - f))
		gain += float64(y * b)
		loss += float64(s.c[k] * max(0, float64(y*(f-m.bias))))
	}
	m.primal, m.dual = float64(norm/2)+loss, gain-float64(norm/2)
}
