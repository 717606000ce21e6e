package inspect

import (
	"fmt"
	"strings"
	"testing"
)

// TestHeaders: the first row names the columns unless it is like the others; where nothing tells, the user is asked.
func TestHeaders(t *testing.T) {
	t.Parallel()
	rows := func(first string, row func(i int) string) string {
		for i := range 20 {
			first += "\n" + row(i)
		}
		return first + "\n"
	}
	number := func(i int) string { return fmt.Sprintf("%d.5,%d,%s", i, i%7, []string{"a", "b"}[i%2]) }
	for _, c := range []struct {
		name, text string
		want       string // of the first column, or of the error
	}{
		{"names", rows("x,n,y", number), "x"},
		{"values", rows("5.1,3,a", number), "1"},
		{"texts alone", rows("p,x", func(i int) string { return []string{"p,x", "e,y"}[i%2] }), "1"},
		{"names of texts", rows("kind,y", func(i int) string { return []string{"p,x", "e,y"}[i%2] }), "kind"},
		{"years", rows("2001,2002,y", func(i int) string { return fmt.Sprintf("%d.5,%d.25,%s", i, i, []string{"a", "b"}[i%2]) }), "2001"},
		{"doubtful", rows("x,3,y", func(i int) string { return fmt.Sprintf("%d,%d,a", i*7%11, i) }), "--header yes or --header no"},
	} {
		f, err := Look(t.Context(), file(t, "a.csv", c.text), "", Asked{})
		got := fmt.Sprint(err)
		if err == nil {
			got = f.Columns[0].Name
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
}

// TestThousands: commas between digits are thousands or decimals by what the columns tell, and asked about where nothing does.
func TestThousands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, decimal, thousands, err string }{
		{"v,y\n\"1,234\",a\n567,b\n", ".", ",", ""},
		{"v;w;y\n1,234;0.5;a\n2,345;1.5;b\n", ".", ",", ""},
		{"v;y\n1,234;a\n12,5;b\n", ",", "", ""},
		{"v;y\n1.234,5;a\n2.345,6;b\n", ",", ".", ""},
		{"v;y\n1,234;a\n2,345;b\n", "", "", "is 1,234 a number of thousands, or one with three decimals?"},
	} {
		f, err := Look(t.Context(), file(t, "a.csv", c.text), "", Asked{})
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v", c.text, err)
			}
		case err != nil || f.Decimal != c.decimal || f.Thousands != c.thousands || !f.Columns[0].IsNumber():
			t.Errorf("%q: %v, %+v", c.text, err, f)
		}
	}
}

// TestIdentities: ids are texts or whole numbers that differ, and a name that measurements may have is not enough.
func TestIdentities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		cell func(i int) any
		want bool
	}{
		{"x", func(i int) any { return float64(7*i%31) + .5 }, false},
		{"rank", func(i int) any { return 7 * i % 31 }, false},
		{"rank", func(i int) any { return 2 * i }, true},
		{"sample", func(i int) any { return 7*i%30 + 1 }, true},
		{"sample", func(i int) any { return 7 * i % 31 }, false},
		{"patient_id", func(i int) any { return 7 * i % 31 }, true},
		{"patient_id", func(i int) any { return float64(7*i%31) + .5 }, false},
		{"Unnamed: 0", func(i int) any { return 7 * i % 31 }, true},
	} {
		x := Column{Name: c.name}
		for i := range 30 {
			x.addCell(fmt.Sprint(c.cell(i)), 1)
		}
		if x.settle(); x.IsID() != c.want {
			t.Errorf("%s %v: %v", c.name, x.Levels[:3], x.IsID())
		}
	}
}

// TestQueries: the queries of ranking data are groups.
func TestQueries(t *testing.T) {
	t.Parallel()
	f := look(t, file(t, "a.svm", "1 qid:1 1:2\n0 qid:1 2:1\n1 qid:2 1:3\n"), "")
	if f.Queries == nil || len(f.Queries.Levels) != 2 {
		t.Errorf("%+v", f.Queries)
	}
}
