package rawtext

import (
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rowsOf returns all rows of a text, with cells divided by |, and the error that ended them.
func rowsOf(d Dialect, text string) (rows []string, err error) {
	c := d.Cells([]byte(text), "f")
	for {
		row, err := c.Next()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows = append(rows, strings.Join(row, "|"))
	}
}

func TestCells(t *testing.T) {
	with := func(change func(*Dialect)) Dialect {
		d := Commas
		change(&d)
		return d
	}
	blanks := with(func(d *Dialect) { d.Delimiter = Blanks })
	for _, c := range []struct {
		name string
		d    Dialect
		text string
		want []string
	}{
		{"plain", Commas, "a,b\n1,2\n", []string{"a|b", "1|2"}},
		{"no line end", Commas, "a,b\r\n1,2", []string{"a|b", "1|2"}},
		{"old Macs", Commas, "a,b\r1,2\r", []string{"a|b", "1|2"}},
		{"empty cells", Commas, "a,b,c\n,,\n1,,\n", []string{"a|b|c", "||", "1||"}},
		{"empty lines", Commas, "\n\na,b\n\n1,2\n\n", []string{"a|b", "1|2"}},
		{"quotes", Commas, "a,b\n\"x, y\",\"say \"\"so\"\"\"\n", []string{"a|b", `x, y|say "so"`}},
		{"line ends in a cell", Commas, "a,b\n\"x\r\n\ny\",2\n3,4\n", []string{"a|b", "x\n\ny|2", "3|4"}},
		{"blanks around cells", Commas, "a, b\n 1 , 2 \n", []string{"a|b", "1|2"}},
		{"blanks around and in quotes", Commas, "a, \" b \" ,c\n", []string{"a| b |c"}},
		{"single quotes", with(func(d *Dialect) { d.Quote = "'" }), "'a,b',5\"\n", []string{`a,b|5"`}},
		{"no quotes", Tabs, "a\tb\n\"x\t5\"\n", []string{"a|b", `"x|5"`}},
		{"a cell too many, empty", Commas, "a,b\n1,2,\n3,4,\n", []string{"a|b", "1|2", "3|4"}},
		{"runs of blanks", blanks, "  1.5   2\t 3  \n 4 5 6\n", []string{"1.5|2|3", "4|5|6"}},
		{"runs of blanks and quotes", blanks, " \"a b\"   2\n c  3\n", []string{"a b|2", "c|3"}},
		{"comments", with(func(d *Dialect) { d.Comment = "# "; d.Delimiter = "\t" }), "# made\n#OTU ID\ta\n# more\nx\t1\n", []string{"#OTU ID|a", "x|1"}},
		{"lines to skip", with(func(d *Dialect) { d.Skip = 2 }), "A title\n\na,b\n1,2\n", []string{"a|b", "1|2"}},
		{"more than one byte", with(func(d *Dialect) { d.Delimiter = "·" }), "a·b\n\"x·y\"·2\n", []string{"a|b", "x·y|2"}},
		{"nothing", Commas, "", nil},
	} {
		rows, err := rowsOf(c.d, c.text)
		if err != nil || !slices.Equal(rows, c.want) {
			t.Errorf("%s: %q, %v, expected %q", c.name, rows, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"a,b\n1,2,3\n":      "f:2: the row has 3 cells, expected 2 as in the first row",
		"a,b\n1\n":          "f:2: the row has 1 cells, expected 2 as in the first row",
		"a,b\n1,x\"\n":      "f:2:4: a quote",
		"a,b\n1,\"x\n2,3\n": "f:2:3: the cell that begins here with a quote (\") does not end",
		"a,b\n\"1\"x,2\n":   "f:2:4: text after the quote",
	} {
		if _, err := rowsOf(Commas, text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
}

// TestCellsLikeCSV: what the standard library writes, and accepts, is read alike.
func TestCellsLikeCSV(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "é", ",", "\"", "\n", "x", "1", ";"}
	for range 2000 {
		var text strings.Builder
		w := csv.NewWriter(&text)
		var want []string
		width := 1 + r.IntN(4)
		for range 1 + r.IntN(4) {
			row := make([]string, width)
			for k := range row {
				for range r.IntN(4) {
					row[k] += alphabet[r.IntN(len(alphabet))]
				}
			}
			if width == 1 && row[0] == "" {
				row[0] = "x"
			}
			want = append(want, strings.Join(row, "|"))
			if err := w.Write(row); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		if rows, err := rowsOf(Commas, text.String()); err != nil || !slices.Equal(rows, want) {
			t.Fatalf("%q: %q, %v, expected %q", text.String(), rows, err, want)
		}
	}
}

// TestWideRow: a row that is too wide is counted, and not kept.
func TestWideRow(t *testing.T) {
	c := Commas.Cells([]byte("a,b\n"+strings.Repeat(",", 1e6)), "f")
	if _, err := c.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Next(); fmt.Sprint(err) != "f:2: the row has 1000001 cells, expected 2 as in the first row" || len(c.cells) > 3 {
		t.Errorf("%v, %d cells", err, len(c.cells))
	}
}

// TestWideHeader: a first row of separators alone does not ask for memory out of proportion.
func TestWideHeader(t *testing.T) {
	c := Commas.Cells([]byte(strings.Repeat(",", 2<<20)+"\n"), "f")
	if _, err := c.Next(); err == nil || !strings.HasPrefix(err.Error(), "f:1: the first row has 2097153 cells, expected at most 589824 in a file of 2097153 bytes") {
		t.Errorf("%v", err)
	}
	if rows, err := rowsOf(Commas, strings.Repeat("a,", 1<<16)+"a\n"); err != nil || len(rows) != 1 {
		t.Errorf("%v", err)
	}
}

func TestDialectNumbers(t *testing.T) {
	plain, german, swiss := Commas, Commas, Commas
	german.Decimal, german.Thousands = ",", "."
	swiss.Thousands = "'"
	english := plain
	english.Thousands = ","
	for _, c := range []struct {
		d    Dialect
		text string
		want float64 // 0: no number
	}{
		{plain, " 1.5 ", 1.5}, {plain, "1,5", 0}, {plain, "80,801", 0}, {plain, "\u22125", -5}, {plain, "1e3", 1000},
		{english, "80,801", 80801}, {english, "567", 567}, {english, "-1,234,567.25", -1234567.25}, {english, "1,23", 0}, {english, ",123", 0},
		{english, "1234,567", 0}, {english, "1,234.5,678", 0}, {english, "+12,345e2", 0}, {english, "1,2345", 0},
		{german, "1.234,56", 1234.56}, {german, "1.5", 0}, {german, "1,5", 1.5}, {german, "1.234.567", 1234567}, {swiss, "1'234.5", 1234.5},
	} {
		if x, ok := c.d.Number(c.text); ok != (c.want != 0) || ok && x != c.want {
			t.Errorf("%q with decimals after %q and groups by %q: %v %v, expected %v", c.text, c.d.Decimal, c.d.Thousands, x, ok, c.want)
		}
	}
}

func BenchmarkCells(b *testing.B) {
	var text strings.Builder
	for i := range 20000 {
		for k := range 50 {
			fmt.Fprintf(&text, "%.4f,", float64(i*k%977)/31)
		}
		text.WriteString("yes\n")
	}
	content := []byte(text.String())
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(content)))
		for b.Loop() {
			for c := Commas.Cells(content, "f"); ; {
				if _, err := c.Next(); err != nil {
					break
				}
			}
		}
	})
	b.Run("encoding-csv", func(b *testing.B) {
		b.SetBytes(int64(len(content)))
		for b.Loop() {
			r := csv.NewReader(strings.NewReader(text.String()))
			r.ReuseRecord = true
			for {
				if _, err := r.Read(); err != nil {
					break
				}
			}
		}
	})
}

// Signs beside numbers are left out if they are units.
func TestUnits(t *testing.T) {
	d := Dialect{Decimal: ".", Thousands: ",", Units: "%$"}
	for text, want := range map[string]string{
		"45%": "45", " 4.5 % ": "4.5", "$1,200 ": "1200", "-$3": "-3", "$-3": "-3", "- 3%": "-3", "7": "7", "%": "no", "": "no", "$": "no", "4%5": "no", "a%": "no", "--3%": "no", "€3": "no",
	} {
		x, ok := d.Number(text)
		got := "no"
		if ok {
			got = strconv.FormatFloat(x, 'g', -1, 64)
		}
		if got != want {
			t.Errorf("%q: %s, expected %s", text, got, want)
		}
	}
	d.Delimiter, d.Quote = ",", NoQuote
	if d.Thousands, d.Units = "", "e"; d.Validate() == nil {
		t.Error("a sign that is part of numbers")
	}
}
