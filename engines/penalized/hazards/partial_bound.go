package hazards

import (
	"context"
	"errors"
	"math"

	"tenfold/engines"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// certify returns the certificate of the coefficients by the bound of package survival, over the columns awake. The dual point has to be orthogonal to columns without a penalty: until they are at their optimum, 0 is the bound.
func (s *partialLikelihood) certify(pen targets.Penalty) engines.Certificate {
	l1, l2, most, free := 0.0, 0.0, 0.0, 0.0
	for j, b := range s.beta {
		if b != 0 {
			f := s.factorOf(j)
			l1 += float64(f * math.Abs(b))
			l2 += float64(f * b * b)
		}
	}
	c := engines.Certificate{Objective: -s.point.Log + float64(pen.L1*l1) + float64(pen.L2*l2/2)}
	settled := true
	for _, j := range s.awake {
		f, x := s.factorOf(int(j)), math.Abs(s.gradient[j])
		if f > 0 {
			most = max(most, x/f)
			continue
		}
		free += float64(x * math.Abs(s.beta[j]))
		settled = settled && x*x <= 1e-16*s.g.N*s.g.Norm2[j]
	}
	if !settled {
		return c
	}
	share := 1.0
	if most > pen.L1 {
		share = pen.L1 / most
	}
	c.Dual = s.l.Bound(&s.point, s.eta, share) - float64(share*free)
	if pen.L2 > 0 && share < 1 { // the conjugate of the L2 penalty bears what exceeds λ1
		excess := 0.0
		for _, j := range s.awake {
			if f := s.factorOf(int(j)); f > 0 {
				if over := math.Abs(s.gradient[j]) - float64(pen.L1*f); over > 0 {
					excess += float64(over * over / f)
				}
			}
		}
		c.Dual = max(c.Dual, s.l.Bound(&s.point, s.eta, 1)-free-float64(excess/(2*pen.L2)))
	}
	return c
}

// promised returns the minimum that the quadratic model promises where nothing is penalised, and what no likelihood is below while its
// step is long: towards a maximum that is nowhere, steps get no shorter and win less and less.
func (s *partialLikelihood) promised(objective float64) float64 {
	const long = 0.01 // in standard deviations of η
	m := s.newModel(targets.Penalty{})
	for a, d := range m.minimize() {
		if objective += float64(m.slope(a) * d / 2); math.Abs(d)*math.Sqrt(s.g.Norm2[s.working[a].column]/s.g.N) > long {
			return s.least
		}
	}
	return objective
}

// farOff is the coefficient, of a column of standard deviation 1, that no finite maximum has.
const farOff = 30

// separated reports whether some coefficient has gone off to where no maximum is, or all events are as likely as can be, as far as is looked.
func (s *partialLikelihood) separated() bool {
	if -s.point.Log-s.least < max(1e-8*min(1, s.l.EventWeight()), s.stationarityTol*(s.null-s.least)) {
		return true
	}
	for j, b := range s.beta {
		if b != 0 && math.Abs(b)*math.Sqrt(s.g.Norm2[j]/s.g.N) > farOff {
			return true
		}
	}
	return false
}

// fitUnpenalized fits the columns without a penalty alone.
func (s *partialLikelihood) fitUnpenalized(ctx context.Context) error {
	const all = 1e150 // more than any gradient
	s.lastL1 = all
	out, err := s.Solve(ctx, targets.Penalty{L1: all}, 0)
	if err != nil {
		return err
	}
	if s.separated() || out.Stop != convex.Gap {
		return errors.New("the columns without a penalty (features: {keep: …}) order all events, which leaves nothing to select by")
	}
	s.null = -s.point.Log
	return s.wakeAll(ctx)
}
