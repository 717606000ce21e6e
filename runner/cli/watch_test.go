package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenfold/io/status"
	"tenfold/runner/cli/app"
)

// TestWatchInterrupted: who watches a run that is interrupted sees it at work, and gets its exit code.
func TestWatchInterrupted(t *testing.T) {
	t.Parallel()
	x, spec := newTool(t)
	dir := filepath.Join(t.TempDir(), "run")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ran := make(chan int, 1)
	go func() {
		ran <- run(ctx, new(bytes.Buffer), new(bytes.Buffer), []string{"run", spec, "--out", dir, "--cache", x.cache, "--jobs", "1",
			"--set", "algorithms.stagewise.grid.epsilon=[0.00001]", "--set", "algorithms.stagewise.params.max_iter=30000000"})
	}()
	type end struct {
		code int
		errs string
	}
	watched := make(chan end, 1)
	go func() {
		code, _, errs := x.run("watch", dir)
		watched <- end{code, errs}
	}()
	var seen status.Status
	for deadline := time.Now().Add(30 * time.Second); len(seen.Running) == 0 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if all, err := status.Read(dir); err != nil {
			t.Fatal(err)
		} else if len(all) > 0 {
			seen = all[0]
		}
	}
	if len(seen.Running) != 1 || !strings.Contains(seen.Running[0].Name, "pairs × ") || seen.State != status.StateRunning {
		t.Errorf("%+v", seen)
	}
	stop()
	if code := <-ran; code != app.ExitInterrupted {
		t.Errorf("the run's exit code is %d", code)
	}
	e := <-watched
	if e.code != app.ExitInterrupted {
		t.Errorf("the watch's exit code is %d", e.code)
	}
	wants(t, e.errs, "the run was interrupted; the same command goes on from there")
	all, err := status.Read(dir)
	if err != nil || len(all) != 1 || all[0].State != status.StateInterrupted || all[0].Exit != app.ExitInterrupted {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestWatchNextRun: the next run in a folder is told of before it is planned, also where it ends with that.
func TestWatchNextRun(t *testing.T) {
	t.Parallel()
	x, spec := newTool(t)
	dir := filepath.Join(t.TempDir(), "run")
	if code, _, errs := x.run("run", spec, "--out", dir, "--only", "nothing"); code != app.ExitInvalid {
		t.Fatal(code, errs)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a run that cannot be planned makes a folder")
	}
	x.ok("run", spec, "--out", dir)
	x.ok("watch", dir)
	if code, _, errs := x.run("run", spec, "--out", dir, "--only", "nothing"); code != app.ExitInvalid {
		t.Fatal(code, errs)
	}
	code, _, errs := x.run("watch", dir)
	if code != app.ExitInvalid {
		t.Errorf("exit code %d of a run that could not be planned", code)
	}
	wants(t, errs, "the run ended with exit code 2: --only nothing: no cell matches")
	x.ok("run", spec, "--out", dir)
	x.ok("watch", dir)
}

// TestWatchSeveral: several processes of a run are summed up, those on hosts with other clocks too.
func TestWatchSeveral(t *testing.T) {
	t.Parallel()
	x, _ := newTool(t)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "status"), 0o755); err != nil {
		t.Fatal(err)
	}
	say := func(name, rest string, at time.Time) {
		text := `{"host":"` + name + `","pid":7,"started":"` + at.Add(-time.Minute).Format(time.RFC3339Nano) + `","updated":"` + at.Format(time.RFC3339Nano) + `",` + rest + `}`
		if err := os.WriteFile(filepath.Join(dir, "status", name+"-7.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fast := time.Now().Add(time.Hour) // the clock of one host
	say("leader", `"state":"running","total":20,"done":0`, time.Now())
	say("helper", `"state":"running","total":0,"done":5,"failed":1`, fast)
	watched := make(chan string, 1)
	go func() {
		code, _, errs := x.run("watch", dir, "--log-json")
		if code != app.ExitIncomplete {
			t.Errorf("exit code %d", code)
		}
		watched <- errs
	}()
	for i := range 3 {
		time.Sleep(400 * time.Millisecond)
		say("helper", `"state":"running","total":0,"done":6,"failed":1`, fast.Add(time.Duration(i+1)*time.Second))
	}
	say("helper", `"state":"ended","total":0,"done":19,"failed":1`, fast.Add(9*time.Second))
	say("leader", `"state":"ended","total":20,"done":1,"exit":4,"error":"small: 1 of 20 fits failed"`, time.Now())
	errs := <-watched
	wants(t, errs, `"event":"ended","total":20,"done":20,"failed":1`, "the run ended with exit code 4: small: 1 of 20 fits failed")
}
