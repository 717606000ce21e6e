package car

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/dense"
)

// scored is a case of either engine.
type scored struct {
	in struct {
		X       [][]float64
		Y, Time []float64
		Event   []int8
	}
	options struct {
		Intensity   *float64
		Cap         float64
		Denominator string
	}
	want struct {
		Intensity            float64
		Car, Scores, Weights []float64
		Selected             []int32
	}
}

func (k scored) decorrelation() Decorrelation {
	d := Decorrelation{Shrink: estimated}
	if k.options.Intensity != nil {
		d.Shrink = *k.options.Intensity
	}
	return d
}

func times(values []float64, events []int8) data.Target {
	return data.Target{Name: "t", Type: data.Survival, Values: values, Events: events}
}

func (k scored) check(t *testing.T, filter ranking.Filter, target data.Target) {
	t.Helper()
	for _, workers := range []int{1, 3} {
		r, err := filter.Rank(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(k.in.X...), target), nil), Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		oracle.NearAll(t, "scores", r.Score, k.want.Scores, 1e-8)
		if !slices.Equal(r.Order, k.want.Selected) {
			t.Errorf("selected %v, want %v", r.Order, k.want.Selected)
		}
	}
}

func TestOracle(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){
		"car_score": func(t *testing.T, c oracle.Case) {
			var k scored
			c.Parts(t, &k.in, &k.options, &k.want)
			target := enginetest.Real("y", k.in.Y...)
			k.check(t, CAR{k.decorrelation()}.filter(), target)
			x, err := standardize(enginetest.View(enginetest.Dataset(enginetest.Matrix(k.in.X...), target), nil), 1)
			if err != nil {
				t.Fatal(err)
			}
			if k.options.Intensity == nil {
				oracle.Near(t, "intensity", x.shrinkage(t.Context(), standardized(k.in.Y)), k.want.Intensity, 1e-9)
			}
		},
		"cars_score": func(t *testing.T, c oracle.Case) {
			var k scored
			c.Parts(t, &k.in, &k.options, &k.want)
			e := SurvivalKind.Defaults().(CARS)
			e.Decorrelation, e.Cap, e.Denominator = k.decorrelation(), cmp.Or(k.options.Cap, e.Cap), cmp.Or(k.options.Denominator, e.Denominator)
			oracle.NearAll(t, "weights", e.weightsOf(k.in.Time, k.in.Event), k.want.Weights, 1e-9)
			k.check(t, e.filter(), times(k.in.Time, k.in.Event))
		},
		"selectors_refused": func(t *testing.T, c oracle.Case) {
			var in struct {
				Rows, Columns int
				Time          []float64
				Event         []int8
			}
			var options struct {
				Target    string
				Intensity float64
			}
			c.Parts(t, &in, &options, &struct{}{})
			switch options.Target {
			case "car_score":
				rng := rand.New(rand.NewPCG(8, 9))
				x := draw(rng, in.Rows, in.Columns)
				v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", draw(rng, 1, in.Rows)[0]...)), nil)
				_, err := CAR{Decorrelation{Shrink: options.Intensity}}.filter().Rank(t.Context(), engines.Run{Train: v, Workers: 1})
				if err == nil {
					t.Error("not refused")
				}
			case "cars_score":
				x := draw(rand.New(rand.NewPCG(1, 1)), len(in.Time), 2)
				if err := enginetest.Dataset(enginetest.Matrix(x...), times(in.Time, in.Event)).Check(); err == nil {
					t.Error("not refused")
				}
			default:
				t.Skip("of another engine")
			}
		},
	})
}

// draw returns normal rows whose columns go together.
func draw(rng *rand.Rand, rows, columns int) [][]float64 {
	x := make([][]float64, rows)
	for i := range x {
		shared := rng.NormFloat64()
		for range columns {
			x[i] = append(x[i], rng.NormFloat64()+0.7*shared)
		}
	}
	return x
}

// TestDecorrelation: the solution is that by all eigenvectors of the shrunk correlations, with few columns and many, hardly shrunk and much.
func TestDecorrelation(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 6))
	for _, shape := range [][2]int{{40, 6}, {12, 30}, {60, 60}, {4, 9}, {90, 45}} {
		for _, lambda := range []float64{0, 1e-4, 0.1, 0.9, 1} {
			if lambda == 0 && shape[1] >= shape[0] {
				continue
			}
			v := enginetest.View(enginetest.Dataset(enginetest.Matrix(draw(rng, shape[0], shape[1])...), enginetest.Real("y", make([]float64, shape[0])...)), nil)
			c, err := standardize(v, 2)
			if err != nil {
				t.Fatal(err)
			}
			u := draw(rng, 1, shape[0])[0]
			r := c.correlationsWith(u)
			correlations := make([][]float64, len(r))
			for j := range correlations {
				correlations[j] = make([]float64, len(r))
				for k := range r {
					correlations[j][k] = (1 - lambda) * dense.Dot(c.z[j], c.z[k]) / float64(shape[0]-1)
				}
				correlations[j][j] += lambda
			}
			want := make([]float64, len(r))
			values, vectors := dense.Eigen(correlations)
			for k, value := range values {
				dense.AddTo(want, vectors[k], dense.Dot(vectors[k], r)/math.Sqrt(value))
			}
			got, err := c.decorrelate(t.Context(), r, lambda)
			if err != nil {
				t.Fatal(err)
			}
			oracle.NearAll(t, "adjusted correlations", got, want, 1e-9)
		}
	}
}

