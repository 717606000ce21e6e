package mdl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/core/dense"
	"tenfold/engines/core/elementary"
)

// correlatedGaussian is the likelihood of responses with joint normal noise of covariance Σ (Dhillon, Foster & Ungar 2011,
// Eq. 6; docs/engines/mdl.md#errata),
//
//	S_E = ½[n·h·lg 2π + n·lg|Σ| + (1/ln 2)·tr(Σ⁻¹·EᵀE)],   Σ̂_λ = λ·diag Σ̂ + (1−λ)·Σ̂,   Σ̂ = EᵀE/(n − df),
//
// with Σ̂ from the residuals E of the model without the candidate. Coefficients are least squares a task, as the authors'
// are: the maximum likelihood only where all tasks have the same columns. So a column in all tasks may save fewer bits than
// in some of them, or none (docs/engines/mdl.md#errata), and nothing bounds what a choice of tasks saves: screen is a guess.
type correlatedGaussian struct {
	*gaussian
	lambda float64
	raised float64     // the largest λ that was needed, 0 where the given one always did
	square [][]float64 // EᵀE
	p      [][]float64 // Σ̂_λ⁻¹
	logdet float64     // lg|Σ̂_λ|
}

func newCorrelated(g *gaussian, lambda float64) (*correlatedGaussian, error) {
	l := &correlatedGaussian{gaussian: g, lambda: lambda}
	return l, l.estimateCovariance()
}

// saturatedTask is the first task that is, since Σ̂ has no inverse with one of which nothing is left.
func (l *correlatedGaussian) saturatedTask() (task int, ok bool) { return l.growth.saturatedTask() }

// mostCondition is the largest condition number that Σ̂ may have.
const mostCondition = 1e8

// estimateCovariance estimates Σ̂_λ and its inverse from the residuals. Where it is not safely positive definite, λ rises to the first of 0.1,
// 0.2, … 1 that is.
func (l *correlatedGaussian) estimateCovariance() error {
	h := l.tasks()
	l.square = make([][]float64, h)
	for t, u := range l.responses {
		l.square[t] = make([]float64, h)
		for s := range t + 1 {
			l.square[t][s] = l.dot(u.r, l.responses[s].r)
			l.square[s][t] = l.square[t][s]
		}
	}
	sigma := dense.NewTriangle(h)
	for step := range 11 {
		lambda := l.lambda
		if step > 0 {
			if lambda = float64(step) / 10; lambda <= l.lambda {
				continue
			}
			l.raised = max(l.raised, lambda)
		}
		for t := range h {
			row := sigma.Row(t)
			for s := range t {
				row[s] = (1 - lambda) * l.square[t][s] / (l.N - l.noise.df)
			}
			row[t] = l.variance(t)
		}
		if lambda < 1 {
			if v, _ := dense.Eigen(sigma.Square()); !(v[h-1] > 0 && v[0] < mostCondition*v[h-1]) {
				continue
			}
		}
		if !sigma.Factor(context.Background()) {
			continue
		}
		l.logdet = sigma.LogDet() / math.Ln2
		l.p = sigma.Inverse().Square()
		return nil
	}
	return fmt.Errorf("the covariance of the residuals is not positive definite, not even its diagonal")
}

func (l *correlatedGaussian) bits() []float64 {
	h, trace := l.tasks(), 0.0
	for t := range h {
		for s := range h {
			trace += float64(l.p[t][s] * l.square[t][s])
		}
	}
	all := (float64(l.N*float64(h)*elementary.Log2(2*math.Pi)) + float64(l.N*l.logdet) + trace/math.Ln2) / 2
	return slices.Repeat([]float64{all / float64(h)}, h)
}

// savingForm is what column j saves in a set T of tasks, as a quadratic form:
//
//	(1/(2 ln 2))·[Σ_{t∈T} alone_t − Σ_{t,s∈T} cross_ts],
//	alone_t = 2·a_t·Σ_s P_ts·(q_t·r_s),   cross_ts = P_ts·a_t·a_s·(q_t·q_s),   a_t = q_t·r_t,
//
// since task t's residual changes by −a_t·q_t.
type savingForm struct {
	alone []float64
	cross [][]float64
}

func (l *correlatedGaussian) saving(j int32) savingForm {
	h := l.tasks()
	v := savingForm{alone: make([]float64, h), cross: make([][]float64, h)}
	for t := range h {
		v.cross[t] = make([]float64, h)
	}
	steps := slices.DeleteFunc(l.directions(j, everyTask(h)), func(d direction) bool { return d.q == nil })
	for k, step := range steps {
		other := make([]float64, h) // q·r_s
		for s, u := range l.responses {
			other[s] = l.dot(step.q, u.r)
		}
		for i, t := range step.tasks {
			for s := range h {
				v.alone[t] += float64(2 * step.along[i] * float64(l.p[t][s]*other[s]))
			}
		}
		for _, before := range steps[:k+1] {
			both := l.dot(step.q, before.q)
			for i, t := range step.tasks {
				for b, s := range before.tasks {
					x := l.p[t][s] * step.along[i] * before.along[b] * both
					v.cross[t][s], v.cross[s][t] = x, x
				}
			}
		}
	}
	return v
}

// addedBy is what task t adds to what the tasks in set save.
func (v savingForm) addedBy(set []int32, t int32) float64 {
	x := v.alone[t] - v.cross[t][t]
	for _, s := range set {
		x -= float64(2 * v.cross[t][s])
	}
	return x / (2 * math.Ln2)
}

func (l *correlatedGaussian) addScreenedSavings(ctx context.Context, saved []float64) (exact bool) {
	all := everyTask(l.tasks())
	l.eachStretch(ctx, func(first, last int) {
		for j := first; j < last && ctx.Err() == nil; j++ {
			saved[j] = math.Inf(-1)
			v := l.saving(int32(j))
			if slices.Max(v.alone) != 0 || slices.Min(v.alone) != 0 {
				saved[j] = v.totalOf(all)
			}
		}
	})
	return false
}

// totalOf is what the set saves.
func (v savingForm) totalOf(set []int32) float64 {
	s := 0.0
	for k, t := range set {
		s += v.addedBy(set[:k], t)
	}
	return s
}

// rankTasks adds the task that saves most beside those before, until all are in.
func (l *correlatedGaussian) rankTasks(_ context.Context, j int32) (order []int32, saved []float64) {
	v := l.saving(j)
	rest := everyTask(l.tasks())
	total := 0.0
	for len(rest) > 0 {
		best, most := 0, math.Inf(-1)
		for k, t := range rest {
			if x := v.addedBy(order, t); x > most+tie {
				best, most = k, x
			}
		}
		total += most
		order, saved = append(order, rest[best]), append(saved, total)
		rest = slices.Delete(rest, best, best+1)
	}
	return order, saved
}

func (l *correlatedGaussian) evaluate(ctx context.Context, j int32, tasks []int32) trial {
	out := l.gaussian.evaluate(ctx, j, tasks)
	total := l.saving(j).totalOf(tasks)
	for i := range out.saved {
		out.saved[i] = total / float64(len(tasks))
	}
	extend := out.commit
	out.commit = func(ctx context.Context) error {
		if err := extend(ctx); err != nil {
			return err
		}
		return l.estimateCovariance()
	}
	return out
}

func (l *correlatedGaussian) notes() []string {
	if l.raised == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the covariance of the residuals was close to singular: lambda was raised to %v", l.raised)}
}
