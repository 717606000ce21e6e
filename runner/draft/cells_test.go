package draft

import (
	"fmt"
	"strings"
	"testing"
)

// What a column is, at the edges: by its name, its cells and how many there are.
func TestCells(t *testing.T) {
	t.Parallel()
	repeat := func(n int, cell func(i int) any) (cells []string) {
		for i := range n {
			cells = append(cells, fmt.Sprint(cell(i)))
		}
		return cells
	}
	counted := func(i int) any { return i + 1 }
	for _, c := range []struct {
		name  string
		cells []string
		want  string
	}{
		{"v", repeat(11, counted), "number counter rises"},
		{"v", repeat(10, counted), "number"},
		{"", repeat(3, counted), "number counter"},
		{"", repeat(2, counted), "number class"},
		{"v", repeat(11, func(i int) any { return i + 5 }), "number rises"},
		{"sample", repeat(11, func(i int) any { return i + 5 }), "number counter rises id"},
		{"v", repeat(11, func(i int) any { return i*i + 1 }), "number rises"},
		{"v", repeat(11, func(i int) any { return 20 - i }), "number"},
		{"v", repeat(11, func(i int) any { return float64(i) + 0.5 }), "number"},
		{"v", append(repeat(11, counted), "NA"), "number"},
		{"patient", repeat(12, func(i int) any { return 7 * i % 13 }), "number id"},
		{"patient", repeat(12, func(i int) any { return max(1, i) }), "number group"},
		{"patient", repeat(11, func(i int) any { return max(1, i) }), "number"},
		{"patient", append(repeat(12, func(i int) any { return max(1, i) }), ""), "number"},
		{"v", repeat(20, func(i int) any { return i % 2 }), "number class"},
		{"v", []string{"1.5", "2.5", "1.5"}, "number class"},
		{"v", []string{"1", "1.0", "2", "2.00"}, "number class"},
		{"v", repeat(100, func(i int) any { return i % 10 }), "number class"},
		{"v", repeat(99, func(i int) any { return i % 10 }), "number"},
		{"v", repeat(110, func(i int) any { return i % 11 }), "number"},
		{"v", repeat(100, func(i int) any { return float64(i%3) / 2 }), "number"},
		{"v", repeat(62, func(i int) any { return fmt.Sprint("t", i%31) }), "class unwieldy"},
		{"v", repeat(60, func(i int) any { return fmt.Sprint("t", i%30) }), "class"},
		{"v", repeat(640, func(i int) any { return fmt.Sprint("t", i%32) }), "class"},
		{"v", repeat(639, func(i int) any { return fmt.Sprint("t", i%32) }), "class unwieldy"},
	} {
		x := Column{Name: c.name}
		for _, cell := range c.cells {
			x.addCell(cell, 1)
		}
		x.settle()
		var is []string
		for _, p := range []struct {
			name string
			is   bool
		}{{"number", x.IsNumber()}, {"class", x.IsClass()}, {"counter", x.IsCounter()}, {"rises", x.Rises()}, {"id", x.IsID()}, {"group", x.IsGroup()}, {"unwieldy", x.Unwieldy()}} {
			if p.is {
				is = append(is, p.name)
			}
		}
		if got := strings.Join(is, " "); got != c.want {
			t.Errorf("%q of %d, %.60q: %s, want %s", c.name, len(c.cells), c.cells, got, c.want)
		}
	}
}

// The decimal sign is a comma where some number has one and none a point.
func TestDecimalComma(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a;y\n1,5;2\n3;4\n1,50;0\n": ", 1,5 3 1,50", "a;y\n3;4\n1,5;2\n": ", 3 1,5", "a;y\n1,5;2.5\n3;4\n": ". 1,5 3", "a;y\n1;2\n3;4\n": ". 1 3",
	} {
		f := look(t, file(t, "a.csv", text), "")
		if got := f.Decimal + " " + strings.Join(f.Column("a").Levels, " "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		if got := decode(t, Draft{Found: *f, Target: "y"}).Datasets[0]; strings.TrimPrefix(f.Decimal, ".") != got.Decimal || got.Delimiter != ";" {
			t.Errorf("%q: delimiter %q, decimal %q", text, got.Delimiter, got.Decimal)
		}
	}
}

// A target to suggest has a usual name, or is the last column that can be predicted, if possible one that half of the rows have; the first
// one, if need be.
func TestSuggested(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"y,a\n1,2\n2,2\n": "y", "a,b\n1,3\n2,4\n": "b", "a,b\n1,3\n2,3\n": "a", "a,b\n1,3\n1,3\n": "", "a,event,time\n1,0,3\n2,1,4\n1,1,5\n": "time",
		"a,b,c\n1,3,\n2,4,\n2,3,x\n1,5,\n2,5,y\n": "b", "a,b\n1,\n1,\n1,x\n1,\n1,y\n": "b"} {
		if got := suggested(look(t, file(t, "a.csv", text), "")); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Of two levels without a usual name the later is positive.
func TestLaterLevelIsPositive(t *testing.T) {
	t.Parallel()
	for levels, want := range map[string]string{"a b": "b", "b a": "b", "no yes": "yes", "1 0": "1"} {
		d := Draft{Found: Found{Classes: strings.Fields(levels)}}
		if got := d.positiveLevel(); got != want {
			t.Errorf("%s: %s, want %s", levels, got, want)
		}
	}
}

// Comments list six things, and how many there are besides.
func TestComments(t *testing.T) {
	t.Parallel()
	things := strings.Fields("a b c d e f g h")
	for n, want := range map[int]string{2: "# a; b\n", 6: "# a; b; c; d; e; f\n", 7: "# a; b; c; d; e; f; 1 more\n", 8: "# a; b; c; d; e; f; 2 more\n"} {
		var w lineWriter
		if w.writeComment("# ", things[:n:n]); w.String() != want {
			t.Errorf("%d: %q, want %q", n, w.String(), want)
		}
	}
}
