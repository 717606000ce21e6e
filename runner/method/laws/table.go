package laws

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
	"tenfold/runner/method/declaration"
)

// table is data made for a trial: rows with one response; the last rows are test rows.
type table struct {
	x        [][]float64
	y        []float64
	names    []string
	response data.Type
	levels   []string
	tests    int
	another  []float64 // a second response; nil for none
}

// sample is a table in the form that a method gets.
type sample struct {
	train, test *data.View
	view        func(rows []int32) *data.View // any rows of the table
}

// Sizes of the usual table.
const (
	usualRows, usualTests, usualColumns = 60, 20, 8
)

// newTable makes a table with columns as the method accepts them, a share of non-zero entries, and a response that depends on the
// first three columns.
func newTable(d *declaration.Declaration, response data.Type, seed uint64, rows, tests, columns int, share float64, levels int) table {
	r := rand.New(rand.NewPCG(seed, 10))
	t := table{response: response, tests: tests}
	for k := range levels {
		t.levels = append(t.levels, string(rune('a'+k)))
	}
	for j := range columns {
		t.names = append(t.names, fmt.Sprintf("x%d", j))
	}
	for range rows + tests {
		row := make([]float64, columns)
		for j := range row {
			value, there := float64(3.4*r.Float64())-1.7, r.Float64() < share
			switch {
			case !there:
			case d.Binary:
				row[j] = float64(r.IntN(2))
			case d.Counts:
				row[j] = float64(r.IntN(5))
			default:
				row[j] = value
			}
		}
		t.x = append(t.x, row)
		noise := float64(r.Float64()) - 0.5
		if response == data.Class {
			t.y = append(t.y, t.level(row, noise))
			continue
		}
		t.y = append(t.y, float64(3*row[0])-float64(2*row[1])+float64(1.5*row[2])+noise)
	}
	return t
}

// level returns the level of a row: the index of the largest of the first columns or, for two levels, whether the first is above
// the second.
func (t *table) level(row []float64, noise float64) float64 {
	if len(t.levels) == 2 {
		if row[0]-row[1]+float64(0.5*noise) > 0 {
			return 1
		}
		return 0
	}
	best := 0
	for k := range t.levels {
		if row[k] > row[best] {
			best = k
		}
	}
	return float64(best)
}

// withColumn returns the table with one more column.
func (t table) withColumn(name string, value func(i int) float64) table {
	out := t
	out.names = append(append([]string{}, t.names...), name)
	out.x = make([][]float64, len(t.x))
	for i, row := range t.x {
		out.x[i] = append(append([]float64{}, row...), value(i))
	}
	return out
}

// changed returns the table with other values.
func (t table) changed(value func(i, j int, v float64) float64) table {
	out := t
	out.x = make([][]float64, len(t.x))
	for i, row := range t.x {
		out.x[i] = make([]float64, len(row))
		for j, v := range row {
			out.x[i][j] = value(i, j, v)
		}
	}
	return out
}

// reordered returns the table with its training rows reversed.
func (t table) reordered() table {
	out, n := t, len(t.x)-t.tests
	out.x, out.y = append([][]float64{}, t.x...), append([]float64{}, t.y...)
	for i := range n {
		out.x[i], out.y[i] = t.x[n-1-i], t.y[n-1-i]
	}
	return out
}

// withOutliers returns the table with n more test rows, of columns that are all large or, for columns of 0 and 1, all 1.
func (t table) withOutliers(n int, binary bool) table {
	out := t
	out.x, out.y, out.tests = slices.Clone(t.x), slices.Clone(t.y), t.tests+n
	for range n {
		row := slices.Repeat([]float64{20}, len(t.names))
		if binary {
			row = slices.Repeat([]float64{1}, len(t.names))
		}
		out.x, out.y = append(out.x, row), append(out.y, 0)
	}
	return out
}

// sample returns the table as a sample.
func (t table) sample() (sample, error) {
	var b sparse.Builder
	for _, row := range t.x {
		var columns []int32
		var values []float64
		for j, v := range row {
			if v != 0 {
				columns, values = append(columns, int32(j)), append(values, v)
			}
		}
		if err := b.Add(columns, values); err != nil {
			return sample{}, err
		}
	}
	target := data.Target{Name: "y", Type: t.response, Levels: t.levels, Values: t.y}
	if t.response == data.Survival { // some of the times are censored, by row number
		target.Values = nil
		for _, y := range t.y {
			event := int8(1)
			if math.Mod(math.Abs(8*y), 1) > 0.75 {
				event = 0
			}
			target.Values, target.Events = append(target.Values, 20-y), append(target.Events, event)
		}
	}
	set := &data.Dataset{Name: "laws", X: b.Matrix(len(t.names)), Features: data.NewFeatures(t.names), Targets: []data.Target{target}}
	if t.another != nil {
		set.Targets = append(set.Targets, data.Target{Name: "z", Type: t.response, Levels: t.levels, Values: t.another})
	}
	if err := set.Check(); err != nil {
		return sample{}, err
	}
	var train, test []int32
	for i := range t.x {
		if i < len(t.x)-t.tests {
			train = append(train, int32(i))
		} else {
			test = append(test, int32(i))
		}
	}
	p, err := prepare.Recipe{}.Fit(set, train)
	if err != nil {
		return sample{}, err
	}
	if test == nil {
		test = []int32{} // nil would be all rows
	}
	return sample{p.View(train), p.View(test), p.View}, nil
}
