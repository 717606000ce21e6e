package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
)

// Fitted returns the model of an engine on the small data set of the suite that meets the needs, and the rows it was not fitted to.
func Fitted(e engines.Engine, needs engines.Needs) (engines.Model, *data.View, error) {
	p := problemFor(needs)
	m, err := e.Fit(context.Background(), p.run(1, nil))
	return m, p.test, err
}

// Kept saves a model, encodes it, and restores it: the error is nil where the model is the same then, in all that it shows on
// the rows.
func Kept(m engines.Model, models engines.Models, on *data.View) (engines.Model, error) {
	saved, err := engines.Save(m)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(saved)
	if err != nil {
		return nil, err
	}
	var read engines.Saved
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	back, err := models.Restore(read, on.Features())
	if err != nil {
		return nil, err
	}
	return back, Same(m, back, on)
}

// Same tells where two models differ, in any bit of what they show on the rows; numbers that are none are the same.
func Same(a, b engines.Model, on *data.View) error {
	if x, y := reflect.TypeOf(a), reflect.TypeOf(b); x != y {
		return fmt.Errorf("types %v and %v", x, y)
	}
	if a.Outputs() != b.Outputs() {
		return fmt.Errorf("%d and %d outputs", a.Outputs(), b.Outputs())
	}
	if x, y := scores(a, on), scores(b, on); !slices.EqualFunc(x, y, same) {
		return fmt.Errorf("predictions\n%v and\n%v", x, y)
	}
	if x, ok := a.(engines.Scorer); ok {
		one, other := make([]float64, a.Outputs()), make([]float64, a.Outputs())
		for i := range on.Len() {
			x.Score(one, on.Row(i))
			b.(engines.Scorer).Score(other, on.Row(i))
			if !slices.EqualFunc(one, other, same) {
				return fmt.Errorf("row %d: scores %v and %v", i, one, other)
			}
		}
	}
	if x, y := engines.Entries(a), engines.Entries(b); !slices.EqualFunc(x, y, sameCoef) {
		return fmt.Errorf("coefficients\n%v and\n%v", x, y)
	}
	if x, ok := a.(engines.Namer); ok {
		for _, c := range a.Coefs() {
			if one, other := x.FeatureName(c.Feature), b.(engines.Namer).FeatureName(c.Feature); one != other {
				return fmt.Errorf("feature %d: names %q and %q", c.Feature, one, other)
			}
		}
	}
	if x, ok := a.(engines.Selective); ok && !slices.Equal(x.Selected(), b.(engines.Selective).Selected()) {
		return fmt.Errorf("selected columns %v and %v", x.Selected(), b.(engines.Selective).Selected())
	}
	if x, y := engines.Biases(a), engines.Biases(b); !slices.EqualFunc(x, y, same) {
		return fmt.Errorf("biases %v and %v", x, y)
	}
	if x, ok := a.(engines.Reporter); ok {
		return sameFitted(x.Fitted(), b.(engines.Reporter).Fitted())
	}
	return nil
}

func same(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y }

func sameCoef(a, b engines.Coef) bool {
	if a.Feature != b.Feature || a.Output != b.Output || a.Rank != b.Rank || (a.Bits == nil) != (b.Bits == nil) {
		return false
	}
	numbers := func(c engines.Coef) []float64 {
		if c.Bits == nil {
			return []float64{c.Value, c.Score}
		}
		p := c.Bits.Price
		return []float64{c.Value, c.Score, c.Bits.Saved, c.Bits.Refined, p.Class, p.Index, p.Subset, p.Coefficient}
	}
	return slices.EqualFunc(numbers(a), numbers(b), same)
}

func sameFitted(a, b engines.Fitted) error {
	numbers := func(f engines.Fitted) (all []float64) {
		if c := f.Certificate; c != nil {
			all = append(all, c.Objective, c.Dual)
		}
		if d := f.Description; d != nil {
			all = append(all, d.Null, d.Responses, d.Model)
		}
		if b := f.Baseline; b != nil {
			all = append(slices.Concat(all, b.Time, b.Hazard), b.Of)
		}
		if d := f.Decision; d != nil {
			all = append(all, float64(d.Positive), float64(d.Cut))
		}
		return all
	}
	words := func(f engines.Fitted) string {
		proved, described, hazardous := f.Certificate != nil, f.Description != nil, f.Baseline != nil
		f.Certificate, f.Description, f.Baseline, f.Decision = nil, nil, nil, nil
		return fmt.Sprintf("%+v, certificate %v, description %v, baseline %v", f, proved, described, hazardous)
	}
	if x, y := words(a), words(b); x != y || !slices.EqualFunc(numbers(a), numbers(b), same) {
		return fmt.Errorf("reports\n%s %v and\n%s %v", x, numbers(a), y, numbers(b))
	}
	return nil
}

// Damage is one change to the state of a model: what stands in the place of what, and what restoring it must complain about; "" is
// nothing.
type Damage [3]string

// Damaged restores a state, which is sound, with each change by itself.
func Damaged(t *testing.T, models engines.Models, kind, state string, features *data.Features, changes []Damage) {
	t.Helper()
	if _, err := models.Restore(engines.Saved{Kind: kind, State: json.RawMessage(state)}, features); err != nil {
		t.Fatalf("it is not sound: %v", err)
	}
	for _, c := range changes {
		was, is, complaint := c[0], c[1], c[2]
		if !strings.Contains(state, was) {
			t.Fatalf("there is no %s in the state", was)
		}
		text := strings.Replace(state, was, is, 1)
		switch _, err := models.Restore(engines.Saved{Kind: kind, State: json.RawMessage(text)}, features); {
		case complaint == "" && err != nil:
			t.Errorf("%s for %s: %v", is, was, err)
		case complaint != "" && (err == nil || !strings.Contains(err.Error(), complaint)):
			t.Errorf("%s for %s: %v, want %q", is, was, err, complaint)
		}
	}
}
