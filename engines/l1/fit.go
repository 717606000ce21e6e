package l1

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/kind"
	"tenfold/engines/loglinear"
)

// Objective is what every engine of this package minimises, as parameters.
type Objective struct {
	C1    float64 `yaml:"c1" doc:"strength of the L1 penalty on the weights, beside the sum (not the mean) of log-losses, > 0"`
	Ratio float64 `yaml:"c1_ratio" doc:"c1 as a share of the smallest that selects nothing, in (0, 1], instead of c1; 0: c1 counts"`
	C2    float64 `yaml:"c2" doc:"strength of the L2 penalty (half the sum of squares), ≥ 0"`
	Bias  string  `yaml:"bias" doc:"a column of ones: none, free (not penalised), penalized (as every weight)"`
}

func (o Objective) validate() error {
	return errors.Join(
		require("c1", o.C1 > 0 && finite(o.C1), "%v, expected a number above 0; without a penalty separable labels have no finite optimum", o.C1),
		require("c1_ratio", o.Ratio >= 0 && o.Ratio <= 1, "%v, expected a share above 0, at most 1, or 0 where c1 counts", o.Ratio),
		require("c2", o.C2 >= 0 && finite(o.C2), "%v, expected 0 or more", o.C2),
		kind.OneOf("bias", o.Bias, string(NoBias), string(FreeBias), string(PenalizedBias)),
	)
}

// Penalty on a problem, where largest is the smallest C1 that selects nothing (Point.Max).
func (o Objective) Penalty(largest float64) (Penalty, error) {
	pen := Penalty{o.C1, o.C2}
	if o.Ratio > 0 {
		pen.L1 = o.Ratio * largest
	}
	if pen.L1 == 0 {
		return pen, fmt.Errorf("c1_ratio %v: no column tells the labels apart at all, so every penalty selects nothing; give c1", o.Ratio)
	}
	return pen, nil
}

func require(field string, ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return kind.Errorf(field, format, args...)
}

// Path is a regularisation path: penalties fall geometrically from the smallest that selects nothing, each solved from the
// weights of the one before.
type Path struct {
	Steps    int `yaml:"path" doc:"penalties on a warm-started path down to c1, that one included; 0: c1 alone"`
	Features int `yaml:"features" doc:"end the path before more columns than this are selected; 0: no limit"`
}

func (p Path) validate() error {
	return errors.Join(
		require("path", p.Steps >= 0, "%d, expected 0 or more", p.Steps),
		require("features", p.Features >= 0, "%d, expected 0 or more", p.Features),
		require("features", p.Features == 0 || p.Along(), "%d: only a path of penalties (parameter path: 2 or more) can end at a number of features", p.Features),
	)
}

// Along tells whether there is a path.
func (p Path) Along() bool { return p.Steps > 1 }

// Stopping says how far a solver goes.
type Stopping struct {
	Tol     float64 `yaml:"tol" doc:"stop where the duality gap is at most this share of max(1, objective), > 0"`
	MaxIter int     `yaml:"max_iter" doc:"iterations at most, for each penalty"`
}

func (s Stopping) validate() error {
	return errors.Join(
		require("tol", s.Tol > 0 && finite(s.Tol), "%v, expected a number above 0", s.Tol),
		require("max_iter", s.MaxIter > 0, "%d, expected 1 or more", s.MaxIter),
	)
}

// Goal is one problem for a solver.
type Goal struct {
	Penalty
	Stopping
	Workers int
	// Least is the smallest L1 penalty that the point will be asked for after this one; 0: none comes after. Where one does, a
	// solver may leave the gradient of columns that none of the penalties selects as it is.
	Least float64
	// Trace hears of every iteration; nil where nobody listens. w is read-only.
	Trace func(iter int, loss float64, w []float64)
}

// Solver goes from the weights of pt, which it improves, towards the goal. It leaves pt updated: margins, residuals,
// gradient and loss are those of its weights, free biases are at their optimum.
type Solver func(ctx context.Context, pt *Point, goal Goal) (Outcome, error)

// Outcome tells how a solver ended.
type Outcome struct {
	engines.Certificate
	Stop       string // "gap" where the goal was met; otherwise the solver's own word
	Iterations int
	Evaluated  int64 // candidates examined; 0 where that means nothing
	Notes      []string
	Facts      []data.Fact
	Scores     []float64 // what weights are scored by; nil for nothing
}

func (o *Outcome) fact(name, format string, args ...any) {
	o.Facts = append(o.Facts, data.Fact{Name: name, Value: fmt.Sprintf(format, args...)})
}

// needs of an engine that can go along a path.
func (Path) needs() engines.Needs {
	return engines.Needs{Target: data.Class, Sizes: engines.Sizes{Limit: "features"}}
}

// bytes of a fit: margins, residuals, weights, gradient, and the matrix by column.
func bytes(s engines.Shape, layouts, vectors int64) int64 {
	return 8*vectors*int64(s.Columns) + 32*int64(s.Rows) + layouts*12*s.Entries
}

