package stagewise

import "tenfold/engines"

// path is the steps of a walk, run-length encoded (spec 4.9). Any point of it is rebuilt by replay.
type path struct {
	runs  []run
	steps int
}

// run is count equal steps on one feature. amount is in units of the walk: ±1 for a fixed step, so that a coefficient
// is a whole multiple of ε however it came about.
type run struct {
	amount float64
	k      int32
	count  int32
}

func (p *path) add(k int, amount float64) {
	p.steps++
	if n := len(p.runs); n > 0 {
		if last := &p.runs[n-1]; last.k == int32(k) && last.amount == amount {
			last.count++
			return
		}
	}
	p.runs = append(p.runs, run{amount: amount, k: int32(k), count: 1})
}

// replay calls f for the first steps of the path, in order.
func (p *path) replay(steps int, f func(k int, amount float64)) {
	for _, r := range p.runs {
		for range r.count {
			if steps == 0 {
				return
			}
			steps--
			f(int(r.k), r.amount)
		}
	}
}

// entry is a feature's first step.
type entry struct {
	k int
	t int     // turns before it
	c float64 // its |c| then
}

// raw fills b: it turns counts of steps into coefficients of the data's own columns: b = γ·β.
func (w *walk) raw(b, q []float64) []float64 {
	for k, v := range q {
		b[k] = w.d.scales[k].gamma * float64(w.unit*v)
	}
	return b
}

// model rebuilds the best point of the path by replay.
func (w *walk) model(fitted engines.Fitted) engines.Model {
	q := make([]float64, len(w.q))
	w.path.replay(w.best.steps, func(k int, amount float64) { q[k] += amount })
	b := w.raw(make([]float64, len(q)), q)
	coefs := make([]engines.Coef, 0, w.best.entered)
	bias := w.d.mean
	for rank, in := range w.entries[:w.best.entered] {
		coefs = append(coefs, engines.Coef{Feature: int(w.d.column[in.k]), Value: b[in.k], Rank: rank, Score: in.c})
	}
	for k, v := range b {
		bias -= float64(v * w.d.scales[k].mu)
	}
	return engines.NewLinear(len(w.d.position), []float64{bias}, coefs, fitted)
}

// release drops what is large and not needed to tell how the walk went.
func (w *walk) release() { w.d, w.c, w.look, w.held = nil, nil, nil, nil }
