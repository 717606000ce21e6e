// Package slurm runs commands as job arrays of a Slurm cluster, with sbatch, squeue, sacct, scontrol and scancel.
package slurm

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"tenfold/io/files"
)

// Cluster runs the Slurm commands on the path.
type Cluster struct {
	// Run runs a command and returns its standard output. Errors contain its standard error.
	Run func(ctx context.Context, stdin string, name string, args ...string) (string, error)
	// Warn is called once for each time that the controller stops answering.
	Warn func(error)
	// Patience is the first pause after a command that failed for a temporary reason: it doubles, up to a minute.
	Patience time.Duration
	// GiveUp is how long submitting is retried; queries are retried for ever, since the jobs go on by themselves.
	GiveUp time.Duration
}

// New returns the cluster of this host; an error if there are no Slurm commands.
func New(warn func(error)) (*Cluster, error) {
	for _, name := range []string{"sbatch", "squeue", "scancel", "scontrol"} {
		if _, err := exec.LookPath(name); err != nil {
			return nil, fmt.Errorf("no command %s on this host: --executor slurm needs the commands of a Slurm cluster", name)
		}
	}
	return &Cluster{Run: runCommand, Warn: warn, Patience: time.Second, GiveUp: 10 * time.Minute}, nil
}

// commandError is the error of a command, with its standard error.
type commandError struct {
	name, text string
	err        error
}

func (f commandError) Error() string {
	if f.text == "" {
		return fmt.Sprintf("%s: %v", f.name, f.err)
	}
	return f.name + ": " + f.text
}

func (f commandError) Unwrap() error { return f.err }

// maxPrinted bounds the bytes that a command may print; squeue prints some 100 for each job.
const maxPrinted = 32 << 20

func runCommand(ctx context.Context, stdin, name string, args ...string) (string, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	full := func(err error) { end(fmt.Errorf("%s: %w", name, err)) }
	out, errs := &files.Capped{Most: maxPrinted, Full: full}, &files.Capped{Most: maxPrinted, Full: full}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), out, errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		text := strings.TrimSpace(errs.String())
		for _, prefix := range []string{name + ": error: ", name + ": fatal: ", "slurm_load_jobs error: "} {
			text = strings.TrimPrefix(text, prefix)
		}
		return out.String(), commandError{name, text, err}
	}
	return out.String(), nil
}

// temporaryErrors lists messages of Slurm after which the same command may work a little later.
var temporaryErrors = []string{
	"unable to contact slurm controller", "socket timed out", "connection refused", "connection timed out", "connection reset",
	"temporarily", "try again", "zero bytes were transmitted", "transport endpoint", "protocol authentication error",
	"communication connection failure", "slurmctld", "too many open files",
}

// limitErrors lists messages of Slurm if this user has as many jobs as allowed.
var limitErrors = []string{"qosmaxsubmitjobperuserlimit", "job violates accounting/qos policy", "maximum number of jobs", "assocmaxsubmitjob"}

func mentionsAny(err error, phrases []string) bool {
	var f commandError
	if !errors.As(err, &f) {
		return false
	}
	text := strings.ToLower(f.text)
	for _, p := range phrases {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// retry repeats a command while it fails with one of these phrases, until ctx ends or after limit (0: never).
func (c *Cluster) retry(ctx context.Context, phrases []string, limit time.Duration, do func() error) error {
	begun, pause, warned := time.Now(), c.Patience, false
	for {
		err := do()
		if err == nil || !mentionsAny(err, phrases) || limit > 0 && time.Since(begun) > limit {
			return err
		}
		if !warned && c.Warn != nil {
			c.Warn(fmt.Errorf("%w; trying again", err))
			warned = true
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
		pause = min(2*pause, time.Minute)
	}
}

// runQuery runs a command that only looks at jobs.
func (c *Cluster) runQuery(ctx context.Context, name string, args ...string) (out string, err error) {
	err = c.retry(ctx, temporaryErrors, 0, func() error {
		out, err = c.Run(ctx, "", name, args...)
		return err
	})
	return out, err
}
