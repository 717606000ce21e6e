package paired

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"tenfold/engines/data"
	"tenfold/engines/numeric/poisson"
	"tenfold/io/results"
)

// rowLosses computes, by name, the losses that the truth and the prediction of a row give, or the probability of the truth.
var rowLosses = map[string]func(p *results.Predictions, i int) float64{
	results.SquaredLoss:  func(p *results.Predictions, i int) float64 { d := p.Truth[i] - p.Prediction[i]; return d * d },
	results.AbsoluteLoss: func(p *results.Predictions, i int) float64 { return math.Abs(p.Truth[i] - p.Prediction[i]) },
	results.ZeroOneLoss:  func(p *results.Predictions, i int) float64 { return indicator(p.Truth[i] != p.Prediction[i]) },
	results.Correct:      func(p *results.Predictions, i int) float64 { return indicator(p.Truth[i] == p.Prediction[i]) },
	results.PoissonLoss:  func(p *results.Predictions, i int) float64 { return poisson.Deviance(p.Truth[i], p.Prediction[i]) },
	results.LogLoss:      func(p *results.Predictions, i int) float64 { return 0 - p.LogProbability[i] },
	// The losses of IntegratedBrierLoss depend on all rows together: see brierLosses.
	results.IntegratedBrierLoss: func(*results.Predictions, int) float64 { return math.NaN() },
	// That of CostLoss depends on the costs, too.
	results.CostLoss: func(*results.Predictions, int) float64 { return math.NaN() },
}

