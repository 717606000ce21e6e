package car

import (
	"context"
	"errors"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/survival"
	"tenfold/engines/param"
)

// CARS is the parameters of the engine cars.
type CARS struct {
	Cap           float64 `yaml:"cap" doc:"the largest weight of a row, which is one over the probability to be uncensored until its time, at least 1"`
	Denominator   string  `yaml:"denominator" doc:"of weighted means: weights (their sum, so that the unit of time does not matter), or rows (their number, as in the R package carSurv)"`
	Decorrelation `yaml:",inline"`
}

// Words of parameter denominator.
const (
	byWeights = "weights"
	byRows    = "rows"
)

// SurvivalKind is the engine cars.
var SurvivalKind = engines.Define(engines.Kind{
	Name: "cars",
	Doc:  "Cox regression on the columns that correlate most with the logarithm of times once all columns have been made uncorrelated, each event weighted by what censoring hides",
	Cite: "Welchowski, Zuber & Schmid 2019; Schäfer & Strimmer 2005",
	Rev:  1,
}, CARS{Cap: 10, Denominator: byWeights, Decorrelation: usual})

// Validate checks the parameters.
func (e CARS) Validate() error {
	return errors.Join(
		param.Require("cap", e.Cap >= 1 && elementary.IsFinite(e.Cap), "%v, expected a number of at least 1", e.Cap),
		param.OneOf("denominator", e.Denominator, byWeights, byRows),
		e.validate(),
	)
}

// Needs returns what the engine asks of data: a survival target.
func (CARS) Needs() engines.Needs {
	return engines.Needs{Target: data.Survival, Sizes: engines.Sizes{Limit: "features", Ranked: true}, Keeps: true, Unweighted: true}
}

// Footprint returns the memory of a fit.
func (CARS) Footprint(s engines.Shape) engines.Footprint { return footprint(s) }

// Fit ranks, keeps and fits. O(rows · columns · the smaller of both) with an estimated share of the identity, else O(rows · columns) for each of some
// dozens of steps; and Cox's model.
func (e CARS) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.filter().Fit(ctx, run)
}

// Choose ranks and keeps.
func (e CARS) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return e.filter().Choose(ctx, run)
}

func (e CARS) filter() ranking.Filter {
	return ranking.Filter{Rank: e.rank, Count: ranking.CountUpTo(e.Features), Ridge: e.Ridge.Ridge}
}

// rank scores the columns by ω², ω = R_λ^(−1/2)·r in [−1, 1], with r their weighted correlations with the logarithm of the time. λ is that of the
// columns alone (Welchowski, Zuber & Schmid 2019, section 2.3). Positive ω stand for longer times.
func (e CARS) rank(ctx context.Context, run engines.Run) (*ranking.Ranking, error) {
	rows, times := run.Train.Defined(0)
	return e.rankBy(ctx, run, rows, func(c *columns) (omega []float64, lambda float64, err error) {
		u, err := e.weightedResponse(times, run.Train.Events(0))
		if err != nil {
			return nil, 0, err
		}
		if lambda = e.Shrink; lambda == estimated {
			lambda = c.shrinkage(ctx, nil)
		}
		omega, err = c.decorrelate(ctx, c.correlationsWith(u), lambda)
		for j, w := range omega {
			omega[j] = max(-1, min(1, w))
		}
		return omega, lambda, err
	})
}

// weightsOf returns 1/G(t−) of each event, at most the cap, and 0 of censored times, with G Kaplan and Meier's estimate of the probability to be
// uncensored.
func (e CARS) weightsOf(times []float64, events []int8) []float64 {
	g, weight := survival.CensoringFunction(times, events, nil), make([]float64, len(times))
	for i, t := range times {
		if events[i] != 0 {
			weight[i] = min(e.Cap, 1/g.Before(t))
		}
	}
	return weight
}

// weightedResponse returns u with r_j = Σ_i z_ij·u_i the weighted correlation of a column with the logarithm of the time: u_i = w_i·(log t_i −
// m)/(W·s), where m is the weighted mean, and s² the weighted variance, about it. All are 0 if all events are at one time.
func (e CARS) weightedResponse(times []float64, events []int8) ([]float64, error) {
	weight, total, mean, count := e.weightsOf(times, events), 0.0, 0.0, 0
	logs := make([]float64, len(times))
	for i, w := range weight {
		logs[i] = elementary.Log(times[i])
		total += w
		mean += float64(w * logs[i])
		count += int(events[i])
	}
	if count == 0 {
		return nil, survival.ErrNoEvent
	}
	if e.Denominator == byRows {
		total = float64(len(times))
	}
	mean /= total
	variance := 0.0
	for i, w := range weight {
		variance += float64(w * (logs[i] - mean) * (logs[i] - mean))
	}
	variance /= total
	u := make([]float64, len(times))
	if !(variance > 1e-24*mean*mean) {
		return u, nil
	}
	for i, w := range weight {
		u[i] = w * (logs[i] - mean) / float64(total*math.Sqrt(variance))
	}
	return u, nil
}
