package progress

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/io/results"
	"tenfold/io/status"
	"tenfold/runner/execute"
)

// watched is a meter of some units, and what it says.
func watched(m Mode, units ...*execute.Unit) (*Meter, *bytes.Buffer) {
	out := new(bytes.Buffer)
	return New(NewConsole(out, m), nil, units), out
}

func unit(dataset, algorithm string, fold int32) *execute.Unit {
	return &execute.Unit{Label: results.Label{Dataset: dataset, Algorithm: algorithm, Cell: dataset + algorithm, Fold: fold, Unit: "u"}}
}

func TestMeter(t *testing.T) {
	t.Parallel()
	names := []string{"good", "bad", "large", "abandoned"}
	outcomes := []*results.Outcome{
		{Status: results.OK}, {Status: results.Failed, Error: "singular\nstack"}, {Status: results.Skipped, Error: "too large"}, nil,
	}
	var units []*execute.Unit
	for _, name := range names {
		units = append(units, unit("d", name, 2))
	}
	m, out := watched(Mode{}, units...)
	for i, u := range units {
		m.Begin(u)
		m.End(u, outcomes[i])
	}
	m.Close()
	text := out.String()
	for _, want := range []string{"failed: d × bad fold 2: singular\n", "skipped: d × large fold 2: too large\n", "3/4 fits, 2 failed"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	for _, bad := range []string{"abandoned", "stack", "good", "\x1b"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is told:\n%s", bad, text)
		}
	}
}

// Of a family with many tasks that fail, people are told a few; programs all.
func TestManyFailures(t *testing.T) {
	t.Parallel()
	fail := func(how Mode) string {
		var units []*execute.Unit
		for range 20 {
			for _, family := range []string{"news", "mail"} {
				u := unit(family+"/a vs b", "bad", 0)
				u.Label.Family, u.Label.Task = family, "a vs b"
				units = append(units, u)
			}
		}
		m, out := watched(how, units...)
		for _, u := range units {
			m.Begin(u)
			m.End(u, &results.Outcome{Status: results.Failed, Error: "no"})
		}
		m.Close()
		return out.String()
	}
	text := fail(Mode{})
	if told, counted := strings.Count(text, "failed: "), strings.Count(text, "further failures of news × bad are only counted\n"); told != 20 || counted != 1 {
		t.Errorf("%d told, %d times counted:\n%s", told, counted, text)
	}
	if !strings.Contains(text, "40/40 fits, 40 failed") {
		t.Errorf("the last line:\n%s", text)
	}
	if told := strings.Count(fail(Mode{JSON: true, Quiet: true}), `"event":"fit"`); told != 40 {
		t.Errorf("programs are told %d", told)
	}
}

func TestManners(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		manner Mode
		want   []string // how lines begin
	}{
		{Mode{}, []string{"failed: d × b", "warning: odd", "2/2 fits, 1 failed"}},
		{Mode{Quiet: true}, []string{"failed: d × b", "warning: odd"}},
		{Mode{Verbose: true}, []string{"begins: d × a fold 0", "ok: d × a fold 0, ", "begins: d × b", "failed: d × b", "warning: odd", "2/2 fits"}},
	} {
		good, bad := unit("d", "a", 0), unit("d", "b", 0)
		m, out := watched(c.manner, good, bad)
		m.Begin(good)
		m.End(good, &results.Outcome{Status: results.OK})
		m.Begin(bad)
		m.End(bad, &results.Outcome{Status: results.Failed, Error: "no"})
		m.console.Warn(os.ErrInvalid)
		m.Close()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if !slices.EqualFunc(lines, c.want, func(line, want string) bool {
			return strings.HasPrefix(line, strings.Replace(want, "odd", os.ErrInvalid.Error(), 1))
		}) {
			t.Errorf("%+v:\n%s", c.manner, out)
		}
	}
}

