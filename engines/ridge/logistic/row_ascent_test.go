package logistic

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"tenfold/engines/enginetest/loglin"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/losses/logits"
)

// ascended goes by rows alone: nothing finishes what they leave.
func ascended(seed uint64) logits.Solver {
	return rowAscent(rand.New(rand.NewPCG(seed, 1)), func(context.Context, *logits.Point, logits.Goal) (logits.Outcome, error) {
		return logits.Outcome{Stop: "rows did not get there"}, nil
	})
}

// The steps get to the minimum of Newton's method, from any order of rows, with every kind of bias and with a class without rows.
func TestRowAscentAgreesWithNewton(t *testing.T) {
	for k, c := range []struct {
		classes int
		bias    logits.Bias
		c2      float64
	}{{3, logits.NoBias, 1}, {3, logits.FreeBias, 2}, {4, logits.PenalizedBias, 0.5}, {5, logits.FreeBias, 30}, {11, logits.FreeBias, 3}} {
		for _, missing := range []bool{false, true} {
			p := loglin.Drawn(t, uint64(k), 120, 8, c.classes, c.bias, k%2 == 0)
			if missing { // rows of the last class become those of the first
				y := slices.Clone(p.Y)
				for i, was := range y {
					y[i] = was % int32(c.classes-1)
				}
				var err error
				if p, err = logits.New(p.X, y, p.Weight, c.classes, c.bias); err != nil {
					t.Fatal(err)
				}
			}
			goal := logits.Goal{Penalty: logits.Penalty{L2: c.c2}, Stopping: logits.Stopping{Tol: 1e-11, MaxIter: 2000}, Workers: 1}
			pt, out := loglin.Solved(t, ascended(uint64(k)), p, goal)
			if out.Stop != "gap" || !(out.Relative() <= 1e-11) || out.Relative() < -1e-14 {
				t.Errorf("%+v: %+v", c, out)
			}
			want := newtonDense(t, p, c.c2)
			for at, w := range pt.W[:p.Columns()*p.Blocks] {
				if !(math.Abs(w-want[at]) <= 1e-4) {
					t.Errorf("%+v: weight %d is %v, want %v", c, at, w, want[at])
				}
			}
		}
	}
}

// Reference cases: objective, weights, probabilities.
func TestOracleMultinomial(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"multinomial_l2": func(t *testing.T, raw oracle.Case) {
		var in struct {
			X      [][]float64 `json:"X"`
			Y      []int32     `json:"y"`
			Labels int         `json:"n_labels"`
		}
		var options struct {
			C2   float64
			Bias logits.Bias
		}
		var want struct {
			Objective     float64
			Coef          [][]float64
			Probabilities [][]float64
		}
		raw.Decode(t, raw.Input, &in)
		raw.Decode(t, raw.Options, &options)
		raw.Decode(t, raw.Expected, &want)
		p, err := logits.New(enginetest.Matrix(in.X...), in.Y, nil, in.Labels, options.Bias)
		if err != nil {
			t.Fatal(err)
		}
		pt, out := loglin.Solved(t, ascended(3), p, logits.Goal{Penalty: logits.Penalty{L2: options.C2}, Stopping: logits.Stopping{Tol: 1e-12, MaxIter: 5000}, Workers: 2})
		if out.Stop != "gap" {
			t.Errorf("%+v", out)
		}
		oracle.Near(t, "objective", out.Objective, want.Objective, 1e-9)
		for b, row := range want.Coef {
			for j, w := range row {
				oracle.Near(t, "weight", pt.W[j*p.Blocks+b], w, 1e-6)
			}
		}
		for i, row := range want.Probabilities {
			for b, q := range loglin.Probabilities(p, pt.Z, i) {
				oracle.Near(t, "probability", q, row[b], 1e-6)
			}
		}
	}})
}

// The certificate holds long before the end: no model is below its dual value, and none of its parts comes from the steps.
func TestRowAscentCertificate(t *testing.T) {
	for seed := range uint64(6) {
		p := loglin.Drawn(t, seed, 150, 12, 3+int(seed), logits.Bias([]logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias}[seed%3]), false)
		pen := logits.Penalty{L2: 0.3}
		_, best := loglin.Solved(t, ridge, p, logits.Goal{Penalty: pen, Stopping: logits.Stopping{Tol: 1e-11, MaxIter: 5000}, Workers: 1})
		first := 0.0
		for _, passes := range []int{1, 2, 4, 8, 16} {
			pt, out := loglin.Solved(t, ascended(seed), p, logits.Goal{Penalty: pen, Stopping: logits.Stopping{Tol: 1e-12, MaxIter: passes}, Workers: 1})
			if out.Dual > best.Objective*(1+1e-10) || out.Objective < best.Dual*(1-1e-10) {
				t.Errorf("seed %d, %d passes: %+v, the minimum is in %+v", seed, passes, out.Certificate, best.Certificate)
			}
			if again := pt.CertifyWithin(pen, math.Inf(1)); again.Objective != out.Objective {
				t.Errorf("seed %d, %d passes: objective %v, that of the point is %v", seed, passes, out.Objective, again.Objective)
			}
			if out.Stop != "max_iter" || out.Iterations != passes || len(out.Notes) != 1 || !strings.HasPrefix(out.Notes[0], "not converged") {
				t.Errorf("seed %d, %d passes: %+v", seed, passes, out)
			}
			if passes == 1 {
				first = out.Gap()
			} else if passes == 16 && !(out.Gap() <= first/20) {
				t.Errorf("seed %d: the gap is %v after one pass, %v after 16", seed, first, out.Gap())
			}
		}
	}
}

