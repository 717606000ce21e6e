package survival

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sample of times with ties, some rows censored before the first event, and weights.
func sample(rng *rand.Rand, n int) (times []float64, events []int8, weight []float64) {
	for i := range n {
		times, events = append(times, 1+math.Floor(rng.Float64()*float64(n)/3)), append(events, int8(rng.IntN(2)))
		if i < 2 {
			times[i], events[i] = 0.5, 0
		}
		weight = append(weight, 0.5+rng.Float64())
	}
	events[2] = 1
	return times, events, weight
}

// literal is the logarithm of the partial likelihood as the definition has it.
func literal(times []float64, events []int8, weight, eta []float64, efron bool) (log float64) {
	done := map[float64]bool{}
	for q, t := range times {
		if events[q] == 0 || done[t] {
			continue
		}
		done[t] = true
		all, died, mass, d := 0.0, 0.0, 0.0, 0
		for i, at := range times {
			if at >= t {
				all += weight[i] * math.Exp(eta[i])
			}
			if at == t && events[i] != 0 {
				died += weight[i] * math.Exp(eta[i])
				mass += weight[i]
				log += weight[i] * eta[i]
				d++
			}
		}
		if !efron {
			log -= mass * math.Log(all)
			continue
		}
		for l := range d {
			log -= mass / float64(d) * math.Log(all-float64(l)/float64(d)*died)
		}
	}
	return log
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

func along(eta, v []float64, step float64) []float64 {
	to := slices.Clone(eta)
	for i := range to {
		to[i] += float64(step * v[i])
	}
	return to
}

// eachSample is of some rows, by Breslow and by Efron.
func eachSample(t *testing.T, do func(t *testing.T, rng *rand.Rand, l *Likelihood, log func(eta []float64) float64, times []float64, events []int8)) {
	for seed := range uint64(4) {
		for _, efron := range []bool{false, true} {
			t.Run(fmt.Sprint(seed, efron), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 5))
				times, events, weight := sample(rng, 24)
				l, err := NewLikelihood(times, events, weight, efron)
				if err != nil {
					t.Fatal(err)
				}
				do(t, rng, l, func(eta []float64) float64 { return literal(times, events, weight, eta, efron) }, times, events)
			})
		}
	}
}

