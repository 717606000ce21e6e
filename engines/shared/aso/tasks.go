package aso

import (
	"context"
	"errors"
	"math"

	"tenfold/engines"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/optim"
	"tenfold/engines/numeric/parallel"
)

// fitting is a fit. Predictors u and the rows of Θ have the coordinates of the design.
type fitting struct {
	AndoZhang
	run       engines.Run
	responses *response.Responses
	design    design
	weight    []float64 // of rows, 1 together
	rowLoss   rowLoss

	tasks []task
	theta [][]float64 // rows of Θ

	iterations, unfinished int
	notes                  []string
}

// task is a target's predictor.
type task struct {
	w, v, u []float64
	bias    float64
	loss    float64 // mean
}

// rowLoss of a score for a response of 0 or 1, or a number, and its derivative.
type rowLoss func(y, score float64) (value, slope float64)

var losses = map[string]rowLoss{
	response.Squared: func(y, s float64) (float64, float64) { return float64((s-y)*(s-y)) / 2, s - y },
	response.Logistic: func(y, s float64) (float64, float64) {
		e := elementary.Exp(-math.Abs(s))
		p := 1 / (1 + e)
		if s < 0 {
			p = e / (1 + e)
		}
		if y == 0 {
			return elementary.Log1p(e) + max(0, s), p
		}
		return elementary.Log1p(e) + max(0, -s), p - 1
	},
	// modified Huber's: with margin a, (1 − a)₊² from a = −1 on, a line before (Ando and Zhang 2005, section 5.1)
	huber: func(y, s float64) (float64, float64) {
		sign := float64(2*y) - 1
		switch a := float64(sign * s); {
		case a >= 1:
			return 0, 0
		case a >= -1:
			return (1 - a) * (1 - a), -2 * sign * (1 - a)
		default:
			return -4 * a, -4 * sign
		}
	},
}

// fitTasks minimises over w_t, v_t and b_t for every task, with Θ as it is, from where they were.
func (f *fitting) fitTasks(ctx context.Context) error {
	n := len(f.responses.Each)
	if f.tasks == nil {
		f.tasks = make([]task, n)
		for t := range f.tasks {
			f.tasks[t].w = make([]float64, f.design.size())
		}
	}
	res, errs := make([]optim.Result, n), make([]error, n)
	parallel.Each(f.run.Workers, n, func(t int) { res[t], errs[t] = f.fitTask(ctx, t) })
	for _, r := range res {
		f.iterations += r.Iterations
		if r.Stop == "max_iter" {
			f.unfinished++
		}
	}
	return errors.Join(errs...)
}

// fitTask returns one of them, by L-BFGS. Variables are w, v and b, in this order.
func (f *fitting) fitTask(ctx context.Context, number int) (optim.Result, error) {
	t, y := &f.tasks[number], f.responses.Each[number].Y
	size, d := f.design.size(), len(f.theta)
	if len(t.v) != d {
		t.v = make([]float64, d)
	}
	vars := append(append(append([]float64(nil), t.w...), t.v...), t.bias)
	u, scores, slopes := make([]float64, size), make([]float64, len(y)), make([]float64, len(y))
	objective := func(grad, vars []float64) float64 {
		if ctx.Err() != nil {
			return math.NaN()
		}
		w, v, b := vars[:size], vars[size:size+d], vars[size+d]
		f.join(u, w, v)
		f.design.scores(scores, u)
		t.loss = 0
		sum := 0.0
		for i, s := range scores {
			value, slope := f.rowLoss(y[i], s+b)
			t.loss += float64(f.weight[i] * value)
			slopes[i] = float64(f.weight[i] * slope)
			sum += slopes[i]
		}
		f.design.slopes(grad[:size], slopes)
		for k, q := range f.theta {
			grad[size+k] = dense.DotInOrder(q, grad[:size]) + float64(2*f.Ridge*v[k])
		}
		grad[size+d] = sum
		for k, x := range w {
			grad[k] += float64(2 * f.Lambda * x)
		}
		return t.loss + float64(f.Lambda*dense.DotInOrder(w, w)) + float64(f.Ridge*dense.DotInOrder(v, v))
	}
	grad := make([]float64, len(vars))
	objective(grad, make([]float64, len(vars)))
	most := 0.0
	for _, g := range grad {
		most = max(most, math.Abs(g))
	}
	res, err := optim.LBFGS(ctx, objective, vars, optim.Options{Tol: f.Tol * most, MaxIter: f.MaxIter})
	if err != nil {
		return res, err
	}
	objective(grad, vars) // the loss there
	if ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	copy(t.w, vars)
	copy(t.v, vars[size:])
	t.bias = vars[size+d]
	f.join(u, t.w, t.v)
	t.u = u
	return res, nil
}

// join computes u = w + Θ'v.
func (f *fitting) join(u, w, v []float64) {
	copy(u, w)
	for k, q := range f.theta {
		for j, x := range q {
			u[j] += float64(v[k] * x)
		}
	}
}

// share sets Θ to the first left singular vectors of the predictors side by side: U·e/√(its eigenvalue) for the eigenvectors e
// of U'U. (Its factor √λ is the same for all tasks.) What the predictors do not span is left out.
func (f *fitting) share() {
	n := len(f.tasks)
	gram := make([][]float64, n)
	for a := range gram {
		gram[a] = make([]float64, n)
		for b := range a + 1 {
			gram[a][b] = dense.DotInOrder(f.tasks[a].u, f.tasks[b].u)
			gram[b][a] = gram[a][b]
		}
	}
	values, vectors := dense.Eigen(gram)
	f.theta = nil
	for k := range f.Dimensions {
		if !(values[k] > 1e-14*values[0]) {
			break
		}
		q := make([]float64, f.design.size())
		for t, c := range vectors[k] {
			for j, x := range f.tasks[t].u {
				q[j] += float64(c * x)
			}
		}
		for range 2 { // what rounding made of right angles
			for _, p := range f.theta {
				c := dense.DotInOrder(p, q)
				for j, x := range p {
					q[j] -= float64(c * x)
				}
			}
		}
		norm := math.Sqrt(dense.DotInOrder(q, q))
		for j := range q {
			q[j] /= norm
		}
		f.theta = append(f.theta, q)
	}
	// the predictors stay what they are: v takes what of them is in Θ
	for t := range f.tasks {
		one := &f.tasks[t]
		one.v = make([]float64, len(f.theta))
		copy(one.w, one.u)
		for k, q := range f.theta {
			one.v[k] = dense.DotInOrder(q, one.u)
			for j, x := range q {
				one.w[j] -= float64(one.v[k] * x)
			}
		}
	}
}
