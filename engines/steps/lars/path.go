package lars

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/scaled"
)

// larsPath is a path from no coefficient to where a stopping rule holds.
type larsPath struct {
	e       LARS
	run     engines.Run
	targets *response.Responses
	g       *scaled.Matrix
	mean    float64 // of the response
	tss     float64

	beta    []float64 // by column
	lambda  float64   // the largest |c|
	largest float64   // the same at the start
	r, mr   []float64 // residual, as updateResidual leaves it, and m∘r
	c       []float64 // G'r

	support []int32 // columns that move, in the order of the factor
	in      []bool  // by column: it is in the support
	factor  dense.Cholesky
	stale   bool      // the weights are those of another support
	signs   []float64 // of the support as it was when half was solved
	half    []float64 // R'half = signs
	short   []float64 // signs less the products of the support with G·w
	weight  []float64 // w, of the support
	u, mu   []float64 // G·w, and m∘(G·w)
	muSum   float64
	fall    []float64 // G'G·w: how fast c falls
	tied    []int32   // columns with the largest |c|, rising

	gram      [][]float64 // G'G; nil where the path follows the columns. Else
	y, scaled []float64   // the centred response, and room by column

	entries []firstStep // by column that ever moved, in their order
	entered []bool
	kept    int // of run.At
	steps   int
	limit   int // of steps
	drops   int
	work    int64 // columns looked at
	stop    string
	record  *turningPoints // nil where nobody will look back
}

// firstStep is a column's first step.
type firstStep struct {
	column int32
	lambda float64
}

func (e LARS) newPath(ctx context.Context, run engines.Run) (*larsPath, error) {
	r, err := response.Read(run.Train, response.Squared)
	if err != nil {
		return nil, err
	}
	scaled, err := scaled.StandardizeFar(ctx, r.Train.FilledMatrix(), r.Train.Weights(), e.Scale)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(scaled.Mean, func(mean float64) bool { return mean-mean != 0 }) {
		if err := scaled.X.Check(); err != nil {
			return nil, err
		}
	}
	rows, columns := scaled.X.Dims()
	w := &larsPath{e: e, run: run, targets: r, g: scaled, stale: true, limit: e.limit(rows, columns)}
	w.r, w.mean, w.tss = scaled.Center(r.Each[0].Y)
	w.mr, w.u, w.mu = make([]float64, rows), make([]float64, rows), make([]float64, rows)
	w.beta, w.c, w.fall = make([]float64, columns), make([]float64, columns), make([]float64, columns)
	w.in, w.entered = make([]bool, columns), make([]bool, columns)
	w.computeCorrelations()
	if scaled.X.IsFull() && hasGram(rows, columns) {
		w.useGram(ctx, run.Workers)
	}
	for j, c := range w.c {
		if c*c > nothing*nothing*w.tss*scaled.Norm2[j] { // else there is nothing but rounding
			w.largest = max(w.largest, math.Abs(c))
		}
	}
	w.lambda = w.largest
	return w, context.Cause(ctx)
}

// drift is how many steps correlations are kept up by differences, before they are computed from the residual again.
const drift = 32

// computeCorrelations computes c from the residual.
func (w *larsPath) computeCorrelations() {
	w.updateResidual()
	w.g.MulTVec(w.c, w.mr, w.g.Weighted(w.mr, w.r))
	w.work += int64(len(w.c))
}

// nothing is the share of the first λ that counts as 0.
const nothing = 1e-12

// follow takes steps until a rule ends it. The lowest λ is 0, where the columns of the support fit as least squares would.
func (w *larsPath) follow(ctx context.Context) error {
	w.traceStep(nil)
	w.recordTurn()
	for w.stop = w.stopReason(); w.stop == ""; w.stop = w.stopReason() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		w.gatherActive()
		if w.findDirection(ctx); ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if w.gram == nil {
			w.g.MulTVec(w.fall, w.mu, w.muSum)
		}
		w.work += int64(len(w.c))
		size := w.countActive()
		w.keepModels(size)
		if w.e.MaxFeatures > 0 && size > w.e.MaxFeatures {
			w.stop = "max_features"
			break
		}
		w.takeStep()
	}
	w.keepModels(w.countNonzero() + 1)
	return nil
}

