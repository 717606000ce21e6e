// Package design holds the training rows of forward stagewise regression: columns centred and scaled in formulas, numbered by position,
// with the residuals and inner products that need all rows. A few columns are centred in memory (centre.go), those of which formulas
// lose digits. It knows neither steps nor likelihoods. Begin with Design.
package design

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

// Design is the training rows, centred and scaled (Hooker & Weng 2004, section 5): G = (X − 1μ')·D(γ), and ỹ = y − ȳ.
//
// Everything in package stagewise and those beside it numbers features by position: the columns that vary, in order of (μ, index). So columns of
// equal mean are neighbours, which keeps the bounds of a block tight when s changes, and so are the frequent columns, which
// occur in most rows.
type Design struct {
	X      *sparse.Matrix // less the means of the columns that are centred
	Cols   *gram.Columns
	Y      []float64    // as given, one a row
	Weight data.Weights // multiplicities m
	N      float64      // Σ m
	Mean   float64      // ȳ
	TSS    float64      // Σ m·ỹ²

	Column   []int32   // position → column
	Position []int32   // column → position, −1 for a constant column
	Scales   []Scale   // by position, as are
	Total    []float64 // N = Σ m·x
	Norm     []float64 // g = ‖G‖²
	Centring
}

// Scale is what centres and scales one feature: G = γ·(x − μ).
type Scale struct{ Mu, Gamma float64 }

// Correlation returns c = γ·(a − μ·s).
func (f *Scale) Correlation(a, s float64) float64 { return float64(f.Gamma * (a - float64(f.Mu*s))) }

