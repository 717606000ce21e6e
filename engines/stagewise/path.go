package stagewise

// path is the steps of a walk, run-length encoded. Any point of it is rebuilt by replay.
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
