// Package probes draws columns that no target can depend on, beside those of the data, so that what a selection finds among them is
// known to be wrong. A Rule says which; Draw adds them to prepared data for a fold, and Beside to a view, for an engine that wants
// some of its own. What becomes of selected probes is for metrics and engines.
package probes

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/knockoff"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
)

// The kinds of probes.
const (
	Permuted    = "permuted"
	Gaussian    = "gaussian"
	SecondOrder = "second-order"
	Corrupted   = "corrupted"
	Product     = "product"
)

// Rule says which columns are drawn beside those of the data, so that selecting one is known to be wrong: probes, or shadow
// columns (Stoppiglia, Dreyfus, Dubois & Oussar 2003, JMLR 3, section 3; Wu, Boos & Stefanski 2007, JASA 102). The zero value draws
// none.
type Rule struct {
	Kind  string  // Permuted, Gaussian, SecondOrder, Corrupted, Product
	Share float64 // share of the columns that vary in the training rows, in (0, 1], that get a probe
	Joint bool    `json:",omitempty"` // one permutation of the rows for all permuted probes
	Seed  int64   `json:",omitempty"` // 0: the file's
}

func (r Rule) String() string {
	text := fmt.Sprintf("%s, share %v", r.Kind, r.Share)
	if r.Joint {
		text += ", joint"
	}
	if r.Seed != 0 {
		text += fmt.Sprintf(", seed %d", r.Seed)
	}
	return text
}

// Full reports whether probes are real numbers in all rows.
func (r Rule) Full() bool {
	return r.Kind == Gaussian || r.Kind == SecondOrder || r.Kind == Corrupted
}

// Check returns an error for data for which probes cannot be drawn; binary says that all prepared entries are ones.
func (r Rule) Check(d *data.Dataset, binary bool) error {
	if r == (Rule{}) {
		return nil
	}
	if d.Sequences != nil && len(d.Sequences.Previous) > 0 {
		return param.Errorf("features.probes", "columns look at the labels of the rows before, which are not known when probes are drawn")
	}
	if r.Full() && binary {
		return param.Errorf("features.probes.kind", "%s draws numbers, and all columns are 0/1; permuted keeps them so", r.Kind)
	}
	for j := range d.Features.Len() {
		if name := d.Features.Name(j); data.IsProbe(name) {
			return param.Errorf("features.probes", "the column %q of the data has the name of a probe; leave it out of the file, or give it another name", name)
		}
	}
	return nil
}

// Draw adds a probe of each of m columns after the prepared columns. m is the share, rounded, of the p columns that vary in the
// training rows, and at least 1; if it is less than p, the columns are drawn. Permuted probes have the values of their column in
// random order, those of the training rows and those of the test rows separately; so the number of zeros on either side is the
// column's. Gaussian probes are normal with the mean and the standard deviation (n − 1) of the column over the training rows, on
// both sides. Second-order probes are knockoffs: they also have the column's covariances with all other columns that vary, under a
// normal distribution estimated from the training rows. Rows on neither side have zeros.
//
// Two kinds do depend on the target, by what their columns tell, and are for selectors that should prefer the columns themselves
// (Cherepanova et al. 2023, NeurIPS, section 3.2): corrupted probes are half of the column plus half of a normal number with its standard
// deviation, products those of the column with another that varies, drawn by the seed.
//
// Draws depend on the seed, the side and the name of the column alone, second-order ones on all columns and their names; on no order of
// columns. Permuted: O(entries +
// columns + rows); gaussian: O(rows · m); second-order: with r training rows and p columns O(r·p·min(r, p)), and O(p³) if p is less
// than r. It is an error if no column varies.
func (r Rule) Draw(p *data.Prepared, train, test []int32, seed uint64) error {
	x := p.X.Pick(train)
	sources, candidates, err := r.chooseSources(x, p.Features, p.Competes, seed)
	if err != nil {
		return fmt.Errorf("features.probes: %w", err)
	}
	var columns []sparse.Vec
	switch r.Kind {
	case Permuted:
		columns = dealOut(sources, side{x, train, r.dealer(p.Features, "train", len(train), seed)},
			side{p.X.Pick(test), test, r.dealer(p.Features, "test", len(test), seed)})
	case SecondOrder:
		if columns, err = drawKnockoffs(p, x, sources, train, test, seed); err != nil {
			return fmt.Errorf("features.probes: %w", err)
		}
	case Product:
		columns = drawProducts(p, x, sources, slices.Concat(train, test), seed)
	default:
		columns = r.drawNormals(p, x, sources, slices.Concat(train, test), seed)
	}
	p.AddProbes(sources, candidates, columns)
	p.AddFact(fmt.Sprintf("probes (%s), of the columns that vary in the training rows", r.Kind), fmt.Sprintf("%d of %d", len(sources), candidates))
	return nil
}