// TestLog pins the fields that programs read.
func TestLog(t *testing.T) {
	t.Parallel()
	u := unit("d", "a", 3)
	u.Label.Grid = []results.Param{{Name: "epsilon", Value: 0.1}}
	m, out := watched(Mode{JSON: true, Verbose: true}, u)
	m.Begin(u)
	m.console.shown = time.Time{} // it is time for a line
	m.showProgress()
	m.End(u, &results.Outcome{Status: results.Failed, Error: "no"})
	m.console.Warn(os.ErrInvalid)
	m.Close()
	var events []string
	for line := range strings.Lines(out.String()) {
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		event, _ := got["event"].(string)
		events = append(events, event)
		want := []string{"time", "level", "msg", "event"}
		switch event {
		case "begin", "fit":
			want = append(want, "dataset", "algorithm", "grid", "stage", "repeat", "fold", "cell", "unit")
		case "progress", "fitted":
			want = append(want, "total", "done", "failed", "seconds", "left", "memory", "running")
		}
		if event == "fit" {
			want = append(want, "status", "seconds", "error")
			if got["fold"] != 3.0 || got["status"] != "failed" || got["level"] != "WARN" || got["msg"] != "failed: d × a epsilon=0.1 fold 3: no" {
				t.Errorf("%v", got)
			}
		}
		for _, field := range want {
			if _, ok := got[field]; !ok {
				t.Errorf("%s has no %s: %v", event, field, got)
			}
			delete(got, field)
		}
		if len(got) > 0 {
			t.Errorf("%s has more: %v", event, got)
		}
	}
	if want := []string{"begin", "progress", "fit", "warning", "fitted"}; !slices.Equal(events, want) {
		t.Errorf("%v", events)
	}
}

// Others can see how it goes.
func TestFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, err := status.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	u := unit("d", "a", 0)
	m := New(NewConsole(new(bytes.Buffer), Mode{}), file, []*execute.Unit{u, unit("d", "a", 1)})
	seen := func() status.Status {
		all, err := status.Read(dir)
		if err != nil || len(all) != 1 {
			t.Fatalf("%v, %v", all, err)
		}
		return all[0]
	}
	if s := seen(); s.Total != 2 || s.State != status.StateRunning || s.Executor != "local" {
		t.Errorf("%+v", s)
	}
	m.Begin(u)
	m.End(u, &results.Outcome{Status: results.Failed})
	m.Close()
	if s := seen(); s.Done != 1 || s.Failed != 1 || s.State != status.StateWriting {
		t.Errorf("%+v", s)
	}
}

// A run goes on where its status cannot be written, and says so once.
func TestNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := status.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	m := New(NewConsole(&out, Mode{}), file, []*execute.Unit{unit("d", "a", 0)})
	m.showProgress()
	m.Close()
	if n := strings.Count(out.String(), "warning: this run cannot be watched from elsewhere: "); n != 1 {
		t.Errorf("said %d times:\n%s", n, &out)
	}
}

func TestSlow(t *testing.T) {
	t.Parallel()
	first, second := unit("d", "a", 0), unit("d", "a", 1)
	m, out := watched(Mode{}, first, second)
	m.Begin(first)
	m.running[0].since = time.Now().Add(-4 * time.Second)
	m.End(first, &results.Outcome{Status: results.OK})
	m.Begin(second)
	m.running[0].since = time.Now().Add(-time.Minute)
	m.showProgress()
	m.showProgress()
	m.End(second, &results.Outcome{Status: results.OK})
	m.Close()
	if n := strings.Count(out.String(), "slow: d × a fold 1 has run for 1m00s, usually it takes 4.0s\n"); n != 1 {
		t.Errorf("said %d times:\n%s", n, out)
	}
}

func TestLeft(t *testing.T) {
	t.Parallel()
	now := time.Now()
	var units []*execute.Unit
	for fold := range int32(4) {
		units = append(units, unit("d", "quick", fold), unit("d", "slow", fold))
	}
	flights := func(us ...*execute.Unit) (out []runningUnit) {
		for _, u := range us {
			out = append(out, runningUnit{unit: u, since: now.Add(-5 * time.Second)})
		}
		return out
	}
	p := newEstimator(units)
	if left := p.timeLeft(nil, time.Second, now); left != 0 {
		t.Errorf("before anything: %s", left)
	}
	for _, u := range units[:2] { // one of each
		p.beginUnit(u)
	}
	p.endUnit(units[0], time.Second, true)
	// Three quick ones wait; nothing is known of slow ones, so they count as quick until one takes longer.
	brief := []runningUnit{{unit: units[1], since: now.Add(-time.Second / 2)}}
	if left := p.timeLeft(brief, 1500*time.Millisecond, now); left.Round(time.Millisecond) != 6500*time.Millisecond {
		t.Errorf("after one: %s", left)
	}
	if left := p.timeLeft(flights(units[1]), 6*time.Second, now); left != 0 {
		t.Errorf("while the first slow one takes longer: %s", left)
	}
	p.endUnit(units[1], 20*time.Second, true)
	// 3 × 1 s and 3 × 20 s of work, with 21 s busy in 10.5 s: two together.
	if left := p.timeLeft(nil, 10500*time.Millisecond, now); left.Round(time.Millisecond) != 31500*time.Millisecond {
		t.Errorf("after both: %s", left)
	}
	for _, u := range units[2:] {
		p.beginUnit(u)
		if u != units[7] {
			p.endUnit(u, p.usualTime(u), true)
		}
	}
	if left := p.timeLeft(flights(units[7]), 36*time.Second, now); left.Round(time.Millisecond) != 15*time.Second {
		t.Errorf("the last one, 5 of 20 s in: %s", left)
	}
	planned := unit("d", "planned", 0)
	planned.Predicted = time.Hour
	if p := newEstimator([]*execute.Unit{planned}); p.usualTime(planned) != time.Hour {
		t.Errorf("the plan says an hour: %s", p.usualTime(planned))
	}
}