// TestSharesOfVariance: not shrunk, the scores sum to the share of the variance that least squares explains, which copies of columns do not change.
func TestSharesOfVariance(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 7))
	x := draw(rng, 50, 5)
	y := make([]float64, len(x))
	for i, row := range x {
		y[i] = row[0] - 2*row[3] + rng.NormFloat64()
	}
	sum := func(x [][]float64) (sum float64, r *ranking.Ranking) {
		r, err := CAR{Decorrelation{Shrink: 0}}.filter().Rank(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return dense.Sum(r.Score), r
	}
	whole, _ := sum(x)
	oracle.Near(t, "sum of scores", whole, explained(x, y), 1e-9)
	twice := make([][]float64, len(x))
	for i, row := range x {
		twice[i] = append(slices.Clone(row), row[3])
	}
	again, r := sum(twice)
	oracle.Near(t, "sum of scores with a copy", again, whole, 1e-9)
	oracle.Near(t, "score of a copy", r.Score[5], r.Score[3], 1e-9)
}

// explained returns the R² of least squares, by Gram and Schmidt.
func explained(x [][]float64, y []float64) float64 {
	left, basis := standardized(y), [][]float64{}
	total := dense.Dot(left, left)
	for j := range x[0] {
		column := make([]float64, len(x))
		for i := range x {
			column[i] = x[i][j]
		}
		column = standardized(column)
		for range 2 {
			for _, b := range basis {
				dense.AddTo(column, b, -dense.Dot(b, column)/dense.Dot(b, b))
			}
		}
		basis = append(basis, column)
		dense.AddTo(left, column, -dense.Dot(column, left)/dense.Dot(column, column))
	}
	return 1 - dense.Dot(left, left)/total
}

// TestUnitOfTime: scores do not depend on the unit of time, but with the number of rows for a denominator.
func TestUnitOfTime(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 8))
	x := draw(rng, 40, 4)
	days, years, events := make([]float64, len(x)), make([]float64, len(x)), make([]int8, len(x))
	for i := range x {
		years[i], events[i] = rng.ExpFloat64()+0.01, int8(min(1, rng.IntN(3)))
		days[i] = years[i] * 365.25
	}
	score := func(e CARS, values []float64) []float64 {
		r, err := e.filter().Rank(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), times(values, events)), nil), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return r.Score
	}
	e := SurvivalKind.Defaults().(CARS)
	oracle.NearAll(t, "scores", score(e, days), score(e, years), 1e-9)
	e.Denominator, e.Cap = byRows, 1.2 // so that weights do not sum to the rows
	if inDays, inYears := score(e, days), score(e, years); math.Abs(inDays[0]/inYears[0]-1) < 1e-3 {
		t.Errorf("by rows: %v of days, %v of years", inDays, inYears)
	}
}

func TestNothingToSay(t *testing.T) {
	t.Parallel()
	x := draw(rand.New(rand.NewPCG(1, 2)), 8, 3)
	for name, c := range map[string]struct {
		e      interface{ filter() ranking.Filter }
		target data.Target
	}{
		"constant":  {Kind.Defaults().(CAR), enginetest.Real("y", 3, 3, 3, 3, 3, 3, 3, 3)},
		"one event": {SurvivalKind.Defaults().(CARS), times([]float64{1, 2, 3, 4, 5, 6, 7, 8}, []int8{0, 0, 1, 0, 0, 0, 0, 0})},
	} {
		r, err := c.e.filter().Rank(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), c.target), nil), Workers: 1})
		if err != nil || len(r.Order) > 0 {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	noise := draw(rand.New(rand.NewPCG(3, 4)), 40, 1)
	for i := range noise {
		noise[i] = append(noise[i], float64(i%2))
	}
	y := draw(rand.New(rand.NewPCG(5, 6)), 1, 40)[0]
	r, err := Kind.Defaults().(CAR).filter().Rank(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(noise...), enginetest.Real("y", y...)), nil), Workers: 1})
	if err != nil || len(r.Order) > 0 || len(r.Notes) != 1 {
		t.Errorf("noise: %+v, %v, expected a note of an estimate of 1", r, err)
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), times([]float64{1, 2, 3, 4, 5, 6, 7, 8}, make([]int8, 8)))
	if _, err := SurvivalKind.Defaults().Fit(t.Context(), engines.Run{Train: enginetest.View(set, nil), Workers: 1}); err == nil {
		t.Error("times without an event are not refused")
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	few := Decorrelation{Shrink: estimated, Features: 4}
	for name, e := range map[string]engines.Engine{
		"car":                  CAR{few},
		"car, little shrunk":   CAR{Decorrelation{Shrink: 0.05, Features: 4}},
		"cars":                 CARS{10, byWeights, few},
		"cars by rows, capped": CARS{1.5, byRows, few},
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}
