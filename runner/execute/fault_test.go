package execute_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"tenfold/engines"
	"tenfold/io/results"
	"tenfold/runner/execute"
)

// unreadable is what the runtime panics with at an address that cannot be read.
type unreadable struct{}

func (unreadable) Error() string { return "unexpected fault address" }
func (unreadable) Addr() uintptr { return 1 }

// TestFaultsAreNotStored: the outcome of a fit for which the system is to blame is not stored, nor are those of what builds on it; all
// others are.
func TestFaultsAreNotStored(t *testing.T) {
	t.Parallel()
	full := &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	for name, c := range map[string]struct {
		fail   func() error
		stored bool
	}{
		"a full disk":             {func() error { return full }, false},
		"a broken one, wrapped":   {func() error { return fmt.Errorf("y: %w", &fs.PathError{Op: "read", Path: "x", Err: syscall.EIO}) }, false},
		"a method's full disk":    {func() error { return engines.Disturbance{Err: errors.New("said so"), System: true} }, false},
		"a killed method":         {func() error { return engines.Disturbance{Err: errors.New("killed")} }, true},
		"memory of a broken disk": {func() error { panic(unreadable{}) }, false},
		"a model on a full disk":  {func() error { panic(engines.PredictionError{Err: full}) }, false},
		"a missing file":          {func() error { return &fs.PathError{Op: "open", Path: "x", Err: syscall.ENOENT} }, true},
		"a shut folder":           {func() error { return &fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES} }, true},
		"any other failure":       {func() error { return errors.New("singular") }, true},
		"any other panic":         {func() error { panic("wild") }, true},
	} {
		s := &store{got: map[string]*results.Outcome{}}
		d := dataset(t)
		stage := &execute.Unit{Label: results.Label{Unit: "stage", Stage: "first"}, Split: split(d), Engine: scripted{func(context.Context, engines.Run) (engines.Model, error) { return nil, c.fail() }}}
		after := &execute.Unit{Label: results.Label{Unit: "after"}, Split: stage.Split, After: []*execute.Unit{stage}, Build: func(before execute.Before) (engines.Engine, error) {
			_, err := before(0)
			return scripted{succeed}, err
		}}
		other := &execute.Unit{Label: results.Label{Unit: "other"}, Split: stage.Split, Engine: scripted{succeed}}
		err := execute.Run(t.Context(), []*execute.Unit{stage, after, other}, s, execute.Options{Jobs: 1, Retries: 1})
		if (err == nil) != c.stored || (s.got["stage"] != nil) != c.stored || (s.got["after"] != nil) != c.stored || s.got["other"] == nil {
			t.Errorf("%s: %v; stored: %v", name, err, s.got)
		}
		if !c.stored && !strings.Contains(err.Error(), "2 fits failed for a fault of the system, and are not stored; the same command fits them again; the first: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
