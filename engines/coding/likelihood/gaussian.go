package likelihood

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/growing"
	"tenfold/engines/numeric/tails"
)

// Gaussian is the likelihood of responses with normal noise, independent between tasks: with n rows,
//
//	S_E = Σ_t n/2·lg(2πσ_t²) + RSS_t/(2σ_t² ln 2).
//
// A candidate that lowers RSS by Δ saves Δ/(2σ² ln 2) bits if σ² is estimated from the model without it, and
// n/2·lg(RSS/(RSS − Δ)) if it is estimated from the model with it (sigma own).
type Gaussian struct {
	*growing.LeastSquares
	Noise Noise
}

// Noise is how σ² is estimated.
type Noise struct {
	Kind  string  // null, null_unbiased, own, initial, fixed
	DF    float64 // with null: degrees of freedom that the mean takes
	Fixed float64
}

// Kinds of noise estimates.
const (
	SigmaNull     = "null"
	SigmaUnbiased = "null_unbiased"
	SigmaOwn      = "own"
	SigmaInitial  = "initial"
	SigmaFixed    = "fixed"
)

// variance returns the variance of task t's noise under the present model, at least a floor above 0.
func (l *Gaussian) variance(t int) float64 {
	u, v := l.Responses[t], 0.0
	switch l.Noise.Kind {
	case SigmaNull:
		v = u.RSS / (l.N - l.Noise.DF)
	case SigmaUnbiased:
		v = u.RSS / (l.N - float64(len(u.Columns)) - 1)
	case SigmaOwn:
		v = u.RSS / l.N
	case SigmaInitial:
		v = u.TSS / l.N
	case SigmaFixed:
		return l.Noise.Fixed
	}
	return max(v, growing.SaturatedBelow*u.TSS/l.N)
}

// SaturatedTask returns a task that has as many columns as rows allow, or the last task if all are explained. One explained task does
// not end the search for the others: no column saves bits of it any more.
func (l *Gaussian) SaturatedTask() (task int, ok bool) {
	left := false
	for t, u := range l.Responses {
		if len(u.Columns) >= l.Rows()-2 {
			return t, true
		}
		left = left || !u.IsExplained()
	}
	return l.Tasks() - 1, !left
}

// bitsOfDrop returns the function from a fall of the residual sum of squares of task t to the bits that it saves.
func (l *Gaussian) bitsOfDrop(t int) func(drop float64) float64 {
	if l.Responses[t].IsExplained() { // a column could only fit rounding errors
		return func(float64) float64 { return 0 }
	}
	if l.Noise.Kind == SigmaOwn {
		u, half := l.Responses[t], l.N/2
		return func(drop float64) float64 {
			return half * elementary.Log2(u.RSS/max(u.RSS-drop, growing.SaturatedBelow*u.TSS))
		}
	}
	perBit := 2 * l.variance(t) * math.Ln2
	return func(drop float64) float64 { return drop / perBit }
}

// Tasks returns the number of responses.
func (l *Gaussian) Tasks() int { return len(l.Responses) }

// Bits returns S_E of each task.
func (l *Gaussian) Bits() []float64 {
	out := make([]float64, l.Tasks())
	for t, u := range l.Responses {
		v := l.variance(t)
		out[t] = float64(l.N/2*elementary.Log2(2*math.Pi*v)) + u.RSS/(2*v*math.Ln2)
	}
	return out
}

// Loss returns the mean squared error of a task.
func (l *Gaussian) Loss(t int) float64 { return l.Responses[t].RSS / l.N }

// ScreenSavings sets saved to the exact bound by the running sums. O(columns · tasks).
func (l *Gaussian) ScreenSavings(ctx context.Context, saved []float64, each float64) (exact bool) {
	worth := make([]func(float64) float64, l.Tasks())
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

// RankTasks orders the tasks by what column j saves in each, by the running sums.
func (l *Gaussian) RankTasks(_ context.Context, j int32) (order []int32, saved []float64) {
	gain := make([]float64, l.Tasks())
	for t := range gain {
		gain[t] = l.bitsOfDrop(t)(l.RSSDecrease(t, j))
	}
	return rankByGain(gain)
}

// Evaluate computes what column j saves in the tasks. O(nnz_j + rows · columns in), once for each basis.
func (l *Gaussian) Evaluate(_ context.Context, j int32, tasks []int32) Trial {
	steps := l.Directions(j, tasks)
	gain := make([]float64, l.Tasks())
	for _, step := range steps {
		for i, along := range step.Along {
			t := step.Tasks[i]
			gain[t] = l.bitsOfDrop(t)(along * along)
		}
	}
	out := Trial{Commit: func(ctx context.Context) error { return l.AddColumn(ctx, j, steps) }}
	for _, t := range tasks {
		out.Saved = append(out.Saved, gain[t])
	}
	return out
}

// PValue returns the p-value of the F test of column j in the only task: F = Δ/((RSS − Δ)/ν) on 1 and ν = n − q − 2 degrees of
// freedom; 1 where the column adds nothing, or no degree of freedom is left.
func (l *Gaussian) PValue(_ context.Context, j int32) float64 {
	u, drop := l.Responses[0], l.RSSDecrease(0, j)
	nu := l.N - float64(len(u.Columns)) - 2
	if drop == 0 || nu <= 0 {
		return 1
	}
	left := min(1, max(0, u.RSS-drop)/u.RSS)
	return tails.F(min(1, drop/u.RSS), left, 1, nu)
}

// Notes returns nothing.
func (l *Gaussian) Notes() []string { return nil }

// gaussianRemover takes columns out of copies of Gaussian tasks; the noise is estimated from their own residuals.
type gaussianRemover struct {
	task []*growing.Triangle
	from *Gaussian
}

// NewRemover copies the triangular form of each task.
func (l *Gaussian) NewRemover() Remover {
	s := &gaussianRemover{from: l}
	for t := range l.Responses {
		s.task = append(s.task, l.Triangle(t))
	}
	return s
}

// BitsWithout returns what S_E of all tasks would be without column j. O(tasks · columns in²).
func (s *gaussianRemover) BitsWithout(_ context.Context, j int32) float64 {
	out, n := 0.0, s.from.N
	for i, t := range s.task {
		rss := t.RSS
		if k := slices.Index(t.Columns, j); k >= 0 {
			rss += t.RSSIncrease(k)
		}
		if floor := float64(growing.SaturatedBelow * s.from.Responses[i].TSS); rss < floor { // the variance is at its floor, as in Gaussian.variance
			out += float64(n/2*elementary.Log2(2*math.Pi*floor/n)) + float64(n*rss/(2*floor*math.Ln2))
			continue
		}
		out += float64(n / 2 * elementary.Log2(2*math.Pi*math.E*rss/n))
	}
	return out
}

// Remove takes column j out of all tasks that have it.
func (s *gaussianRemover) Remove(_ context.Context, j int32) {
	for _, t := range s.task {
		if k := slices.Index(t.Columns, j); k >= 0 {
			t.Remove(k)
		}
	}
}
