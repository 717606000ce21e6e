package dual

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"tenfold/engines/enginetest/loglin"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/losses/logits"
)

// dll is a case of that kind.
type dll struct {
	input struct {
		X      [][]float64 `json:"X"`
		Y      []int32     `json:"y"`
		Labels int         `json:"n_labels"`
	}
	options struct {
		C     float64
		Param string
	}
	expect struct {
		Dual      float64 `json:"dual_optimum"`
		Alpha     [][]float64
		V         []float64
		AtBound   []int        `json:"at_bound"`
		FirstPass [][6]float64 `json:"first_pass"`
		After     float64      `json:"objective_after_first_pass"`
		Final     struct {
			Objective, MaxAbsV, RelativeGap float64
			Passes                          int
		} `json:"smo_final"`
		Recovered []float64 `json:"recovered_w_ls"`
		Unique    bool      `json:"recovery_unique"`
	}
	tol map[string]float64
}

func (c *dll) problem(t *testing.T) *logits.Problem {
	t.Helper()
	p, err := logits.New(enginetest.Matrix(c.input.X...), c.input.Y, nil, c.input.Labels, logits.NoBias)
	if err != nil {
		t.Fatal(err)
	}
	if c.options.Param == "multiclass" && p.Blocks == 1 {
		p.Blocks = 2
	}
	return p
}

// number of the weight that the case calls k: it numbers them block by block.
func (c *dll) number(p *logits.Problem, k int) int {
	columns := len(c.input.X[0])
	return k%columns*p.Blocks + k/columns
}

func TestOracleDual(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"dll": func(t *testing.T, raw oracle.Case) {
		var c dll
		raw.Decode(t, raw.Input, &c.input)
		raw.Decode(t, raw.Options, &c.options)
		raw.Decode(t, raw.Expected, &c.expect)
		raw.Decode(t, raw.Tolerance, &c.tol)
		t.Run("pair steps", c.checkPairs)
		for name, solve := range throughDual() {
			t.Run(name, func(t *testing.T) { c.checkOptimum(t, solve) })
		}
		t.Run("recovery", c.checkRecovery)
	}})
}

// throughDual are the two exact ways through the dual.
func throughDual() map[string]logits.Solver {
	return map[string]logits.Solver{"screen": defaults().solveByPairs(nil), "dal": proximalDual(1)}
}

// room literally, and without a limit but the shares'.
func (d *pairAscent) reach(i, to, from int) float64 {
	amount := d.alpha[i*d.p.Classes+from]
	d.dir.setBetween(d.p, i, to, from)
	for q, k := range d.dir.weights {
		amount = d.feasibleAmount(amount, k, d.dir.by[q])
	}
	return amount
}

func (c *dll) checkPairs(t *testing.T) {
	p := c.problem(t)
	d := newPairs(p, c.options.C)
	for _, w := range c.expect.FirstPass {
		i, y1, y2 := int(w[0]), int(w[1]), int(w[2])
		what := fmt.Sprintf("row %d, labels %d and %d: ", i, y1, y2)
		a := d.alpha[i*p.Classes:]
		oracle.Near(t, what+"lo", -d.reach(i, y2, y1), w[3], c.tol["first_pass"])
		oracle.Near(t, what+"hi", d.reach(i, y1, y2), w[4], c.tol["first_pass"])
		to, from, was := y1, y2, a[y1]
		if a[y1] > a[y2] {
			to, from = y2, y1
		}
		gain, _ := d.moveMass(i, to, from, 1)
		d.entropy += gain
		oracle.Near(t, what+"delta", a[y1]-was, w[5], c.tol["first_pass"])
	}
	oracle.Near(t, "objective after the first pass", -d.entropy, c.expect.After, c.tol["objective_after_first_pass"])
	d = newPairs(p, c.options.C)
	if err := d.run(context.Background(), steady, 1); err != nil {
		t.Fatal(err)
	}
	t.Logf("pair steps end after %d passes at %.9g, the reference's after %d at %.9g; the optimum is %.9g",
		d.passes, -d.entropy, c.expect.Final.Passes, c.expect.Final.Objective, c.expect.Dual)
	if p.Classes == 2 { // there is one pair, and nothing to choose
		oracle.Near(t, "objective where pair steps end", -d.entropy, c.expect.Final.Objective, c.tol["smo_final.objective"])
	}
}

