package naivebayes

import (
	"context"
	"fmt"
	"math"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
)

// counts of the training rows, weighted by their multiplicities.
type counts struct {
	cells  []float64 // N_cj, by column and class: sum of values, or of rows that have one
	total  []float64 // by class, over columns
	rows   []float64 // n_c, by class
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
	c := &counts{cells: make([]float64, v.Columns()*classes), total: make([]float64, classes), rows: make([]float64, classes), occurs: make([]bool, v.Columns())}
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
			c.cells[int(j)*classes+int(class)] += float64(m * x)
			if x > 0 {
				c.occurs[j] = true
			}
		}
		c.rows[class] += m
		c.n += m
	}
	for j := range c.occurs {
		for k, x := range c.column(j) {
			c.total[k] += x
		}
	}
	return c, nil
}

// column returns N_cj of column j, by class.
func (c *counts) column(j int) []float64 {
	classes := len(c.rows)
	return c.cells[j*classes : (j+1)*classes : (j+1)*classes]
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

// weights returns those of columns that occur, by column and class, and the classes' biases: a row's score is bias + Σ x_j·weight_j, the
// logarithm of a probability up to a constant. With v columns that occur, and smoothing α,
//
//	multinomial  log (N_cj + α)/(N_c + α·v)
//	bernoulli    log p/(1−p), p = (N_cj + α)/(n_c + 2α); bias + Σ_j log(1−p)
//	complement   −log (N_j − N_cj + α)/(N − N_c + α·v), with norm divided by the sum over j
func (e NaiveBayes) weights(c *counts) (weights, bias []float64) {
	classes := len(c.rows)
	weights, bias = make([]float64, len(c.cells)), make([]float64, classes)
	whole, all := e.sums(c)
	v, norm, small := float64(c.seen()), make([]float64, classes), newSmallCounts(classes)
	for j, occurs := range c.occurs {
		if !occurs {
			continue
		}
		for k, x := range c.column(j) {
			w := &weights[j*classes+k]
			if e.Event == complement {
				*w = -elementary.Log((whole[j] - x + e.Smooth) / (all - c.total[k] + float64(e.Smooth*v)))
				norm[k] += *w
				continue
			}
			logs := small.find(k, x)
			if !logs.known && e.Event == multinomial {
				logs.weight = elementary.Log((x + e.Smooth) / (c.total[k] + float64(e.Smooth*v)))
			} else if !logs.known {
				with, without := x+e.Smooth, c.rows[k]-x+e.Smooth
				logs.weight, logs.bias = elementary.Log(with/without), elementary.Log(without/(c.rows[k]+2*e.Smooth))
			}
			logs.known = true
			*w = logs.weight
			bias[k] += logs.bias
		}
	}
	for k, sum := range norm {
		if e.Norm && sum > 0 {
			for q := k; q < len(weights); q += classes {
				weights[q] /= sum
			}
		}
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

// smallCounts are the logarithms of a count in a class, of whole numbers below smallest: of many columns, most counts are these.
type smallCounts struct {
	logs  []logarithms // by class and count
	other logarithms   // of another count
}

type logarithms struct {
	known        bool
	weight, bias float64 // of a column that has the count
}

const smallest = 64

func newSmallCounts(classes int) *smallCounts {
	return &smallCounts{logs: make([]logarithms, classes*smallest)}
}

// find returns the logarithms of count x in class k, perhaps not known yet.
func (s *smallCounts) find(k int, x float64) *logarithms {
	if n := int32(x); x < smallest && float64(n) == x {
		return &s.logs[k*smallest+int(n)]
	}
	s.other = logarithms{}
	return &s.other
}

// sums returns the sums over the classes, of each column and of all.
func (e NaiveBayes) sums(c *counts) (column []float64, all float64) {
	column = make([]float64, len(c.occurs))
	for j := range column {
		for _, x := range c.column(j) {
			column[j] += x
		}
	}
	for _, total := range c.total {
		all += total
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

// toLogOdds turns weights into coefficients: of two classes the second's weights against the first's, of several each one's against the
// mean over the classes that have rows. The classes' probabilities are the same, and a column that all classes have alike has
// no coefficient.
func (c *counts) toLogOdds(weights []float64) {
	known := c.known()
	against, classes := known, len(c.rows)
	if classes == 2 && len(known) == 2 {
		against, known = known[:1], known[1:]
	}
	row := make([]float64, classes)
	for j, occurs := range c.occurs {
		if !occurs {
			continue
		}
		mean, column := 0.0, weights[j*classes:(j+1)*classes]
		for _, k := range against {
			mean += column[k] / float64(len(against))
		}
		clear(row)
		for _, k := range known {
			row[k] = column[k] - mean
		}
		copy(column, row)
	}
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
