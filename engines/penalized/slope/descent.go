package slope

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tenfold/engines/penalized/convex"
)

// descent goes from the minimum for a scale of the penalties to that for a smaller one.
type descent struct {
	*point
	penalties []float64 // at scale 1, of the columns that vary
	scale     float64   // of the last minimum
	vary      []int32   // columns that vary; work space of their order
	inSet     []bool    // whether a column is in the working set
	set       []int32   // the working set: no other column has a coefficient
	b         []float64 // by place in the set
	entries   int       // of its columns

	lipschitz float64 // bound of the curvature along moves so far
	steps     int     // proximal steps
	spent     float64 // multiplications since the last try of Newton's steps, about
	proximal
	before, extrapolated, by         []float64 // by place: coefficients before the last step, the point that extrapolates them, and a move
	scoresBefore, extrapolatedScores []float64
	move                             []float64 // of scores
	small                            []float64 // gradients of the working set, by place
}

func newDescent(p *point, penalties []float64) descent {
	rows, columns := p.x.X.Dims()
	d := descent{point: p, penalties: penalties, inSet: make([]bool, columns)}
	d.scoresBefore, d.extrapolatedScores, d.move = make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for j, s := range p.x.Scale {
		if s != 0 {
			d.vary = append(d.vary, int32(j))
		}
	}
	return d
}

// sortBySize sorts numbers by the sizes of their values, the largest first, ties by number.
func sortBySize(order []int32, values []float64) {
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(math.Abs(values[b]), math.Abs(values[a])), cmp.Compare(a, b))
	})
}

// strongShare is the least share of the penalties that gradients are compared with beforehand: the strong rule lets too many columns in where two
// scales are far apart.
const strongShare = 0.9

// minimize goes to the minimum for a scale, until the duality gap is small enough.
//
//  1. Columns that the strong rule for SLOPE cannot rule out join the working set (Larsson, Bogdan and Wallin 2020).
//  2. Proximal and Newton steps in the working set until the gap is small enough there.
//  3. All gradients, and the gap for all columns. Columns that may have coefficients by these join; go to 2.
func (d *descent) minimize(ctx context.Context, scale float64, criterion convex.Criterion) (convex.Outcome, error) {
	var out convex.Outcome
	share := 1.0
	if scale < d.scale {
		share = max(strongShare, 2-d.scale/scale)
	}
	d.join(scale, share)
	d.scale = scale
	d.steps = 0
	for inner := 0.8; ; inner /= 2 {
		moved := d.descend(ctx, scale, inner, criterion)
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		for k, j := range d.set {
			d.beta[j] = d.b[k]
		}
		clear(d.scores)
		d.x.AddColumns(d.scores, d.set, d.b)
		if err := d.updateAll(ctx); err != nil {
			return out, err
		}
		out.Iterations = d.steps
		sizes := d.falling(d.vary)
		out.Certificate = d.certify(sizes, d.coefficients(), d.penalties, scale)
		joined := d.joinFirst(candidates(sizes, d.penalties, scale))
		if out.Stop = criterion.Stop(out.Certificate, out.Iterations, !moved && joined == 0); out.Stop != "" {
			break
		}
	}
	out.Notes = criterion.Notes(out)
	return out, nil
}

// join adds to the working set the columns that may have coefficients where each penalty counts only a share of the scale.
func (d *descent) join(scale, share float64) {
	sizes := d.falling(d.vary)
	d.joinFirst(candidates(sizes, d.penalties, share*scale))
}

// joinFirst adds the first n columns of vary, which is sorted by gradient, to the working set, and returns how many were not in it.
func (d *descent) joinFirst(n int) (joined int) {
	before := len(d.set)
	for _, j := range d.vary[:n] {
		if !d.inSet[j] {
			d.inSet[j] = true
			d.set, d.b = append(d.set, j), append(d.b, 0)
			d.entries += d.x.X.Col(int(j)).Len()
		}
	}
	return len(d.set) - before
}

