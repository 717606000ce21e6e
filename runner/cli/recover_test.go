package cli

import (
	"errors"
	"strings"
	"testing"

	"tenfold/engines/numeric/parallel"
	"tenfold/runner/cli/app"
)

// unreadable is what the runtime panics with at an address that is not there.
type unreadable struct{}

func (unreadable) Error() string { return "unexpected fault address" }
func (unreadable) Addr() uintptr { return 1 }

// TestGuarded: a panic is the tool's failure, not an invalid experiment, which Go's own exit code would say.
func TestGuarded(t *testing.T) {
	t.Parallel()
	plain := errors.New("plain")
	for _, c := range []struct {
		panics any
		want   string
	}{
		{nil, "plain"}, {"wild", "a mistake in tenfold, please report it: panic: wild\n"}, {unreadable{}, "was cut short by another program"},
		{&parallel.Panic{Value: unreadable{}}, "was cut short by another program"},
	} {
		err := recoverPanics(func() error {
			if c.panics != nil {
				panic(c.panics)
			}
			return plain
		})
		if err == nil || !strings.Contains(err.Error(), c.want) || app.ExitCode(err) != app.ExitTool {
			t.Errorf("%v: %v", c.panics, err)
		}
	}
}
