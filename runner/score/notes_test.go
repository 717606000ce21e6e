package score

import (
	"math"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/runner/metric"
)

// Rows whose level has no probability are counted, and told with the target where there are several.
func TestImpossible(t *testing.T) {
	none := math.Inf(-1)
	for _, c := range []struct {
		name   string
		truth  []float64
		scores []float64
		logs   bool
		want   string
	}{
		{"", []float64{1, 0, 1}, []float64{0, none, none, 0, none, 0}, true, "2 of 3 test rows"},
		{"y", []float64{1, 0, 1}, []float64{-1, -1, 0, none, 0, none}, true, "target y: 1 of 3 test rows"},
		{"", []float64{1, 0}, []float64{none, 0, 0, none}, true, ""},
		{"", []float64{1, 0}, []float64{0, none, none, 0}, false, ""}, // decision values
	} {
		o := &Target{name: c.name, Outcome: metric.Outcome{Type: data.Class, Levels: []string{"a", "b"}, Probabilities: c.logs, Test: metric.Side{Truth: c.truth, Score: c.scores}}}
		if got := impossible(o); (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%v of %v: %q, want %q", c.truth, c.scores, got, c.want)
		}
	}
}

// Test rows of one class, beyond a single one, are told, since balanced accuracy is then the recall of that class alone.
func TestOneClassIsTold(t *testing.T) {
	for _, c := range []struct {
		truth []float64
		want  string
	}{{[]float64{1, 1}, "target t: all 2 test rows are b: balanced_accuracy is the recall of this class"}, {[]float64{1, 0}, ""}, {[]float64{1}, ""}, {nil, ""}} {
		o := &Target{name: "t", Outcome: metric.Outcome{Type: data.Class, Levels: []string{"a", "b"}, Test: metric.Side{Truth: c.truth}}}
		if got := oneClass(o); got != c.want {
			t.Errorf("%v: %q, expected %q", c.truth, got, c.want)
		}
	}
}
