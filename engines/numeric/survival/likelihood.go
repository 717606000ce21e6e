// Package survival implements methods for times until an event, some of them censored: Cox's partial likelihood with its
// derivatives, its dual bound and baseline hazard (likelihood.go, dual.go), tests of single columns (univariate.go), the
// Kaplan-Meier estimate and scores of predicted risks (scores.go, measures.go).
package survival

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"tenfold/engines/numeric/elementary"
)

// Likelihood is the partial likelihood of n rows. At each time t of an event, let D(t) be the rows with an event then, d of them,
// with weights m that sum to M, and R(t) those with a time of t or later. In the logarithms η of the hazards its terms are
//
//	Breslow: Σ_D m_i η_i − M·log Σ_R e_i
//	Efron:   Σ_D m_i η_i − (M/d) Σ_{l<d} log(Σ_R e_i − (l/d) Σ_D e_i),   e_i = m_i·exp(η_i)
//
// (Cox 1972, 1975; Breslow 1974; Efron 1977.) Both are sums of c·log Σ w_i exp(η_i) over risk sets: the terms, one an event time
// or, by Efron, one an event.
type Likelihood struct {
	order  []int32   // rows by falling time; at one time events first
	weight []float64 // in that order
	ties   []tie     // in that order
	terms  int
	rows   int

	e, mean []float64 // scratch: e_i in order, and means over risk sets
}

// tie is the rows of one time.
type tie struct {
	first, end, events int     // places in order; the first events of them are D
	mass               float64 // M
	terms              int     // 1 by Breslow, events by Efron
}

// Unsorted copies values in the order of falling times back to the order of the rows.
func (l *Likelihood) Unsorted(dst, values []float64) {
	for k, i := range l.order {
		dst[i] = values[k]
	}
}

// ErrNoEvent reports that all times are censored, so that there is nothing to learn from.
var ErrNoEvent = errors.New("no training row has an event: all times are censored")

// NewLikelihood returns the likelihood of times with events (1) and censorings (0), with weights (nil: 1 each). O(n log n).
func NewLikelihood(times []float64, events []int8, weight []float64, efron bool) (*Likelihood, error) {
	n := len(times)
	l := &Likelihood{order: make([]int32, n), weight: make([]float64, n), rows: n, e: make([]float64, n)}
	for i := range l.order {
		l.order[i] = int32(i)
	}
	slices.SortStableFunc(l.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(events[b], events[a]))
	})
	for k, i := range l.order {
		l.weight[k] = 1
		if weight != nil {
			l.weight[k] = weight[i]
		}
	}
	for first := 0; first < n; {
		t := tie{first: first, end: first}
		for ; t.end < n && times[l.order[t.end]] == times[l.order[first]]; t.end++ {
			if events[l.order[t.end]] != 0 {
				t.events++
				t.mass += l.weight[t.end]
			}
		}
		if t.terms = min(t.events, 1); efron {
			t.terms = t.events
		}
		l.terms += t.terms
		l.ties = append(l.ties, t)
		first = t.end
	}
	if l.terms == 0 {
		return nil, ErrNoEvent
	}
	l.mean = make([]float64, l.terms)
	return l, nil
}

// EventWeight returns the total weight of the rows with an event.
func (l *Likelihood) EventWeight() (sum float64) {
	for _, t := range l.ties {
		sum += t.mass
	}
	return sum
}

// Infimum returns the infimum of minus the log partial likelihood: the limit in which the rows with an event have all the hazard of
// their risk sets, by their weights. Without tied events, and with weights of 1, it is 0.
func (l *Likelihood) Infimum() (sum float64) {
	for _, t := range l.ties {
		for j := range t.terms {
			sum += float64(t.mass / float64(t.terms) * elementary.Log(t.mass*(1-float64(j)/float64(t.terms))))
		}
	}
	return sum
}

// Terms returns the number of terms.
func (l *Likelihood) Terms() int { return l.terms }

// Sorted copies values of the rows into the order of falling times, in which products are computed.
func (l *Likelihood) Sorted(dst, values []float64) {
	for k, i := range l.order {
		dst[k] = values[i]
	}
}

// exponentials sets e, for η minus its maximum, which it returns.
func (l *Likelihood) exponentials(eta []float64) (most float64) {
	most = slices.Max(eta)
	for k, i := range l.order {
		l.e[k] = l.weight[k] * elementary.Exp(eta[i]-most)
	}
	return most
}

// eachTerm visits the terms in order of falling time, with the sums of e over the risk set and over D, the share of D that is
// subtracted, and the coefficient c. e must be set.
func (l *Likelihood) eachTerm(do func(t *tie, term int, all, died, less, c float64)) {
	all, term := 0.0, 0
	for q := range l.ties {
		t := &l.ties[q]
		died := 0.0
		for k := t.first; k < t.end; k++ {
			if all += l.e[k]; k < t.first+t.events {
				died += l.e[k]
			}
		}
		for j := range t.terms {
			do(t, term, all, died, float64(j)/float64(t.terms), t.mass/float64(t.terms))
			term++
		}
	}
}

