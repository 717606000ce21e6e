package knockoffs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/knockoff"
	"tenfold/engines/numeric/sparse"
)

// comparison lets the base choose between columns and their knockoffs.
type comparison struct {
	engine       Engine
	run          engines.Run
	seed         uint64
	distribution *knockoff.Distribution
	rows         *knockoff.Rows
	paired       []int          // places in the distribution of the columns that have knockoffs; the others are in every model
	both         *data.Features // the columns of the distribution, and after them the knockoffs

	evaluated int64
	noted     []string // notes of the fits, each once
}

func (e Engine) newComparison(ctx context.Context, run engines.Run) (*comparison, error) {
	distribution, err := e.learn(ctx, run)
	if err != nil {
		return nil, err
	}
	d := &comparison{engine: e, run: run, seed: run.Rand.Uint64(), distribution: distribution, rows: distribution.Training(ctx, run.Workers)}
	var sources []int32
	for k, j := range distribution.Columns {
		if run.Train.Competes(int(j)) {
			d.paired, sources = append(d.paired, k), append(sources, int32(k))
		}
	}
	if len(d.paired) == 0 {
		return nil, errors.New("knockoffs: every column that varies is in every model (features: {keep: …}), which leaves none to select")
	}
	d.both = run.Train.Features().Keep(distribution.Columns).WithProbes(sources)
	return d, nil
}

// columnOf returns the data's number of the k-th column with a knockoff.
func (d *comparison) columnOf(k int) int { return int(d.distribution.Columns[d.paired[k]]) }

// factors returns the penalty factors of columns and knockoffs, which have those of their columns; nil for 1 each.
func (d *comparison) factors() []float64 {
	factor := data.ValuesAt(d.run.Train.Factors(), d.distribution.Columns)
	for _, k := range d.paired {
		if factor != nil {
			factor = append(factor, factor[k])
		}
	}
	return factor
}

func (d *comparison) stream(purpose string, draw int) *rand.Rand {
	return rand.New(rand.NewPCG(d.seed, data.Key("knockoffs", purpose, fmt.Sprint(draw))))
}

// statistic computes W of each column that varies, in one draw: swapping a column with its knockoff changes its sign and nothing
// else. Which of the two comes first is drawn, since engines take the first of equal columns.
func (d *comparison) statistic(ctx context.Context, draw int) ([]float64, error) {
	normals, coins := d.stream("normal", draw), d.stream("coin", draw)
	z := d.rows.Standardised()
	copies := d.rows.Draw(ctx, d.run.Workers, func() float64 { return elementary.Normal(normals.Uint64()) })
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	standardise(copies)
	swapped := make([]bool, len(d.paired))
	for k := range swapped {
		swapped[k] = coins.IntN(2) == 1
	}
	on := d.run
	on.Train, on.Rand = d.run.Train.Replaced(d.beside(z, copies, swapped), d.both), d.stream("fit", draw)
	if factor := d.factors(); factor != nil {
		on.Train = on.Train.WithFactors(factor)
	}
	on.Watch, on.Trace, on.At, on.Keep = nil, nil, nil, nil
	on.Warn = d.note
	if d.engine.Draws > 1 {
		on.Tell, on.Searched = nil, nil
	}
	return d.contrast(ctx, on, swapped)
}

// contrast compares what the base's fit makes of columns and knockoffs.
func (d *comparison) contrast(ctx context.Context, on engines.Run, swapped []bool) ([]float64, error) {
	var weight []float64
	var err error
	if d.engine.Statistic == byEntry {
		weight, err = d.entries(ctx, on)
	} else {
		weight, err = d.importances(ctx, on)
	}
	if err != nil {
		return nil, err
	}
	w := make([]float64, len(d.paired))
	for k, place := range d.paired {
		original, other := weight[place], weight[len(weight)-len(d.paired)+k]
		if swapped[k] {
			original, other = other, original
		}
		switch {
		case d.engine.Statistic == byImportance:
			w[k] = original - other
		case original > other:
			w[k] = original
		case original < other:
			w[k] = -other
		}
	}
	return w, nil
}

// importances returns the importance of each column in the base's model: the sum of its absolute coefficients over outputs, or the
// importance that a model without coefficients reports.
func (d *comparison) importances(ctx context.Context, on engines.Run) ([]float64, error) {
	m, err := d.engine.Base.Fit(ctx, on)
	if err != nil {
		return nil, err
	}
	defer engines.Close(m)
	d.report(m)
	weight, ok := engines.ColumnWeights(m, on.Train.Columns(), func(sum, coef float64) float64 { return sum + math.Abs(coef) })
	if !ok {
		return nil, errors.New("the model has neither coefficients nor importances to tell columns from knockoffs by")
	}
	return weight, nil
}

// penalty is the parameter of the steps of a path of penalties, as those of lars. Other parameters, such as the size of a step or
// the number of trees, do not say how late a column enters.
const penalty = "lambda"

// entries returns when columns enter: the penalty there, or, if steps have none, one more than the number of columns that enter
// later; 0 for columns that never enter.
func (d *comparison) entries(ctx context.Context, on engines.Run) ([]float64, error) {
	weight := make([]float64, on.Train.Columns())
	position, order, penalised := 0.0, []int(nil), false
	on.Trace = func(s engines.Step) {
		for _, c := range append([]engines.Coef{s.Changed}, s.Also...) {
			if j := c.Feature; j >= 0 && j < len(weight) && !slices.Contains(order, j) {
				order = append(order, j)
				weight[j] = position
			}
		}
		if penalised = s.Parameter == penalty; penalised {
			position = s.ParameterValue
		}
	}
	m, err := d.engine.Base.Fit(ctx, on)
	if err != nil {
		return nil, err
	}
	defer engines.Close(m)
	d.report(m)
	if !penalised {
		for k, j := range order {
			weight[j] = float64(len(order) - k)
		}
	}
	return weight, nil
}

// report collects the notes and facts of a fit.
func (d *comparison) report(m engines.Model) {
	if reporter, ok := m.(engines.Reporter); ok {
		f := reporter.Fitted()
		d.evaluated += f.Evaluated
		for _, note := range f.Notes {
			d.note(note)
		}
	}
}

func (d *comparison) note(text string) {
	if !slices.Contains(d.noted, text) {
		d.noted = append(d.noted, text)
	}
}

// standardise centres and scales the columns of rows, with n − 1; a column that does not vary becomes 0.
func standardise(rows [][]float64) {
	n := float64(len(rows))
	for j := range rows[0] {
		mean, squares := 0.0, 0.0
		for _, row := range rows {
			mean += row[j]
		}
		mean /= n
		for _, row := range rows {
			row[j] -= mean
			squares += float64(row[j] * row[j])
		}
		scale := 0.0
		if squares > 0 {
			scale = 1 / math.Sqrt(squares/(n-1))
		}
		for _, row := range rows {
			row[j] *= scale
		}
	}
}

// beside returns the matrix of columns followed by their knockoffs; a swapped pair trades places.
func (d *comparison) beside(z, copies [][]float64, swapped []bool) *sparse.Matrix {
	p, columns := len(z[0]), len(z[0])+len(d.paired)
	var b sparse.Builder
	b.Grow(len(z), columns*len(z))
	all, row := data.Numbers(columns), make([]float64, columns)
	for i := range z {
		copy(row, z[i])
		for k, place := range d.paired {
			if row[p+k] = copies[i][place]; swapped[k] {
				row[place], row[p+k] = row[p+k], row[place]
			}
		}
		if err := b.Add(all, row); err != nil {
			panic(err) // columns rise, and values are finite
		}
	}
	return b.Matrix(columns)
}
