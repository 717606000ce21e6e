// Package logits is the problem of log-linear models of classes, which engines add a penalty to and minimise:
//
//	Σ_i m_i [log Z(x_i) − w·φ(x_i, y_i)]
//
// With two classes φ(x, 1) = x and φ(x, 0) = 0: one weight a column. With more, φ(x, y) holds x in block y: one weight a
// column and class. (Two blocks for two classes would have a continuum of optima.) The loss is a sum, not a mean.
//
// Where to look:
//
//   - the problem: problem.go (rows, and how weights are numbered), loss.go and evaluate.go (loss and gradient; by columns and by rows);
//   - a model of it: point.go, free_biases.go and free_columns.go (what has no penalty), columns.go (columns laid out), certificate.go (the
//     duality gap, and safe screening of columns);
//   - solver.go (the goal and outcome of a solver), smooth.go (the objective as package optim sees it), rows.go (as package rowascent does).
package logits

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/loglinear"
	"tenfold/engines/numeric/proximal"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// Problem is rows with class labels. Weights are laid out by column: that of column j and block b is number j·Blocks + b;
// where there are biases, they come last.
type Problem struct {
	X      *sparse.Matrix
	Y      []int32      // 0 up to Classes − 1
	Weight data.Weights // m, positive; nil counts every row once
	// Classes is at least two. Blocks is 1 for the binary form, else Classes.
	Classes, Blocks int
	Bias            Bias

	free        []bool         // by block: its bias is not penalised; nil where none is free
	features    *data.Features // names of the columns, of problems that OfView returns
	factor      []float64      // of the penalties, by column; nil: 1 each
	freeColumns int            // those with the factor 0

	// How X was made of the data's columns; nil: it is theirs. Models are given back on the scale of the data (Point.Model).
	from *scaled.Centered

	cut    []sparse.Strip // X in strips of columns, cached by strips: cut from cutOf for cutFor workers
	cutOf  *sparse.Matrix
	cutFor int
}

// Bias says what the model has beside the columns: a column of ones.
type Bias string

const (
	NoBias        Bias = "none"
	FreeBias      Bias = "free"      // not penalised
	PenalizedBias Bias = "penalized" // as every other weight
)

// New returns the problem of the rows of x with labels in 0..classes−1; weight nil counts every row once. The error names what is
// wrong with which row. O(rows).
func New(x *sparse.Matrix, y []int32, weight []float64, classes int, bias Bias) (*Problem, error) {
	rows, columns := x.Dims()
	if err := loglinear.Check(rows, y, weight, classes); err != nil {
		return nil, err
	}
	if columns == 0 && bias == NoBias {
		return nil, fmt.Errorf("no column to learn from")
	}
	p := &Problem{X: x, Y: y, Weight: weight, Classes: max(2, classes), Blocks: classes, Bias: bias}
	if p.Classes == 2 {
		p.Blocks = 1
	}
	seen := make([]bool, p.Classes)
	for _, c := range y {
		seen[c] = true
	}
	if bias == FreeBias {
		p.freeBiasesOf(seen)
	}
	return p, nil
}

// freeBiasesOf frees the biases whose optimum is finite. Where one class has all rows, only a penalty holds its bias. Where a
// class has none, free biases of all others would push its probability to zero: one of them, the first, is penalised too.
func (p *Problem) freeBiasesOf(seen []bool) {
	classes := 0
	for _, s := range seen {
		if s {
			classes++
		}
	}
	p.free = make([]bool, p.Blocks)
	for b := range p.free {
		p.free[b] = classes > 1 && (p.Blocks == 1 || seen[b])
	}
	if p.Blocks > 1 && classes < p.Classes {
		p.free[slices.Index(seen, true)] = false
	}
}

// Read returns the problem of a view's only target, over the rows where it is defined.
func Read(v *data.View, bias Bias) (*Problem, error) {
	target := v.TargetInfo(0)
	v, y, err := v.LevelsOf(0)
	if err != nil {
		return nil, err
	}
	p, err := New(v.FilledMatrix(), y, v.Weights(), len(target.Levels), bias)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", target.Name, err)
	}
	return p.OfView(v), nil
}

