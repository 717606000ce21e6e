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

// States of a run, as pages show them.
const (
	stateRunning     = "running"
	stateWriting     = "writing results"
	stateInterrupted = "interrupted"
	stateStopped     = "stopped" // without notice: killed, or its machine stopped
	stateComplete    = "complete"
	stateIncomplete  = "incomplete"
	stateEmpty       = "nothing yet"
	stateUnreadable  = "unreadable"
)

// summary is what the list of runs shows of a run without reading its rows.
type summary struct {
	Datasets, Algorithms int
	Cells, Fits          int // planned
	OK, Failed           int // fits in the result files; Failed includes those timed out
	Written              time.Time
	Digest               string
	Commit               string
	Dirty                bool // it is not shown that the files were those of the commit
	Metrics              []string
}

// runState is the state of a run at a moment.
type runState struct {
	*summary
	State     string
	Trouble   string // why it is unreadable
	Processes []process
	Done      int // of a run in progress: fits stored, of those to run, as its processes report
	Total     int
	Bad       int
	Rate      float64 // fits per hour; 0 if unknown
	Left      time.Duration
	Running   []runningUnit
	Memory    int64
	Now       time.Time
}

// process is a process that works on a run, or did.
type process struct {
	status.Status
	Alive bool
}

// runningUnit is a unit in flight.
type runningUnit struct {
	Name string
	For  time.Duration
	Slow bool
}

// summarize reads what the list of runs needs.
func (r *run) summarize() (*summary, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.summary != nil {
		return r.summary, nil
	}
	b := r.brief
	s := &summary{Cells: b.Input.Planned, Fits: b.Units, Metrics: b.Input.Metrics}
	names := map[string]bool{}
	for _, d := range b.Input.Data {
		names[cmp.Or(d.Family, d.Name)] = true
	}
	s.Datasets = len(names)
	if r.stamp.results.exists() {
		footer, counts, err := r.readCounts()
		if err != nil {
			return nil, err
		}
		s.Written, s.Digest = r.stamp.results.readTime, footer.Digest
		s.Dirty = footer.Provenance.Dirty
		s.Commit = results.CommitText(footer.Provenance.Commit, s.Dirty)
		s.OK, s.Failed = counts[0][string(results.OK)], counts[0][string(results.Failed)]+counts[0][string(results.Timeout)]
		s.Algorithms = len(counts[1])
	}
	r.summary = s
	return s, nil
}

// readCounts returns the footer of the result files, and the number of rows by status and by algorithm.
func (r *run) readCounts() (footer *results.Tables, counts []map[string]int, err error) {
	if r.view == nil || r.view.tables == nil {
		return results.Glance(r.filePath(results.ResultsFile), "status", "algorithm")
	}
	footer = r.view.tables // which are in memory
	counts = []map[string]int{{}, {}}
	for i := range footer.Rows {
		counts[0][string(footer.Rows[i].Status)]++
		counts[1][footer.Rows[i].Algorithm]++
	}
	return footer, counts, nil
}

func (r *run) stateAt(now time.Time) runState {
	out := runState{Now: now, State: stateEmpty}
	var err error
	if out.summary, err = r.summarize(); err != nil {
		out.summary, out.State, out.Trouble = &summary{}, stateUnreadable, err.Error()
		return out
	}
	alive := out.addProcesses(r.processStatuses(), now)
	written := r.hasResults()
	switch {
	case alive:
	case written && out.OK+out.Failed >= out.Fits && out.Failed == 0:
		out.State = stateComplete
	case written:
		out.State = stateIncomplete
	case slices.ContainsFunc(out.Processes, func(p process) bool { return p.State == status.StateInterrupted }):
		out.State = stateInterrupted
	case len(out.Processes) > 0 || r.hasOutcomes():
		out.State = stateStopped
	}
	return out
}

// hasOutcomes reports whether anything is stored.
func (r *run) hasOutcomes() bool {
	some, err := journal.At(r.Dir).Keys()
	return err == nil && len(some) > 0
}

// addProcesses adds what the processes report. alive reports whether any of them is.
func (s *runState) addProcesses(all []status.Status, now time.Time) (alive bool) {
	for _, p := range all {
		one := process{p, p.Alive(now) && !isGone(p)}
		s.Processes = append(s.Processes, one)
		if !one.Alive {
			continue
		}
		s.Done, s.Total, s.Bad = s.Done+p.Done, s.Total+p.Total, s.Bad+p.Failed
		if !alive || p.State == status.StateRunning {
			s.State = map[string]string{status.StateWriting: stateWriting}[p.State]
		}
		alive = true
		s.State = cmp.Or(s.State, stateRunning)
		s.Memory += p.Memory
		if passed := now.Sub(p.Started); p.Done > 0 && passed > 0 {
			rate := float64(p.Done) / passed.Hours()
			s.Rate += rate
			s.Left = max(s.Left, time.Duration(float64(p.Total-p.Done)/rate*float64(time.Hour)))
		}
		for _, u := range p.Running {
			s.Running = append(s.Running, runningUnit{Name: u.Name, For: max(0, now.Sub(u.Since))})
		}
	}
	slices.SortStableFunc(s.Running, func(a, b runningUnit) int { return cmp.Compare(b.For, a.For) })
	s.markSlow()
	return alive
}

// isGone reports whether a process of this machine that last reported to be running no longer exists.
func isGone(p status.Status) bool {
	if host, err := os.Hostname(); err != nil || host != p.Host {
		return false
	}
	process, err := os.FindProcess(p.PID)
	return err != nil || errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// markSlow marks units that take much longer than the average fit.
func (s *runState) markSlow() {
	if s.Rate == 0 || len(s.Running) == 0 {
		return
	}
	usual := time.Duration(float64(time.Hour) / s.Rate * float64(len(s.Running)))
	for i := range s.Running {
		s.Running[i].Slow = s.Running[i].For > max(5*usual, 10*time.Second)
	}
}

// Live reports whether a process is at work.
func (s runState) Live() bool { return s.State == stateRunning || s.State == stateWriting }

// Percent returns the share of fits that are done.
func (s runState) Percent() int {
	if s.Total == 0 {
		return 0
	}
	return 100 * s.Done / s.Total
}

// Tone returns the style class of the state.
func (s runState) Tone() string {
	switch s.State {
	case stateRunning, stateWriting:
		return "live"
	case stateComplete, stateEmpty:
		return "calm"
	}
	return "bad"
}

// Missing counts the planned fits that the result files lack.
func (s runState) Missing() int { return max(0, s.Fits-s.OK-s.Failed) }

// durationText formats a duration in two units at most: 3 h 05 min, 4 min 10 s, 12 s.
func durationText(d time.Duration) string {
	d = d.Round(time.Second)
	h, m, sec := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case h >= 48:
		return digits.Count(h/24, "day")
	case h > 0:
		return twoUnits(h, "h", m, "min")
	case m > 0:
		return twoUnits(m, "min", sec, "s")
	}
	return twoUnits(0, "", sec, "s")
}