// steady is the slides' method.
var steady = pairOptions{passes: 1000, tol: 1e-12, damping: 1}

func (c *dll) checkOptimum(t *testing.T, solve logits.Solver) {
	p := c.problem(t)
	pt, out := loglin.Solved(t, solve, p, logits.Goal{Penalty: logits.Penalty{L1: c.options.C}, Stopping: loglin.Strict(), Workers: 1})
	oracle.Near(t, "objective", out.Objective, -c.expect.Dual, c.tol["dual_optimum"])
	oracle.Near(t, "dual objective", out.Dual, -c.expect.Dual, c.tol["dual_optimum"])
	for i, want := range c.expect.Alpha {
		oracle.NearAll(t, fmt.Sprintf("alpha of row %d", i), loglin.Probabilities(p, pt.Z, i), want, c.tol["alpha"])
	}
	bound := []int{}
	for k, v := range c.expect.V {
		got := -pt.G[c.number(p, k)] / c.options.C
		oracle.Near(t, fmt.Sprintf("v of weight %d", k), got, v, c.tol["v"])
		if math.Abs(got) > 1-1e-6 {
			bound = append(bound, k)
		}
	}
	if !slices.Equal(bound, c.expect.AtBound) {
		t.Errorf("at the bound: got %v, want %v", bound, c.expect.AtBound)
	}
}

func (c *dll) checkRecovery(t *testing.T) {
	if !c.expect.Unique {
		t.Skip("the weights are not unique")
	}
	p := c.problem(t)
	var chosen []int32
	for _, k := range c.expect.AtBound {
		chosen = append(chosen, int32(c.number(p, k)))
	}
	slices.Sort(chosen)
	v := make([]float64, p.Width())
	for k, x := range c.expect.V {
		v[c.number(p, k)] = x
	}
	pt := p.NewPoint(make([]float64, p.Width()))
	s, err := newLogRatioSystem(p, slices.Concat(c.expect.Alpha...), false).leastSquares(context.Background(), pt, chosen, v, 1)
	if err != nil || !s.done || s.dropped != 0 || s.norm > 1e-5 {
		t.Errorf("%+v, %v", s, err)
	}
	for k, w := range c.expect.Recovered {
		oracle.Near(t, fmt.Sprintf("weight %d", k), pt.W[c.number(p, k)], w, c.tol["recovered_w_ls"])
	}
}

// entropy of dual variables, and u, as they are defined.
func pulled(s loglin.Sketch, alpha []float64) (entropy float64, u []float64) {
	k, classes := s.Blocks(), max(2, s.Classes)
	u = make([]float64, len(s.Row(0))*k)
	for i, y := range s.Y {
		for c, a := range alpha[i*classes : (i+1)*classes] {
			if a > 0 {
				entropy -= s.Weight(i) * a * math.Log(a)
			}
			for j, x := range s.Row(i) { // a·(φ(x, y_i) − φ(x, c))
				if b := int(y) - (classes - k); b >= 0 {
					u[j*k+b] += s.Weight(i) * a * x
				}
				if b := c - (classes - k); b >= 0 {
					u[j*k+b] -= s.Weight(i) * a * x
				}
			}
		}
	}
	return entropy, u
}

// sketches that the dual takes.
func dualSketches() map[string]loglin.Sketch {
	all := map[string]loglin.Sketch{}
	for _, classes := range []int{2, 3, 4} {
		for _, bias := range []logits.Bias{logits.NoBias, logits.PenalizedBias} {
			for _, weights := range []bool{false, true} {
				name := fmt.Sprintf("%d classes, bias %s, weights %v", classes, bias, weights)
				all[name] = loglin.Draw(uint64(7*classes), 30, 6, classes, bias, weights)
			}
		}
	}
	return all
}