// New reads the rows that have the first target. Of its columns, those that which names are centred in memory.
func New(ctx context.Context, view *data.View, scaling string, which centred) (*Design, error) {
	view, y := view.Defined(0)
	d := &Design{X: view.Matrix(), Weight: view.Weights()}
	if len(y) == 0 {
		return nil, fmt.Errorf("no training rows")
	}
	if err := d.X.Check(); err != nil {
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
	if d.Cols, err = gram.NewColumns(ctx, d.X); err != nil {
		return nil, err
	}
	d.orderColumns(scaling, squares)
	return d, nil
}

// WeightOf returns the multiplicity of row i.
func (d *Design) WeightOf(i int) float64 { return d.Weight.Of(i) }

func (d *Design) centreResponse(y []float64) {
	var total, squares Sum
	for i, v := range y {
		d.N += d.WeightOf(i)
		total.Add(float64(d.WeightOf(i) * v))
	}
	d.Y, d.Mean = y, total.Total/d.N
	for i, v := range y {
		r := v - d.Mean
		squares.Add(float64(d.WeightOf(i) * float64(r*r)))
	}
	d.TSS = squares.Total
}

// RawScale is the scaling of features that are neither centred nor divided by anything. Constant columns are features, too.
const RawScale = "raw"

// Gammas returns γ by position.
func (d *Design) Gammas() []float64 {
	gamma := make([]float64, len(d.Scales))
	for k, f := range d.Scales {
		gamma[k] = f.Gamma
	}
	return gamma
}

// orderColumns computes μ and γ of every column, of sums of squares about the mean, and gives the columns that vary their positions.
func (d *Design) orderColumns(scaling string, squares []float64) {
	p := len(squares)
	total, ones := make([]float64, p), slices.Repeat([]float64{1}, len(d.Y))
	d.InnerProducts(total, ones)
	d.Column, d.Position = make([]int32, 0, p), make([]int32, p)
	for j, ss := range squares {
		if ss > 0 || scaling == RawScale {
			d.Column = append(d.Column, int32(j))
		}
		d.Position[j] = -1
	}
	slices.SortFunc(d.Column, func(a, b int32) int {
		if c := cmp.Compare(total[a], total[b]); c != 0 {
			return c
		}
		return int(a - b)
	})
	varying := len(d.Column)
	d.Scales, d.Total, d.Norm = make([]Scale, varying), make([]float64, varying), make([]float64, varying)
	for k, j := range d.Column {
		d.Position[j] = int32(k)
		gamma, norm := d.scaleOf(scaling, squares[j])
		d.Scales[k], d.Total[k], d.Norm[k] = Scale{total[j] / d.N, gamma}, total[j], norm
	}
}

// scaleOf returns γ and g of a column whose sum of squares about the mean is ss.
func (d *Design) scaleOf(scaling string, ss float64) (gamma, norm float64) {
	switch scaling {
	case "sd":
		return math.Sqrt(d.N / ss), d.N
	case "unit":
		return 1 / math.Sqrt(ss), 1
	}
	return 1, ss
}

// ConstantColumns lists the columns that do not vary.
func (d *Design) ConstantColumns() (columns []int32) {
	for j, k := range d.Position {
		if k < 0 {
			columns = append(columns, int32(j))
		}
	}
	return columns
}

// Residual sets u = ỹ − X·b for raw coefficients b by position.
func (d *Design) Residual(u, b []float64) {
	for i, y := range d.Y {
		u[i] = y - d.Mean
	}
	for k, bk := range b {
		if bk != 0 {
			d.Cols.Col(int(d.Column[k])).AddTo(u, -bk)
		}
	}
}

// ResidualMoments returns s = Σ m·u and RSS = Σ m·(u − s/n)².
func (d *Design) ResidualMoments(u []float64) (s, rss float64) {
	var total, squares Sum
	for i, v := range u {
		total.Add(float64(d.WeightOf(i) * v))
	}
	s = total.Total
	for i, v := range u {
		r := v - s/d.N
		squares.Add(float64(d.WeightOf(i) * float64(r*r)))
	}
	return s, squares.Total
}

// Sum is a compensated sum (Kahan 1965).
type Sum struct{ Total, lost float64 }

// Add adds x.
func (s *Sum) Add(x float64) {
	x -= s.lost
	t := s.Total + x
	s.lost = (t - s.Total) - x
	s.Total = t
}

// InnerProducts sets a = X'M·v, by column. It overwrites v.
func (d *Design) InnerProducts(a, v []float64) {
	if d.Weight != nil {
		for i, m := range d.Weight {
			v[i] *= m
		}
	}
	d.X.MulTVec(a, v)
}

// PositionsByColumn lists all positions in order of column.
func (d *Design) PositionsByColumn() []int32 {
	all := make([]int32, 0, len(d.Column))
	for _, k := range d.Position {
		if k >= 0 {
			all = append(all, k)
		}
	}
	return all
}

// Duplicates returns the groups of columns that vary and are equal, entry by entry, each in rising order, by first column.
func (d *Design) Duplicates() [][]int32 {
	first := make(map[uint64]int32, len(d.Column)) // the lowest column of each hash
	others := map[uint64][]int32{}
	for j, k := range d.Position {
		if k < 0 {
			continue
		}
		id := d.Cols.Hash(j)
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
func (d *Design) groupEqual(columns []int32) [][]int32 {
	var groups [][]int32
	for _, j := range columns {
		k := slices.IndexFunc(groups, func(g []int32) bool { return d.Cols.Equal(int(g[0]), int(j)) })
		if k < 0 {
			groups = append(groups, []int32{j})
		} else {
			groups[k] = append(groups[k], j)
		}
	}
	return slices.DeleteFunc(groups, func(g []int32) bool { return len(g) < 2 })
}

// Positions translates lists of columns; columns that do not vary are never looked at.
func (d *Design) Positions(lists [][]int) ([][]int32, error) {
	out := make([][]int32, len(lists))
	for t, list := range lists {
		for _, j := range list {
			if j < 0 || j >= len(d.Position) {
				return nil, fmt.Errorf("lists: column %d of list %d is outside 0..%d", j, t, len(d.Position)-1)
			}
			if k := d.Position[j]; k >= 0 {
				out[t] = append(out[t], k)
			}
		}
	}
	return out, nil
}
