package data

import (
	"strings"
	"testing"

	"tenfold/engines/data/pairs"
	"tenfold/engines/numeric/sparse"
)

func TestCheckFindsWhatPointsNowhere(t *testing.T) {
	sound := func() *Dataset {
		return &Dataset{
			X:        sparse.New(2, []int{0, 1, 2}, []int32{0, 1}, nil),
			Features: NewFeatures([]string{"a", "b"}).WithClasses([]int32{0, -1}, []string{"c"}),
			Targets:  []Target{{Name: "y", Type: Real, Values: []float64{1, 2}}},
			Groups:   &Groups{Of: []int32{0, 0}},
		}
	}
	if err := sound().Check(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(d *Dataset){
		"group -1":             func(d *Dataset) { d.Groups.Of[1] = -1 },
		"class 1":              func(d *Dataset) { d.Features = d.Features.WithClasses([]int32{0, 1}, []string{"c"}) },
		"1 classes of columns": func(d *Dataset) { d.Features = d.Features.WithClasses([]int32{0}, []string{"c"}) },
		"3 values": func(d *Dataset) {
			d.IDs = []string{"a", "b"}
			d.Targets[0].Values = []float64{1, 2, 3}
			d.Targets[0].Pairs = &pairs.Pairs{Left: []int32{0, 0}, Right: []int32{0, 0}}
		},
	} {
		d := sound()
		spoil(d)
		if err := d.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected one with %q", err, want)
		}
	}
}
