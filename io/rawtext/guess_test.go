package rawtext

import (
	"strings"
	"testing"
)

// TestGuessDialect: the sign that divides rows alike divides them, and what is in front of the first row is left out.
func TestGuessDialect(t *testing.T) {
	rows := func(first, row string) string { return first + "\n" + strings.Repeat(row+"\n", 20) }
	for _, c := range []struct {
		name, text       string
		usual            Dialect
		delimiter, quote string
		skip             int
	}{
		{"commas", rows("a,b,c", "1,2,x"), Commas, ",", `"`, 0},
		{"semicolons", rows("a;b;c", "1;2;x"), Commas, ";", `"`, 0},
		{"semicolons, and commas in names", rows(`"a; 1, x";"b, c";"y"`, "0.1;2;x"), Commas, ";", `"`, 0},
		{"decimal commas", rows("0,03;-0,25;1", "1,36;0,78;0"), Commas, ";", `"`, 0},
		{"German thousands", rows("price;amount;y", "1.234,56;2,5;x"), Commas, ";", `"`, 0},
		{"one column of decimal commas", rows("v;y", "1,234;a"), Commas, ";", `"`, 0},
		{"tabs in csv", rows("a\tb\ty", "1\t2\tx"), Commas, "\t", `"`, 0},
		{"a bar", rows("a|b", "1|2"), Commas, "|", `"`, 0},
		{"one blank", rows("a b y", "1 2 x"), Commas, " ", `"`, 0},
		{"runs of blanks", rows(" 0.03  -0.25   0", " 1.36  0.78   1"), Commas, Blanks, `"`, 0},
		{"Excel's first line", "sep=;\n" + rows("a;b", "1;2"), Commas, ";", `"`, 1},
		{"a title", "Sales in 2020\n\n" + rows("a,b,y", "1,2,x"), Commas, ",", `"`, 1},
		{"a title one cell shorter", "Sales of shops, in 2020\n" + rows("shop,area,y", "a,1,2"), Commas, ",", `"`, 1},
		{"a title above two columns", "Sales\n" + rows("area,y", "1,2"), Commas, ",", `"`, 1},
		{"the header of R, one cell shorter", rows("area,y", "a,1,2"), Commas, ",", `"`, 0},
		{"the header of R above a gap", "area,y\n" + rows("r1,NA,x", "r2,1,y"), Commas, ",", `"`, 0},
		{"comments, then a header", "#one\tb\tc\n#STRING\tNUMBER\tx\n" + rows("ID\tAGE\tSEX", "P1\t5\tm"), Tabs, "\t", NoQuote, 2},
		{"a comment, and a header that begins with #", "# made from biom\n" + rows("#OTU ID\tS1\tS2", "x\t1\t2"), Tabs, "\t", NoQuote, 1},
		{"a header that begins with #", rows("#id,a,b", "x,1,2"), Commas, ",", `"`, 0},
		{"tabs with quotes", rows("\"a\"\t\"b\"", "\"x\"\t1"), Tabs, "\t", `"`, 0},
		{"tabs with a stray quote", rows("a\tb", "x 5\"\t1"), Tabs, "\t", NoQuote, 0},
		{"stray quotes over lines", "a,b\n1,2\n\"x,1\n" + strings.Repeat("1,2\n", 9) + "y,2\"\n1,2\n", Commas, ",", NoQuote, 0},
	} {
		g := GuessDialect([]byte(c.text), c.usual)
		if g.Delimiter != c.delimiter || g.Quote != c.quote || g.Skip != c.skip {
			t.Errorf("%s: divided by %q, quote %q, %d lines skipped (%q)", c.name, g.Delimiter, g.Quote, g.Skip, g.Evidence)
		}
		if changed := g.Delimiter != c.usual.Delimiter || g.Quote != c.usual.Quote || g.Skip > 0; changed != (len(g.Evidence) > 0) {
			t.Errorf("%s: evidence %q", c.name, g.Evidence)
		}
	}
}

func TestLikelyEncoding(t *testing.T) {
	for text, want := range map[string]string{
		"plain": UTF8, "\ufeffété": UTF8, "\xff\xfea\x00": UTF16, "a\x00b\x00": UTF16, "f\xe9min": "windows-1252", "\x93quoted\x94": "windows-1252", "f\x8emin, m\x9fde": "macintosh",
	} {
		if got := LikelyEncoding([]byte(text)); got != want {
			t.Errorf("%q: %s, expected %s", text, got, want)
		}
	}
}

func TestMissingByColumn(t *testing.T) {
	m := Missing{{"", []string{"?"}}, {"region", nil}, {"dose*", []string{" - "}}}
	for column, want := range map[string]string{"age": "NA NaN nan ?", "region": "", "dose2": "-"} {
		if got := strings.Join(m.In(column, Usual), " "); got != want {
			t.Errorf("%s: %q, expected %q", column, got, want)
		}
	}
	if got := strings.Join(Missing(nil).In("age", nil), " "); got != "" {
		t.Errorf("Parquet: %q", got)
	}
}
