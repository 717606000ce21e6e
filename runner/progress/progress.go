// Package progress shows how a run goes: to people as a live line on a terminal and occasional plain lines elsewhere, to
// programs as JSON lines, and to other processes as a status file in the run's folder.
package progress

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"tenfold/io/results"
	"tenfold/io/status"
	"tenfold/runner/execute"
)

// Meter watches a run and shows its progress. It implements execute.Observer.
type Meter struct {
	console *Console
	file    *status.Writer // nil for none
	clock   ticker

	mu            sync.Mutex
	total         int
	done          int
	failed        int
	failuresShown map[string]int // by algorithm and data set of the file
	running       []runningUnit
	estimator     *estimator
	begun         time.Time
	left          time.Duration // at the last update
	memory        int64         // at the last update, bytes
	peak          int64
	updated       time.Time // when left and memory were updated
	fileFailed    bool      // the status file could not be written, and the user was told

	elsewhere string // state of the other processes that the units run in
}

type runningUnit struct {
	unit  *execute.Unit
	since time.Time
	slow  bool // the user was told that it is slow
}

// updateInterval is the time between measurements of memory, estimates of the time left, and writes of the status file.
const updateInterval = time.Second

// New returns a meter for some units. It prints to the console and, unless it is nil, writes the status file. Call Close
// at the end.
func New(console *Console, file *status.Writer, units []*execute.Unit) *Meter {
	now := time.Now()
	m := &Meter{console: console, file: file, total: len(units), failuresShown: map[string]int{}, estimator: newEstimator(units), begun: now}
	every := updateInterval
	if console.hasLiveLine() {
		every = liveInterval
	}
	m.showProgress()
	m.clock.start(every, m.showProgress)
	return m
}

// Elsewhere sets the state of other processes that the units run in.
func (m *Meter) Elsewhere(known string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.elsewhere = known
}

// Begin records that a unit began.
func (m *Meter) Begin(u *execute.Unit) {
	m.mu.Lock()
	m.running = append(m.running, runningUnit{unit: u, since: time.Now()})
	m.estimator.beginUnit(u)
	m.mu.Unlock()
	m.console.Say(slog.LevelDebug, "begin", "begins: "+u.Label.Name(), unitAttrs(u)...)
}

// End records that a unit ended. Failures are shown at once; a unit without an outcome was abandoned and is not counted.
func (m *Meter) End(u *execute.Unit, o *results.Outcome) {
	took, say := m.recordEnd(u, o)
	if o == nil {
		return
	}
	level, text := slog.LevelDebug, fmt.Sprintf("%s: %s, %s", o.Status, u.Label.Name(), Span(took))
	more := append(unitAttrs(u), slog.String("status", string(o.Status)), slog.Float64("seconds", took.Seconds()))
	if o.Status != results.OK {
		first, _, _ := strings.Cut(o.Error, "\n")
		level, text = slog.LevelWarn, fmt.Sprintf("%s: %s: %s", o.Status, u.Label.Name(), first)
		more = append(more, slog.String("error", o.Error))
	}
	switch say {
	case showLastFailure:
		text = fmt.Sprintf("further failures of %s are only counted", failureGroup(u))
		fallthrough
	case showFailure:
		m.console.Say(level, "fit", text, more...)
	}
}

// unitAttrs describes a unit to programs.
func unitAttrs(u *execute.Unit) []slog.Attr {
	l := &u.Label
	grid := make([]any, 0, len(l.Grid))
	for _, p := range l.Grid {
		grid = append(grid, slog.Any(p.Name, p.Value))
	}
	return []slog.Attr{
		slog.String("dataset", l.Dataset), slog.String("algorithm", l.Algorithm), slog.Group("grid", grid...), slog.String("stage", l.Stage),
		slog.Int("repeat", int(l.Repeat)), slog.Int("fold", int(l.Fold)), slog.String("cell", l.Cell), slog.String("unit", l.Unit),
	}
}

// maxFailuresShown limits the failures shown one by one of an algorithm on a data set, all tasks of a family together.
const maxFailuresShown = 10

const (
	showFailure = iota
	showLastFailure
	hideFailure
)

func failureGroup(u *execute.Unit) string {
	return cmp.Or(u.Label.Family, u.Label.Dataset) + " × " + u.Label.Algorithm
}

