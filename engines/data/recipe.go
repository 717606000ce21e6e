package data

import (
	"fmt"
	"math"
	"slices"

	"tenfold/engines/sparse"
)

// Recipe is the preparation of a data set: what has to be learned from rows, and is therefore learned from the training
// rows of each fold only. The zero value keeps every column that occurs and refuses missing values.
type Recipe struct {
	Cutoff  int    // keep columns that occur in at least this many training rows; 0 keeps all
	Missing string // "" (refuse), mean, median, zero
	Scale   string // "" or none, sd (divide by the training standard deviation)
	Unseen  string // a level of a categorical column that no training row has: "" or ignore (all zeros), error
}

// Prepared is a data set after a recipe was fitted: fewer columns, the same rows.
type Prepared struct {
	set      *Dataset
	x        *sparse.Matrix
	features *Features
	targets  []Target
	Facts    []Fact
}

// Fit learns the recipe from the training rows (nil: all rows) and applies it to every row. O(nnz).
func (r Recipe) Fit(d *Dataset, train []int32) (*Prepared, error) {
	p := &Prepared{set: d, x: d.X, features: d.Features, targets: d.Targets}
	if err := r.fitColumns(p, train); err != nil {
		return nil, err
	}
	if err := r.fitValues(p, train); err != nil {
		return nil, err
	}
	return p, r.fitTargets(p, train)
}

// fitColumns applies the cutoff, and drops levels of categorical columns that no training row has.
func (r Recipe) fitColumns(p *Prepared, train []int32) error {
	d := p.set
	if r.Cutoff <= 1 && d.Factor == nil && r.Cutoff == 0 {
		return nil
	}
	rows, cols := d.X.Dims()
	count := make([]int32, cols)
	each(rows, train, func(i int) {
		for _, j := range d.X.Row(i).Idx {
			count[j]++
		}
	})
	keep := make([]int32, 0, cols)
	seen := 0
	for j, c := range count {
		if c > 0 {
			seen++
		}
		level := d.Factor != nil && d.Factor[j] >= 0
		if level && c == 0 && r.Unseen == "error" {
			return fmt.Errorf("level %q occurs in test rows and in no training row (prepare: {unseen: error})", d.Features.Name(j))
		}
		if int(c) >= r.Cutoff && !(level && c == 0) {
			keep = append(keep, int32(j))
		}
	}
	if r.Cutoff > 0 {
		p.Facts = append(p.Facts,
			Fact{"columns in training rows before the cutoff", fmt.Sprint(seen)},
			Fact{fmt.Sprintf("columns after the cutoff (%d)", r.Cutoff), fmt.Sprint(len(keep))})
	}
	if len(keep) < cols {
		p.x, p.features = d.X.Keep(keep), d.Features.Keep(keep)
	}
	return nil
}

// fitValues fills missing values (stored as NaN) and scales.
func (r Recipe) fitValues(p *Prepared, train []int32) error {
	ptr, idx, val := p.x.Rows()
	if val == nil {
		return nil
	}
	rows, cols := p.x.Dims()
	missing := false
	for i := 0; i < rows && !missing; i++ {
		for q := ptr[i]; q < ptr[i+1]; q++ {
			if val[q] != val[q] {
				if r.Missing == "" {
					return fmt.Errorf("row %s, column %s: the value is missing; say how to fill it in with prepare: {missing: mean | median | zero}",
						p.set.RowID(i), p.features.Name(int(idx[q])))
				}
				missing = true
				break
			}
		}
	}
	if !missing && r.Scale != "sd" {
		return nil
	}
	val = slices.Clone(val)
	p.x = sparse.New(cols, ptr, idx, val)
	inTrain := make([]bool, rows)
	n := 0
	each(rows, train, func(i int) { inTrain[i] = true; n++ })
	if missing {
		fill := r.fillers(p.x, inTrain, n)
		for q := range val {
			if val[q] != val[q] {
				val[q] = fill[idx[q]]
			}
		}
	}
	if r.Scale == "sd" {
		scaleBySD(p.x, inTrain, float64(n))
	}
	return nil
}

// fillers is the value that stands for a missing one, for each column, from training rows. Entries that are not stored
// are zeros and count as such.
func (r Recipe) fillers(x *sparse.Matrix, inTrain []bool, n int) []float64 {
	_, cols := x.Dims()
	fill := make([]float64, cols)
	if r.Missing == "zero" {
		return fill
	}
	for j := range fill {
		col := x.Col(j)
		var known []float64
		stored := 0
		for k, i := range col.Idx {
			if inTrain[i] {
				stored++
				if v := col.At(k); v == v {
					known = append(known, v)
				}
			}
		}
		for zeros := n - stored; zeros > 0; zeros-- {
			known = append(known, 0)
		}
		if len(known) == 0 {
			continue
		}
		if r.Missing == "median" {
			slices.Sort(known)
			fill[j] = known[len(known)/2]
			if len(known)%2 == 0 {
				fill[j] = (known[len(known)/2-1] + known[len(known)/2]) / 2
			}
			continue
		}
		sum := 0.0
		for _, v := range known {
			sum += v
		}
		fill[j] = sum / float64(len(known))
	}
	return fill
}

// scaleBySD divides every column by its standard deviation over the training rows, in place; constant columns stay.
func scaleBySD(x *sparse.Matrix, inTrain []bool, n float64) {
	rows, cols := x.Dims()
	ptr, idx, val := x.Rows()
	sum, square := make([]float64, cols), make([]float64, cols)
	for i := 0; i < rows; i++ {
		if !inTrain[i] {
			continue
		}
		for q := ptr[i]; q < ptr[i+1]; q++ {
			sum[idx[q]] += val[q]
			square[idx[q]] += float64(val[q] * val[q])
		}
	}
	for j := range sum {
		mean := sum[j] / n
		variance := square[j]/n - float64(mean*mean)
		if variance <= 1e-12*square[j]/n {
			sum[j] = 1
			continue
		}
		sum[j] = 1 / math.Sqrt(variance)
	}
	for q := range val {
		val[q] *= sum[idx[q]]
	}
}

// fitTargets computes the targets that depend on training counts.
func (r Recipe) fitTargets(p *Prepared, train []int32) error {
	for t, target := range p.targets {
		if target.Pairs == nil {
			continue
		}
		target.Values = target.Pairs.Information(train)
		for i, y := range target.Values {
			if math.IsInf(y, 0) {
				return fmt.Errorf("target %s, row %s: a pair that training never saw has no mutual information with kappa 0", target.Name, p.set.RowID(i))
			}
		}
		p.targets = slices.Clone(p.targets)
		p.targets[t] = target
	}
	return nil
}

func each(rows int, only []int32, f func(i int)) {
	if only == nil {
		for i := 0; i < rows; i++ {
			f(i)
		}
		return
	}
	for _, i := range only {
		f(int(i))
	}
}

// View of some rows of the prepared data, in the order given (nil: all rows).
func (p *Prepared) View(rows []int32) *View {
	if rows == nil {
		rows = make([]int32, p.set.Rows())
		for i := range rows {
			rows[i] = int32(i)
		}
	}
	return &View{from: p, rows: rows}
}

// Columns is the number of columns kept.
func (p *Prepared) Columns() int { return p.features.Len() }

// Bytes is the memory that the prepared data holds beyond the data set it came from.
func (p *Prepared) Bytes() int64 {
	if p.x == p.set.X {
		return 0
	}
	ptr, idx, val := p.x.Rows()
	return int64(8*len(ptr) + 4*len(idx) + 8*len(val))
}
