package data

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/sparse"
)

// Recipe is the preparation of a data set: what has to be learned from rows, and is therefore learned from the training
// rows of each fold only. The zero value keeps every column that occurs and refuses missing values.
type Recipe struct {
	Cutoff  int    // keep columns that occur in at least this many training rows; 0 keeps all
	Missing string // "" or error (refuse), mean, median, zero
	Scale   string // "" or none, sd (divide by the training standard deviation)
	Unseen  string // a level of a categorical column that no training row has: "" or ignore (all zeros), error
	// Beam is how many hypotheses a decoder keeps where columns look at previous labels; 0 is greedy, one.
	Beam int `json:",omitempty"`
	// TFIDF multiplies values by the inverse document frequency of their columns: "", smooth, plain (text.go).
	TFIDF string `json:",omitempty"`
	// Normalize divides each row by its length, after all else: "", l2.
	Normalize string `json:",omitempty"`
	// Impute is what stands for a real response without a value: "" (refuse), mean (response.go).
	Impute string `json:",omitempty"`
	// Constant is what becomes of a response without variation in the training rows: "" (engines judge; one that was cut there
	// is an error), drop.
	Constant string `json:",omitempty"`
	// Clusters divides the columns into so many classes of columns alike (cluster.go); 0 leaves the data set's own.
	Clusters    int   `json:",omitempty"`
	ClusterSeed int64 `json:",omitempty"`
	// Topics adds so many columns, of the class tp: what the text of a row is about (topics.go), found on the columns of a class,
	// of several where TopicsFrom ends in *, on all where it is empty. 0 adds none.
	Topics     int    `json:",omitempty"`
	TopicsFrom string `json:",omitempty"`
	TopicSeed  int64  `json:",omitempty"`
	// Levels is the revision of how levels of categorical columns are counted, for formats that have any: 1 since a missing
	// category is a sign of none of them. It changes nothing but what is taken for the same preparation.
	Levels int `json:",omitempty"`
	// Drop leaves columns out: names, with * for any text, one a line (drop.go).
	Drop string `json:",omitempty"`
}

// LevelsRevision is the present value of Recipe.Levels.
const LevelsRevision = 1

// Prepared is a data set after a recipe was fitted: fewer columns, the same rows.
type Prepared struct {
	set      *Dataset
	x        *sparse.Matrix
	features *Features
	targets  []Target
	Facts    []Fact

	kept      []int32    // the data set's number of each column; nil for all
	responses []int32    // the data set's number of each target; nil for all
	sequences *Sequences // nil when the data set has none
	beam      int
}

// Fit learns the recipe from the training rows (nil: all rows) and applies it to every row. O(nnz).
func (r Recipe) Fit(d *Dataset, train []int32) (*Prepared, error) { return r.fit(d, train, &Learned{}) }

// fit is Fit; what the steps learn of the columns is left in l.
func (r Recipe) fit(d *Dataset, train []int32, l *Learned) (*Prepared, error) {
	p := &Prepared{set: d, x: d.X, features: d.Features, targets: d.Targets, beam: r.Beam}
	keep, err := r.fitColumns(p, train)
	if err != nil {
		return nil, err
	}
	texts := p.x // as they were counted
	if err := r.fitValues(p, l, train); err != nil {
		return nil, err
	}
	r.fitText(p, l, train)
	if err := p.fitSequences(keep, train); err != nil {
		return nil, err
	}
	p.kept = keep
	r.fitClasses(p, train)
	if err := r.fitTopics(p, l, texts, train); err != nil {
		return nil, err
	}
	if err := r.fitTargets(p, train); err != nil {
		return nil, err
	}
	return p, r.fitResponses(p, train)
}

