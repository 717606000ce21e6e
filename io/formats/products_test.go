package formats

import (
	"strings"
	"testing"

	"tenfold/io/formats/arff"
	"tenfold/io/formats/knp"
	"tenfold/io/formats/tabular"
	"tenfold/io/formats/vw"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// TestProductsAreRefused: what two lengths in a file multiply to is counted before memory is taken.
func TestProductsAreRefused(t *testing.T) {
	many := func(n int, before, after string) string {
		var b strings.Builder
		for k := range n {
			b.WriteString(before + string(rune('a'+k%26)) + strings.Repeat("z", k/26%26) + string(rune('a'+k/676)) + after)
		}
		return b.String()
	}
	long := strings.Repeat("x", 100_000)
	weka := arff.Kind.Defaults().(arff.ARFF)
	weka.Target.Column = "y"
	csv := tabular.CSVKind.Defaults().(tabular.Text)
	csv.Target.Column, csv.Columns.Categorical = "y", []string{"*"}
	for name, c := range map[string]struct {
		source source.Source
		all    string
		want   []string
	}{
		"csv: long names of columns": {csv, "y," + long + "\n" + many(1000, "1,", "\n"), []string{"1000 levels with the column's name of 100000 bytes before each"}},
		"arff: first levels":         {weka, "@relation r\n@attribute y real\n" + many(2000, "@attribute a", " {a,b,c}\n") + "@data\n" + strings.Repeat("{}\n", 4000), []string{"the first levels of attributes that sparse rows do not mention ask for more than"}},
		"arff: long names":           {weka, "@relation r\n@attribute y real\n@attribute " + long + " {" + many(1000, "", ",") + "-}\n@data\n1,?\n", []string{"1001 levels with the name of their attribute, of 100000 bytes, before each"}},
		"vw: long namespaces": {vw.Kind.Defaults(), "1 |" + long + many(1000, " ", "") + "\n", []string{
			"all:1: a namespace of 100001 bytes and the names of its features ask for more than", "hash: says"}},
		"knp: long names of sentences": {knp.Kind.Defaults(), "# S-ID:" + long + "\n" + strings.Repeat("* -1D\na b c d 1 e 1 f 1 g 1 h\n", 1000) + "EOS\n", []string{"ids of rows with a name of 100000 bytes"}},
	} {
		_, err := sourcetest.Load(c.source, map[string]string{"all": c.all})
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %.300v, expected %s", name, err, want)
			}
		}
	}
}
