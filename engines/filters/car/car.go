// Package car scores columns by their correlations with the response after the columns have been made uncorrelated, so that columns that go
// together share what they say: CAR scores of numbers (Zuber & Strimmer 2011, High-dimensional regression and variable selection using CAR scores,
// SAGMB 10), in this file, and of times (Welchowski, Zuber & Schmid 2019, Correlation-adjusted regression survival scores for high-dimensional
// variable selection, Statistics in Medicine 38), in cars.go. decorrelation.go has what both share.
package car

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/param"
)

// Decorrelation is the parameters that the engines share.
type Decorrelation struct {
	Shrink       float64 `yaml:"shrink" doc:"share of the identity in the correlations, in [0, 1]; −1: estimated (Schäfer & Strimmer 2005). 0 needs more rows than columns"`
	Features     int     `yaml:"features" simpler:"smaller,0 last" doc:"columns at most, of those that score above 0; 0: no limit; −1: a hundred, at most half of the columns and the root of the training rows"`
	subset.Ridge `yaml:",inline"`
}

// estimated stands for the λ that follows from the data.
const estimated = -1

var usual = Decorrelation{Shrink: estimated, Features: subset.ByDefault}

func (d Decorrelation) validate() error {
	return errors.Join(
		param.Require("shrink", d.Shrink == estimated || d.Shrink >= 0 && d.Shrink <= 1, "%v, expected a share from 0 to 1, or −1 to estimate it", d.Shrink),
		subset.CheckSize(d.Features), d.Ridge.Validate(),
	)
}

// floor is what a score must be above: less is rounding.
const floor = 1e-12

// CAR is the parameters of the engine car.
type CAR struct {
	Decorrelation `yaml:",inline"`
}

// Kind is the engine car.
var Kind = engines.Define(engines.Kind{
	Name: "car",
	Doc:  "least squares on the columns that correlate most with a number once all columns have been made uncorrelated: their shares of its explained variance",
	Cite: "Zuber & Strimmer 2011; Schäfer & Strimmer 2005",
	Rev:  1,
}, CAR{usual})

// Validate checks the parameters.
func (e CAR) Validate() error { return e.validate() }

// Needs returns what the engine asks of data: one number.
func (CAR) Needs() engines.Needs {
	return engines.Needs{Target: data.Real, Sizes: engines.Sizes{Limit: "features", Ranked: true}, Keeps: true, Unweighted: true}
}

// Footprint returns the memory of a fit.
func (CAR) Footprint(s engines.Shape) engines.Footprint { return footprint(s) }

// footprint returns the memory of all values, by column and by row, their products, and a hundred vectors of columns.
func footprint(s engines.Shape) engines.Footprint {
	rows, columns := int64(s.Rows), int64(s.Columns)
	smaller := min(rows, columns)
	return engines.Footprint{Bytes: 16*rows*columns + 4*smaller*smaller + 800*columns}
}

// Fit ranks, keeps and fits. O(rows · columns · the smaller of both) with an estimated share of the identity, else O(rows · columns) for each of some
// dozens of steps; and least squares.
func (e CAR) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.filter().Fit(ctx, run)
}

// Choose ranks and keeps.
func (e CAR) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return e.filter().Choose(ctx, run)
}

func (e CAR) filter() ranking.Filter {
	return ranking.Filter{Rank: e.rank, Count: ranking.CountUpTo(e.Features), Ridge: e.Ridge.Ridge}
}

// rank scores the columns by ω², ω = R_λ^(−1/2)·(1 − λ)·r, with r their correlations with the response (Zuber & Strimmer 2011, equations 8 and
// 12). λ is that of the response and the columns together. Without λ the scores sum to the R² of least squares.
func (e CAR) rank(ctx context.Context, run engines.Run) (*ranking.Ranking, error) {
	rows, y := run.Train.Defined(0)
	response := standardized(y)
	return e.rankBy(ctx, run, rows, func(c *columns) (omega []float64, lambda float64, err error) {
		if lambda = e.Shrink; lambda == estimated {
			lambda = c.shrinkage(ctx, response)
		}
		if response == nil {
			return make([]float64, len(c.z)), lambda, nil
		}
		r := c.correlationsWith(response)
		for j := range r {
			r[j] *= (1 - lambda) / float64(c.rows-1)
		}
		omega, err = c.decorrelate(ctx, r, lambda)
		return omega, lambda, err
	})
}

// standardized returns (y − ȳ)/s, with the standard deviation s by n − 1; nil if y is constant.
func standardized(y []float64) []float64 {
	mean, out := dense.Sum(y)/float64(len(y)), make([]float64, len(y))
	for i, v := range y {
		out[i] = v - mean
	}
	sd := math.Sqrt(dense.Dot(out, out) / float64(len(y)-1))
	if !(sd > 1e-12*math.Abs(mean)) {
		return nil
	}
	for i := range out {
		out[i] /= sd
	}
	return out
}

// rankBy ranks the columns by the squares of their adjusted correlations ω, which score returns with their λ.
func (d Decorrelation) rankBy(ctx context.Context, run engines.Run, rows *data.View, score func(c *columns) (omega []float64, lambda float64, err error)) (*ranking.Ranking, error) {
	name := run.Train.TargetInfo(0).Name
	if run.Train.Weights() != nil {
		return nil, fmt.Errorf("correlations count every row once, but the rows have weights")
	}
	if rows.Len() < 3 {
		return nil, fmt.Errorf("target %s: correlations need at least 3 rows, found %d", name, rows.Len())
	}
	c, err := standardize(rows, run.Workers)
	if err != nil {
		return nil, err
	}
	if d.Shrink == 0 && len(c.z) >= c.rows {
		return nil, fmt.Errorf("the correlations of %d columns over %d training rows have no inverse; expected more rows than columns, or shrink above 0 (−1 estimates it)", len(c.z), c.rows)
	}
	omega, lambda, err := score(c)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", name, err)
	}
	r := &ranking.Ranking{Score: make([]float64, run.Train.Columns())}
	for k, j := range c.number {
		r.Score[j] = float64(omega[k] * omega[k])
	}
	r.Facts = []data.Fact{{Name: "share of the identity in the correlations", Value: fmt.Sprintf("%.4g", lambda)}}
	r.SetOrder(run.Train, floor)
	if lambda == 1 && d.Shrink == estimated && len(r.Order) == 0 {
		r.Notes = []string{"shrink: estimated as 1, so that no correlation is told from chance and no column scores; a shrink below 1 lets them count, and anova ranks columns one by one"}
	}
	return r, nil
}
