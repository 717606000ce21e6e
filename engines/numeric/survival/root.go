package survival

import (
	"math"
	"slices"
)

// Root holds a square root of the Hessian of −log-likelihood at some η: H = L·L'. H is the Laplacian of a graph of the rows, in which two rows are joined
// as far as they are at risk together, and its Cholesky factor follows by running sums, from the earliest time on, without a difference that
// could lose digits: with e_i the hazards, and the rows k that are left behind one by one,
//
//	x'Hx = Σ_k pivot_k·(x_k − m_k)²,
//
// where m_k is the mean of x over the rows at risk with k that are not behind yet, weighted by e; by Efron, rows with an event at that time count
// less. (Spielman, "Algorithms, graph theory, and linear equations in Laplacian matrices", 2010, section 2, for the elimination.)
type Root struct {
	pivot        []float64 // √pivot, in order of falling time
	died, others []float64 // in m_k, the shares of e·x summed over rows with an event at the same time, and over others
	e            []float64
	ties         []tie
}

// NewRoot returns the root at the η of the last call of At. O(n + terms).
func (l *Likelihood) NewRoot(p *Point) *Root {
	r := &Root{pivot: make([]float64, l.rows), died: make([]float64, l.rows), others: make([]float64, l.rows), e: slices.Clone(l.e), ties: l.ties}
	later := make([]float64, l.rows) // sums of e over the rows that are behind after row k, apart from those with an event at its time
	among := make([]float64, l.rows) // and over these
	all := make([]float64, len(l.ties))
	sum := 0.0
	for q, t := range l.ties {
		for k := t.first + t.events; k < t.end; k++ {
			later[k] = sum
			sum += l.e[k]
		}
		died := 0.0
		for k := t.first; k < t.first+t.events; k++ {
			later[k], among[k] = sum, died
			died += l.e[k]
		}
		sum += died
		all[q] = sum
	}
	term, c := l.terms, couplings{}
	for q := len(l.ties) - 1; q >= 0; q-- {
		t := &l.ties[q]
		c.both, c.mixed = c.neither, c.neither
		for range t.terms {
			term--
			risk := &p.terms[term]
			share, counted := all[q]*risk.scale, 1-risk.less
			w := float64(risk.c * share * share)
			c.neither += w
			c.mixed += float64(w * counted)
			c.both += float64(w * counted * counted)
		}
		for k := t.first + t.events - 1; k >= t.first; k-- {
			r.pivot[k], r.died[k], r.others[k] = c.leave(l.e[k], among[k], later[k])
		}
		c.both, c.mixed = 0, c.neither // from here on rows without an event leave
		for k := t.end - 1; k >= t.first+t.events; k-- {
			r.pivot[k], _, r.others[k] = c.leave(l.e[k], 0, later[k])
			c.mixed = c.neither
		}
	}
	return r
}

// couplings are the weights of pairs of rows at risk, as multiples of e_i·e_j over the square of the sum of e: of two rows with an event at the
// time, of one with and one without, and of two without.
type couplings struct{ both, mixed, neither float64 }

// leave eliminates a row, of the kind that mixed couples with the others, where died and others are the sums of e over the rows that stay. It
// returns √pivot, and the shares of the sums of e·x over these in the row's mean.
func (c *couplings) leave(e, died, others float64) (root, ofDied, ofOthers float64) {
	sum := e + died + others
	if !(sum > 0) {
		*c = couplings{}
		return 0, 0, 0
	}
	share, d, o := e/sum, died/sum, others/sum
	degree := float64(c.both*d) + float64(c.mixed*o)
	if degree > 0 {
		root, ofDied, ofOthers = math.Sqrt(share*degree), c.both/degree/sum, c.mixed/degree/sum
		by := share / degree
		c.neither += float64(by * c.mixed * c.mixed)
		c.mixed += float64(by * c.both * c.mixed)
		c.both += float64(by * c.both * c.both)
	}
	left := (d + o) * (d + o)
	c.both, c.mixed, c.neither = c.both*left, c.mixed*left, c.neither*left
	return root, ofDied, ofOthers
}

// Product sets dst to L'x, both in order of falling time: for columns a and b, the products of what it returns are a'Hb. O(n).
func (r *Root) Product(dst, x []float64) {
	sum := 0.0
	for q := range r.ties {
		t := &r.ties[q]
		for k := t.first + t.events; k < t.end; k++ {
			dst[k] = r.pivot[k] * (x[k] - float64(r.others[k]*sum))
			sum += float64(r.e[k] * x[k])
		}
		died := 0.0
		for k := t.first; k < t.first+t.events; k++ {
			dst[k] = r.pivot[k] * (x[k] - float64(r.died[k]*died) - float64(r.others[k]*sum))
			died += float64(r.e[k] * x[k])
		}
		sum += died
	}
}
