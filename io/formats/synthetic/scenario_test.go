package synthetic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/param"
)

func scenario(generator string, seed int64) Source {
	s := Kind.Defaults().(Source)
	s.Generator, s.Seed = generator, seed
	return s
}

// supports is the true features of each response.
func supports(d *data.Dataset) [][]int32 {
	of := make([][]int32, len(d.Targets))
	for _, c := range d.Truth {
		of[c.Target] = append(of[c.Target], c.Feature)
	}
	return of
}

func TestSharedSupports(t *testing.T) {
	small := func(generator string) *data.Dataset {
		s := scenario(generator, 3)
		s.Shared.Test = 5
		return load(t, s)
	}
	for _, features := range supports(small(full)) {
		if !slices.Equal(features, []int32{0, 1, 2, 3}) {
			t.Errorf("full: %v", features)
		}
	}
	first := map[int32]int{} // responses with each of the first four
	for k, features := range supports(small(partial)) {
		own := 0
		for _, j := range features {
			if j < 4 {
				first[j]++
			} else {
				own++
			}
		}
		if len(features) != 4 || !slices.IsSorted(features) || len(slices.Compact(features)) != 4 || own != k/5 {
			t.Errorf("partial: response %d has %v", k+1, features)
		}
	}
	if fmt.Sprint(first) != "map[0:20 1:15 2:10 3:5]" {
		t.Errorf("partial: responses that share the first four: %v", first)
	}
	distinct := map[int32]bool{}
	for _, features := range supports(small(independent)) {
		if len(slices.Compact(features)) != 4 {
			t.Errorf("independent: %v", features)
		}
		for _, j := range features {
			distinct[j] = true
		}
	}
	if len(distinct) < 70 {
		t.Errorf("independent: 20 responses have %d features between them", len(distinct))
	}
}

// The responses less what the coefficients explain are the noise; the numbers are normal ones.
func TestSharedModel(t *testing.T) {
	s := scenario(partial, 1)
	s.Shared.Columns, s.Shared.Test = 50, 3000
	d := load(t, s)
	if rows, cols := d.X.Dims(); rows != 3100 || cols != 50 || len(d.Targets) != 20 || len(d.Truth) != 80 || d.Part[99] != 0 || d.Part[100] != 1 {
		t.Fatalf("%d × %d, %d responses, %d coefficients", rows, cols, len(d.Targets), len(d.Truth))
	}
	_, _, x := d.X.Rows()
	var m moments
	for _, v := range x {
		m.add(v)
	}
	m.check(t, "features", 1)
	for k, target := range d.Targets {
		beta := make([]float64, 50)
		for _, c := range d.Truth {
			if int(c.Target) == k {
				beta[c.Feature] = c.Value
			}
		}
		var noise moments
		for i, y := range target.Values {
			noise.add(y - d.X.Row(i).Dot(beta))
		}
		noise.check(t, target.Name, 0.1)
	}
}

type moments struct{ n, sum, square, fourth float64 }

func (m *moments) add(x float64) {
	m.n, m.sum, m.square, m.fourth = m.n+1, m.sum+x, m.square+x*x, m.fourth+x*x*x*x
}

func (m *moments) check(t *testing.T, what string, variance float64) {
	t.Helper()
	v := m.square / m.n
	if !(math.Abs(m.sum/m.n) <= 5*math.Sqrt(variance/m.n)) || !(math.Abs(v/variance-1) <= 6*math.Sqrt(2/m.n)) || !(math.Abs(m.fourth/m.n/(v*v)-3) <= 30/math.Sqrt(m.n)) {
		t.Errorf("%s: mean %v, variance %v, kurtosis %v; expected 0, %v, 3", what, m.sum/m.n, v, m.fourth/m.n/(v*v), variance)
	}
}

// More test rows leave the training rows as they are.
func TestFreshRows(t *testing.T) {
	s := scenario(full, 2)
	s.Shared.Columns, s.Shared.Test = 20, 0
	a := load(t, s)
	s.Shared.Test = 7
	b := load(t, s)
	if a.Part != nil || !slices.Equal(a.Targets[3].Values, b.Targets[3].Values[:100]) || !slices.Equal(a.X.Row(99).Val, b.X.Row(99).Val) {
		t.Error("the training rows differ")
	}
}

