package engines_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
)

func TestBoth(t *testing.T) {
	for _, c := range []struct {
		a, b, want engines.Needs
		apart      bool
	}{
		{a: engines.Needs{Tasks: true, Counts: true}, b: engines.Needs{Target: data.Class, Levels: 2, Inner: true},
			want: engines.Needs{Target: data.Class, Levels: 2, Counts: true, Inner: true}},
		{a: engines.Needs{Target: data.Real, Tasks: true, Truth: true}, b: engines.Needs{Tasks: true, Levels: 2, FeatureClasses: true},
			want: engines.Needs{Target: data.Real, Tasks: true, Truth: true, FeatureClasses: true}}, // numbers have no levels
		{a: engines.Needs{Binary: true, Sizes: engines.Sizes{Limit: "features"}}, b: engines.Needs{Watch: true}, want: engines.Needs{Binary: true, Watch: true}},
		{a: engines.Needs{Target: data.Real}, b: engines.Needs{Target: data.Class}, apart: true},
	} {
		for _, turned := range []bool{false, true} {
			a, b := c.a, c.b
			if turned {
				a, b = b, a
			}
			if got, ok := a.Both(b); ok == c.apart || ok && !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v and %+v: %+v, %v, want %+v", a, b, got, ok, c.want)
			}
		}
	}
}

func TestSums(t *testing.T) {
	for _, c := range []struct{ objective, dual, gap, relative float64 }{
		{10, 9, 1, 0.1}, {0.5, 0.25, 0.25, 0.25}, {-4, -5, 1, 0.25}, {1, 1.5, 0, 0}, // rounding may put the bound above
	} {
		certificate := engines.Certificate{Objective: c.objective, Dual: c.dual}
		if certificate.Gap() != c.gap || certificate.Relative() != c.relative {
			t.Errorf("%+v: gap %v, relative %v", c, certificate.Gap(), certificate.Relative())
		}
	}
	if d := (engines.Description{Null: 100, Responses: 20, Model: 3}); d.Length() != 23 {
		t.Errorf("a description of %v bits", d.Length())
	}
	if b := (engines.Bits{Saved: 100, Refined: 50, Price: engines.Price{Class: 1, Index: 2, Subset: 4, Coefficient: 8}}); b.Paid() != 15 || b.Net() != 85 {
		t.Errorf("paid %v, net %v", b.Paid(), b.Net())
	}
}

// Nobody has to listen.
func TestListeners(t *testing.T) {
	var silent engines.Run
	silent.Say("fact", "1")
	silent.Note("warning")
	silent.Trace.At(engines.Step{})
	var heard []string
	run := engines.Run{
		Tell:  func(f data.Fact) { heard = append(heard, f.Name+"="+f.Value) },
		Warn:  func(note string) { heard = append(heard, note) },
		Trace: func(s engines.Step) { heard = append(heard, fmt.Sprint("step ", s.Iter)) },
	}
	run.Say("fact", "1")
	run.Note("warning")
	run.Trace.At(engines.Step{Iter: 7})
	if got := strings.Join(heard, ", "); got != "fact=1, warning, step 7" {
		t.Errorf("heard %s", got)
	}
}
