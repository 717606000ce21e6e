// Package enginetest holds what the tests of engines share: tiny data sets, and the laws that every engine keeps.
package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
)

// Matrix makes a matrix from dense rows. Zeros are not stored. Rows that a Builder refuses are a mistake in the test: it panics.
func Matrix(rows ...[]float64) *sparse.Matrix {
	var b sparse.Builder
	cols := 0
	for _, row := range rows {
		idx := make([]int32, len(row))
		for j := range idx {
			idx[j] = int32(j)
		}
		if err := b.Add(idx, row); err != nil {
			panic(err)
		}
		cols = max(cols, len(row))
	}
	return b.Matrix(cols)
}

// Random matrix in which each entry is stored with the given probability: ones where binary, else normal values.
func Random(seed uint64, rows, cols int, density float64, binary bool) *sparse.Matrix {
	rng := rand.New(rand.NewPCG(seed, 1))
	var b sparse.Builder
	for range rows {
		var idx []int32
		var val []float64
		for j := range cols {
			if rng.Float64() < density {
				idx = append(idx, int32(j))
				val = append(val, rng.NormFloat64())
			}
		}
		if binary {
			val = nil
		}
		if err := b.Add(idx, val); err != nil {
			panic(err)
		}
	}
	return b.Matrix(cols)
}

// Real returns a numeric target.
func Real(name string, y ...float64) data.Target {
	return data.Target{Name: name, Type: data.Real, Values: y}
}

// Class returns a target with the given number of levels, l0, l1, ….
func Class(name string, levels int, y ...float64) data.Target {
	t := data.Target{Name: name, Type: data.Class, Values: y, Positive: min(1, levels-1)}
	for k := range levels {
		t.Levels = append(t.Levels, fmt.Sprintf("l%d", k))
	}
	return t
}

// Count returns a target of counts.
func Count(name string, counts ...float64) data.Target {
	return data.Target{Name: name, Type: data.Count, Values: counts}
}

// Survival returns a target of times, of which every fourth is censored.
func Survival(name string, times ...float64) data.Target {
	t := data.Target{Name: name, Type: data.Survival, Values: times, Events: make([]int8, len(times))}
	for i := range t.Events {
		if i%4 != 3 {
			t.Events[i] = 1
		}
	}
	return t
}

// Dataset returns the dataset of a matrix and its targets, with columns named x0, x1, ….
func Dataset(x *sparse.Matrix, targets ...data.Target) *data.Dataset {
	_, cols := x.Dims()
	names := make([]string, cols)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j)
	}
	return &data.Dataset{Name: "tiny", X: x, Features: data.NewFeatures(names), Targets: targets}
}

// View returns the view of rows of a data set without any preparation (nil: all rows); missing values stay. A data set that does not hold together is a mistake
// in the test: it panics.
func View(d *data.Dataset, rows []int32) *data.View {
	return viewBy(prepare.Recipe{Missing: prepare.Keep}, d, rows)
}

// Counted returns View of all rows, whose weights are numbers of equal rows.
func Counted(d *data.Dataset) *data.View {
	return viewBy(prepare.Recipe{Frequency: true, Missing: prepare.Keep}, d, nil)
}

func viewBy(r prepare.Recipe, d *data.Dataset, rows []int32) *data.View {
	err := d.Check()
	var p *data.Prepared
	if err == nil {
		p, err = r.Fit(d, rows)
	}
	if err != nil {
		panic(err)
	}
	return p.View(rows)
}

// Treated returns View of all rows with columns treated as said.
func Treated(d *data.Dataset, t data.Treatment) *data.View {
	if err := d.Check(); err != nil {
		panic(err)
	}
	p, err := prepare.Recipe{}.Fit(d, nil)
	if err != nil {
		panic(err)
	}
	p.Treatment = t
	return p.View(nil)
}

// Gappy returns rows in which nil stands for a missing value, with NaN in its place.
func Gappy(rows [][]*float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		for _, v := range row {
			if v == nil {
				out[i] = append(out[i], math.NaN())
			} else {
				out[i] = append(out[i], *v)
			}
		}
	}
	return out
}
