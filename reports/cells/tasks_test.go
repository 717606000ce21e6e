package cells

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/io/results"
	"tenfold/io/results/stability"
)

// task is a fold of a task with its accuracy.
func task(algorithm, name string, fold int32, accuracy float64) results.Row {
	return results.Row{
		Label: results.Label{Dataset: "news/" + name, Family: "news", Task: name, Algorithm: algorithm, Cell: algorithm + name, Fold: fold,
			FoldDigest: fmt.Sprint("f", fold), DatasetDigest: "data of " + name},
		Outcome: results.Outcome{Status: results.OK, RowsTrain: 10, RowsTest: 5, Columns: 7, Features: 2, SelectedSum: "s",
			Scores: []results.Score{{Metric: "accuracy", Point: -1, Value: accuracy, Higher: true}}},
	}
}

// family has two algorithms on three tasks of two folds, and a data set that is none.
func family() []results.Row {
	var rows []results.Row
	for i, name := range []string{"a vs b", "a vs c", "b vs c"} {
		for j, algorithm := range []string{"one", "two"} {
			for fold := range int32(2) {
				rows = append(rows, task(algorithm, name, fold, float64(10*i+j)+float64(fold)/2))
			}
		}
	}
	other := row("one", "o", 0, results.OK)
	return append(rows, other)
}

func TestAcrossTasks(t *testing.T) {
	single := Group(family())
	cs := AcrossTasks(single)
	if len(single) != 7 || len(cs) != 3 || cs[2] != single[6] {
		t.Fatalf("%d cells of %d", len(cs), len(single))
	}
	one, two := cs[0], cs[1]
	if one.Dataset != "news" || one.Task != "" || !one.Averaged || one.Folds != 3 || one.Trouble() != "" || one.DatasetLabel() != "news" {
		t.Errorf("%+v", one)
	}
	s := one.Stat("accuracy")
	if s.N != 3 || !(math.Abs(s.Mean-(0.25+10.25+20.25)/3) <= 1e-12) || s.Min != 0.25 || Median(cs[:1], "accuracy") != 10.25 || !one.Higher("accuracy") {
		t.Errorf("%+v", s)
	}
	if len(one.Fits()) != 6 || len(one.Tasks) != 3 || one.Rows[1].Task != "a vs c" || one.Rows[1].RowsTrain != 10 || one.Rows[1].Cell != "" {
		t.Errorf("%d fits, row %+v", len(one.Fits()), one.Rows[1].Label)
	}
	pairs, err := Pairs(one, two)
	if err != nil || len(pairs) != 3 || pairs[2][0].Task != pairs[2][1].Task {
		t.Errorf("%d pairs, %v", len(pairs), err)
	}
	if one.Rows[0].FoldDigest == one.Rows[1].FoldDigest || one.Rows[0].DatasetDigest != two.Rows[2].DatasetDigest || one.Key == two.Key {
		t.Error("digests of tasks are alike, or those of the family are not")
	}
	moved := family()
	moved[0].FoldDigest = "other"
	if _, err := Pairs(one, AcrossTasks(Group(moved))[0]); err == nil {
		t.Error("tasks with other folds were paired")
	}
	if Over(cs) != "folds or tasks" || Over(cs[:2]) != "tasks" || Over(cs[2:]) != "folds" {
		t.Error(Over(cs))
	}
}

func TestTasksWithTrouble(t *testing.T) {
	rows := family()
	rows[1].Status, rows[1].Error = results.Failed, "no luck" // a fold of one, a vs b
	rows[4].Status = results.Timeout                          // of one, a vs c
	rows = append(rows[:10], rows[12:]...)                    // two, b vs c: never ran
	cs := AcrossTasks(Complete(Group(rows), map[string][]string{"news": {"a vs b", "a vs c", "b vs c", "c vs d"}}))
	for i, want := range []string{"1/4 tasks failed, 1/4 tasks timeout, 1/4 tasks missing", "2/4 tasks missing"} {
		if got := cs[i].Trouble(); got != want {
			t.Errorf("%s: %q, want %q", cs[i].Algorithm, got, want)
		}
	}
	if got := cs[0].Rows[0].Error; got != "a vs b: no luck" {
		t.Errorf("%q", got)
	}
	if n := cs[0].Stat("accuracy").N; n != 1 {
		t.Errorf("%d tasks ended well", n)
	}
	interrupted := Group(family())
	interrupted[0].Folds = 3
	if got := AcrossTasks(interrupted)[0].Trouble(); got != "1/3 tasks missing" {
		t.Errorf("a task without a fold: %q", got)
	}
	// a plan knows of tasks without any row
	var plan []results.Label
	for _, r := range family() {
		plan = append(plan, r.Label)
	}
	planned := AcrossTasks(Planned(nil, plan))
	if len(planned) != 3 || planned[0].Folds != 3 || planned[0].Trouble() != "missing" {
		t.Errorf("%d cells, %s", len(planned), planned[0].Trouble())
	}
}

