package permutation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/engines/searches"
)

// Drawing holds the parameters of the measurement.
type Drawing struct {
	K       int    `yaml:"k" doc:"inner folds on whose held-out rows importance is measured, at least 2; fewer where the training rows do not make more"`
	Repeats int    `yaml:"repeats" doc:"permutations of each column on each inner fold, 1 to 1000"`
	Metric  string `yaml:"metric" ref:"metric" doc:"metric of predictions whose loss is the importance (default log_loss for classes if the models give probabilities, else accuracy; test_mse for numbers, partial_log_likelihood for survival)"`
	Pairs   bool   `yaml:"pairs" doc:"in place of draws, every row takes the column's value of every other row (Fisher, Rudin and Dominici 2019): for metrics that are means over rows, and up to 1000 rows held out"`
	Within  string `yaml:"within" doc:"rows: permuted among all rows held out; group: among the rows of a group, or of no group"`
}

// Defaults returns the usual parameters.
func Defaults() Drawing { return Drawing{K: 5, Repeats: 5, Within: rows} }

// Values of within.
const (
	rows  = "rows"
	group = "group"
)

// maxPairedRows limits the held-out rows of which all pairs are formed.
const maxPairedRows = 1000

// Validate checks the parameters, except the name of the metric.
func (d Drawing) Validate() error { return d.ValidateBelow("") }

// ValidateBelow checks, as Validate does, parameters below a key of an experiment file, which ends in a dot.
func (d Drawing) ValidateBelow(key string) error {
	return errors.Join(
		param.Require(key+"k", d.K >= 2, "%d folds, expected at least 2", d.K),
		param.Require(key+"repeats", d.Repeats >= 1 && d.Repeats <= 1000, "%d, expected 1 to 1000", d.Repeats),
		param.OneOf(key+"within", d.Within, rows, group),
		param.Require(key+"within", !d.Pairs || d.Within == rows, "%s, and pairs are of all rows; leave one of them out", d.Within),
	)
}

// ComparesRows reports whether the metric has to be a mean over rows.
func (d Drawing) ComparesRows() bool { return d.Pairs }

// ComparedBy returns the key and the name of the metric; "" for that of the type of target.
func (d Drawing) ComparedBy() (key, metric string) { return "metric", d.Metric }

// Importances holds the importance of units of columns: how much worse a metric is, in its own unit, when their values are permuted.
type Importances struct {
	Metric string
	Mean   []float64 // by unit, over folds
	SE     []float64 // standard error of it, NaN with one fold
	Base   float64   // mean of the metric without a permutation
	Folds  int       // that have a value
	Notes  []string
}

// Measure fits an engine on each inner fold, and measures its predictions for the held-out rows with the columns of each unit permuted by
// one permutation. O(k) fits and O(k·repeats·units) predictions; units without a column that the model uses take none.
func (d Drawing) Measure(ctx context.Context, e engines.Engine, run engines.Run, units [][]int32) (out Importances, err error) {
	if run.Train.Starts() != nil {
		return out, errors.New("rows form sequences whose columns depend on previous labels, which cannot be permuted by themselves")
	}
	seed := run.Rand.Uint64()
	v, err := run.Divide(ctx, run, engines.InnerFolds{K: d.K, Repeats: 1, Metric: d.Metric}, seed)
	if err != nil {
		return out, err
	}
	if d.Pairs {
		for _, m := range v.Metrics {
			if !m.ByRow {
				return out, fmt.Errorf("pairs: %s is no mean over rows; leave pairs out", m.Name)
			}
		}
	}
	if run.Inner.Ordered {
		out.Notes = append(out.Notes, "values are permuted among rows of different times: importance of columns that change with time is that of breaking this, too")
	}
	names := make([]string, len(units))
	for u, columns := range units {
		names[u] = run.Train.Features().Name(int(columns[0]))
	}
	folds := make([]permutedFold, len(v.Folds))
	for k, f := range v.Folds {
		folds[k] = permutedFold{v: v.Comparison, HeldOut: f, engine: e, units: units, drawing: d, seed: [2]uint64{seed, uint64(k)}}
		if folds[k].orders, err = d.orders(seed, k, names, f.Held); err != nil {
			return out, err
		}
	}
	errs := make([]error, len(folds))
	defer func() {
		for k := range folds {
			if folds[k].model != nil {
				engines.Close(folds[k].model)
			}
		}
	}()
	var ended atomic.Bool
	goesOn := func() bool { // once the context has ended, nobody looks at it again
		if ended.Load() || ctx.Err() != nil {
			ended.Store(true)
		}
		return !ended.Load()
	}
	counter := searches.NewCounter(run.ShowProgress, "", len(folds))
	parallel.Each(run.Workers, len(folds), func(k int) { // a model predicts for one goroutine at a time: it may be a process
		if goesOn() {
			errs[k] = folds[k].measureBase(ctx, run)
		}
		for u := 0; u < len(units) && errs[k] == nil && goesOn(); u++ {
			errs[k] = folds[k].measureUnit(ctx, run, u)
		}
		counter.Add()
	})
	if !goesOn() {
		return out, context.Cause(ctx)
	}
	for k, err := range errs { // the first in their order
		if err != nil {
			return out, fmt.Errorf("inner fold %d: %w", k+1, err)
		}
	}
	return out, out.average(folds, len(units))
}

