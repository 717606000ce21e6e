package engines

import (
	"context"

	"tenfold/engines/numeric/elementary"
)

// Pathed is implemented by engines that fit a path of models along one parameter, the penalty, with warm starts: the path costs less than
// its models one by one.
type Pathed interface {
	Engine
	// PathParameters returns the names of the parameter in experiment files, e.g. that of the penalty and that of its ratio to λ_max.
	// PathValues and AtValue are in terms of the first.
	PathParameters() []string
	// PathValues returns the default path for the training rows, beginning with the null model.
	PathValues(run Run) (PathRange, error)
	// FitPath fits the engine at each point, beginning with the null model, and calls keep with the model of point i when it is ready.
	// Each model is what Fit returns for that value, up to the engine's tolerance. If points.MayEnd is set, the path may end with a
	// Saturated model, which then stands for the remaining values.
	FitPath(ctx context.Context, run Run, points PathPoints, keep func(i int, m Model)) error
	// AtValue returns the engine with the parameter set to a value.
	AtValue(value float64) Engine
}

// PathPoints are the points at which a path returns models.
type PathPoints struct {
	Parameter string // one of PathParameters
	Values    []float64
	MayEnd    bool // the path may end with a Saturated model
}

// PathRange is a path that may be extended while its last values are the best.
type PathRange struct {
	Values []float64   // the first values
	Onward []PathPiece // extensions, in this order
	Open   bool        // values beyond the last extension would be valid
}

// PathPiece extends a path if the best value so far is one of the last Near.
type PathPiece struct {
	Values []float64
	Near   int // at least 1: the last value alone
}

// Paths end at glmnet's lambda.min.ratio (Friedman, Hastie and Tibshirani 2010, section 2.5, have 0.001 for all problems): at 10^-2 λ_max
// with fewer rows than columns, else at 10^-4. Unlike glmnet's, paths to 10^-4 go beyond 10^-2 only while the best value is within a decade
// of the end, since the smallest penalties take longest. Beyond these ends, all paths go on while the last value is the best, to 10^-6.
const (
	decadesAlways = 2
	decadesOfRows = 4
	decadesAtMost = 6
)

// PenaltyPath returns penalties that fall geometrically from largest (λ_max), perDecade for each decade, in extensions of half a decade.
func PenaltyPath(largest float64, rows, columns, perDecade int) PathRange {
	between := func(from, to int) (values []float64) {
		for k := from; k <= to; k++ {
			values = append(values, largest*elementary.Pow(10, -float64(k)/float64(perDecade)))
		}
		return values
	}
	r := PathRange{Values: between(0, decadesAlways*perDecade), Open: true}
	for first, end, step := decadesAlways*perDecade, decadesAtMost*perDecade, (perDecade+1)/2; first < end; first += step {
		piece := PathPiece{between(first+1, min(first+step, end)), 1}
		if rows >= columns && first < decadesOfRows*perDecade {
			piece.Near = perDecade
		}
		r.Onward = append(r.Onward, piece)
	}
	return r
}

// unexplained is the share of the null model's loss below which smaller penalties cannot gain anything.
const unexplained = 1e-3

// Saturated reports whether a model leaves less than a thousandth of the null model's loss on the training rows: for smaller penalties,
// coefficients grow and predictions hardly change. The share is glmnet's. glmnet also ends a path where a step explains less than 1e-5
// more, which on columns of different scales can be far from the end; paths here do not.
func Saturated(loss, null float64) bool { return loss <= unexplained*null }

// EndOfRange is in the notes of a fit for which tuning chose the last value of its range; tables mark such fits.
const EndOfRange = "at the end of its range"
