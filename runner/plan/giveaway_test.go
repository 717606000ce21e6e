package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/io/formats/tabular"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
	"tenfold/runner/experiment"
)

func TestGivesAway(t *testing.T) {
	t.Parallel()
	const rows = 60
	r := rand.New(rand.NewPCG(1, 2))
	columns := []struct {
		name  string
		cell  func(i int, class string) string
		gives bool
	}{
		{"alias", func(_ int, class string) string { return map[string]string{"a": "0", "b": "1", "c": "2"}[class] }, true},
		{"word", func(i int, class string) string { return class + fmt.Sprint(i%2) }, true},
		{"finer", func(i int, class string) string {
			return fmt.Sprint(map[string]int{"a": 0, "b": 3, "c": 6}[class] + i%3)
		}, true},
		{"ofone", func(i int, class string) string { // known of one class alone
			if class == "a" {
				return fmt.Sprint(1 + i)
			}
			return ""
		}, false},
		{"one", func(int, string) string { return "5" }, false},
		{"nothing", func(int, string) string { return "0" }, false},
		{"chance", func(int, string) string { return fmt.Sprint(r.IntN(3)) }, false},
		{"number", func(int, string) string { return fmt.Sprint(r.NormFloat64()) }, false},
		{"nearly", func(i int, class string) string { return map[bool]string{true: "1", false: "0"}[class == "a" && i > 3] }, false},
		{"level", func(int, string) string { return []string{"x", "y"}[r.IntN(2)] }, false},
		{"hidden", func(_ int, class string) string { return map[string]string{"a": "7", "b": "8", "c": "9"}[class] }, false},
		{"gap", func(_ int, class string) string { return map[string]string{"a": "", "b": "8", "c": "9"}[class] }, true},
	}
	var text strings.Builder
	for _, c := range columns {
		text.WriteString(c.name + ",")
	}
	text.WriteString("y\n")
	for i := range rows {
		class := []string{"a", "b", "c"}[i%3]
		for _, c := range columns {
			text.WriteString(c.cell(i, class) + ",")
		}
		text.WriteString(class + "\n")
	}
	o := tabular.CSVKind.Defaults().(tabular.Text)
	o.Columns.Categorical, o.Target.Column, o.Features.Drop = []string{"word", "level"}, "y", []string{"hid*"}
	set := &Set{Dataset: &experiment.Dataset{Source: o}, Data: sourcetest.MustLoad(t, o, map[string]string{"all": text.String()})}
	var want []string
	for _, c := range columns {
		if c.gives {
			want = append(want, c.name)
		}
	}
	got := set.GivesAway()
	if slices.Sort(want); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
		t.Errorf("got %v, want %v", got, want)
	}
	// Of two classes, a number that is known of one alone tells them apart; of a single class, or of numbers, nothing is told.
	for content, want := range map[string]string{
		"x,y\n1.5,dead\n2.5,dead\n3.5,dead\n,alive\n,alive\n": "[x]",
		"x,y\n1.5,dead\n2.5,dead\n3.5,dead\n,dead\n,alive\n":  "[]",
		"x,y\n1,a\n1,a\n2,a\n2,a\n":                           "[]",
		"x,y\n1,5\n1,5\n2,6\n2,6\n":                           "[]",
		"x,y\n0,a\n0,a\n2,b\n3,b\n":                           "[]", // each value twice, on average
		"x,y\n0,a\n0,a\n2,b\n2,b\n":                           "[x]",
		"x,y\n0,a\n2,a\n2,b\n2,b\n":                           "[]",
	} {
		o := tabular.CSVKind.Defaults().(tabular.Text)
		o.Target.Response = source.Response{Target: source.Target{Column: "y"}}
		set := &Set{Dataset: &experiment.Dataset{Source: o}, Data: sourcetest.MustLoad(t, o, map[string]string{"all": content})}
		if got := fmt.Sprint(set.GivesAway()); got != want {
			t.Errorf("%q: %s, want %s", content, got, want)
		}
	}
}
