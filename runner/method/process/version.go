package process

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"tenfold/io/files"
	"tenfold/runner/method/declaration"
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
func AskVersion(ctx context.Context, d *declaration.Declaration) (string, error) {
	if len(d.Version) == 0 && !d.Sandboxed() {
		return "", nil
	}
	folder, err := Temporary("version")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	if err := os.Mkdir(filepath.Join(folder, "tmp"), 0o755); err != nil {
		return "", err
	}
	if err := checkSandbox(ctx, d, folder); err != nil || len(d.Version) == 0 {
		return "", err
	}
	p, err := invocationOf(d, d.Version, folder, 1)
	if err != nil {
		return "", err
	}
	out, stderr, end, err := runOnce(ctx, d, p, folder)
	command := strings.Join(d.Version, " ")
	if err != nil {
		return "", fmt.Errorf("method %s: version %q: %w", d.Name, command, err)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	line = strings.TrimSpace(line)
	switch {
	case !end.succeeded():
		return "", fmt.Errorf("method %s: version %q: %w", d.Name, command, withComplaint(end, stderr.Tail()))
	case line == "":
		return "", fmt.Errorf("method %s: version %q printed nothing; its first line is part of keys", d.Name, command)
	case len(line) > versionLine:
		return "", fmt.Errorf("method %s: version %q printed a first line of %d bytes, expected at most %d; it is part of keys", d.Name, command, len(line), versionLine)
	}
	return line, nil
}

// runOnce runs a program as the method runs, but without a request. It ends one that prints more than versionBytes.
func runOnce(ctx context.Context, d *declaration.Declaration, p invocation, folder string) (out string, stderr *tailWriter, end ended, err error) {
	ctx, stop := context.WithTimeoutCause(ctx, versionLimit, fmt.Errorf("it took longer than %s", versionLimit))
	defer stop()
	ctx, tooMuch := context.WithCancelCause(ctx)
	defer tooMuch(nil)
	ours, theirs, err := newPipes()
	if err != nil {
		return "", nil, end, err
	}
	defer ours.close()
	p = sandboxed(d, p, folder, nil)
	p.Env, p.files = processEnvironment(d, folder, "", 1), theirs
	var pool supervisors
	defer pool.close()
	t, err := startTree(d, &pool, folder, p)
	theirs.close()
	if err != nil {
		return "", nil, end, err
	}
	watching := context.AfterFunc(ctx, func() {
		t.signal(syscall.SIGKILL)
		containerOf(d, folder).end()
	})
	ours[0].Close()
	text := &files.Capped{Most: versionBytes, Full: tooMuch}
	stderr = newTailWriter("", "")
	var reading sync.WaitGroup
	reading.Go(func() { io.Copy(text, ours[1]) })
	reading.Go(func() { io.Copy(stderr, ours[2]) })
	end = t.wait()
	watching()
	t.release()
	closing := time.AfterFunc(time.Second, ours.close) // in case processes that are not seen hold the output open
	reading.Wait()
	closing.Stop()
	return text.String(), stderr, end, context.Cause(ctx)
}

// CheckProgram returns an error if the program of the command is not installed here.
func CheckProgram(d *declaration.Declaration) error {
	folder, err := Temporary("version")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	_, err = invocationOf(d, d.Command, folder, 1)
	return err
}
