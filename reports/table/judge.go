package table

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// judge compares the cells of one table with its baseline.
type judge struct {
	layout
	source    cells.Source
	bases     []*cells.Cell // that have the baseline's name
	warnings  []string
	resampled bool // some standard error is the bootstrap's
	used      map[string]bool
	losses    map[lossKey]*paired.Losses
	done      map[comparisonKey]*comparison
}

type (
	lossKey struct {
		row    *results.Row
		metric string
	}
	comparisonKey struct {
		cell   *cells.Cell
		metric string
	}
)

// comparison of a cell with the baseline in one metric. Which tests there are depends on the number of folds.
type comparison struct {
	better, worse   bool // significantly
	optimistic      bool // of the cell or the baseline
	plain           *paired.Result
	corrected, boot *paired.Result
	err             error // why there is no test
}

func newJudge(l layout, in Input, cs []*cells.Cell) *judge {
	j := &judge{layout: l, source: in.Source, used: map[string]bool{},
		losses: map[lossKey]*paired.Losses{}, done: map[comparisonKey]*comparison{}}
	for _, c := range cs {
		if slices.Contains([]string{c.Algorithm, c.AlgorithmLabel(), c.AlgorithmLabel(j.shown()...)}, l.Baseline) {
			j.bases = append(j.bases, c)
		}
	}
	return j
}

// chosen is the result that decides.
func (c *comparison) chosen(test string) *paired.Result {
	switch {
	case test == PairedT:
		return c.plain
	case c.boot != nil:
		return c.boot
	}
	return c.corrected
}

// any is a result that has the difference, nil when there is none.
func (c *comparison) any() *paired.Result {
	for _, r := range []*paired.Result{c.corrected, c.plain, c.boot} {
		if r != nil {
			return r
		}
	}
	return nil
}

// verdict is the mark of a slot and the p-value behind it.
func (j *judge) verdict(s *slot, metric string) (mark string, p float64) {
	if j.Baseline == "" || j.Test == None || len(s.cells) != 1 || uncontested(metric) {
		return "", math.NaN()
	}
	c := j.compare(s.cells[0], metric)
	if c == nil || c.chosen(j.Test) == nil {
		return "", math.NaN()
	}
	switch {
	case c.better:
		mark = "v"
	case c.worse:
		mark = "*"
	}
	return mark, c.chosen(j.Test).P
}

// compare is nil for the baseline itself and where there is none.
func (j *judge) compare(c *cells.Cell, metric string) *comparison {
	key := comparisonKey{c, metric}
	if done, ok := j.done[key]; ok {
		return done
	}
	base := j.baseline(c)
	if base == nil || base == c {
		j.done[key] = nil
		return nil
	}
	out := &comparison{optimistic: c.Optimistic() || base.Optimistic()}
	switch {
	case base.Trouble() != "":
		out.err = fmt.Errorf("baseline: %s", base.Trouble())
	case c.Trouble() != "":
		out.err = errors.New(c.Trouble())
	case c.Folds > 1:
		out.err = j.overFolds(out, c, base, metric)
	default:
		out.err = j.onRows(out, c, base, metric)
	}
	if r := out.chosen(j.Test); r != nil && out.err == nil && r.P < j.Alpha && r.Mean != 0 {
		out.better = (r.Mean > 0) == c.Higher(metric)
		out.worse = !out.better
	}
	j.done[key] = out
	return out
}

// baseline is the cell that c is compared with: of the same data set and, where several have the name, with the same
// parameters on the table's axes.
func (j *judge) baseline(c *cells.Cell) *cells.Cell {
	shown := j.shown()
	var found []*cells.Cell
	for _, b := range j.bases {
		if b.Dataset == c.Dataset && b.DatasetLabel() == c.DatasetLabel() {
			found = append(found, b)
		}
	}
	if len(found) > 1 {
		found = slices.DeleteFunc(found, func(b *cells.Cell) bool {
			return slices.ContainsFunc(shown, func(d string) bool {
				_, isParam := c.Param(d)
				mine, _ := c.Dim(d)
				theirs, _ := b.Dim(d)
				return isParam && mine != theirs
			})
		})
	}
	switch len(found) {
	case 1:
		return found[0]
	case 0:
		j.warn("baseline %s: no such algorithm among the results of %s", j.Baseline, c.DatasetLabel())
	default:
		j.warn("baseline %s: has %d grid points, name one of them (such as %q)", j.Baseline, len(found), found[0].AlgorithmLabel(shown...))
	}
	return nil
}

