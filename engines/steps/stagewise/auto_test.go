package stagewise

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

type onClasses struct {
	Stagewise
	levels int
}

func (e onClasses) Needs() engines.Needs { return engines.Needs{Target: data.Class, Levels: e.levels} }

func TestAutoSuite(t *testing.T) {
	e := Kind.Defaults().(Stagewise)
	e.MaxIter, e.Epsilon = 150, 0.05
	t.Run("numbers", func(t *testing.T) { enginetest.Suite(t, e) })
	t.Run("two levels", func(t *testing.T) { enginetest.Suite(t, onClasses{e, 2}) })
	t.Run("levels", func(t *testing.T) { enginetest.Suite(t, onClasses{e, 3}) })
}

// TestAuto: family auto is the fit of the family for the target, and says which that is.
func TestAuto(t *testing.T) {
	s := settings(41, 60, 8)[1]
	for _, c := range []struct {
		family, told string
		change       func(*Stagewise)
		set          *data.Dataset
	}{
		{"gaussian", "gaussian, as the target is a number", func(*Stagewise) {}, s.data()},
		{"logistic", "logistic, as the target has 2 levels", func(*Stagewise) {}, likelihoodData(s, "logistic")},
		{"loglinear", "loglinear, as the target has 2 levels", func(e *Stagewise) { e.Cutoff = 2 }, likelihoodData(s, "logistic")},
		{"loglinear", "loglinear, as the target has 4 levels", func(*Stagewise) {}, likelihoodData(s, "loglinear")},
	} {
		e := defaults()
		e.Choose, e.Validation = "validation", 0.1
		c.change(&e)
		view := viewOf(t, c.set)
		var told []data.Fact
		fit := func(e Stagewise) engines.Model {
			if err := e.Validate(); err != nil {
				t.Fatal(err)
			}
			m, err := e.Fit(context.Background(), engines.Run{
				Train: view, Rand: rand.New(rand.NewPCG(5, 6)), Workers: 1, Tell: func(f data.Fact) { told = append(told, f) },
			})
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		m := fit(e)
		if got := fmt.Sprint(told); got != "[{family "+c.told+"}]" {
			t.Errorf("%s: told %s", c.family, got)
		}
		e.Family, told = c.family, nil
		if want := fit(e); !reflect.DeepEqual(m.Coefs(), want.Coefs()) || len(want.Coefs()) == 0 || !reflect.DeepEqual(m.(engines.Reporter).Fitted(), want.(engines.Reporter).Fitted()) {
			t.Errorf("%s: the fit of auto is another one", c.family)
		}
		if len(told) > 0 {
			t.Errorf("a family that was given is told: %v", told)
		}
	}
}

// TestAutoNeeds: parameters of some families only narrow the targets; those of none are refused.
func TestAutoNeeds(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Stagewise)
		want   engines.Needs
	}{
		{"any", func(*Stagewise) {}, engines.Needs{}},
		{"gaussian", func(e *Stagewise) { e.MinC = 1 }, engines.Needs{Target: data.Real}},
		{"steps", func(e *Stagewise) { e.Step = "rms" }, engines.Needs{Target: data.Real}},
		{"classes", func(e *Stagewise) { e.Select = "explicit" }, engines.Needs{Target: data.Class}},
		{"two levels", func(e *Stagewise) { e.InterceptEvery = 5 }, engines.Needs{Target: data.Class, Levels: 2}},
		{"loglinear", func(e *Stagewise) { e.Cutoff = 3 }, engines.Needs{Target: data.Class}},
		{"lists", func(e *Stagewise) { e.Lookup, e.Lists = "list", [][]int{{0}} }, engines.Needs{Levels: 2}},
		{"test rows", func(e *Stagewise) { e.Choose = "test" }, engines.Needs{Watch: true}},
	} {
		e := defaults()
		c.change(&e)
		c.want.Entry = true // in every family, steps name the columns that enter
		if err := e.Validate(); err != nil || !reflect.DeepEqual(e.Needs(), c.want) {
			t.Errorf("%s: %+v, %v, want %+v", c.name, e.Needs(), err, c.want)
		}
	}
	e := defaults()
	e.MinC, e.MinGradient = 1, 1
	if err := e.Validate(); err == nil || !strings.HasPrefix(err.Error(), "family: auto finds no family for these parameters together (min_gradient: family gaussian has min_c; min_c: ") {
		t.Errorf("parameters of different families: %v", err)
	}
}
