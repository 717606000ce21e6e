package plan

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/sequence"
	"tenfold/engines/numeric/sparse"
	"tenfold/runner/experiment"
)

// news has rows of the levels a, c, d (no row is of b), in two folders.
func news() *data.Dataset {
	ptr := []int{0, 1, 2, 3, 4, 5}
	return &data.Dataset{
		Digest: "whole", X: sparse.New(2, ptr, []int32{0, 1, 0, 1, 0}, nil), Features: data.NewFeatures([]string{"x", "y"}),
		Targets: []data.Target{{Name: "class", Type: data.Class, Levels: []string{"a", "b", "c", "d"}, Values: []float64{3, 0, 2, 0, 3}}},
		Tasks:   &data.Tasks{Names: []string{"one", "none", "two/2"}, Of: []int32{0, 0, 2, 2, 2}},
	}
}

func TestTasksOf(t *testing.T) {
	for _, c := range []struct {
		family experiment.Family
		want   string // name, rows, levels, numbers of levels
	}{
		{experiment.Family{}, " [] [] []"},
		{experiment.Family{Kind: experiment.OneVsOne}, "a vs c [1 2 3] [a c] [0 -1 1 -1]; a vs d [0 1 3 4] [a d] [0 -1 -1 1]; c vs d [0 2 4] [c d] [-1 -1 0 1]"},
		{experiment.Family{Kind: experiment.OneVsOne, Only: []string{"* vs d", "nothing"}}, "a vs d [0 1 3 4] [a d] [0 -1 -1 1]; c vs d [0 2 4] [c d] [-1 -1 0 1]"},
		{experiment.Family{Kind: experiment.OneVsRest}, "a vs rest [] [rest a] [1 0 0 0]; c vs rest [] [rest c] [0 0 1 0]; d vs rest [] [rest d] [0 0 0 1]"},
		{experiment.Family{Kind: experiment.ByFolder}, "one [0 1] [] []; two/2 [2 3 4] [] []"},
		{experiment.Family{Kind: experiment.ByFolder, Only: []string{"t*"}}, "two/2 [2 3 4] [] []"},
	} {
		tasks, err := tasksOf(c.family, news())
		if err != nil {
			t.Errorf("%v: %v", c.family, err)
			continue
		}
		var got []string
		for _, task := range tasks {
			got = append(got, fmt.Sprint(task.name, " ", task.Rows, " ", task.Levels, " ", task.To))
			if d := task.Of(news()); d.Check() != nil {
				t.Errorf("%s: %v", task.name, d.Check())
			}
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%v:\n%s, want\n%s", c.family, text, c.want)
		}
	}
}

// Each of several targets is a task of the rows that have it, with its own true coefficients.
func TestTasksByTarget(t *testing.T) {
	d := news()
	d.Targets = []data.Target{
		{Name: "os", Type: data.Survival, Values: []float64{3, 1, 4, 1, 5}, Events: []int8{1, 0, 0, 1, 0}},
		{Name: "rec", Type: data.Survival, Values: []float64{2, 7}, Events: []int8{1, 0}, Rows: []int32{1, 4}},
	}
	d.Truth = []data.True{{Feature: 0, Target: 1, Value: 2}, {Feature: 1, Target: 0, Value: 3}}
	tasks, err := tasksOf(experiment.Family{Kind: experiment.ByTarget}, d)
	if err != nil || len(tasks) != 2 || tasks[0].Digest == tasks[1].Digest {
		t.Fatal(tasks, err)
	}
	os, rec := tasks[0].Of(d), tasks[1].Of(d)
	if os.Rows() != 5 || len(os.Targets) != 1 || os.Targets[0].Name != "os" || len(os.Truth) != 1 || os.Truth[0] != (data.True{Feature: 1, Value: 3}) || os.Check() != nil {
		t.Errorf("%+v", os)
	}
	if y := rec.Targets[0]; rec.Rows() != 2 || y.Rows != nil || y.Values[1] != 7 || y.Events[0] != 1 || rec.RowID(1) != "4" || len(rec.Truth) != 1 || rec.Truth[0] != (data.True{Feature: 0, Value: 2}) || rec.Check() != nil {
		t.Errorf("%+v %+v", rec, y)
	}
	d.Targets = d.Targets[:1]
	if _, err := tasksOf(experiment.Family{Kind: experiment.ByTarget}, d); err == nil || !strings.Contains(err.Error(), "target: it needs several targets, and there is one, os") {
		t.Error(err)
	}
}

