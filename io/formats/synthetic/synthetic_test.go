package synthetic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/source"
)

func load(t testing.TB, s Source) *data.Dataset {
	t.Helper()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	d, err := s.Load(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Check(), d.X.Check()); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSameBytesEverywhere(t *testing.T) {
	defaults := Kind.Defaults().(Source)
	d := load(t, defaults)
	again := load(t, defaults)
	if !reflect.DeepEqual(d.Targets, again.Targets) || !reflect.DeepEqual(d.X, again.X) {
		t.Error("a second run gave other data")
	}
	// Golden: the responses and columns of the default data set, on any machine. A change must raise the revision.
	h := uint64(0)
	for i, y := range d.Targets[0].Values {
		h = data.Mix(h ^ math.Float64bits(y))
		for _, j := range d.X.Row(i).Idx {
			h = data.Mix(h ^ uint64(j))
		}
	}
	if got := fmt.Sprintf("%d columns, %016x", d.Features.Len(), h); got != golden {
		t.Errorf("got %s, want %s", got, golden)
	}
	defaults.Seed++
	if reflect.DeepEqual(load(t, defaults).Targets, d.Targets) {
		t.Error("another seed gave the same responses")
	}
}

const golden = "38038 columns, efece95fdc2ac862"

func TestResponseIsAFunctionOfTheTuple(t *testing.T) {
	d := load(t, Kind.Defaults().(Source))
	of := map[int32]float64{}
	repeats := 0
	for i, g := range d.Groups.Of {
		y := d.Targets[0].Values[i]
		if first, seen := of[g]; seen {
			if repeats++; first != y {
				t.Fatalf("row %d: response %v, an equal tuple has %v", i, y, first)
			}
		}
		of[g] = y
	}
	if repeats == 0 {
		t.Error("no tuple is repeated")
	}
}

// Without noise the coefficients in the facts explain the response exactly.
func TestTruth(t *testing.T) {
	s := Kind.Defaults().(Source)
	s.Noise = 0
	d := load(t, s)
	coefficient := make([]float64, d.Features.Len())
	fact := d.Facts[len(d.Facts)-1]
	list := strings.Split(fact.Value, ", ")
	if fact.Name != "true coefficients" || len(list) != s.Truth {
		t.Fatalf("%d true coefficients, want %d", len(list), s.Truth)
	}
	for _, entry := range list {
		var name string
		var b float64
		if _, err := fmt.Sscan(entry, &name, &b); err != nil {
			t.Fatalf("%q: %v", entry, err)
		}
		j, ok := d.Features.Lookup(name)
		if !ok {
			t.Fatalf("no column %s", name)
		}
		coefficient[j] = b
	}
	exact := make([]float64, d.Features.Len())
	for _, c := range d.Truth {
		exact[c.Feature] = c.Value
	}
	for i, y := range d.Targets[0].Values {
		if got := d.X.Row(i).Dot(coefficient); !(math.Abs(got-y) <= 0.01) {
			t.Fatalf("row %d: %v, the coefficients give %v", i, y, got)
		}
		if got := d.X.Row(i).Dot(exact); got != y {
			t.Fatalf("row %d: %v, the truth gives %v", i, y, got)
		}
	}
}

// A pattern that every row has explains nothing, so none of them is true.
func TestTruePatternsVary(t *testing.T) {
	s := Kind.Defaults().(Source)
	s.Rows, s.Words, s.Tags, s.Relations, s.Truth = 200, 2, 1, 1, 10
	d := load(t, s)
	everywhere := 0
	for j := range d.Features.Len() {
		if d.X.Col(j).Len() == d.Rows() {
			everywhere++
		}
	}
	for _, c := range d.Truth {
		if n := d.X.Col(int(c.Feature)).Len(); n < rarest || n == d.Rows() {
			t.Errorf("%s is on %d of %d rows", d.Features.Name(int(c.Feature)), n, d.Rows())
		}
	}
	if everywhere == 0 {
		t.Error("no pattern is on every row: the test says nothing")
	}
}

func TestNoise(t *testing.T) {
	s := Kind.Defaults().(Source)
	s.Noise, s.Truth = 2, 0
	d := load(t, s)
	sum, square := 0.0, 0.0
	for _, y := range d.Targets[0].Values {
		sum += y
		square += y * y
	}
	n := float64(d.Rows())
	if mean, sd := sum/n, math.Sqrt(square/n); !(math.Abs(mean) <= 0.15) || !(math.Abs(sd-2) <= 0.1) {
		t.Errorf("mean %v and standard deviation %v, want 0 and 2", mean, sd)
	}
}

func TestErrors(t *testing.T) {
	for field, change := range map[string]func(*Source){
		"generator":          func(s *Source) { s.Generator = "gauss" },
		"rows":               func(s *Source) { s.Rows = 0 },
		"words":              func(s *Source) { s.Words = 0 },
		"tags":               func(s *Source) { s.Tags = -1 },
		"relations":          func(s *Source) { s.Relations = 0 },
		"truth":              func(s *Source) { s.Truth = -1 },
		"noise":              func(s *Source) { s.Noise = math.NaN() },
		"target":             func(s *Source) { s.Target.Name = "relation" },
		"features.templates": func(s *Source) { s.Features.Templates = source.Templates{"2"} },
		"features.cutoff":    func(s *Source) { s.Features.Cutoff = 0 },
	} {
		s := Kind.Defaults().(Source)
		change(&s)
		var bad *param.FieldError
		if err := s.Validate(); !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%s: got %v", field, err)
		}
	}
	s := Kind.Defaults().(Source)
	s.Rows = 10
	if _, err := s.Load(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "lower truth") {
		t.Errorf("too few patterns: got %v", err)
	}
}

func BenchmarkGenerate(b *testing.B) {
	s := Kind.Defaults().(Source)
	s.Rows = 10000
	for b.Loop() {
		load(b, s)
	}
}