func normal(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// The likelihood is that of the definition, the residuals and the Hessian are its derivatives, and the bound is below it everywhere.
func TestLikelihood(t *testing.T) {
	t.Parallel()
	eachSample(t, func(t *testing.T, rng *rand.Rand, l *Likelihood, log func([]float64) float64, times []float64, _ []int8) {
		n := len(times)
		eta, v, hv, sorted := normal(rng, n), normal(rng, n), make([]float64, n), make([]float64, n)
		var p Point
		l.At(&p, eta)
		near(t, "log", l.Log(eta), log(eta), 1e-12)
		near(t, "log at a point", p.Log, log(eta), 1e-12)
		const step = 1e-5
		near(t, "slope", dot(p.Residual, v), (log(along(eta, v, step))-log(along(eta, v, -step)))/(2*step), 1e-7)
		l.HessianProduct(&p, hv, v)
		near(t, "curvature", dot(hv, v), -(log(along(eta, v, 1e-3))-2*log(eta)+log(along(eta, v, -1e-3)))/1e-6, 1e-4)
		mean, scaled, diagonal := make([]float64, l.Terms()), make([]float64, l.Terms()), 0.0
		l.Sorted(sorted, v)
		l.Means(&p, mean, scaled, sorted)
		for k, h := range p.Hazards() {
			diagonal += float64(h * sorted[k] * sorted[k])
		}
		near(t, "curvature by means", diagonal-dot(mean, scaled), dot(hv, v), 1e-12)
		rooted := make([]float64, n)
		l.NewRoot(&p).Product(rooted, sorted)
		near(t, "curvature by a root", dot(rooted, rooted), dot(hv, v), 1e-12)
		near(t, "bound where it is tight", l.Bound(&p, eta, 1), -log(eta)+dot(p.Residual, eta), 1e-12)
		for _, s := range []float64{0, 0.3, 1} {
			bound := l.Bound(&p, eta, s)
			for range 20 {
				if at := normal(rng, n); !(bound-s*dot(p.Residual, at) <= -log(at)+1e-12) {
					t.Errorf("share %v: bound %v above %v", s, bound-s*dot(p.Residual, at), -log(at))
				}
			}
		}
	})
}

// Tests of a column alone are those of the likelihood along it; of one that orders the events the gain is the limit.
func TestUnivariate(t *testing.T) {
	t.Parallel()
	eachSample(t, func(t *testing.T, rng *rand.Rand, l *Likelihood, log func([]float64) float64, times []float64, events []int8) {
		n := len(times)
		null, sorted, hx := make([]float64, n), make([]float64, n), make([]float64, n)
		tests := NewUnivariate(l)
		var p Point
		first := math.Inf(1)
		x, rising := make([]float64, n), make([]float64, n)
		for i, at := range times {
			if events[i] != 0 {
				first = min(first, at)
			}
			if rising[i] = at; i%3 > 0 {
				x[i] = 1 + rng.NormFloat64()
			}
		}
		atRisk := 0
		for _, at := range times {
			if at >= first {
				atRisk++
			}
		}
		if l.AtRisk() != atRisk {
			t.Errorf("%d places at risk, expected %d", l.AtRisk(), atRisk)
		}
		score := func(x []float64) float64 {
			l.Sorted(sorted, x)
			var place []int32
			for k, v := range sorted {
				if v != 0 {
					place = append(place, int32(k))
				}
			}
			return tests.Score(place, func(k int) float64 { return sorted[place[k]] })
		}
		l.At(&p, null)
		l.HessianProduct(&p, hx, x)
		g := dot(p.Residual, x)
		near(t, "score", score(x), g*g/dot(hx, x), 1e-10)
		l.Sorted(sorted, x)
		e := tests.Estimate(sorted)
		at := along(null, x, e.Coef)
		l.At(&p, at)
		l.HessianProduct(&p, hx, x)
		near(t, "slope at the estimate", dot(p.Residual, x), 0, 1e-6) // the root of what numbers tell of the likelihood
		near(t, "information", e.Information, dot(hx, x), 1e-9)
		near(t, "gain", e.Gain, log(at)-log(null), 1e-11)
		for _, side := range []float64{1, -1} {
			ordering := along(null, rising, -side)
			l.Sorted(sorted, ordering)
			if e := tests.Estimate(sorted); !math.IsInf(e.Coef, int(side)) {
				t.Errorf("coefficient %v of a column that orders the events", e.Coef)
			} else {
				near(t, "gain in the limit", e.Gain, log(along(null, ordering, 60*side))-log(null), 1e-12)
			}
		}
		constant := slices.Repeat([]float64{0.1}, n)
		if e := tests.Estimate(constant); e.Coef != 0 || score(constant) != 0 {
			t.Errorf("a column of one value: %+v, score %v", e, score(constant))
		}
	})
}

// Concordance is the share of pairs, counted one by one.
func TestConcordance(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 6))
		times, events, weight := sample(rng, 20)
		risk := make([]float64, len(times))
		for i := range risk {
			risk[i] = float64(rng.IntN(8))
		}
		right, pairs := 0.0, 0.0
		for i, t := range times {
			for j, later := range times {
				if events[i] != 0 && (later > t || later == t && events[j] == 0) {
					m := weight[i] * weight[j] / t
					pairs += m
					switch {
					case risk[i] > risk[j]:
						right += m
					case risk[i] == risk[j]:
						right += m / 2
					}
				}
			}
		}
		near(t, "concordance", Concordance(times, events, risk, weight, func(i int) float64 { return 1 / times[i] }), right/pairs, 1e-12)
	}
}
