package results

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
)

// StabilityMetric is the name of a metric that is measured on the folds of a cell together: no row has it, so it is
// not a column of results.parquet. Higher is better.
const StabilityMetric = "stability"

// The metrics that credit similar columns (reports/agree), and all that are measured on the folds of a cell together.
const (
	StabilityMBM      = "stability_mbm"
	StabilityYu       = "stability_yu"
	StabilityZucknick = "stability_zucknick"
)

// CellMetrics lists the metrics that no row has, because they are measured on the folds of a cell together.
var CellMetrics = []string{StabilityMetric, StabilityMBM, StabilityYu, StabilityZucknick}

// ErrUndefined is the error if there is nothing to measure: too few folds, or no selection in them.
var ErrUndefined = errors.New("stability is undefined")

// Stability is how far the folds of a cell select the same features: 1 where all select the same set, 0 on average
// where sets of the same sizes are drawn at random, and never below −1/(Folds−1).
//
// The interval holds for many independent samples. Over few folds it is too narrow (in simulations a 95 % interval of ten
// independent samples held the truth 86 times in 100, of five 72 times), and the training parts of cross-validation overlap.
type Stability struct {
	Folds     int
	Columns   int     // candidates
	Mean      float64 // the measure Φ̂
	SE        float64 // asymptotic standard error; NaN for two folds, where the formula always gives 0
	Low, High float64 // asymptotic 95 % interval, cut at 1, the largest possible value; NaN like SE
}

// StabilityOf measures the sets of features that folds selected among d = columns candidates; a feature named twice in a
// set counts once. Folds can differ in their candidates, since cutoffs are counted on training rows: columns is then the
// largest number, and where the sets together have more, d is theirs. With M folds, k̄ features on average, and feature f
// in a share p̂_f of the folds (Nogueira, Sechidis & Brown 2018, JMLR 18(174), definition 4, theorem 7 and corollary 9):
//
//	Φ̂ = 1 − [ (1/d) Σ_f s_f² ] / [ (k̄/d)(1 − k̄/d) ],   s_f² = M/(M−1) p̂_f (1 − p̂_f)
//	v = 4/M² Σ_i (φ_i − φ̄)²,   interval Φ̂ ± 1.96 √v
//	φ_i = [ (1/d) Σ_{f ∈ i} p̂_f − k_i k̄/d² + Φ̂/2 (2 k_i k̄/d² − k_i/d − k̄/d + 1) ] / [ (k̄/d)(1 − k̄/d) ]
//
// Errors, all of ErrUndefined: fewer than two folds, every set empty, or every set full. Time and memory are of the order
// of the features in all sets. All sums but those over folds are of whole numbers.
func StabilityOf(sets [][]string, columns int) (Stability, error) {
	c := newCounts(sets)
	m, d := float64(len(sets)), float64(max(columns, len(c.folds)))
	total := 0
	for _, set := range c.sets {
		total += len(set)
	}
	switch {
	case len(sets) < 2:
		return Stability{}, fmt.Errorf("%w: it needs at least 2 folds, there is %d", ErrUndefined, len(sets))
	case columns <= 0:
		return Stability{}, fmt.Errorf("%w: the number of candidate features is not known", ErrUndefined)
	case total == 0:
		return Stability{}, fmt.Errorf("%w: no fold selected a feature", ErrUndefined)
	case float64(total) == m*d:
		return Stability{}, fmt.Errorf("%w: every fold selected all %d features", ErrUndefined, int(d))
	}
	s := Stability{Folds: len(sets), Columns: int(d)}
	spread := 0 // Σ_f c_f (M − c_f), where c_f folds have f
	for _, n := range c.folds {
		spread += n * (len(sets) - n)
	}
	share := float64(total) / (m * d)
	chance := share * (1 - share)
	s.Mean = 1 - float64(spread)/(m*(m-1)*d)/chance
	s.setError(c.standardError(s.Mean, share, chance, m, d))
	return s, nil
}

// normal975 is the 97.5 % quantile of the normal distribution.
const normal975 = 1.959963984540054

// setError sets the standard error and the interval that follows from it.
func (s *Stability) setError(se float64) {
	half := float64(normal975 * se)
	s.SE, s.Low, s.High = se, s.Mean-half, math.Min(1, s.Mean+half)
}

// MeanStability returns the mean over some cells, in the form that metrics over folds have; no single fold has a value that
// could spread. Its N counts folds, and its standard error takes the cells for independent.
func MeanStability(cells []Stability) Stat {
	out := Summarise(nil)
	if len(cells) == 0 {
		return out
	}
	var mean Stability
	squares := 0.0
	for _, s := range cells {
		mean.Folds += s.Folds
		mean.Mean += s.Mean
		squares += float64(s.SE * s.SE)
	}
	n := float64(len(cells))
	mean.Mean /= n
	mean.setError(math.Sqrt(squares) / n)
	out.N, out.Mean, out.SE, out.Low, out.High = mean.Folds, mean.Mean, mean.SE, mean.Low, mean.High
	return out
}

