package naivebayes

import (
	"context"
	"fmt"
	"math"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
)

// counts of the training rows, weighted by their multiplicities.
type counts struct {
	column [][]float64 // N_cj, by class and column: sum of values, or of rows that have one
	total  []float64   // by class, over columns
	rows   []float64   // n_c, by class
	n      float64
	occurs []bool // by column: some training row has it
}

// often is how many rows and entries are passed between two looks at a context.
const often = 4096

func (e NaiveBayes) count(ctx context.Context, v *data.View) (*counts, error) {
	info := v.TargetInfo(0)
	v, level, err := v.LevelsOf(0)
	if err != nil {
		return nil, err
	}
	classes, weight := len(info.Levels), v.Weights()
	c := &counts{column: make([][]float64, classes), total: make([]float64, classes), rows: make([]float64, classes), occurs: make([]bool, v.Columns())}
	for k := range c.column {
		c.column[k] = make([]float64, v.Columns())
	}
	passed := 0 // rows and entries since the last look
	for i, class := range level {
		if passed >= often || i == 0 {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			passed = 0
		}
		row, m := v.Row(i), weight.Of(i)
		passed += 1 + row.Len()
		if e.Event == bernoulli {
			row = present(row)
		}
		for k, j := range row.Idx {
			x := row.At(k)
			if !(x >= 0 && elementary.IsFinite(x)) {
				return nil, fmt.Errorf("row %s, column %s: %v, expected a count of 0 or more, as event %s takes them", v.ID(i), v.Features().Name(int(j)), x, e.Event)
			}
			c.column[class][j] += float64(m * x)
			c.occurs[j] = c.occurs[j] || x > 0
		}
		c.rows[class] += m
		c.n += m
	}
	for k, column := range c.column {
		for _, x := range column {
			c.total[k] += x
		}
	}
	return c, nil
}

// seen returns how many columns occur.
func (c *counts) seen() int {
	n := 0
	for _, yes := range c.occurs {
		if yes {
			n++
		}
	}
	return n
}

// unseen returns a note about classes without a training row.
func (c *counts) unseen(levels []string) []string {
	var names []string
	for k, n := range c.rows {
		if n == 0 {
			names = append(names, levels[k])
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d classes have no training row, and are never predicted: %s", len(names), len(levels), strings.Join(names[:min(10, len(names))], ", "))}
}

// never returns the logarithm of the odds of a class without a row. Complement's scores are no probabilities, and have to be finite.
func (e NaiveBayes) never() float64 {
	if e.Event == complement {
		return -1e100
	}
	return math.Inf(-1)
}

// weights returns those of columns that occur, by class and column, and the classes' biases: a row's score is bias + Σ x_j·weight_j, the
// logarithm of a probability up to a constant. With v columns that occur, and smoothing α,
//
//	multinomial  log (N_cj + α)/(N_c + α·v)
//	bernoulli    log p/(1−p), p = (N_cj + α)/(n_c + 2α); bias + Σ_j log(1−p)
//	complement   −log (N_j − N_cj + α)/(N − N_c + α·v), with norm divided by the sum over j
func (e NaiveBayes) weights(c *counts) (weights [][]float64, bias []float64) {
	v := float64(c.seen())
	bias = make([]float64, len(c.rows))
	whole, all := e.sums(c)
	for k, column := range c.column {
		w, sum := make([]float64, len(column)), 0.0
		for j, x := range column {
			if !c.occurs[j] {
				continue
			}
			switch e.Event {
			case multinomial:
				w[j] = elementary.Log((x + e.Smooth) / (c.total[k] + float64(e.Smooth*v)))
			case bernoulli:
				with, without := x+e.Smooth, c.rows[k]-x+e.Smooth
				w[j] = elementary.Log(with / without)
				bias[k] += elementary.Log(without / (c.rows[k] + 2*e.Smooth))
			case complement:
				w[j] = -elementary.Log((whole[j] - x + e.Smooth) / (all - c.total[k] + float64(e.Smooth*v)))
				sum += w[j]
			}
		}
		if e.Norm && sum > 0 {
			for j := range w {
				w[j] /= sum
			}
		}
		weights = append(weights, w)
		bias[k] += e.prior(c, k)
	}
	mean := 0.0
	for _, k := range c.known() {
		mean += bias[k] / float64(len(c.known()))
	}
	for k, n := range c.rows {
		if n == 0 { // its weights will be the mean's too
			bias[k] = mean + e.never()
		}
	}
	return weights, bias
}

// sums returns the sums over the classes, of each column and of all.
func (e NaiveBayes) sums(c *counts) (column []float64, all float64) {
	column = make([]float64, len(c.occurs))
	for k, one := range c.column {
		for j, x := range one {
			column[j] += x
		}
		all += c.total[k]
	}
	return column, all
}

// prior returns that of a class, as a logarithm.
func (e NaiveBayes) prior(c *counts, class int) float64 {
	if e.Event == complement || e.Prior == uniform {
		return 0
	}
	return elementary.Log(c.rows[class] / c.n)
}

// logOdds returns the coefficients: of two classes the second's weights against the first's, of several each one's against the
// mean over the classes that have rows. The classes' probabilities are the same, and a column that all classes have alike has
// no coefficient.
func (c *counts) logOdds(weights [][]float64) []engines.Coef {
	classes := c.known()
	against := classes
	if len(c.rows) == 2 && len(classes) == 2 {
		against, classes = classes[:1], classes[1:]
	}
	var coefs []engines.Coef
	for j, occurs := range c.occurs {
		if !occurs {
			continue
		}
		mean := 0.0
		for _, k := range against {
			mean += weights[k][j] / float64(len(against))
		}
		for _, k := range classes {
			if w := weights[k][j] - mean; w != 0 {
				coefs = append(coefs, engines.Coef{Feature: j, Output: k, Value: w, Rank: -1})
			}
		}
	}
	return coefs
}

// known returns the classes that have rows.
func (c *counts) known() []int {
	var classes []int
	for k, n := range c.rows {
		if n > 0 {
			classes = append(classes, k)
		}
	}
	return classes
}
