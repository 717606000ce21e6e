// Package judge compares cells in a metric: which of two is better, whether a test shows it, and what is left of that among many
// comparisons. Where results come from, and which cells are compared, others decide: package comparison, for tables.
//
// A Judge follows Rules. Compare tests a pair of cells, over folds, tasks or the rows of one fold; DecideFamilies corrects the p-values
// of several comparisons together, which makes Verdicts of them; a Record (record.go) counts wins, ties and losses.
package judge

import (
	"errors"
	"fmt"
	"math"

	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// Power is the probability with which a test finds the minimum detectable difference.
const Power = 0.8

// Rules are those by which cells are compared.
type Rules struct {
	Test      string                   // its name; "" for the default of what there is: folds, tasks, or the rows of one fold
	Alpha     float64                  // level
	Corrected bool                     // p-values of a family are corrected together, by Holm's method
	Name      func(*cells.Cell) string // names a cell in errors
}

// Judge compares cells, and remembers what it compared.
type Judge struct {
	Rules
	scores   map[scoresKey]scores
	losses   paired.LossReader
	done     map[pairKey]*Comparison
	multiple map[int]float64 // minimum detectable differences in standard errors, by the number of folds
}

// New returns a judge of cells whose rows are read from a source.
func New(r Rules, src cells.Source) *Judge {
	return &Judge{Rules: r, scores: map[scoresKey]scores{}, losses: paired.ReadLosses(src), done: map[pairKey]*Comparison{}, multiple: map[int]float64{}}
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

// Comparison compares a cell with another one in one metric.
type Comparison struct {
	Cell, Other *cells.Cell
	Metric      string
	Gain        float64      // how much better the mean is, regardless of tests; NaN if the means are not of the same folds
	Test        *paired.Test // that decides; nil if there is an error
	Result      paired.Result
	Err         error // why there is no test
}

// Verdict is a comparison as a member of a family, whose p-values are corrected together.
type Verdict struct {
	*Comparison
	P             float64 // corrected; NaN without a test
	Better, Worse bool    // significantly
	Blind         bool    // no result of the test could have been significant among so many comparisons
	Family        Family  // whose p-values are corrected together
	Tasks         *Record // for an average, the record against the baseline's; else nil
}

// Family identifies comparisons whose p-values are corrected together: each metric is a family of its own on each data set, since a
// reader compares algorithms on one.
type Family struct {
	Metric, Datasets string
	Column           int // if each column of a table is a family of its own; else 0
}

// IsInformative reports whether there is a test that could have found a difference.
func (v *Verdict) IsInformative() bool { return v.Err == nil && !v.Blind }

// DecideFamilies corrects the p-values of the comparisons of each family together and decides them.
func (j *Judge) DecideFamilies(cs []*Comparison, familyOf func(int) Family) []Verdict {
	out := make([]Verdict, len(cs))
	for f, members := range ByFamily(len(cs), familyOf) {
		together := make([]*Comparison, len(members))
		for k, i := range members {
			together[k] = cs[i]
		}
		for k, v := range j.decideFamily(together) {
			v.Family = f
			out[members[k]] = v
		}
	}
	return out
}

// ByFamily returns the indices of the members of each family, among the first n.
func ByFamily(n int, familyOf func(int) Family) map[Family][]int {
	members := map[Family][]int{}
	for i := range n {
		members[familyOf(i)] = append(members[familyOf(i)], i)
	}
	return members
}

// decideFamily corrects the p-values of some comparisons together and decides them.
func (j *Judge) decideFamily(cs []*Comparison) []Verdict {
	p, least := make([]float64, len(cs)), make([]float64, len(cs))
	for i, c := range cs {
		p[i], least[i] = math.NaN(), math.NaN()
		if c.Err == nil {
			p[i], least[i] = c.Result.P, c.MinP()
		}
	}
	if j.Corrected {
		p, least = paired.Holm(p), paired.Holm(least)
	}
	out := make([]Verdict, len(cs))
	for i, c := range cs {
		out[i] = Verdict{Comparison: c, P: p[i], Blind: least[i] >= j.Alpha && !(p[i] < j.Alpha)}
		if p[i] < j.Alpha {
			up := c.Result.Direction()
			if !c.Cell.Higher(c.Metric) {
				up = -up
			}
			out[i].Better, out[i].Worse = up > 0, up < 0
		}
	}
	return out
}

// Compare tests the difference of two cells, once.
func (j *Judge) Compare(c, other *cells.Cell, metric string) *Comparison {
	key := pairKey{c, other, metric}
	if done, ok := j.done[key]; ok {
		return done
	}
	out := &Comparison{Cell: c, Other: other, Metric: metric, Gain: gainOf(c, other, metric)}
	switch {
	case other.Trouble() != "":
		out.Err = fmt.Errorf("baseline: %s", other.Trouble()) // the best of a contest has no trouble
	case c.Trouble() != "":
		out.Err = errors.New(c.Trouble())
	case c.Averaged:
		out.Err = j.testFolds(out, j.TestOverTasks)
	case c.Folds > 1:
		out.Err = j.testFolds(out, j.overFolds)
	default:
		out.Err = j.testRows(out)
	}
	out.checkResult()
	j.done[key] = out
	return out
}

// MinP returns the smallest p-value that the test of a comparison can have over so many folds, tasks or rows.
func (c *Comparison) MinP() float64 {
	if c.Test.Smallest == nil {
		return 0
	}
	return c.Test.Smallest(c.Result.N)
}

// checkResult sets an error if a test gave no number.
func (c *Comparison) checkResult() {
	if c.Err == nil && math.IsNaN(c.Result.P) {
		c.Err = errors.New("the test has no p-value")
	}
}

func (j *Judge) testFolds(out *Comparison, choose func() (*paired.Test, error)) error {
	t, err := choose()
	if err != nil {
		return err
	}
	out.Test = t
	out.Result, err = j.Apply(out, t)
	return err
}

// Apply applies a test over folds to the cells of a comparison.
func (j *Judge) Apply(c *Comparison, t *paired.Test) (paired.Result, error) {
	a, b := j.scoresOf(c.Cell, c.Metric), j.scoresOf(c.Other, c.Metric)
	if err := errors.Join(a.err, b.err); err != nil {
		return paired.Result{}, err
	}
	return t.Folds(a.folds, b.folds)
}

func (j *Judge) scoresOf(c *cells.Cell, metric string) scores {
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
func (j *Judge) withCell(c *cells.Cell, err error) error {
	return fmt.Errorf("%s: %w", j.Name(c), err)
}

func (j *Judge) testRows(out *Comparison) error {
	t, err := j.onRows()
	if err != nil {
		return err
	}
	out.Test = t
	if out.Cell.Rows[0].FoldDigest != out.Other.Rows[0].FoldDigest {
		return errors.New("not measured on the same fold")
	}
	a, err := j.Losses(out.Cell, out.Metric)
	if err != nil {
		return err
	}
	b, err := j.Losses(out.Other, out.Metric)
	if err != nil {
		return err
	}
	out.Result, err = t.Rows(a, b)
	return err
}

// Losses returns the row losses of a cell with one fold.
func (j *Judge) Losses(c *cells.Cell, metric string) (*paired.Losses, error) {
	if len(c.Rows) != 1 {
		return nil, fmt.Errorf("%s has %d folds", c.AlgorithmLabel(), len(c.Rows))
	}
	l, err := j.losses.Of(c.Rows[0], metric)
	if err != nil {
		return nil, j.withCell(c, err)
	}
	return l, nil
}

// Detectable returns the minimum detectable difference; NaN if the test has none. It is a multiple of the standard error
// that depends on the number of folds alone, and is cached, since it takes long to compute.
func (j *Judge) Detectable(v *Verdict) float64 {
	if v.Err != nil || !(v.Result.SE > 0) {
		return math.NaN()
	}
	n := v.Result.N
	if _, ok := j.multiple[n]; !ok {
		j.multiple[n] = paired.Result{N: n, SE: 1}.Detectable(j.Alpha, Power)
	}
	return j.multiple[n] * v.Result.SE
}

// ReachableP returns the smallest p-value that a comparison could have; false without a test, or if its differences do not vary.
func (v *Verdict) ReachableP() (p float64, ok bool) {
	switch {
	case v.Err != nil || v.Result.Constant:
		return 0, false
	case v.Test.Smallest == nil:
		return 0, true
	}
	return v.Test.Smallest(v.Result.Differ), true
}

// TestName names the test of a comparison that was made.
func (c *Comparison) TestName() string {
	if c.Test.Folds == nil {
		return fmt.Sprintf(c.Test.Long, c.Result.N)
	}
	return fmt.Sprintf("%s over %d %s", c.Test.Long, c.Result.N, cells.Over([]*cells.Cell{c.Cell}))
}

// overFolds returns the test that decides if there are several folds, overTasks that for tasks of a family, onRows that for one
// fold. The error says why the test asked for does not apply.
func (r Rules) overFolds() (*paired.Test, error) {
	switch t := paired.TestNamed(r.Test); {
	case t == nil:
		return paired.DefaultFor(paired.SeveralFolds), nil
	case t.Folds == nil:
		return nil, fmt.Errorf("%s is for one fold", t.Name)
	default:
		return t, nil
	}
}

func (r Rules) TestOverTasks() (*paired.Test, error) {
	t := paired.TestNamed(r.Test)
	if t == nil {
		return paired.DefaultFor(paired.Tasks), nil
	}
	return t, t.AcrossTasks()
}

func (r Rules) onRows() (*paired.Test, error) {
	switch t := paired.TestNamed(r.Test); {
	case t == nil:
		return paired.DefaultFor(paired.OneFold), nil
	case t.Rows == nil:
		return nil, fmt.Errorf("%s needs several folds", t.Name)
	default:
		return t, nil
	}
}
