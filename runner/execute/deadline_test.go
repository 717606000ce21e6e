package execute_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/io/results"
	"tenfold/runner/execute"
)

// A fit that has begun by the deadline ends; those after it are rows that say why they have no result.
func TestDeadline(t *testing.T) {
	t.Parallel()
	s := split(dataset(t))
	after := 50 * time.Millisecond
	first := unit("first", s, func(ctx context.Context, run engines.Run) (engines.Model, error) {
		time.Sleep(3 * after)
		return succeed(ctx, run)
	})
	first.Predicted = time.Hour // so that it is the first
	kept := &store{got: map[string]*results.Outcome{}}
	err := execute.Run(t.Context(), []*execute.Unit{first, unit("second", s, succeed)}, kept, execute.Options{Jobs: 1, Deadline: execute.Deadline{Time: time.Now().Add(after), After: after}})
	if err != nil {
		t.Fatal(err)
	}
	if o := kept.got["first"]; o.Status != results.OK {
		t.Errorf("first: %s, %s", o.Status, o.Error)
	}
	if o := kept.got["second"]; o.Status != results.Skipped || !strings.HasPrefix(o.Error, "not run: the deadline of the run, 50ms after its start") {
		t.Errorf("second: %s, %s", o.Status, o.Error)
	}
}