// orders returns the function that gives the permutations of a unit among held-out rows, one by one. They go by the names of columns, so
// that the order of these changes nothing.
func (d Drawing) orders(seed uint64, fold int, names []string, held *data.View) (func(unit int) [][]int32, error) {
	n := held.Len()
	if d.Pairs {
		if n < 2 || n > maxPairedRows {
			return nil, fmt.Errorf("pairs: an inner fold holds out %d rows, expected 2 to %d; leave pairs out", n, maxPairedRows)
		}
		rotations := make([][]int32, n-1)
		for s := range rotations {
			rotations[s] = make([]int32, n)
			for i := range rotations[s] {
				rotations[s][i] = int32((i + s + 1) % n)
			}
		}
		return func(int) [][]int32 { return rotations }, nil
	}
	parts := [][]int32{data.Numbers(n)}
	if g := held.Groups(); d.Within == group && g != nil {
		parts = make([][]int32, len(g.Key))
		for i, number := range g.Of {
			parts[number] = append(parts[number], int32(i))
		}
	}
	return func(unit int) [][]int32 {
		orders := make([][]int32, d.Repeats)
		for r := range orders {
			rng := rand.New(rand.NewPCG(seed, data.Key("permutation", strconv.Itoa(fold), names[unit], strconv.Itoa(r))))
			orders[r] = make([]int32, n)
			for _, part := range parts {
				shuffled := slices.Clone(part)
				rng.Shuffle(len(shuffled), func(a, b int) { shuffled[a], shuffled[b] = shuffled[b], shuffled[a] })
				for k, i := range part {
					orders[r][i] = shuffled[k]
				}
			}
		}
		return orders
	}, nil
}

// permutedFold measures one inner fold.
type permutedFold struct {
	engines.HeldOut
	v       engines.Comparison
	engine  engines.Engine
	units   [][]int32
	drawing Drawing
	seed    [2]uint64                // of the fit; the first half is that of the orders, too
	orders  func(unit int) [][]int32 // permutations: row i gets the values of row order[i]
	model   engines.Model            // nil before something is measured that was not recalled
	uses    []int32
	base    []float64   // by metric
	drops   [][]float64 // by unit and metric, the mean over permutations of how much worse it is
}

// work describes a measurement on the fold.
func (f *permutedFold) work(what string) engines.Work {
	for _, m := range f.v.Metrics {
		what += " " + m.Name
	}
	return engines.Work{What: what, Engine: f.engine, On: []*data.View{f.Train, f.Held}, Seed: f.seed}
}

// fit fits the engine, once.
func (f *permutedFold) fit(ctx context.Context, run engines.Run) (err error) {
	if f.model == nil {
		on := run.Inside(f.Train, f.seed)
		on.Workers = 1
		f.model, err = f.engine.Fit(ctx, on)
	}
	return err
}

// measureBase measures the predictions of the model as they are, and finds the columns that it uses.
func (f *permutedFold) measureBase(ctx context.Context, run engines.Run) error {
	f.drops = make([][]float64, len(f.units))
	found, _, err := run.Recalled(f.work("nothing permuted"), func(inside engines.Run) (y engines.Yield, err error) {
		if err = f.fit(ctx, inside); err != nil {
			return y, err
		}
		y.Values, err = f.v.Measure(f.model, f.Train, f.Held)
		for _, j := range engines.Uses(f.model, f.Train.Columns()) {
			y.Values = append(y.Values, float64(j))
		}
		return y, err
	})
	if err != nil {
		return err
	}
	f.base = found.Values[:len(f.v.Metrics):len(f.v.Metrics)]
	for _, j := range found.Values[len(f.v.Metrics):] {
		f.uses = append(f.uses, int32(j))
	}
	return nil
}

