package mdl

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/growing"
)

// logistic is the likelihood of responses of zeros and ones, independent between tasks: S_E is the negative
// log-likelihood of a logistic regression for each task, in bits. What a column saves takes a regression with it; the score
// test, which needs only the gradient without it, finds the columns worth one.
type logistic struct {
	*growing.Design
	ridge float64
	fits  []*logit
	null  []float64 // nll of the intercept alone

	last  int32 // column that was tried
	tried []*logit
}

func newLogistic(ctx context.Context, d *growing.Design, y [][]float64, ridge float64) *logistic {
	l := &logistic{Design: d, ridge: ridge, last: -1}
	for _, values := range y {
		f := &logit{y: values, w: []float64{0}}
		f.fit(ctx, d, ridge)
		l.fits, l.null = append(l.fits, f), append(l.null, f.nll)
	}
	return l
}

func (l *logistic) tasks() int { return len(l.fits) }

func (l *logistic) bits() []float64 {
	out := make([]float64, l.tasks())
	for t, f := range l.fits {
		out[t] = f.nll / math.Ln2
	}
	return out
}

func (l *logistic) loss(t int) float64 { return l.fits[t].nll / l.N }

func (l *logistic) screenSavings(ctx context.Context, saved []float64, _ float64) (exact bool) {
	clear(saved)
	for _, f := range l.fits {
		l.addScoreTests(ctx, f, saved)
	}
	for j, s := range saved {
		if s == 0 {
			saved[j] = math.Inf(-1)
		}
	}
	return false
}

// addScoreTests adds to saved the bits that the score test expects every column to save in a task: with W = diag m·p(1−p), and Z
// the intercept and the columns in the model,
//
//	s_j²/(2·ln 2·info_j),   s_j = x̃_jᵀ(y−p),   info_j = x̃_jᵀWx̃_j − x̃_jᵀWZ(ZᵀWZ + ridge)⁻¹ZᵀWx̃_j + ridge.
func (l *logistic) addScoreTests(ctx context.Context, f *logit, saved []float64) {
	curve := f.curvature()
	v := [][]float64{make([]float64, len(f.y))}
	for i, p := range f.p {
		v[0][i] = f.y[i] - p
	}
	v = append(v, f.whitenedColumns(ctx, l.Design, curve, l.ridge)...)
	weight := l.ApplyWeights(curve)
	total := dense.Sum(weight)
	in := slices.Sorted(slices.Values(f.columns))
	l.EachInnerProduct(ctx, data.Numbers(l.Columns()), v, func(k int, p []float64) {
		j := int32(k)
		if _, has := slices.BinarySearch(in, j); has || l.IsConstant(j) {
			return
		}
		info, rest := 0.0, total
		col := l.X.Col(int(j))
		for k, i := range col.Idx {
			x := col.At(k) - l.Mean[j]
			info += float64(weight[i] * float64(x*x))
			rest -= weight[i]
		}
		info += float64(rest * float64(l.Mean[j]*l.Mean[j]))
		whole := info
		for _, b := range p[1:] {
			info -= float64(b * b)
		}
		if info > growing.DependentBelow*whole {
			saved[j] += p[0] * p[0] / (2 * math.Ln2 * (info + l.ridge))
		}
	})
}

// whitenedColumns is the columns of WZL⁻ᵀ, with ZᵀWZ + ridge = LLᵀ; none once ctx ends.
func (f *logit) whitenedColumns(ctx context.Context, d *growing.Design, curve []float64, ridge float64) [][]float64 {
	_, lower := f.derivatives(ctx, d, ridge)
	if !lower.Factor(ctx) {
		return nil
	}
	out := make([][]float64, len(f.w))
	for a := range out { // U = WZ L⁻ᵀ: U Lᵀ = WZ, column by column
		if ctx.Err() != nil {
			return nil
		}
		u := slices.Clone(curve)
		if a > 0 {
			for i, z := range f.z[a-1] {
				u[i] *= z
			}
		}
		line := lower.Row(a)
		for b := range a {
			dense.AddTo(u, out[b], -line[b])
		}
		for i := range u {
			u[i] /= line[a]
		}
		out[a] = u
	}
	return out
}

// refit every task with column j. O(tasks · rows · columns in² · Newton steps).
func (l *logistic) refit(ctx context.Context, j int32) []*logit {
	if l.last == j {
		return l.tried
	}
	z := l.CentredColumn(j)
	l.last, l.tried = j, make([]*logit, l.tasks())
	for t, f := range l.fits {
		l.tried[t] = f.addColumn(j, z)
		l.tried[t].fit(ctx, l.Design, l.ridge)
	}
	return l.tried
}

// gain is the bits that column j saves by task. It may be below 0 by a little, since the slopes' ridge is no part of S_E.
func (l *logistic) gain(ctx context.Context, j int32) []float64 {
	out := make([]float64, l.tasks())
	if l.IsConstant(j) {
		return out
	}
	for t, f := range l.refit(ctx, j) {
		out[t] = (l.fits[t].nll - f.nll) / math.Ln2
	}
	return out
}

func (l *logistic) rankTasks(ctx context.Context, j int32) (order []int32, saved []float64) {
	return rankByGain(l.gain(ctx, j))
}

func (l *logistic) evaluate(ctx context.Context, j int32, tasks []int32) trial {
	gain, fits := l.gain(ctx, j), l.refit(ctx, j)
	var out trial
	for _, t := range tasks {
		out.saved = append(out.saved, gain[t])
	}
	out.commit = func(ctx context.Context) error {
		for _, t := range tasks {
			l.fits[t] = fits[t]
		}
		l.last = -1
		return context.Cause(ctx)
	}
	return out
}

// pvalue is that of the likelihood ratio test of column j in the only task, by chi-squared on one degree of freedom.
func (l *logistic) pvalue(ctx context.Context, j int32) float64 {
	return elementary.Erfc(math.Sqrt(max(0, l.gain(ctx, j)[0]) * math.Ln2))
}

func (l *logistic) Recompute(context.Context) {}

func (l *logistic) saturatedTask() (task int, ok bool) {
	for t, f := range l.fits {
		if len(f.columns) >= l.Rows()-2 || f.nll <= growing.SaturatedBelow*l.null[t] {
			return t, true
		}
	}
	return 0, false
}

func (l *logistic) Weights(t int) (w map[int32]float64, bias float64) {
	return l.fits[t].weights(l.Design)
}

func (l *logistic) notes() []string { return nil }

// logisticRemover takes columns out of logistic tasks, each time with regressions of their own.
type logisticRemover struct{ *logistic }

func (l *logistic) newRemover() featureRemover {
	return logisticRemover{&logistic{Design: l.Design, ridge: l.ridge, fits: slices.Clone(l.fits)}}
}

func (s logisticRemover) bitsWithout(ctx context.Context, j int32) float64 {
	out := 0.0
	for _, f := range s.fits {
		out += s.refitWithout(ctx, f, j).nll / math.Ln2
	}
	return out
}

func (s logisticRemover) remove(ctx context.Context, j int32) {
	for t, f := range s.fits {
		s.fits[t] = s.refitWithout(ctx, f, j)
	}
}

func (s logisticRemover) refitWithout(ctx context.Context, f *logit, j int32) *logit {
	k := slices.Index(f.columns, j)
	if k < 0 {
		return f
	}
	f = f.removeColumn(k)
	f.fit(ctx, s.Design, s.ridge)
	return f
}
