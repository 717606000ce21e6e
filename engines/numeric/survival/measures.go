package survival

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
)

// AUC returns how well risks separate the rows with an event by time t (cases) from those without one yet (controls): the
// probability that a case has the higher risk, ties counting half. Cases are weighted by the inverse of the probability G to be
// uncensored just before their time (Uno, Cai, Tian & Wei 2007; Hung & Chiang 2010, cumulative cases and dynamic controls). All
// controls have the same weight. Cases with G = 0 are left out. NaN without a case or a control. O(n log n).
func AUC(times []float64, events []int8, weight []float64, g Steps, t float64, risk []float64) float64 {
	type row struct{ risk, mass float64 }
	var cases, controls []row
	for i, y := range times {
		w := weightOf(weight, i)
		switch {
		case y > t:
			controls = append(controls, row{risk[i], w})
		case events[i] != 0:
			if before := g.Before(y); before > 0 {
				cases = append(cases, row{risk[i], w / before})
			}
		}
	}
	byRisk := func(a, b row) int {
		switch {
		case a.risk < b.risk:
			return -1
		case a.risk > b.risk:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(cases, byRisk)
	slices.SortStableFunc(controls, byRisk)
	right, caseMass, controlMass := 0.0, 0.0, 0.0
	for _, c := range controls {
		controlMass += c.mass
	}
	below, next := 0.0, 0 // mass of the controls of lower risk
	for _, c := range cases {
		for next < len(controls) && controls[next].risk < c.risk {
			below += controls[next].mass
			next++
		}
		same := 0.0
		for k := next; k < len(controls) && controls[k].risk == c.risk; k++ {
			same += controls[k].mass
		}
		right += float64(c.mass * (below + float64(0.5*same)))
		caseMass += c.mass
	}
	return right / (caseMass * controlMass) // 0/0 without cases or controls
}

// IntegratedAUC returns the mean of AUC(t) over the times of events up to a horizon, weighted by the decrease of the Kaplan-Meier
// estimate at each; times without controls are left out. NaN if there are none.
func IntegratedAUC(times []float64, events []int8, weight []float64, g Steps, horizon float64, risk []float64) float64 {
	s := KaplanMeier(times, events, weight)
	sum, fallen, before := 0.0, 0.0, 1.0
	for k, t := range s.Time {
		fall := before - s.Value[k]
		before = s.Value[k]
		if t > horizon {
			break
		}
		if auc := AUC(times, events, weight, g, t, risk); auc == auc {
			sum += float64(fall * auc)
			fallen += fall
		}
	}
	return sum / fallen
}

// Known holds what the evaluation of predictions on a fold's test rows needs of its training rows: the censoring distribution, and
// the model's baseline.
type Known struct {
	Censoring Steps
	Baseline  *Baseline // nil if the model has none
	Horizon   float64   // up to which predictions are evaluated: the last training time at which G is above a tenth
	Last      float64   // last training time
}

// KnownShare is the probability to be uncensored above which predictions at a time are evaluated.
const KnownShare = 0.1

// KnownOf returns the Known of training rows.
func KnownOf(times []float64, events []int8, weight []float64, baseline *Baseline) Known {
	k := Known{Censoring: CensoringFunction(times, events, weight), Baseline: baseline}
	for _, t := range times {
		if k.Last = max(k.Last, t); k.Censoring.At(t) > KnownShare {
			k.Horizon = max(k.Horizon, t)
		}
	}
	return k
}

// BrierLosses returns, for each row, the mean over time of its Brier loss (see Brier): by trapezoids between the distinct times of
// all rows up to the horizon, divided by their range. nil without a baseline, or for fewer than two such times.
func (k Known) BrierLosses(times []float64, events []int8, eta []float64) []float64 {
	grid := slices.Clone(times)
	slices.Sort(grid)
	grid = slices.DeleteFunc(slices.Compact(grid), func(t float64) bool { return t > k.Horizon })
	if k.Baseline == nil || len(grid) < 2 {
		return nil
	}
	hazard, inverse := make([]float64, len(grid)), make([]float64, len(grid)) // 1/G
	for q, t := range grid {
		hazard[q], inverse[q] = k.Baseline.At(t), 1/k.Censoring.At(t)
	}
	losses := make([]float64, len(times))
	for i, y := range times {
		relative, before, sum := k.Baseline.relative(eta[i]), 0.0, 0.0
		atEvent := 0.0
		if events[i] != 0 && y <= k.Horizon {
			atEvent = 1 / k.Censoring.Before(y)
		}
		for q, t := range grid {
			s := survivalOf(hazard[q], relative)
			score := float64((1 - s) * (1 - s) * inverse[q])
			if y <= t {
				score = float64(s * s * atEvent)
			}
			if q > 0 {
				sum += float64((before + score) / 2 * (t - grid[q-1]))
			}
			before = score
		}
		losses[i] = sum / (grid[len(grid)-1] - grid[0])
	}
	return losses
}

// survivalOf returns exp(−hazard·relative), 1 if hazard is 0, however large relative is.
func survivalOf(hazard, relative float64) float64 {
	if hazard == 0 {
		return 1
	}
	return elementary.Exp(-hazard * relative)
}

// Miscalibration returns, at a time, the distance between the mean predicted probability to be without the event and the
// Kaplan-Meier estimate of the rows. NaN without a baseline, and beyond the last time if rows censored then leave the estimate
// undefined.
func (k Known) Miscalibration(times []float64, events []int8, weight []float64, eta []float64, t float64) float64 {
	observed := KaplanMeier(times, events, weight)
	if k.Baseline == nil || t > k.Last || t > slices.Max(times) && observed.At(t) > 0 {
		return math.NaN()
	}
	hazard, sum, all := k.Baseline.At(t), 0.0, 0.0
	for i, x := range eta {
		w := weightOf(weight, i)
		sum += float64(w * survivalOf(hazard, k.Baseline.relative(x)))
		all += w
	}
	return math.Abs(sum/all - observed.At(t))
}

// LogRank compares the times of groups of rows (Mantel 1966, Peto & Peto 1972): χ² = Uᵀ V⁻¹ U, where U is observed minus expected
// events of all groups but one, V their hypergeometric covariance. degrees is the number of groups less one; χ² is NaN if the test
// is undefined.
func LogRank(times []float64, events []int8, group []int, groups int) (chi2 float64, degrees int) {
	order := byTime(times)
	atRisk := make([]float64, groups)
	for _, g := range group {
		atRisk[g]++
	}
	m := groups - 1
	u, v := make([]float64, m), dense.NewTriangle(m)
	n := float64(len(times))
	for first := 0; first < len(order); {
		end, d := first, 0.0
		died := make([]float64, groups)
		for ; end < len(order) && times[order[end]] == times[order[first]]; end++ {
			if i := order[end]; events[i] != 0 {
				died[group[i]]++
				d++
			}
		}
		if d > 0 {
			spread := 0.0
			if n > 1 {
				spread = d * (n - d) / (n - 1)
			}
			for a := range m {
				share := atRisk[a] / n
				u[a] += died[a] - float64(d*share)
				row := v.Row(a)
				for b := range row {
					row[b] -= float64(spread * (share * atRisk[b] / n))
				}
				row[a] += float64(spread * share)
			}
		}
		for _, i := range order[first:end] {
			atRisk[group[i]]--
			n--
		}
		first = end
	}
	if m == 0 || !v.Factor(context.Background()) {
		return math.NaN(), m
	}
	x := slices.Clone(u)
	v.Solve(x)
	return dense.Dot(u, x), m
}