// brierLosses returns the integrated Brier losses of the rows of survival targets.
func brierLosses(p *results.Predictions) ([]float64, error) {
	out := make([]float64, len(p.Row))
	rest := len(out)
	for _, curve := range p.Curves {
		var order []int
		var times, eta []float64
		var events []int8
		for i, output := range p.Output {
			if output == curve.Output {
				order, times, eta, events = append(order, i), append(times, p.Truth[i]), append(eta, p.Prediction[i]), append(events, p.EventOf(i))
			}
		}
		for k, loss := range curve.Known().BrierLosses(times, events, eta) {
			out[order[k]] = loss
			rest--
		}
	}
	if rest > 0 {
		return nil, fmt.Errorf("the predictions have no baseline hazard, which an integrated Brier score needs")
	}
	return out, nil
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// RowWise reports whether a metric can be resampled by rows.
func RowWise(m results.Properties) bool { return rowLosses[m.RowLoss] != nil }

// noRows returns the error of a metric that cannot be resampled by rows.
func noRows(metric string) error {
	return fmt.Errorf("%s is not a mean over rows, which a test of rows needs", metric)
}

// Losses holds one algorithm's row losses on one fold, summed by group of rows; without groups every row is its own.
type Losses struct {
	metric     string
	properties results.Properties // of the metric
	keys       []string           // of the rows, sorted: two algorithms are compared on the same rows only; nil if they were not stored
	name       []string           // by group; nil with keys
	sum        []float64
	count      []float64 // of rows, each counted by its weight

	once  sync.Once
	draws []float64 // replicates of the metric
}

// newLosses sums the losses of a row-wise metric, weighted if rows have weights. score is the recorded value of the metric:
// predictions that do not reproduce it are refused. An arrangement made for other predictions is reused if it fits, and else
// replaced.
func newLosses(metric string, properties results.Properties, p results.Predictions, score float64, a *arrangement) (*Losses, error) {
	loss := rowLosses[properties.RowLoss]
	switch {
	case loss == nil:
		return nil, noRows(metric)
	case len(p.Row) == 0:
		return nil, fmt.Errorf("there are no predictions to resample")
	case properties.RowLoss == results.LogLoss && len(p.LogProbability) != len(p.Row):
		return nil, fmt.Errorf("the predictions have no probabilities of the true levels (were they stored before these were kept?)")
	}
	if properties.RowLoss == results.CostLoss {
		loss = func(p *results.Predictions, i int) float64 {
			return properties.Costs[p.TruthLabel[i]][p.PredictionLabel[i]]
		}
	}
	if properties.RowLoss == results.IntegratedBrierLoss {
		losses, err := brierLosses(&p)
		if err != nil {
			return nil, err
		}
		loss = func(_ *results.Predictions, i int) float64 { return losses[i] }
	}
	if !a.sameRows(p) {
		*a = arrangementOf(p)
	}
	l := &Losses{metric: metric, properties: properties, keys: a.keys, name: a.name, sum: make([]float64, len(a.name)), count: make([]float64, len(a.name))}
	for k, i := range a.order {
		g := a.group[k]
		w := 1.0
		if i < len(p.Weight) {
			w = p.Weight[i]
		}
		l.sum[g] += float64(w * loss(&p, i))
		l.count[g] += w
	}
	if got := l.metricValue(); !l.Gives(score) {
		return nil, fmt.Errorf("the predictions give a %s of %.6g, the result says %.6g (of weighted rows, from before their weights were kept?)", metric, got, score)
	}
	return l, nil
}

// arrangement is the order in which rows are summed, and their groups. Cells on one fold mostly share it, and it takes longer to
// make than all the rest. It is immutable once made.
type arrangement struct {
	row, output, ofGroup []string // of the predictions it was made for
	order                []int    // of the rows, by key
	keys                 []string // in that order
	group                []int    // number of each row's group, in that order
	name                 []string // by group
}

func (a *arrangement) sameRows(p results.Predictions) bool {
	return slices.Equal(a.row, p.Row) && slices.Equal(a.output, p.Output) && slices.Equal(a.ofGroup, p.Group)
}

func arrangementOf(p results.Predictions) arrangement {
	a := arrangement{row: p.Row, output: p.Output, ofGroup: p.Group, order: make([]int, len(p.Row))}
	keys := make([]string, len(p.Row))
	for i := range keys {
		a.order[i], keys[i] = i, p.Row[i]
		if i < len(p.Output) {
			keys[i] += "\x00" + p.Output[i]
		}
	}
	slices.SortStableFunc(a.order, func(i, j int) int { return strings.Compare(keys[i], keys[j]) })
	groups := map[string]int{}
	for _, i := range a.order {
		name := "row\x00" + p.Row[i]
		if i < len(p.Group) && p.Group[i] != "" {
			name = p.Group[i]
		}
		g, ok := groups[name]
		if !ok {
			g = len(a.name)
			groups[name] = g
			a.name = append(a.name, name)
		}
		a.keys, a.group = append(a.keys, keys[i]), append(a.group, g)
	}
	return a
}

// Groups returns the number of units that are resampled.
func (l *Losses) Groups() int { return len(l.sum) }

// Sums returns the sums of the losses, by group. The caller must not change them.
func (l *Losses) Sums() []float64 { return l.sum }

// Counts returns the numbers of rows, by group, or the sums of their weights. The caller must not change them.
func (l *Losses) Counts() []float64 { return l.count }

// Blocks merges the groups into at most n, few enough to be stored: a group's block is a hash of its name, so that the same rows
// give the same blocks for every algorithm. Blocks without rows are dropped; with no more than n groups each is its own block. This
// estimates a variance from random groups of the sample (Wolter, Introduction to Variance Estimation, chapter 2): the fewer there
// are, the less certain the estimate.
func (l *Losses) Blocks(n int) *Losses {
	if l.Groups() <= n || l.name == nil {
		return l
	}
	n = max(n, 1)
	sum, count := make([]float64, n), make([]float64, n)
	for g, name := range l.name {
		b := data.Mix(data.Key(name)) % uint64(n)
		sum[b] += l.sum[g]
		count[b] += l.count[g]
	}
	out := &Losses{metric: l.metric, properties: l.properties, keys: l.keys}
	for b := range count {
		if count[b] > 0 {
			out.sum, out.count = append(out.sum, sum[b]), append(out.count, count[b])
		}
	}
	return out
}

// Stored returns the losses whose Sums and Counts were stored. They are comparable with Blocks(n) of the same rows: the caller must
// know from the digest of the fold that the rows are the same; here only the counts can be compared.
func Stored(metric string, properties results.Properties, sums, counts []float64) (*Losses, error) {
	switch {
	case !RowWise(properties):
		return nil, noRows(metric)
	case len(sums) != len(counts):
		return nil, fmt.Errorf("%d sums of losses for %d counts of rows", len(sums), len(counts))
	case len(sums) == 0:
		return nil, fmt.Errorf("no losses are stored")
	}
	for b, c := range counts {
		if !(c > 0) || !results.Finite(c) {
			return nil, fmt.Errorf("block %d has %v rows, expected their number, or the sum of their weights", b, c)
		}
		if !results.Finite(sums[b]) || sums[b] < 0 && properties.RowLoss != results.CostLoss {
			return nil, fmt.Errorf("block %d has a sum of losses of %v, expected a finite number from 0", b, sums[b])
		}
	}
	return &Losses{metric: metric, properties: properties, sum: slices.Clone(sums), count: slices.Clone(counts)}, nil
}

// Gives reports whether the losses yield this value of the metric, up to rounding.
func (l *Losses) Gives(score float64) bool {
	got := l.metricValue()
	return math.Abs(got-score) <= 1e-6*math.Max(1, math.Abs(score)) && results.Finite(got)
}

func (l *Losses) metricValue() float64 { return l.fromMean(sumOf(l.sum) / sumOf(l.count)) }

// fromMean returns the metric for a mean of the losses.
func (l *Losses) fromMean(mean float64) float64 {
	if l.properties.Root {
		return math.Sqrt(mean)
	}
	return mean
}

// sameRows refuses losses of different metrics or rows.
func sameRows(a, b *Losses) error {
	switch {
	case a.metric != b.metric:
		return fmt.Errorf("%s cannot be compared with %s", a.metric, b.metric)
	case a.keys != nil && b.keys != nil && !slices.Equal(a.keys, b.keys), !slices.Equal(a.count, b.count):
		return fmt.Errorf("not measured on the same rows")
	}
	return nil
}
