package stagewise

import (
	"context"

	"tenfold/engines/numeric/sparse"
	"tenfold/engines/steps/stagewise/lookup"
)

// conditionalLikelihood is the log-likelihood of classes given the rows, for features f = (column, class):
//
//	p_i(y) ∝ exp(b_y + Σ_f λ_f·x_if·[c_f = y]),   ∂L/∂λ_f = Σ_i m_i·x_if·([y_i = c_f] − p_i(c_f)).
//
// A step changes the probabilities of all classes in the rows where the feature's column is nonzero, and with them the partial
// derivatives of all features that occur in these rows.
type conditionalLikelihood struct {
	gradient
	probabilities classProbabilities
	intercepts    []float64 // by class
}

// newConditionalLikelihood's result is invalid after ctx is cancelled.
func newConditionalLikelihood(ctx context.Context, f features, train classProbabilities, bias []float64) *conditionalLikelihood {
	l := &conditionalLikelihood{gradient: newGradient(ctx, f), probabilities: train, intercepts: bias}
	seen := make([]float64, train.classes)
	for a, j := range f.d.Column {
		if a%lookup.FeaturesPerCheck == 0 && ctx.Err() != nil {
			return l
		}
		col := f.d.Cols.Col(int(j))
		for q, i := range col.Idx {
			seen[int(train.y[i])] += float64(train.weightOf(int(i)) * col.At(q))
		}
		from, to := l.featuresOfColumn(a)
		for k := from; k < to; k++ {
			l.observed[k] = seen[l.class[k]]
		}
		clear(seen)
	}
	return l
}

func (l *conditionalLikelihood) update(ctx context.Context, k int, h float64) (increase float64) {
	increase = l.probabilities.update(ctx, l.d.Cols.Col(int(l.column[k])), int(l.class[k]), h, l.addProbabilities)
	l.applyChanges(1)
	return increase
}

// addProbabilities records the probabilities of the classes of row i, or their changes, for the features of that row.
func (l *conditionalLikelihood) addProbabilities(i int, d []float64) {
	if l.first == nil { // logistic: every feature is of the second class
		l.addExpected(i, d[1])
	} else {
		l.addExpectedByClass(i, d)
	}
}

func (l *conditionalLikelihood) Increase(k int, h float64) float64 {
	return float64(h*l.observed[k]) - l.probabilities.logNormalizerChange(l.d.Cols.Col(int(l.column[k])), int(l.class[k]), h)
}

func (l *conditionalLikelihood) recompute(ctx context.Context, weights []float64) (logLikelihood, drift float64) {
	logLikelihood = l.probabilities.recompute(ctx, l.intercepts, func(to []float64) {
		l.addScores(to, l.probabilities.classes, weights, l.d.Cols.Col)
	})
	given := make([]float64, l.probabilities.classes)
	drift = l.recomputeExpected(ctx, 1, func(i int) {
		for y, p := range l.probabilities.probabilitiesOf(i) {
			given[y] = float64(l.probabilities.weightOf(i) * p)
		}
		l.addProbabilities(i, given)
	})
	return logLikelihood, drift
}

func (l *conditionalLikelihood) needsRecompute() bool { return false }

func (l *conditionalLikelihood) intercept() float64 { return 0 }

// addScores adds Σ λ_f·x_if to the scores of the features' classes (rows × classes) for rows with the given columns.
func (f *features) addScores(to []float64, classes int, weights []float64, col func(j int) sparse.Vec) {
	for k, w := range weights {
		if w == 0 {
			continue
		}
		v := col(int(f.column[k]))
		for q, i := range v.Idx {
			to[int(i)*classes+int(f.class[k])] += float64(w * v.At(q))
		}
	}
}
