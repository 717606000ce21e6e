package likelihood

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/growing"
)

// Correlated is the likelihood of responses with joint normal noise of covariance Σ (Dhillon, Foster & Ungar 2011,
// Eq. 6; docs/engines/mdl.md#errata),
//
//	S_E = ½[n·h·lg 2π + n·lg|Σ| + (1/ln 2)·tr(Σ⁻¹·EᵀE)],   Σ̂_λ = λ·diag Σ̂ + (1−λ)·Σ̂,   Σ̂ = EᵀE/(n − df),
//
// with Σ̂ from the residuals E of the model without the candidate. Coefficients are least squares for each task, as in the
// authors' program, which is the maximum likelihood only if all tasks have the same columns. So a column in all tasks may save
// fewer bits than in some of them, or none (docs/engines/mdl.md#errata): ScreenSavings is an estimate, not a bound.
type Correlated struct {
	*Gaussian
	lambda        float64
	raised        float64     // the largest λ that was needed in place of the given one, 0 if none was
	crossProducts [][]float64 // EᵀE
	precision     [][]float64 // Σ̂_λ⁻¹
	logdet        float64     // lg|Σ̂_λ|
}

// NewCorrelated returns the likelihood of g's responses with joint noise, of which lambda is the share of the diagonal, in [0, 1].
func NewCorrelated(g *Gaussian, lambda float64) (*Correlated, error) {
	l := &Correlated{Gaussian: g, lambda: lambda}
	return l, l.estimateCovariance()
}

// SaturatedTask returns the first task that is saturated or explained: with an explained one Σ̂ has no inverse.
func (l *Correlated) SaturatedTask() (task int, ok bool) {
	return l.LeastSquares.SaturatedTask()
}

// maxCondition is the largest condition number that Σ̂ may have.
const maxCondition = 1e8

// estimateCovariance estimates Σ̂_λ and its inverse from the residuals. If Σ̂_λ is not positive definite with a condition number
// below maxCondition, λ rises to the first of 0.1, 0.2, …, 1 for which it is.
func (l *Correlated) estimateCovariance() error {
	h := l.Tasks()
	l.crossProducts = make([][]float64, h)
	for t, u := range l.Responses {
		l.crossProducts[t] = make([]float64, h)
		for s := range t + 1 {
			l.crossProducts[t][s] = l.Inner(u.Residual, l.Responses[s].Residual)
			l.crossProducts[s][t] = l.crossProducts[t][s]
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
				row[s] = (1 - lambda) * l.crossProducts[t][s] / (l.N - l.Noise.DF)
			}
			row[t] = l.variance(t)
		}
		if lambda < 1 {
			if v, _ := dense.Eigen(sigma.Square()); !(v[h-1] > 0 && v[0] < maxCondition*v[h-1]) {
				continue
			}
		}
		if !sigma.Factor(context.Background()) {
			continue
		}
		l.logdet = sigma.LogDet() / math.Ln2
		l.precision = sigma.Inverse().Square()
		return nil
	}
	return fmt.Errorf("the covariance of the residuals is not positive definite, not even its diagonal")
}

// Bits returns an equal share of S_E for each task.
func (l *Correlated) Bits() []float64 {
	h, trace := l.Tasks(), 0.0
	for t := range h {
		for s := range h {
			trace += float64(l.precision[t][s] * l.crossProducts[t][s])
		}
	}
	all := (float64(l.N*float64(h)*elementary.Log2(2*math.Pi)) + float64(l.N*l.logdet) + trace/math.Ln2) / 2
	return slices.Repeat([]float64{all / float64(h)}, h)
}

// savingForm gives the bits that a column saves in a set T of tasks as a quadratic form:
//
//	(1/(2 ln 2))·[Σ_{t∈T} alone_t − Σ_{t,s∈T} cross_ts],
//	alone_t = 2·a_t·Σ_s P_ts·(q_t·r_s),   cross_ts = P_ts·a_t·a_s·(q_t·q_s),   a_t = q_t·r_t,
//
// since task t's residual changes by −a_t·q_t.
type savingForm struct {
	alone []float64
	cross [][]float64
}

// saving returns the form of column j. O(tasks² · rows).
func (l *Correlated) saving(j int32) savingForm {
	h := l.Tasks()
	v := savingForm{alone: make([]float64, h), cross: make([][]float64, h)}
	for t := range h {
		v.cross[t] = make([]float64, h)
	}
	steps := slices.DeleteFunc(l.Directions(j, data.Numbers(h)), func(d growing.Direction) bool { return d.Q == nil })
	for k, step := range steps {
		other := make([]float64, h) // q·r_s
		for s, u := range l.Responses {
			other[s] = l.Inner(step.Q, u.Residual)
		}
		for i, t := range step.Tasks {
			for s := range h {
				v.alone[t] += float64(2 * step.Along[i] * float64(l.precision[t][s]*other[s]))
			}
		}
		for _, before := range steps[:k+1] {
			both := l.Inner(step.Q, before.Q)
			for i, t := range step.Tasks {
				for b, s := range before.Tasks {
					x := l.precision[t][s] * step.Along[i] * before.Along[b] * both
					v.cross[t][s], v.cross[s][t] = x, x
				}
			}
		}
	}
	return v
}

// addedBy returns the bits that task t saves beyond those of the tasks in set.
func (v savingForm) addedBy(set []int32, t int32) float64 {
	x := v.alone[t] - v.cross[t][t]
	for _, s := range set {
		x -= float64(2 * v.cross[t][s])
	}
	return x / (2 * math.Ln2)
}

// ScreenSavings sets saved to what each column saves in all tasks together, an estimate.
func (l *Correlated) ScreenSavings(ctx context.Context, saved []float64, _ float64) (exact bool) {
	all := data.Numbers(l.Tasks())
	l.EachRange(ctx, l.Columns(), func(first, last int) {
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

// totalOf returns the bits that the set saves.
func (v savingForm) totalOf(set []int32) float64 {
	s := 0.0
	for k, t := range set {
		s += v.addedBy(set[:k], t)
	}
	return s
}

// RankTasks orders the tasks greedily: next comes the one that saves most beyond those before it.
func (l *Correlated) RankTasks(_ context.Context, j int32) (order []int32, saved []float64) {
	v := l.saving(j)
	rest := data.Numbers(l.Tasks())
	total := 0.0
	for len(rest) > 0 {
		best, largest := 0, math.Inf(-1)
		for k, t := range rest {
			if x := v.addedBy(order, t); x > largest+TieBits {
				best, largest = k, x
			}
		}
		total += largest
		order, saved = append(order, rest[best]), append(saved, total)
		rest = slices.Delete(rest, best, best+1)
	}
	return order, saved
}

// Evaluate computes what column j saves in the tasks together, an equal share each; committed, it estimates the covariance anew.
func (l *Correlated) Evaluate(ctx context.Context, j int32, tasks []int32) Trial {
	out := l.Gaussian.Evaluate(ctx, j, tasks)
	total := l.saving(j).totalOf(tasks)
	for i := range out.Saved {
		out.Saved[i] = total / float64(len(tasks))
	}
	extend := out.Commit
	out.Commit = func(ctx context.Context) error {
		if err := extend(ctx); err != nil {
			return err
		}
		return l.estimateCovariance()
	}
	return out
}

// Notes reports a covariance that was too close to singular.
func (l *Correlated) Notes() []string {
	if l.raised == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the covariance of the residuals was close to singular: lambda was raised to %v", l.raised)}
}
