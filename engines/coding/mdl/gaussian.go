package mdl

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/growing"
	"tenfold/engines/numeric/tails"
)

// gaussian is the likelihood of responses with normal noise, independent between tasks: with n rows,
//
//	S_E = Σ_t n/2·lg(2πσ_t²) + RSS_t/(2σ_t² ln 2).
//
// A candidate that lowers RSS by Δ saves Δ/(2σ² ln 2) bits if σ² is estimated from the model without it, and
// n/2·lg(RSS/(RSS − Δ)) if it is estimated from the model with it (sigma own).
type gaussian struct {
	*growing.LeastSquares
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
	u, v := l.Responses[t], 0.0
	switch l.noise.kind {
	case sigmaNull:
		v = u.RSS / (l.N - l.noise.df)
	case sigmaUnbiased:
		v = u.RSS / (l.N - float64(len(u.Columns)) - 1)
	case sigmaOwn:
		v = u.RSS / l.N
	case sigmaInitial:
		v = u.TSS / l.N
	case sigmaFixed:
		return l.noise.fixed
	}
	return max(v, growing.SaturatedBelow*u.TSS/l.N)
}

// SaturatedTask is a task that has as many columns as rows allow, or the last task if all are explained. One explained task does
// not end the search for the others: no column saves bits of it any more.
func (l *gaussian) saturatedTask() (task int, ok bool) {
	left := false
	for t, u := range l.Responses {
		if len(u.Columns) >= l.Rows()-2 {
			return t, true
		}
		left = left || !u.IsExplained()
	}
	return l.tasks() - 1, !left
}

// bitsOfDrop is the bits that task t saves when its residual sum of squares falls by drop.
func (l *gaussian) bitsOfDrop(t int) func(drop float64) float64 {
	if l.Responses[t].IsExplained() { // a column could only fit rounding errors
		return func(float64) float64 { return 0 }
	}
	if l.noise.kind == sigmaOwn {
		u, half := l.Responses[t], l.N/2
		return func(drop float64) float64 {
			return half * elementary.Log2(u.RSS/max(u.RSS-drop, growing.SaturatedBelow*u.TSS))
		}
	}
	perBit := 2 * l.variance(t) * math.Ln2
	return func(drop float64) float64 { return drop / perBit }
}

func (l *gaussian) tasks() int { return len(l.Responses) }

func (l *gaussian) bits() []float64 {
	out := make([]float64, l.tasks())
	for t, u := range l.Responses {
		v := l.variance(t)
		out[t] = float64(l.N/2*elementary.Log2(2*math.Pi*v)) + u.RSS/(2*v*math.Ln2)
	}
	return out
}

func (l *gaussian) loss(t int) float64 { return l.Responses[t].RSS / l.N }

func (l *gaussian) screenSavings(ctx context.Context, saved []float64, each float64) (exact bool) {
	worth := make([]func(float64) float64, l.tasks())
	for t := range worth {
		worth[t] = l.bitsOfDrop(t)
	}
	l.EachRange(ctx, l.Columns(), func(first, last int) {
		for j := first; j < last; j++ {
			s, some := 0.0, false
			for t, bits := range worth {
				if drop := l.RSSDecrease(t, int32(j)); drop > 0 {
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
		gain[t] = l.bitsOfDrop(t)(l.RSSDecrease(t, j))
	}
	return rankByGain(gain)
}

func (l *gaussian) evaluate(_ context.Context, j int32, tasks []int32) trial {
	steps := l.Directions(j, tasks)
	gain := make([]float64, l.tasks())
	for _, step := range steps {
		for i, along := range step.Along {
			t := step.Tasks[i]
			gain[t] = l.bitsOfDrop(t)(along * along)
		}
	}
	out := trial{commit: func(ctx context.Context) error { return l.AddColumn(ctx, j, steps) }}
	for _, t := range tasks {
		out.saved = append(out.saved, gain[t])
	}
	return out
}

// pvalue is that of the F test of column j in the only task: F = Δ/((RSS − Δ)/ν) on 1 and ν = n − q − 2 degrees of freedom;
// 1 where the column adds nothing, or no degree of freedom is left.
func (l *gaussian) pvalue(_ context.Context, j int32) float64 {
	u, drop := l.Responses[0], l.RSSDecrease(0, j)
	nu := l.N - float64(len(u.Columns)) - 2
	if drop == 0 || nu <= 0 {
		return 1
	}
	left := min(1, max(0, u.RSS-drop)/u.RSS)
	return tails.F(min(1, drop/u.RSS), left, 1, nu)
}

func (l *gaussian) notes() []string { return nil }

// gaussianRemover takes columns out of copies of Gaussian tasks; the noise is estimated from their own residuals.
type gaussianRemover struct {
	task []*growing.Triangle
	of   *gaussian
}

func (l *gaussian) newRemover() featureRemover {
	s := &gaussianRemover{of: l}
	for t := range l.Responses {
		s.task = append(s.task, l.Triangle(t))
	}
	return s
}

func (s *gaussianRemover) bitsWithout(_ context.Context, j int32) float64 {
	out, n := 0.0, s.of.N
	for i, t := range s.task {
		rss := t.RSS
		if k := slices.Index(t.Columns, j); k >= 0 {
			rss += t.RSSIncrease(k)
		}
		if least := float64(growing.SaturatedBelow * s.of.Responses[i].TSS); rss < least { // the variance is at its floor, as in gaussian.variance
			out += float64(n/2*elementary.Log2(2*math.Pi*least/n)) + float64(n*rss/(2*least*math.Ln2))
			continue
		}
		out += float64(n / 2 * elementary.Log2(2*math.Pi*math.E*rss/n))
	}
	return out
}

func (s *gaussianRemover) remove(_ context.Context, j int32) {
	for _, t := range s.task {
		if k := slices.Index(t.Columns, j); k >= 0 {
			t.Remove(k)
		}
	}
}
