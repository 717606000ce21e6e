package survival

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/exact"
)

// Bound returns a lower bound of −log-likelihood + penalty for every η = X·b, given the residuals u at some η scaled by a share s
// in [0, 1]: each log Σ w_i exp(η_i) is the largest Σ q_i (η_i − log(q_i/w_i)) over the distributions q on the risk set, so that
// for
//
//	q = (1−s)·q⁰ + s·q(η),   q⁰ = m/M on D,   u = Σ c·(q⁰ − q) = s·(residuals at η)
//
// the minimum is at least −Σ c·Σ q_i log(q_i/w_i), minus the penalty's conjugate at Xᵀu: nothing if |x_j·u| ≤ λ for all j. It is
// tight at the minimum, with s = 1. The last call of At must have been for η. O(n + events), by Efron with the squares of tied
// events.
func (l *Likelihood) Bound(p *Point, eta []float64, s float64) float64 {
	most := eta[0]
	for _, x := range eta {
		most = max(most, x)
	}
	entropy, product, term := 0.0, 0.0, 0
	for q := range l.ties { // product: Σ e·η over the risk set
		t := &l.ties[q]
		died, mass := 0.0, 0.0
		for k := t.first; k < t.end; k++ {
			v := float64(l.e[k] * (eta[l.order[k]] - most))
			if product += v; k < t.first+t.events {
				died += v
				mass += l.e[k]
			}
		}
		for range t.terms {
			risk := &p.terms[term]
			term++
			// Rows outside D: q = s·e·scale, q/w = s·exp(η)·scale. 1/scale is Σ_R e − less·Σ_D e.
			outside := 1/risk.scale - float64((1-risk.less)*mass)
			if s > 0 && outside > 0 {
				entropy += float64(risk.c * s * risk.scale * (float64(outside*elementary.Log(s*risk.scale)) + product - died))
			}
			for k := t.first; k < t.first+t.events; k++ {
				bears := l.weight[k] * (1 - risk.less)
				x := float64(s*l.e[k]*(1-risk.less)*risk.scale) + float64((1-s)*l.weight[k]/t.mass)
				if x > 0 {
					entropy += float64(risk.c * x * elementary.Log(x/bears))
				}
			}
		}
	}
	return -entropy
}

// Baseline holds the cumulative hazard of a row with η = Of, a step function of time, 0 before the first event.
type Baseline struct {
	Time   exact.Floats `json:"time"`         // of the events, rising
	Hazard exact.Floats `json:"hazard"`       // from each time on
	Of     float64      `json:"of,omitempty"` // 0 unless the hazards at η = 0 are not representable
}

// UnmarshalJSON reads a baseline, and checks that there are as many hazards as times.
func (b *Baseline) UnmarshalJSON(text []byte) error {
	type fields Baseline
	from := json.NewDecoder(bytes.NewReader(text))
	from.DisallowUnknownFields()
	if err := from.Decode((*fields)(b)); err != nil {
		return err
	}
	if len(b.Time) != len(b.Hazard) {
		return fmt.Errorf("a baseline of %d times and %d hazards", len(b.Time), len(b.Hazard))
	}
	return nil
}

// farEta is the |η| beyond which a baseline is not that of η = 0: its hazards are at most e^500 times those of rows.
const farEta = 500

// BaselineAt returns the baseline at the η of the last call of At, given the rows' times (Breslow 1974, or Efron 1977 with its
// terms). O(n).
func (l *Likelihood) BaselineAt(p *Point, eta, times []float64) Baseline {
	var b Baseline
	most := slices.Max(eta)
	if math.Abs(most) > farEta {
		b.Of = most
	}
	shift := elementary.Exp(b.Of - most) // e is of η minus its maximum
	hazard, term := 0.0, l.terms
	for q := len(l.ties) - 1; q >= 0; q-- {
		t := &l.ties[q]
		if t.terms == 0 {
			continue
		}
		for range t.terms {
			term--
			hazard += float64(p.terms[term].c * p.terms[term].scale * shift)
		}
		hazard = min(hazard, math.MaxFloat64) // the last risk sets of a saturated fit: no survival beyond
		b.Time, b.Hazard = append(b.Time, times[l.order[t.first]]), append(b.Hazard, hazard)
	}
	return b
}

// Survival returns the survival probability at a time of a row with a given η: exp(−H(t)·exp(η − Of)).
func (b Baseline) Survival(t, eta float64) float64 {
	return survivalOf(b.At(t), b.relative(eta))
}

// relative returns the hazard of a row with a given η relative to the baseline.
func (b Baseline) relative(eta float64) float64 { return elementary.Exp(eta - b.Of) }

// At returns the cumulative hazard at a time. O(log events).
func (b Baseline) At(t float64) float64 {
	lo, hi := 0, len(b.Time) // events up to t
	for lo < hi {
		if mid := (lo + hi) / 2; b.Time[mid] <= t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0
	}
	return b.Hazard[lo-1]
}
