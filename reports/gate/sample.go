package gate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// maxBlocks is the number of blocks into which the rows of a single fold are merged, to keep the baseline small.
const maxBlocks = 100

// sample holds the values of a metric of one cell, measured now or recorded.
type sample struct {
	mean, se float64                        // NaN if there is none
	data     string                         // digest of the data set
	digests  []string                       // of the folds
	folds    []paired.Fold                  // value by fold; nil for a metric of all folds together
	tasks    bool                           // folds holds averages over the tasks of a family
	higher   bool                           // more is better
	protocol protocol                       // how it is measured
	recorded bool                           // in a baseline
	marks    string                         // as far as they are known
	losses   func() (*paired.Losses, error) // losses by row of the only fold, read when a test needs them
}

// meter measures cells, and reads losses by row.
type meter struct {
	source cells.Source
	losses paired.LossReader
	asked  []*cells.Cell        // that were to be measured, once each
	known  map[*cells.Cell]bool // the same
}

func newMeter(source cells.Source) *meter {
	return &meter{source: source, losses: paired.ReadLosses(source), known: map[*cells.Cell]bool{}}
}

// measure returns the values of a metric of a cell. Errors say why there is no number for the whole cell: folds that
// failed or never ran, and metrics without a finite value on each.
func (m *meter) measure(c *cells.Cell, metric string) (sample, error) {
	if !m.known[c] {
		m.asked, m.known[c] = append(m.asked, c), true
	}
	if trouble := troubleOf(c); trouble != "" {
		return sample{}, errors.New(trouble)
	}
	s := rowsOf(c)
	s.protocol, s.marks, s.higher = protocolOf(c, metric), c.Caveats().Marks(), c.Higher(metric)
	if cells.OfCell(metric) {
		stability, err := cells.StabilityOf(m.source, c, metric)
		s.mean, s.se = stability.Mean, finiteOrNaN(stability.SE)
		return s, err
	}
	folds, err := paired.FoldsOf(c.Rows, metric)
	if err != nil {
		return s, err
	}
	stat := c.Stat(metric)
	s.folds, s.mean, s.se = folds, stat.Mean, finiteOrNaN(stat.SE)
	if !results.Finite(s.mean) {
		return s, fmt.Errorf("the mean of %s is too large", metric)
	}
	s.losses = func() (*paired.Losses, error) { return m.losses.Of(c.Rows[0], metric) }
	return s, nil
}

// rowsOf returns the sample of a cell without its values: what they are measured on.
func rowsOf(c *cells.Cell) sample {
	s := sample{data: c.Rows[0].DatasetDigest, tasks: c.Averaged, protocol: protocol{dataset: c.Protocol}}
	for _, r := range c.Rows {
		s.digests = append(s.digests, r.FoldDigest)
	}
	return s
}

// mergeBlocks returns the sample with the losses of its only fold summed by block of rows, as a baseline records them.
func (s sample) mergeBlocks() sample {
	whole := s.losses
	s.losses = func() (*paired.Losses, error) {
		l, err := whole()
		if err != nil {
			return nil, err
		}
		return l.Blocks(maxBlocks), nil
	}
	return s
}

// recordedRows returns the sample of a recorded cell without its values: what a metric was measured on, and how.
func recordedRows(metric string, d Dataset, e Entry) sample {
	return sample{data: d.Digest, digests: d.Folds, protocol: recordedProtocol(metric, d, e), recorded: true,
		marks: cells.Caveats{Optimistic: e.Optimistic, Imported: e.Imported}.Marks()}
}

// recordedSample returns the sample of a baseline. The mean is computed from the values of the folds if they are
// recorded, and read only if they are not.
func recordedSample(metric string, properties results.Properties, d Dataset, e Entry, r Record) sample {
	s := recordedRows(metric, d, e)
	s.mean, s.se, s.higher = *r.Mean, math.NaN(), r.Higher
	if r.SE != nil {
		s.se = *r.SE
	}
	if len(r.Values) > 0 {
		s.mean = results.Summarise(r.Values).Mean
	}
	for i, v := range r.Values {
		s.folds = append(s.folds, paired.Fold{Digest: d.Folds[i], Score: v})
	}
	s.losses = func() (*paired.Losses, error) {
		if len(r.Blocks) == 0 {
			return nil, errors.New("the baseline was accepted without a bootstrap rule, and has no sums of blocks of rows; accept it again")
		}
		return paired.Stored(metric, properties, r.Blocks, d.Blocks)
	}
	return s
}