// After every pass the point is feasible, its entropy is what the steps say and has not fallen; at the end no pair of labels
// of any row has room to move.
func TestPairStepsStayFeasible(t *testing.T) {
	const c = 1.1
	for name, s := range dualSketches() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := s.Problem(t)
			optimum, _ := s.Minimum(t, p, logits.Penalty{L1: c})
			for _, a := range []pairOptions{steady, {passes: 60, tol: 1e-12, damping: 0.1}, {passes: 1000, tol: 1e-12, damping: 1, rng: rand.New(rand.NewPCG(1, 2))}} {
				d, last := newPairs(p, c), 0.0
				limit := a.passes
				for a.passes = 1; a.passes <= limit && !d.stalled; a.passes++ {
					if err := d.run(context.Background(), a, 1); err != nil {
						t.Fatal(err)
					}
					entropy, u := pulled(s, d.alpha)
					loglin.Near(t, "entropy", d.entropy, entropy, 1e-10)
					if d.entropy < last-1e-12 {
						t.Fatalf("pass %d: entropy fell from %v to %v", d.passes, last, d.entropy)
					}
					last = d.entropy
					for k, v := range u {
						loglin.Near(t, fmt.Sprintf("u of weight %d", k), d.u[k], v, 1e-11)
						if !(math.Abs(v) <= c*(1+1e-11)) {
							t.Fatalf("pass %d: |u| of weight %d is %v, above %v", d.passes, k, v, c)
						}
					}
					simplex(t, d.alpha, p.Classes)
				}
				bound := d.lowerBound(context.Background(), 1)
				loglin.Near(t, "bound", bound, last, 1e-9)
				if bound > optimum+1e-9 {
					t.Errorf("the bound %v is above the optimum %v", bound, optimum)
				}
				if d.stalled {
					d.checkStuck(t)
				}
			}
		})
	}
}

func simplex(t *testing.T, alpha []float64, classes int) {
	t.Helper()
	for i := 0; i < len(alpha); i += classes {
		sum := 0.0
		for _, a := range alpha[i : i+classes] {
			if sum += a; a < 0 || a > 1 {
				t.Fatalf("row %d: shares %v", i/classes, alpha[i:i+classes])
			}
		}
		loglin.Near(t, fmt.Sprintf("sum of row %d", i/classes), sum, 1, 1e-12)
	}
}

// checkStuck verifies that no pair gains anything.
func (d *pairAscent) checkStuck(t *testing.T) {
	t.Helper()
	for i := range d.p.Rows() {
		a := d.alpha[i*d.p.Classes : (i+1)*d.p.Classes]
		for y, v := range a {
			for z, w := range a {
				if half := (w - v) / 2; half > 1e-6 && min(half, d.reach(i, y, z)) > 1e-6 {
					t.Errorf("row %d: %v could go from label %d to %d", i, d.reach(i, y, z), z, y)
				}
			}
		}
	}
}

// Pair steps end short of the optimum more often than not (docs/engines/log-linear.md#errata): half of these problems by more than a tenth. A
// damped start helps, which is why it is offered.
func TestPairStepsStall(t *testing.T) {
	median := func(a pairOptions) float64 {
		var gaps []float64
		for seed := range uint64(20) {
			s := loglin.Draw(100+seed, 15, 6, 2+int(seed%2), logits.NoBias, false)
			p := s.Problem(t)
			optimum, _ := s.Minimum(t, p, logits.Penalty{L1: 1})
			d := newPairs(p, 1)
			if err := d.run(context.Background(), a, 1); err != nil {
				t.Fatal(err)
			}
			gaps = append(gaps, (optimum-d.lowerBound(context.Background(), 1))/optimum)
		}
		slices.Sort(gaps)
		t.Logf("damping %v: relative gaps from %.2g to %.2g, median %.2g", a.damping, gaps[0], gaps[19], (gaps[9]+gaps[10])/2)
		return (gaps[9] + gaps[10]) / 2
	}
	whole, damped := median(steady), median(pairOptions{passes: 100, tol: 1e-12, damping: 0.1})
	if whole < 0.1 || damped > whole/2 {
		t.Errorf("median gaps: %v of whole steps, %v of damped ones", whole, damped)
	}
}

// Selected is what reaches the threshold, with either sign; a threshold of 1 allows for rounding.
func TestChosen(t *testing.T) {
	d := &pairAscent{c: 2, u: []float64{1.8, -1.8, 1.79, 2, -2 * (1 - 1e-7), 0, 2 * (1 - 1e-5)}}
	for threshold, want := range map[float64][]int32{0.9: {0, 1, 3, 4, 6}, 1: {3, 4}} {
		if got := d.selectedWeights(threshold); !slices.Equal(got, want) {
			t.Errorf("threshold %v: %v, want %v", threshold, got, want)
		}
	}
}
