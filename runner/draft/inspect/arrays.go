package inspect

import (
	"cmp"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/source"
)

// beside returns the path of a .data file with another extension, or, if it is the training part of a data set, that of the whole;
// "" if there is no such file.
func beside(path, ending string) string {
	stem := strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".data")
	for _, stem := range []string{stem, strings.TrimSuffix(strings.TrimSuffix(stem, "_train"), "_valid")} {
		for _, end := range []string{"", ".gz"} {
			if info, err := os.Stat(stem + ending + end); err == nil && info.Mode().IsRegular() {
				return stem + ending + end
			}
		}
	}
	return ""
}

// Measure sets the numbers of rows and columns from the array that has the columns.
func (f *Found) Measure(a source.Array) {
	if len(a.Shape) == 2 {
		f.Rows, f.columns, f.Gaps = a.Shape[0], a.Shape[1], a.Gaps != nil && a.Gaps()
	}
}

// Width returns the number of columns that the format itself counts; 0 if it does not.
func (f *Found) Width() int { return f.columns }

// Members returns the names of the arrays.
func (f *Found) Members() []string {
	var names []string
	for _, a := range f.Arrays {
		names = append(names, a.Member)
	}
	return names
}

// Array returns the array of a member; nil if there is none.
func (f *Found) Array(member string) *source.Array {
	i := slices.Index(f.Members(), member)
	if i < 0 {
		return nil
	}
	return &f.Arrays[i]
}

// usualNames matches the usual names of arrays, by their role.
var usualNames = map[string]*regexp.Regexp{
	"columns": regexp.MustCompile(`(?i)^(x|data|features|matrix)([_-]?(train|tra?|all))?(\.npy)?$`),
	"targets": regexp.MustCompile(`(?i)^(y|targets?|labels?|class|classes|response)([_-]?(train|tra?|all))?(\.npy)?$`),
	"names":   regexp.MustCompile(`(?i)^((feature|column)[_-]?)?names(\.npy)?$`),
	"groups":  regexp.MustCompile(`(?i)^(groups?|subjects?|patients?|participants?|qid|quer(y|ies))([_-]?(ids?|train|all))?(\.npy)?$`),
}

// Likely returns the array that has the columns, the targets, the names of the columns or the groups (what), by its name and its shape: dims
// dimensions and, unless length is 0, length rows. It returns "" if there is none.
func (f *Found) Likely(what string, dims, length int) string {
	named, other := "", ""
	for _, a := range f.Arrays {
		switch {
		case len(a.Shape) != dims || length > 0 && a.Shape[0] != length || a.Texts && what == "columns" || !a.Texts && what == "names":
		case named == "" && usualNames[what].MatchString(a.Member):
			named = a.Member
		case other == "" && what == "columns":
			other = a.Member
		}
	}
	return cmp.Or(named, other)
}

// TestsOf returns the arrays of test rows that belong to those of training rows, by their names (X_train, y_train; X_test, y_test)
// and shapes.
func (f *Found) TestsOf(matrix, answer string) (tests [2]string) {
	swap := strings.NewReplacer("train", "test", "Train", "Test", "TRAIN", "TEST")
	x, y := f.Array(swap.Replace(matrix)), f.Array(swap.Replace(answer))
	if x == nil || y == nil || x.Member == matrix || y.Member == answer || len(x.Shape) != 2 || len(y.Shape) == 0 || x.Shape[1] != f.columns || y.Shape[0] != x.Shape[0] {
		return tests
	}
	return [2]string{x.Member, y.Member}
}

// Unread returns the first array with a usual name of a role that cannot be read; nil if there is none.
func (f *Found) Unread(what string) *source.Array {
	for k, a := range f.Arrays {
		if a.Refused != nil && usualNames[what].MatchString(a.Member) {
			return &f.Arrays[k]
		}
	}
	return nil
}

// Grouping reads an array as groups, which folds know by a name; nil unless several rows share a value, and all are whole numbers or texts.
func (f *Found) Grouping(member, name string) (*Column, error) {
	c := &Column{Name: name}
	a := f.Array(member)
	if a == nil || a.Refused != nil || len(a.Shape) != 1 || a.Shape[0] != f.Rows {
		return nil, nil
	}
	if err := a.Each(func(text string) { c.addCell(text, 1) }); err != nil {
		return nil, err
	}
	if c.settle(); c.Missing > 0 || !c.Repeats() || len(c.Levels) < 2 || c.Numbers > 0 && !c.whole {
		return nil, nil
	}
	return c, nil
}

// Turn swaps the rows and columns of the matrix.
func (f *Found) Turn() {
	f.Rows, f.columns = f.columns, f.Rows
}

// LookAtTargets reads targets from a second file: an .npy file, or a text with one label per line.
func (f *Found) LookAtTargets(path string) error {
	if f.Format == MTX || f.Format == NIPS {
		if _, err := os.Stat(path); err != nil {
			return err
		}
		in, err := f.open(map[string]string{"all_y": path})
		if err != nil {
			return err
		}
		labels := source.Labels{Type: data.Class}
		if err := labels.ReadLabels(in, "all_y", -1, map[string]string{MTX: "%"}[f.Format]); err != nil {
			return err
		}
		f.Labels = columnOf("label", labels.Texts())
		return nil
	}
	sight, err := f.look(context.Background(), NPZ, map[string]string{"all": path})
	if _, missing := os.Stat(path); missing != nil {
		return missing
	}
	if err != nil || sight.Arrays[0].Member != "" { // validation reports it better
		return nil
	}
	return f.TakeTargets(sight.Arrays[0])
}

// TakeTargets uses an array as the targets.
func (f *Found) TakeTargets(a source.Array) error {
	f.Labels = &Column{Name: "y"}
	f.Several = len(a.Shape) == 2 && a.Shape[1] > 1
	err := a.Each(func(text string) { f.Labels.addCell(text, 1) })
	f.Labels.settle()
	return err
}
