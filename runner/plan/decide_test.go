package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
)

// heads are what is stored, by unit.
type heads map[string]results.Head

func (h heads) Head(unit string) (results.Head, bool) { head, ok := h[unit]; return head, ok }

// unit of a plan, with the key 32 times its letter.
func unit(letter string, stored *results.Head) *Unit {
	u := &Unit{Ingredients: example, Stored: stored}
	u.Label = results.Label{Unit: letter, Dataset: "set", Algorithm: "a", Engine: "stagewise", DatasetDigest: "d1"}
	return u
}

func none() *Frozen { return nil }

// TestReasons why a unit runs, in words; "" where what is stored will do.
func TestReasons(t *testing.T) {
	t.Parallel()
	before := &Frozen{Cells: []FrozenCell{{
		Dataset: "set", Algorithm: "a", KeySchema: 1, DatasetDigest: "d1", Recipe: example.Recipe, Engine: "stagewise", Revision: 1, Params: example.Params,
		Units: []FrozenUnit{{Unit: "u", FoldDigest: "f1", Seed: 42}},
	}}}
	for _, c := range []struct {
		stored *results.Head
		limit  time.Duration
		retry  bool
		keep   bool // predictions
		before *Frozen
		key    string
		change func(in *Ingredients)
		want   string
	}{
		{stored: nil, want: "new"},
		{stored: &results.Head{Status: results.OK}, want: ""},
		{stored: &results.Head{Status: results.OK}, retry: true, want: ""},
		{stored: &results.Head{Status: results.OK, NoPredictions: true}, want: ""},
		{stored: &results.Head{Status: results.OK, NoPredictions: true}, keep: true, want: "its predictions were not kept"},
		{stored: &results.Head{Status: results.Failed}, want: ""},
		{stored: &results.Head{Status: results.Failed}, retry: true, want: "failed before"},
		{stored: &results.Head{Status: results.Skipped}, want: "skipped before"},
		{stored: &results.Head{Status: results.Timeout, Limit: time.Minute}, limit: time.Minute, want: ""},
		{stored: &results.Head{Status: results.Timeout, Limit: time.Minute}, limit: time.Second, retry: true, want: ""},
		{stored: &results.Head{Status: results.Timeout, Limit: time.Minute}, limit: time.Hour, want: "timed out before, after 1m0s; the limit was raised"},
		{stored: &results.Head{Status: results.Timeout, Limit: time.Minute}, limit: 0, want: "timed out before, after 1m0s; the limit was raised"},
		{stored: &results.Head{Status: results.Timeout}, limit: time.Hour, want: ""}, // it had no limit: something else ended it
		{before: before, key: "u", want: "its stored result is gone"},
		{before: before, key: "v", change: func(in *Ingredients) { in.Fold = "f2" }, want: "changed: the rows of the fold changed"},
		{before: before, key: "v", change: func(in *Ingredients) { in.Params = `{}` }, want: "changed: params: epsilon is default, was 0.1"},
	} {
		u := unit("w", c.stored)
		u.Limits.Time, u.Predictions = c.limit, c.keep
		if c.key != "" {
			u.Label.Unit = c.key
		}
		if c.change != nil {
			c.change(&u.Ingredients)
		}
		p := &Plan{Cells: []*Cell{{Units: []*Unit{u}}}}
		_, todo := p.Decide(func() *Frozen { return c.before }, heads{}, c.retry, nil)
		if u.Reason != c.want || (len(todo) == 1) != (c.want != "") {
			t.Errorf("%+v: %q, want %q; %d to do", c, u.Reason, c.want, len(todo))
		}
	}
}

