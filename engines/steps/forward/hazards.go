package forward

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/survival"
	"tenfold/engines/numeric/tails"
)

// growingHazards is Cox's model of times (Efron's likelihood of tied events) that takes columns. Every candidate is fitted with those in
// the model by Newton's method, from where these are; choose: correlation fits that with the largest score test alone.
type growingHazards struct {
	choose    string
	train     *data.View
	g         *scaled.Matrix // columns of mean 0 and standard deviation 1
	times     []float64
	workers   []*survival.Likelihood // one each: they have scratch space
	null      float64                // −log PL without columns
	log       float64                // log PL
	columns   []int32
	inside    []*ofHazards
	beta      []float64 // of them
	dependent []bool    // by column: those in the model determine it
	evaluated int64
}

// ofHazards is a column in the likelihood's order, and its means over risk sets.
type ofHazards struct{ values, mean, scaled []float64 }

func (e Stepwise) newHazards(ctx context.Context, run engines.Run) (growingModel, error) {
	rows, times := run.Train.Defined(0)
	weight, _ := rows.TestWeights()
	g, err := scaled.StandardizeFar(ctx, rows.Matrix(), weight, "sd")
	if err != nil {
		return nil, err
	}
	h := &growingHazards{choose: e.Choose, train: run.Train, g: g, times: times, dependent: make([]bool, rows.Columns())}
	for range max(1, run.Workers) {
		l, err := survival.NewLikelihood(times, rows.Events(0), weight, true)
		if err != nil {
			return nil, fmt.Errorf("target %s: %w", run.Train.TargetInfo(0).Name, err)
		}
		h.workers = append(h.workers, l)
	}
	h.log = h.workers[0].Log(make([]float64, len(times)))
	h.null = -h.log
	return h, context.Cause(ctx)
}

func (h *growingHazards) size() int              { return len(h.columns) }
func (h *growingHazards) columnsInside() []int32 { return h.columns }
func (h *growingHazards) examined() int64        { return h.evaluated }
func (h *growingHazards) start() float64         { return h.null }
func (h *growingHazards) loss() float64          { return -h.log }

// logRows returns the logarithm of the events, as in R's BIC of coxph.
func (h *growingHazards) logRows() float64 { return elementary.Log(h.workers[0].EventWeight()) }

// drop returns by how much −2 log PL falls.
func (h *growingHazards) drop(next entrant) float64 { return 2 * next.gain }

// pValue returns that of the likelihood ratio test.
func (h *growingHazards) pValue(next entrant) float64 {
	return tails.Chi2(2*next.gain, float64(len(next.columns)))
}

// full reports whether a column more is one for each event.
func (h *growingHazards) full() bool { return len(h.columns)+1 >= h.workers[0].Terms() }

func (h *growingHazards) column(j int32) *ofHazards {
	n := len(h.times)
	raw := make([]float64, n)
	for i := range raw {
		raw[i] = -h.g.Mean[j] * h.g.Scale[j]
	}
	h.g.X.Col(int(j)).AddTo(raw, h.g.Scale[j])
	terms := h.workers[0].Terms()
	c := &ofHazards{make([]float64, n), make([]float64, terms), make([]float64, terms)}
	h.workers[0].Sorted(c.values, raw)
	return c
}

// newton is Cox's model on some columns at some coefficients.
type newton struct {
	l        *survival.Likelihood
	point    survival.Point
	columns  []*ofHazards
	eta      []float64 // by row
	order    []float64 // scratch, by place
	residual []float64 // by place
}

// moveTo moves to coefficients beta, and returns log PL there.
func (m *newton) moveTo(beta []float64) float64 {
	clear(m.order)
	for a, c := range m.columns {
		dense.AddTo(m.order, c.values, beta[a])
	}
	m.l.Unsorted(m.eta, m.order)
	return m.l.Log(m.eta)
}

