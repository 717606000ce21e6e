package l1_test

import (
	"context"
	"fmt"
	"slices"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/owlqn"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

// solvers are held to the same reference cases, and to the same laws.
var solvers = map[string]logits.Solver{"newton": l1.ProximalNewton, "owlqn": quasiNewton}

func quasiNewton(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
	_, _, solve := owlqn.OWLQNKind.Defaults().(owlqn.OWLQN).Parts()
	return solve(ctx, pt, goal)
}

// loglinCase is a case of that kind.
type loglinCase struct {
	input struct {
		X      [][]float64 `json:"X"`
		Y      []int32     `json:"y"`
		Labels int         `json:"n_labels"`
	}
	options struct {
		C1, C2 float64
		Param  string
		Free   []int `json:"unpenalized"`
	}
	expect struct {
		Objective     float64
		W             []float64
		Active        []int
		Gradient      []float64 // of the smooth part, by weight
		Probabilities [][]float64
		Max           *float64 `json:"C_max"`
		Dual          *float64 `json:"dual_objective"`
		Unique        bool
	}
	tol map[string]float64
}

func decoded(t *testing.T, raw oracle.Case) (c loglinCase) {
	t.Helper()
	raw.Decode(t, raw.Input, &c.input)
	raw.Decode(t, raw.Options, &c.options)
	raw.Decode(t, raw.Expected, &c.expect)
	raw.Decode(t, raw.Tolerance, &c.tol)
	return c
}

// problem of the case. A column that is not penalised has to be the first, and of ones: it becomes the bias. The cases number
// a weight block by block.
func (c *loglinCase) problem(t *testing.T) (p *logits.Problem, number func(k int) int) {
	t.Helper()
	bias, x := logits.NoBias, c.input.X
	if len(c.options.Free) > 0 {
		bias = logits.FreeBias
		if !slices.Equal(c.options.Free, []int{0}) {
			t.Fatalf("unpenalised columns %v: expected the first alone", c.options.Free)
		}
		x = make([][]float64, len(c.input.X))
		for i, row := range c.input.X {
			if row[0] != 1 {
				t.Fatalf("row %d: the unpenalised column is %v, expected 1", i, row[0])
			}
			x[i] = row[1:]
		}
	}
	p, err := logits.New(enginetest.Matrix(x...), c.input.Y, nil, c.input.Labels, bias)
	if err != nil {
		t.Fatal(err)
	}
	if c.options.Param == "multiclass" && p.Blocks == 1 {
		p.Blocks = 2
	}
	columns := len(c.input.X[0])
	return p, func(k int) int {
		j, b := k%columns, k/columns
		if len(c.options.Free) > 0 {
			j = (j + columns - 1) % columns // the bias comes last
		}
		return j*p.Blocks + b
	}
}

func TestOracleLoglin(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"loglin": func(t *testing.T, raw oracle.Case) {
		c := decoded(t, raw)
		for name, solve := range solvers {
			t.Run(name, func(t *testing.T) { c.check(t, solve) })
		}
	}})
}

func (c *loglinCase) check(t *testing.T, solve logits.Solver) {
	p, number := c.problem(t)
	near := func(what, group string, got, want float64) {
		t.Helper()
		oracle.Near(t, what, got, want, c.tol[group])
	}
	pt := p.NewPoint(make([]float64, p.Width()))
	largest, err := pt.LambdaMax(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if c.expect.Max != nil {
		near("C_max", "C_max", largest, *c.expect.Max)
	}
	pen := logits.Penalty{L1: c.options.C1, L2: c.options.C2}
	out, err := solve(context.Background(), pt, logits.Goal{Penalty: pen, Stopping: loglin.Strict(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	near("objective", "objective", out.Objective, c.expect.Objective)
	if c.expect.Dual != nil {
		near("dual objective", "objective", out.Dual, -*c.expect.Dual)
	}
	active := []int{}
	for k, g := range c.expect.Gradient {
		n := number(k)
		near("slope", "gradient", pt.G[n]+pen.L2*pt.W[n], g)
		if pt.W[n] != 0 {
			active = append(active, k)
		}
	}
	if c.expect.Unique {
		for k, w := range c.expect.W {
			near("weight", "w", pt.W[number(k)], w)
		}
		if !slices.Equal(active, c.expect.Active) {
			t.Errorf("active: got %v, want %v", active, c.expect.Active)
		}
	}
	for i, want := range c.expect.Probabilities {
		for label, q := range loglin.Probabilities(p, pt.Z, i) {
			near("probability", "probabilities", q, want[label])
		}
	}
}

// Every solver comes to the minimum that the slow one finds, says so with a gap that a second computation confirms, and
// meets the conditions of the optimum.
func TestSolvers(t *testing.T) {
	for name, c := range loglin.Examples() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := c.Problem(t)
			want, _ := c.Minimum(t, p, c.Pen)
			for solver, solve := range solvers {
				pt := p.NewPoint(make([]float64, p.Width()))
				out, err := solve(context.Background(), pt, logits.Goal{Penalty: c.Pen, Stopping: logits.Stopping{Tol: 1e-11, MaxIter: 10_000}, Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				if out.Stop != "gap" || !(out.Relative() <= 1e-11) {
					t.Errorf("%s stopped for %s with a gap of %v after %d iterations", solver, out.Stop, out.Relative(), out.Iterations)
				}
				loss, g := c.Loss(pt.W)
				value := loss + c.Penalty(p, c.Pen, pt.W)
				loglin.Near(t, solver+": objective, of its weights", out.Objective, value, 1e-12)
				loglin.Near(t, solver+": objective, at the minimum", value, want, 1e-10)
				loglin.Near(t, solver+": dual value, computed again", out.Dual, c.Bound(p, c.Pen, pt), 1e-12)
				for k, w := range pt.W {
					loglin.Near(t, fmt.Sprintf("%s: gradient %d", solver, k), pt.G[k], g[k], 1e-9)
					if v := loglin.Violation(p, c.Pen, w, g[k], k); v > 2e-4 {
						t.Errorf("%s: weight %d is %v, its gradient %v violates the condition by %v", solver, k, w, g[k], v)
					}
				}
			}
		})
	}
}
