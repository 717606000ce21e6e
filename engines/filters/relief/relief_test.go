package relief

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
)

func with(change func(e *Relief)) Relief {
	e := Kind.Defaults().(Relief)
	if change != nil {
		change(&e)
	}
	return e
}

func TestSuite(t *testing.T) {
	for name, e := range map[string]Relief{
		"relieff":   with(nil),
		"weighted":  with(func(e *Relief) { e.Sigma, e.Neighbours = 2, 5 }),
		"multisurf": with(func(e *Relief) { e.Variant = kindMultiSURF }),
		"sample":    with(func(e *Relief) { e.Centres = 20 }),
	} {
		for _, target := range []data.Type{data.Class, data.Real} {
			t.Run(fmt.Sprint(name, " ", target), func(t *testing.T) { enginetest.Suite(t, aimed{e, target}) })
		}
	}
}

// aimed is the engine on targets of one type.
type aimed struct {
	Relief
	target data.Type
}

func (e aimed) Needs() engines.Needs {
	n := e.Relief.Needs()
	n.Target = e.target
	return n
}

// missing marks a value that is not there.
var missing = math.NaN()

// spelled returns a view of columns of numbers and of levels, which become a column a level, selected together. A missing level is a gap in
// the first of them. Zeros are stored if fully is true.
func spelled(x [][]float64, levels []bool, target data.Target, fully bool) *data.View {
	var b sparse.Builder
	var unit []int32
	first, names := make([]int32, len(levels)), 0
	for j, isLevel := range levels {
		first[j] = int32(len(unit))
		width := 1
		if isLevel {
			for _, row := range x {
				if row[j] == row[j] {
					width = max(width, 1+int(row[j]))
				}
			}
		}
		for range width {
			unit = append(unit, int32(j))
			names++
		}
	}
	for _, row := range x {
		cells := make([]float64, names)
		for j, v := range row {
			switch {
			case levels[j] && v == v:
				cells[first[j]+int32(v)] = 1
			default:
				cells[first[j]] = v
			}
		}
		var idx []int32
		var val []float64
		for j, v := range cells {
			if v != 0 || fully {
				idx, val = append(idx, int32(j)), append(val, v)
			}
		}
		if err := b.Add(idx, val); err != nil {
			panic(err)
		}
	}
	d := enginetest.Dataset(b.Matrix(names), target)
	p := &data.Prepared{Set: d, X: d.X, Features: d.Features, Targets: d.Targets, Treatment: data.Treatment{Unit: unit, Together: true}}
	return p.View(nil)
}

func TestOracleRelief(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){
		"relief": func(t *testing.T, c oracle.Case) {
			var in struct {
				X      [][]*float64
				Levels []bool
				Y      []float64
			}
			options := struct {
				Target, Kind string
				K            int
				Sigma        float64
				Centres      []int32
			}{K: defaultNeighbours}
			var want struct {
				Scores   []float64
				Selected []int
			}
			c.Parts(t, &in, &options, &want)
			x := make([][]float64, len(in.X))
			for i, row := range in.X {
				for _, v := range row {
					if v == nil {
						v = &missing
					}
					x[i] = append(x[i], *v)
				}
			}
			e := with(func(e *Relief) {
				e.Variant, e.Neighbours, e.Sigma, e.Features = options.Kind, options.K, options.Sigma, 0
			})
			if err := e.Validate(); err != nil {
				t.Fatal(err)
			}
			for _, fully := range []bool{true, false} {
				scores, selected := ranked(t, e, spelled(x, in.Levels, targetOf(options.Target, in.Y), fully), options.Centres)
				oracle.NearAll(t, "scores", scores, want.Scores, 1e-9)
				if !slices.Equal(selected, want.Selected) {
					t.Errorf("selected %v, want %v", selected, want.Selected)
				}
			}
		},
		"selectors_refused": func(t *testing.T, c oracle.Case) {
			var in struct{ Y []float64 }
			var options struct {
				Target, Kind string
				K            int
			}
			var want struct{ Error string }
			c.Parts(t, &in, &options, &want)
			if options.Target != "relief" {
				t.Skip("of another engine")
			}
			e := with(func(e *Relief) { e.Variant, e.Neighbours = options.Kind, options.K })
			err := e.Validate()
			if err == nil {
				x := make([][]float64, len(in.Y))
				for i := range x {
					x[i] = []float64{float64(i)}
				}
				_, err = e.Fit(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), targetOf("class", in.Y)), nil), Workers: 1})
			}
			text := map[string]string{"bad_k": "neighbours: 0, expected at least 1", "one_class": "no row of another class"}[want.Error]
			if err == nil || text == "" || !strings.Contains(err.Error(), text) {
				t.Errorf("error %v, want %s (%q)", err, want.Error, text)
			}
		},
	})
}

func targetOf(kind string, y []float64) data.Target {
	if kind == "real" {
		return enginetest.Real("y", y...)
	}
	return enginetest.Class("y", 1+int(slices.Max(y)), y...)
}

