package comparison

import (
	"errors"
	"fmt"
	"math"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// record counts wins, ties and losses of an algorithm against the baseline on several tasks or data sets: by the differences
// alone, where a tie is a difference of rounding, and how many to either side a test confirms.
type record struct {
	won, tied, lost       int
	tested, better, worse int
}

// addVerdict counts a comparison.
func (r *record) addVerdict(v verdict) {
	switch {
	case math.IsNaN(v.gain):
		return
	case v.gain > 0:
		r.won++
	case v.gain < 0:
		r.lost++
	default:
		r.tied++
	}
	switch {
	case !v.isInformative():
		return
	case v.better:
		r.better++
	case v.worse:
		r.worse++
	}
	r.tested++
}

// addRecord adds the counts of another record.
func (r record) addRecord(o record) record {
	return record{r.won + o.won, r.tied + o.tied, r.lost + o.lost, r.tested + o.tested, r.better + o.better, r.worse + o.worse}
}

func (r record) totalCompared() int { return r.won + r.tied + r.lost }

// String returns "45/3/40 (12/4)"; the brackets are left out without tests.
func (r record) String() string {
	text := fmt.Sprintf("%d/%d/%d", r.won, r.tied, r.lost)
	if r.tested > 0 {
		text += fmt.Sprintf(" (%d/%d)", r.better, r.worse)
	}
	return text
}

// signedGain returns how much better the first score is than the second: above 0 if it is better, 0 if they differ by rounding
// alone, NaN if one is NaN.
func signedGain(a, b float64, higher bool) float64 {
	switch {
	case paired.Tied(a, b):
		return 0
	case higher:
		return a - b
	}
	return b - a
}

// gainOf returns the gain of a cell over another one, between the means over their folds; NaN if these are not the same, or one has
// no value.
func gainOf(c, other *cells.Cell, metric string) float64 {
	if c.Trouble() != "" || other.Trouble() != "" {
		return math.NaN()
	}
	pairs, err := cells.Pairs(c, other)
	if err != nil {
		return math.NaN()
	}
	sum := [2]float64{}
	for _, p := range pairs {
		for k, r := range p {
			v, _ := r.Metric(metric)
			sum[k] += v
		}
	}
	n := float64(len(pairs))
	return signedGain(sum[0]/n, sum[1]/n, c.Higher(metric))
}

// recordOf returns the record of an average against another one, over the tasks or data sets that they average: each by the means
// over its folds, which are tested if there are several.
func (j *judge) recordOf(c *comparison) record {
	pairs, err := cells.Pairs(c.cell, c.other)
	if err != nil || c.cell.Trouble() != "" || c.other.Trouble() != "" {
		return record{}
	}
	own, others := byRow(c.cell), byRow(c.other)
	each := make([]*comparison, len(pairs))
	for i, p := range pairs {
		a, _ := p[0].Metric(c.metric)
		b, _ := p[1].Metric(c.metric)
		each[i] = j.compareTasks(own[p[0]], others[p[1]], c.metric)
		each[i].gain = signedGain(a, b, c.cell.Higher(c.metric))
	}
	var out record
	for _, v := range j.decideFamily(each) {
		out.addVerdict(v)
	}
	return out
}

// byRow returns the cells that the rows of an average stand for; none along a path.
func byRow(c *cells.Cell) map[*results.Row]*cells.Cell {
	out := make(map[*results.Row]*cells.Cell, len(c.Tasks))
	for i, t := range c.Tasks {
		out[c.Rows[i]] = t
	}
	return out
}

var errWithin = errors.New("there is no test within the task")

// withinTest returns the test of a single task of an average, over its folds, whichever decides over the tasks.
func withinTest() *paired.Test { return paired.TestNamed(paired.NameNadeauBengio) }

// compareTasks compares two cells of one task, over its folds.
func (j *judge) compareTasks(a, b *cells.Cell, metric string) *comparison {
	out := &comparison{cell: a, other: b, metric: metric, err: errWithin}
	if a != nil && b != nil && !a.Averaged && a.Folds > 1 {
		out.err = j.testFolds(out, func() (*paired.Test, error) { return withinTest(), nil })
		out.checkResult()
	}
	return out
}