// Centered returns the problem with its columns centred where that changes nothing but the biases, which is where all of them are
// free: solvers crawl where means exceed deviations. With standardize, the penalty is that of columns divided by their
// standard deviation. The error is the cause of ctx's end. O(nnz).
func (p *Problem) Centered(ctx context.Context, standardize bool) (*Problem, error) {
	center := scaled.Unmoved
	if p.AllBiasesFree() {
		center = scaled.Middle
	}
	from, err := scaled.Center(ctx, p.X, p.Weight, center, standardize)
	if err != nil || from.X == p.X {
		return p, err
	}
	q := *p
	q.X, q.from = from.X, from
	return &q, nil
}

// Alone returns the problem for a goroutine of its own: what it computes on the way and keeps is not shared.
func (p *Problem) Alone() *Problem {
	q := *p
	return &q
}

// Columns returns the number of columns of X.
func (p *Problem) Columns() int { _, c := p.X.Dims(); return c }

// Rows returns the number of rows.
func (p *Problem) Rows() int { return len(p.Y) }

// Width returns the number of weights, biases included.
func (p *Problem) Width() int {
	n := p.Columns() * p.Blocks
	if p.Bias != NoBias {
		n += p.Blocks
	}
	return n
}

// NewSteps returns Newton steps on weights of the problem, none taken.
func (p *Problem) NewSteps() *proximal.Newton {
	return proximal.New(proximal.Rows{Y: p.Y, Weight: p.Weight, Blocks: p.Blocks, Full: p.X.IsFull()}, p)
}

// Biases returns the last weights, those of the column of ones; empty where there is none.
func (p *Problem) Biases(w []float64) []float64 { return w[p.Columns()*p.Blocks:] }

// Free reports whether weight k is not penalised.
func (p *Problem) Free(k int) bool {
	b := k - p.Columns()*p.Blocks
	if b < 0 {
		return p.freeColumns > 0 && p.factor[k/p.Blocks] == 0
	}
	return p.free != nil && p.free[b]
}

// AnyFree reports whether some weight is not penalised.
func (p *Problem) AnyFree() bool { return p.freeColumns > 0 || p.AnyFreeBias() }

// AnyFreeBias reports whether some bias is not penalised.
func (p *Problem) AnyFreeBias() bool { return slices.Contains(p.free, true) }

// AllBiasesFree reports whether no bias is penalised, and there are biases.
func (p *Problem) AllBiasesFree() bool { return p.AnyFreeBias() && !slices.Contains(p.free, false) }

// Total returns the sum of the rows' weights.
func (p *Problem) Total() float64 { return p.Weight.Sum(len(p.Y)) }

// Class returns that of a block.
func (p *Problem) Class(block int) int {
	if p.Blocks == 1 {
		return 1
	}
	return block
}

// Restrict returns the problem of the given columns (rising). Its weights are those columns', then the biases.
func (p *Problem) Restrict(columns []int32) *Problem {
	q := p.WithFactors(data.ValuesAt(p.factor, columns))
	q.X = p.X.Keep(columns)
	return q
}

// Gather returns a copy of the weights of some columns and the biases.
func (p *Problem) Gather(w []float64, columns []int32) []float64 {
	k := p.Blocks
	out := make([]float64, 0, len(columns)*k+k)
	for _, j := range columns {
		out = append(out, w[int(j)*k:(int(j)+1)*k]...)
	}
	return append(out, p.Biases(w)...)
}

// Scatter writes back what Gather returned.
func (p *Problem) Scatter(w, from []float64, columns []int32) {
	k := p.Blocks
	for q, j := range columns {
		copy(w[int(j)*k:(int(j)+1)*k], from[q*k:])
	}
	copy(p.Biases(w), from[len(columns)*k:])
}
