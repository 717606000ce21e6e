package judge

import (
	"errors"
	"fmt"
	"math"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// Record counts wins, ties and losses of an algorithm against the baseline on several tasks or data sets: by the differences
// alone, where a tie is a difference of rounding, and how many to either side a test confirms.
type Record struct {
	Won, Tied, Lost       int
	Tested, Better, Worse int
}

// Count counts a comparison.
func (r *Record) Count(v Verdict) {
	switch {
	case math.IsNaN(v.Gain):
		return
	case v.Gain > 0:
		r.Won++
	case v.Gain < 0:
		r.Lost++
	default:
		r.Tied++
	}
	switch {
	case !v.IsInformative():
		return
	case v.Better:
		r.Better++
	case v.Worse:
		r.Worse++
	}
	r.Tested++
}

// Add adds the counts of another record.
func (r Record) Add(o Record) Record {
	return Record{r.Won + o.Won, r.Tied + o.Tied, r.Lost + o.Lost, r.Tested + o.Tested, r.Better + o.Better, r.Worse + o.Worse}
}

// Total returns the number of comparisons counted.
func (r Record) Total() int { return r.Won + r.Tied + r.Lost }

// String returns "45/3/40 (12/4)"; the brackets are left out without tests.
func (r Record) String() string {
	text := fmt.Sprintf("%d/%d/%d", r.Won, r.Tied, r.Lost)
	if r.Tested > 0 {
		text += fmt.Sprintf(" (%d/%d)", r.Better, r.Worse)
	}
	return text
}

// Gain returns how much better the first score is than the second: above 0 if it is better, 0 if they differ by rounding
// alone, NaN if one is NaN.
func Gain(a, b float64, higher bool) float64 {
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
	return Gain(sum[0]/n, sum[1]/n, c.Higher(metric))
}

// Record returns the record of an average against another one, over the tasks or data sets that they average: each by the means
// over its folds, which are tested if there are several.
func (j *Judge) Record(c *Comparison) Record {
	pairs, err := cells.Pairs(c.Cell, c.Other)
	if err != nil || c.Cell.Trouble() != "" || c.Other.Trouble() != "" {
		return Record{}
	}
	mine, others := byRow(c.Cell), byRow(c.Other)
	each := make([]*Comparison, len(pairs))
	for i, p := range pairs {
		a, _ := p[0].Metric(c.Metric)
		b, _ := p[1].Metric(c.Metric)
		each[i] = j.compareTasks(mine[p[0]], others[p[1]], c.Metric)
		each[i].Gain = Gain(a, b, c.Cell.Higher(c.Metric))
	}
	var out Record
	for _, v := range j.decideFamily(each) {
		out.Count(v)
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

// TestWithin returns the test of a single task of an average, over its folds, whichever decides over the tasks.
func TestWithin() *paired.Test { return paired.TestNamed(paired.NameNadeauBengio) }

// compareTasks compares two cells of one task, over its folds.
func (j *Judge) compareTasks(a, b *cells.Cell, metric string) *Comparison {
	out := &Comparison{Cell: a, Other: b, Metric: metric, Err: errWithin}
	if a != nil && b != nil && !a.Averaged && a.Folds > 1 {
		out.Err = j.testFolds(out, func() (*paired.Test, error) { return TestWithin(), nil })
		out.checkResult()
	}
	return out
}
