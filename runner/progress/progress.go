// Package progress tells how a run goes: a person by one live line on a terminal and a plain line now and then elsewhere, a
// program by JSON lines, and other processes by a file in the run's folder.
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
	"tenfold/runner"
)

// Meter watches a run. It implements runner.Observer.
type Meter struct {
	voice *Voice
	file  *status.Writer // nil for none
	clock clock

	mu      sync.Mutex
	total   int
	done    int
	failed  int
	told    map[string]int // failures, by algorithm and the data set of the file
	running []flight
	pace    *pace
	begun   time.Time
	left    time.Duration // as it was reckoned last
	memory  int64         // as it was measured last
	peak    int64
	looked  time.Time // when those two were
	mute    bool      // the file could not be written, which was said

	elsewhere string // what is known of other processes that the units run in
}

// flight is a unit that runs.
type flight struct {
	unit  *runner.Unit
	since time.Time
	slow  bool // which was said
}

// lookEvery is how often memory is measured, the time that is left reckoned, and the file written.
const lookEvery = time.Second

// New meter for some units, which speaks with voice and, unless it is nil, writes file. Call Close at the end.
func New(voice *Voice, file *status.Writer, units []*runner.Unit) *Meter {
	now := time.Now()
	m := &Meter{voice: voice, file: file, total: len(units), told: map[string]int{}, pace: newPace(units), begun: now}
	every := lookEvery
	if voice.live() {
		every = liveEvery
	}
	m.tick()
	m.clock.start(every, m.tick)
	return m
}

// Elsewhere tells what is known of other processes that the units run in.
func (m *Meter) Elsewhere(known string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.elsewhere = known
}

// Begin of a unit.
func (m *Meter) Begin(u *runner.Unit) {
	m.mu.Lock()
	m.running = append(m.running, flight{unit: u, since: time.Now()})
	m.pace.begin(u)
	m.mu.Unlock()
	m.voice.Say(slog.LevelDebug, "begin", "begins: "+u.Label.Name(), about(u)...)
}

// End of a unit; a failure is told at once, and one that was abandoned (without an outcome) is not counted.
func (m *Meter) End(u *runner.Unit, o *results.Outcome) {
	took, say := m.count(u, o)
	if o == nil {
		return
	}
	level, text := slog.LevelDebug, fmt.Sprintf("%s: %s, %s", o.Status, u.Label.Name(), Span(took))
	more := append(about(u), slog.String("status", string(o.Status)), slog.Float64("seconds", took.Seconds()))
	if o.Status != results.OK {
		first, _, _ := strings.Cut(o.Error, "\n")
		level, text = slog.LevelWarn, fmt.Sprintf("%s: %s: %s", o.Status, u.Label.Name(), first)
		more = append(more, slog.String("error", o.Error))
	}
	switch say {
	case sayLast:
		text = fmt.Sprintf("further failures of %s are only counted", kind(u))
		fallthrough
	case sayIt:
		m.voice.Say(level, "fit", text, more...)
	}
}

// about is what programs are told of a unit.
func about(u *runner.Unit) []slog.Attr {
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

// mostTold is how many failures of an algorithm on a data set, all tasks of a family together, people are told one by one.
const mostTold = 10

const (
	sayIt = iota
	sayLast
	sayNothing
)

func kind(u *runner.Unit) string {
	return cmp.Or(u.Label.Family, u.Label.Dataset) + " × " + u.Label.Algorithm
}

// count the end of a unit; took is how long it ran, and say whether its end is told.
func (m *Meter) count(u *runner.Unit, o *results.Outcome) (took time.Duration, say int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.running, func(f flight) bool { return f.unit == u }); i >= 0 {
		took = time.Since(m.running[i].since)
		m.running = slices.Delete(m.running, i, i+1)
	}
	m.pace.end(u, took, o != nil)
	if o == nil {
		return took, sayNothing
	}
	m.done++
	if o.Status == results.OK {
		return took, sayIt
	}
	m.failed++
	m.told[kind(u)]++
	switch n := m.told[kind(u)]; {
	case n <= mostTold || m.voice.JSON() || m.voice.says(slog.LevelDebug):
		return took, sayIt
	case n == mostTold+1:
		return took, sayLast
	}
	return took, sayNothing
}

// Close ends the display with one last line.
func (m *Meter) Close() {
	m.clock.stop()
	m.voice.Clear()
	now := time.Now()
	m.mu.Lock()
	m.look(now)
	s := m.status(now)
	s.Memory, s.Left = m.peak, 0
	m.mu.Unlock()
	if m.total > 0 {
		m.voice.Say(slog.LevelInfo, "fitted", Line(s, now), Numbers(s, now)...)
	}
	s.Memory, s.State = m.memory, status.StateWriting
	m.put(s)
}

// tick is what happens now and then: the live line, or from time to time a plain one; words on what is slow; the file.
func (m *Meter) tick() {
	now := time.Now()
	m.mu.Lock()
	fresh := now.Sub(m.looked) >= lookEvery
	if fresh {
		m.look(now)
	}
	s := m.status(now)
	slow := m.slow(now)
	m.mu.Unlock()
	for _, r := range slow {
		m.voice.Say(slog.LevelInfo, "slow", fmt.Sprintf("slow: %s has run for %s, usually it takes %s", r.Name, Span(now.Sub(r.Since)), usual(r)),
			slog.String("fit", r.Name), slog.Float64("seconds", now.Sub(r.Since).Seconds()), slog.Float64("usual", r.Usual))
	}
	if m.total > 0 {
		m.voice.Show(Bar(s), Line(s, now), Numbers(s, now)...)
	}
	if fresh {
		m.put(s)
	}
}

// look at what is not looked at all the time.
func (m *Meter) look(now time.Time) {
	m.looked = now
	m.memory = resident()
	m.peak = max(m.peak, m.memory)
	m.left = m.pace.left(m.running, now.Sub(m.begun), now)
}

// status of the run as the file has it.
func (m *Meter) status(now time.Time) status.Status {
	s := status.Status{Elsewhere: m.elsewhere, Started: m.begun, Total: m.total, Done: m.done, Failed: m.failed, Memory: m.memory}
	if m.done < m.total {
		s.Left = max(0, m.left-now.Sub(m.looked)).Seconds()
	}
	for _, f := range m.running {
		s.Running = append(s.Running, m.flown(f))
	}
	return s
}

func (m *Meter) flown(f flight) status.Running {
	return status.Running{Name: f.unit.Label.Name(), Since: f.since, Usual: m.pace.usual(f.unit).Seconds()}
}

// slow units that were not spoken of yet.
func (m *Meter) slow(now time.Time) (out []status.Running) {
	for i, f := range m.running {
		if r := m.flown(f); !f.slow && r.Slow(now) {
			m.running[i].slow = true
			out = append(out, r)
		}
	}
	return out
}

// put the file; where it cannot be written, that is said once: the run does without it.
func (m *Meter) put(s status.Status) {
	if m.file == nil || m.mute {
		return
	}
	if err := m.file.Put(s); err != nil {
		m.mute = true
		m.voice.Warn(fmt.Errorf("this run cannot be watched from elsewhere: %w", err))
	}
}
