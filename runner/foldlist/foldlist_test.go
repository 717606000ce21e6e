package foldlist_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/files"
	"tenfold/runner/foldlist"
)

// read reads a list from a file of that name.
func read(t *testing.T, name, content string) (*foldlist.List, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	in, err := files.Open(map[string]files.Ref{foldlist.Role: {Path: name}}, files.Folders{Spec: dir}, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	return foldlist.Read(t.Context(), in)
}

// four returns a data set of four rows with the ids a, b, c, d.
func four() *data.Dataset {
	ids := []string{"a", "b", "c", "d"}
	return &data.Dataset{X: sparse.New(1, make([]int, len(ids)+1), nil, nil), Features: data.NewFeatures([]string{"x"}), IDs: ids, Targets: []data.Target{{Name: "y", Values: make([]float64, len(ids))}}}
}

// TestFolds: the ways in which files list folds, each of which gives the folds {a, c} and {b, d}.
func TestFolds(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"rows.csv":  "fold,row\n1,0\n1,2\n2,3\n2,1\n",
		"ids.tsv":   "id\tfold\td\nd\t9\tx\nb\t9\ty\na\t3\tz\nc\t3\tz\n",
		"both.csv":  "dataset,fold,side,row,id\nother,7,test,99,\nmine,0,train,1,b\nmine,0,train,3,d\nmine,0,test,0,a\nmine,0,test,2,c\nmine,1,test,1,b\nmine,1,test,3,d\n",
		"task.arff": "% splits\n@relation x\n@attribute type {TRAIN,TEST}\n@attribute rowid numeric\n@attribute repeat numeric\n@attribute fold numeric\n@data\nTRAIN,1,0,0\nTEST,0,0,0\nTRAIN,3,0,0\nTEST,2,0,0\nTEST,1,0,1\nTEST,3,0,1\nTRAIN,0,0,1\nTRAIN,2,0,1\n",
	} {
		l, err := read(t, name, content)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := l.Folds("mine", four())
		if err != nil || len(got) != 2 || !slices.Equal(got[0].Test, []int32{0, 2}) || !slices.Equal(got[0].Train, []int32{1, 3}) ||
			!slices.Equal(got[1].Test, []int32{1, 3}) || !slices.Equal(got[1].Train, []int32{0, 2}) || got[1].ID != 1 || got[1].Repeat != 0 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	l, err := read(t, "one.csv", "side,row\ntest,3\ntrain,0\ntrain,1\n") // row 2 takes no part
	if err != nil {
		t.Fatal(err)
	}
	if got, err := l.Folds("mine", four()); err != nil || len(got) != 1 || !slices.Equal(got[0].Train, []int32{0, 1}) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestWrongLists: what a file says that is no division of the rows is an error that names its place.
func TestWrongLists(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"fold,side\n0,test\n":                  "no column row",
		"row\n0\n":                             "no column fold and no column side",
		"row,rowid,fold\n0,0,0\n":              "expected one of the two",
		"row,fold\n0,\n1,0\n":                  "record 1: no number of the fold or the repeat",
		"row,fold\n,0\n1,0\n":                  "record 1: no number of the row",
		"row,fold\n0,x\n":                      "expected a whole number",
		"row,fold\n-1,0\n":                     "expected a whole number",
		"row,side\n0,validation\n":             `found "validation", expected train or test`,
		"row,fold\n0,0\n4,0\n":                 "record 2: row 4, expected one of the 4",
		"row,fold\n0,0\n1,0\n0,0\n":            "record 3: row 0 in fold 0 of repeat 0 again, first in record 1",
		"row,fold,side\n0,0,train\n0,0,test\n": "record 2: row 0 in fold 0 of repeat 0 again",
		"id,fold\ne,0\n":                       `record 1: no row of the data has the id "e"`,
		"row,id,fold\n1,a,0\n":                 `record 1: row 1 has the id "b" in the data, and "a" here`,
		"dataset,row,fold\nmime,0,0\n":         `no line is of data set "mine"`,
		"row,fold,side\n0,0,train\n":           "fold 0 of repeat 0 has 1 training and 0 test rows",
		"row,fold\n0,0\n1,0\n2,0\n3,0\n":       "has 0 training and 4 test rows",
		"row,fold,fold_digest\n0,0,00112233445566778899aabbccddeeff\n": "the file is not what was written",
	} {
		l, err := read(t, "list.csv", content)
		if err == nil {
			_, err = l.Folds("mine", four())
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "list.csv") {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
	same := four()
	same.IDs = []string{"a", "b", "a", "d"}
	l, err := read(t, "ids.csv", "id,fold\na,0\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Folds("mine", same); err == nil || !strings.Contains(err.Error(), "rows 0 and 2 of the data have the same") {
		t.Error(err)
	}
}
