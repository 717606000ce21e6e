// Package status shows a run's progress to other processes: every process that works in a run's folder keeps a small file
// there, status/HOST-PID.json, and observers read them all. Nothing depends on these files: a run works without them, and
// resumes from what is stored whatever they say.
package status

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"tenfold/io/files"
)

// Planning is Elsewhere of a process that does not know yet what there is to run.
const Planning = "planning"

// States of a process.
const (
	StateRunning     = "running"
	StateWriting     = "writing"     // all fits have ended; results and the report are being written
	StateEnded       = "ended"       // Exit says how
	StateInterrupted = "interrupted" // by a signal; what was stored stays
	StateDetached    = "detached"    // it left its units to queued jobs
)

// Status is the state of one process and of its part of a run.
type Status struct {
	Host     string `json:"host"`
	PID      int    `json:"pid"`
	Executor string `json:"executor"` // what runs it: local, or slurm
	// Elsewhere describes processes that the executor started, such as how many of them wait.
	Elsewhere string    `json:"elsewhere,omitempty"`
	Started   time.Time `json:"started"`
	Updated   time.Time `json:"updated"`
	Total     int       `json:"total"`  // units that this process answers for; 0 if another process counts them
	Done      int       `json:"done"`   // of them, those that ended, well or not
	Failed    int       `json:"failed"` // of those, the ones that did not end well
	Running   []Running `json:"running"`
	Left      float64   `json:"left"`   // estimated seconds to the end; 0 if unknown
	Memory    int64     `json:"memory"` // resident bytes; 0 if the system does not say
	State     string    `json:"state"`
	Exit      int       `json:"exit"`  // code of the process, once it has ended
	Error     string    `json:"error"` // why, if Exit is not 0
}

// Running is a unit in flight.
type Running struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
	Usual float64   `json:"usual"`           // seconds that its neighbours took, or that were predicted; 0 if unknown
	Doing string    `json:"doing,omitempty"` // how far it has come, where its engine tells
}

// Slow reports whether a unit takes more than three times as long as usual, and more than ten seconds.
func (r Running) Slow(now time.Time) bool {
	took := now.Sub(r.Since).Seconds()
	return r.Usual > 0 && took > 10 && took > 3*r.Usual
}

// maxAge is how long a live process may leave its file unchanged.
const maxAge = 15 * time.Second

// Alive reports whether the process was at work a moment ago: it has not ended, and its file is fresh. Clocks of hosts
// may differ by less than maxAge either way.
func (s Status) Alive(now time.Time) bool {
	age := now.Sub(s.Updated)
	return !s.Over() && -maxAge < age && age < maxAge
}

// Over reports whether the process said that it ended, and its part of the run with it.
func (s Status) Over() bool { return s.State == StateEnded || s.State == StateInterrupted }

const (
	folder    = "status" // inside the run's folder
	extension = ".json"
	largest   = 1 << 20 // bytes of a file that is read
)

// Times between writes: at least minInterval, and at most maxInterval, so that the process is seen to be alive.
const (
	minInterval = time.Second
	maxInterval = 5 * time.Second
)

// Writer keeps the file of this process. Its methods are safe for concurrent use.
type Writer struct {
	Executor string // filled in by Put
	Helps    bool   // another process counts the units of this one

	run   files.Root
	name  string // of the file
	host  string
	begun time.Time

	mu      sync.Mutex
	last    Status // as it was put
	written Status // as it was written
	closed  bool
}

// Open returns the writer of this process's status in a run's folder. Nothing is written before the first Put.
func Open(run string) (*Writer, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	if info, err := os.Stat(run); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file; a run's folder was expected", run)
	}
	name := fmt.Sprintf("%s-%d%s", hostFileName(host), os.Getpid(), extension)
	return &Writer{Executor: "local", run: files.Root(run), name: path.Join(folder, name), host: host, begun: time.Now()}, nil
}