// derive returns the gradient of log PL and minus its Hessian.
func (m *newton) derive() (gradient []float64, h dense.Triangle) {
	m.l.At(&m.point, m.eta)
	m.l.Sorted(m.residual, m.point.Residual)
	gradient, h = make([]float64, len(m.columns)), dense.NewTriangle(len(m.columns))
	hazards, weighted := m.point.Hazards(), make([]float64, len(m.order))
	for a, c := range m.columns {
		m.l.Means(&m.point, c.mean, c.scaled, c.values)
		for k, v := range c.values {
			weighted[k] = hazards[k] * v
		}
		row := h.Row(a)
		for b, other := range m.columns[:a+1] {
			row[b] = dense.Dot(weighted, other.values) - dense.Dot(c.scaled, other.mean)
		}
		gradient[a] = dense.Dot(m.residual, c.values)
	}
	return gradient, h
}

// maximum returns the maximum of log PL, sought from some coefficients on; nil where the columns depend on each other within the risk
// sets, endless where there is none: a coefficient goes beyond 30 standard deviations, or nothing is left of −log PL.
func (m *newton) maximum(from []float64) (beta []float64, log float64, endless bool) {
	const steps, precise, farOff, nothing, dependent = 100, 1e-12, 30, 1e-8, 1e-9
	beta = slices.Clone(from)
	log = m.moveTo(beta)
	for range steps {
		gradient, h := m.derive()
		move := slices.Clone(gradient)
		last := len(gradient) - 1
		raw := h.Row(last)[last]
		if !h.Factor(context.Background()) || h.Row(last)[last]*h.Row(last)[last] <= dependent*raw {
			return nil, log, false
		}
		h.Solve(move)
		rise := dense.Dot(gradient, move)
		if rise <= precise*max(1, -log) {
			return beta, log, false
		}
		to := make([]float64, len(beta))
		share := 1.0
		for ; share > 1e-10; share /= 2 {
			for a := range to {
				to[a] = beta[a] + float64(share*move[a])
			}
			if next := m.moveTo(to); next >= log+float64(1e-4*share*rise) {
				log = next
				break
			}
		}
		if share <= 1e-10 {
			m.moveTo(beta)
			return beta, log, false
		}
		copy(beta, to)
		if -log < nothing {
			return beta, log, true
		}
		for _, b := range beta {
			if math.Abs(b) > farOff {
				return beta, log, true
			}
		}
	}
	return beta, log, true
}

// on prepares the columns of the model and some more, for one worker.
func (h *growingHazards) on(worker int, more []int32) *newton {
	n := len(h.times)
	m := &newton{l: h.workers[worker], eta: make([]float64, n), order: make([]float64, n), residual: make([]float64, n)}
	for _, c := range h.inside {
		mine := *c // means are the worker's
		mine.mean, mine.scaled = make([]float64, len(c.mean)), make([]float64, len(c.mean))
		m.columns = append(m.columns, &mine)
	}
	for _, j := range more {
		m.columns = append(m.columns, h.column(j))
	}
	return m
}

// entrantOf returns those of the columns that depend neither on the model nor on the ones before.
func (h *growingHazards) entrantOf(worker int, columns []int32) (next entrant) {
	from := h.beta
	for _, j := range columns {
		if h.g.Scale[j] == 0 || h.dependent[j] || len(h.columns)+len(next.columns)+1 >= h.workers[0].Terms() {
			continue
		}
		m := h.on(worker, append(next.columns[:len(next.columns):len(next.columns)], j))
		beta, log, endless := m.maximum(append(from[:len(from):len(from)], 0))
		if beta == nil {
			continue
		}
		from = beta
		next = entrant{columns: append(next.columns, j), gain: max(0, log-h.log), to: beta, endless: endless}
	}
	return next
}

func (h *growingHazards) keep(ctx context.Context, j int32) (bool, error) {
	next := h.entrantOf(0, []int32{j})
	if len(next.columns) == 0 {
		h.dependent[j] = true
		return false, nil
	}
	if next.endless {
		return false, fmt.Errorf("the columns that every model has (features: {keep: …}) order all events, which leaves nothing to select by")
	}
	return true, h.add(ctx, next)
}