// Beside returns a view of training rows with permuted probes of its own after its columns, as Draw makes them. It is an error if
// no column varies, or if rows are a sequence. O(entries + columns + rows).
func (r Rule) Beside(v *data.View, seed uint64) (*data.View, error) {
	if v.Starts() != nil {
		return nil, errors.New("probes of rows that follow each other are not known")
	}
	x := v.Matrix()
	sources, candidates, err := r.chooseSources(x, v.Features(), v.Competes, seed)
	if err != nil {
		return nil, err
	}
	columns := dealOut(sources, side{x, data.Numbers(v.Len()), r.dealer(v.Features(), "train", v.Len(), seed)})
	return v.Beside(x.Beside(columns), sources, candidates), nil
}

// varyingColumns returns the columns of a matrix that vary, rising.
func varyingColumns(x *sparse.Matrix) (varying []int32) {
	rows, cols := x.Dims()
	for j := range cols {
		col := x.Col(j)
		first := 0.0 // the value of the rows without an entry, else of the first one
		if col.Len() == rows && rows > 0 {
			first = col.At(0)
		}
		for k := range col.Idx {
			if col.At(k) != first {
				varying = append(varying, int32(j))
				break
			}
		}
	}
	return varying
}

// chooseSources draws the columns of training rows that get a probe, rising, and counts those that could have one: they vary and
// compete.
func (r Rule) chooseSources(x *sparse.Matrix, features *data.Features, competes func(j int) bool, seed uint64) (sources []int32, candidates int, err error) {
	varying := slices.DeleteFunc(varyingColumns(x), func(j int32) bool { return !competes(int(j)) })
	if len(varying) == 0 {
		return nil, 0, errors.New("no column varies in the training rows, so there is none to draw a probe of")
	}
	m := max(1, int(math.Floor(float64(r.Share*float64(len(varying)))+0.5)))
	if m >= len(varying) {
		return varying, len(varying), nil
	}
	features.SortByName(varying)
	sources = make([]int32, m)
	for k, place := range newShuffle(len(varying)).draw(m, probeStream(seed, "sources", "")) {
		sources[k] = varying[place]
	}
	slices.Sort(sources)
	return sources, len(varying), nil
}

// side is the rows on one side of a fold, in the order in which x has them.
type side struct {
	x    *sparse.Matrix
	rows []int32
	deal func(j int, entries []int32) []int32 // returns the row of x that the value of each entry of column j goes to
}

// dealOut makes a permuted column of each source.
func dealOut(sources []int32, sides ...side) []sparse.Vec {
	columns := make([]sparse.Vec, len(sources))
	for k, j := range sources {
		out := &columns[k]
		for _, s := range sides {
			col := s.x.Col(int(j))
			for _, i := range s.deal(int(j), col.Idx) {
				out.Idx = append(out.Idx, s.rows[i])
			}
			out.Val = append(out.Val, col.Val...)
		}
	}
	return columns
}

// dealer returns a function that assigns the values of a column of n rows to rows drawn without replacement, which has the
// distribution of a permutation and costs O(entries); if Joint, to those of one permutation.
func (r Rule) dealer(features *data.Features, side string, n int, seed uint64) func(j int, entries []int32) []int32 {
	rows := newShuffle(n)
	if r.Joint {
		order := slices.Clone(rows.draw(n, probeStream(seed, side, "")))
		return func(_ int, entries []int32) []int32 { return data.ValuesAt(order, entries) }
	}
	return func(j int, entries []int32) []int32 {
		return rows.draw(len(entries), probeStream(seed, side, features.Name(j)))
	}
}

// drawNormals makes a gaussian or a corrupted probe of each source, with the moments of the source in x.
func (r Rule) drawNormals(p *data.Prepared, x *sparse.Matrix, sources, rows []int32, seed uint64) []sparse.Vec {
	columns := make([]sparse.Vec, len(sources))
	picked := p.X.Pick(rows)
	for k, j := range sources {
		mean, sd := momentsOf(x, int(j))
		if r.Kind == Corrupted {
			mean, sd = 0, sd/2
		}
		draw := probeStream(seed, "normal", p.Features.Name(int(j)))
		val := make([]float64, len(rows))
		for i := range val {
			val[i] = mean + float64(sd*elementary.Normal(draw.Uint64()))
		}
		if r.Kind == Corrupted {
			picked.Col(int(j)).AddTo(val, 0.5)
		}
		columns[k] = sparse.Vec{Idx: rows, Val: val}
	}
	return columns
}