// counts holds the number of sets that have each feature, and the features of each set by number, without repetition.
type counts struct {
	folds []int
	sets  [][]int32
}

func newCounts(sets [][]string) counts {
	c := counts{sets: make([][]int32, len(sets))}
	number := map[string]int32{}
	var last []int // the set that had a feature last
	for i, set := range sets {
		for _, name := range set {
			f, ok := number[name]
			if !ok {
				f = int32(len(number))
				number[name] = f
				c.folds, last = append(c.folds, 0), append(last, -1)
			}
			if last[f] != i {
				last[f] = i
				c.folds[f]++
				c.sets[i] = append(c.sets[i], f)
			}
		}
	}
	return c
}

// standardError returns √v of theorem 7.
func (c counts) standardError(stability, share, chance, m, d float64) float64 {
	if m < 3 {
		return math.NaN()
	}
	phi := make([]float64, len(c.sets))
	for i, set := range c.sets {
		together := 0
		for _, f := range set {
			together += c.folds[f]
		}
		chosen, common := float64(len(set))/d, float64(together)/(m*d)
		linear := float64(2*chosen*share) - chosen - share + 1
		phi[i] = (common - float64(chosen*share) + float64(stability/2*linear)) / chance
	}
	return 2 / m * math.Sqrt(m-1) * Summarise(phi).SD
}

// Sets collects what the folds of one cell selected: features, so with several outputs those selected for any of them.
type Sets struct {
	names   [][]string
	columns int64 // of the fold with most
	chosen  bool  // some fold left out a column
}

// OfFolds returns the names of the features of each fold, and the columns of the fold with most.
func (s *Sets) OfFolds() (names [][]string, columns int64) { return s.names, s.columns }

// Add adds a fold that ended well.
func (s *Sets) Add(o *Outcome, selected []Selected) {
	selected = o.Chosen(selected)
	names := make([]string, len(selected))
	for i := range selected {
		names[i] = selected[i].Counted()
	}
	s.names = append(s.names, names)
	s.columns = max(s.columns, o.Candidates())
	s.chosen = s.chosen || !o.SelectedAll()
}

// ProbesMetric is the name of a metric that exactly those fits have whose data had probes.
const ProbesMetric = "probes_selected"

// Chosen returns the selected features that are a choice among the columns of the data itself: no probes, and none that are kept in
// every model. It returns the list itself if it has neither.
func (o *Outcome) Chosen(selected []Selected) []Selected {
	probes, _ := o.Metric(ProbesMetric) // NaN without
	other := func(s Selected) bool { return s.Kept || probes > 0 && data.IsProbe(s.Feature) }
	if !slices.ContainsFunc(selected, other) {
		return selected
	}
	return slices.DeleteFunc(slices.Clone(selected), other)
}

// SelectedAll reports whether the fit selected every column of its fold that it could, as ridge does, which selects nothing.
func (o *Outcome) SelectedAll() bool { return o.Columns > 0 && int64(o.Features) >= o.Candidates() }

// Metrics of what could be selected. Exactly those fits have UnitsMetric, the number of units but for kept ones, whose data count
// several columns as one, and exactly those have the other two that keep columns in every model: how many these are, and how many
// features the model has with them.
const (
	UnitsMetric            = "units"
	KeptMetric             = "kept"
	SelectedWithKeptMetric = "selected_with_kept"
)

// PathEndMetric is measured at each size of a path: the size, or where the path ended if it has no model of so many features.
const PathEndMetric = "path_end"

// Candidates returns how many columns, or units, could be selected: none that are kept.
func (o *Outcome) Candidates() int64 {
	if n, had := o.Metric(UnitsMetric); had {
		return int64(n)
	}
	if n, had := o.Metric(KeptMetric); had {
		return o.Columns - int64(n)
	}
	return o.Columns
}

// Counted returns the name that a selected feature counts under: its unit, or its own.
func (s Selected) Counted() string { return cmp.Or(s.Unit, s.Feature) }

// Stability measures the selections. Besides the errors of StabilityOf, it returns ErrUndefined if each fold selected all of its
// own columns, in which folds can differ.
func (s *Sets) Stability() (Stability, error) {
	if !s.chosen && len(s.names) > 0 {
		return Stability{}, fmt.Errorf("%w: every fold selected all of its columns", ErrUndefined)
	}
	return StabilityOf(s.names, int(s.columns))
}
