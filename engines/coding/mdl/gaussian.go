package mdl

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/tails"
)

// gaussian is the likelihood of responses with normal noise, independent between tasks: with n rows,
//
//	S_E = Σ_t n/2·lg(2πσ_t²) + RSS_t/(2σ_t² ln 2).
//
// A candidate that lowers RSS by Δ saves Δ/(2σ² ln 2) bits if σ² is estimated from the model without it, and
// n/2·lg(RSS/(RSS − Δ)) if it is estimated from the model with it (sigma own).
type gaussian struct {
	*leastSquares
	noise noiseEstimate
}

// noiseEstimate is how σ² is estimated.
type noiseEstimate struct {
	kind  string  // null, null_unbiased, own, initial, fixed
	df    float64 // with null: degrees of freedom that the mean takes
	fixed float64
}

// Kinds of noise estimates, values of parameter sigma.
const (
	sigmaNull     = "null"
	sigmaUnbiased = "null_unbiased"
	sigmaOwn      = "own"
	sigmaInitial  = "initial"
	sigmaFixed    = "fixed"
)

// variance of a task's noise under the present model.
func (l *gaussian) variance(t int) float64 {
	u, v := l.responses[t], 0.0
	switch l.noise.kind {
	case sigmaNull:
		v = u.rss / (l.N - l.noise.df)
	case sigmaUnbiased:
		v = u.rss / (l.N - float64(len(u.columns)) - 1)
	case sigmaOwn:
		v = u.rss / l.N
	case sigmaInitial:
		v = u.tss / l.N
	case sigmaFixed:
		return l.noise.fixed
	}
	return max(v, saturatedBelow*u.tss/l.N)
}

// saturatedTask is a task that has as many columns as rows allow, or the last task if all are explained. One explained task does
// not end the search for the others: no column saves bits of it any more.
func (l *gaussian) saturatedTask() (task int, ok bool) {
	left := false
	for t, u := range l.responses {
		if len(u.columns) >= l.rows()-2 {
			return t, true
		}
		left = left || !u.isExplained()
	}
	return l.tasks() - 1, !left
}

// bitsOfDrop is the bits that task t saves when its residual sum of squares falls by drop.
func (l *gaussian) bitsOfDrop(t int) func(drop float64) float64 {
	if l.responses[t].isExplained() { // a column could only fit rounding errors
		return func(float64) float64 { return 0 }
	}
	if l.noise.kind == sigmaOwn {
		u, half := l.responses[t], l.N/2
		return func(drop float64) float64 { return half * elementary.Log2(u.rss/max(u.rss-drop, saturatedBelow*u.tss)) }
	}
	perBit := 2 * l.variance(t) * math.Ln2
	return func(drop float64) float64 { return drop / perBit }
}

func (l *gaussian) tasks() int { return len(l.responses) }

func (l *gaussian) bits() []float64 {
	out := make([]float64, l.tasks())
	for t, u := range l.responses {
		v := l.variance(t)
		out[t] = float64(l.N/2*elementary.Log2(2*math.Pi*v)) + u.rss/(2*v*math.Ln2)
	}
	return out
}

func (l *gaussian) loss(t int) float64 { return l.responses[t].rss / l.N }

func (l *gaussian) screenSavings(ctx context.Context, saved []float64, each float64) (exact bool) {
	worth := make([]func(float64) float64, l.tasks())
	for t := range worth {
		worth[t] = l.bitsOfDrop(t)
	}
	l.eachRange(ctx, l.columns(), func(first, last int) {
		for j := first; j < last; j++ {
			s, some := 0.0, false
			for t, bits := range worth {
				if drop := l.rssDecrease(t, int32(j)); drop > 0 {
					saves := bits(drop)
					some = some || saves > 0
					if saves > each {
						s += saves - each
					}
				}
			}
			if !some {
				s = math.Inf(-1)
			}
			saved[j] = s
		}
	})
	return true
}

func (l *gaussian) rankTasks(_ context.Context, j int32) (order []int32, saved []float64) {
	gain := make([]float64, l.tasks())
	for t := range gain {
		gain[t] = l.bitsOfDrop(t)(l.rssDecrease(t, j))
	}
	return rankByGain(gain)
}

func (l *gaussian) evaluate(_ context.Context, j int32, tasks []int32) trial {
	steps := l.directions(j, tasks)
	gain := make([]float64, l.tasks())
	for _, step := range steps {
		for i, along := range step.along {
			t := step.tasks[i]
			gain[t] = l.bitsOfDrop(t)(along * along)
		}
	}
	out := trial{commit: func(ctx context.Context) error { return l.addColumn(ctx, j, steps) }}
	for _, t := range tasks {
		out.saved = append(out.saved, gain[t])
	}
	return out
}

// pvalue is that of the F test of column j in the only task: F = Δ/((RSS − Δ)/ν) on 1 and ν = n − q − 2 degrees of freedom;
// 1 where the column adds nothing, or no degree of freedom is left.
func (l *gaussian) pvalue(_ context.Context, j int32) float64 {
	u, drop := l.responses[0], l.rssDecrease(0, j)
	nu := l.N - float64(len(u.columns)) - 2
	if drop == 0 || nu <= 0 {
		return 1
	}
	left := min(1, max(0, u.rss-drop)/u.rss)
	return tails.F(min(1, drop/u.rss), left, 1, nu)
}

func (l *gaussian) notes() []string { return nil }

// gaussianRemover takes columns out of copies of Gaussian tasks; the noise is estimated from their own residuals.
type gaussianRemover struct {
	task []*triangle
	of   *gaussian
}

func (l *gaussian) newRemover() featureRemover {
	s := &gaussianRemover{of: l}
	for t := range l.responses {
		s.task = append(s.task, l.triangle(t))
	}
	return s
}

func (s *gaussianRemover) bitsWithout(_ context.Context, j int32) float64 {
	out, n := 0.0, s.of.N
	for i, t := range s.task {
		rss := t.rss
		if k := slices.Index(t.columns, j); k >= 0 {
			rss += t.rssIncrease(k)
		}
		if least := float64(saturatedBelow * s.of.responses[i].tss); rss < least { // the variance is at its floor, as in gaussian.variance
			out += float64(n/2*elementary.Log2(2*math.Pi*least/n)) + float64(n*rss/(2*least*math.Ln2))
			continue
		}
		out += float64(n / 2 * elementary.Log2(2*math.Pi*math.E*rss/n))
	}
	return out
}

func (s *gaussianRemover) remove(_ context.Context, j int32) {
	for _, t := range s.task {
		if k := slices.Index(t.columns, j); k >= 0 {
			t.remove(k)
		}
	}
}