// drawProducts makes the product of each source with another column that varies in x; with itself where there is no other.
func drawProducts(p *data.Prepared, x *sparse.Matrix, sources, rows []int32, seed uint64) []sparse.Vec {
	varying := varyingColumns(x)
	p.Features.SortByName(varying)
	columns, values := make([]sparse.Vec, len(sources)), make([]float64, len(rows))
	all := p.X.Pick(rows)
	for k, j := range sources {
		partner := j
		if n := len(varying); n > 1 {
			place := slices.Index(varying, j)
			partner = varying[(place+1+probeStream(seed, "partner", p.Features.Name(int(j))).IntN(n-1))%n]
		}
		clear(values)
		all.Col(int(partner)).AddTo(values, 1)
		col, out := all.Col(int(j)), &columns[k]
		for q, i := range col.Idx {
			if v := col.At(q) * values[i]; v != 0 {
				out.Idx, out.Val = append(out.Idx, rows[i]), append(out.Val, v)
			}
		}
		if p.X.Binary() {
			out.Val = nil // they are all 1
		}
	}
	return columns
}

// drawKnockoffs makes a second-order probe of each source, by the distribution of the columns that vary in the training rows x.
func drawKnockoffs(p *data.Prepared, x *sparse.Matrix, sources, train, test []int32, seed uint64) ([]sparse.Vec, error) {
	ctx := context.Background()
	law, err := knockoff.Learn(ctx, 1, x, knockoff.Options{Shrink: -1, Low: p.Columns() >= len(train), Order: p.Features.ByName()})
	if err != nil {
		return nil, err
	}
	stream := probeStream(seed, "second-order", "")
	normal := func() float64 { return elementary.Normal(stream.Uint64()) }
	drawn := law.Training(ctx, 1).Draw(ctx, 1, normal)
	if len(test) > 0 {
		drawn = append(drawn, law.Of(ctx, 1, p.X.Pick(test)).Draw(ctx, 1, normal)...)
	}
	place := make(map[int32]int, len(law.Columns))
	for k, j := range law.Columns {
		place[j] = k
	}
	rows, columns := slices.Concat(train, test), make([]sparse.Vec, len(sources))
	for k, j := range sources {
		number, varies := place[j]
		if !varies {
			return nil, fmt.Errorf("column %q varies in the training rows by no more than rounding", p.Features.Name(int(j)))
		}
		val := make([]float64, len(rows))
		for i := range val {
			val[i] = law.Mean[number] + float64(law.SD[number]*drawn[i][number])
		}
		columns[k] = sparse.Vec{Idx: rows, Val: val}
	}
	return columns, nil
}

// momentsOf returns the mean and the standard deviation of a column, with n − 1.
func momentsOf(x *sparse.Matrix, j int) (mean, sd float64) {
	rows, _ := x.Dims()
	n, col := float64(rows), x.Col(j)
	for k := range col.Idx {
		mean += col.At(k)
	}
	mean /= n
	squares := float64(float64(rows-col.Len()) * float64(mean*mean))
	for k := range col.Idx {
		d := col.At(k) - mean
		squares += float64(d * d)
	}
	return mean, math.Sqrt(squares / (n - 1))
}

// probeStream returns the generator of one draw: for a side, or another purpose, and a column.
func probeStream(seed uint64, purpose, column string) *rand.Rand {
	sum := sha256.Sum256(fmt.Appendf(nil, "tenfold probe\n%d\n%s\n%s", seed, purpose, column))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:8]), binary.LittleEndian.Uint64(sum[8:16])))
}

// shuffle draws from 0 … n−1 without replacement, in O(numbers drawn) after the first time.
type shuffle struct{ order []int32 }

func newShuffle(n int) shuffle { return shuffle{data.Numbers(n)} }

// draw returns the given number of numbers, in random order (Fisher & Yates, stopped early).
func (s shuffle) draw(many int, from *rand.Rand) []int32 {
	swapped, out := make([]int, many), make([]int32, many)
	for k := range many {
		other := k + from.IntN(len(s.order)-k)
		s.order[k], s.order[other] = s.order[other], s.order[k]
		swapped[k], out[k] = other, s.order[k]
	}
	for k := many - 1; k >= 0; k-- { // undone, so that the next draw does not depend on this one
		s.order[k], s.order[swapped[k]] = s.order[swapped[k]], s.order[k]
	}
	return out
}
