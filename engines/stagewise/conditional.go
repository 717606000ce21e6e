package stagewise

import (
	"context"

	"tenfold/engines/sparse"
)

// conditional is the log-likelihood of classes given the rows, for features f = (column, class):
//
//	p_i(y) ∝ exp(b_y + Σ_f λ_f·x_if·[c_f = y]),   ∂L/∂λ_f = Σ_i m_i·x_if·([y_i = c_f] − p_i(c_f)).
//
// A step changes the probabilities of all classes in the rows where the feature's column fires, and with them the
// gradient of whatever else fires there.
type conditional struct {
	slopes
	known outcomes
	bias  []float64 // by class
}

// newConditional is good for nothing where ctx ends.
func newConditional(ctx context.Context, f features, known outcomes, bias []float64) *conditional {
	l := &conditional{slopes: newSlopes(ctx, f), known: known, bias: bias}
	seen := make([]float64, known.classes)
	for a, j := range f.d.column {
		if a%checkEvery == 0 && ctx.Err() != nil {
			return l
		}
		col := f.d.cols.Col(int(j))
		for q, i := range col.Idx {
			seen[int(known.y[i])] += float64(known.m(int(i)) * col.At(q))
		}
		from, to := l.of(a)
		for k := from; k < to; k++ {
			l.observed[k] = seen[l.class[k]]
		}
		clear(seen)
	}
	return l
}

func (l *conditional) move(ctx context.Context, k int, h float64) (rise float64) {
	rise = l.known.move(ctx, l.d.cols.Col(int(l.column[k])), int(l.class[k]), h, l.give)
	l.settle(1)
	return rise
}

// give notes what the model gives the classes of row i, or how it changed, in all that fires there.
func (l *conditional) give(i int, d []float64) {
	if l.first == nil { // logistic: every feature is of the second class
		l.add(i, d[1])
	} else {
		l.addClasses(i, d)
	}
}

func (l *conditional) gain(k int, h float64) float64 {
	return float64(h*l.observed[k]) - l.known.normaliser(l.d.cols.Col(int(l.column[k])), int(l.class[k]), h)
}

func (l *conditional) restart(ctx context.Context, weights []float64) (level, drift float64) {
	level = l.known.restart(ctx, l.bias, func(to []float64) {
		l.addScores(to, l.known.classes, weights, l.d.cols.Col)
	})
	given := make([]float64, l.known.classes)
	drift = l.renew(ctx, 1, func(i int) {
		for y, p := range l.known.row(i) {
			given[y] = float64(l.known.m(i) * p)
		}
		l.give(i, given)
	})
	return level, drift
}

func (l *conditional) stale() bool { return false }

func (l *conditional) intercept() float64 { return 0 }

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
