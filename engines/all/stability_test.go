package all

import (
	"reflect"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/wrappers/stability"
)

// Stability selection goes around every engine but the one that knows the truth and those that choose by test rows: with q where the
// engine can be limited, without it where not. It ends the same with any number of workers.
func TestStabilityAroundEveryEngine(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	var refused, unlimited []string
	for _, name := range set.Names() {
		o := stability.Wrapper.Kind.Defaults().(stability.Options)
		o.Q, o.Threshold, o.Draws = 3, 0.8, 4
		defaults := smaller(set[name].Defaults())
		base := reflect.New(reflect.TypeOf(defaults)).Elem()
		base.Set(reflect.ValueOf(defaults))
		if f := base.FieldByName("Discretize"); f.IsValid() { // half of the rows have too few of each value
			f.SetString("equal-frequency")
		}
		if f := base.FieldByName("GramMemory"); f.IsValid() { // what it takes of that falls with the rows
			f.SetInt(1 << 10)
		}
		e := stability.Engine{Base: base.Interface().(engines.Engine), Options: o}
		if e.Validate() != nil {
			e.Q = 0
			unlimited = append(unlimited, name)
		}
		if e.Validate() != nil {
			unlimited, refused = unlimited[:len(unlimited)-1], append(refused, name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.Concurrent(t, e)
			m, on, err := enginetest.Fitted(e, e.Needs())
			if err != nil {
				t.Fatal(err)
			}
			if n := len(engines.ColumnsOf(m, on.Columns())); e.Q > 0 && n > 2*e.Q { // at most q/0.8 columns are on 0.8 of the halves
				t.Errorf("%d columns are stable", n)
			}
		})
	}
	if want := []string{"oracle"}; !slices.Equal(refused, want) {
		t.Errorf("%q are refused, want %q", refused, want)
	}
	t.Logf("without q: %q", unlimited)
}
