package svmlight

import (
	"testing"

	"tenfold/io/source/sourcetest"
)

// Sets of the data folder, with the counts of their makers.
func TestSets(t *testing.T) {
	for _, c := range []struct {
		name                          string
		files                         map[string]string
		rows, cols, entries, positive int
		binary                        bool
	}{
		{"w8a", map[string]string{"all": sourcetest.File(t, "libsvm/w8a.gz")}, 49749, 300, 579586, 1479, true},
		{"techtc100-task1", map[string]string{"train": sourcetest.File(t, "techtc100-task1/tech1.train.svm"), "test": sourcetest.File(t, "techtc100-task1/tech1.test.svm")}, 130 + 33, 1000, 28958 + 6642, 60 + 19, false},
	} {
		s := defaults
		s.Target.Name = "class"
		d, err := sourcetest.Load(s, c.files)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		positive := 0
		for _, y := range d.Targets[0].Values {
			positive += int(y)
		}
		rows, cols := d.X.Dims()
		if rows != c.rows || cols != c.cols || d.X.NNZ() != c.entries || positive != c.positive || d.X.Binary() != c.binary {
			t.Errorf("%s: got %d × %d, %d entries, %d positive rows, binary %v; want %+v", c.name, rows, cols, d.X.NNZ(), positive, d.X.Binary(), []any{c.rows, c.cols, c.entries, c.positive, c.binary})
		}
		if (d.Part != nil) != (len(c.files) > 1) {
			t.Errorf("%s: parts %v", c.name, d.Part != nil)
		}
	}
}
