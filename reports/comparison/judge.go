package comparison

import (
	"errors"
	"fmt"
	"math"

	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// power is the power for which the minimum detectable difference is computed.
const power = 0.8

// rules are those by which cells are compared.
type rules struct {
	test      string  // its name; "" for the default of what there is: folds, tasks, or the rows of one fold
	alpha     float64 // level
	corrected bool    // p-values of a family are corrected together, by Holm's method
	name      func(*cells.Cell) string
}

// judge compares cells, and remembers what it compared.
type judge struct {
	rules
	scores   map[scoresKey]scores
	losses   paired.LossReader
	done     map[pairKey]*comparison
	multiple map[int]float64 // minimum detectable differences in standard errors, by the number of folds
}

// newJudge returns a judge of cells whose rows are read from a source.
func newJudge(r rules, src cells.Source) *judge {
	return &judge{rules: r, scores: map[scoresKey]scores{}, losses: paired.ReadLosses(src), done: map[pairKey]*comparison{}, multiple: map[int]float64{}}
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
	p             float64 // corrected; NaN without a test
	better, worse bool    // significantly
	blind         bool    // no result of the test could have been significant among so many comparisons
	family        family  // whose p-values are corrected together
	tasks         *record // for an average, the record against the baseline's; else nil
}

// family identifies comparisons whose p-values are corrected together: each metric is a family of its own on each data set, since a
// reader compares algorithms on one.
type family struct {
	metric, datasets string
	column           int // if each is a family of its own; else 0
}

// isInformative reports whether there is a test that could have found a difference.
func (v *verdict) isInformative() bool { return v.err == nil && !v.blind }

// decideFamilies corrects the p-values of the comparisons of each family together and decides them.
func (j *judge) decideFamilies(cs []*comparison, of func(int) family) []verdict {
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
func (j *judge) decideFamily(cs []*comparison) []verdict {
	p, least := make([]float64, len(cs)), make([]float64, len(cs))
	for i, c := range cs {
		p[i], least[i] = math.NaN(), math.NaN()
		if c.err == nil {
			p[i], least[i] = c.result.P, c.leastP()
		}
	}
	if j.corrected {
		p, least = paired.Holm(p), paired.Holm(least)
	}
	out := make([]verdict, len(cs))
	for i, c := range cs {
		out[i] = verdict{comparison: c, p: p[i], blind: least[i] >= j.alpha && !(p[i] < j.alpha)}
		if p[i] < j.alpha {
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
func (j *judge) testDifference(c, other *cells.Cell, metric string) *comparison {
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

func (j *judge) testFolds(out *comparison, choose func() (*paired.Test, error)) error {
	t, err := choose()
	if err != nil {
		return err
	}
	out.test = t
	out.result, err = j.overTheSame(out, t)
	return err
}

// overTheSame applies a test over folds to the cells of a comparison.
func (j *judge) overTheSame(c *comparison, t *paired.Test) (paired.Result, error) {
	a, b := j.scoresOf(c.cell, c.metric), j.scoresOf(c.other, c.metric)
	if err := errors.Join(a.err, b.err); err != nil {
		return paired.Result{}, err
	}
	return t.Folds(a.folds, b.folds)
}

func (j *judge) scoresOf(c *cells.Cell, metric string) scores {
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
func (j *judge) withCell(c *cells.Cell, err error) error {
	return fmt.Errorf("%s: %w", j.name(c), err)
}

func (j *judge) testRows(out *comparison) error {
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
func (j *judge) lossesOf(c *cells.Cell, metric string) (*paired.Losses, error) {
	if len(c.Rows) != 1 {
		return nil, fmt.Errorf("%s has %d folds", c.AlgorithmLabel(), len(c.Rows))
	}
	l, err := j.losses.Of(c.Rows[0], metric)
	if err != nil {
		return nil, j.withCell(c, err)
	}
	return l, nil
}

// minimumDetectable returns the minimum detectable difference; NaN if the test has none. It is a multiple of the standard error
// that depends on the number of folds alone, and is cached, since it takes long to compute.
func (j *judge) minimumDetectable(v *verdict) float64 {
	if v.err != nil || !(v.result.SE > 0) {
		return math.NaN()
	}
	n := v.result.N
	if _, ok := j.multiple[n]; !ok {
		j.multiple[n] = paired.Result{N: n, SE: 1}.Detectable(j.alpha, power)
	}
	return j.multiple[n] * v.result.SE
}

// smallestP returns the smallest p-value that a comparison could have; false without a test, or if its differences do not vary.
func (v *verdict) smallestP() (p float64, ok bool) {
	switch {
	case v.err != nil || v.result.Constant:
		return 0, false
	case v.test.Smallest == nil:
		return 0, true
	}
	return v.test.Smallest(v.result.Differ), true
}

// testName names the test of a comparison that was made.
func (c *comparison) testName() string {
	if c.test.Folds == nil {
		return fmt.Sprintf(c.test.Long, c.result.N)
	}
	return fmt.Sprintf("%s over %d %s", c.test.Long, c.result.N, cells.Over([]*cells.Cell{c.cell}))
}

// overFolds returns the test that decides if there are several folds, overTasks that for tasks of a family, onRows that for one
// fold. The error says why the test asked for does not apply.
func (r rules) overFolds() (*paired.Test, error) {
	switch t := paired.TestNamed(r.test); {
	case t == nil:
		return paired.DefaultFor(paired.SeveralFolds), nil
	case t.Folds == nil:
		return nil, fmt.Errorf("%s is for one fold", t.Name)
	default:
		return t, nil
	}
}

func (r rules) overTasks() (*paired.Test, error) {
	t := paired.TestNamed(r.test)
	if t == nil {
		return paired.DefaultFor(paired.Tasks), nil
	}
	return t, t.AcrossTasks()
}

func (r rules) onRows() (*paired.Test, error) {
	switch t := paired.TestNamed(r.test); {
	case t == nil:
		return paired.DefaultFor(paired.OneFold), nil
	case t.Rows == nil:
		return nil, fmt.Errorf("%s needs several folds", t.Name)
	default:
		return t, nil
	}
}
