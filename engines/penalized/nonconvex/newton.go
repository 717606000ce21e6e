package nonconvex

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
)

// newtonPays tells whether passes since the last time took more than the second derivatives of the selection do.
func (d *descent) newtonPays(selected []int32) bool {
	if d.spent < d.hessianCost(selected) {
		return false
	}
	d.spent = 0
	return true
}

// hessianCost is about how many entries hessian reads.
func (d *descent) hessianCost(columns []int32) float64 {
	entries, k := 0, float64(len(columns))
	for _, j := range columns {
		entries += d.x.X.Col(int(j)).Len()
	}
	return float64(k*float64(entries+len(d.v))/2) + float64(k*k*k/6)
}

// newton goes down over the selected coefficients and the intercept by Newton's steps, as far as none leaves its piece of the penalty:
// on these the objective is smooth. Where it is not convex there, the concavity of the penalty is left out of the second derivatives,
// that is, the penalty is its tangent, which lies above it (Zou and Li, "One-step sparse estimates in nonconcave penalized likelihood
// models", 2008). Of classes, the size of the derivatives, or a share of it as long as steps are whole, is added to the second ones, which keeps steps
// short where rows are so sure that these are next to 0 (Li, Fukushima, Qi and Yamashita, "Regularized Newton methods for convex minimization problems with singular
// solutions", 2004). It tells whether no condition of the selected is violated by more than tol,
// or the model is saturated.
func (d *descent) newton(ctx context.Context, selected []int32, tol float64) bool {
	const steps = 40
	damping := 1.0
	for range steps {
		step, worst := d.residuals(selected)
		if worst <= tol || d.isSaturated() {
			return true
		}
		damp := 0.0
		if d.logistic {
			damp = damping * worst
		}
		h := d.hessian(selected, func(j int32) float64 {
			pen := d.penaltyOf(int(j))
			if piece := pen.Piece(d.beta[j]); piece != 2 && piece != -2 {
				return pen.L2 + damp
			}
			return pen.L2 + damp - d.Concavity
		})
		if !h.Factor(ctx) {
			if h = d.hessian(selected, func(j int32) float64 { return d.penaltyOf(int(j)).L2 + damp }); !h.Factor(ctx) {
				return false
			}
		}
		h.Solve(step)
		share, within := d.lineSearch(selected, step)
		if !within {
			return false
		}
		if damping /= 10; share < 1 {
			damping = min(1, 1000*damping)
		}
	}
	return false
}

// residuals are minus the derivatives of the objective by the selected coefficients, and by the intercept, which is last, divided by
// n·v; and the largest of them.
func (d *descent) residuals(selected []int32) (all []float64, worst float64) {
	nv := d.nv()
	for _, j := range selected {
		all = append(all, d.penaltyOf(int(j)).Residual(d.beta[j], d.gradientOf(j)/nv))
	}
	all = append(all, 0)
	if d.logistic {
		all[len(selected)] = d.residualSum() / nv
	}
	for _, r := range all {
		worst = max(worst, math.Abs(r))
	}
	return all, worst
}

// farthest is how far a step may move a score: log-losses are not near their second order beyond, and where the classes of some rows are
// apart, that has no minimum nearby.
const farthest = 5

// largestScoreMove is how far a step moves the score that it moves farthest.
func (d *descent) largestScoreMove(selected []int32, step []float64) (most float64) {
	scores, offset := make([]float64, len(d.v)), -step[len(selected)]
	for k, j := range selected {
		by := d.x.Scale[j] * step[k]
		d.x.X.Col(int(j)).AddTo(scores, by)
		offset += float64(by * d.x.Mean[j])
	}
	for _, s := range scores {
		most = max(most, math.Abs(s-offset))
	}
	return most
}

// lineSearch moves the selected coefficients, and the intercept, by a step, up to where the first gets to the end of its piece of the
// penalty, or half as far, and so on, until the objective falls. It tells which share of the step that is, and
// whether none got to the end of its piece.
func (d *descent) lineSearch(selected []int32, step []float64) (share float64, within bool) {
	const halvings = 6
	at := -1
	share = 1
	var end float64
	for k, j := range selected {
		if d.factorOf(int(j)) == 0 {
			continue
		}
		pen := d.penaltyOf(int(j))
		for _, e := range []float64{-pen.End, -pen.Start, 0, pen.Start, pen.End} {
			if to := (e - d.beta[j]) / step[k]; to > 0 && to < share {
				share, at, end = to, k, e
			}
		}
	}
	if d.logistic {
		if far := d.largestScoreMove(selected, step); far*share > farthest {
			share, at = farthest/far, -1
		}
	}
	d.refresh() // passes keep the residual of numbers, and not the loss
	before, from, bias := d.objective(), make([]float64, len(selected)), d.bias
	for k, j := range selected {
		from[k] = d.beta[j]
	}
	noise := float64(1e-14 * math.Abs(before))
	within = at < 0
	for range halvings {
		for k, j := range selected {
			if d.beta[j] = from[k] + float64(share*step[k]); k == at {
				d.beta[j] = end
			}
		}
		d.bias = bias + float64(share*step[len(selected)])
		if d.recompute(); d.objective() <= before+noise {
			return share, within
		}
		share, at = share/2, -1
	}
	for k, j := range selected {
		d.beta[j] = from[k]
	}
	d.bias = bias
	d.recompute()
	return 0, false
}

// hessian is x̃_j'·diag(h)·x̃_k/(n·v) of some columns and a column of ones, which is the last, with what is to be added to the
// diagonal of each column; h is the rows' second derivatives of the loss. O(columns · their entries).
func (d *descent) hessian(columns []int32, add func(j int32) float64) dense.Triangle {
	n, nv := len(columns), d.nv()
	curvature, total := make([]float64, len(d.v)), 0.0
	for i := range curvature {
		curvature[i] = d.x.RowWeight(i)
		if d.logistic {
			share := math.Abs(d.head[i]) // of the other label
			curvature[i] *= share * (1 - share)
		}
		total += curvature[i]
	}
	out, sums, row := dense.NewTriangle(n+1), make([]float64, n), make([]float64, len(d.v))
	ones := out.Row(n)
	for k, j := range columns {
		col, scale, mean := d.x.X.Col(int(j)), d.x.Scale[j], d.x.Mean[j]
		for q, i := range col.Idx {
			row[i] = float64(col.At(q) * curvature[i])
			sums[k] += row[i]
		}
		ones[k] = scale * (sums[k] - float64(mean*total)) / nv
		for l, c := range columns[:k+1] {
			other := d.x.Mean[c]
			product := d.x.X.Col(int(c)).Dot4(row) - float64(mean*sums[l]) - float64(other*sums[k]) + float64(mean*other*total)
			out.Row(k)[l] = scale * d.x.Scale[c] * product / nv
		}
		out.Row(k)[k] += add(j)
		for _, i := range col.Idx {
			row[i] = 0
		}
	}
	ones[n] = total / nv
	return out
}

// isConvex tells whether the objective is convex over the intercept and some columns wherever the second derivatives of the loss are
// what they are here: the model is then the only minimum among those with these columns.
func (d *descent) isConvex(ctx context.Context, columns []int32) bool {
	return d.hessian(columns, func(j int32) float64 {
		if pen := d.penaltyOf(int(j)); pen.L1 > 0 {
			return pen.L2 - d.Concavity
		}
		return 0
	}).Factor(ctx)
}
