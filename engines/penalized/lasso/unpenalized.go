package lasso

import (
	"context"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/numeric/scaled"
)

// unpenalized is the columns whose penalty has the factor 0, as far as they are linearly independent. A dual point has to be
// orthogonal to them, so their coefficients are brought to their optimum before each certificate; nil where there are none.
type unpenalized struct {
	scaled.Independent
	determined int // such columns that others of them, and the constant, determine: they have no coefficient
}

// factorOf returns the factor of column j in the penalties.
func (s *leastSquares) factorOf(j int) float64 { return s.factor.Of(j) }

// fitUnpenalized finds the columns without a penalty, and fits them alone. O(rows · their number²).
func (s *leastSquares) fitUnpenalized(ctx context.Context) error {
	u := &unpenalized{}
	s.free = u
	for j, f := range s.factor {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if f == 0 && s.g.Scale[j] > 0 && !u.Add(s.g, j) {
			s.g.Scale[j], s.g.Norm2[j] = 0, 0 // as a column without variation
			u.determined++
		}
	}
	if len(u.Columns) == 0 {
		return nil
	}
	tss := s.rss
	u.optimize(s)
	if s.rss <= 1e-20*tss {
		return fmt.Errorf("the %d columns without a penalty (features: {keep: …}) fit all %d rows exactly, which leaves nothing to select by", len(u.Columns), len(s.y))
	}
	s.null = s.rss / 2
	return nil
}

// join puts the columns into the working set, with the gradients known.
func (u *unpenalized) join(ctx context.Context, s *leastSquares) {
	if u == nil {
		return
	}
	s.set.addColumns(ctx, u.Columns, s)
	for q, j := range u.Columns {
		s.set.all[q].beta, s.set.all[q].beta0 = s.beta[j], s.beta[j]
	}
}

// optimize brings their coefficients to the optimum with the others fixed; the residual follows.
func (u *unpenalized) optimize(s *leastSquares) {
	if u == nil || len(u.Columns) == 0 {
		return
	}
	step := make([]float64, len(u.Columns))
	for k, j := range u.Columns {
		step[k] = s.g.Scale[j] * (s.g.X.Col(int(j)).Dot4(s.v) + float64(s.shift*s.g.N*s.g.Mean[j]))
	}
	u.Factor.Solve(step)
	for k, j := range u.Columns {
		s.beta[j] += step[k]
		s.set.moveResidual(int(j), step[k])
		if q := s.set.place[j]; q >= 0 {
			s.set.all[q].beta = s.beta[j]
		}
	}
	s.measureResidual()
}

// leftOut returns how many columns have no coefficient though they vary.
func (u *unpenalized) leftOut() int {
	if u == nil {
		return 0
	}
	return u.determined
}

func (u *unpenalized) facts() (facts []data.Fact) {
	if u != nil && len(u.Columns) > 0 {
		facts = append(facts, data.Fact{Name: "columns without a penalty", Value: fmt.Sprint(len(u.Columns))})
	}
	if u != nil && u.determined > 0 {
		facts = append(facts, data.Fact{Name: "columns without a penalty that the others of them determine, left out", Value: fmt.Sprint(u.determined)})
	}
	return facts
}
