package folds

import (
	"fmt"
	"slices"
	"testing"

	"tenfold/engines/data"
)

// The example of CONTRIBUTING.md.

// begin fold

// blocks tests s.K runs of consecutive rows, one after the other: for rows whose neighbours are alike.
func blocks(s Spec, d *data.Dataset) ([]Fold, error) {
	n := d.Rows()
	if s.K > n {
		return nil, fmt.Errorf("%d blocks of %d rows", s.K, n)
	}
	number := make([]int32, n)
	for i := range number {
		number[i] = int32(i * s.K / n)
	}
	return foldsByNumber(number, s.K), nil
}

// end

func TestExampleFold(t *testing.T) {
	t.Parallel()
	folds, err := blocks(Spec{K: 3}, rows(8))
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range [][]int32{{0, 1, 2}, {3, 4, 5}, {6, 7}} {
		if !slices.Equal(folds[k].Test, want) || len(folds[k].Train)+len(want) != 8 {
			t.Errorf("block %d tests %v", k, folds[k].Test)
		}
	}
	if _, err := blocks(Spec{K: 9}, rows(8)); err == nil {
		t.Error("more blocks than rows")
	}
}
