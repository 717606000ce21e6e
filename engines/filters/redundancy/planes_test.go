package redundancy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// TestPlanesCountAsLists: columns in planes select what they select in lists, with the same scores but for rounding, whatever the numbers
// of rows, levels and classes, and for any number of workers.
func TestPlanesCountAsLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 5))
	for trial := range 40 {
		rows, width, classes := 1+rng.IntN(300), 1+rng.IntN(20), 1+rng.IntN(4)
		if trial%4 == 0 {
			classes = 1 + rng.IntN(150)
		}
		lists, y := leveledTable(rng, rows, width)
		for i := range y {
			y[i] = (y[i] + int32(rng.IntN(classes))) % int32(classes)
		}
		if trial%3 == 0 { // many levels
			for k := range lists[0].level {
				lists[0].level[k] = 1 + int32(rng.IntN(30))
			}
			lists[0].most = 30
		}
		planes, mixed := make([]leveled, width), slices.Clone(lists)
		for j, c := range lists {
			planes[j] = newPlanes(planesOf(c, rows), rows)
			if j%2 == 0 {
				mixed[j] = planes[j]
			}
			back := planes[j].listed(rows)
			for k := range c.rows {
				if back.rows[k] != c.rows[k] || back.levelOf(k) != c.levelOf(k) {
					t.Fatalf("column %d of %d rows comes back as %v, was %v", j, rows, back, c)
				}
			}
		}
		for name, c := range map[string]criterion{"mid": mid, "jmi": jmi, "disr": disr, "jmim": jmim, "cmim": cmim} {
			find := func(columns []leveled, workers int) *selection {
				m, err := newInformation(t.Context(), newTables(columns, y, classes, nil, workers), c.pair)
				if err != nil {
					t.Fatal(err)
				}
				found, err := c.search(t.Context(), m, 0, nil)
				if err != nil {
					t.Fatal(err)
				}
				return found
			}
			want := find(lists, 1)
			for _, got := range []*selection{find(planes, 1), find(planes, 3), find(mixed, 2)} {
				near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-11*max(1, math.Abs(b)) }
				if !slices.Equal(got.order, want.order) || !slices.EqualFunc(got.score, want.score, near) {
					t.Fatalf("%s of %d × %d, %d classes: %v with %v, from lists %v with %v", name, rows, width, classes, got.order, got.score, want.order, want.score)
				}
			}
		}
	}
}

// TestSmallValues: columns read as whole numbers are those that the order of their values makes, stored with or without zeros.
func TestSmallValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 6))
	for _, rows := range []int{2, 63, 64, 200} {
		const width = 600 // more than a band
		x := make([][]float64, rows)
		for i := range x {
			x[i] = make([]float64, width)
			for j := range x[i] {
				switch x[i][j] = float64(rng.IntN(1 + j%9)); {
				case j%7 == 0:
					x[i][j] += 20
				case j%11 == 0:
					x[i][j] -= 0.5
				case j%13 == 0 && rng.IntN(20) > 0:
					x[i][j] = 1
				}
			}
		}
		for _, l := range []Levels{cutWhereMany, {Discretize: automatic, Bins: 20}} {
			for _, fill := range []bool{false, true} {
				m := enginetest.Matrix(x...)
				if fill {
					m = m.Filled()
				}
				v := enginetest.View(enginetest.Dataset(m, enginetest.Class("y", 1, make([]float64, rows)...)), nil)
				got, _, err := l.read(t.Context(), v, 2)
				if err != nil {
					t.Fatal(err)
				}
				for j, c := range got {
					code, err := l.coder(newDistribution(m.Col(j), rows, nil, float64(rows)))
					if err != nil {
						t.Fatal(err)
					}
					want := newLeveled(m.Col(j), rows, code).packed(rows)
					if !slices.Equal(c.planes, want.planes) || !slices.Equal(c.size, want.size) || !slices.Equal(c.rows, want.rows) || !slices.Equal(c.level, want.level) || c.most != want.most {
						t.Fatalf("column %d of %d rows, filled %v: %v, want %v", j, rows, fill, c, want)
					}
				}
			}
		}
	}
}

// fourLevels returns a table of levels 0 to 3, of which every tenth column tells something of two classes.
func fourLevels(rows, columns int) *data.View {
	rng := rand.New(rand.NewPCG(18, 7))
	y, x := make([]float64, rows), make([][]float64, rows)
	for i := range x {
		y[i], x[i] = float64(rng.IntN(2)), make([]float64, columns)
		for j := range x[i] {
			if x[i][j] = float64(rng.IntN(4)); j%10 == 0 && rng.IntN(10) < 3 {
				x[i][j] = 1 + 2*y[i]
			}
		}
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), nil)
}

// BenchmarkFourLevels selects up to 100 columns of dense tables by each criterion, from the reading of the levels on, without a model.
func BenchmarkFourLevels(b *testing.B) {
	for _, size := range [][2]int{{200, 16_000}, {2_000, 2_000}, {16_000, 50}} {
		v := fourLevels(size[0], size[1])
		for _, e := range []struct {
			name   string
			engine engines.Chooser
		}{
			{"mim", MIMKind.Defaults().(Informed)},
			{"mrmr", MRMRKind.Defaults().(MRMR)},
			{"jmi", JMIKind.Defaults().(Informed)},
			{"disr", DISRKind.Defaults().(Informed)},
			{"jmim", JMIMKind.Defaults().(Informed)},
			{"cmim", CMIMKind.Defaults().(Informed)},
			{"njmim", NJMIMKind.Defaults().(Informed)},
		} {
			switch c := e.engine.(type) {
			case Informed:
				c.Features = min(100, size[1])
				e.engine = c
			case MRMR:
				c.Features = min(100, size[1])
				e.engine = c
			}
			b.Run(fmt.Sprintf("%dx%d/%s", size[0], size[1], e.name), func(b *testing.B) {
				before := enginetest.CPU()
				for b.Loop() {
					if _, _, err := e.engine.Choose(b.Context(), engines.Run{Train: v, Workers: 1}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((enginetest.CPU()-before)/float64(b.N), "cpu-s/op")
			})
		}
	}
}