// measureUnit measures one unit.
func (f *permutedFold) measureUnit(ctx context.Context, run engines.Run, u int) error {
	f.drops[u] = make([]float64, len(f.base))
	if !slices.ContainsFunc(f.units[u], func(j int32) bool { _, used := slices.BinarySearch(f.uses, j); return used }) {
		return nil
	}
	what := fmt.Sprintf("%v permuted, repeats %d pairs %t within %s", f.units[u], f.drawing.Repeats, f.drawing.Pairs, f.drawing.Within)
	found, _, err := run.Recalled(f.work(what), func(inside engines.Run) (engines.Yield, error) {
		drops := make([]float64, len(f.base))
		err := f.fit(ctx, inside)
		orders := f.orders(u)
		for k := 0; k < len(orders) && err == nil; k++ {
			var values []float64
			values, err = f.measure(u, orders[k])
			for m, v := range values {
				worse := v - f.base[m]
				if f.v.Metrics[m].Higher {
					worse = -worse
				}
				drops[m] += worse / float64(len(orders))
			}
		}
		return engines.Yield{Values: drops}, err
	})
	f.drops[u] = found.Values
	return err
}

// measure returns the metrics with the columns of a unit permuted.
func (f *permutedFold) measure(u int, order []int32) ([]float64, error) {
	x := permuted(f.Held.Matrix(), f.units[u], order)
	return f.v.Measure(f.model, f.Train, f.Held.Replaced(x, f.Held.Features()))
}

// average fills the importances in the first metric that has finite values, over the folds where it has one.
func (out *Importances) average(folds []permutedFold, units int) error {
	var infinite error // of the first metric that is, somewhere
	for m, metric := range folds[0].v.Metrics {
		var measured []permutedFold
		for _, f := range folds {
			if !math.IsNaN(f.base[m]) {
				measured = append(measured, f)
			}
		}
		if len(measured) == 0 {
			continue
		}
		out.Metric, out.Folds = metric.Name, len(measured)
		if left := len(folds) - len(measured); left > 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("%s has no value on %d of %d inner folds, which are left out", metric.Name, left, len(folds)))
		}
		n := float64(len(measured))
		for _, f := range measured {
			out.Base += f.base[m] / n
		}
		out.Mean, out.SE = make([]float64, units), make([]float64, units)
		for u := range units {
			for _, f := range measured {
				out.Mean[u] += f.drops[u][m] / n
			}
			squares := 0.0
			for _, f := range measured {
				d := f.drops[u][m] - out.Mean[u]
				squares += float64(d * d)
			}
			out.SE[u] = math.Sqrt(squares / (n - 1) / n)
		}
		if !slices.ContainsFunc(append(out.Mean, out.Base), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
			if infinite != nil {
				out.Notes = append(out.Notes, fmt.Sprintf("%v: importance is in %s", infinite, metric.Name))
			}
			return nil
		}
		if out.Base = 0; infinite == nil {
			infinite = fmt.Errorf("%s is undefined or infinite on the rows held out, as they are or with a column permuted", metric.Name)
		}
	}
	if infinite != nil {
		return infinite
	}
	return fmt.Errorf("%s has no value on any inner fold", folds[0].v.Metrics[0].Name)
}

// permuted returns a matrix whose row i has, in the given columns, the entries of row order[i]. O(nnz + columns of x).
func permuted(x *sparse.Matrix, columns, order []int32) *sparse.Matrix {
	n, width := x.Dims()
	in := make([]bool, width)
	for _, j := range columns {
		in[j] = true
	}
	ptr, idx := make([]int, n+1), make([]int32, 0, x.NNZ())
	var val []float64
	for i := range n {
		kept, moved := x.Row(i), x.Row(int(order[i]))
		if kept.Val != nil && val == nil {
			val = make([]float64, 0, x.NNZ())
		}
		a, b := 0, 0
		for {
			for a < len(kept.Idx) && in[kept.Idx[a]] {
				a++
			}
			for b < len(moved.Idx) && !in[moved.Idx[b]] {
				b++
			}
			if a == len(kept.Idx) && b == len(moved.Idx) {
				break
			}
			from, k := kept, a
			if a == len(kept.Idx) || b < len(moved.Idx) && moved.Idx[b] < kept.Idx[a] {
				from, k = moved, b
				b++
			} else {
				a++
			}
			if idx = append(idx, from.Idx[k]); val != nil {
				val = append(val, from.At(k))
			}
		}
		ptr[i+1] = len(idx)
	}
	return sparse.New(width, ptr, idx, val)
}