func (j *judge) warn(format string, args ...any) {
	if w := fmt.Sprintf(format, args...); !slices.Contains(j.warnings, w) {
		j.warnings = append(j.warnings, w)
	}
}

func (j *judge) overFolds(out *comparison, c, base *cells.Cell, metric string) error {
	if j.Test == Bootstrap {
		return errors.New("the bootstrap is for one fold")
	}
	a, err := foldsOf(c, metric)
	if err != nil {
		return err
	}
	b, err := foldsOf(base, metric)
	if err != nil {
		return err
	}
	plain, err := paired.T(a, b)
	if err != nil {
		return err
	}
	corrected, err := paired.Corrected(a, b)
	if err != nil {
		return err
	}
	out.plain, out.corrected = &plain, &corrected
	if j.Test == PairedT {
		j.used[fmt.Sprintf("paired t-test over %d folds", plain.N)] = true
	} else {
		j.used[fmt.Sprintf("corrected t-test of Nadeau and Bengio over %d folds", plain.N)] = true
	}
	return nil
}

func foldsOf(c *cells.Cell, metric string) ([]paired.Fold, error) {
	var out []paired.Fold
	for _, r := range c.Rows {
		v, ok := r.Metric(metric)
		if !ok {
			return nil, fmt.Errorf("%s does not apply to every fold of %s", metric, c.AlgorithmLabel())
		}
		out = append(out, paired.Fold{Digest: r.FoldDigest, Train: r.RowsTrain, Test: r.RowsTest, Score: v})
	}
	return out, nil
}

func (j *judge) onRows(out *comparison, c, base *cells.Cell, metric string) error {
	if j.Test == PairedT || j.Test == NadeauBengio {
		return fmt.Errorf("%s needs several folds", j.Test)
	}
	if c.Rows[0].FoldDigest != base.Rows[0].FoldDigest {
		return errors.New("not measured on the same fold")
	}
	a, err := j.lossesOf(c, metric)
	if err != nil {
		return err
	}
	b, err := j.lossesOf(base, metric)
	if err != nil {
		return err
	}
	r, err := paired.Bootstrap(a, b)
	if err != nil {
		return err
	}
	out.boot = &r
	j.used[fmt.Sprintf("bootstrap of the test rows of one fold, %d groups", r.N)] = true
	return nil
}

func (j *judge) lossesOf(c *cells.Cell, metric string) (*paired.Losses, error) {
	if len(c.Rows) != 1 {
		return nil, fmt.Errorf("%s has %d folds", c.AlgorithmLabel(), len(c.Rows))
	}
	key := lossKey{c.Rows[0], metric}
	if l := j.losses[key]; l != nil {
		return l, nil
	}
	score, ok := key.row.Metric(metric)
	if !ok {
		return nil, fmt.Errorf("%s does not apply to %s", metric, c.AlgorithmLabel())
	}
	if !paired.RowWise(metric) {
		return nil, fmt.Errorf("%s is not a mean over rows", metric)
	}
	p, err := j.source.Predictions(key.row)
	if err != nil {
		return nil, err
	}
	l, err := paired.NewLosses(metric, p, score)
	if err != nil {
		return nil, err
	}
	j.losses[key] = l
	return l, nil
}

// resampledSE is the bootstrap standard error of a metric on a single fold, where the table's test is the bootstrap;
// NaN otherwise.
func (j *judge) resampledSE(c *cells.Cell, metric string) float64 {
	if j.Baseline == "" || (j.Test != "" && j.Test != Bootstrap) || c.Folds != 1 || c.Trouble() != "" || !paired.RowWise(metric) {
		return math.NaN()
	}
	l, err := j.lossesOf(c, metric)
	if err != nil {
		return math.NaN()
	}
	se := l.SE()
	j.resampled = j.resampled || !math.IsNaN(se)
	return se
}