// hostFileName makes a host's name part of a file name.
func hostFileName(host string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, host)
}

// Put sets the present state. Call it at least every second or so; it writes at most once a second, less often if nothing
// changed, and at once if State did. It fills in Host, PID, Executor, Started, Updated, and an empty State.
func (w *Writer) Put(s Status) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.Host, s.PID, s.Started, s.Executor = w.host, os.Getpid(), w.begun, w.Executor
	if w.Helps {
		s.Total, s.Done, s.Failed = 0, 0, 0
	}
	s.State = cmp.Or(s.State, StateRunning)
	if s.Running == nil {
		s.Running = []Running{}
	}
	w.last = s
	now := time.Now()
	wait := minInterval
	if sameProgress(s, w.written) {
		wait = maxInterval
	}
	if w.closed || s.State == w.written.State && now.Sub(w.written.Updated) < wait {
		return nil
	}
	return w.writeFile(now)
}

// Keep puts the same status again and again, to show that the process is alive, until stop is called.
func (w *Writer) Keep(s Status) (stop func(), err error) {
	err = w.Put(s)
	over, rest := make(chan struct{}), new(sync.WaitGroup)
	rest.Go(func() {
		t := time.NewTicker(maxInterval)
		defer t.Stop()
		for {
			select {
			case <-over:
				return
			case <-t.C:
				_ = w.Put(s) // the error shows again at the next Put
			}
		}
	})
	return sync.OnceFunc(func() { close(over); rest.Wait() }), err
}

// sameProgress reports whether there is nothing new to write. It ignores memory, which always differs a little.
func sameProgress(a, b Status) bool {
	return a.Total == b.Total && a.Done == b.Done && a.Failed == b.Failed && a.State == b.State && slices.Equal(a.Running, b.Running)
}

func (w *Writer) writeFile(now time.Time) error {
	w.written = w.last
	w.written.Updated = now
	return w.run.Replace(w.name, func(out io.Writer) error {
		e := json.NewEncoder(out)
		e.SetIndent("", " ")
		return e.Encode(w.written)
	})
}

// End writes the last status with how the process ended; nothing is written after it. If nothing was put, there is no file.
func (w *Writer) End(state string, exit int, why string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.last.State == "" {
		return nil
	}
	w.closed = true
	w.last.State, w.last.Exit, w.last.Error = state, exit, why
	w.last.Running, w.last.Left = []Running{}, 0
	return w.writeFile(time.Now())
}

// Close ends the status well, unless End was called.
func (w *Writer) Close() error { return w.End(StateEnded, 0, "") }

// Read returns the states of the processes in a run's folder, in order of their start. Damaged files are ignored; a
// missing folder means no process.
func Read(run string) ([]Status, error) {
	var out []Status
	err := forEachStatus(run, func(_ string, s Status) error {
		out = append(out, s)
		return nil
	})
	slices.SortStableFunc(out, func(a, b Status) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Host, b.Host), cmp.Compare(a.PID, b.PID))
	})
	return out, err
}

// Clear removes the files of processes that ended or were killed. A new run calls it; processes that share the work of
// one do not.
func Clear(run string) error {
	now := time.Now()
	err := forEachStatus(run, func(name string, s Status) error {
		if s.Alive(now) {
			return nil
		}
		return files.Root(run).Remove(name)
	})
	return errors.Join(err, files.Root(run).Sweep(folder))
}

func forEachStatus(run string, visit func(name string, s Status) error) error {
	entries, err := files.Root(run).ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") || path.Ext(e.Name()) != extension {
			continue
		}
		name := path.Join(folder, e.Name())
		if s, ok := readStatus(run, name); ok {
			err = errors.Join(err, visit(name, s))
		}
	}
	return err
}

func readStatus(run, name string) (s Status, ok bool) {
	b, err := files.Root(run).ReadFile(name, largest)
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	return s, err == nil && s.State != ""
}