// Results carry these digests, so they must never change; and a task's is its own, whatever other tasks there are.
func TestDigestOfATask(t *testing.T) {
	all, err := tasksOf(experiment.Family{Kind: experiment.OneVsOne}, news())
	if err != nil {
		t.Fatal(err)
	}
	if want := "81e076dc69fcc2ed"; !strings.HasPrefix(all[0].Digest, want) || len(all[0].Digest) != 64 {
		t.Errorf("digest of %s is %s", all[0].name, all[0].Digest)
	}
	some, err := tasksOf(experiment.Family{Kind: experiment.OneVsOne, Only: []string{"c *"}}, news())
	if err != nil || !reflect.DeepEqual(some, all[2:]) {
		t.Errorf("%v, %v", some, err)
	}
	rest, err := tasksOf(experiment.Family{Kind: experiment.OneVsRest}, news())
	if err != nil {
		t.Fatal(err)
	}
	other := news()
	other.Digest = "other"
	moved, err := tasksOf(experiment.Family{Kind: experiment.OneVsOne}, other)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"whole": true}
	for _, task := range append(append(all, rest...), moved...) {
		if seen[task.Digest] {
			t.Errorf("%s: another task has its digest", task.name)
		}
		seen[task.Digest] = true
	}
}

func TestNoFamily(t *testing.T) {
	levels := func(n int) func(*data.Dataset) {
		return func(d *data.Dataset) {
			for i := range d.Targets[0].Values {
				d.Targets[0].Values[i] = float64(i % n)
			}
		}
	}
	for _, c := range []struct {
		kind   string
		change func(*data.Dataset)
		want   string
	}{
		{experiment.OneVsOne, func(d *data.Dataset) {
			d.Targets[0] = data.Target{Name: "y", Type: data.Real, Values: make([]float64, 5)}
		}, "needs a target with levels, y is real"},
		{experiment.OneVsOne, func(d *data.Dataset) { d.Targets = append(d.Targets, d.Targets[0]) }, "needs one target"},
		{experiment.OneVsOne, levels(1), "needs 2 levels or more, target class has 1 of its 4"},
		{experiment.OneVsRest, levels(2), "needs 3 levels or more, target class has 2 of its 4"},
		{experiment.ByFolder, func(d *data.Dataset) { d.Tasks = nil }, "its rows come in no folders"},
		{experiment.OneVsRest, func(d *data.Dataset) { d.Sequences = &sequence.Sequences{Start: []int32{0}} }, "its rows form sequences"},
		{experiment.OneVsOne, func(d *data.Dataset) { d.Targets[0].Levels = []string{"x vs y", "x", "z", "y vs z"}; levels(4)(d) }, `two tasks would have the name "x vs y vs z"`},
	} {
		d := news()
		c.change(d)
		_, err := tasksOf(experiment.Family{Kind: c.kind}, d)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "family: "+c.kind) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	d := news()
	levels(2)(d)
	if tasks, err := tasksOf(experiment.Family{Kind: experiment.OneVsOne}, d); err != nil || len(tasks) != 1 {
		t.Errorf("two levels are one task: %d, %v", len(tasks), err)
	}
	_, err := tasksOf(experiment.Family{Kind: experiment.OneVsOne, Only: []string{"b*"}}, news())
	if err == nil || err.Error() != "family: only: no task has such a name; one-vs-one has a vs c, a vs d, c vs d" {
		t.Error(err)
	}
	d = news()
	d.Targets[0].Levels[0] = "rest"
	if tasks, err := tasksOf(experiment.Family{Kind: experiment.OneVsRest}, d); err != nil || tasks[0].name != "rest vs the rest" {
		t.Errorf("%v, %v", tasks, err)
	}
}

// A level for each row of many is a mistake that is found before a million tasks are made.
func TestTooManyTasks(t *testing.T) {
	d := news()
	const n = 200
	d.Targets[0] = data.Target{Name: "id", Type: data.Class}
	for i := range n {
		d.Targets[0].Levels, d.Targets[0].Values = append(d.Targets[0].Levels, fmt.Sprint(i)), append(d.Targets[0].Values, float64(i))
	}
	if _, err := tasksOf(experiment.Family{Kind: experiment.OneVsOne}, d); err == nil || !strings.Contains(err.Error(), "more than 10000 tasks") {
		t.Error(err)
	}
}