// fitColumns applies the cutoff, and drops levels of categorical columns that no training row has. It returns the columns
// kept, nil for all.
func (r Recipe) fitColumns(p *Prepared, train []int32) (keep []int32, err error) {
	d := p.set
	drop, err := r.dropped(d)
	if err != nil || r.Cutoff == 0 && d.Factor == nil && drop == nil {
		return nil, err
	}
	rows, cols := d.X.Dims()
	count := make([]int32, cols)
	each(rows, train, func(i int) {
		row := d.X.Row(i)
		for k, j := range row.Idx {
			if !d.level(int(j)) || row.At(k) == row.At(k) { // a missing category is no sign of any level
				count[j]++
			}
		}
	})
	keep = make([]int32, 0, cols)
	seen := 0
	for j, c := range count {
		if drop != nil && drop[j] {
			continue
		}
		if c > 0 {
			seen++
		}
		level := d.level(j)
		if level && c == 0 && r.Unseen == "error" {
			return nil, fmt.Errorf("level %q occurs in rows outside the training rows and in none of these (prepare: {unseen: error})", d.Features.Name(j))
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
	if len(keep) == cols {
		return nil, nil
	}
	p.x, p.features = d.X.Keep(keep), d.Features.Keep(keep)
	return keep, nil
}

// fitValues fills missing values (stored as NaN), then scales.
func (r Recipe) fitValues(p *Prepared, l *Learned, train []int32) error {
	if err := r.accepts(p.x, p.features, p.set); err != nil {
		return err
	}
	if q, _ := missing(p.x); q >= 0 {
		l.Fill = r.fillers(trainingRows(p.x, train))
		cells := 0
		p.x, cells = filled(p.x, l.Fill)
		p.Facts = append(p.Facts, Fact{fmt.Sprintf("missing values filled in (%s)", r.Missing), fmt.Sprint(cells)})
	}
	if r.Scale == "sd" {
		g, err := sparse.Standardize(trainingRows(p.x, train), nil, "sd")
		if err != nil {
			return err
		}
		l.Scale = g.Scale
		p.x = scaled(p.x, l.Scale)
	}
	return nil
}

// filled is the matrix with a value of its column in every gap, and the number of gaps.
func filled(x *sparse.Matrix, fill []float64) (full *sparse.Matrix, cells int) {
	full = mapped(x, func(j int32, v float64) float64 {
		if v != v {
			cells++
			return fill[j]
		}
		return v
	})
	return full, cells
}

// scaled is the matrix with the values of each column multiplied; constant columns, which have the factor 0, stay.
func scaled(x *sparse.Matrix, scale []float64) *sparse.Matrix {
	return mapped(x, func(j int32, v float64) float64 {
		if scale[j] == 0 {
			return v
		}
		return v * scale[j]
	})
}

// Check finds, before any fold is prepared, what none could be: a column to leave out that is not there, a missing value that
// nothing says how to fill in, more topics than documents. O(nnz).
func (r Recipe) Check(d *Dataset) error {
	drop, err := r.dropped(d)
	x, features := d.X, d.Features
	if drop != nil {
		var keep []int32
		for j, out := range drop {
			if !out {
				keep = append(keep, int32(j))
			}
		}
		x, features = x.Keep(keep), features.Keep(keep)
	}
	return errors.Join(err, r.accepts(x, features, d), r.acceptsResponses(d, d.Targets), r.acceptsTopics(d, nil))
}

// CheckFold finds, before a fold is prepared, what its training rows are too few for. O(rows).
func (r Recipe) CheckFold(d *Dataset, train []int32) error { return r.acceptsTopics(d, train) }

// Classes tells whether the recipe makes classes of columns.
func (r Recipe) Classes() bool { return r.Clusters > 0 || r.Topics > 0 }

// Binary tells whether entries that are all one stay so.
func (r Recipe) Binary() bool { return r.Scale != "sd" && r.TFIDF == "" && r.Normalize == "" }

func (r Recipe) accepts(x *sparse.Matrix, features *Features, d *Dataset) error {
	if r.Missing != "" && r.Missing != "error" {
		return nil
	}
	q, row := missing(x)
	if q < 0 {
		return nil
	}
	ptr, idx, val := x.Rows()
	name := func(q int) string { return d.columnOf(features.Name(int(idx[q]))) }
	others := -1
	for i := 0; i+1 < len(ptr); i++ {
		before := -1
		for k := ptr[i]; k < ptr[i+1]; k++ {
			if v := val[k]; v != v && (before < 0 || name(k) != name(before)) { // all levels of a word lack their value together
				others++
				before = k
			}
		}
	}
	return fmt.Errorf("row %s, column %s: the value is missing%s; say how to fill it in with prepare: {missing: mean | median | zero}, or drop-rows where the format offers it",
		d.nameRow(row), name(q), andOthers(others))
}

// nameRow says which row, in messages.
func (d *Dataset) nameRow(i int) string {
	if len(d.IDs) == 0 {
		return d.RowID(i) + " (from 0)"
	}
	return d.RowID(i)
}

func andOthers(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", as are %d others", n)
}

// missing is the first entry without a value and its row, -1 when there is none.
func missing(x *sparse.Matrix) (entry, row int) {
	ptr, _, val := x.Rows()
	if val == nil {
		return -1, -1
	}
	for i := 0; i+1 < len(ptr); i++ {
		for q := ptr[i]; q < ptr[i+1]; q++ {
			if val[q] != val[q] {
				return q, i
			}
		}
	}
	return -1, -1
}

// trainingRows is the only part of a matrix that a recipe may learn from.
func trainingRows(x *sparse.Matrix, train []int32) *sparse.Matrix {
	if train == nil {
		return x
	}
	return x.Pick(train)
}

// mapped is the matrix with every stored value v of column j replaced by f(j, v).
func mapped(x *sparse.Matrix, f func(j int32, v float64) float64) *sparse.Matrix { return x.Valued(f) }

// fillers is the value that stands for a missing one in each column of the training rows that has any. Entries that are not
// stored are zeros and count as such; a column without a known value gets 0.
func (r Recipe) fillers(x *sparse.Matrix) []float64 {
	rows, cols := x.Dims()
	fill := make([]float64, cols)
	if r.Missing == "zero" {
		return fill
	}
	for j := range fill {
		col := x.Col(j)
		known := make([]float64, 0, col.Len())
		for k := range col.Idx {
			if v := col.At(k); v == v {
				known = append(known, v)
			}
		}
		zeros := rows - col.Len()
		if len(known)+zeros == 0 {
			continue
		}
		if r.Missing == "median" {
			fill[j] = median(known, zeros)
			continue
		}
		sum := 0.0
		for _, v := range known {
			sum += v
		}
		fill[j] = sum / float64(len(known)+zeros)
	}
	return fill
}

// median of the values and of some zeros beside them.
func median(values []float64, zeros int) float64 {
	slices.Sort(values)
	below, _ := slices.BinarySearch(values, 0)
	at := func(k int) float64 { // k-th smallest
		switch {
		case k < below:
			return values[k]
		case k < below+zeros:
			return 0
		}
		return values[k-zeros]
	}
	n := len(values) + zeros
	return (at((n-1)/2) + at(n/2)) / 2
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
