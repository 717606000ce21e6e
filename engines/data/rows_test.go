package data_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

func TestSelectRows(t *testing.T) {
	d := full()
	d.Targets[0].Values[3] = math.NaN()
	whole := d.Complete(true, true)
	if !slices.Equal(whole, []int32{1, 2, 4}) { // row 0 has no task, row 3 no y
		t.Fatalf("complete rows %v", whole)
	}
	s := d.Select(whole)
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if s.Targets[1].Rows != nil || !slices.Equal(s.Targets[1].Values, []float64{1, 0, 1}) || !slices.Equal(s.Targets[0].Values, []float64{11, 12, 14}) {
		t.Errorf("targets %+v", s.Targets)
	}
	if _, cols := s.X.Dims(); cols != 2 || fmt.Sprint(s.IDs, s.Weight, s.Time, s.Part, s.Groups.Of) != "[b c e] [2 3 5] [4 3 1] [0 0 1] [0 1 2]" {
		t.Errorf("%v %v %v %v %v", s.IDs, s.Weight, s.Time, s.Part, s.Groups.Of)
	}
	d.X = enginetest.Matrix([]float64{1, 0}, []float64{0, math.NaN()}, []float64{3, 0}, []float64{0, 4}, []float64{5, 0})
	if rows := d.Complete(true, false); !slices.Equal(rows, []int32{0, 2, 3, 4}) {
		t.Errorf("rows with all features %v", rows)
	}
}

func TestSpread(t *testing.T) {
	d := full()
	d.Truth = []data.True{{Feature: 1, Target: 0, Value: 2}}
	s := d.Spread([]int32{0, 0, 1}, data.NewFeatures([]string{"a", "b", "c"}))
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	_, rows := enginetest.Table(enginetest.View(s, nil))
	if fmt.Sprint(rows) != "[[1 1 0] [0 0 2] [3 3 0] [0 0 4] [5 5 0]]" || s.Truth[0].Feature != 2 {
		t.Errorf("rows %v, truth %v", rows, s.Truth)
	}
}
