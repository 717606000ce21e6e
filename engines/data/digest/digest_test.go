package digest_test

import (
	"reflect"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/digest"
	"tenfold/engines/data/pairs"
	"tenfold/engines/data/sequence"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// told is a data set with test rows and something in every field that a digest is made of.
func told() *data.Dataset {
	return &data.Dataset{
		Name:     "told",
		X:        sparse.New(4, []int{0, 2, 3, 5}, []int32{0, 1, 2, 0, 3}, []float64{1, 2, 3, 4, 5}),
		Features: data.NewFeatures([]string{"a", "b", "c", "d"}).WithClasses([]int32{0, 1, -1, 1}, []string{"p", "q"}),
		Targets: []data.Target{
			{Name: "y", Group: "g", Type: data.Class, Levels: []string{"k", "l", "m"}, Values: []float64{0, 1, 2}},
			{Name: "z", Type: data.Real, Values: []float64{1, 2}, Rows: []int32{0, 2}, Numbers: []float64{3, 4}},
			{Name: "mi", Type: data.Real, Pairs: &pairs.Pairs{Left: []int32{0, 1, 0}, Right: []int32{0, 0, 1}, Kappa: 1}},
		},
		IDs: []string{"r", "s", "t"}, Groups: data.GroupBy("by", []string{"u", "v", "u"}), Time: []float64{1, 2, 3}, Weight: []float64{1, 1, 2},
		Part: []int8{0, 0, 1}, Factor: []int32{-1, 0, 0, -1},
		Sequences: &sequence.Sequences{Start: []int32{0, 2}, Static: 4}, Tasks: &data.Tasks{Names: []string{"w", "x"}, Of: []int32{0, 0, 1}},
		Truth: []data.True{{Feature: 1, Target: 0, Value: 0.5}}, Facts: []data.Fact{{Name: "n", Value: "v"}},
	}
}

func digests(d *data.Dataset) (all, training string) {
	digest.Identify(d)
	return d.Digest, d.TrainingDigest
}

// Everything that a fit or a score may depend on is in the digest; what it is called and what was measured is not.
func TestDigestOfContent(t *testing.T) {
	all, training := digests(told())
	if all == training || len(all) != 64 {
		t.Errorf("all %s, training rows %s", all, training)
	}
	same := map[string]func(d *data.Dataset){
		"name":  func(d *data.Dataset) { d.Name = "other" },
		"facts": func(d *data.Dataset) { d.Facts = nil },
	}
	// Of the training rows there is nothing in these.
	test := map[string]func(d *data.Dataset){
		"value of a test row": func(d *data.Dataset) { _, _, val := d.X.Rows(); val[4] = 6 },
		"column of test rows": func(d *data.Dataset) {
			d.Features = data.NewFeatures([]string{"a", "b", "c", "e"}).WithClasses([]int32{0, 1, -1, 1}, []string{"p", "q"})
		},
		"class of such a column": func(d *data.Dataset) { d.Features = d.Features.WithClasses([]int32{0, 1, -1, 0}, []string{"p", "q"}) },
		"level of test rows":     func(d *data.Dataset) { d.Targets[0].Levels[2] = "n" },
		"response of a test row": func(d *data.Dataset) { d.Targets[1].Values[1] = 3 },
		"number of a test row":   func(d *data.Dataset) { d.Targets[1].Numbers[1] = 3 },
		"id of a test row":       func(d *data.Dataset) { d.IDs[2] = "other" },
		"time of a test row":     func(d *data.Dataset) { d.Time[2] = 4 },
		"weight of a test row":   func(d *data.Dataset) { d.Weight[2] = 4 },
		"sequences":              func(d *data.Dataset) { d.Sequences.Start = []int32{0, 1} },
		"tasks":                  func(d *data.Dataset) { d.Tasks.Of[2] = 0 },
		"names of tasks":         func(d *data.Dataset) { d.Tasks.Names[1] = "y" },
		"truth":                  func(d *data.Dataset) { d.Truth[0].Value = 0.25 },
		"true feature":           func(d *data.Dataset) { d.Truth[0].Feature = 0 },
		"the level of test rows, which makes one positive": func(d *data.Dataset) {
			d.Targets[0].Levels, d.Targets[0].Values, d.Targets[0].Positive = []string{"k", "l"}, []float64{0, 1, 0}, 1
		},
		"right side of a test row": func(d *data.Dataset) { d.Targets[2].Pairs.Right[2] = 0 },
	}
	other := map[string]func(d *data.Dataset){
		"value": func(d *data.Dataset) { _, _, val := d.X.Rows(); val[0] = 6 },
		"place of a value": func(d *data.Dataset) {
			d.X = sparse.New(4, []int{0, 2, 3, 5}, []int32{0, 2, 2, 0, 3}, []float64{1, 2, 3, 4, 5})
		},
		"row of a value": func(d *data.Dataset) {
			d.X = sparse.New(4, []int{0, 1, 3, 5}, []int32{0, 1, 2, 0, 3}, []float64{1, 2, 3, 4, 5})
		},
		"ones": func(d *data.Dataset) { d.X = sparse.New(4, []int{0, 2, 3, 5}, []int32{0, 1, 2, 0, 3}, nil) },
		"name of a column": func(d *data.Dataset) {
			d.Features = data.NewFeatures([]string{"a", "B", "c", "d"}).WithClasses([]int32{0, 1, -1, 1}, []string{"p", "q"})
		},
		"class of a column": func(d *data.Dataset) { d.Features = d.Features.WithClasses([]int32{0, 0, -1, 1}, []string{"p", "q"}) },
		"name of a class":   func(d *data.Dataset) { d.Features = d.Features.WithClasses([]int32{0, 1, -1, 1}, []string{"p", "r"}) },
		"no classes":        func(d *data.Dataset) { d.Features = data.NewFeatures([]string{"a", "b", "c", "d"}) },
		"factor":            func(d *data.Dataset) { d.Factor[2] = -1 },
		"name of a target":  func(d *data.Dataset) { d.Targets[0].Name = "x" },
		"group of targets":  func(d *data.Dataset) { d.Targets[0].Group = "h" },
		"type":              func(d *data.Dataset) { d.Targets[2].Type = data.Any },
		"level":             func(d *data.Dataset) { d.Targets[0].Levels[0] = "j" },
		"class":             func(d *data.Dataset) { d.Targets[0].Values[0] = 1 },
		"response":          func(d *data.Dataset) { d.Targets[1].Values[0] = 7 },
		"row of a response": func(d *data.Dataset) { d.Targets[1].Rows = []int32{1, 2} },
		"number":            func(d *data.Dataset) { d.Targets[1].Numbers[0] = 7 },
		"pooled":            func(d *data.Dataset) { d.Targets[0].Pooled = true },
		"left side":         func(d *data.Dataset) { d.Targets[2].Pairs.Left[0] = 1 },
		"kappa":             func(d *data.Dataset) { d.Targets[2].Pairs.Kappa = 2 },
		"id":                func(d *data.Dataset) { d.IDs[0] = "other" },
		"no ids":            func(d *data.Dataset) { d.IDs = nil },
		"group":             func(d *data.Dataset) { d.Groups = data.GroupBy("by", []string{"u", "u", "u"}) },
		"name of groups":    func(d *data.Dataset) { d.Groups.Name = "to" },
		"text of a group":   func(d *data.Dataset) { d.Groups = data.GroupBy("by", []string{"U", "v", "U"}) },
		"time":              func(d *data.Dataset) { d.Time[0] = 0 },
		"weight":            func(d *data.Dataset) { d.Weight[0] = 4 },
		"part":              func(d *data.Dataset) { d.Part = []int8{0, 1, 1} },
	}
	seen := map[string]string{all: "nothing"}
	for _, of := range []map[string]func(d *data.Dataset){same, test, other} {
		for what, change := range of {
			d := told()
			change(d)
			if reflect.DeepEqual(d, told()) {
				t.Errorf("%s: nothing has changed", what)
			}
			a, b := digests(d)
			if was, ok := seen[a]; ok != (same[what] != nil) {
				t.Errorf("%s: the digest is that of a change of %s", what, was)
			}
			seen[a] = what
			if moved := b != training; moved != (other[what] != nil) {
				t.Errorf("%s: digest of the training rows moved: %v", what, moved)
			}
		}
	}
}

// The same content has the same digest, however it lies in memory.
func TestDigestKnowsNoLayout(t *testing.T) {
	d := told()
	_, _, val := d.X.Rows()
	for k := range val {
		val[k] = 1
	}
	want, _ := digests(d)
	d.X = sparse.New(4, []int{0, 2, 3, 5}, []int32{0, 1, 2, 0, 3}, nil)
	d.IDs = slices.Clone(d.IDs)
	d.Features = data.NewFeatures([]string{"x", "a", "b", "c", "d"}).WithClasses([]int32{0, 1, 2, -1, 2}, []string{"o", "p", "q"}).Keep([]int32{1, 2, 3, 4})
	if got, _ := digests(d); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The digest of training rows, which seeds derive from, knows no order of columns; that of the data set does.
func TestTrainingDigestKnowsNoOrderOfColumns(t *testing.T) {
	d := told()
	d.Sequences, d.Truth = nil, nil
	all, training := digests(d)
	d.X = sparse.New(4, []int{0, 2, 3, 5}, []int32{2, 3, 1, 0, 3}, []float64{2, 1, 3, 5, 4})
	d.Features = data.NewFeatures([]string{"d", "c", "b", "a"}).WithClasses([]int32{0, -1, 0, 1}, []string{"q", "p"})
	d.Factor = []int32{-1, 0, 0, -1}
	if a, b := digests(d); a == all || b != training {
		t.Errorf("digests %s and %s, before the columns were moved %s and %s", a, b, all, training)
	}
}

// A view has another digest if anything that a fit sees in it differs, and the same if only the view differs that it was made of.
func TestDigestOfViews(t *testing.T) {
	set := func() *data.Dataset {
		return enginetest.Dataset(enginetest.Matrix([]float64{1, 0, 2}, []float64{0, 3, 1}, []float64{4, 1, 0}, []float64{1, 1, 1}), enginetest.Real("y", 1, 2, 3, 4))
	}
	whole := enginetest.View(set(), nil)
	weighted, grouped, named, other := set(), set(), set(), set()
	weighted.Weight = []float64{1, 2, 1, 1}
	grouped.Groups = &data.Groups{Name: "g", Of: []int32{0, 0, 1, 1}, Key: []uint64{5, 6}}
	named.Features = data.NewFeatures([]string{"a", "b", "d"})
	other.Targets[0].Values[3] = 5
	views := []*data.View{
		whole, whole.Sub([]int32{0, 1, 2}), whole.Sub([]int32{1, 0, 2}), whole.Narrow([]int32{0, 1}), whole.WithFactors([]float64{1, 0, 1}),
		enginetest.View(weighted, nil), enginetest.View(grouped, nil), enginetest.View(named, nil), enginetest.View(other, nil),
	}
	seen := map[string]int{}
	for k, v := range views {
		if before, is := seen[digest.View(v)]; is {
			t.Errorf("views %d and %d have one digest", before, k)
		}
		seen[digest.View(v)] = k
	}
	for _, same := range [][2]*data.View{
		{whole, enginetest.View(set(), nil)},
		{whole.Narrow([]int32{0, 2}).Sub([]int32{1, 2}), whole.Sub([]int32{1, 2}).Narrow([]int32{0, 2})},
	} {
		if digest.View(same[0]) != digest.View(same[1]) {
			t.Error("equal views have two digests")
		}
	}
}