// countNonzero returns the number of columns that have a coefficient.
func (w *larsPath) countNonzero() (n int) {
	for _, in := range w.entries {
		if w.beta[in.column] != 0 {
			n++
		}
	}
	return n
}

// stopReason tells why the path ends here, "" where it goes on.
func (w *larsPath) stopReason() string {
	switch {
	case w.lambda <= nothing*w.largest || w.largest == 0:
		return "complete"
	case w.lambda <= w.e.Lambda:
		return "lambda"
	case w.steps >= w.limit:
		return "steps"
	}
	return ""
}

// gatherActive collects the columns that have the largest correlation.
func (w *larsPath) gatherActive() {
	w.tied = w.tied[:0]
	threshold := w.lambda - float64(equal*w.lambda) - float64(nothing*w.largest)
	for j, c := range w.c {
		if math.Abs(c) >= threshold && w.g.Scale[j] != 0 {
			w.tied = append(w.tied, int32(j))
		}
	}
}

// countActive returns the number of columns that have a coefficient, or get one by the next step.
func (w *larsPath) countActive() int {
	n := len(w.support)
	for _, in := range w.entries {
		if w.beta[in.column] != 0 && !w.in[in.column] {
			n++
		}
	}
	return n
}

// takeStep goes to the next turning point: the first place where another column comes to the largest correlation, or, of the lasso,
// where a coefficient comes back to 0.
func (w *larsPath) takeStep() {
	rest := w.lambda - w.e.Lambda
	length := min(rest, w.distanceToNext())
	gone := w.vanishingCoefficients(&length)
	if length >= rest*(1-equal) {
		length = rest
	}
	moved := make([]engines.Coef, len(w.support))
	for k, j := range w.support {
		if !w.entered[j] {
			w.entered[j] = true
			w.entries = append(w.entries, firstStep{j, w.lambda})
		}
		was := w.beta[j]
		w.beta[j] += float64(length * w.weight[k])
		if gone[j] {
			w.beta[j] = 0
		}
		moved[k] = engines.Coef{Feature: int(j), Value: w.g.Scale[j] * (w.beta[j] - was)}
	}
	if w.gram == nil {
		for i, v := range w.u {
			w.r[i] -= float64(length * v)
		}
	}
	for j, v := range w.fall {
		w.c[j] -= float64(length * v)
	}
	for k := len(w.support) - 1; k >= 0; k-- {
		if gone[w.support[k]] {
			w.leaveSupport(k)
			w.drops++
		}
	}
	if w.lambda -= length; length == rest {
		w.lambda = w.e.Lambda
	}
	if w.steps++; w.steps%drift == 0 {
		w.computeCorrelations()
	}
	w.traceStep(moved)
	w.recordTurn()
}

// distanceToNext returns how far it is to where the first column outside the support comes to the largest correlation: with s its sign,
// s·c falls by s·fall for each unit, λ by one. Those that are there now and rest fall at least as fast.
func (w *larsPath) distanceToNext() float64 {
	far, next := math.Inf(1), 0
	for j, c := range w.c {
		tied := next < len(w.tied) && int(w.tied[next]) == j
		if tied {
			next++
		}
		if w.in[j] || w.g.Scale[j] == 0 {
			continue
		}
		c, fall := math.Abs(c), float64(math.Copysign(1, c)*w.fall[j])
		if fall < 1-equal && !tied {
			far = min(far, max(0, w.lambda-c)/(1-fall))
		}
		if fall > -1+equal {
			far = min(far, (w.lambda+c)/(1+fall))
		}
	}
	return far
}

// vanishingCoefficients returns the columns whose coefficients are 0 at the end of the step, which they shorten.
func (w *larsPath) vanishingCoefficients(length *float64) map[int32]bool {
	gone := map[int32]bool{}
	if w.e.Method != methodLasso {
		return gone
	}
	to := func(k int) float64 {
		if b := w.beta[w.support[k]]; b*w.weight[k] < 0 {
			return -b / w.weight[k]
		}
		return math.Inf(1)
	}
	for k := range w.support {
		*length = min(*length, to(k))
	}
	for k, j := range w.support {
		if to(k) <= *length*(1+equal) {
			gone[j] = true
		}
	}
	return gone
}
