package cli_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// numbered writes n lines of a number and what row makes of it, after a header.
func numbered(header string, n int, row func(i int) string) string {
	var b strings.Builder
	b.WriteString(header)
	for i := range n {
		b.WriteString(row(i) + "\n")
	}
	return b.String()
}

// TestStrangers: forms of tables that public files have are read as they are meant, or refused with a way out; no row of names is lost and none
// taken for data. What is written runs.
func TestStrangers(t *testing.T) {
	kind := func(i int) string { return []string{"oak", "ash"}[(i*i/3+i/5)%2] }
	for _, c := range []struct {
		name, file, content string
		has                 []string // in what init says
	}{
		{"a survey with columns without names", "a.csv", numbered("id,like,,,,kind\n", 40, func(i int) string {
			return fmt.Sprintf("%d,%s,%s,%d.5,%d,%s", 1000+7*i, kind(i), kind(i/2), i%9, i%5, kind(i/3))
		}), []string{"40 rows, 6 columns", "columns  3 of 6 (id: id; target: kind; dropped: \"\")", "next: tenfold run"}},
		{"numbers as names", "a.tsv", numbered("team\t0\t1\t2\t3\n", 30, func(i int) string {
			return fmt.Sprintf("t%d\t0.%d\t0.%d\t0.%d\t0.%d", i, i%7, i%5, i*i%9, i*3%8)
		}), []string{"the first row counts, to 3: it names the columns", "rows     30\n", "next: tenfold run"}},
		{"numbers as names, after an index", "a.csv", numbered(",0,1,2\n", 30, func(i int) string {
			return fmt.Sprintf("%d,0.%d,0.%d,%d", i, i%7, i%5, (i*i/3+i/5)%2)
		}), []string{"the first row counts, to 2: it names the columns", "rows     30\n", "next: tenfold run"}},
		{"numbers that count are a row where no other has decimals", "a.csv", numbered("5,1,2,3\n", 30, func(i int) string {
			return fmt.Sprintf("%d,%d,%d,%d", i*i%11, i%7, i%5, i%2)
		}), []string{"no row names the columns", "rows     31\n", "next: tenfold run"}},
		{"years as names, beside others", "a.csv", numbered("day,1978,1979,1980\n", 30, func(i int) string {
			return fmt.Sprintf("%d,14.%d,13.%d,12.%d", i*5%31, i%7, i%5, i%9)
		}), []string{"it names the columns", "rows     30\n", "next: tenfold run"}},
		{"years as names of whole numbers", "a.csv", numbered("id,place,1999,2000\n", 30, func(i int) string {
			return fmt.Sprintf("%d,p%d,%d,%d", i+1, i%4, i*i%117, i*7%93)
		}), []string{"the first row counts, to 2000: it names the columns", "rows     30\n", "next: tenfold run"}},
		{"a last column of nearly one value", "a.csv", numbered("a,kind,odd\n", 60, func(i int) string {
			return fmt.Sprintf("%d.5,%s,%d", i*i%17, kind(i), map[bool]int{true: 1}[i == 7])
		}), []string{"predicts kind, a class", "next: tenfold run"}},
		{"few rows", "a.csv", numbered("a,b,y\n", 8, func(i int) string { return fmt.Sprintf("%d.5,%d,%d.25", i*i%7, i%3, i*3%8) }),
			[]string{"predicts y, a number", "next: tenfold run"}},
		{"few dates", "a.csv", numbered("day,a,kind\n", 60, func(i int) string {
			return fmt.Sprintf("2024-03-%02d,%d.5,%s", 1+i%4, i*i%17, kind(i))
		}), []string{"without  day (dates)", "stratify: true", "next: tenfold run"}},
		{"names of rows without a name", "a.csv", numbered("\"carat\",\"depth\",\"cut\"\n", 30, func(i int) string {
			return fmt.Sprintf("%q,0.%d,6%d,%q", fmt.Sprint(i+1), i%7, i%5, kind(i))
		}), []string{"all rows have a cell more than the first", "ids      row", "rows     30\n", "next: tenfold run"}},
		{"an index and a column", "a.csv", numbered("\"\",\"x\"\n", 30, func(i int) string { return fmt.Sprintf("\"%d\",0.%d", i+1, i*7) }),
			[]string{"30 rows, 2 columns: , x", "no column is left to predict x from"}},
		{"shares and amounts", "a.csv", numbered("share,amount,both,kind\n", 30, func(i int) string {
			return fmt.Sprintf("%d.5%%,\"$%d,%03d\",%d%s,%s", i%17, 1+i%5, i, i%9, []string{"%", ""}[i%2], kind(i))
		}), []string{"the signs %$ beside numbers are left out, as in share, amount, both", "numbers without such a sign, beside others that have one, are read alike: in both", "the comma is between thousands", "3 columns of numbers: share, amount, both", "next: tenfold run"}},
		{"two currencies", "a.csv", numbered("price,share,kind\n", 40, func(i int) string {
			return fmt.Sprintf("%s%d,%d%%,%s", []string{"$", "€"}[i/2%2], i%5, i%7, kind(i))
		}), []string{"the signs % beside numbers are left out, as in share;", "1 of categories: price", "next: tenfold run"}},
		{"shares", "a.tsv", numbered("share\tkind\n", 30, func(i int) string { return fmt.Sprintf("%d.5%%\t%s", i%17, kind(i)) }),
			[]string{"the signs % beside numbers are left out, as in share", "1 column of numbers: share", "next: tenfold run"}},
		{"damaged UTF-8", "a.csv", numbered("name,a,kind\n", 30, func(i int) string {
			return fmt.Sprintf("José%d,0.%d,%s", i, i%7, kind(i)) + strings.Repeat("\xe9", map[bool]int{true: 1}[i == 3])
		}), []string{"it is UTF-8 with damaged characters", "next: tenfold run"}},
		{"a text", "a.txt", "Dear friends, colleagues, and guests, welcome.\nIt was, as ever, long.\nWe met, spoke, ate, and left.\n",
			[]string{"texts belong in a folder for each class", "--format"}},
		{"classes of samples", "a.cls", "4 2 1\n# a b\n0 0 1 1\n", []string{"the classes of the samples of a GCT file: tenfold init FILE.gct --labels"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TENFOLD_CACHE", t.TempDir())
			t.Chdir(t.TempDir())
			if err := os.WriteFile(c.file, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, said, _ := invoke(t, "init", "-y", c.file, "-o", "e.yaml")
			wants(t, said, c.has...)
			if strings.Contains(said, "was not written") {
				t.Error(said)
			}
			if !strings.Contains(said, "next: tenfold run") {
				return
			}
			if _, said, code := invoke(t, "run", "e.yaml", "--quiet"); code != 0 {
				t.Errorf("run ends with %d: %s", code, said)
			}
		})
	}
}