// TestDecide: units with one key run once, under the longest limit, in the place of the first; of stages those run that something
// needs and that are not stored, each after those that it builds on.
func TestDecide(t *testing.T) {
	t.Parallel()
	limited := func(letter string, limit time.Duration) *Unit {
		u := unit(letter, nil)
		u.Limits.Time = limit
		return u
	}
	cell := func(name string, after []*Cell, units ...*Unit) *Cell {
		return &Cell{Key: name, After: after, Units: units}
	}
	donors := []*Cell{cell("d1", nil, unit("d1", nil)), cell("d2", nil, unit("d2", &results.Head{Status: results.OK})), cell("d3", nil, unit("d3", nil))}
	pool := cell("p", donors[:2], unit("p", nil))
	stored := cell("q", donors[2:], unit("q", &results.Head{Status: results.OK}))
	p := &Plan{
		Stages: append(slices.Clone(donors), pool, stored),
		Cells: []*Cell{
			cell("a", nil, limited("x", time.Minute), limited("y", time.Minute)),
			cell("b", []*Cell{pool}, limited("x", time.Hour), limited("z", 0)),
			cell("c", []*Cell{stored}, limited("x", time.Second), limited("z", time.Hour)),
		},
	}
	show := func(units []*Unit) (out []string) {
		for _, u := range units {
			out = append(out, fmt.Sprint(u.Label.Unit, " ", u.Limits.Time))
		}
		return out
	}
	stages, todo := p.Decide(none, heads{}, false, nil)
	if got, want := show(todo), []string{"x 1h0m0s", "y 1m0s", "z 0s"}; !slices.Equal(got, want) {
		t.Errorf("to do %q, want %q", got, want)
	}
	if got, want := show(stages), []string{"d1 0s", "p 0s"}; !slices.Equal(got, want) {
		t.Errorf("stages %q, want %q", got, want)
	}
	stages, todo = p.Decide(none, heads{}, false, func(c *Cell) bool { return c.Key == "a" })
	if got, want := show(todo), []string{"x 1m0s", "y 1m0s"}; !slices.Equal(got, want) || len(stages) > 0 {
		t.Errorf("of one cell: %q and stages %q", got, show(stages))
	}
}

// TestPredictedTime: that of a unit's own outcome, else the mean of those of its engine on its data, of fits that ended well.
func TestPredictedTime(t *testing.T) {
	t.Parallel()
	before := &Frozen{Cells: []FrozenCell{
		{DatasetDigest: "d1", Algorithm: "a", Engine: "stagewise", Units: []FrozenUnit{{Unit: "1"}, {Unit: "2"}, {Unit: "3"}, {Unit: "gone"}}},
		{DatasetDigest: "d1", Engine: "ridge", Units: []FrozenUnit{{Unit: "4"}}},
		{DatasetDigest: "d1", Engine: "stagewise", Algorithm: "selected", Units: []FrozenUnit{{Unit: "4"}}},
		{DatasetDigest: "d2", Engine: "stagewise", Units: []FrozenUnit{{Unit: "5"}}},
	}, Stages: []FrozenCell{{DatasetDigest: "d1", Algorithm: "a", Engine: "stagewise", Stage: "donor", Units: []FrozenUnit{{Unit: "6"}}}}}
	known := heads{}
	for k, unit := range []string{"1", "2", "4", "5", "6"} {
		known[unit] = results.Head{Status: results.OK, SecondsFit: []float64{2, 5, 100, 200, 300}[k]}
	}
	known["3"] = results.Head{Status: results.Failed, SecondsFit: 1000}
	fresh, own, other, donor := unit("a", nil), unit("b", &results.Head{Status: results.OK, SecondsFit: 0.25}), unit("c", nil), unit("d", nil)
	other.Label.Engine, donor.Label.Stage = "lasso", "donor"
	p := &Plan{Cells: []*Cell{{Units: []*Unit{fresh, own, other, donor}}}}
	p.Decide(func() *Frozen { return before }, known, false, nil)
	for u, want := range map[*Unit]time.Duration{fresh: 3500 * time.Millisecond, own: 250 * time.Millisecond, other: 0, donor: 300 * time.Second} {
		if u.Predicted != want {
			t.Errorf("%s: %s, want %s", u.Label.Unit, u.Predicted, want)
		}
	}
}

