package draft

import (
	"strings"
	"testing"

	"tenfold/runner/draft/inspect"
)

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
		d := Draft{Found: inspect.Found{Classes: strings.Fields(levels)}}
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