// checkComparable returns why two samples of a metric must not be compared, nil if they may be.
func checkComparable(present, reference sample) error {
	if err := checkMeasuredAlike(present, reference); err != nil {
		return err
	}
	switch {
	case present.higher != reference.higher:
		return errors.New("the metric's direction is another one now")
	case (present.folds == nil) != (reference.folds == nil):
		return errors.New("the reference has no values of single folds; accept it again")
	}
	return nil
}

// checkMeasuredAlike returns an error if two samples are not measured on the same data and folds, and by the same protocol.
func checkMeasuredAlike(present, reference sample) error {
	if err := checkSameRows(present, reference); err != nil {
		return err
	}
	return checkSameProtocol(present, reference)
}

// checkSameRows returns an error if two samples are not measured on the same data and folds.
func checkSameRows(present, reference sample) error {
	switch {
	case present.data != reference.data:
		return errors.New("the data set is another one now (its files, reader or options changed" + present.familyNote() + ")")
	case len(present.digests) != len(reference.digests):
		return fmt.Errorf("not the same %s: there are %d now, the reference has %d", present.unitNoun(), len(present.digests), len(reference.digests))
	case !slices.Equal(slices.Sorted(slices.Values(present.digests)), slices.Sorted(slices.Values(reference.digests))):
		return fmt.Errorf("not the same %s: %d of %d have other rows now", present.unitNoun(), countUnmatched(present.digests, reference.digests), len(present.digests))
	}
	return nil
}

// familyNote adds to a message what else changes the digest of a family.
func (s sample) familyNote() string {
	if s.tasks {
		return ", or which tasks there are"
	}
	return ""
}

// unitNoun says what the sample has values of: folds or tasks.
func (s sample) unitNoun() string {
	if s.tasks {
		return "tasks"
	}
	return "folds"
}

// countUnmatched counts the digests of a that have no partner in b.
func countUnmatched(a, b []string) int {
	left := map[string]int{}
	for _, d := range b {
		left[d]++
	}
	n := 0
	for _, d := range a {
		if left[d]--; left[d] < 0 {
			n++
		}
	}
	return n
}

// testSamples compares two comparable samples over their folds or tasks, or over the rows of a single fold.
func testSamples(test *paired.Test, present, reference sample) (paired.Result, error) {
	n := len(present.folds)
	switch {
	case present.folds == nil:
		return paired.Result{}, errors.New("the metric has no values of single folds, which a test needs")
	case present.tasks:
		if err := test.AcrossTasks(); err != nil {
			return paired.Result{}, err
		}
	case test.Rows != nil && n > 1:
		return paired.Result{}, fmt.Errorf("%s works on the rows of one fold and there are %d", test.Name, n)
	case test.Rows != nil:
		a, err := present.losses()
		if err != nil {
			return paired.Result{}, err
		}
		b, err := reference.losses()
		if err != nil {
			return paired.Result{}, err
		}
		return test.Rows(a, b)
	}
	if n < 2 {
		return paired.Result{}, fmt.Errorf("%s needs several %s and there is one", test.Name, present.unitNoun())
	}
	return test.Folds(present.folds, withSizes(reference.folds, present.folds))
}

// withSizes returns the recorded folds with the numbers of rows of the present ones of equal digest: a baseline does not record
// them.
func withSizes(recorded, present []paired.Fold) []paired.Fold {
	byDigest := map[string]paired.Fold{}
	for _, f := range present {
		byDigest[f.Digest] = f
	}
	out := slices.Clone(recorded)
	for i, f := range out {
		out[i].Train, out[i].Test = byDigest[f.Digest].Train, byDigest[f.Digest].Test
	}
	return out
}

// troubleOf says why a cell has no number, "" if all its folds ended well.
func troubleOf(c *cells.Cell) string {
	if len(c.Rows) == 0 {
		return "never ran"
	}
	trouble := c.Trouble()
	for _, r := range c.Rows {
		if line, _, _ := strings.Cut(r.Error, "\n"); trouble != "" && r.Status != results.OK && line != "" {
			return trouble + ": " + sanitize.Line(line)
		}
	}
	return trouble
}

// finiteOrNaN returns NaN for a number that is not finite.
func finiteOrNaN(x float64) float64 {
	if !results.Finite(x) {
		return math.NaN()
	}
	return x
}