// fit runs a solver on the training rows, along a path where there is one.
func fit(ctx context.Context, run engines.Run, o Objective, path Path, stop Stopping, solve Solver) (engines.Model, error) {
	p, err := Read(run.Train, Bias(o.Bias))
	if err != nil {
		return nil, err
	}
	pt := p.NewPoint(make([]float64, p.Width()))
	largest, err := pt.Max(ctx, run.Workers)
	if err != nil {
		return nil, err
	}
	f := fitting{run: run, pt: pt, solve: solve, stop: stop, path: path, largest: largest}
	if f.penalty, err = o.Penalty(largest); err != nil {
		return nil, err
	}
	if path.Along() {
		return f.along(ctx)
	}
	f.trace(0)
	out, err := solve(ctx, pt, f.goal(f.penalty.L1, func(iter int, loss float64, w []float64) {
		run.Trace.At(f.step(iter, loss, f.active(w), f.penalty.L1))
	}))
	if err != nil {
		return nil, err
	}
	return f.model(out, f.penalty.L1), nil
}

// fitting is one call of fit.
type fitting struct {
	run     engines.Run
	pt      *Point
	solve   Solver
	stop    Stopping
	path    Path
	penalty Penalty
	largest float64 // C_max
}

func (f *fitting) goal(c1 float64, trace func(int, float64, []float64)) Goal {
	return Goal{Penalty: Penalty{c1, f.penalty.L2}, Stopping: f.stop, Workers: f.run.Workers, Trace: trace}
}

func (f *fitting) step(iter int, loss float64, active int, c1 float64) engines.Step {
	return engines.Step{
		Iter: iter, TrainError: loss / f.pt.p.Total(), Active: active, Epsilon: c1, Whole: true, Changed: engines.Coef{Feature: -1},
	}
}

func (f *fitting) trace(iter int) {
	f.run.Trace.At(f.step(iter, f.pt.Loss, f.active(f.pt.W), max(f.penalty.L1, f.largest)))
}

// active is the number of weights of columns that are not zero.
func (f *fitting) active(w []float64) int {
	n := 0
	for _, v := range w[:f.pt.p.Columns()*f.pt.p.Blocks] {
		if v != 0 {
			n++
		}
	}
	return n
}

// selected is the number of columns with a weight.
func (f *fitting) selected() int {
	n, k := 0, f.pt.p.Blocks
	for j := range f.pt.p.Columns() {
		for _, v := range f.pt.W[j*k : (j+1)*k] {
			if v != 0 {
				n++
				break
			}
		}
	}
	return n
}

// along solves every penalty of the path. A model of a given size is the last one with at most so many columns, the same
// that a fit with that limit ends with.
func (f *fitting) along(ctx context.Context) (engines.Model, error) {
	f.trace(0)
	var last engines.Model // before the penalty at hand
	next := 0              // of run.At
	out := Outcome{Certificate: f.pt.Certify(Penalty{f.largest, f.penalty.L2}), Stop: "gap"}
	last = f.model(out, f.largest)
	iterations := 0
	for k := range f.path.Steps {
		goal := f.goal(f.penalty.L1, nil)
		if k < f.path.Steps-1 {
			if f.penalty.L1 >= f.largest {
				continue // nothing is selected anywhere
			}
			goal.L1 = f.largest * math.Pow(f.penalty.L1/f.largest, float64(k+1)/float64(f.path.Steps))
			goal.Least = f.penalty.L1
		}
		c1 := goal.L1
		out, err := f.solve(ctx, f.pt, goal)
		if err != nil {
			return nil, err
		}
		iterations += out.Iterations
		out.Iterations = iterations
		size := f.selected()
		for next < len(f.run.At) && f.run.At[next] < size {
			f.run.Keep(f.run.At[next], last)
			next++
		}
		if f.path.Features > 0 && size > f.path.Features {
			break
		}
		f.run.Trace.At(f.step(k+1, f.pt.Loss, f.active(f.pt.W), c1))
		last = f.model(out, c1)
	}
	for ; next < len(f.run.At); next++ {
		f.run.Keep(f.run.At[next], last)
	}
	return last, nil
}

// model of the point, with its certificate.
func (f *fitting) model(out Outcome, c1 float64) engines.Model {
	fitted := engines.Fitted{Stop: out.Stop, Iterations: out.Iterations, Evaluated: out.Evaluated, Best: -1, Notes: out.Notes}
	fitted.Certificate = &out.Certificate
	fitted.Facts = append(fitted.Facts,
		data.Fact{Name: "c1", Value: fmt.Sprintf("%.6g (selects nothing from %.6g on)", c1, f.largest)},
	)
	fitted.Facts = append(fitted.Facts, out.Facts...)
	m := f.pt.Model(fitted)
	if out.Scores != nil {
		f.pt.p.score(m.Coefs(), out.Scores)
	}
	return m
}

// score sets the scores of coefficients to those of their weights.
func (p *Problem) score(coefs []engines.Coef, scores []float64) {
	for k, c := range coefs {
		at := c.Feature * p.Blocks
		if p.Blocks > 1 {
			at += c.Output
		}
		coefs[k].Score = scores[at]
	}
}

// Model of the weights.
func (pt *Point) Model(fitted engines.Fitted) *loglinear.Model {
	p := pt.p
	var coefs []engines.Coef
	for k, w := range pt.W[:p.Columns()*p.Blocks] {
		if w != 0 {
			coefs = append(coefs, engines.Coef{Feature: k / p.Blocks, Output: p.class(k % p.Blocks), Value: w, Rank: -1})
		}
	}
	bias := make([]float64, p.Classes)
	for b, w := range p.biases(pt.W) {
		bias[p.class(b)] = w
	}
	return loglinear.NewModel(p.Columns(), bias, coefs, fitted)
}

// class of a block.
func (p *Problem) class(block int) int {
	if p.Blocks == 1 {
		return 1
	}
	return block
}