// What is expected of a fit is at most its limit, wherever the expectation comes from.
func TestLeftWithLimits(t *testing.T) {
	t.Parallel()
	now := time.Now()
	limited := func(dataset, algorithm string, fold int32, predicted time.Duration) *execute.Unit {
		u := unit(dataset, algorithm, fold)
		u.Label.Cell = "limited" // another grid point of the algorithm, say
		u.Limits.Time, u.Predicted = time.Minute, predicted
		return u
	}
	first, unlimited := unit("d", "first", 0), unit("d", "b", 1)
	unlimited.Label.Cell = "limited"
	for name, c := range map[string]struct {
		waiting []*execute.Unit
		want    time.Duration
	}{
		"predicted":        {[]*execute.Unit{limited("d", "b", 0, time.Hour), limited("d", "b", 1, time.Hour)}, 2 * time.Minute},
		"as the others":    {[]*execute.Unit{limited("d", "b", 0, 0), limited("d", "b", 1, 0)}, 2 * time.Minute},
		"as its algorithm": {[]*execute.Unit{limited("d", "first", 1, 0)}, time.Minute},
		"below the limit":  {[]*execute.Unit{limited("d", "b", 0, time.Second)}, time.Second},
		"one has none":     {[]*execute.Unit{limited("d", "b", 0, 0), unlimited}, 20 * time.Minute},
	} {
		p := newEstimator(append([]*execute.Unit{first}, c.waiting...))
		p.beginUnit(first)
		p.endUnit(first, 10*time.Minute, true)
		if left := p.timeLeft(nil, 10*time.Minute, now); left.Round(time.Millisecond) != c.want {
			t.Errorf("%s: %s, want %s", name, left, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := status.Status{
		Started: now.Add(-2 * time.Minute), Total: 12, Done: 5, Failed: 1, Left: 130, Memory: 3 << 29,
		Running: []status.Running{{Name: "A", Since: now.Add(-70 * time.Second), Usual: 12}, {Name: "B", Since: now.Add(-3 * time.Second), Usual: 12}, {Name: "C"}},
	}
	s.Running[1].Doing = "3 of 9 runs"
	if got := Bar(s) + Line(s, now); got != "[████████············] 5/12 fits, 1 failed, 2m00s, 2.5/min, about 2m10s left, 1.5 GiB; "+
		"running A 1m10s (slow: usually 12s), B 3.0s (3 of 9 runs) and 1 more" {
		t.Error(got)
	}
	if got := Bar(status.Status{Total: 3, Done: 3}) + Line(status.Status{Started: now.Add(-time.Second), Total: 3, Done: 3}, now); got != "3/3 fits, 1.0s, 3/s" {
		t.Error(got)
	}
}

func TestSpan(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0ms", 0: "0ms", 40 * time.Millisecond: "40ms", 994 * time.Millisecond: "994ms", 999 * time.Millisecond: "1.0s",
		1230 * time.Millisecond: "1.2s", 9949 * time.Millisecond: "9.9s", 9950 * time.Millisecond: "10s", 59400 * time.Millisecond: "59s", 59600 * time.Millisecond: "1m00s",
		185 * time.Second: "3m05s", time.Hour - time.Millisecond: "1h00m", 130 * time.Minute: "2h10m", 24*time.Hour - time.Second: "1d00h", 76 * time.Hour: "3d04h",
	} {
		if got := Span(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
	for x, want := range map[float64]string{12.345: "12.3/s", 0.5: "30/min", 0.002: "7.2/h"} {
		if got := rateText(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}
