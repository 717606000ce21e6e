package paired

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"tenfold/io/results"
)

// The replicates of a bootstrap, and the seed of its draws: fixed, so that a report is the same each time.
const (
	replicates = 2000
	seed       = 0x7e4f01d
)

// rowWise are the metrics that are a function of a mean of row losses.
var rowWise = map[string]struct {
	loss func(truth, prediction float64) float64
	of   func(mean float64) float64
}{
	"test_mse": {func(t, p float64) float64 { return (t - p) * (t - p) }, same},
	"rmse":     {func(t, p float64) float64 { return (t - p) * (t - p) }, math.Sqrt},
	"mae":      {func(t, p float64) float64 { return math.Abs(t - p) }, same},
	"accuracy": {func(t, p float64) float64 { return indicator(t == p) }, same},
	"error":    {func(t, p float64) float64 { return indicator(t != p) }, same},
}

func same(x float64) float64 { return x }

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// RowWise tells whether a metric can be resampled by rows.
func RowWise(metric string) bool { return rowWise[metric].loss != nil }

// Losses are one algorithm's row losses on one fold, summed by group of rows; without groups every row is its own.
type Losses struct {
	metric string
	keys   []string // of the rows, sorted: two algorithms are compared on the same rows only
	sum    []float64
	count  []float64
}

// NewLosses sums the losses of a row-wise metric. score is the metric as it was recorded: predictions that do not give
// it back (weighted rows, say) are refused.
func NewLosses(metric string, p results.Predictions, score float64) (*Losses, error) {
	m := rowWise[metric]
	switch {
	case m.loss == nil:
		return nil, fmt.Errorf("%s is not a mean over rows, which a bootstrap needs", metric)
	case len(p.Row) == 0:
		return nil, fmt.Errorf("there are no predictions to resample")
	}
	order := make([]int, len(p.Row))
	keys := make([]string, len(p.Row))
	for i := range order {
		order[i], keys[i] = i, p.Row[i]
		if i < len(p.Output) {
			keys[i] += "\x00" + p.Output[i]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(keys[a], keys[b]) })
	l := &Losses{metric: metric}
	groups := map[string]int{}
	for _, i := range order {
		l.keys = append(l.keys, keys[i])
		name := "row\x00" + p.Row[i]
		if i < len(p.Group) && p.Group[i] != "" {
			name = p.Group[i]
		}
		g, ok := groups[name]
		if !ok {
			g = len(l.sum)
			groups[name] = g
			l.sum, l.count = append(l.sum, 0), append(l.count, 0)
		}
		l.sum[g] += m.loss(p.Truth[i], p.Prediction[i])
		l.count[g]++
	}
	if got := l.value(); !(math.Abs(got-score) <= 1e-6*math.Max(1, math.Abs(score))) {
		return nil, fmt.Errorf("the predictions give a %s of %.6g, the result says %.6g (are rows weighted?)", metric, got, score)
	}
	return l, nil
}

// Groups is the number of units that are resampled.
func (l *Losses) Groups() int { return len(l.sum) }

func (l *Losses) value() float64 {
	sum, count := 0.0, 0.0
	for g, s := range l.sum {
		sum += s
		count += l.count[g]
	}
	return rowWise[l.metric].of(sum / count)
}

// SE is the bootstrap standard error of the metric; NaN with fewer than two groups.
func (l *Losses) SE() float64 {
	if l.Groups() < 2 {
		return math.NaN()
	}
	return results.Summarise(replicate(l)).SD
}

// Bootstrap compares two algorithms on the rows of one fold: groups of rows are drawn with replacement, the same for
// both. Low and High are the 2.5 % and 97.5 % percentiles of the difference; P is twice the smaller share of replicates
// on one side of zero, (count + 1) / (replicates + 1) (Davison & Hinkley 1997, sections 4.2 and 5.3).
// O(replicates · groups).
func Bootstrap(a, b *Losses) (Result, error) {
	switch {
	case a.metric != b.metric:
		return Result{}, fmt.Errorf("%s cannot be compared with %s", a.metric, b.metric)
	case !slices.Equal(a.keys, b.keys) || !slices.Equal(a.count, b.count):
		return Result{}, fmt.Errorf("not measured on the same rows")
	case a.Groups() < 2:
		return Result{}, fmt.Errorf("a bootstrap needs at least 2 groups of rows, there is %d", a.Groups())
	}
	d := replicate(a, b)
	below, above := 1, 1
	for _, x := range d {
		if x <= 0 {
			below++
		}
		if x >= 0 {
			above++
		}
	}
	slices.Sort(d)
	return Result{
		N: a.Groups(), Mean: a.value() - b.value(), SE: results.Summarise(d).SD, T: math.NaN(),
		P:   math.Min(1, 2*float64(min(below, above))/float64(len(d)+1)),
		Low: d[len(d)*25/1000], High: d[len(d)*975/1000-1],
	}, nil
}

// replicate draws groups with replacement and computes the metric of the first minus that of the second, if any.
func replicate(ls ...*Losses) []float64 {
	rng := rand.New(rand.NewPCG(seed, seed))
	groups := ls[0].Groups()
	out := make([]float64, replicates)
	of := rowWise[ls[0].metric].of
	sums := make([]float64, len(ls))
	for r := range out {
		clear(sums)
		count := 0.0
		for range groups {
			g := rng.IntN(groups)
			count += ls[0].count[g]
			for k, l := range ls {
				sums[k] += l.sum[g]
			}
		}
		out[r] = of(sums[0] / count)
		if len(ls) > 1 {
			out[r] -= of(sums[1] / count)
		}
	}
	return out
}
