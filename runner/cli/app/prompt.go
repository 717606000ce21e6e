package app

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Questions to the user at the terminal.

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// ReadLine reads a line of input. more is false at the end of the input and when ctx ends.
func ReadLine(ctx context.Context, in *bufio.Reader) (line string, more bool) {
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

// AskYes reads the answer to a yes-or-no question. No line, or an interruption, counts as no.
func AskYes(ctx context.Context, in io.Reader) bool {
	line, _ := ReadLine(ctx, bufio.NewReader(in))
	line = strings.ToLower(strings.TrimSpace(line))
	return line == "y" || line == "yes"
}
