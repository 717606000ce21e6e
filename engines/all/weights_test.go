package all

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/classweight"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/dual"
	"tenfold/engines/penalized/hazards"
	"tenfold/engines/steps/stagewise"
	"tenfold/engines/wrappers/byclass"
)

// drawing are engines that draw rows: whole weights are rows repeated in expectation alone. oracle needs the truth.
var drawing = []string{"forest", "boruta", "oracle"}

// TestWeightsAreRows: in every engine that takes weights, a row with the weight of two is the row twice, but for what the stopping rules
// leave. Of times there is cox alone: the others' models have Efron's ties, in which equal rows are not one row of their weight.
func TestWeightsAreRows(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []data.Type{data.Real, data.Class, data.Survival} {
		for name, kind := range set {
			e := alone(kind.Defaults())
			if needs := e.Needs(); slices.Contains(drawing, name) || needs.Unweighted || !needs.Takes(target) || target == data.Survival && name != "cox" {
				continue
			}
			once, twice := weightedRows(e.Needs(), target)
			got, want := scoresOn(t, e, once, once), scoresOn(t, e, twice, once)
			size := slices.Max(want) - slices.Min(want)
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 5e-3*size+1e-12) {
					t.Errorf("%s of %s: score %d is %v, expected %v", name, target, i, got[i], want[i])
					break
				}
			}
		}
	}
}

// alone returns an engine whose fit depends on rows by their weights alone: events at one time count as Breslow has them, and no rows
// are held out.
func alone(e engines.Engine) engines.Engine {
	switch one := e.(type) {
	case hazards.Cox:
		one.Ties = "breslow"
		e = one
	case dual.Dual:
		one.Ratio = 0.1
		e = one
	case stagewise.Stagewise:
		one.Choose = "last"
		e = one
	}
	if p, ok := e.(engines.Pathed); ok && e.Needs().Inner {
		e = p.AtValue(0.1)
	}
	return e
}

// weightedRows returns rows of which every second has the weight 2, and the same rows repeated.
func weightedRows(needs engines.Needs, target data.Type) (once, twice *data.View) {
	const rows, columns = 36, 5
	rng := rand.New(rand.NewPCG(6, 6))
	var x, x2 [][]float64
	var y, y2, weight []float64
	var events, events2 []int8
	for i := range rows {
		row := make([]float64, columns)
		for j := range row {
			switch {
			case needs.Binary:
				row[j] = float64(rng.IntN(2))
			case needs.Counts:
				row[j] = float64(rng.IntN(4))
			default:
				row[j] = rng.NormFloat64()
			}
		}
		v, event := row[0]-row[1]+rng.NormFloat64(), int8(min(1, i%5))
		switch {
		case target == data.Survival:
			v = math.Exp(-v)
		case target == data.Count:
			v = math.Floor(math.Exp(min(2, v)))
		case target == data.Class && v > 0:
			v = 1
		case target == data.Class:
			v = 0
		}
		n := 1 + i%2
		x, y, events, weight = append(x, row), append(y, v), append(events, event), append(weight, float64(n))
		for range n {
			x2, y2, events2 = append(x2, row), append(y2, v), append(events2, event)
		}
	}
	view := func(x [][]float64, y []float64, events []int8, weight []float64) *data.View {
		response := enginetest.Real("y", y...)
		switch target {
		case data.Class:
			response = enginetest.Class("y", 2, y...)
		case data.Count:
			response = data.Target{Name: "y", Type: data.Count, Values: y}
		case data.Survival:
			response = data.Target{Name: "y", Type: data.Survival, Values: y, Events: events}
		}
		d := enginetest.Dataset(enginetest.Matrix(x...), response)
		d.Features = d.Features.WithClasses([]int32{0, 1, 0, 1, 0}, []string{"even", "odd"})
		d.Weight = weight
		return enginetest.Counted(d)
	}
	return view(x, y, events, weight), view(x2, y2, events2, nil)
}

// scoresOn returns what a model fitted to some rows predicts for others.
func scoresOn(t *testing.T, e engines.Engine, train, rows *data.View) []float64 {
	t.Helper()
	m, err := e.Fit(t.Context(), engines.Run{Train: train, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
	if err != nil {
		t.Fatalf("%T: %v", e, err)
	}
	out := make([]float64, rows.Len()*m.Outputs())
	m.Predict(out, rows.Inputs())
	return out
}

// TestWeightsHaveNoScale: filters by ratios of weights select the same columns, with the same scores, whatever the unit of the weights.
func TestWeightsHaveNoScale(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []data.Type{data.Real, data.Class, data.Survival} {
		for name, kind := range set {
			e, chooses := kind.Defaults().(engines.Chooser)
			if !chooses || e.Needs().Unweighted || !e.Needs().Takes(target) || !e.Needs().Sizes.Ranked || slices.Contains(drawing, name) {
				continue
			}
			score := func(unit float64) []engines.Coef {
				rows, _ := weightedRows(e.Needs(), target)
				set := rows.Division()
				for i := range set.Weight {
					set.Weight[i] *= unit
				}
				set.X, set.Features = rows.Matrix(), rows.Features()
				chosen, _, err := e.Choose(t.Context(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				return chosen
			}
			want, got := score(1), score(0.37)
			if len(got) != len(want) {
				t.Errorf("%s of %s: %d columns, with weights in another unit %d", name, target, len(want), len(got))
				continue
			}
			for k, c := range want {
				if got[k].Feature != c.Feature || got[k].Rank != c.Rank {
					t.Errorf("%s of %s: %+v, with weights in another unit %+v", name, target, c, got[k])
				}
				oracle.Near(t, name, got[k].Score, c.Score, 1e-9)
			}
		}
	}
}

// TestClassWeights: every engine of classes fits with class weights as with rows of these weights, to the last bit, or refuses them; what it
// hands on with them, paths and choices, is the same. Those that refuse are named here.
func TestClassWeights(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	refuse := []string{}
	for _, name := range set.Names() {
		e := alone(set[name].Defaults())
		if !e.Needs().Takes(data.Class) || name == "oracle" {
			continue
		}
		by := classweight.Weights{Of: map[string]float64{"l1": 2.5}}
		weighted := byclass.Wrapper.Wrap(e, by)
		if weighted.Validate() != nil {
			refuse = append(refuse, name)
			continue
		}
		_, repeated := weightedRows(e.Needs(), data.Class)
		set := repeated.Division()
		set.X, set.Features = repeated.Matrix(), repeated.Features()
		plain, of := enginetest.View(set, nil), *set
		set = &of
		set.Weight = make([]float64, plain.Len())
		for i, y := range set.Targets[0].Values {
			set.Weight[i] = 1 + float64(1.5*y)
		}
		rows := enginetest.View(set, nil)
		if want, got := scoresOn(t, e, rows, plain), scoresOn(t, weighted, plain, plain); !slices.Equal(got, want) {
			t.Errorf("%s: class weights are not weights of rows", name)
		}
		_, pathed := e.(engines.Pathed)
		if _, still := weighted.(engines.Pathed); still != pathed {
			t.Errorf("%s: its path is lost", name)
		}
		if c, chooses := e.(engines.Chooser); chooses && !pathed {
			want, _, err := c.Choose(t.Context(), engines.Run{Train: rows, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := weighted.(engines.Chooser).Choose(t.Context(), engines.Run{Train: plain, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s chooses %v, %v, expected %v", name, got, err, want)
			}
		}
	}
	if want := []string{"relieff"}; !slices.Equal(refuse, want) {
		t.Errorf("%v refuse class weights, expected %v", refuse, want)
	}
}