func TestClassed(t *testing.T) {
	for _, c := range []struct {
		classes, good int
		sizes         string
	}{{4, 12, "[12 330 329 329]"}, {10, 100, "[100 100 100 100 100 100 100 100 100 100]"}} {
		s := scenario(classed, 1)
		s.Classed.Classes, s.Classed.Good = c.classes, c.good
		d := load(t, s)
		var sizes []int
		for k := range d.Features.Classes() {
			sizes = append(sizes, enginetest.ClassSize(d.Features, k))
		}
		if fmt.Sprint(sizes) != c.sizes || d.Rows() != 100 || d.Features.Len() != 1000 || d.Part != nil {
			t.Errorf("classes of %v in %d rows", sizes, d.Rows())
		}
		if len(d.Truth) != 7 || d.Truth[6] != (data.True{Feature: 6, Value: 1}) || d.Features.Class(6) != 0 || d.Features.Name(6) != "c1_x7" {
			t.Errorf("truth %v", d.Truth)
		}
	}
	s := scenario(classed, 1)
	s.Classed.Weights = "normal"
	if d := load(t, s); d.Truth[0].Value == d.Truth[1].Value {
		t.Errorf("normal weights %v", d.Truth)
	}
}

// Golden: the same numbers on any machine. A change must raise the revision.
func TestScenariosAreTheSameEverywhere(t *testing.T) {
	for generator, want := range goldens {
		s := scenario(generator, 7)
		if generator != classed {
			s.Shared.Test, s.Shared.Columns = 3, 40
		}
		h := uint64(0)
		d := load(t, s)
		for _, target := range d.Targets {
			for _, y := range target.Values {
				h = data.Mix(h ^ math.Float64bits(y))
			}
		}
		if got := fmt.Sprintf("%016x", h); got != want {
			t.Errorf("%s: got %s, want %s", generator, got, want)
		}
	}
}

var goldens = map[string]string{
	partial: "0d669584ca51aeb9", full: "1b97a6db89ab66e8", independent: "187457c0d9b39a75", classed: "0a3cdeb018465ffc",
}

func TestBinarized(t *testing.T) {
	s := scenario(full, 1)
	s.Shared.Columns, s.Shared.Test, s.Target.Binarize = 10, 50, "train-mean"
	d := load(t, s)
	if y := d.Targets[0]; y.Type != data.Class || y.Numbers == nil || s.Declares().Targets[19].Type != data.Class {
		t.Errorf("%+v", y)
	}
	p, err := s.Recipe().Fit(d, []int32{0, 1, 2, 3})
	if err != nil || len(p.View(nil).Truth()) != 80 {
		t.Errorf("%v", err)
	}
}

func TestScenarioErrors(t *testing.T) {
	for field, change := range map[string]func(*Source){
		"rows":               func(s *Source) { s.Rows = 100 },
		"features.cutoff":    func(s *Source) { s.Features.Cutoff = 2 },
		"classed.good":       func(s *Source) { s.Classed.Good = 13 },
		"shared.train":       func(s *Source) { s.Shared.Train = 1 },
		"shared.test":        func(s *Source) { s.Shared.Test = -1 },
		"shared.columns":     func(s *Source) { s.Shared.Columns = 7 },
		"shared.responses":   func(s *Source) { s.Shared.Responses = 0 },
		"shared.variance":    func(s *Source) { s.Shared.Variance = math.Inf(1) },
		"target.missing":     func(s *Source) { s.Target.Missing = "drop-rows" },
		"target.positive":    func(s *Source) { s.Target.Positive = "1" },
		"classed.weights":    func(s *Source) { s.Generator, s.Classed.Weights = classed, "equal" },
		"classed.beneficial": func(s *Source) { s.Generator, s.Classed.Beneficial = classed, 13 },
	} {
		s := scenario(partial, 1)
		change(&s)
		var bad *param.FieldError
		if err := s.Validate(); !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%s: got %v", field, err)
		}
	}
	s := scenario(partial, 1)
	s.Shared.Columns = 1e6
	if err := s.Validate(); err == nil {
		t.Error("5 billion values")
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := scenario(full, 1).Load(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The smallest sizes, and what they declare.
func TestSmallestScenarios(t *testing.T) {
	for _, test := range []int{0, 1} {
		s := scenario(full, 1)
		s.Shared = Shared{Train: 2, Test: test, Columns: 8, Responses: 1}
		if d := load(t, s); s.Declares().Parts != (test > 0) || (d.Part != nil) != (test > 0) || d.Rows() != 2+test {
			t.Errorf("shared, %d test rows: %d rows, parts %v", test, d.Rows(), s.Declares().Parts)
		}
		s = scenario(classed, 1)
		s.Classed = Classed{Train: 2, Test: test, Columns: 2, Classes: 2, Good: 1, Beneficial: 1, Weights: unit}
		if d := load(t, s); s.Declares().Parts != (test > 0) || (d.Part != nil) != (test > 0) || len(d.Features.Classes()) != 2 {
			t.Errorf("classes, %d test rows: %d classes, parts %v", test, len(d.Features.Classes()), s.Declares().Parts)
		}
		for _, classes := range []int{1, 3} {
			if s.Classed.Classes = classes; s.Validate() == nil {
				t.Errorf("%d classes of 2 columns", classes)
			}
		}
	}
}

func BenchmarkShared(b *testing.B) {
	for b.Loop() {
		load(b, scenario(partial, 1))
	}
}
