package method

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/process"
)

// withOrphans is a method of which each fit leaves three processes, whose numbers are in a file below the folder that is returned.
func withOrphans(t *testing.T, output ...string) (d declaration.Declaration, file string) {
	t.Helper()
	d = declared("orphans", output...)
	at := t.TempDir()
	d.Command = slices.Concat([]string{"env", "TENFOLD_CHILD=" + at}, d.Command)
	return d, filepath.Join(at, "child")
}

// orphans returns the numbers of the processes that fits have left.
func orphans(t *testing.T, file string) (pids []int) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Fields(string(content)) {
		pid, err := strconv.Atoi(line)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// ends collects what a watcher is told.
type ends struct {
	sync.Mutex
	all []process.End
}

func (e *ends) Starts(string) {}

func (e *ends) Ended(end process.End) {
	e.Lock()
	defer e.Unlock()
	e.all = append(e.all, end)
}

// TestOrphans: whatever a method leaves ends with it, in other sessions, without parents and with nothing in their environment, also where
// several fits run at once, and is counted. A fit waits no longer for them than it has to.
func TestOrphans(t *testing.T) {
	t.Parallel()
	train, test := table(t)
	for name, change := range map[string]func(*declaration.Declaration){
		"a process a fit": func(d *declaration.Declaration) { d.Output = []string{declaration.Selected, declaration.Coefficients} },
		"that predicts":   func(*declaration.Declaration) {},
		"reuse":           func(d *declaration.Declaration) { d.Reuse = reuseFold },
	} {
		d, file := withOrphans(t, declaration.Selected, declaration.Predictions)
		change(&d)
		h := newHost(t)
		h.Grace = time.Minute // so that nothing is ended before it is counted
		e := engineOf(t, &d, h)
		var fits sync.WaitGroup
		const n = 4
		for range n {
			fits.Go(func() {
				m, err := e.Fit(t.Context(), runOn(train))
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				predictions(m, test)
				engines.Close(m)
			})
		}
		fits.Wait()
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		left := orphans(t, file)
		if len(left) != 3*n {
			t.Errorf("%s: the fits left %d processes, expected %d", name, len(left), 3*n)
		}
		for _, pid := range left {
			if !gone(pid) {
				t.Errorf("%s: process %d goes on", name, pid)
			}
		}
		if h.Left()["slopes"] != 3*n {
			t.Errorf("%s: %v processes were counted, expected %d", name, h.Left(), 3*n)
		}
	}
}

// TestOrphansOfFailed: a fit that runs out of time or memory ends with all that it has started.
func TestOrphansOfFailed(t *testing.T) {
	t.Parallel()
	train, _ := table(t)
	d := declared("huge elsewhere", declaration.Selected, declaration.Coefficients)
	run := runOn(train)
	run.Memory = 128 << 20
	h := newHost(t)
	if _, err := engineOf(t, &d, h).Fit(t.Context(), run); err == nil || !strings.Contains(err.Error(), "the limit is 128 MiB") {
		t.Errorf("memory of a process in another session: %v", err)
	}
	d, file := withOrphans(t, declaration.Selected, declaration.Coefficients)
	d.Command[len(d.Command)-1] = "orphans and hang"
	late := errors.New("too late")
	ctx, stop := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, late)
	defer stop()
	if _, err := engineOf(t, &d, h).Fit(ctx, runOn(train)); !errors.Is(err, late) {
		t.Errorf("got %v", err)
	}
	for _, pid := range orphans(t, file) {
		if !gone(pid) {
			t.Errorf("process %d goes on", pid)
		}
	}
}

// TestKilledSupervisor: a fit whose supervisor is killed is disturbed, and its method does not go on. The next fit has another supervisor.
func TestKilledSupervisor(t *testing.T) {
	t.Parallel()
	train, _ := table(t)
	d, file := withOrphans(t, declaration.Selected, declaration.Coefficients)
	d.Command[len(d.Command)-1] = "orphans and hang"
	h := newHost(t)
	failed := make(chan error)
	go func() { _, err := engineOf(t, &d, h).Fit(t.Context(), runOn(train)); failed <- err }()
	for content := ""; strings.Count(content, "\n") < 3; time.Sleep(5 * time.Millisecond) {
		read, _ := os.ReadFile(file)
		content = string(read)
	}
	for pid := orphans(t, file)[1]; pid > 1; pid = parentOf(pid) {
		if name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); strings.Contains(string(name), "--supervise-methods") {
			syscall.Kill(pid, syscall.SIGKILL)
			break
		}
	}
	if err := <-failed; !errors.As(err, new(engines.Disturbance)) || !strings.Contains(err.Error(), "its supervisor has ended") {
		t.Errorf("got %v", err)
	}
	for k, pid := range orphans(t, file) {
		if k != 1 && !endsSoon(pid) { // that one's environment says nothing any more
			t.Errorf("process %d goes on", pid)
		}
		syscall.Kill(pid, syscall.SIGKILL)
	}
	well := declared("well", declaration.Selected, declaration.Coefficients)
	if _, err := engineOf(t, &well, h).Fit(t.Context(), runOn(train)); err != nil {
		t.Error(err)
	}
}

// parentOf returns the number of a process's parent; 0 if there is no such process.
func parentOf(pid int) (parent int) {
	content, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(content), ") ")
	fmt.Sscanf(after, "%s %d", new(string), &parent)
	return parent
}

func endsSoon(pid int) bool {
	for range 200 {
		if gone(pid) {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// TestSharedMemory: pages that several processes of a method share count once.
func TestSharedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("short: with -race memory has shadows, which are not shared")
	}
	t.Parallel()
	train, _ := table(t)
	d := declared("shared", declaration.Selected, declaration.Coefficients)
	run := runOn(train)
	run.Memory = 512 << 20 // six times 128 MiB are more
	h := newHost(t)
	watch := &ends{}
	h.Watcher = watch
	if _, err := engineOf(t, &d, h).Fit(t.Context(), run); err != nil {
		t.Error(err)
	}
	if peak := watch.all[0].Peak; peak < 128<<20 || peak > 512<<20 {
		t.Errorf("its peak is %d MiB", peak>>20)
	}
}
