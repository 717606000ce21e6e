package method

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tenfold/io/files"
)

// versionLimit limits the time of the version command; importing the libraries that it names is slow on a cold disk.
const versionLimit = 2 * time.Minute

// Limits of what the version command prints. Its first line is part of the key of every fit.
const (
	versionBytes = 1 << 20
	versionLine  = 4 << 10
)

// AskVersion runs the version command and returns the first line that it prints; "" if none is declared. It returns an error if that
// line is longer than versionLine, and ends a command that prints more than versionBytes. It returns an error in any case if the
// method is to run in a sandbox, and the system offers none.
func (d *Declaration) AskVersion(ctx context.Context) (string, error) {
	if err := d.checkSandbox(); err != nil || len(d.Version) == 0 {
		return "", err
	}
	folder, err := Temporary("version")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	if err := os.Mkdir(filepath.Join(folder, "tmp"), 0o755); err != nil {
		return "", err
	}
	path, words, err := d.program(d.Version, folder, 1)
	if err != nil {
		return "", err
	}
	ctx, stop := context.WithTimeoutCause(ctx, versionLimit, fmt.Errorf("it took longer than %s", versionLimit))
	defer stop()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	out := &files.Capped{Most: versionBytes, Full: end}
	stderr := newTailWriter("", "")
	c := &exec.Cmd{Path: path, Args: words, Dir: d.Folder, Env: d.environmentOf(folder, "", 1), Stdout: out, Stderr: stderr, WaitDelay: time.Second}
	if err := ownGroup(c, d.Sandbox); err != nil {
		return "", fmt.Errorf("method %s: sandbox: %w", d.Name, err)
	}
	if err := c.Start(); err != nil {
		return "", fmt.Errorf("method %s: version: %w", d.Name, err)
	}
	watching := context.AfterFunc(ctx, func() {
		endGroup(c.Process.Pid)
		d.containerOf(folder).end()
	})
	err = c.Wait()
	watching()
	endGroup(c.Process.Pid)
	command := strings.Join(d.Version, " ")
	if ctx.Err() != nil {
		return "", fmt.Errorf("method %s: version %q: %w", d.Name, command, context.Cause(ctx))
	}
	line, _, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
	line = strings.TrimSpace(line)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return "", fmt.Errorf("method %s: version %q: %w", d.Name, command, withComplaint(errors.New(endOf(exit)), stderr.Tail()))
	case err != nil:
		return "", fmt.Errorf("method %s: version: %w", d.Name, err)
	case line == "":
		return "", fmt.Errorf("method %s: version %q printed nothing; its first line is part of keys", d.Name, command)
	case len(line) > versionLine:
		return "", fmt.Errorf("method %s: version %q printed a first line of %d bytes, expected at most %d; it is part of keys", d.Name, command, len(line), versionLine)
	}
	return line, nil
}

// Runnable returns an error if the program of the command is not installed here.
func (d *Declaration) Runnable() error {
	folder, err := Temporary("version")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	_, _, err = d.program(d.Command, folder, 1)
	return err
}
