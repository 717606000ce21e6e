package stagewise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/steps/gram"
)

// design is the training rows, centred and scaled (Hooker & Weng 2004, section 5): G = (X − 1μ')·D(γ), and ỹ = y − ȳ.
//
// Everything else in this package numbers features by position: the columns that vary, in order of (μ, index). So columns of
// equal mean are neighbours, which keeps the bounds of a block tight when s changes, and so are the frequent columns, which
// occur in most rows.
type design struct {
	x      *sparse.Matrix // less the means of the columns that are centred
	cols   *gram.Columns
	y      []float64    // as given, one a row
	weight data.Weights // multiplicities m
	n      float64      // Σ m
	mean   float64      // ȳ
	tss    float64      // Σ m·ỹ²

	column   []int32   // position → column
	position []int32   // column → position, −1 for a constant column
	scales   []scale   // by position, as are
	total    []float64 // N = Σ m·x
	norm     []float64 // g = ‖G‖²
	centring
}

// scale is what centres and scales one feature: G = γ·(x − μ).
type scale struct{ mu, gamma float64 }

// c is γ·(a − μ·s).
func (f *scale) c(a, s float64) float64 { return float64(f.gamma * (a - float64(f.mu*s))) }

// newDesign reads the rows that have the first target. Of its columns, those that which names are centred in memory.
func newDesign(ctx context.Context, view *data.View, scaling string, which centred) (*design, error) {
	view, y := view.Defined(0)
	d := &design{x: view.Matrix(), weight: view.Weights()}
	if len(y) == 0 {
		return nil, fmt.Errorf("no training rows")
	}
	if err := d.x.Check(); err != nil {
		return nil, fmt.Errorf("training data: %w", err)
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("training data: row %s: target is %v, expected a finite number", view.ID(i), v)
		}
	}
	d.centreResponse(y)
	squares, err := d.centreColumns(which)
	if err != nil {
		return nil, err
	}
	if d.cols, err = gram.NewColumns(ctx, d.x); err != nil {
		return nil, err
	}
	d.orderColumns(scaling, squares)
	return d, nil
}

func (d *design) weightOf(i int) float64 { return d.weight.Of(i) }

func (d *design) centreResponse(y []float64) {
	var total, squares sum
	for i, v := range y {
		d.n += d.weightOf(i)
		total.add(float64(d.weightOf(i) * v))
	}
	d.y, d.mean = y, total.total/d.n
	for i, v := range y {
		r := v - d.mean
		squares.add(float64(d.weightOf(i) * float64(r*r)))
	}
	d.tss = squares.total
}

// rawScale is the scaling of features that are neither centred nor divided by anything. Constant columns are features, too.
const rawScale = "raw"

// gammas are γ by position.
func (d *design) gammas() []float64 {
	gamma := make([]float64, len(d.scales))
	for k, f := range d.scales {
		gamma[k] = f.gamma
	}
	return gamma
}

// orderColumns computes μ and γ of every column, of sums of squares about the mean, and gives the columns that vary their positions.
func (d *design) orderColumns(scaling string, squares []float64) {
	p := len(squares)
	total, ones := make([]float64, p), slices.Repeat([]float64{1}, len(d.y))
	d.innerProducts(total, ones)
	d.column, d.position = make([]int32, 0, p), make([]int32, p)
	for j, ss := range squares {
		if ss > 0 || scaling == rawScale {
			d.column = append(d.column, int32(j))
		}
		d.position[j] = -1
	}
	slices.SortFunc(d.column, func(a, b int32) int {
		if c := cmp.Compare(total[a], total[b]); c != 0 {
			return c
		}
		return int(a - b)
	})
	varying := len(d.column)
	d.scales, d.total, d.norm = make([]scale, varying), make([]float64, varying), make([]float64, varying)
	for k, j := range d.column {
		d.position[j] = int32(k)
		gamma, norm := d.scaleOf(scaling, squares[j])
		d.scales[k], d.total[k], d.norm[k] = scale{total[j] / d.n, gamma}, total[j], norm
	}
}

