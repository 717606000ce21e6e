package survival

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

// A baseline comes back from a file; one that has not a hazard for each time is refused, as it would be asked for one that is not there.
func TestBaselineIsKept(t *testing.T) {
	t.Parallel()
	for _, b := range []Baseline{{}, {Time: []float64{1, 2.5}, Hazard: []float64{0.1, 0.7}, Of: 600}} {
		text, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		var back Baseline
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, b) {
			t.Errorf("%+v comes back as %+v: %v", b, back, err)
		}
	}
	for _, text := range []string{`{"time":[1,2],"hazard":[0.5]}`, `{"time":[1,2]}`, `{"time":[1],"hazard":[1],"off":2}`, `[]`} {
		if err := json.Unmarshal([]byte(text), new(Baseline)); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// Hazards and survival probabilities are those of the same rows nearer to 0, where all η are far from it; where they are also so far
// from each other that risk sets vanish beside the largest, probabilities are none the less between 0 and 1, and fall.
func TestBaselineFarFromZero(t *testing.T) {
	t.Parallel()
	times, events := []float64{1, 2, 2, 3, 4, 5}, []int8{1, 1, 1, 0, 1, 1}
	for _, efron := range []bool{false, true} {
		l, err := NewLikelihood(times, events, nil, efron)
		if err != nil {
			t.Fatal(err)
		}
		at := func(shift, spread float64) (Baseline, []float64) {
			eta := []float64{2, 1, 0.5, 0, -0.5, -1}
			for i := range eta {
				eta[i] = shift + float64(spread*eta[i])
			}
			var p Point
			l.At(&p, eta)
			return l.BaselineAt(&p, eta, times), eta
		}
		near0, eta0 := at(0, 1)
		for _, shift := range []float64{-2000, -600, 600, 2000} {
			far, eta := at(shift, 1)
			for i, when := range times {
				near(t, fmt.Sprintf("survival of row %d, η %v", i, eta[i]), far.Survival(when, eta[i]), near0.Survival(when, eta0[i]), 1e-9)
			}
			b, eta := at(shift, 246)
			for _, x := range eta {
				before := 1.0
				for _, when := range []float64{0.5, 1, 2, 3, 4, 5, 6} {
					s := b.Survival(when, x)
					if !(s >= 0 && s <= before) {
						t.Errorf("survival at %v of η %v: %v after %v", when, x, s, before)
					}
					before = s
				}
			}
		}
		if near0.Of != 0 {
			t.Error("an ordinary baseline is not of η = 0")
		}
	}
}
