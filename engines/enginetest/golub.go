package enginetest

import (
	"os"
	"path/filepath"
	"testing"

	"tenfold/engines/data"
)

// Golub returns the leukemia data of Golub and others (1999), 72 × 7,129, with the classes ALL and AML, or with 0 and 1 as numbers, from the folder
// microarray in the one that TENFOLD_DATA names. Without that variable the test is skipped.
func Golub(tb testing.TB, numbers bool) *data.View {
	tb.Helper()
	dir := os.Getenv("TENFOLD_DATA")
	if dir == "" {
		tb.Skip("TENFOLD_DATA is not set: it names the folder with microarray")
	}
	_, rows := tabbed(tb, filepath.Join(dir, "microarray", "golub.tsv"))
	var x [][]float64
	var y []float64
	for _, row := range rows {
		label := 0.0
		if row[1] == "AML" {
			label = 1
		}
		x, y = append(x, parsed(tb, row[2:])), append(y, label)
	}
	target := Class("class", 2, y...)
	if numbers {
		target = Real("class", y...)
	}
	return View(Dataset(Matrix(x...), target), nil)
}
