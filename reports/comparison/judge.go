package comparison

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// comparer compares the cells of one table, with its baseline and with the best.
type comparer struct {
	layout
	bases    map[string][]*cells.Cell // cells that have the baseline's name, by data set
	warnings remarks
	scores   map[scoresKey]scores
	losses   paired.LossReader
	done     map[pairKey]*comparison
	multiple map[int]float64 // minimum detectable differences in standard errors, by the number of folds
}

type (
	scoresKey struct {
		cell   *cells.Cell
		metric string
	}
	pairKey struct {
		a, b   *cells.Cell
		metric string
	}
)

// scores holds the scores of a cell on its folds.
type scores struct {
	folds []paired.Fold
	err   error
}

// comparison compares a cell with another one in one metric.
type comparison struct {
	cell, other *cells.Cell
	metric      string
	gain        float64      // how much better the mean is, regardless of tests; NaN if the means are not of the same folds
	test        *paired.Test // that decides; nil if there is an error
	result      paired.Result
	err         error // why there is no test
}

// verdict is a comparison as a member of a family, whose p-values are corrected together.
type verdict struct {
	*comparison
	p             float64        // corrected; NaN without a test
	better, worse bool           // significantly
	blind         bool           // no result of the test could have been significant among so many comparisons
	family        family         // whose p-values are corrected together
	tasks         *winLossRecord // for an average, the record against the baseline's; else nil
}

// family identifies comparisons whose p-values are corrected together: each metric is a family of its own on each data set, since a
// reader compares algorithms on one.
type family struct {
	metric, datasets string
	column           int // if each is a family of its own; else 0
}

// isInformative reports whether there is a test that could have found a difference.
func (v *verdict) isInformative() bool { return v.err == nil && !v.blind }

func newJudge(l layout, in Input, cs []*cells.Cell) *comparer {
	j := &comparer{layout: l, bases: map[string][]*cells.Cell{}, scores: map[scoresKey]scores{},
		losses: paired.ReadLosses(in.Source), done: map[pairKey]*comparison{}, multiple: map[int]float64{}}
	if l.Baseline == "" {
		return j
	}
	for _, c := range cs {
		if l.isBaseline(c) {
			d := c.DatasetLabel()
			j.bases[d] = append(j.bases[d], c)
		}
	}
	return j
}

// isBaseline reports whether a cell has the baseline's name, with or without a grid point.
func (l *layout) isBaseline(c *cells.Cell) bool {
	return c.Algorithm == l.Baseline || c.NamedLabel() == l.Baseline || c.NamedLabel(l.shown...) == l.Baseline
}

// compareWithBaseline compares a cell with the baseline; nil for the baseline itself and if there is none.
func (j *comparer) compareWithBaseline(c *cells.Cell, metric string) *comparison {
	if j.Baseline == "" || j.Test == None || cells.OfCell(metric) {
		return nil
	}
	base := j.baselineOf(c)
	if base == nil || base == c {
		return nil
	}
	return j.testDifference(c, base, metric)
}

// baselineOf returns the cell with which c is compared: of the same data set and, if several have the name, with the same
// parameters on the table's axes.
func (j *comparer) baselineOf(c *cells.Cell) *cells.Cell {
	all := j.bases[c.DatasetLabel()]
	found := all
	if len(all) > 1 {
		found = slices.DeleteFunc(slices.Clone(all), func(b *cells.Cell) bool {
			return slices.ContainsFunc(j.shown, func(d string) bool {
				_, isParam := c.Param(d)
				mine, _ := c.Dim(d)
				theirs, _ := b.Dim(d)
				return isParam && mine != theirs
			})
		})
	}
	switch {
	case len(found) == 1:
		return found[0]
	case len(all) == 0:
		among := ""
		if len(j.Filter) > 0 {
			among = " that the filter leaves"
		}
		j.warnings.addRemark(fmt.Sprintf("baseline %s: no such algorithm among the results of %s%s", j.Baseline, c.DatasetLabel(), among), "")
	case len(found) == 0:
		j.warnings.addRemark(fmt.Sprintf("baseline %s: none of its %d grid points on %s has the parameters of %s, which is not compared; name one of them (such as %q)",
			j.Baseline, len(all), c.DatasetLabel(), c.NamedLabel(), all[0].NamedLabel()), "")
	default:
		j.warnings.addRemark(fmt.Sprintf("baseline %s: has %d grid points, name one of them (such as %q)", j.Baseline, len(found), found[0].NamedLabel(j.shown...)), "")
	}
	return nil
}

// decideFamilies corrects the p-values of the comparisons of each family together and decides them.
func (j *comparer) decideFamilies(cs []*comparison, of func(int) family) []verdict {
	out := make([]verdict, len(cs))
	for f, members := range byFamily(len(cs), of) {
		together := make([]*comparison, len(members))
		for k, i := range members {
			together[k] = cs[i]
		}
		for k, v := range j.decideFamily(together) {
			v.family = f
			out[members[k]] = v
		}
	}
	return out
}

