package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// outcome is what one program made of a workload, over the pairs.
type outcome struct {
	label     string
	runs      []usage
	qualities qualities
	said      string // why there are no figures, or what is to be known of them
	ended     bool   // it is not started again
}

// bench runs workloads; dir has data, scripts and what programs write.
type bench struct {
	tenfold string // the program
	dir     string
	pairs   int
	say     func(format string, arguments ...any) // progress
	found   map[string]installed
}

// installed is what find says of a program.
type installed struct {
	command []string
	version string
	err     error
}

func (b *bench) look(p program) installed {
	i, known := b.found[p.name]
	if !known {
		i.command, i.version, i.err = p.find()
		b.found[p.name] = i
	}
	return i
}

// task is a program, with how it is run once.
type task struct {
	outcome *outcome
	once    func() (usage, qualities, error)
}

// run measures a workload: in each pair every program once, ours first in the first pair, last in the second, and so on. The
// first outcome is ours.
func (b *bench) run(w workload, data string) ([]*outcome, error) {
	out := filepath.Join(b.dir, "work", w.name)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	ours, err := b.ourTask(w, data, out)
	if err != nil {
		return nil, err
	}
	tasks := []task{ours}
	for k, p := range w.peers {
		tasks = append(tasks, b.peerTask(p, data, filepath.Join(out, fmt.Sprintf("peer%d", k+1))))
	}
	if ours.outcome.ended { // there is nothing to compare with
		return []*outcome{ours.outcome}, nil
	}
	for pair := range b.pairs {
		for k := range tasks {
			if pair%2 == 1 {
				k = len(tasks) - 1 - k
			}
			if err := b.once(w, tasks[k], pair); err != nil {
				return nil, err
			}
		}
	}
	var all []*outcome
	for _, t := range tasks {
		all = append(all, t.outcome)
	}
	return all, nil
}

func (b *bench) once(w workload, t task, pair int) error {
	if t.outcome.ended {
		return nil
	}
	u, q, err := t.once()
	if err != nil {
		return fmt.Errorf("%s, %s: %w", w.name, t.outcome.label, err)
	}
	b.say("%s, pair %d: %s %.2f s CPU, %.2f s, load %s", w.name, pair+1, t.outcome.label, u.CPU, u.Wall, load())
	switch {
	case u.Stopped:
		t.outcome.said = fmt.Sprintf("stopped after %.0f s, unfinished", u.Wall)
		t.outcome.runs, t.outcome.ended = nil, true
	case u.Failed != "":
		t.outcome.said = "failed: " + u.Failed
		t.outcome.runs, t.outcome.ended = nil, true
	default:
		t.outcome.runs, t.outcome.qualities = append(t.outcome.runs, u), q
	}
	return nil
}

// ourTask returns the task of tenfold as users run it: an experiment file, nothing compiled or stored from before.
func (b *bench) ourTask(w workload, data, out string) (task, error) {
	o := &outcome{label: "tenfold"}
	if exec.Command(b.tenfold, "describe", "engine", w.engine).Run() != nil {
		o.said, o.ended = fmt.Sprintf("this tenfold has no engine %s: left out", w.engine), true
		return task{outcome: o}, nil
	}
	file := filepath.Join(out, "experiment.yaml")
	if err := os.WriteFile(file, []byte(w.text(data)), 0o644); err != nil {
		return task{}, err
	}
	cache, run := filepath.Join(out, "cache"), filepath.Join(out, "run")
	return task{o, func() (usage, qualities, error) {
		for _, folder := range []string{cache, run} {
			if err := os.RemoveAll(folder); err != nil {
				return usage{}, nil, err
			}
		}
		said := filepath.Join(out, "tenfold.out")
		u, err := measure(out, said, ourLimit, b.tenfold, "run", file, "--cache", cache, "--out", run, "--jobs", "1")
		if err != nil || u.Stopped {
			return u, nil, err
		}
		if u.Failed != "" {
			content, _ := os.ReadFile(said)
			return u, nil, fmt.Errorf("%s\n%s", u.Failed, content)
		}
		q, err := ourQuality(run)
		return u, q, err
	}}, nil
}

func (b *bench) peerTask(p peer, data, out string) task {
	o := &outcome{label: p.label}
	found := b.look(p.program)
	if found.err != nil {
		o.said, o.ended = p.missing(), true
		return task{outcome: o}
	}
	command := append([]string{}, found.command...)
	if p.script != "" {
		command = append(command, filepath.Join(b.dir, "programs", p.script))
	}
	for _, a := range p.args {
		command = append(command, strings.NewReplacer("{data}", data, "{out}", out).Replace(a))
	}
	return task{o, func() (usage, qualities, error) {
		if err := os.MkdirAll(out, 0o755); err != nil {
			return usage{}, nil, err
		}
		said := filepath.Join(out, "output")
		u, err := measure(out, said, p.limit, command...)
		if err != nil || u.Stopped {
			return u, nil, err
		}
		content, err := os.ReadFile(said)
		if err != nil {
			return u, nil, err
		}
		if u.Failed != "" {
			u.Failed += ": " + lastLine(content)
			return u, nil, nil
		}
		if strings.Contains(string(content), "reaching max number of iterations") {
			o.said = "ended at its largest number of iterations"
		}
		if p.quality == nil {
			q, err := saidQuality(content)
			return u, q, err
		}
		q, err := p.quality(data, out, content)
		return u, q, err
	}}
}

// load returns the load average of the last minute, as the system tells it.
func load() string {
	content, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(content), " ")
	return first
}

// now returns the time in UTC, for the head of the table.
func now() string { return time.Now().UTC().Format("2006-01-02 15:04 UTC") }
