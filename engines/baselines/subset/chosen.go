package subset

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/softmax"
)

// Ridge is the parameter of the plain model on columns that were chosen.
type Ridge struct {
	Ridge float64 `yaml:"ridge" doc:"weight of half the sum of squared slopes in the logistic regression of classes on the columns kept (numbers are fitted by least squares); 0: a tenth of their number, each divided by its standard deviation, which stands for logarithms of odds with a variance of ten"`
}

// Validate checks the parameter.
func (r Ridge) Validate() error { return checkRidge(r.Ridge) }

// level is the share by which scores may differ that count as equal.
const level = 1e-9

// ByScore returns the columns that score more than least, best first. Columns whose scores are equal to the best of them, but for rounding,
// stand by their numbers. O(columns · log columns).
func ByScore(score []float64, least float64) []int32 {
	var order []int32
	for j, s := range score {
		if s > least {
			order = append(order, int32(j))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(score[b], score[a]) })
	for first := 0; first < len(order); {
		last, enough := first+1, Almost(score[order[first]])
		for last < len(order) && score[order[last]] >= enough {
			last++
		}
		slices.Sort(order[first:last])
		first = last
	}
	return order
}

// Almost returns the smallest score that counts as equal to a larger one.
func Almost(score float64) float64 { return score - float64(level*max(score, -score)) }

// Best returns the open column with the largest score, the first of those that are equal to it but for rounding; −1 where none is open.
// O(columns).
func Best(score []float64, open []bool) int {
	most := -1
	for j, s := range score {
		if open[j] && (most < 0 || s > score[most]) {
			most = j
		}
	}
	if most < 0 {
		return -1
	}
	enough := Almost(score[most])
	for j := range most {
		if open[j] && score[j] >= enough {
			return j
		}
	}
	return most
}

// Path returns the plain model on the n columns that were chosen, and those on fewer that the run asks for. Of any number up to n, best is
// the columns, rising, with their ranks and scores, and what there is to say of them.
func Path(ctx context.Context, run engines.Run, n int, ridge float64, best func(n int) ([]engines.Coef, engines.Fitted)) (engines.Model, error) {
	smaller, reached := slices.BinarySearch(run.At, n)
	for _, size := range run.At[:smaller] {
		chosen, fitted := best(size)
		m, err := Plain(ctx, run, chosen, ridge, fitted)
		if err != nil {
			return nil, err
		}
		run.Keep(size, m)
	}
	chosen, fitted := best(n)
	m, err := Plain(ctx, run, chosen, ridge, fitted)
	if err == nil && reached {
		run.Keep(n, m)
	}
	return m, err
}

// Plain returns the plain model on the columns chosen, rising, as one on all of them, with their ranks and scores.
func Plain(ctx context.Context, run engines.Run, chosen []engines.Coef, ridge float64, fitted engines.Fitted) (engines.Model, error) {
	all, columns := run.Train.Columns(), make([]int32, len(chosen))
	for k, c := range chosen {
		columns[k] = int32(c.Feature)
	}
	if run.Train = run.Train.Narrow(columns, 0).Alike(); run.Train.TargetInfo(0).Type == data.Survival {
		run.Trace = nil // steps of cox are of a penalty that is no parameter here
	}
	fit, err := For(run.Train, ridge).Fit(ctx, run)
	if err != nil {
		return nil, err
	}
	if constant, ok := fit.(*engines.Shares); ok {
		return engines.NewShares(constant.Share(), fitted), nil
	}
	m, ok := fit.(interface {
		engines.Model
		engines.Reporter
		Bias(output int) float64
	})
	if !ok {
		return nil, fmt.Errorf("the model on the columns kept is a %T, expected one with weights", fit)
	}
	bias, coefs := make([]float64, m.Outputs()), slices.Clone(m.Coefs())
	for k := range bias {
		bias[k] = m.Bias(k)
	}
	for k := range coefs {
		choice := chosen[coefs[k].Feature]
		coefs[k].Feature, coefs[k].Rank, coefs[k].Score = choice.Feature, choice.Rank, choice.Score
	}
	plain := m.Fitted()
	fitted.Iterations, fitted.Probabilities, fitted.Notes = plain.Iterations, plain.Probabilities, append(fitted.Notes, plain.Notes...)
	fitted.Baseline = plain.Baseline
	if _, ok := fit.(*softmax.Model); ok {
		return softmax.NewModel(all, bias, coefs, fitted), nil
	}
	return engines.NewLinear(all, bias, coefs, fitted), nil
}