// byFamily returns the indices of the members of each family, among the first n.
func byFamily(n int, of func(int) family) map[family][]int {
	members := map[family][]int{}
	for i := range n {
		members[of(i)] = append(members[of(i)], i)
	}
	return members
}

// decideFamily corrects the p-values of some comparisons together and decides them.
func (j *comparer) decideFamily(cs []*comparison) []verdict {
	p, least := make([]float64, len(cs)), make([]float64, len(cs))
	for i, c := range cs {
		p[i], least[i] = math.NaN(), math.NaN()
		if c.err == nil {
			p[i], least[i] = c.result.P, c.leastP()
		}
	}
	if j.Correction != None {
		p, least = paired.Holm(p), paired.Holm(least)
	}
	out := make([]verdict, len(cs))
	for i, c := range cs {
		out[i] = verdict{comparison: c, p: p[i], blind: least[i] >= j.Alpha && !(p[i] < j.Alpha)}
		if p[i] < j.Alpha {
			up := c.result.Direction()
			if !c.cell.Higher(c.metric) {
				up = -up
			}
			out[i].better, out[i].worse = up > 0, up < 0
		}
	}
	return out
}

// testDifference tests the difference of two cells, once.
func (j *comparer) testDifference(c, other *cells.Cell, metric string) *comparison {
	key := pairKey{c, other, metric}
	if done, ok := j.done[key]; ok {
		return done
	}
	out := &comparison{cell: c, other: other, metric: metric, gain: gainOf(c, other, metric)}
	switch {
	case other.Trouble() != "":
		out.err = fmt.Errorf("baseline: %s", other.Trouble()) // the best of a contest has no trouble
	case c.Trouble() != "":
		out.err = errors.New(c.Trouble())
	case c.Averaged:
		out.err = j.testFolds(out, j.overTasks)
	case c.Folds > 1:
		out.err = j.testFolds(out, j.overFolds)
	default:
		out.err = j.testRows(out)
	}
	out.checkResult()
	j.done[key] = out
	return out
}

// leastP returns the smallest p-value that the test of a comparison can have over so many folds, tasks or rows.
func (c *comparison) leastP() float64 {
	if c.test.Smallest == nil {
		return 0
	}
	return c.test.Smallest(c.result.N)
}

// checkResult sets an error if a test gave no number.
func (c *comparison) checkResult() {
	if c.err == nil && math.IsNaN(c.result.P) {
		c.err = errors.New("the test has no p-value")
	}
}

func (j *comparer) testFolds(out *comparison, choose func() (*paired.Test, error)) error {
	t, err := choose()
	if err != nil {
		return err
	}
	out.test = t
	out.result, err = j.overTheSame(out, t)
	return err
}

// overTheSame applies a test over folds to the cells of a comparison.
func (j *comparer) overTheSame(c *comparison, t *paired.Test) (paired.Result, error) {
	a, b := j.scoresOf(c.cell, c.metric), j.scoresOf(c.other, c.metric)
	if err := errors.Join(a.err, b.err); err != nil {
		return paired.Result{}, err
	}
	return t.Folds(a.folds, b.folds)
}

func (j *comparer) scoresOf(c *cells.Cell, metric string) scores {
	key := scoresKey{c, metric}
	s, ok := j.scores[key]
	if !ok {
		if s.folds, s.err = paired.FoldsOf(c.Rows, metric); s.err != nil {
			s.err = j.withCell(c, s.err)
		}
		j.scores[key] = s
	}
	return s
}

// withCell adds to an error which cell it is about.
func (j *comparer) withCell(c *cells.Cell, err error) error {
	return fmt.Errorf("%s: %w", c.AlgorithmLabel(j.shown...), err)
}

func (j *comparer) testRows(out *comparison) error {
	t, err := j.onRows()
	if err != nil {
		return err
	}
	out.test = t
	if out.cell.Rows[0].FoldDigest != out.other.Rows[0].FoldDigest {
		return errors.New("not measured on the same fold")
	}
	a, err := j.lossesOf(out.cell, out.metric)
	if err != nil {
		return err
	}
	b, err := j.lossesOf(out.other, out.metric)
	if err != nil {
		return err
	}
	out.result, err = t.Rows(a, b)
	return err
}

// lossesOf returns the row losses of a cell with one fold.
func (j *comparer) lossesOf(c *cells.Cell, metric string) (*paired.Losses, error) {
	if len(c.Rows) != 1 {
		return nil, fmt.Errorf("%s has %d folds", c.AlgorithmLabel(), len(c.Rows))
	}
	l, err := j.losses.Of(c.Rows[0], metric)
	if err != nil {
		return nil, j.withCell(c, err)
	}
	return l, nil
}