// Where rows get on too slowly, the quasi-Newton steps finish, and the report says so.
func TestRowAscentHandsOver(t *testing.T) {
	p := loglin.Drawn(t, 4, 150, 12, 4, logits.FreeBias, false)
	goal := logits.Goal{Penalty: logits.Penalty{L2: 1e-5}, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 3000}, Workers: 1}
	_, out := loglin.Solved(t, rowAscent(nil, ridge), p, goal)
	if out.Stop != "gap" || len(out.Facts) != 2 || !strings.Contains(out.Facts[1].Value, "quasi-Newton") {
		t.Errorf("%+v", out)
	}
	if out.Iterations <= slowAfter {
		t.Errorf("%d iterations: passes are not among them", out.Iterations)
	}
}

// Rows, columns and classes of little use: a class of one row, bias alone, a column of one value, an empty row and an empty column.
func TestRowAscentOdd(t *testing.T) {
	for name, c := range map[string]struct {
		rows [][]float64
		y    []float64
		bias logits.Bias
	}{
		"a class of one row": {[][]float64{{1, 0}, {0, 1}, {1, 1}, {2, 0}, {1, 0}}, []float64{0, 1, 0, 1, 2}, logits.FreeBias},
		"every class of one": {[][]float64{{1, 0}, {0, 1}, {1, 1}}, []float64{0, 1, 2}, logits.FreeBias},
		"bias alone":         {[][]float64{{}, {}, {}, {}, {}}, []float64{0, 1, 0, 1, 2}, logits.FreeBias},
		"penalised alone":    {[][]float64{{}, {}, {}, {}, {}}, []float64{0, 1, 0, 1, 2}, logits.PenalizedBias},
		"constant":           {[][]float64{{3, 0}, {3, 1}, {3, 1}, {3, 0}, {3, 4}}, []float64{0, 1, 0, 1, 2}, logits.FreeBias},
		"empty":              {[][]float64{{0, 0}, {0, 1}, {0, 1}, {0, 0}, {0, 4}}, []float64{0, 1, 0, 1, 2}, logits.NoBias},
		"all empty":          {[][]float64{{0, 0}, {0, 0}, {0, 0}}, []float64{0, 1, 2}, logits.NoBias},
		"far":                {[][]float64{{1e8, 0}, {0, 1}, {-1e8, 1}, {0, 0}, {0, 4}}, []float64{0, 1, 0, 1, 2}, logits.NoBias},
		"one class of three": {[][]float64{{1, 0}, {0, 1}, {1, 1}}, []float64{1, 1, 1}, logits.FreeBias},
	} {
		view := enginetest.View(enginetest.Dataset(enginetest.Matrix(c.rows...), enginetest.Class("y", 3, c.y...)), nil)
		e := Logistic{C2: 1, Bias: string(c.bias), Stopping: logits.Stopping{Tol: 1e-8, MaxIter: 10_000}}
		m, err := e.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f := m.(engines.Reporter).Fitted()
		if f.Stop != "gap" || !(f.Certificate.Relative() <= 1e-8) {
			t.Errorf("%s: %+v, certificate %+v", name, f, f.Certificate)
		}
	}
}

// The same bits on any number of workers, whether or not somebody listens; another seed, another order, but the same model.
func TestRowAscentDeterministic(t *testing.T) {
	p := loglin.Drawn(t, 8, 3000, 30, 9, logits.FreeBias, true)
	goal := logits.Goal{Penalty: logits.Penalty{L2: 1}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 100}, Workers: 1}
	first, _ := loglin.Solved(t, ascended(1), p, goal)
	goal.Workers = 3
	goal.Trace = func(int, float64, []float64) {}
	if second, _ := loglin.Solved(t, ascended(1), p, goal); !slices.Equal(first.W, second.W) {
		t.Error("three workers and a listener change weights")
	}
	third, _ := loglin.Solved(t, ascended(2), p, goal)
	if slices.Equal(first.W, third.W) {
		t.Error("another seed gives the same bits: rows do not follow it")
	}
	for k, w := range first.W[:p.Columns()*p.Blocks] {
		if !(math.Abs(w-third.W[k]) <= 0.02) {
			t.Errorf("weight %d: %v, of another seed %v", k, w, third.W[k])
		}
	}
}

// Which problems go by rows, and what memory many classes take.
func TestRowAscentReach(t *testing.T) {
	for want, got := range map[string]bool{
		"few": logits.FitsRows(1000, 3), "most": logits.FitsRows(1<<20, 1<<8),
		"!more": !logits.FitsRows(1<<20, 1<<8+1), "!two classes": !logits.FitsRows(1000, 1),
	} {
		if !got {
			t.Error(want)
		}
	}
	e := Kind.Defaults().(Logistic)
	s := engines.Shape{Rows: 60_056, Columns: 8321, Entries: 937_835, Ones: true, Levels: 100_000}
	if got := e.Footprint(s).Bytes; got < 390e9 || got > 400e9 {
		t.Errorf("100,000 classes take %v bytes", got)
	}
}
