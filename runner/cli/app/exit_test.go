package app

import (
	"errors"
	"fmt"
	"testing"

	"tenfold/runner/experiment/reading"
)

func TestExitCode(t *testing.T) {
	t.Parallel()
	tool, bad := errors.New("disk full"), Invalid(errors.New("x"))
	regression, incomplete := WithExit(ExitRegression, errors.New("x")), WithExit(ExitIncomplete, errors.New("x"))
	for _, c := range []struct {
		err  error
		want int
	}{
		{tool, ExitTool}, {bad, ExitInvalid}, {regression, ExitRegression}, {incomplete, ExitIncomplete},
		{reading.Errors{{Msg: "x"}}, ExitInvalid}, {fmt.Errorf("y: %w", reading.Errors{{Msg: "x"}}), ExitInvalid},
		{fmt.Errorf("y: %w", regression), ExitRegression},
		{errors.Join(incomplete, tool), ExitTool}, {errors.Join(incomplete, regression), ExitRegression}, {errors.Join(regression, bad), ExitInvalid},
		{fmt.Errorf("y: %w", errors.Join(incomplete, fmt.Errorf("z: %w", tool))), ExitTool},
	} {
		if got := ExitCode(c.err); got != c.want {
			t.Errorf("%v: %d, want %d", c.err, got, c.want)
		}
	}
}
