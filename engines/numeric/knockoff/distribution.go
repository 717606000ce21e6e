// Package knockoff draws knockoffs of columns: columns X̃ with the means and covariances of the columns X, and the same covariances
// with X as X has itself, except that those of X_j and X̃_j are less by s_j, drawn without regard to any response. If the rows are
// normal with a known distribution, they are exchangeable with the columns, pair by pair (Candès, Fan, Janson and Lv 2018, JRSS B
// 80, section 3).
//
// distribution.go estimates the distribution of the columns, with correlations shrunk until they are invertible (Schäfer and
// Strimmer 2005); sdp.go chooses the s that make knockoffs as different from their columns as possible; dense.go and low.go draw,
// with matrices of columns × columns and rows × rows.
package knockoff

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines/numeric/correlation"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// Options sets how the distribution is estimated.
type Options struct {
	Shrink float64 // λ, the share of the identity in the correlations, in [0, 1]; below 0 it is estimated
	SDP    bool    // maximise the sum of s_j by a semidefinite program; else all s_j are equal
	Low    bool    // without a matrix of columns × columns; not with SDP
	Order  []int32 // the columns in the order in which knockoffs of them are drawn; nil: rising
}

// mostSDP is the maximum number of columns for the semidefinite program: for 500 correlated ones it takes about a second, for twice
// as many eight times that.
const mostSDP = 500

// Distribution is the normal distribution estimated from the rows of a matrix, of the columns that vary.
type Distribution struct {
	Columns  []int32   // that vary, in order
	Mean, SD []float64 // of each, with n − 1
	Shrunk   float64   // λ
	S        []float64 // of each column, on the scale of correlations: 1 minus the correlation with its knockoff

	z    [][]float64 // the rows, standardised
	rule conditional
}

// conditional is the distribution of the knockoffs of standardised rows.
type conditional interface {
	// conditionalMeans prepares draws of knockoffs of rows, either the training rows or others.
	conditionalMeans(ctx context.Context, workers int, z [][]float64, training bool) [][]float64
	// draw draws knockoffs of rows z, given the conditionalMeans of them.
	draw(ctx context.Context, workers int, z, given [][]float64, normal func() float64) [][]float64
}

// Learn estimates the distribution of the columns of x, which has at least two rows, of finite values. O(rows · columns · the
// smaller of both), and without Low O(columns³), with SDP a few dozen times.
func Learn(ctx context.Context, workers int, x *sparse.Matrix, o Options) (*Distribution, error) {
	l, err := moments(x, o.Order)
	if err != nil {
		return nil, err
	}
	if len(l.Columns) == 0 {
		return nil, fmt.Errorf("no column varies in the training rows")
	}
	if p := len(l.Columns); o.SDP && p > mostSDP {
		return nil, fmt.Errorf("the semidefinite program takes up to %d columns, and %d vary in the training rows; expected s: equi", mostSDP, p)
	}
	if o.Low {
		err = l.learnLow(ctx, workers, o)
	} else {
		err = l.learnDense(ctx, workers, o)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return l, err
}

// moments computes the moments of the columns that vary, and standardises the rows by them.
func moments(x *sparse.Matrix, order []int32) (*Distribution, error) {
	mean, squares, n, err := scaled.Moments(x, nil)
	if err != nil {
		return nil, err
	}
	if order == nil {
		order = make([]int32, len(mean))
		for j := range order {
			order[j] = int32(j)
		}
	}
	l := &Distribution{}
	for _, j := range order {
		if ss := squares[j]; ss > 0 {
			l.Columns = append(l.Columns, j)
			l.Mean = append(l.Mean, mean[j])
			l.SD = append(l.SD, math.Sqrt(ss/(n-1)))
		}
	}
	l.z = l.standardised(x)
	return l, nil
}

// standardised returns the standardised rows of a matrix that has the columns of the training rows.
func (l *Distribution) standardised(x *sparse.Matrix) [][]float64 {
	rows, columns := x.Dims()
	z, raw := make([][]float64, rows), make([]float64, columns)
	for i := range z {
		z[i] = make([]float64, len(l.Columns))
		row := x.Row(i)
		row.AddTo(raw, 1)
		for k, j := range l.Columns {
			z[i][k] = (raw[j] - l.Mean[k]) / l.SD[k]
		}
		for _, j := range row.Idx {
			raw[j] = 0
		}
	}
	return z
}

// shrink sets λ, estimated unless it is given. squares is Σ over j ≠ k of (Σ_i z_ij·z_ik)².
func (l *Distribution) shrink(given, squares float64) {
	if l.Shrunk = given; given < 0 {
		l.Shrunk = correlation.Shrinkage(l.z, squares)
	}
}

// Rows holds rows of which knockoffs can be drawn any number of times.
type Rows struct {
	distribution *Distribution
	z, given     [][]float64
}

// Training returns the training rows.
func (l *Distribution) Training(ctx context.Context, workers int) *Rows {
	return &Rows{l, l.z, l.rule.conditionalMeans(ctx, workers, l.z, true)}
}

// Of returns the rows of a matrix with the columns of the training rows.
func (l *Distribution) Of(ctx context.Context, workers int, x *sparse.Matrix) *Rows {
	z := l.standardised(x)
	return &Rows{l, z, l.rule.conditionalMeans(ctx, workers, z, false)}
}

// Standardised returns the standardised rows, of the columns that vary.
func (r *Rows) Standardised() [][]float64 { return r.z }

// Draw draws a knockoff of each column that varies, row by row, standardised as the columns are: times SD, plus Mean, it has their
// units. normal is called for standard normal numbers in one order, whatever the number of goroutines. The result is invalid if ctx
// has ended. O(rows · columns · the smaller of the training rows and the columns).
func (r *Rows) Draw(ctx context.Context, workers int, normal func() float64) [][]float64 {
	return r.distribution.rule.draw(ctx, workers, r.z, r.given, normal)
}

func newRows(n, columns int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, columns)
	}
	return rows
}