// coefficients returns the sizes of the coefficients of the working set that are not 0, which fall.
func (d *descent) coefficients() []float64 {
	sizes := make([]float64, 0, len(d.b))
	for _, b := range d.b {
		if b != 0 {
			sizes = append(sizes, math.Abs(b))
		}
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	return sizes
}

// proximalSteps are as many before Newton's steps and the gap are looked at.
const proximalSteps = 4

// mostPause is for how many times as many Newton's steps are left out at most, after they gained less than the proximal ones before them: where
// columns are as many as rows, they go from one change of the order to the next, and begin momentum anew each time.
const mostPause = 64

// objective returns the objective in the working set. O(rows + coefficients).
func (d *descent) objective(scale float64) float64 {
	d.evaluate(d.scores)
	return d.loss + float64(scale*norm(d.coefficients(), d.penalties))
}

// descend goes down in the working set until the gap is a share of what the criterion asks for, or nothing moves any more. It reports
// whether anything did. Between Newton's steps, proximal ones are accelerated, and start anew where they turn back (Beck and Teboulle
// 2009; O'Donoghue and Candès, "Adaptive restart for accelerated gradient schemes", 2015).
func (d *descent) descend(ctx context.Context, scale, share float64, criterion convex.Criterion) (moved bool) {
	n := len(d.set)
	d.before, d.extrapolated, d.by, d.small = slices.Grow(d.before[:0], n)[:n], slices.Grow(d.extrapolated[:0], n)[:n], slices.Grow(d.by[:0], n)[:n], slices.Grow(d.small[:0], n)[:n]
	copy(d.before, d.b)
	copy(d.scoresBefore, d.scores)
	momentum, pause, left := 1.0, 1, 0
	for ctx.Err() == nil {
		far, start := 0.0, d.objective(scale)
		for range proximalSteps {
			by, next := d.proximalStep(ctx, scale, momentum)
			far, momentum = max(far, by), next
			if ctx.Err() != nil {
				return moved
			}
		}
		if left--; left < 0 {
			between := d.objective(scale)
			if d.newton(ctx, scale) {
				momentum, far = 1, 1
				copy(d.before, d.b)
				copy(d.scoresBefore, d.scores)
			}
			if pause = max(1, pause/2); between-d.objective(scale) < start-between {
				pause = min(4*pause, mostPause)
			}
			left = pause - 1
		}
		moved = moved || far > 0
		d.evaluate(d.scores)
		d.gradients(ctx, d.small, d.set)
		sizes := slices.Clone(d.small)
		for k, g := range sizes {
			sizes[k] = math.Abs(g)
		}
		slices.Sort(sizes)
		slices.Reverse(sizes)
		proof := d.certify(sizes, d.coefficients(), d.penalties, scale)
		within := criterion
		within.Tol *= share
		if within.Met(proof) || far == 0 || d.steps >= criterion.MaxIter {
			return moved
		}
	}
	return moved
}

// still is the share of the largest coefficient by which steps move where nothing moves any more.
const still = 1e-15

// proximalStep goes on from where the last step is going, down the gradient there, as far as the curvature along the way allows, and to
// the proximal point of the penalty. It returns the largest move, 0 where that is rounding, and the momentum of the next step.
func (d *descent) proximalStep(ctx context.Context, scale, momentum float64) (far, next float64) {
	d.steps++
	next = (1 + math.Sqrt(1+float64(4*momentum*momentum))) / 2
	on := (momentum - 1) / next
	for k, b := range d.b {
		d.extrapolated[k] = b + float64(on*(b-d.before[k]))
	}
	for i, s := range d.scores {
		d.extrapolatedScores[i] = s + float64(on*(s-d.scoresBefore[i]))
	}
	copy(d.before, d.b)
	copy(d.scoresBefore, d.scores)
	d.evaluate(d.extrapolatedScores)
	d.gradients(ctx, d.small, d.set)
	if d.lipschitz == 0 {
		d.lipschitz = d.curve * d.x.N
	} else if momentum == 1 {
		d.lipschitz *= 0.8
	}
	for {
		for k, b := range d.extrapolated {
			d.by[k] = b + d.small[k]/d.lipschitz
		}
		d.proximal.step(d.by, d.penalties, scale/d.lipschitz)
		copy(d.b, d.by)
		square := 0.0
		for k, b := range d.by {
			d.by[k] = b - d.extrapolated[k]
			square += float64(d.by[k] * d.by[k])
		}
		clear(d.move)
		d.x.AddColumns(d.move, d.set, d.by)
		along := 0.0
		for i, v := range d.move {
			along += float64(d.x.RowWeight(i) * v * v)
		}
		d.spent += float64(2 * d.entries)
		if along *= d.curve; !(along > d.lipschitz*square*(1+1e-12)) {
			break
		}
		d.lipschitz = max(2*d.lipschitz, along/square)
	}
	turn, largest := 0.0, 0.0
	for k, b := range d.b {
		far, largest = max(far, math.Abs(b-d.before[k])), max(largest, math.Abs(b))
		turn -= float64(d.by[k] * (b - d.before[k])) // d.by is the step's gradient, backwards
	}
	for i, score := range d.extrapolatedScores {
		d.scores[i] = score + d.move[i]
	}
	if far <= still*largest {
		far = 0
	}
	if turn > 0 {
		next = 1
	}
	return far, next
}
