package tfidf

import (
	"math"
	"slices"
	"testing"

	"tenfold/engines/data/texts"
	"tenfold/engines/numeric/sparse"
)

// counts returns a matrix of four texts and four words; the last word is in no text, and one stored value is 0.
func counts() *sparse.Matrix {
	return sparse.New(4, []int{0, 2, 4, 5, 7}, []int32{0, 1, 0, 2, 0, 0, 1}, []float64{3, 4, 1, 2, 5, 2, 0})
}

// TestDocumentFrequency: the rows that have a word are counted once each, those of the training part alone, and a stored 0 is no word.
func TestDocumentFrequency(t *testing.T) {
	if df := DocumentFrequency(counts(), nil); !slices.Equal(df, []int{4, 1, 1, 0}) {
		t.Errorf("of all rows: %v", df)
	}
	if df := DocumentFrequency(counts(), []int32{1, 3}); !slices.Equal(df, []int{2, 0, 1, 0}) {
		t.Errorf("of the training rows: %v", df)
	}
	if df := DocumentFrequency(counts(), []int32{}); !slices.Equal(df, []int{0, 0, 0, 0}) {
		t.Errorf("of no rows: %v", df)
	}
}

// TestInverseFrequency: the two formulas, by hand; a word of no training row has weight 0 in both.
func TestInverseFrequency(t *testing.T) {
	df := []int{4, 1, 0}
	for formula, want := range map[string][]float64{
		"smooth": {1, math.Log(5./2) + 1, 0},
		"plain":  {0, math.Log(4), 0},
	} {
		for j, got := range InverseFrequency(formula, 4, df) {
			if !(math.Abs(got-want[j]) <= 1e-15) {
				t.Errorf("%s, %d of 4 rows: %v, expected %v", formula, df[j], got, want[j])
			}
		}
	}
}

// TestScaleColumns: each value is multiplied by the weight of its column, and the matrix given stays as it is.
func TestScaleColumns(t *testing.T) {
	x := counts()
	y := ScaleColumns(x, []float64{2, .5, -1, 7})
	if got, want := values(y), [][]float64{{6, 2}, {2, -2}, {10}, {4, 0}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, expected %v", got, want)
	}
	if got, want := values(x), values(counts()); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("the matrix became %v", got)
	}
}

// TestUnitRows: a row has length 1, or each of its texts has; columns that are of no text, and texts without a word, stay.
func TestUnitRows(t *testing.T) {
	if got, want := values(UnitRows(counts(), nil)), [][]float64{{.6, .8}, {1 / math.Sqrt(5), 2 / math.Sqrt(5)}, {1}, {1, 0}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, expected %v", got, want)
	}
	texts := &texts.Columns{Names: []string{"title", "body"}, Of: []int32{0, 0, 1, -1}}
	x := sparse.New(4, []int{0, 4, 6}, []int32{0, 1, 2, 3, 2, 3}, []float64{3, -4, 5, 9, 0, -2})
	if got, want := values(UnitRows(x, texts)), [][]float64{{.6, -.8, 1, 9}, {0, -2}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// values returns the stored values, row by row.
func values(x *sparse.Matrix) [][]float64 {
	rows, _ := x.Dims()
	all := make([][]float64, rows)
	for i := range all {
		row := x.Row(i)
		for k := range row.Idx {
			all[i] = append(all[i], row.At(k))
		}
	}
	return all
}
