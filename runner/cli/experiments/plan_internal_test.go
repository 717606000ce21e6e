package experiments

import (
	"testing"

	"tenfold/runner/plan"
)

func TestReasons(t *testing.T) {
	t.Parallel()
	var units []*plan.Unit
	for _, r := range []string{"new", "failed before", "new"} {
		units = append(units, &plan.Unit{Reason: r})
	}
	for n, want := range map[int]string{0: "", 1: "new", 2: "new (1); failed before (1)", 3: "new (2); failed before (1)"} {
		if got := reasonsText(units[:n]); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
