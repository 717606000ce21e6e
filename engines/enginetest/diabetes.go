package enginetest

import (
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tenfold/engines/data"
)

// Knot is where a path of the lars package turns: the coefficients there, and the largest correlation.
type Knot struct {
	Action string // what entered and left for the step that ends here: "+bmi", "-hdl", several by commas
	Lambda float64
	RSS    float64
	Coef   []float64
}

// Diabetes returns the data of Efron, Hastie, Johnstone & Tibshirani (2004), with 10 or 64 columns of unit norm, and the path of a
// type (lar, lasso, stagewise, stepwise) of R's lars 1.3 on them, from the folder lars-diabetes in the one that TENFOLD_DATA
// names. Without that variable the test is skipped.
func Diabetes(tb testing.TB, columns, path string) (names []string, view *data.View, knots []Knot) {
	tb.Helper()
	dir := os.Getenv("TENFOLD_DATA")
	if dir == "" {
		tb.Skip("TENFOLD_DATA is not set: it names the folder with lars-diabetes")
	}
	names, rows := tabbed(tb, filepath.Join(dir, "lars-diabetes", "diabetes_"+columns+".tsv"))
	p := len(names) - 1
	var x [][]float64
	var y []float64
	for _, row := range rows {
		values := parsed(tb, row)
		x, y = append(x, values[:p]), append(y, values[p])
	}
	_, rows = tabbed(tb, filepath.Join(dir, "lars-diabetes", "reference_"+path+"_"+columns+".tsv"))
	for _, row := range rows {
		values := parsed(tb, row[2:])
		knots = append(knots, Knot{Action: row[1], Lambda: values[0], RSS: values[1], Coef: values[3:]})
	}
	return names[:p], View(Dataset(Matrix(x...), Real("y", y...)), nil), knots
}

// tabbed reads a table whose first line has names, or the same with .gz.
func tabbed(tb testing.TB, file string) (names []string, rows [][]string) {
	tb.Helper()
	var in io.Reader
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		if f, err = os.Open(file + ".gz"); err == nil {
			in, err = gzip.NewReader(f)
		}
	} else {
		in = f
	}
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(in)
	r.Comma = '\t'
	all, err := r.ReadAll()
	if err != nil {
		tb.Fatalf("%s: %v", file, err)
	}
	return all[0], all[1:]
}

func parsed(tb testing.TB, fields []string) []float64 {
	tb.Helper()
	out := make([]float64, len(fields))
	for k, s := range fields {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			tb.Fatal(err)
		}
		out[k] = v
	}
	return out
}
