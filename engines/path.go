package engines

import (
	"context"

	"tenfold/engines/core/elementary"
)

// Pathed is an engine that fits models along one of its parameters, the penalty, at less than the cost of each by itself:
// the next one starts from the last.
type Pathed interface {
	Engine
	// PathParameters are the names that experiment files have for it: of a penalty for instance itself, and its share of the
	// smallest that selects nothing. The first is that of PathValues and AtValue.
	PathParameters() []string
	// PathValues are the usual ones for the training rows, from the null model on.
	PathValues(run Run) (PathRange, error)
	// FitPath fits the engine at each of the points, from the null model on, and hands out every model, of point i, as it is ready.
	// Each is what Fit with that value would give, up to the tolerance of the engine. A path of penalties may end where a model is
	// Saturated, if the points say so: the last one that it hands out stands for those of the values that are left.
	FitPath(ctx context.Context, run Run, points PathPoints, keep func(i int, m Model)) error
	// AtValue is the engine with the parameter set.
	AtValue(value float64) Engine
}

// PathPoints are values at which a path has models.
type PathPoints struct {
	Parameter string // one of PathParameters
	Values    []float64
	MayEnd    bool // where a model is Saturated
}

// PathRange is where a path goes.
type PathRange struct {
	Values []float64   // those that it begins with
	Onward []PathPiece // those that may follow, in this order
	Open   bool        // something lies beyond the last value of all
}

// PathPiece is values by which a path goes on while the best value so far is one of the last Near.
type PathPiece struct {
	Values []float64
	Near   int // at least 1: the last value alone
}

// Where paths of penalties end, as shares of the smallest that selects nothing, is where glmnet's end (lambda.min.ratio; Friedman,
// Hastie and Tibshirani 2010, section 2.5, have 0.001 for all): at 10^-2 in problems of fewer rows than columns, at 10^-4 in others, which
// get there, unlike glmnet, only while the best value is within a decade of the end. The smallest penalties take longest. From there
// on paths go while the last value is the best, to 10^-6.
const (
	decadesAlways = 2
	decadesOfRows = 4
	decadesAtMost = 6
)

// PenaltyPath is penalties that fall geometrically, so many a decade, from the smallest that selects nothing; pieces are half a decade.
func PenaltyPath(largest float64, rows, columns, perDecade int) PathRange {
	between := func(from, to int) (values []float64) {
		for k := from; k <= to; k++ {
			values = append(values, largest*elementary.Pow(10, -float64(k)/float64(perDecade)))
		}
		return values
	}
	r := PathRange{Values: between(0, decadesAlways*perDecade), Open: true}
	for at, end, step := decadesAlways*perDecade, decadesAtMost*perDecade, (perDecade+1)/2; at < end; at += step {
		piece := PathPiece{between(at+1, min(at+step, end)), 1}
		if rows >= columns && at < decadesOfRows*perDecade {
			piece.Near = perDecade
		}
		r.Onward = append(r.Onward, piece)
	}
	return r
}

// unexplained is the share of the null model's loss below which smaller penalties have nothing to win.
const unexplained = 1e-3

// Saturated tells whether a model leaves next to nothing of the loss of the null model, on the training rows: further along a
// path of penalties, coefficients grow and predictions stay what they are. The share is glmnet's; it also ends its paths where
// a step gains less than 1e-5 of what is explained, which on columns of different scales can be far from the last.
func Saturated(loss, null float64) bool { return loss <= unexplained*null }

// EndOfRange stands in the notes of a fit whose tuned parameters have the last value that could be chosen: tables mark it.
const EndOfRange = "at the end of its range"
