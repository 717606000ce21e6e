package source

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
)

// A label is the time of an event, or with a minus that of a censored row.
func TestSurvivalLabels(t *testing.T) {
	l, more := Labels{Type: data.Survival}, Labels{Type: data.Survival}
	for _, label := range []string{"3", "-1.5", "+2e1"} {
		if err := l.Add([]byte(label)); err != nil {
			t.Error(err)
		}
	}
	if err := more.Add([]byte("-4")); err != nil {
		t.Error(err)
	}
	l.Append(&more)
	targets, err := l.Targets("")
	if y := targets[0]; err != nil || y.Type != data.Survival || !slices.Equal(y.Values, []float64{3, 1.5, 20, 4}) || !slices.Equal(y.Events, []int8{1, 0, 1, 0}) {
		t.Errorf("%+v, %v", y, err)
	}
	for _, bad := range []string{"0", "-0", "x", "nan"} {
		if err := l.Add([]byte(bad)); err == nil || !strings.Contains(err.Error(), "expected the time of an event, or that of a censored row with a minus before it") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