// TestGroups: the tasks of a family are told of together, by algorithm; stages come first.
func TestGroups(t *testing.T) {
	t.Parallel()
	family, single := &experiment.Dataset{Name: "f"}, &experiment.Dataset{Name: "s"}
	a, b := &algorithm.Algorithm{Name: "a"}, &algorithm.Algorithm{Name: "b"}
	cell := func(key string, of *experiment.Dataset, by *algorithm.Algorithm, stage string) *Cell {
		return &Cell{Key: key, Set: &Set{Dataset: of}, Algorithm: by, Stage: stage}
	}
	p := &Plan{
		Stages: []*Cell{cell("1", family, a, "donor"), cell("2", family, a, "donor"), cell("3", family, a, "pool")},
		Cells:  []*Cell{cell("4", family, a, ""), cell("5", family, b, ""), cell("6", family, a, ""), cell("7", family, b, ""), cell("8", single, a, "")},
	}
	var got []string
	for _, g := range p.Groups() {
		text := ""
		for _, c := range g {
			text += c.Key
		}
		got = append(got, text)
	}
	if want := []string{"12", "3", "46", "57", "8"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestStands: a cell stands for another one of the same name: data set, algorithm, stage and every coordinate.
func TestStands(t *testing.T) {
	t.Parallel()
	now := &Cell{Set: &Set{Name: "d"}, Algorithm: &algorithm.Algorithm{Name: "a"}, Units: []*Unit{{}}}
	now.Units[0].Label.Grid = []results.Param{{Name: "n", Value: int64(2_000_000)}, {Name: "code", Value: "ric"}}
	same := func() *FrozenCell {
		return &FrozenCell{Dataset: "d", Algorithm: "a", Grid: []GridValue{{"code", "ric"}, {"n", 2e6}}}
	}
	for name, c := range map[string]struct {
		change func(c *FrozenCell)
		want   bool
	}{
		"itself":    {func(*FrozenCell) {}, true},
		"data set":  {func(c *FrozenCell) { c.Dataset = "e" }, false},
		"algorithm": {func(c *FrozenCell) { c.Algorithm = "b" }, false},
		"stage":     {func(c *FrozenCell) { c.Stage = "pool" }, false},
		"value":     {func(c *FrozenCell) { c.Grid[0].Value = "tpc" }, false},
		"more":      {func(c *FrozenCell) { c.Grid = append(c.Grid, GridValue{"x", 1.0}) }, false},
		"fewer":     {func(c *FrozenCell) { c.Grid = c.Grid[:1] }, false},
	} {
		old := same()
		if c.change(old); old.Stands(now) != c.want {
			t.Errorf("%s: %v", name, !c.want)
		}
	}
}

// TestAbout: what people are told of a data set: its shape, its folds, and what its reader measured.
func TestAbout(t *testing.T) {
	t.Parallel()
	show := func(s FrozenSet) string {
		var out []string
		for _, f := range s.About() {
			out = append(out, f.Name+": "+f.Value)
		}
		return strings.Join(out, "\n")
	}
	s := FrozenSet{Rows: 10, Columns: 3, Entries: 20, Account: account.Account{Rows: account.Tally{Found: 10, Used: 10}, Columns: account.Tally{Found: 3, Used: 2}}, Facts: []data.Fact{{Name: "levels", Value: "2"}}}
	s.Account.Columns.Role("target", "y")
	const columns, shape, of = "columns: 2 of 3 (target: y)\n", "columns before preparation: 3\nentries: 20\n", ", of the whole data set"
	const whole = "rows" + of + ": 10\ncolumns" + of + ": 2 of 3 (target: y)\nlevels" + of + ": 2"
	if got, want := show(s), "rows: 10\n"+columns+shape+"levels: 2"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	s.Folds, s.Task = []FrozenFold{{Train: 6, Test: 2}}, "t"
	if got, want := show(s), "rows: 10\n"+shape+"folds: 1, 6 training and 2 test rows, 2 in neither\n"+whole; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	s.Folds = []FrozenFold{{Train: 8, Test: 2}, {Train: 7, Test: 3}}
	if got, want := show(s), "rows: 10\n"+shape+"folds: 2; the first has 8 training and 2 test rows\n"+whole; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// picky is an engine that needs something.
type picky struct {
	engines.Engine
	needs engines.Needs
}

func (p picky) Needs() engines.Needs { return p.needs }
func (picky) Validate() error        { return nil }

// reader is a format with a recipe.
type reader struct {
	source.Source
	recipe prepare.Recipe
}

func (r reader) Recipe() prepare.Recipe { return r.recipe }

// TestSuits: what stands between an engine and a data set, in words.
func TestSuits(t *testing.T) {
	t.Parallel()
	numbers, two := enginetest.Real("y", 1, 2), enginetest.Class("z", 2, 0, 1)
	three := enginetest.Class("z", 3, 0, 2)
	ones, others := enginetest.Matrix([]float64{1, 0}, []float64{1, 1}), enginetest.Matrix([]float64{1, -2}, []float64{1, 1})
	for _, c := range []struct {
		needs   engines.Needs
		values  bool // that are not all one, and some below 0
		recipe  prepare.Recipe
		targets []data.Target
		want    string
	}{
		{engines.Needs{}, true, prepare.Recipe{}, []data.Target{numbers}, ""},
		{engines.Needs{Target: data.Class}, false, prepare.Recipe{}, []data.Target{numbers}, "it needs a class target, y is real"},
		{engines.Needs{Target: data.Real}, false, prepare.Recipe{}, []data.Target{two}, "it needs a real target, z is class (levels l0, l1)"},
		{engines.Needs{Target: data.Class, Levels: 2}, false, prepare.Recipe{}, []data.Target{two}, ""},
		{engines.Needs{Target: data.Class, Levels: 2}, false, prepare.Recipe{}, []data.Target{three}, "it needs a target of 2 levels, z has 3 (levels l0, l1, l2); multiclass: one-vs-rest takes any number"},
		{engines.Needs{Target: data.Class, Levels: 3}, false, prepare.Recipe{}, []data.Target{two}, "it needs a target of 3 levels, z has 2 (levels l0, l1)"},
		{engines.Needs{Target: data.Class, Levels: 2, Tasks: true}, false, prepare.Recipe{}, []data.Target{two, three}, "it needs a target of 2 levels, z has 3 (levels l0, l1, l2)"},
		{engines.Needs{}, false, prepare.Recipe{}, []data.Target{numbers, numbers}, "it takes one target, there are 2; family: target makes a task of each"},
		{engines.Needs{Tasks: true}, false, prepare.Recipe{}, []data.Target{numbers, numbers}, ""},
		{engines.Needs{Truth: true}, false, prepare.Recipe{}, []data.Target{numbers}, "it needs true coefficients, here they are not known (generated data has them)"},
		{engines.Needs{Binary: true}, false, prepare.Recipe{}, []data.Target{numbers}, ""},
		{engines.Needs{Binary: true}, true, prepare.Recipe{}, []data.Target{numbers}, "it needs 0/1 values, these are others; prepare: {discretize: 2} cuts numbers at the median of the training rows, features: {values: binary} leaves counts of words out"},
		{engines.Needs{Binary: true}, false, prepare.Recipe{Scale: "sd"}, []data.Target{numbers}, "it needs 0/1 values, which scaling makes others"},
		{engines.Needs{Binary: true}, false, prepare.Recipe{Discretize: 2}, []data.Target{numbers}, ""},
		{engines.Needs{Binary: true}, false, prepare.Recipe{Discretize: 2, Scale: "sd"}, []data.Target{numbers}, "it needs 0/1 values, which scaling makes others"},
		{engines.Needs{Counts: true}, false, prepare.Recipe{}, []data.Target{numbers}, ""},
		{engines.Needs{Counts: true}, true, prepare.Recipe{}, []data.Target{numbers}, `it needs counts, and column "a" has a value below 0; prepare: {discretize: 2} cuts numbers at the median of the training rows, and anova takes them as they are`},
		{engines.Needs{FeatureClasses: true}, false, prepare.Recipe{}, []data.Target{numbers}, "it needs classes of features, there are none"},
		{engines.Needs{FeatureClasses: true}, false, prepare.Recipe{Clusters: 2}, []data.Target{numbers}, ""},
	} {
		x := ones
		if c.values {
			x = others
		}
		set := &Set{
			Dataset: &experiment.Dataset{Source: reader{recipe: c.recipe}}, Data: enginetest.Dataset(x, c.targets...), Targets: c.targets, Negative: map[bool]string{true: `"a"`}[c.values],
		}
		err := checkEngine(&algorithm.Algorithm{Engine: picky{needs: c.needs}, AnyLevels: "multiclass: one-vs-rest"}, set)
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%+v: %v, want %q", c.needs, err, c.want)
		}
	}
}

// TestDividedGroupsAreTold: the frozen plan has the warning among its facts, for the report, and those of the reader stay as they are.
func TestDividedGroupsAreTold(t *testing.T) {
	t.Parallel()
	type columns struct {
		Columns struct {
			Group string `yaml:"group" doc:"group"`
		} `yaml:"columns"`
		source.Source
	}
	grouped := columns{Source: reader{}}
	grouped.Columns.Group = "patient"
	facts := make([]data.Fact, 1, 2)
	for by, want := range map[string]string{"": "rows of one patient may be on both sides of a split; folds: {by: patient} keeps them together", "patient": ""} {
		set := &Set{Dataset: &experiment.Dataset{Source: grouped}, Data: &data.Dataset{Facts: facts}, Targets: []data.Target{{Name: "y"}}}
		set.Folds.Kind, set.Folds.By = "kfold", by
		out := freezeSet(set)
		if n := len(out.Facts); (n == 2) != (want != "") || n == 2 && out.Facts[1].Value != want {
			t.Errorf("by %q: %+v", by, out.Facts)
		}
	}
	if facts[:2][1] != (data.Fact{}) {
		t.Error("the reader's facts were written to")
	}
}

// Levels of which some test part has no row are told of.
func TestRareLevels(t *testing.T) {
	y := data.Target{Name: "y", Type: data.Class, Levels: []string{"a", "b", "c", "d"}, Values: []float64{0, 0, 0, 0, 0, 1, 1, 1, 2}}
	set := &Set{Dataset: &experiment.Dataset{}, Data: &data.Dataset{Targets: []data.Target{y}}}
	for k, want := range map[int]string{
		2: "c (1): fewer rows than the 2 folds, so that some test parts have none of them",
		4: "b (3), c (1): fewer rows than the 4 folds, so that some test parts have none of them",
	} {
		set.Folds.Kind, set.Folds.K = "kfold", k
		if got := set.rareLevels(); got != want {
			t.Errorf("%d folds: %q, want %q", k, got, want)
		}
	}
	if set.Folds.Kind, set.Folds.K = "holdout", 0; set.rareLevels() != "" {
		t.Error("a hold-out has no folds to be short of")
	}
}

// TestMissingFacts: the columns with missing values, those with most of them first, and classes where they differ.
func TestMissingFacts(t *testing.T) {
	nan := math.NaN()
	x := enginetest.Matrix([]float64{nan, 1, 0, 5}, []float64{2, 0, nan, nan}, []float64{3, 0, nan, nan}, []float64{4, 1, 0, nan})
	d := enginetest.Dataset(x, enginetest.Class("y", 2, 0, 1, 1, 0))
	d.Features, d.Factor = data.NewFeatures([]string{"a", "job=x", "job=(missing)", "b"}), []int32{-1, 0, 0, -1}
	set := &Set{Dataset: &experiment.Dataset{Source: reader{recipe: prepare.Recipe{Missing: "mean"}}}, Data: d}
	got := fmt.Sprint(set.missingFacts())
	if want := "[{missing in b 3 of 4 rows, 75.0 %: 50.0 % of l0, 100.0 % of l1; filled in with the mean} {missing in job 2 of 4 rows, 50.0 %: 0.0 % of l0, 100.0 % of l1; filled in with (missing)} {missing in a 1 of 4 rows, 25.0 %: 50.0 % of l0, 0.0 % of l1; filled in with the mean}]"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	wide := make([]float64, mostLacking+3)
	for j := range wide {
		wide[j] = nan
	}
	set.Data = enginetest.Dataset(enginetest.Matrix(wide, make([]float64, len(wide))), enginetest.Real("y", 1, 2))
	facts := set.missingFacts()
	if last := facts[len(facts)-1]; len(facts) != mostLacking+1 || last != (data.Fact{Name: "missing in each of 3 further columns", Value: "at most 1 of 2 rows, 50.0 %"}) {
		t.Errorf("%d facts, the last %v", len(facts), last)
	}
}