// best returns the entrant that raises log PL most, or has the largest score test.
func (h *growingHazards) best(ctx context.Context, units [][]int32) (best entrant, err error) {
	candidates := units
	if units == nil {
		for j := range int32(len(h.dependent)) {
			candidates = append(candidates, []int32{j})
		}
	}
	open := candidates[:0:0]
	for _, columns := range candidates {
		if h.train.Competes(int(columns[0])) && !hasAny(h.columns, columns) {
			open = append(open, columns)
		}
	}
	h.evaluated += int64(len(open))
	if h.choose == chooseCorrelation {
		return h.bestByScore(ctx, open)
	}
	found := make([]entrant, len(open))
	h.each(ctx, len(open), func(worker, k int) { found[k] = h.entrantOf(worker, open[k]) })
	for _, next := range found {
		if next.gain > best.gain*(1+tieTolerance) {
			best = next
		}
	}
	return best, context.Cause(ctx)
}

// each calls do for every candidate, by all workers.
func (h *growingHazards) each(ctx context.Context, n int, do func(worker, k int)) {
	const block = 64
	parallel.Numbered(len(h.workers), (n+block-1)/block, func(worker, b int) {
		if ctx.Err() != nil {
			return
		}
		for k := b * block; k < min(n, (b+1)*block); k++ {
			do(worker, k)
		}
	})
}

// bestByScore returns the entrant of largest g²/(I_jj − I_jM·I_MM⁻¹·I_Mj), with the gradient g and the information I where the model is.
func (h *growingHazards) bestByScore(ctx context.Context, open [][]int32) (entrant, error) {
	scores := make([]float64, len(open))
	h.each(ctx, len(open), func(worker, k int) {
		j := open[k][0]
		if h.g.Scale[j] == 0 || h.dependent[j] {
			return
		}
		m := h.on(worker, []int32{j})
		m.moveTo(append(h.beta[:len(h.beta):len(h.beta)], 0))
		gradient, info := m.derive()
		last := len(gradient) - 1
		raw := info.Row(last)[last]
		if !info.Factor(context.Background()) {
			return
		}
		if left := info.Row(last)[last] * info.Row(last)[last]; left > 1e-9*raw {
			scores[k] = gradient[last] * gradient[last] / left
		}
	})
	for ctx.Err() == nil {
		best := -1
		for k, x := range scores {
			if x > 0 && (best < 0 || x > scores[best]*(1+tieTolerance)) {
				best = k
			}
		}
		if best < 0 {
			return entrant{}, nil
		}
		if next := h.entrantOf(0, open[best]); len(next.columns) > 0 {
			return next, nil
		}
		scores[best] = 0
	}
	return entrant{}, context.Cause(ctx)
}

func (h *growingHazards) add(_ context.Context, next entrant) error {
	for _, j := range next.columns {
		h.columns, h.inside = append(h.columns, j), append(h.inside, h.column(j))
	}
	h.beta = next.to
	h.log += next.gain
	return nil
}

// weights returns the weights on the scale of the data. There is no intercept.
func (h *growingHazards) weights() (map[int32]float64, float64) {
	w := make(map[int32]float64, len(h.columns))
	for k, j := range h.columns {
		w[j] = h.beta[k] * h.g.Scale[j]
	}
	return w, 0
}

func (h *growingHazards) facts(parameters float64) []data.Fact {
	return append([]data.Fact{
		numberFact("log partial likelihood", h.log),
		numberFact("AIC (−2·log PL + 2·columns)", float64(-2*h.log)+float64(2*parameters)),
		numberFact("BIC (−2·log PL + ln(events)·columns)", float64(-2*h.log)+float64(h.logRows()*parameters)),
	}, constantFact(h.g.Constant())...)
}

// model returns the linear model with its baseline hazard.
func (h *growingHazards) model(_ float64, coefs []engines.Coef, f engines.Fitted) engines.Model {
	m, intercept := h.on(0, nil), 0.0
	m.moveTo(h.beta)
	for k, j := range h.columns {
		h.g.Unscale(int(j), h.beta[k], &intercept)
	}
	for i := range m.eta {
		m.eta[i] -= intercept
	}
	m.l.At(&m.point, m.eta)
	base := m.l.BaselineAt(&m.point, m.eta, h.times)
	f.Baseline = &base
	return engines.NewLinear(h.train.Columns(), []float64{0}, coefs, f)
}