// Log returns the log partial likelihood at η, −∞ if hazards are so far apart that those of a whole risk set are 0 beside the
// largest: no search may go there. O(n), and an exponential each.
func (l *Likelihood) Log(eta []float64) float64 {
	most, sum := l.exponentials(eta), 0.0
	for _, t := range l.ties {
		for k := t.first; k < t.first+t.events; k++ {
			sum += float64(l.weight[k] * (eta[l.order[k]] - most))
		}
	}
	l.eachTerm(func(_ *tie, _ int, all, died, less, c float64) {
		if atRisk := all - float64(less*died); atRisk > 0 {
			sum -= float64(c * elementary.Log(atRisk))
		} else {
			sum = math.Inf(-1)
		}
	})
	return sum
}

// Point holds the derivatives of the likelihood at some η, as Newton's method needs them.
type Point struct {
	Log      float64
	Residual []float64 // ∂ log-likelihood / ∂η_i, by row: the martingale residuals; they sum to 0
	hazard   []float64 // Σ over terms of c·q_i, in order: e_i times the cumulative hazard
	terms    []termAt
}

// termAt is one term at some η: q_i is e_i·scale on its risk set, times 1−less on D.
type termAt struct {
	tie            *tie
	c, scale, less float64
}

// At sets a point to the derivatives at η. O(n + events), by Efron with the squares of tied events.
func (l *Likelihood) At(p *Point, eta []float64) {
	if p.Residual == nil {
		p.Residual, p.hazard, p.terms = make([]float64, l.rows), make([]float64, l.rows), make([]termAt, l.terms)
	}
	most := l.exponentials(eta)
	p.Log = 0
	l.eachTerm(func(t *tie, term int, all, died, less, c float64) {
		sum := all - float64(less*died)
		p.Log -= float64(c * elementary.Log(sum))
		p.terms[term] = termAt{t, c, 1 / sum, less}
	})
	hazard, term := 0.0, l.terms
	for q := len(l.ties) - 1; q >= 0; q-- { // from the earliest time on: Σ of c·scale over the terms so far
		t := &l.ties[q]
		spared := 0.0 // the part of the terms of its own time that D does not have
		for range t.terms {
			term--
			risk := &p.terms[term]
			hazard += float64(risk.c * risk.scale)
			spared += float64(risk.c * risk.scale * risk.less)
		}
		for k := t.first; k < t.end; k++ {
			h, i := hazard, l.order[k]
			p.Residual[i] = 0
			if k < t.first+t.events {
				h -= spared
				p.Residual[i] = l.weight[k]
				p.Log += float64(l.weight[k] * (eta[i] - most))
			}
			p.hazard[k] = l.e[k] * h
			p.Residual[i] -= p.hazard[k]
		}
	}
}

// MartingaleResiduals returns, by row, the events of a row less those that the model without columns expects until its time (Breslow): with
// D events and S rows at risk at an event time, weighted, M_i = w_i·(δ_i − Σ_{t ≤ t_i} D_t/S_t) (Therneau, Grambsch & Fleming 1990). They
// sum to 0. Without any event the error is ErrNoEvent. O(n log n).
func MartingaleResiduals(times []float64, events []int8, weight []float64) ([]float64, error) {
	l, err := NewLikelihood(times, events, weight, false)
	if err != nil {
		return nil, err
	}
	var p Point
	l.At(&p, make([]float64, len(times)))
	return p.Residual, nil
}

// Means sets mean to the means of a column in sorted order over the risk set of every term, q·x, and scaled to c times them, at the
// η of the last call of At. O(n + terms).
func (l *Likelihood) Means(p *Point, mean, scaled, x []float64) {
	sum, term := 0.0, 0
	for q := range l.ties {
		t := &l.ties[q]
		died := 0.0
		for k := t.first; k < t.end; k++ {
			v := float64(l.e[k] * x[k])
			if sum += v; k < t.first+t.events {
				died += v
			}
		}
		for range t.terms {
			risk := &p.terms[term]
			mean[term] = (sum - float64(risk.less*died)) * risk.scale
			scaled[term] = risk.c * mean[term]
			term++
		}
	}
}

// Hazards returns the weights Σ c·q_i of the rows in sorted order: the diagonal part of the Hessian of −log-likelihood, which is
// diag(Hazards) − Σ_terms c·q·qᵀ.
func (p *Point) Hazards() []float64 { return p.hazard }

// HessianProduct sets dst to the Hessian of −log-likelihood times v, both by row, at the η of the last call of At. O(n + terms).
func (l *Likelihood) HessianProduct(p *Point, dst, v []float64) {
	sum, term := 0.0, 0
	for q := range l.ties {
		t := &l.ties[q]
		died := 0.0
		for k := t.first; k < t.end; k++ {
			x := float64(l.e[k] * v[l.order[k]])
			if sum += x; k < t.first+t.events {
				died += x
			}
		}
		for range t.terms {
			risk := &p.terms[term]
			l.mean[term] = float64(risk.c*risk.scale*risk.scale) * (sum - float64(risk.less*died))
			term++
		}
	}
	borne := 0.0 // from the earliest time on, Σ c·scale·mean
	for q := len(l.ties) - 1; q >= 0; q-- {
		t := &l.ties[q]
		spared := 0.0
		for range t.terms {
			term--
			borne += l.mean[term]
			spared += float64(l.mean[term] * p.terms[term].less)
		}
		for k := t.first; k < t.end; k++ {
			i, m := l.order[k], borne
			if k < t.first+t.events {
				m -= spared
			}
			dst[i] = float64(p.hazard[k]*v[i]) - float64(l.e[k]*m)
		}
	}
}
