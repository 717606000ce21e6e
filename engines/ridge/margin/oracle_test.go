package margin

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
)

var (
	lossNames = map[string]Loss{"logistic": Logistic, "hinge": Hinge, "squared_hinge": SquaredHinge}
	biasNames = map[string]Bias{"": NoBias, "none": NoBias, "free": FreeBias, "penalized": PenalizedBias}
)

type linearCase struct {
	input struct {
		X       [][]float64
		Y       []int32
		Weights []float64
	}
	options struct {
		Loss, Bias string
		C2, C      float64
		Order      [][]int32
	}
	expect struct {
		Objective, Dual_Objective float64
		Coef                      []float64
		Intercept                 *float64
		Passes                    []struct {
			Alpha        []float64
			Primal, Dual float64
		}
	}
	tol map[string]float64
}

func decoded(t *testing.T, raw oracle.Case) *linearCase {
	t.Helper()
	c := &linearCase{}
	raw.Decode(t, raw.Input, &c.input)
	raw.Decode(t, raw.Options, &c.options)
	raw.Decode(t, raw.Expected, &c.expect)
	raw.Decode(t, raw.Tolerance, &c.tol)
	return c
}

func (c *linearCase) problem() Problem {
	p := Problem{X: enginetest.Matrix(c.input.X...), Weight: c.input.Weights, Loss: lossNames[c.options.Loss], Bias: biasNames[c.options.Bias], C2: c.options.C2}
	for _, y := range c.input.Y {
		p.Sign = append(p.Sign, float64(2*y)-1)
	}
	return p
}

// valued is the matrix with its ones stored, so that both ways of reading a row are gone.
func valued(x *sparse.Matrix) *sparse.Matrix {
	ptr, idx, val := x.Rows()
	if val == nil {
		val = make([]float64, len(idx))
		for k := range val {
			val[k] = 1
		}
	}
	_, columns := x.Dims()
	return sparse.New(columns, ptr, idx, val)
}

// TestOracleLinear solves the cases to a gap of 1e-12, and compares objective, bound, weights and bias.
func TestOracleLinear(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"linear_l2": func(t *testing.T, raw oracle.Case) {
		c := decoded(t, raw)
		for _, stored := range []bool{false, true} {
			p := c.problem()
			if stored {
				p.X = valued(p.X)
			}
			s, err := NewSolver(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, workers := range []int{1, 3} {
				out, err := s.Solve(context.Background(), Goal{Tol: 1e-12, MaxIter: 1_000_000, Workers: workers, Rand: rand.New(rand.NewPCG(1, 1))})
				if err != nil {
					t.Fatal(err)
				}
				if out.Stop != "gap" {
					t.Errorf("stopped for %s: %+v", out.Stop, out.Certificate)
				}
				oracle.Near(t, "objective", out.Objective, c.expect.Objective, c.tol["objective"])
				oracle.Near(t, "dual objective", out.Dual, c.expect.Dual_Objective, c.tol["dual_objective"])
				w, bias := p.split(out.W)
				for j, want := range c.expect.Coef {
					oracle.Near(t, fmt.Sprintf("weight %d", j), w[j], want, c.tol["coef"])
				}
				if c.expect.Intercept != nil {
					oracle.Near(t, "bias", bias, *c.expect.Intercept, c.tol["intercept"])
				}
			}
		}
	}})
}

// TestOraclePasses follows two passes of exact steps over rows in a given order.
func TestOraclePasses(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"dcd_pass": func(t *testing.T, raw oracle.Case) {
		c := decoded(t, raw)
		p := c.problem()
		p.C2, p.Weight = 1, make([]float64, len(p.Sign))
		for i := range p.Weight {
			p.Weight[i] = c.options.C
		}
		d := p.newDescent()
		d.relaxation, d.exactness = 1, 1e-15
		for i := range d.rows {
			if p.Loss == Logistic {
				d.rows[i].t, d.rows[i].a = 0, c.options.C/2
			}
		}
		d.recomputeWeights()
		look := &contextChecker{ctx: context.Background()}
		for k, want := range c.expect.Passes {
			d.unshrink()
			copy(d.order, c.options.Order[k])
			d.sweep(look)
			for i, a := range want.Alpha {
				oracle.Near(t, fmt.Sprintf("pass %d, row %d", k, i), d.rows[i].a, a, 1e-9)
			}
			now := d.certify(look, make([]float64, len(p.Sign)), nil)
			oracle.Near(t, fmt.Sprintf("pass %d, objective", k), now.Objective, want.Primal, 1e-9)
			oracle.Near(t, fmt.Sprintf("pass %d, bound", k), now.Dual, want.Dual, 1e-9)
		}
	}})
}
