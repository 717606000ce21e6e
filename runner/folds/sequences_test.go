package folds

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/sequence"
	"tenfold/engines/numeric/sparse"
)

// sentences is 12 sequences of three rows; sequences 0 and 1 are equal, so 11 groups.
func sentences() *data.Dataset {
	const n = 36
	d := &data.Dataset{
		X: sparse.New(0, make([]int, n+1), []int32{}, nil), Features: data.NewFeatures(nil),
		Targets:   []data.Target{{Name: "y", Type: data.Class, Levels: []string{"a", "b"}, Values: make([]float64, n)}},
		Sequences: &sequence.Sequences{},
	}
	var text []string
	for i := range n {
		d.Targets[0].Values[i] = float64(i % 2)
		text = append(text, string(rune('a'+max(1, i/3))))
		if i%3 == 0 {
			d.Sequences.Start = append(d.Sequences.Start, int32(i))
		}
	}
	d.Groups = data.GroupBy("sentence", text)
	return d
}

func TestSequencesStayWhole(t *testing.T) {
	d := sentences()
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Spec{
		{Kind: "kfold", K: 3}, {Kind: "stratified", K: 3}, {Kind: "repeated", K: 2, Repeats: 2}, {Kind: "holdout", Test: 0.4}, {Kind: "kfold", K: 3, By: "sentence"},
	} {
		division, err := s.Split(t.Context(), d, 3)
		if err != nil {
			t.Errorf("%+v: %v", s, err)
		}
		for _, f := range division {
			for _, side := range [][]int32{f.Train, f.Test, f.Reduce(d, 0.5, "", 3).Train} {
				for _, i := range side {
					if first := i - i%3; !slices.Contains(side, first) || !slices.Contains(side, first+1) || !slices.Contains(side, first+2) {
						t.Errorf("%+v: row %d is cut off from its sequence", s, i)
					}
				}
			}
			if a, b := slices.Contains(f.Test, 0), slices.Contains(f.Test, 3); a != b {
				t.Errorf("%+v: equal sentences on both sides", s)
			}
		}
	}
	for want, s := range map[string]Spec{
		"test: 5 rows would cut sequences": {Kind: "holdout", Test: 5},
		"a stratified hold-out would cut":  {Kind: "holdout", Stratify: true},
		"the data set's group is":          {Kind: "kfold", K: 2, By: "word"},
	} {
		if _, err := s.Split(t.Context(), d, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want %q", s, err, want)
		}
	}
	d.Groups = nil
	if _, err := (Spec{Kind: "kfold", K: 2}).Split(t.Context(), d, 1); err == nil || !strings.Contains(err.Error(), "no groups to go by") {
		t.Errorf("without groups: %v", err)
	}
}
