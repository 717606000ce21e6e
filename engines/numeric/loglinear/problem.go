// Package loglinear implements the conditional log-linear model that every maximum-entropy engine uses:
//
//	p(y|x) = exp(Σ_f λ_f f(x,y)) / Z(x),   f = (column, class): x's value in the column where y is the class, else 0.
//
// A Problem holds the data; a State is a model that grows by one feature at a time and touches only the rows where that feature
// fires (Goodman 2002; Zhou et al. 2003); a Line is the likelihood along one weight, which gives gains; an Objective is the
// posterior of all weights of a set of features, which Estimate maximises. A Model is the result of any of them.
package loglinear

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines/numeric/sparse"
)

// Always is the column that has the value one in every row: its features are the classes' biases.
const Always = -1

// Feature is a pair of a context (a column, or Always) and a class.
type Feature struct{ Column, Class int32 }

// Problem holds rows with class labels. Equal rows are stored once, with their multiplicity and their labels, so that every sum is
// over distinct rows.
type Problem struct {
	X       *sparse.Matrix // distinct rows; those that count once come first
	Classes int
	Weight  float64 // sum of the rows' weights: their number, if each counts once

	mult   []float64 // weights of the distinct rows from once on
	once   int       // rows before this one count once
	labels labels
	all    []int32 // 0, 1, …: the rows of Always
}

// labels holds the classes seen with each distinct row, and their weights.
type labels struct {
	ptr   []int
	class []int32
	count []float64
}

func (l labels) rowLabels(i int) (class []int32, count []float64) {
	return l.class[l.ptr[i]:l.ptr[i+1]], l.count[l.ptr[i]:l.ptr[i+1]]
}

// New returns the problem of the rows of x with their labels in 0..classes−1; weight nil counts every row once. The error is a bad
// label or weight, or the cause of ctx's end. O(nnz).
func New(ctx context.Context, x *sparse.Matrix, y []int32, weight sparse.Weights, classes int) (*Problem, error) {
	rows, _ := x.Dims()
	if err := Check(rows, y, weight, classes); err != nil {
		return nil, err
	}
	number, first := distinctRows(ctx, x)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	mult := make([]float64, len(first))
	for i, k := range number {
		mult[k] += weight.Of(i)
	}
	order := make([]int32, 0, len(first)) // of the distinct rows: those that count once come first
	for k, m := range mult {
		if m == 1 {
			order = append(order, int32(k))
		}
	}
	p := &Problem{X: x, Classes: classes, once: len(order), all: make([]int32, len(first))}
	for k, m := range mult {
		p.Weight += m
		if m != 1 {
			order = append(order, int32(k))
			p.mult = append(p.mult, m)
		}
	}
	rank := make([]int32, len(order))
	for r, k := range order {
		rank[k], p.all[r] = int32(r), int32(r)
	}
	for i, k := range number {
		number[i] = rank[k]
	}
	if len(first) < rows || p.once < len(first) && p.once > 0 {
		pick := make([]int32, len(order))
		for r, k := range order {
			pick[r] = first[k]
		}
		p.X = x.Pick(pick)
	}
	p.labels = gatherLabels(number, y, weight, len(order))
	return p, nil
}

// Check checks that there are rows, each with a label in 0..classes−1 and, unless weight is nil, a positive finite weight. The
// error names the row.
func Check(rows int, y []int32, weight []float64, classes int) error {
	switch {
	case rows == 0:
		return fmt.Errorf("no row to learn from")
	case len(y) != rows:
		return fmt.Errorf("%d labels for %d rows", len(y), rows)
	case weight != nil && len(weight) != rows:
		return fmt.Errorf("%d weights for %d rows", len(weight), rows)
	}
	for i, c := range y {
		if c < 0 || int(c) >= classes {
			return fmt.Errorf("row %d: label %d outside 0..%d", i, c, classes-1)
		}
		if weight != nil && !(weight[i] > 0 && weight[i]-weight[i] == 0) {
			return fmt.Errorf("row %d: weight %v, expected a positive number", i, weight[i])
		}
	}
	return nil
}

// gatherLabels sorts the labels by distinct row and class, and adds up the weights of equal ones.
func gatherLabels(number, y []int32, weight sparse.Weights, n int) labels {
	l := labels{ptr: make([]int, n+1)}
	for _, k := range number {
		l.ptr[k+1]++
	}
	for k := range n {
		l.ptr[k+1] += l.ptr[k]
	}
	byRow, next := make([]int32, len(number)), slices.Clone(l.ptr[:n])
	for i, k := range number {
		byRow[next[k]] = int32(i)
		next[k]++
	}
	start := 0
	for k := range n {
		end := l.ptr[k+1]
		rows := byRow[start:end]
		slices.SortStableFunc(rows, func(a, b int32) int { return int(y[a] - y[b]) })
		start = end
		l.ptr[k] = len(l.class)
		for _, i := range rows {
			if q := len(l.class) - 1; q >= l.ptr[k] && l.class[q] == y[i] {
				l.count[q] += weight.Of(int(i))
				continue
			}
			l.class, l.count = append(l.class, y[i]), append(l.count, weight.Of(int(i)))
		}
	}
	l.ptr[n] = len(l.class)
	return l
}

// Rows returns the number of distinct rows.
func (p *Problem) Rows() int { return len(p.all) }

// Mult returns the multiplicity of distinct row i: the sum of the weights of its rows.
func (p *Problem) Mult(i int) float64 {
	if i < p.once {
		return 1
	}
	return p.mult[i-p.once]
}

// Labels returns the classes seen with distinct row i, rising, and their weights.
func (p *Problem) Labels(i int) (class []int32, weight []float64) { return p.labels.rowLabels(i) }

// Col returns the distinct rows where a context holds, with its values.
func (p *Problem) Col(column int32) sparse.Vec {
	if column == Always {
		return sparse.Vec{Idx: p.all}
	}
	return p.X.Col(int(column))
}