// ranked returns the scores of all items, and those selected in order; nil centres: all rows.
func ranked(t *testing.T, e Relief, v *data.View, centres []int32) (scores []float64, selected []int) {
	t.Helper()
	_, y := v.Target(0)
	resp := newResponse(v.TargetInfo(0).Type == data.Class, y)
	table, err := readTable(t.Context(), v, resp)
	if err != nil {
		t.Fatal(err)
	}
	if centres == nil {
		centres = data.Numbers(len(y))
	}
	s := scorer{table: table, response: resp, params: e, workers: 2}
	if scores, err = s.scoreItems(t.Context(), centres); err != nil {
		t.Fatal(err)
	}
	r, err := e.rank(t.Context(), engines.Run{Train: v, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range r.Order {
		selected = append(selected, int(j))
	}
	return scores, selected
}

// literally returns the scores as the definitions have them: all pairs of rows, column by column.
func literally(e Relief, x [][]float64, y []float64, class bool) []float64 {
	n, p := len(x), len(x[0])
	diff := func(i, r, j int) float64 {
		low, high := x[0][j], x[0][j]
		for _, row := range x {
			low, high = min(low, row[j]), max(high, row[j])
		}
		if low == high {
			return 0
		}
		return math.Abs(x[i][j]-x[r][j]) / (high - low)
	}
	distance := func(i, r int) (sum float64) {
		for j := range p {
			sum += diff(i, r, j)
		}
		return sum
	}
	apart := (slices.Max(y) - slices.Min(y))
	score := make([]float64, p)
	nA, nCA, nC := make([]float64, p), make([]float64, p), 0.0
	for i := range x {
		type near struct {
			row    int
			d, w   float64
			factor float64
		}
		var found []near
		for c := range 1 + int(slices.Max(y)) {
			var rows []near
			size := 0.0
			for r := range x {
				if class && int(y[r]) != c {
					continue
				}
				if size++; r != i {
					rows = append(rows, near{row: r, d: distance(i, r), factor: -1})
				}
			}
			own := 0.0
			for r := range y {
				if y[r] == y[i] {
					own++
				}
			}
			slices.SortFunc(rows, func(a, b near) int { return cmp.Compare(a.d, b.d) })
			total := 0.0
			for a := 0; a < len(rows); {
				b, sum := a, 0.0
				for ; b < len(rows) && rows[b].d <= rows[a].d+1e-9*max(1, rows[a].d); b++ {
					if b < e.Neighbours {
						w := 1.0
						if e.Sigma > 0 {
							w = math.Exp(-math.Pow(float64(b+1)/e.Sigma, 2))
						}
						sum += w
					}
				}
				for k := a; k < b; k++ {
					rows[k].w = sum / float64(b-a)
				}
				total += sum
				a = b
			}
			for k := range rows {
				rows[k].w /= total
				if class && c != int(y[i]) {
					rows[k].factor = size / (float64(n) - own)
				}
			}
			found = append(found, rows...)
			if !class {
				break
			}
		}
		for _, f := range found {
			t := math.Abs(y[i]-y[f.row]) / apart
			nC += f.w * t
			for j := range p {
				d := diff(i, f.row, j)
				score[j] += f.factor * f.w * d / float64(n)
				nA[j] += f.w * d
				nCA[j] += f.w * t * d
			}
		}
	}
	if !class {
		for j := range score {
			score[j] = nCA[j]/nC - (nA[j]-nCA[j])/(float64(n)-nC)
		}
	}
	return score
}

// TestLiterally: scores are those of the definitions, on rows that are stored in full and on sparse ones, with many ties and without.
func TestLiterally(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 1))
	for k := range 24 {
		rows, columns := 10+rng.IntN(30), 1+rng.IntN(12)
		x, y := make([][]float64, rows), make([]float64, rows)
		for i := range x {
			x[i] = make([]float64, columns)
			for j := range x[i] {
				if rng.IntN(8) == 0 {
					if x[i][j] = 1; k%3 > 0 {
						x[i][j] = rng.NormFloat64()
					}
				}
			}
			y[i] = float64(i % 3)
		}
		class := k%2 == 0
		kind := "class"
		if !class {
			kind = "real"
			for i := range y {
				y[i] = rng.NormFloat64()
			}
		}
		e := with(func(e *Relief) {
			e.Neighbours = 1 + rng.IntN(12)
			if k%4 > 1 {
				e.Sigma = 2
			}
		})
		want := literally(e, x, y, class)
		for _, fully := range []bool{false, true} {
			got, _ := ranked(t, e, spelled(x, make([]bool, columns), targetOf(kind, y), fully), nil)
			oracle.NearAll(t, fmt.Sprint(k, " ", fully, " scores"), got, want, 1e-9)
		}
	}
}

// TestOrderOfRows: shuffled rows have the same scores, also where ties are the rule.
func TestOrderOfRows(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 2))
	const rows, columns = 60, 6
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		for range columns {
			x[i] = append(x[i], float64(rng.IntN(2)))
		}
		y[i] = math.Mod(x[i][0]+x[i][1], 2)
	}
	e := with(nil)
	view := func() *data.View { return spelled(x, make([]bool, columns), targetOf("class", y), false) }
	want, _ := ranked(t, e, view(), nil)
	rng.Shuffle(rows, func(i, k int) { x[i], x[k], y[i], y[k] = x[k], x[i], y[k], y[i] })
	got, _ := ranked(t, e, view(), nil)
	oracle.NearAll(t, "scores", got, want, 1e-12)
}

// TestExclusiveOr: the example of docs/engines/relief.md. Of a hundred columns the two whose parity the class is score most, by either
// kind.
func TestExclusiveOr(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 3))
	const rows, columns = 320, 100
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		for range columns {
			x[i] = append(x[i], float64(rng.IntN(2)))
		}
		y[i] = math.Mod(x[i][0]+x[i][1], 2)
	}
	for _, kind := range []string{kindReliefF, kindMultiSURF} {
		_, selected := ranked(t, with(func(e *Relief) { e.Variant = kind }), spelled(x, make([]bool, columns), targetOf("class", y), false), nil)
		if first := slices.Sorted(slices.Values(selected[:2])); !slices.Equal(first, []int{0, 1}) {
			t.Errorf("%s: columns %v are first", kind, first)
		}
	}
}
