package cli

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Questions to whoever is at the terminal.

func isTerminal(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// lineOf the input; more is false at its end, and when ctx ends.
func lineOf(ctx context.Context, in *bufio.Reader) (line string, more bool) {
	type read struct {
		line string
		err  error
	}
	got := make(chan read, 1)
	go func() {
		line, err := in.ReadString('\n')
		got <- read{line, err}
	}()
	select {
	case <-ctx.Done():
		return "", false
	case r := <-got:
		return r.line, r.err == nil
	}
}

// agreed waits for an answer to a question of yes or no. No line, and an interruption, is no.
func agreed(ctx context.Context, in io.Reader) bool {
	line, _ := lineOf(ctx, bufio.NewReader(in))
	line = strings.ToLower(strings.TrimSpace(line))
	return line == "y" || line == "yes"
}
