package likelihood

import (
	"context"

	"tenfold/engines/numeric/sparse"
	"tenfold/engines/steps/stagewise/lookup"
)

// Conditional is the log-likelihood of classes given the rows, for features f = (column, class):
//
//	p_i(y) ∝ exp(b_y + Σ_f λ_f·x_if·[c_f = y]),   ∂L/∂λ_f = Σ_i m_i·x_if·([y_i = c_f] − p_i(c_f)).
//
// A step changes the probabilities of all classes in the rows where the feature's column is nonzero, and with them the partial
// derivatives of all features that occur in these rows.
type Conditional struct {
	Gradient
	Probabilities ClassProbabilities
	Intercepts    []float64 // by class
}

// NewConditional's result is invalid after ctx is cancelled.
func NewConditional(ctx context.Context, f Features, train ClassProbabilities, bias []float64) *Conditional {
	l := &Conditional{Gradient: newGradient(ctx, f), Probabilities: train, Intercepts: bias}
	seen := make([]float64, train.Classes)
	for a, j := range f.Design.Column {
		if a%lookup.FeaturesPerCheck == 0 && ctx.Err() != nil {
			return l
		}
		col := f.Design.Cols.Col(int(j))
		for q, i := range col.Idx {
			seen[int(train.Y[i])] += float64(train.weightOf(int(i)) * col.At(q))
		}
		from, to := l.featuresOfColumn(a)
		for k := from; k < to; k++ {
			l.observed[k] = seen[l.Class[k]]
		}
		clear(seen)
	}
	return l
}

// Update adds h to λ_k. O(entries of the rows of the column · classes).
func (l *Conditional) Update(ctx context.Context, k int, h float64) (increase float64) {
	increase = l.Probabilities.update(ctx, l.Design.Cols.Col(int(l.Column[k])), int(l.Class[k]), h, l.addProbabilities)
	l.applyChanges(1)
	return increase
}

// addProbabilities records the probabilities of the classes of row i, or their changes, for the features of that row.
func (l *Conditional) addProbabilities(i int, d []float64) {
	if l.first == nil { // logistic: every feature is of the second class
		l.addExpected(i, d[1])
	} else {
		l.addExpectedByClass(i, d)
	}
}

// Increase returns by how much L would rise. O(entries of the column).
func (l *Conditional) Increase(k int, h float64) float64 {
	return float64(h*l.observed[k]) - l.Probabilities.logNormalizerChange(l.Design.Cols.Col(int(l.Column[k])), int(l.Class[k]), h)
}

// Recompute computes all probabilities and partial derivatives from the weights. O(nnz · classes).
func (l *Conditional) Recompute(ctx context.Context, weights []float64) (logLikelihood, drift float64) {
	logLikelihood = l.Probabilities.recompute(ctx, l.Intercepts, func(to []float64) {
		l.addScores(to, l.Probabilities.Classes, weights, l.Design.Cols.Col)
	})
	given := make([]float64, l.Probabilities.Classes)
	drift = l.recomputeExpected(ctx, 1, func(i int) {
		for y, p := range l.Probabilities.Row(i) {
			given[y] = float64(l.Probabilities.weightOf(i) * p)
		}
		l.addProbabilities(i, given)
	})
	return logLikelihood, drift
}

// NeedsRecompute returns false.
func (l *Conditional) NeedsRecompute() bool { return false }

// Intercept returns 0: none moves.
func (l *Conditional) Intercept() float64 { return 0 }

// addScores adds Σ λ_f·x_if to the scores of the features' classes (rows × classes) for rows with the given columns.
func (f *Features) addScores(to []float64, classes int, weights []float64, col func(j int) sparse.Vec) {
	for k, w := range weights {
		if w == 0 {
			continue
		}
		v := col(int(f.Column[k]))
		for q, i := range v.Idx {
			to[int(i)*classes+int(f.Class[k])] += float64(w * v.At(q))
		}
	}
}
