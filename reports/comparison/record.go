package comparison

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// winLossRecord counts wins, ties and losses of an algorithm against the baseline on several tasks or data sets: by the differences
// alone, where a tie is a difference of rounding, and how many to either side a test confirms.
type winLossRecord struct {
	won, tied, lost       int
	tested, better, worse int
}

// addVerdict counts a comparison.
func (r *winLossRecord) addVerdict(v verdict) {
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
func (r winLossRecord) addRecord(o winLossRecord) winLossRecord {
	return winLossRecord{r.won + o.won, r.tied + o.tied, r.lost + o.lost, r.tested + o.tested, r.better + o.better, r.worse + o.worse}
}

func (r winLossRecord) totalCompared() int { return r.won + r.tied + r.lost }

// String returns "45/3/40 (12/4)"; the brackets are left out without tests.
func (r winLossRecord) String() string {
	text := fmt.Sprintf("%d/%d/%d", r.won, r.tied, r.lost)
	return text + ifAny(r.tested > 0, fmt.Sprintf(" (%d/%d)", r.better, r.worse))
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
func (j *comparer) recordOf(c *comparison) winLossRecord {
	pairs, err := cells.Pairs(c.cell, c.other)
	if err != nil || c.cell.Trouble() != "" || c.other.Trouble() != "" {
		return winLossRecord{}
	}
	own, others := byRow(c.cell), byRow(c.other)
	each := make([]*comparison, len(pairs))
	for i, p := range pairs {
		a, _ := p[0].Metric(c.metric)
		b, _ := p[1].Metric(c.metric)
		each[i] = j.compareTasks(own[p[0]], others[p[1]], c.metric)
		each[i].gain = signedGain(a, b, c.cell.Higher(c.metric))
	}
	var out winLossRecord
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
func (j *comparer) compareTasks(a, b *cells.Cell, metric string) *comparison {
	out := &comparison{cell: a, other: b, metric: metric, err: errWithin}
	if a != nil && b != nil && !a.Averaged && a.Folds > 1 {
		out.err = j.testFolds(out, func() (*paired.Test, error) { return withinTest(), nil })
		out.checkResult()
	}
	return out
}

// ofRecords reports whether every column is a record: its rows are tasks or data sets, and nothing else.
func (b *builder) ofRecords() bool {
	return !slices.ContainsFunc(b.rowDims, func(d string) bool { return d != results.TaskDim && d != "dataset" })
}

// eachColumn reports whether every column is a family of its own: on which tasks an algorithm differs from the baseline. Its
// verdicts are then those that an average of the tasks counts.
func (b *builder) eachColumn() bool { return slices.Contains(b.rowDims, results.TaskDim) }

// columnRecords returns the records of the columns; for an average, a place has those of its tasks.
func (b *builder) columnRecords() []winLossRecord {
	out := make([]winLossRecord, len(b.columns))
	for p := range b.byRow {
		if p.against == nil {
			continue
		}
		if p.against.tasks != nil {
			out[p.column] = out[p.column].addRecord(*p.against.tasks)
		} else {
			out[p.column].addVerdict(*p.against)
		}
	}
	return out
}

// mostLost is the number of losses that are listed for an algorithm.
const mostLost = 10

// lossWarnings lists the tasks on which each column lost against the baseline, the largest loss first, if rows are tasks.
func (b *builder) lossWarnings() []string {
	if !slices.Contains(b.rowDims, results.TaskDim) {
		return nil
	}
	lost := make([][]*place, len(b.columns))
	for p := range b.byRow {
		if p.against != nil && p.against.gain < 0 {
			lost[p.column] = append(lost[p.column], p)
		}
	}
	var out []string
	for j, places := range lost {
		if len(places) == 0 {
			continue
		}
		slices.SortStableFunc(places, func(p, q *place) int { return cmp.Compare(p.against.gain, q.against.gain) })
		texts := make([]string, len(places))
		for i, p := range places {
			difference := p.against.gain
			if !p.cells[0].Higher(p.primary) {
				difference = -difference
			}
			texts[i] = b.rows[p.row] + " " + b.decimalsOf(p, p.primary).Signed(difference) + ifAny(p.against.worse, " *")
		}
		out = append(out, fmt.Sprintf("%s lost against %s, by %s: %s.", b.columns[j], b.baseline, places[0].primary, firstOf(texts, mostLost)))
	}
	return out
}

// recordLegend explains the records below a table, "" if there are none.
func (b *builder) recordLegend() string {
	if _, shown := b.tallyRow(); !shown {
		return ""
	}
	var all winLossRecord
	for _, r := range b.columnRecords() {
		all = all.addRecord(r)
	}
	return b.wordsOn(all)
}

// wordsOn explains the records of a table: what they count, and what the brackets hold.
func (b *builder) wordsOn(all winLossRecord) string {
	var kinds []string
	marked := true
	for _, v := range b.verdicts {
		kind := "data sets"
		if v.cell.Task != "" || v.cell.Averaged && !v.cell.OverGrid {
			kind = results.TaskDim + "s"
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		marked = marked && v.tasks == nil
	}
	text := fmt.Sprintf("won/tied/lost: %s, by their means over folds", strings.Join(kinds, " and "))
	switch {
	case all.tested == 0:
		return text + "."
	case marked:
		return text + "; in brackets the significant ones, v and *."
	}
	return fmt.Sprintf("%s; in brackets those that a test within each shows (%s over its folds; two-sided, α = %g%s).", text, withinTest().Long, b.Alpha,
		ifAny(b.Correction != None, ", Holm over those of an algorithm"))
}
