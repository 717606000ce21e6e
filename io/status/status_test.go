package status

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func put(t *testing.T, w *Writer, s Status) {
	t.Helper()
	if err := w.Put(s); err != nil {
		t.Fatal(err)
	}
}

func only(t *testing.T, run string) Status {
	t.Helper()
	all, err := Read(run)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d statuses, %v", len(all), err)
	}
	return all[0]
}

func open(t *testing.T) (w *Writer, run string) {
	t.Helper()
	run = filepath.Join(t.TempDir(), "run")
	w, err := Open(run)
	if err != nil {
		t.Fatal(err)
	}
	return w, run
}

func TestLife(t *testing.T) {
	t.Parallel()
	w, run := open(t)
	if all, err := Read(run); len(all) != 0 || err != nil {
		t.Errorf("before anything: %v, %v", all, err)
	}
	put(t, w, Status{Total: 3, Running: []Running{{Name: "a", Since: time.Now()}}})
	s := only(t, run)
	if s.PID != os.Getpid() || s.Host == "" || s.Started.IsZero() || s.State != StateRunning || len(s.Running) != 1 || !s.Alive(time.Now()) {
		t.Errorf("%+v", s)
	}
	put(t, w, Status{Total: 3, Done: 1}) // too soon to be written
	if s := only(t, run); s.Done != 0 {
		t.Errorf("%+v", s)
	}
	put(t, w, Status{Total: 3, Done: 3, State: StateWriting}) // another state is said at once
	if s := only(t, run); s.Done != 3 || s.State != StateWriting || !s.Alive(time.Now()) {
		t.Errorf("%+v", s)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, w, Status{Total: 3, Done: 2}) // too late
	if s := only(t, run); s.Done != 3 || s.State != StateEnded || s.Alive(time.Now()) || !s.Over() {
		t.Errorf("%+v", s)
	}
}

// What is put between two writings is not lost at the end.
func TestCloseWritesTheLast(t *testing.T) {
	t.Parallel()
	w, run := open(t)
	for i := range 10 {
		put(t, w, Status{Total: 10, Done: i + 1})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if s := only(t, run); s.Done != 10 {
		t.Errorf("%+v", s)
	}
}

// A process writes once a second at most, less often where it has nothing new to say, and is seen alive.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	w, run := open(t)
	put(t, w, Status{Total: 1})
	for age, want := range map[time.Duration]bool{2 * time.Second: false, 6 * time.Second: true} {
		w.written.Updated = time.Now().Add(-age)
		before := only(t, run).Updated
		put(t, w, Status{Total: 1, Memory: 17})
		if got := !only(t, run).Updated.Equal(before); got != want {
			t.Errorf("after %s: written %v, want %v", age, got, want)
		}
	}
	for age, want := range map[time.Duration]bool{0: false, 2 * time.Second: true} {
		w.written.Updated = time.Now().Add(-age)
		before := only(t, run).Updated
		put(t, w, Status{Total: 1, Done: 1 + int(age/time.Second)})
		if got := !only(t, run).Updated.Equal(before); got != want {
			t.Errorf("news after %s: written %v, want %v", age, got, want)
		}
	}
	if maxInterval+minInterval > maxAge/2 {
		t.Error("a process that is alive could pass for dead")
	}
}

func TestAlive(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, c := range []struct {
		state string
		age   time.Duration
		want  bool
	}{
		{StateRunning, 0, true}, {StateWriting, time.Second, true}, {StateRunning, 14 * time.Second, true}, {StateRunning, 16 * time.Second, false},
		{StateRunning, -10 * time.Second, true}, {StateRunning, -time.Hour, false}, {StateEnded, 0, false}, {StateInterrupted, 0, false},
	} {
		if got := (Status{State: c.state, Updated: now.Add(-c.age)}).Alive(now); got != c.want {
			t.Errorf("%s, %s old: %v", c.state, c.age, got)
		}
	}
}