// recordEnd updates the counts. It returns how long the unit ran and whether its failure is shown.
func (m *Meter) recordEnd(u *execute.Unit, o *results.Outcome) (took time.Duration, say int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.running, func(f runningUnit) bool { return f.unit == u }); i >= 0 {
		took = time.Since(m.running[i].since)
		m.running = slices.Delete(m.running, i, i+1)
	}
	m.estimator.endUnit(u, took, o != nil)
	if o == nil {
		return took, hideFailure
	}
	m.done++
	if o.Status == results.OK {
		return took, showFailure
	}
	m.failed++
	m.failuresShown[failureGroup(u)]++
	switch n := m.failuresShown[failureGroup(u)]; {
	case n <= maxFailuresShown || m.console.JSON() || m.console.enabled(slog.LevelDebug):
		return took, showFailure
	case n == maxFailuresShown+1:
		return took, showLastFailure
	}
	return took, hideFailure
}

// Close ends the display with one last line.
func (m *Meter) Close() {
	m.clock.stop()
	m.console.Clear()
	now := time.Now()
	m.mu.Lock()
	m.updateEstimates(now)
	s := m.currentStatus(now)
	s.Memory, s.Left = m.peak, 0
	m.mu.Unlock()
	if m.total > 0 {
		m.console.Say(slog.LevelInfo, "fitted", Line(s, now), Numbers(s, now)...)
	}
	s.Memory, s.State = m.memory, status.StateWriting
	m.writeStatus(s)
}

// showProgress updates the live line, or at intervals prints a plain one, warns of slow units, and writes the status file.
func (m *Meter) showProgress() {
	now := time.Now()
	m.mu.Lock()
	fresh := now.Sub(m.updated) >= updateInterval
	if fresh {
		m.updateEstimates(now)
	}
	s := m.currentStatus(now)
	slow := m.newlySlow(now)
	m.mu.Unlock()
	for _, r := range slow {
		m.console.Say(slog.LevelInfo, "slow", fmt.Sprintf("slow: %s has run for %s, usually it takes %s", r.Name, Span(now.Sub(r.Since)), usualText(r)),
			slog.String("fit", r.Name), slog.Float64("seconds", now.Sub(r.Since).Seconds()), slog.Float64("usual", r.Usual))
	}
	if m.total > 0 {
		m.console.Show(Bar(s), Line(s, now), Numbers(s, now)...)
	}
	if fresh {
		m.writeStatus(s)
	}
}

// updateEstimates measures memory and estimates the time left.
func (m *Meter) updateEstimates(now time.Time) {
	m.updated = now
	m.memory = residentMemory()
	m.peak = max(m.peak, m.memory)
	m.left = m.estimator.timeLeft(m.running, now.Sub(m.begun), now)
}

// currentStatus returns the status as it is written to the file.
func (m *Meter) currentStatus(now time.Time) status.Status {
	s := status.Status{Elsewhere: m.elsewhere, Started: m.begun, Total: m.total, Done: m.done, Failed: m.failed, Memory: m.memory}
	if m.done < m.total {
		s.Left = max(0, m.left-now.Sub(m.updated)).Seconds()
	}
	for _, f := range m.running {
		s.Running = append(s.Running, m.runningStatus(f))
	}
	return s
}

func (m *Meter) runningStatus(f runningUnit) status.Running {
	return status.Running{Name: f.unit.Label.Name(), Since: f.since, Usual: m.estimator.usualTime(f.unit).Seconds(), Doing: f.unit.Progress()}
}

// newlySlow returns the slow units that the user was not told of yet.
func (m *Meter) newlySlow(now time.Time) (out []status.Running) {
	for i, f := range m.running {
		if r := m.runningStatus(f); !f.slow && r.Slow(now) {
			m.running[i].slow = true
			out = append(out, r)
		}
	}
	return out
}

// writeStatus writes the status file. If that fails it warns once, and the run goes on without the file.
func (m *Meter) writeStatus(s status.Status) {
	if m.file == nil || m.fileFailed {
		return
	}
	if err := m.file.Put(s); err != nil {
		m.fileFailed = true
		m.console.Warn(fmt.Errorf("this run cannot be watched from elsewhere: %w", err))
	}
}
