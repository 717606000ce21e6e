package likelihood

import (
	"context"
	"math"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/steps/stagewise/design"
)

// Expfam is the exponential family over the training rows themselves, with base weights W_i > 0 (Hooker & Weng 2004,
// section 8):
//
//	L(λ) = Σ_j N_j·λ_j − n·log C,   C = Σ_i m_i·W_i·e^{x_i'λ},   ∂L/∂λ_k = N_k − (n/S₀)·S_k
//
// with w_i = W_i·e^{x_i'λ − E}, S₀ = Σ m·w, S_k = Σ m·x_ik·w for a shift E that keeps the exponents small. A step on j changes w of
// the rows of column j, and S of the features that occur in them. That is exact, unlike the paper's recursion over pairs of
// features (docs/engines/stagewise.md#erratum-recursions).
type Expfam struct {
	Gradient
	logBase              []float64 // log W
	w                    []float64
	normalizer           float64 // S₀
	recomputedNormalizer float64 // S₀ when it was last computed anew
}

// NewExpfam returns the likelihood of d's rows, whose responses are the base weights W. It is invalid until it is recomputed.
func NewExpfam(ctx context.Context, d *design.Design) *Expfam {
	n := len(d.Y)
	f := Features{Design: d, TieRank: d.Column, Column: d.Column, Gamma: d.Gammas()}
	l := &Expfam{Gradient: newGradient(ctx, f), logBase: make([]float64, n), w: make([]float64, n)}
	for i, w := range d.Y {
		l.logBase[i] = elementary.Log(w)
	}
	copy(l.observed, d.Total)
	return l
}

// Update adds h to λ_k. O(entries of the rows of the column).
func (l *Expfam) Update(ctx context.Context, k int, h float64) (increase float64) {
	before, grow := l.normalizer, elementary.Expm1(h)
	col := l.Design.Cols.Col(int(l.Column[k]))
	for q, i := range col.Idx {
		if q%rowsPerCheck == rowsPerCheck-1 && ctx.Err() != nil {
			return 0
		}
		if col.Val != nil {
			grow = elementary.Expm1(h * col.Val[q])
		}
		d := float64(l.w[i] * grow)
		l.w[i] += d
		d = float64(l.Design.WeightOf(int(i)) * d)
		l.normalizer += d
		l.addExpected(int(i), d)
	}
	l.applyChanges(l.Design.N / l.normalizer)
	return float64(h*l.observed[k]) - float64(l.Design.N*elementary.Log(l.normalizer/before))
}

// Increase tilts the share S_k/S₀ of the weight by h if all values are 1: O(1). Otherwise it is O(entries of column k).
func (l *Expfam) Increase(k int, h float64) float64 {
	if l.Design.X.Binary() {
		_, _, log := newTilt(h).apply(l.expected[k] / l.normalizer)
		return float64(h*l.observed[k]) - float64(l.Design.N*log)
	}
	more := 0.0
	col := l.Design.Cols.Col(int(l.Column[k]))
	for q, i := range col.Idx {
		more += float64(float64(l.Design.WeightOf(int(i))*l.w[i]) * elementary.Expm1(h*col.Val[q]))
	}
	return float64(h*l.observed[k]) - float64(l.Design.N*elementary.Log1p(more/l.normalizer))
}

// Recompute computes w, S₀ and S from the weights. O(nnz).
func (l *Expfam) Recompute(ctx context.Context, weights []float64) (logLikelihood, drift float64) {
	e := append([]float64(nil), l.logBase...)
	for k, w := range weights {
		if w != 0 {
			l.Design.Cols.Col(int(l.Column[k])).AddTo(e, w)
		}
	}
	shift := math.Inf(-1)
	for _, v := range e {
		shift = max(shift, v)
	}
	var total design.Sum
	for i, v := range e {
		l.w[i] = elementary.Exp(v - shift)
		total.Add(float64(l.Design.WeightOf(i) * l.w[i]))
	}
	l.normalizer, l.recomputedNormalizer = total.Total, total.Total
	drift = l.recomputeExpected(ctx, l.Design.N/l.normalizer, func(i int) { l.addExpected(i, float64(l.Design.WeightOf(i)*l.w[i])) })
	logLikelihood = -l.Design.N * (shift + elementary.Log(l.normalizer))
	for k, w := range weights {
		logLikelihood += float64(w * l.observed[k])
	}
	return logLikelihood, drift
}

// NeedsRecompute reports whether S₀ changed so much since it was last summed that the rounding errors of its updates may count.
func (l *Expfam) NeedsRecompute() bool {
	moved := l.normalizer / l.recomputedNormalizer
	return !(moved < 1<<10 && moved > 1.0/(1<<10))
}

// Intercept returns 0: there is none.
func (l *Expfam) Intercept() float64 { return 0 }
