package stagewise

// stepLog is the steps of a path, run-length encoded. Any point of it is rebuilt by replay.
type stepLog struct {
	runs  []equalSteps
	steps int
}

// equalSteps is count equal steps on one feature. amount is in units of the path: ±1 for a fixed step, so that a coefficient
// is a whole multiple of ε however it came about.
type equalSteps struct {
	amount float64
	k      int32
	count  int32
}

func (p *stepLog) append(k int, amount float64) {
	p.steps++
	if n := len(p.runs); n > 0 {
		if last := &p.runs[n-1]; last.k == int32(k) && last.amount == amount {
			last.count++
			return
		}
	}
	p.runs = append(p.runs, equalSteps{amount: amount, k: int32(k), count: 1})
}

// replay calls f for the first steps of the path, in order.
func (p *stepLog) replay(steps int, f func(k int, amount float64)) {
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

// firstStep is a feature's first step.
type firstStep struct {
	k int
	t int     // turns before it
	c float64 // its |c| then
}
