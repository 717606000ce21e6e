package inspect

import (
	"fmt"
	"strings"
	"testing"
)

// Texts are long and differ; names, levels, dates and numbers are none.
func TestIsText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cell func(k int) string
		want bool
	}{
		"sentences":              {func(k int) string { return fmt.Sprintf("what does the number %d mean?", k) }, true},
		"some repeated":          {func(k int) string { return fmt.Sprintf("what does the number %d mean?", k%35) }, true},
		"a few long levels":      {func(k int) string { return fmt.Sprintf("I agree with the statement %d", k%5) }, false},
		"names":                  {func(k int) string { return fmt.Sprintf("Braund, Mr. Owen%d Harris", k) }, false},
		"ids":                    {func(k int) string { return fmt.Sprintf("id-%d", k) }, false},
		"dates":                  {func(k int) string { return fmt.Sprintf("2024-01-%02d", k%28+1) }, false},
		"numbers":                {func(k int) string { return fmt.Sprint(k) }, false},
		"without blanks":         {func(k int) string { return fmt.Sprintf("これは空白のない文章です%d", k) }, true},
		"names without blanks":   {func(k int) string { return fmt.Sprintf("山田太郎%d", k) }, false},
		"half of them are empty": {func(k int) string { return strings.Repeat(fmt.Sprintf("one or two or %d words ", k), k%2) }, true},
		"half are numbers":       {func(k int) string { return []string{fmt.Sprint(k), fmt.Sprintf("here are words and %d", k)}[k%2] }, false},
	} {
		var column Column
		for k := range 100 {
			column.addCell(c.cell(k), 1)
		}
		if column.settle(); column.IsText() != c.want {
			t.Errorf("%s: got %v", name, column.IsText())
		}
	}
}

// Columns are found by name after others have joined, been renamed, or taken their place.
func TestColumnByName(t *testing.T) {
	f := &Found{Columns: []Column{{Name: "a"}, {Name: "b"}}}
	expect := func(name string, at int) {
		t.Helper()
		if c := f.Column(name); at < 0 && c != nil || at >= 0 && c != &f.Columns[at] {
			t.Errorf("column %s is %v, want number %d", name, c, at)
		}
	}
	expect("b", 1)
	expect("c", -1)
	f.Columns = append(f.Columns, Column{Name: "c"})
	expect("c", 2)
	f.Columns[0].Name = "z"
	expect("a", -1)
	expect("z", 0)
	f.Columns = []Column{{Name: "c"}, {Name: "a"}, {Name: "b"}}
	expect("c", 0)
	f.Columns = nil
	expect("c", -1)
}
