// Package slurm runs commands as job arrays of a Slurm cluster, through sbatch, squeue, sacct, scontrol and scancel.
package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Cluster is the one that the commands on the path talk to.
type Cluster struct {
	// Run a command and return what it wrote to its standard output. An error says what it wrote to standard error.
	Run func(ctx context.Context, stdin string, name string, args ...string) (string, error)
	// Warn hears of a controller that does not answer, once a silence.
	Warn func(error)
	// Patience between attempts at a command that failed for reasons that pass: it doubles, up to a minute.
	Patience time.Duration
	// GiveUp is how long submitting is tried in vain; looking at jobs is tried for ever, since they go on by themselves.
	GiveUp time.Duration
}

// New cluster of this host; an error where there are no Slurm commands.
func New(warn func(error)) (*Cluster, error) {
	for _, name := range []string{"sbatch", "squeue", "scancel", "scontrol"} {
		if _, err := exec.LookPath(name); err != nil {
			return nil, fmt.Errorf("no command %s on this host: --executor slurm needs the commands of a Slurm cluster", name)
		}
	}
	return &Cluster{Run: command, Warn: warn, Patience: time.Second, GiveUp: 10 * time.Minute}, nil
}

// failed is a command that ended with an error.
type failed struct {
	name, text string
	err        error
}

func (f failed) Error() string {
	if f.text == "" {
		return fmt.Sprintf("%s: %v", f.name, f.err)
	}
	return f.name + ": " + f.text
}

func (f failed) Unwrap() error { return f.err }

func command(ctx context.Context, stdin, name string, args ...string) (string, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		text := strings.TrimSpace(errs.String())
		for _, prefix := range []string{name + ": error: ", name + ": fatal: ", "slurm_load_jobs error: "} {
			text = strings.TrimPrefix(text, prefix)
		}
		return out.String(), failed{name, text, err}
	}
	return out.String(), nil
}

// passing are what Slurm says when the same command may work a little later.
var passing = []string{
	"unable to contact slurm controller", "socket timed out", "connection refused", "connection timed out", "connection reset",
	"temporarily", "try again", "zero bytes were transmitted", "transport endpoint", "protocol authentication error",
	"communication connection failure", "slurmctld", "too many open files",
}

// full are what it says when this user has as many jobs as are allowed: later there is room again.
var full = []string{"qosmaxsubmitjobperuserlimit", "job violates accounting/qos policy", "maximum number of jobs", "assocmaxsubmitjob"}

func says(err error, phrases []string) bool {
	var f failed
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

// persist repeats a command while what keeps it from working passes: until ctx ends, or the time is up (0: never).
func (c *Cluster) persist(ctx context.Context, phrases []string, limit time.Duration, do func() error) error {
	begun, pause, warned := time.Now(), c.Patience, false
	for {
		err := do()
		if err == nil || !says(err, phrases) || limit > 0 && time.Since(begun) > limit {
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

// ask runs a command that looks at jobs.
func (c *Cluster) ask(ctx context.Context, name string, args ...string) (out string, err error) {
	err = c.persist(ctx, passing, 0, func() error {
		out, err = c.Run(ctx, "", name, args...)
		return err
	})
	return out, err
}