func TestArrange(t *testing.T) {
	single := Group(family())
	for _, c := range []struct {
		dims  []string
		where map[string]string
		want  string
	}{
		{[]string{"algorithm", "dataset"}, nil, "news one 3, news two 3, d one 1"},
		{[]string{"algorithm"}, map[string]string{"task": "a *"}, "news one 2, news two 2, d one 1"},
		{[]string{"task"}, map[string]string{"algorithm": "one", "task": "a vs b, b*"}, "news/a vs b one 2, news/b vs c one 2, d one 1"},
	} {
		cs, err := Arrange(InRows{}, single, c.dims, c.where)
		if err == nil {
			cs, err = Select(cs, c.where)
		}
		if err != nil {
			t.Errorf("%v: %v", c.where, err)
			continue
		}
		var got []string
		for _, cell := range cs {
			got = append(got, fmt.Sprint(cell.DatasetLabel(), " ", cell.Algorithm, " ", len(cell.Rows)))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%v %v: %s, want %s", c.dims, c.where, text, c.want)
		}
	}
	if got := single[0].DatasetLabel("task"); got != "news" {
		t.Errorf("with its task elsewhere: %s", got)
	}
	if _, err := Arrange(InRows{}, single[:6], nil, map[string]string{"task": "z*"}); err == nil || !strings.Contains(err.Error(), "no result has task z*") {
		t.Errorf("%v", err)
	}
	if _, err := Arrange(InRows{}, single[6:], nil, map[string]string{"task": "a*"}); err == nil || !strings.Contains(err.Error(), `no result has "task"`) {
		t.Errorf("%v", err)
	}
}

// Along a path, sizes that a task did not reach are missing from the mean there, and nothing else is.
func TestTasksAlongPaths(t *testing.T) {
	var rows []results.Row
	for i, name := range []string{"a vs b", "a vs c"} {
		for fold := range int32(2) {
			r := task("sgc", name, fold, 1)
			for _, at := range []int32{2, 10}[:2-i] {
				r.Scores = append(r.Scores, results.Score{Metric: "accuracy", Point: at, Value: float64(at) + float64(fold) + float64(10*i), Higher: true})
			}
			rows = append(rows, r)
		}
	}
	cs, err := Arrange(InRows{}, Group(rows), []string{"algorithm", "point"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cs {
		s := c.Stat("accuracy")
		got = append(got, fmt.Sprintf("%s: %g of %d, %s", c.AlgorithmLabel(), s.Mean, s.N, c.Trouble()))
	}
	if text := strings.Join(got, "; "); text != "sgc point=2: 7.5 of 2, ; sgc point=10: 10.5 of 1, " {
		t.Error(text)
	}
	if _, err := StabilityOf(InRows{}, cs[0], results.StabilityMetric); !errors.Is(err, stability.ErrUndefined) || cs[0].Dense() {
		t.Errorf("stability of a point: %v", err)
	}
}

func TestStabilityOfTasks(t *testing.T) {
	cells := func(folds ...string) *Cell {
		c := cell("d", 10, folds...)
		for _, r := range c.Rows {
			r.Family, r.Task, r.Dataset = "news", folds[0], "news/"+folds[0]
		}
		c.Dataset, c.Task = "news", folds[0]
		return c
	}
	a, b, alone := cells("ab", "ab", "ac"), cells("xy", "xy", "xy"), cells("")
	all := AcrossTasks([]*Cell{a, b, alone})
	one, err := StabilityOf(InRows{}, a, results.StabilityMetric)
	if err != nil {
		t.Fatal(err)
	}
	s, err := StabilityOf(InRows{}, all[0], results.StabilityMetric)
	if err != nil || s.Folds != 2 || !(math.Abs(s.Mean-(one.Mean+1)/2) <= 1e-15) || !(s.SE > 0) || !(math.Abs(s.SE-(1-one.Mean)/2) <= 1e-15) {
		t.Errorf("%+v, %v", s, err)
	}
	if m := Measure(InRows{}, all, "stability"); m.Mean != s.Mean {
		t.Errorf("%+v", m)
	}
	if _, err := StabilityOf(InRows{}, AcrossTasks([]*Cell{alone, cells("-", "-")})[0], results.StabilityMetric); !errors.Is(err, stability.ErrUndefined) {
		t.Errorf("%v", err)
	}
	lost := cells("ab", "ab")
	lost.Rows[0].Outcome.Selected = nil
	if _, err := StabilityOf(InRows{}, AcrossTasks([]*Cell{lost})[0], results.StabilityMetric); !errors.Is(err, ErrNotKept) {
		t.Errorf("%v", err)
	}
}

// What a reader has to know of a fit follows it into averages of averages, and along paths.
func TestCaveatsOfAverages(t *testing.T) {
	rows := family()
	for i := range rows {
		r := &rows[i]
		r.Grid = []results.Param{{Name: "data_seed", Value: int64(1)}}
		r.Scores = append(r.Scores, results.Score{Metric: "accuracy", Point: 2, Value: 1, Higher: true}, results.Score{Metric: results.PathEndMetric, Point: 2, Value: float64(min(2, i+1))})
	}
	rows[0].Notes = []string{engines.NotConverged}
	families := AcrossTasks(Group(rows))
	points, err := AtPoints(InRows{}, families, results.PointDim)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*Cell{"tasks": families[0], "tasks and data sets": AcrossGrid(families, []string{"data_seed"})[0], "a size": points[0],
		"a size, and data sets": AcrossGrid(points, []string{"data_seed"})[0]} {
		if c.Caveats() != (Caveats{Unconverged: true, Carried: strings.HasPrefix(name, "a size")}) || !strings.HasPrefix(strings.Join(Legend([]*Cell{c}), ""), "§: 1 of 6 fits") {
			t.Errorf("%s: %+v, %q", name, c.Caveats(), Legend([]*Cell{c}))
		}
	}
}
