package selection

import (
	"strings"
	"testing"

	"tenfold/reports/cells"
)

// average is the cell over tasks of what an algorithm selected on the folds of each.
func average(algorithm string, tasks map[string][]string) *cells.Cell {
	var cs []*cells.Cell
	for _, name := range []string{"a vs b", "a vs c", "b vs c"} {
		c := cell(algorithm, tasks[name]...)
		c.Dataset, c.Task = "news", name
		for _, r := range c.Rows {
			r.Family, r.Task, r.DatasetDigest = "news", name, name
		}
		cs = append(cs, c)
	}
	return cells.AcrossTasks(cs)[0]
}

// Selections are compared within each task: the same feature in another task is another one.
func TestCompareTasks(t *testing.T) {
	a := average("a", map[string][]string{"a vs b": {"+x +y", "+x"}, "a vs c": {"+x", "+x"}, "b vs c": {"", ""}})
	b := average("b", map[string][]string{"a vs b": {"+x -y", "+x"}, "a vs c": {"+z", "+z"}, "b vs c": {"", ""}})
	o, err := NewComparer(cells.InRows{}).Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	want := Overlap{Folds: 3, SizeA: (1.5 + 1) / 3, SizeB: (1.5 + 1) / 3, Shared: 0.5, Jaccard: (1.0 + 0) / 2, SameSign: 0.75, Agree: (0.75 + 0) / 2}
	if numbers(o) != numbers(want) {
		t.Errorf("%+v, want %+v", o, want)
	}
	// A task that failed for both is left out, and none of those after it.
	c := average("c", map[string][]string{"a vs b": {"!"}, "a vs c": {"+x"}, "b vs c": {"+x +y"}})
	d := average("d", map[string][]string{"a vs b": {"!"}, "a vs c": {"-x"}, "b vs c": {"+x"}})
	want = Overlap{Folds: 2, SizeA: 1.5, SizeB: 1, Shared: 1, Jaccard: 0.75, SameSign: 0.5, Agree: 0.25}
	if o, err := NewComparer(cells.InRows{}).Compare(c, d); err != nil || numbers(o) != numbers(want) {
		t.Errorf("%+v, %v, want %+v", o, err, want)
	}
	b.Tasks[1].Rows[0].FoldDigest = "elsewhere"
	if _, err := NewComparer(cells.InRows{}).Compare(a, cells.AcrossTasks(b.Tasks)[0]); err == nil || !strings.Contains(err.Error(), "not on the same folds") {
		t.Errorf("%v", err)
	}
}
