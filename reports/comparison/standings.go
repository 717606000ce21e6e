package comparison

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/reports/cells"
	"tenfold/reports/ranks"
)

// standings holds the ranks of algorithms on data sets that all have results.
type standings struct {
	metric               string
	datasets, algorithms []string        // labels
	caveats              []cells.Caveats // of each algorithm
	ranked               []*cells.Cell
	control              int         // index of the baseline's algorithm; −1 without
	left                 []string    // left out, because a result is missing
	scores               [][]float64 // data set × algorithm
	higher               bool        // is better
	ranks.Friedman
}

var errTooFew = errors.New("they need at least")

// newStandings collects the scores; the error says why there are no ranks.
func (b *builder) newStandings() (*standings, error) {
	if err := b.checkRankable(); err != nil {
		return nil, err
	}
	s := &standings{datasets: b.rows, algorithms: b.columns, metric: b.text.PrimaryMetric()}
	placeOf := func(d, a int) *place { return b.places[d][a] }
	if slices.Equal(b.columnDims, []string{"dataset"}) {
		s.datasets, s.algorithms = b.columns, b.rows
		placeOf = func(d, a int) *place { return b.places[a][d] }
	}
	all := make([][]float64, len(s.datasets))
	for d := range all {
		all[d] = slices.Repeat([]float64{math.NaN()}, len(s.algorithms))
		for a := range s.algorithms {
			if p := placeOf(d, a); p != nil {
				all[d][a] = p.comparedValue()
			}
		}
	}
	datasets, algorithms := ranks.Complete(all)
	s.left = append(omitNames(s.algorithms, algorithms), omitNames(s.datasets, datasets)...)
	if len(datasets) < leastDatasets || len(algorithms) < 2 {
		return nil, fmt.Errorf("%w %d data sets and 2 algorithms with all results, and there are %d and %d%s",
			errTooFew, leastDatasets, len(datasets), len(algorithms), ifAny(len(s.left) > 0, " (incomplete: "+strings.Join(s.left, ", ")+")"))
	}
	s.datasets, s.algorithms = pickNames(s.datasets, datasets), pickNames(s.algorithms, algorithms)
	s.caveats = make([]cells.Caveats, len(algorithms))
	for _, d := range datasets {
		block := make([]float64, len(algorithms))
		for i, a := range algorithms {
			block[i] = all[d][a]
			s.caveats[i] = s.caveats[i].Or(placeOf(d, a).caveats)
			s.ranked = append(s.ranked, placeOf(d, a).cells...)
		}
		s.scores = append(s.scores, block)
	}
	s.control = -1
	for i, a := range algorithms {
		if c := placeOf(datasets[0], a).cells[0]; b.Baseline != "" && b.bases.baselineOf(c) == c {
			s.control = i
		}
	}
	var err error
	s.higher = placeOf(datasets[0], algorithms[0]).cells[0].Higher(s.metric)
	s.Friedman, err = ranks.NewFriedman(s.scores, s.higher)
	return s, err
}

// checkRankable says why a table has no ranks, nil if its axes allow them.
func (b *builder) checkRankable() error {
	algorithms, datasets := b.rowDims, b.columns
	switch {
	case slices.Equal(b.columnDims, []string{"dataset"}):
	case slices.Equal(b.rowDims, []string{"dataset"}):
		algorithms, datasets = b.columnDims, b.rows
	default:
		return fmt.Errorf("they need data sets along one axis, found %s and %s", strings.Join(b.rowDims, ", "), strings.Join(b.columnDims, ", "))
	}
	switch {
	case !slices.Contains(algorithms, "algorithm"):
		return fmt.Errorf("they need algorithms along one axis, found %s", strings.Join(algorithms, ", "))
	case b.onAxis("metric"):
		return fmt.Errorf("they need one metric, and metric is on an axis")
	case len(datasets) > b.countDatasets():
		return fmt.Errorf("they need different data sets, and some of %s are grid points of one", firstOf(datasets, 3))
	case !b.in.Source.Metric(b.text.PrimaryMetric()).Contested():
		return fmt.Errorf("no value of %s is better than another", b.text.PrimaryMetric())
	}
	for p := range b.byRow {
		if p.onlyCell() == nil {
			return fmt.Errorf("several cells share a place (%s)", b.describePlace(p))
		}
	}
	return nil
}

// pickNames returns the names at the given positions.
func pickNames(names []string, positions []int) []string {
	out := make([]string, len(positions))
	for i, j := range positions {
		out[i] = names[j]
	}
	return out
}

// omitNames returns the names that pickNames leaves out.
func omitNames(names []string, positions []int) []string {
	var out []string
	for i, s := range names {
		if !slices.Contains(positions, i) {
			out = append(out, s)
		}
	}
	return out
}
