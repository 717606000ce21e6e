package serve

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"syscall"
	"time"

	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/io/status"
	"tenfold/reports/digits"
)

// States of a run, in words.
const (
	running     = "running"
	writing     = "writing results"
	interrupted = "interrupted"
	died        = "stopped" // without a word: killed, or its machine went down
	complete    = "complete"
	incomplete  = "incomplete"
	empty       = "nothing yet"
	unreadable  = "unreadable"
)

// summary of a run, for the list of runs: what can be told without its rows.
type summary struct {
	Datasets, Algorithms int
	Cells, Fits          int // planned
	OK, Failed           int // fits in the result files: failed and timed out
	Written              time.Time
	Digest               string
	Commit               string
	Metrics              []string
}

// standing is how a run stands at a moment.
type standing struct {
	*summary
	State     string
	Trouble   string // why it is unreadable
	Processes []process
	Done      int // of a run in progress: fits stored and to run, as its processes tell
	Total     int
	Bad       int
	Rate      float64 // fits an hour; 0 where it cannot be told
	Left      time.Duration
	Running   []unit
	Memory    int64
	Now       time.Time
}

// process that works on a run, or did.
type process struct {
	status.Status
	Alive bool
}

// unit in flight.
type unit struct {
	Name string
	For  time.Duration
	Slow bool
}

// sumUp reads what the list of runs needs.
func (r *run) sumUp() (*summary, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.sum != nil {
		return r.sum, nil
	}
	b := r.brief
	s := &summary{Cells: b.Input.Planned, Fits: b.Units, Metrics: b.Input.Metrics}
	names := map[string]bool{}
	for _, d := range b.Input.Data {
		names[cmp.Or(d.Family, d.Name)] = true
	}
	s.Datasets = len(names)
	if r.stamp.results.there() {
		footer, counts, err := r.glance()
		if err != nil {
			return nil, err
		}
		s.Written, s.Digest, s.Commit = r.stamp.results.at, footer.Digest, footer.Provenance.Commit
		if s.Commit != "" && footer.Provenance.Dirty {
			s.Commit += " +"
		}
		s.OK, s.Failed = counts[0][string(results.OK)], counts[0][string(results.Failed)]+counts[0][string(results.Timeout)]
		s.Algorithms = len(counts[1])
	}
	r.sum = s
	return s, nil
}

// glance is what the result files say of themselves, and how many rows they have by status and by algorithm.
func (r *run) glance() (footer *results.Tables, counts []map[string]int, err error) {
	if r.view == nil || r.view.tables == nil {
		return results.Glance(r.file(results.ResultsFile), "status", "algorithm")
	}
	footer = r.view.tables // which are in memory
	counts = []map[string]int{{}, {}}
	for i := range footer.Rows {
		counts[0][string(footer.Rows[i].Status)]++
		counts[1][footer.Rows[i].Algorithm]++
	}
	return footer, counts, nil
}

// stands tells how the run stands now.
func (r *run) stands(now time.Time) standing {
	out := standing{Now: now, State: empty}
	var err error
	if out.summary, err = r.sumUp(); err != nil {
		out.summary, out.State, out.Trouble = &summary{}, unreadable, err.Error()
		return out
	}
	alive := out.follow(r.statuses(), now)
	written := r.written()
	switch {
	case alive:
	case written && out.OK+out.Failed >= out.Fits && out.Failed == 0:
		out.State = complete
	case written:
		out.State = incomplete
	case slices.ContainsFunc(out.Processes, func(p process) bool { return p.State == status.StateInterrupted }):
		out.State = interrupted
	case len(out.Processes) > 0 || r.begun():
		out.State = died
	}
	return out
}

// begun tells whether anything is stored.
func (r *run) begun() bool {
	some, err := journal.At(r.Dir).Keys()
	return err == nil && len(some) > 0
}

// follow what the processes tell; true where one is alive.
func (s *standing) follow(all []status.Status, now time.Time) (alive bool) {
	for _, p := range all {
		one := process{p, p.Alive(now) && !gone(p)}
		s.Processes = append(s.Processes, one)
		if !one.Alive {
			continue
		}
		s.Done, s.Total, s.Bad = s.Done+p.Done, s.Total+p.Total, s.Bad+p.Failed
		if !alive || p.State == status.StateRunning {
			s.State = map[string]string{status.StateWriting: writing}[p.State]
		}
		alive = true
		s.State = cmp.Or(s.State, running)
		s.Memory += p.Memory
		if passed := now.Sub(p.Started); p.Done > 0 && passed > 0 {
			rate := float64(p.Done) / passed.Hours()
			s.Rate += rate
			s.Left = max(s.Left, time.Duration(float64(p.Total-p.Done)/rate*float64(time.Hour)))
		}
		for _, u := range p.Running {
			s.Running = append(s.Running, unit{Name: u.Name, For: max(0, now.Sub(u.Since))})
		}
	}
	slices.SortStableFunc(s.Running, func(a, b unit) int { return cmp.Compare(b.For, a.For) })
	s.markSlow()
	return alive
}

// gone tells whether a process of this machine, which last said that it runs, is not there any more.
func gone(p status.Status) bool {
	if host, err := os.Hostname(); err != nil || host != p.Host {
		return false
	}
	at, err := os.FindProcess(p.PID)
	return err != nil || errors.Is(at.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// markSlow marks units that take much longer than a fit took on average.
func (s *standing) markSlow() {
	if s.Rate == 0 || len(s.Running) == 0 {
		return
	}
	usual := time.Duration(float64(time.Hour) / s.Rate * float64(len(s.Running)))
	for i := range s.Running {
		s.Running[i].Slow = s.Running[i].For > max(5*usual, 10*time.Second)
	}
}

// Live tells whether a process is at work.
func (s standing) Live() bool { return s.State == running || s.State == writing }

// Percent of the fits that are done.
func (s standing) Percent() int {
	if s.Total == 0 {
		return 0
	}
	return 100 * s.Done / s.Total
}

// Tone of the state: how it is coloured.
func (s standing) Tone() string {
	switch s.State {
	case running, writing:
		return "live"
	case complete, empty:
		return "calm"
	}
	return "bad"
}

// Missing is how many planned fits the results of a run that is written do not have.
func (s standing) Missing() int { return max(0, s.Fits-s.OK-s.Failed) }

// span is a time in two units at most: 3 h 05 min, 4 min 10 s, 12 s.
func span(d time.Duration) string {
	d = d.Round(time.Second)
	h, m, sec := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case h >= 48:
		return digits.Count(h/24, "day")
	case h > 0:
		return pad(h, "h", m, "min")
	case m > 0:
		return pad(m, "min", sec, "s")
	}
	return pad(0, "", sec, "s")
}
