package likelihood

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/growing"
)

// Logistic is the likelihood of responses of zeros and ones, independent between tasks: S_E is the negative
// log-likelihood of a logistic regression for each task, in bits. What a column saves takes a regression with it; the score
// test, which needs only the gradient without it, finds the columns worth one.
type Logistic struct {
	*growing.Design
	ridge float64
	Fits  []*Regression
	null  []float64 // nll of the intercept alone

	last  int32 // column that was tried
	tried []*Regression
}

// NewLogistic fits the intercepts of the responses y, by row, on d's columns, of which none is in yet.
func NewLogistic(ctx context.Context, d *growing.Design, y [][]float64, ridge float64) *Logistic {
	l := &Logistic{Design: d, ridge: ridge, last: -1}
	for _, values := range y {
		f := &Regression{y: values, w: []float64{0}}
		f.fit(ctx, d, ridge)
		l.Fits, l.null = append(l.Fits, f), append(l.null, f.nll)
	}
	return l
}

// Tasks returns the number of responses.
func (l *Logistic) Tasks() int { return len(l.Fits) }

// Bits returns S_E of each task.
func (l *Logistic) Bits() []float64 {
	out := make([]float64, l.Tasks())
	for t, f := range l.Fits {
		out[t] = f.nll / math.Ln2
	}
	return out
}

// Loss returns the mean negative log-likelihood of a task, in nats.
func (l *Logistic) Loss(t int) float64 { return l.Fits[t].nll / l.N }

// ScreenSavings sets saved to estimates by score tests. O(nnz · columns in · tasks).
func (l *Logistic) ScreenSavings(ctx context.Context, saved []float64, _ float64) (exact bool) {
	clear(saved)
	for _, f := range l.Fits {
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
func (l *Logistic) addScoreTests(ctx context.Context, f *Regression, saved []float64) {
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

// whitenedColumns returns the columns of WZL⁻ᵀ, with ZᵀWZ + ridge = LLᵀ; none once ctx ends.
func (f *Regression) whitenedColumns(ctx context.Context, d *growing.Design, curve []float64, ridge float64) [][]float64 {
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

// refit fits every task with column j. O(tasks · rows · columns in² · Newton steps).
func (l *Logistic) refit(ctx context.Context, j int32) []*Regression {
	if l.last == j {
		return l.tried
	}
	z := l.CentredColumn(j)
	l.last, l.tried = j, make([]*Regression, l.Tasks())
	for t, f := range l.Fits {
		l.tried[t] = f.addColumn(j, z)
		l.tried[t].fit(ctx, l.Design, l.ridge)
	}
	return l.tried
}

// gain returns the bits that column j saves by task. It may be below 0 by a little, since the slopes' ridge is no part of S_E.
func (l *Logistic) gain(ctx context.Context, j int32) []float64 {
	out := make([]float64, l.Tasks())
	if l.IsConstant(j) {
		return out
	}
	for t, f := range l.refit(ctx, j) {
		out[t] = (l.Fits[t].nll - f.nll) / math.Ln2
	}
	return out
}

// RankTasks orders the tasks by what column j saves in each, fitted with it.
func (l *Logistic) RankTasks(ctx context.Context, j int32) (order []int32, saved []float64) {
	return rankByGain(l.gain(ctx, j))
}

// Evaluate computes what column j saves in the tasks, fitted with it.
func (l *Logistic) Evaluate(ctx context.Context, j int32, tasks []int32) Trial {
	gain, fits := l.gain(ctx, j), l.refit(ctx, j)
	var out Trial
	for _, t := range tasks {
		out.Saved = append(out.Saved, gain[t])
	}
	out.Commit = func(ctx context.Context) error {
		for _, t := range tasks {
			l.Fits[t] = fits[t]
		}
		l.last = -1
		return context.Cause(ctx)
	}
	return out
}

// PValue returns the p-value of the likelihood ratio test of column j in the only task, by chi-squared on one degree of freedom.
func (l *Logistic) PValue(ctx context.Context, j int32) float64 {
	return elementary.Erfc(math.Sqrt(max(0, l.gain(ctx, j)[0]) * math.Ln2))
}

// Recompute does nothing: there are no running sums.
func (l *Logistic) Recompute(context.Context) {}

// SaturatedTask returns a task that has as many columns as rows allow, or of which hardly any bits are left.
func (l *Logistic) SaturatedTask() (task int, ok bool) {
	for t, f := range l.Fits {
		if len(f.columns) >= l.Rows()-2 || f.nll <= growing.SaturatedBelow*l.null[t] {
			return t, true
		}
	}
	return 0, false
}

// Weights returns the weights of a task's regression on the scale of the data.
func (l *Logistic) Weights(t int) (w map[int32]float64, bias float64) {
	return l.Fits[t].Weights(l.Design)
}

// Notes returns nothing.
func (l *Logistic) Notes() []string { return nil }

// logisticRemover takes columns out of logistic tasks, each time with regressions of their own.
type logisticRemover struct{ *Logistic }

// NewRemover shares the regressions, which it replaces by those without a column.
func (l *Logistic) NewRemover() Remover {
	return logisticRemover{&Logistic{Design: l.Design, ridge: l.ridge, Fits: slices.Clone(l.Fits)}}
}

// BitsWithout returns what S_E of all tasks would be without column j, fitted anew.
func (s logisticRemover) BitsWithout(ctx context.Context, j int32) float64 {
	out := 0.0
	for _, f := range s.Fits {
		out += s.refitWithout(ctx, f, j).nll / math.Ln2
	}
	return out
}

// Remove fits the tasks that have column j without it.
func (s logisticRemover) Remove(ctx context.Context, j int32) {
	for t, f := range s.Fits {
		s.Fits[t] = s.refitWithout(ctx, f, j)
	}
}

// refitWithout returns f fitted without column j; f itself if it does not have the column.
func (s logisticRemover) refitWithout(ctx context.Context, f *Regression, j int32) *Regression {
	k := slices.Index(f.columns, j)
	if k < 0 {
		return f
	}
	f = f.removeColumn(k)
	f.fit(ctx, s.Design, s.ridge)
	return f
}
