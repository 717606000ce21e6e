package app

import (
	"context"
	"io"
	"strings"
	"testing"
)

func TestAgreed(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]bool{"y\n": true, " Yes \n": true, "\n": false, "n\n": false, "": false, "yesterday\n": false} {
		if got := AskYes(t.Context(), strings.NewReader(answer)); got != want {
			t.Errorf("%q: %v", answer, got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	silent, w := io.Pipe()
	defer w.Close()
	if AskYes(ctx, silent) {
		t.Error("an interruption counts as consent")
	}
}
