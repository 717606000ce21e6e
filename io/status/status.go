// Package status is how a run's progress is seen from outside: every process that works in a run's folder keeps a small
// file there, status/HOST-PID.json, and whoever wants to know reads them all. Nothing depends on them: a run works without
// them, and goes on from what is stored whatever they say.
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

// States of a process.
const (
	StateRunning     = "running"
	StateWriting     = "writing"     // all fits have ended; results and the report are being written
	StateEnded       = "ended"       // Exit says how
	StateInterrupted = "interrupted" // by a signal; what was stored stays
	StateDetached    = "detached"    // by itself, having left its units to the jobs of a queue
)

// Status is what one process says of its part of a run.
type Status struct {
	Host     string `json:"host"`
	PID      int    `json:"pid"`
	Executor string `json:"executor"` // what it is run by: local, or slurm
	// Elsewhere is what is known of processes that the executor started, such as how many of them wait.
	Elsewhere string    `json:"elsewhere,omitempty"`
	Started   time.Time `json:"started"`
	Updated   time.Time `json:"updated"`
	Total     int       `json:"total"`  // units that this process answers for; one that works for another, which counts them, says 0
	Done      int       `json:"done"`   // of them, those that ended, well or not
	Failed    int       `json:"failed"` // of those, the ones that did not end well
	Running   []Running `json:"running"`
	Left      float64   `json:"left"`   // seconds that the rest will take, by what is known; 0 where nothing is
	Memory    int64     `json:"memory"` // resident bytes; 0 where the system does not tell
	State     string    `json:"state"`
	Exit      int       `json:"exit"`  // code of the process, once it has ended
	Error     string    `json:"error"` // why, where that is not 0
}

// Running is a unit in flight.
type Running struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
	Usual float64   `json:"usual"` // seconds that its neighbours took, or that were predicted; 0 where nothing is known
}

// Slow tells whether a unit takes much longer than is usual: more than three times as long, and more than ten seconds.
func (r Running) Slow(now time.Time) bool {
	took := now.Sub(r.Since).Seconds()
	return r.Usual > 0 && took > 10 && took > 3*r.Usual
}

// stale is how long a process that is alive may leave its file alone.
const stale = 15 * time.Second

// Alive tells whether the process was at work a moment ago: it has not said that it ended, and its file is fresh. Clocks of
// hosts may differ by less than that, either way.
func (s Status) Alive(now time.Time) bool {
	age := now.Sub(s.Updated)
	return !s.Over() && -stale < age && age < stale
}

// Over tells whether the process said that it ended, and its part of the run with it.
func (s Status) Over() bool { return s.State == StateEnded || s.State == StateInterrupted }

const (
	folder    = "status" // inside the run's folder
	extension = ".json"
	largest   = 1 << 20 // bytes of a file that is read
)

// A file that says what it said before is written again so often, for its process to be seen alive.
const (
	mostOften  = time.Second
	leastOften = 5 * time.Second
)

// Writer keeps the file of this process. Its methods may be called from several goroutines.
type Writer struct {
	Executor string // that Put fills in
	Helps    bool   // another process counts the units of this one, which says 0

	run   files.Root
	name  string // of the file
	host  string
	begun time.Time

	mu      sync.Mutex
	last    Status // as it was put
	written Status // as it was written
	closed  bool
}

// Open begins the status of this process in a run's folder. Nothing is written before the first Put.
func Open(run string) (*Writer, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	if info, err := os.Stat(run); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file; a run's folder was expected", run)
	}
	name := fmt.Sprintf("%s-%d%s", plain(host), os.Getpid(), extension)
	return &Writer{Executor: "local", run: files.Root(run), name: path.Join(folder, name), host: host, begun: time.Now()}, nil
}

// plain is a host's name as part of a file's.
func plain(host string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, host)
}

// Put says how things stand: it is called as often as one likes, once a second or so at least, and writes once a second at
// most, less often where nothing changed, and at once where State did. Host, PID, Executor, Started, Updated, and an empty
// State are filled in.
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
	wait := mostOften
	if same(s, w.written) {
		wait = leastOften
	}
	if w.closed || s.State == w.written.State && now.Sub(w.written.Updated) < wait {
		return nil
	}
	return w.write(now)
}

// Keep says one thing again and again, for the process to be seen alive, until stop is called.
func (w *Writer) Keep(s Status) (stop func(), err error) {
	err = w.Put(s)
	over, rest := make(chan struct{}), new(sync.WaitGroup)
	rest.Go(func() {
		t := time.NewTicker(leastOften)
		defer t.Stop()
		for {
			select {
			case <-over:
				return
			case <-t.C:
				_ = w.Put(s) // whoever puts what matters hears of it
			}
		}
	})
	return sync.OnceFunc(func() { close(over); rest.Wait() }), err
}

// same tells whether there is nothing new to say; memory is always a little different.
func same(a, b Status) bool {
	return a.Total == b.Total && a.Done == b.Done && a.Failed == b.Failed && a.State == b.State && slices.Equal(a.Running, b.Running)
}

func (w *Writer) write(now time.Time) error {
	w.written = w.last
	w.written.Updated = now
	return w.run.Replace(w.name, func(out io.Writer) error {
		e := json.NewEncoder(out)
		e.SetIndent("", " ")
		return e.Encode(w.written)
	})
}

// End writes what was put last, with how the process ended; nothing is written after it. Where nothing was put, there is
// no file.
func (w *Writer) End(state string, exit int, why string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.last.State == "" {
		return nil
	}
	w.closed = true
	w.last.State, w.last.Exit, w.last.Error = state, exit, why
	w.last.Running, w.last.Left = []Running{}, 0
	return w.write(time.Now())
}

// Close is a good end, unless there was another.
func (w *Writer) Close() error { return w.End(StateEnded, 0, "") }

// Read what the processes in a run's folder say, in order of their start. A file that is damaged says nothing and is passed
// over; no folder is no process.
func Read(run string) ([]Status, error) {
	var out []Status
	err := each(run, func(_ string, s Status) error {
		out = append(out, s)
		return nil
	})
	slices.SortStableFunc(out, func(a, b Status) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Host, b.Host), cmp.Compare(a.PID, b.PID))
	})
	return out, err
}

// Clear removes what processes of the past left in a run's folder: those that ended, and those that were killed. A new run
// begins with it; processes that share the work of one do not.
func Clear(run string) error {
	now := time.Now()
	err := each(run, func(name string, s Status) error {
		if s.Alive(now) {
			return nil
		}
		return files.Root(run).Remove(name)
	})
	return errors.Join(err, files.Root(run).Sweep(folder))
}

func each(run string, visit func(name string, s Status) error) error {
	entries, err := files.Root(run).ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") || path.Ext(e.Name()) != extension {
			continue
		}
		name := path.Join(folder, e.Name())
		if s, ok := read(run, name); ok {
			err = errors.Join(err, visit(name, s))
		}
	}
	return err
}

func read(run, name string) (s Status, ok bool) {
	b, err := files.Root(run).ReadFile(name, largest)
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	return s, err == nil && s.State != ""
}