// Several processes on several hosts have a file each; a new run removes those of the past only.
func TestManyAndClear(t *testing.T) {
	t.Parallel()
	w, run := open(t)
	put(t, w, Status{Total: 1})
	now := time.Now().UTC()
	say := func(name, state string, at time.Time) {
		text := fmt.Sprintf(`{"host":%q,"pid":1,"state":%q,"started":%q,"updated":%q}`, name, state, at.Format(time.RFC3339Nano), at.Format(time.RFC3339Nano))
		if err := os.WriteFile(filepath.Join(run, folder, name+"-1.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	say("killed", StateRunning, now.Add(-time.Hour))
	say("ended", StateEnded, now.Add(-time.Minute))
	say("alive", StateRunning, now.Add(-time.Second))
	for name, text := range map[string]string{"damaged.json": `{"host":`, "other.json": `[]`, "empty.json": "{}", "note.txt": "hello", ".tmp-x.json": "{}"} {
		if err := os.WriteFile(filepath.Join(run, folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	hosts := func() string {
		all, err := Read(run)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range all {
			if s.PID == 1 {
				names = append(names, s.Host)
			}
		}
		return fmt.Sprint(len(all), " ", strings.Join(names, " "))
	}
	if got := hosts(); got != "4 killed ended alive" {
		t.Error(got)
	}
	if err := Clear(run); err != nil {
		t.Fatal(err)
	}
	if got := hosts(); got != "2 alive" {
		t.Error(got)
	}
}

func TestPlainNames(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{"node-1.cluster": "node-1.cluster", "../x": ".._x", "a b\\c": "a_b_c"} {
		if got := hostFileName(host); got != want {
			t.Errorf("%s: %s", host, got)
		}
	}
}

func TestOpenOfAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "is a file") {
		t.Errorf("%v", err)
	}
}

// A folder that cannot be written is told, and no process is there.
func TestFolderInTheWay(t *testing.T) {
	t.Parallel()
	run := t.TempDir()
	if err := os.WriteFile(filepath.Join(run, folder), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := Open(run)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Put(Status{}); err == nil {
		t.Error("no error")
	}
	if _, err := Read(run); err == nil {
		t.Error("no error of reading")
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	now := time.Now()
	process := func(state string, age time.Duration, s Status) Status {
		s.State, s.Updated, s.Started, s.Memory = state, now.Add(-age), now.Add(-time.Hour), 1<<20
		return s
	}
	alive := process(StateRunning, time.Second, Status{Host: "a", Total: 10, Done: 3, Failed: 1, Left: 7, Running: []Running{{Name: "x", Since: now}}})
	helper := process(StateWriting, time.Second, Status{Host: "b", Done: 2, Left: 9, Running: []Running{{Name: "y", Since: now.Add(-time.Minute)}}})
	killed := process(StateRunning, time.Minute, Status{Host: "c", Done: 1, Left: 99, Running: []Running{{Name: "gone"}}})
	ended := process(StateEnded, time.Minute, Status{Host: "d", Done: 1, Exit: 4, Error: "some failed"})
	broken := process(StateEnded, time.Minute, Status{Host: "e", Exit: 1, Error: "disk full"})
	sum := Sum([]Status{alive, helper, killed, ended, broken}, now)
	if sum.Total != 10 || sum.Done != 7 || sum.Failed != 1 || sum.Left != 9 || sum.Memory != 2<<20 || sum.State != StateRunning || sum.Host != "a" {
		t.Errorf("%+v", sum)
	}
	if len(sum.Running) != 2 || sum.Running[0].Name != "y" || sum.Exit != 1 || sum.Error != "disk full" {
		t.Errorf("%+v", sum)
	}
	for want, some := range map[string][]Status{
		StateWriting: {helper, ended}, "": {killed, ended}, StateEnded: {ended, broken}, StateInterrupted: {ended, process(StateInterrupted, 0, Status{})},
	} {
		if got := Sum(some, now).State; got != want {
			t.Errorf("state %q, want %q", got, want)
		}
	}
	if got := Sum(nil, now); got.State != "" || got.Total != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestSlow(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, c := range []struct {
		took  time.Duration
		usual float64
		want  bool
	}{{time.Hour, 0, false}, {9 * time.Second, 1, false}, {11 * time.Second, 1, true}, {50 * time.Second, 20, false}, {61 * time.Second, 20, true}} {
		if got := (Running{Since: now.Add(-c.took), Usual: c.usual}).Slow(now); got != c.want {
			t.Errorf("%s of %v s: %v", c.took, c.usual, got)
		}
	}
}

// TestKeep: what is kept is said at once, and until it is stopped; what is put afterwards stays.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	stop, err := w.Keep(Status{Elsewhere: "planning", Left: 7})
	if err != nil {
		t.Fatal(err)
	}
	all, err := Read(dir)
	if err != nil || len(all) != 1 || all[0].Elsewhere != "planning" || !all[0].Alive(time.Now()) || all[0].State != StateRunning {
		t.Errorf("%+v, %v", all, err)
	}
	stop()
	stop() // does nothing
	if err := w.End(StateEnded, 2, "no"); err != nil {
		t.Fatal(err)
	}
	if all, err = Read(dir); err != nil || len(all) != 1 || all[0].Exit != 2 || all[0].State != StateEnded || all[0].Left != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}
