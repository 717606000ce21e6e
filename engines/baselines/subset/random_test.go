package subset

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

type randomOnClasses struct{ Random }

func (randomOnClasses) Needs() engines.Needs { return engines.Needs{Target: data.Class, Tasks: true} }

func TestRandomSuite(t *testing.T) {
	t.Run("numbers", func(t *testing.T) { enginetest.Suite(t, Random{Features: 4, Ridge: 1}) })
	t.Run("classes", func(t *testing.T) { enginetest.Suite(t, randomOnClasses{Random{Features: 4, Ridge: 1}}) })
	t.Run("more than there are", func(t *testing.T) { enginetest.Suite(t, Random{Features: 99, Ridge: 1}) })
}

// noise is 40 rows of 12 columns, of which the fourth is constant.
func noise(targets ...data.Target) *data.View {
	rows := make([][]float64, 40)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range rows {
		rows[i] = make([]float64, 12)
		for j := range rows[i] {
			rows[i][j] = rng.NormFloat64()
		}
		rows[i][3] = 2
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(rows...), targets...), nil)
}

func drawn(t *testing.T, e Random, v *data.View, seed uint64, at []int, keep func(int, engines.Model)) (engines.Model, []int) {
	t.Helper()
	m, err := e.Fit(t.Context(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(seed, 2)), Workers: 1, At: at, Keep: keep})
	if err != nil {
		t.Fatal(err)
	}
	return m, columnsOf(m)
}

func columnsOf(m engines.Model) []int {
	var out []int
	for _, c := range m.Coefs() {
		out = append(out, c.Feature)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Every column that varies is drawn equally often; sizes of a path are nested, and those of fits of their own.
func TestRandomDraws(t *testing.T) {
	y := make([]float64, 40)
	for i := range y {
		y[i] = math.Sin(float64(i * i))
	}
	v := noise(enginetest.Real("y", y...))
	times := make([]int, 12)
	const rounds = 600
	for seed := range uint64(rounds) {
		_, columns := drawn(t, Random{Features: 3, Ridge: 1}, v, seed, nil, nil)
		if len(columns) != 3 {
			t.Fatalf("%d columns", len(columns))
		}
		for _, j := range columns {
			times[j]++
		}
	}
	for j, n := range times {
		if want := rounds * 3. / 11; j == 3 && n > 0 || j != 3 && !(math.Abs(float64(n)-want) <= 5*math.Sqrt(want)) {
			t.Errorf("column %d was drawn %d times of %d", j, n, rounds)
		}
	}
	last, all := drawn(t, Random{Features: 50, Ridge: 1}, v, 1, []int{11, 50}, func(size int, m engines.Model) {
		if size != 11 {
			t.Errorf("a model of %d columns, of which 11 vary", size)
		}
	})
	if len(all) != 11 {
		t.Errorf("the last of a path is %v", last)
	}
	sizes := map[int][]int{}
	drawn(t, Random{Features: 8, Ridge: 1}, v, 5, []int{2, 5, 8}, func(size int, m engines.Model) {
		if sizes[size] != nil {
			t.Errorf("size %d was handed out twice", size)
		}
		sizes[size] = columnsOf(m)
	})
	for _, size := range []int{2, 5, 8} {
		if _, alone := drawn(t, Random{Features: size, Ridge: 1}, v, 5, nil, nil); !slices.Equal(sizes[size], alone) || len(alone) != size {
			t.Errorf("size %d: %v on the path, %v alone", size, sizes[size], alone)
		}
	}
}

// Without a number, the square root of the rows is drawn.
func TestRandomSize(t *testing.T) {
	y := make([]float64, 40)
	for i := range y {
		y[i] = math.Sin(float64(i * i))
	}
	v := noise(enginetest.Real("y", y...))
	m, columns := drawn(t, RandomKind.Defaults().(Random), v, 3, nil, nil)
	if f := m.(engines.Reporter).Fitted(); len(columns) != 6 || len(f.Facts) == 0 || f.Facts[0] != (data.Fact{Name: "columns drawn", Value: "6 of 11 that vary"}) {
		t.Errorf("%d columns of 40 rows, %v", len(columns), f.Facts)
	}
	if _, same := drawn(t, Random{Features: 6, Ridge: 1}, v, 3, nil, nil); !slices.Equal(same, columns) {
		t.Errorf("columns %v, %v with the number", columns, same)
	}
	chosen, _, err := RandomKind.Defaults().(Random).Choose(t.Context(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(3, 2)), Workers: 1})
	if err != nil || len(chosen) != 6 || !slices.EqualFunc(chosen, columns, func(c engines.Coef, j int) bool { return c.Feature == j }) {
		t.Errorf("%v are chosen, %v; a fit draws %v", chosen, err, columns)
	}
	if _, one := drawn(t, RandomKind.Defaults().(Random), v.Sub([]int32{0, 1}), 3, nil, nil); len(one) != 1 {
		t.Errorf("%d columns of 2 rows", len(one))
	}
}

// All targets get the same columns; where there are not enough, all of them.
func TestRandomTargets(t *testing.T) {
	y, c := make([]float64, 40), make([]float64, 40)
	for i := range y {
		y[i], c[i] = math.Cos(float64(i*i)), float64(i%3)
	}
	v := noise(enginetest.Real("y", y...), enginetest.Class("c", 3, c...))
	m, columns := drawn(t, Random{Features: 4, Ridge: 1}, v, 9, nil, nil)
	if m.Outputs() != 4 || len(columns) != 4 {
		t.Errorf("%d outputs, columns %v", m.Outputs(), columns)
	}
	m, columns = drawn(t, Random{Features: 12, Ridge: 1}, v, 9, nil, nil)
	notes := m.(engines.Reporter).Fitted().Notes
	if len(columns) != 11 || len(notes) != 1 || !strings.Contains(notes[0], "12 columns were to be drawn, but 11 vary") {
		t.Errorf("columns %v, notes %q", columns, notes)
	}
}

func TestRandomRefusals(t *testing.T) {
	for want, e := range map[string]Random{
		"ridge: -1":    {Ridge: -1},
		"ridge: NaN":   {Features: 1, Ridge: math.NaN()},
		"features: -2": {Features: -2, Ridge: 1},
	} {
		if err := e.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