// scaleOf is γ and g of a column.
func (d *design) scaleOf(scaling string, ss float64) (gamma, norm float64) {
	switch scaling {
	case "sd":
		return math.Sqrt(d.n / ss), d.n
	case "unit":
		return 1 / math.Sqrt(ss), 1
	}
	return 1, ss
}

// constantColumns lists the columns that do not vary.
func (d *design) constantColumns() (columns []int32) {
	for j, k := range d.position {
		if k < 0 {
			columns = append(columns, int32(j))
		}
	}
	return columns
}

// residual sets u = ỹ − X·b for raw coefficients b by position.
func (d *design) residual(u, b []float64) {
	for i, y := range d.y {
		u[i] = y - d.mean
	}
	for k, bk := range b {
		if bk != 0 {
			d.cols.Col(int(d.column[k])).AddTo(u, -bk)
		}
	}
}

// residualMoments are s = Σ m·u and RSS = Σ m·(u − s/n)².
func (d *design) residualMoments(u []float64) (s, rss float64) {
	var total, squares sum
	for i, v := range u {
		total.add(float64(d.weightOf(i) * v))
	}
	s = total.total
	for i, v := range u {
		r := v - s/d.n
		squares.add(float64(d.weightOf(i) * float64(r*r)))
	}
	return s, squares.total
}

// sum is a compensated sum (Kahan 1965).
type sum struct{ total, lost float64 }

func (s *sum) add(x float64) {
	x -= s.lost
	t := s.total + x
	s.lost = (t - s.total) - x
	s.total = t
}

// innerProducts sets a = X'M·v, by column. It overwrites v.
func (d *design) innerProducts(a, v []float64) {
	if d.weight != nil {
		for i, m := range d.weight {
			v[i] *= m
		}
	}
	d.x.MulTVec(a, v)
}

// positionsByColumn lists all positions in order of column.
func (d *design) positionsByColumn() []int32 {
	all := make([]int32, 0, len(d.column))
	for _, k := range d.position {
		if k >= 0 {
			all = append(all, k)
		}
	}
	return all
}

// duplicates are the groups of columns that vary and are equal, entry by entry, each in rising order, by first column.
func (d *design) duplicates() [][]int32 {
	first := make(map[uint64]int32, len(d.column)) // the lowest column of each hash
	others := map[uint64][]int32{}
	for j, k := range d.position {
		if k < 0 {
			continue
		}
		id := d.cols.Hash(j)
		if _, ok := first[id]; ok {
			others[id] = append(others[id], int32(j))
		} else {
			first[id] = int32(j)
		}
	}
	var groups [][]int32
	for id, more := range others {
		groups = append(groups, d.groupEqual(append([]int32{first[id]}, more...))...)
	}
	slices.SortFunc(groups, func(a, b []int32) int { return int(a[0] - b[0]) })
	return groups
}

// groupEqual divides columns of equal hash into groups of equal columns, and returns the groups of two or more.
func (d *design) groupEqual(columns []int32) [][]int32 {
	var groups [][]int32
	for _, j := range columns {
		at := slices.IndexFunc(groups, func(g []int32) bool { return d.cols.Equal(int(g[0]), int(j)) })
		if at < 0 {
			groups = append(groups, []int32{j})
		} else {
			groups[at] = append(groups[at], j)
		}
	}
	return slices.DeleteFunc(groups, func(g []int32) bool { return len(g) < 2 })
}

// positions translates lists of columns; columns that do not vary are never looked at.
func (d *design) positions(lists [][]int) ([][]int32, error) {
	out := make([][]int32, len(lists))
	for t, list := range lists {
		for _, j := range list {
			if j < 0 || j >= len(d.position) {
				return nil, fmt.Errorf("lists: column %d of list %d is outside 0..%d", j, t, len(d.position)-1)
			}
			if k := d.position[j]; k >= 0 {
				out[t] = append(out[t], k)
			}
		}
	}
	return out, nil
}
