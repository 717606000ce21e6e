package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/all"
	"tenfold/engines/baselines/constant"
	"tenfold/io/formats"
	"tenfold/io/journal"
	"tenfold/runner/cli"
	"tenfold/runner/cli/app"
	"tenfold/runner/describe"
)

// sleep is an engine that takes time and memory, and no processor: what a cluster's slots are tested with on a host that has
// fewer processors than slots.
type sleep struct {
	Seconds float64 `yaml:"seconds" key:"-" doc:"of a fit"`
	Hold    int     `yaml:"hold" key:"-" doc:"MiB of memory that it holds meanwhile"`
	Number  int     `yaml:"number" doc:"nothing: it tells cells apart"`
}

func (sleep) Validate() error      { return nil }
func (sleep) Needs() engines.Needs { return constant.Mean{}.Needs() }

func (e sleep) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	held := make([]byte, e.Hold<<20)
	for i := 0; i < len(held); i += 4096 {
		held[i] = 1
	}
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-time.After(time.Duration(e.Seconds * float64(time.Second))):
	}
	if len(held) > 0 && held[0] == 0 {
		return nil, errors.New("nothing was held")
	}
	return constant.Mean{}.Fit(ctx, run)
}

// sleepingMain is the program with that engine, too.
func sleepingMain() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	known, err := all.Engines()
	if err == nil {
		known["sleep"] = engines.Define(engines.Kind{Name: "sleep", Doc: "sleeps", Rev: 1}, sleep{})
	}
	sources, ferr := formats.Formats()
	if err := errors.Join(err, ferr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	program := app.App{Parts: describe.Parts{Engines: known, Wrappers: all.Wrappers(), Formats: sources}, Out: os.Stdout, Errs: os.Stderr}
	return cli.Run(ctx, &program, os.Args[1:])
}

// cluster is a Slurm cluster on this host, and a folder to run in.
type cluster struct {
	testing.TB
	scripts string // that start and stop it
	dir     string // its own
	work    string
	env     []string
}

// newCluster starts one with so many nodes of two processors. Where there is none the test is skipped.
func newCluster(t testing.TB, nodes int, flags ...string) *cluster {
	t.Helper()
	scripts := os.Getenv("TENFOLD_SLURM")
	if scripts == "" {
		t.Skip("Slurm: TENFOLD_SLURM is not set, which names the folder with start-local, stop-local and kill-node, which make a Slurm cluster of one host")
	}
	dir, err := os.MkdirTemp("", "slurm") // short: the names of sockets lie in it
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{TB: t, scripts: scripts, dir: dir, work: t.TempDir()}
	args := append([]string{"-n", strconv.Itoa(nodes), "-c", "2"}, flags...)
	if out, err := exec.Command(filepath.Join(scripts, "start-local"), append(args, dir)...).CombinedOutput(); err != nil {
		_ = os.RemoveAll(dir) // nothing runs there
		t.Skipf("no Slurm cluster can be started here: %v\n%s", err, out)
	}
	t.Cleanup(func() { c.script("stop-local", "-r", dir) })
	c.start(args...)
	c.write(settingsFile, "profiles: {here: {memory: 100MiB}}\n")
	return c
}

// settingsFile is the user's own.
const settingsFile = "home/tenfold/settings.yaml"

func (c *cluster) script(name string, args ...string) string {
	c.Helper()
	cmd := exec.Command(filepath.Join(c.scripts, name), args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		c.Errorf("%s %v: %v\n%s", name, args, err, errs.String())
	}
	return string(out)
}

// start the cluster, or what is missing of it.
func (c *cluster) start(flags ...string) {
	c.Helper()
	out := c.script("start-local", append(flags, c.dir)...)
	c.env = append(os.Environ(), "TENFOLD_TEST_MAIN=sleep", "TENFOLD_CACHE="+filepath.Join(c.work, "cache"), "XDG_CONFIG_HOME="+filepath.Join(c.work, "home"))
	for line := range strings.Lines(out) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "export "); ok {
			c.env = append(c.env, strings.ReplaceAll(value, "'", ""))
		}
	}
	if c.Failed() {
		c.FailNow()
	}
}

func (c *cluster) write(name, text string) {
	c.Helper()
	path := filepath.Join(c.work, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		c.Fatal(err)
	}
}

func (c *cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(c.Context(), name, args...)
	cmd.Dir, cmd.Env = c.work, c.env
	return cmd
}

// tenfold runs the program as a process of its own.
func (c *cluster) tenfold(args ...string) (code int, out, errs string) {
	c.Helper()
	cmd := c.command(os.Args[0], args...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), o.String(), e.String()
	}
	if err != nil {
		c.Fatal(err)
	}
	return 0, o.String(), e.String()
}

// begin it, and let it go on.
func (c *cluster) begin(args ...string) *exec.Cmd {
	c.Helper()
	cmd := c.command(os.Args[0], args...)
	cmd.Stderr = c.Output()
	if err := cmd.Start(); err != nil {
		c.Fatal(err)
	}
	return cmd
}

// slurm runs one of Slurm's commands.
func (c *cluster) slurm(name string, args ...string) string {
	c.Helper()
	out, err := c.command(name, args...).CombinedOutput()
	if err != nil {
		c.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// until something is so.
func (c *cluster) until(what string, limit time.Duration, so func() bool) {
	c.Helper()
	for end := time.Now().Add(limit); !so(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			c.Fatalf("not after %s: %s", limit, what)
		}
	}
}

// stored units of a run.
func (c *cluster) stored(run string) int {
	c.Helper()
	j, err := journal.Open(filepath.Join(c.work, run))
	if err != nil {
		c.Fatal(err)
	}
	keys, err := j.Keys()
	if err != nil {
		c.Fatal(err)
	}
	return len(keys)
}

// sleepers is an experiment of so many cells that sleep.
func (c *cluster) sleepers(cells int, params string, more string) {
	c.Helper()
	numbers := make([]string, cells)
	for i := range numbers {
		numbers[i] = strconv.Itoa(i)
	}
	c.write("sleepers.yaml", fmt.Sprintf(`tenfold: 1
name: sleepers
seed: 7
datasets:
  - {name: pairs, format: synthetic, generator: tuples, rows: 600, truth: 40, noise: 0.5, seed: 3}
folds: {kind: holdout, test: 0.2}
algorithms:
  - {name: sleep, engine: sleep, params: {%s}, grid: {number: [%s]}}
metrics: [test_mse]
%s`, params, strings.Join(numbers, ", "), more))
}

// local is the digest of the same experiment without the cluster, and without sleeping.
func (c *cluster) local() string {
	c.Helper()
	code, out, errs := c.tenfold("run", "sleepers.yaml", "--out", "local", "--set", "algorithms.sleep.params.seconds=0", "--set", "algorithms.sleep.params.hold=0")
	if code != 0 {
		c.Fatalf("exit code %d\n%s", code, errs)
	}
	return digest(out)
}

// finish a run and compare it with one on this host.
func (c *cluster) finish(want string) {
	c.Helper()
	code, out, errs := c.tenfold("run", "sleepers.yaml", "--executor", "slurm", "--out", "far")
	if code != 0 {
		c.Fatalf("exit code %d\n%s", code, errs)
	}
	if got := digest(out); got != want {
		c.Errorf("%s, here it is %s", got, want)
	}
}

// fits that were made, by what the tasks printed: each line tells of one that began.
func (c *cluster) fits(run string) int {
	c.Helper()
	logs, err := filepath.Glob(filepath.Join(c.work, run, "shards", "*.log"))
	if err != nil {
		c.Fatal(err)
	}
	n := 0
	for _, path := range logs {
		content, err := os.ReadFile(path)
		if err != nil {
			c.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^(\d+)/\d+ fits, .*$`).FindAllStringSubmatch(string(content), -1) {
			done, _ := strconv.Atoi(m[1])
			n += done
		}
	}
	return n
}

func TestSlurm(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.sleepers(24, "seconds: 0.3", "")
	want := c.local()
	c.finish(want)
	if n := c.fits("far"); n != 24 {
		t.Errorf("%d fits, want 24", n)
	}
	code, out, errs := c.tenfold("run", "sleepers.yaml", "--executor", "slurm", "--out", "far")
	if code != 0 || digest(out) != want || !strings.Contains(errs, "0 to run, 24 cached") {
		t.Errorf("again: %d\n%s", code, errs)
	}
	code, _, errs = c.tenfold("run", "sleepers.yaml", "--executor", "slurm", "--out", "nowhere", "--profile", "her")
	wants(t, errs, "no profile her in "+filepath.Join(c.work, settingsFile)+`; did you mean "here"?`)
	c.write(settingsFile, "profiles: {here: {partition: nix}}\n")
	bad, _, more := c.tenfold("run", "sleepers.yaml", "--executor", "slurm", "--out", "nowhere")
	wants(t, more, "invalid partition")
	if code != app.ExitInvalid || bad == 0 {
		t.Errorf("exit codes %d and %d", code, bad)
	}
}

func TestSlurmDetached(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.sleepers(8, "seconds: 2", "")
	want := c.local()
	code, out, errs := c.tenfold("run", "sleepers.yaml", "--executor", "slurm", "--out", "far", "--detach")
	if code != 0 || out != "" {
		t.Fatalf("exit code %d: %s\n%s", code, out, errs)
	}
	wants(t, errs, "the jobs go on by themselves", "tenfold watch far")
	code, _, errs = c.tenfold("run", "sleepers.yaml", "--executor", "slurm", "--out", "far", "--detach") // attaches
	if code != 0 || len(strings.Fields(c.slurm("squeue", "-h", "-o", "%F"))) > 8 {
		t.Errorf("submitted twice: %d %s", code, errs)
	}
	if code, _, errs = c.tenfold("watch", "far"); code != 0 || !strings.Contains(errs, "far: all fits are stored") {
		t.Errorf("watch: exit code %d\n%s", code, errs)
	}
	c.finish(want)
	if n := c.fits("far"); n != 8 {
		t.Errorf("%d fits, want 8", n)
	}
	if code, _, errs = c.tenfold("run", "sleepers.yaml", "--executor", "slurm", "--out", "other", "--detach"); code != 0 {
		t.Fatal(errs)
	}
	code, out, errs = c.tenfold("cancel", "other", "far")
	if code != 0 || !strings.Contains(out, "other: cancelled ") || !strings.Contains(out, "far: no jobs") {
		t.Errorf("exit code %d: %s\n%s", code, out, errs)
	}
	c.until("the queue is empty", 20*time.Second, func() bool { return c.slurm("squeue", "-h") == "" })
}

func TestSlurmToolKilled(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.sleepers(12, "seconds: 1.5", "")
	want := c.local()
	cmd := c.begin("run", "sleepers.yaml", "--executor", "slurm", "--out", "far")
	c.until("some fits are stored", 30*time.Second, func() bool { return c.stored("far") > 0 })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	c.finish(want)
	if n := c.fits("far"); n != 12 {
		t.Errorf("%d fits, want 12", n)
	}
}

func TestSlurmTaskCancelled(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.sleepers(12, "seconds: 2", "")
	want := c.local()
	cmd := c.begin("run", "sleepers.yaml", "--executor", "slurm", "--out", "far")
	c.until("a task runs", 30*time.Second, func() bool { return strings.Contains(c.slurm("squeue", "-h", "-o", "%T"), "RUNNING") })
	job := strings.Fields(c.slurm("squeue", "-h", "-t", "R", "-o", "%i"))
	c.slurm("scancel", job[0])
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	c.finish(want)
}

func TestSlurmOutOfMemory(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.sleepers(4, "seconds: 4, hold: 700", "") // the prediction knows nothing of what is held
	c.write(settingsFile, "profiles: {here: {memory: 100MiB}}\n")
	want := c.local()
	c.finish(want)
	if rounds, _ := filepath.Glob(filepath.Join(c.work, "far", "shards", "*.json")); len(rounds) < 2 {
		t.Errorf("%d rounds: nothing was killed", len(rounds))
	}
}

func TestSlurmControllerDies(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.sleepers(12, "seconds: 5", "")
	want := c.local()
	cmd := c.begin("run", "sleepers.yaml", "--executor", "slurm", "--out", "far")
	c.until("a task runs", 60*time.Second, func() bool { return strings.Contains(c.slurm("squeue", "-h", "-o", "%T"), "RUNNING") })
	// A controller that comes back with a state from before its tasks ran starts them a second time, and drains their nodes.
	since := time.Now()
	c.until("the controller has saved that tasks run", 60*time.Second, func() bool {
		info, err := os.Stat(filepath.Join(c.dir, "state", "job_state"))
		return err == nil && info.ModTime().After(since) && c.stored("far") > 0
	})
	pid, err := os.ReadFile(filepath.Join(c.dir, "pids", "slurmctld"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.Fields(string(pid))[0])
	if err != nil {
		t.Fatal(err)
	}
	controller, err := os.FindProcess(n)
	if err != nil {
		t.Fatal(err)
	}
	if err := controller.Kill(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(8 * time.Second)
	c.start()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	drained := false
	for end := time.After(4 * time.Minute); ; {
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			c.finish(want)
			if n := c.fits("far"); n != 12 && !drained {
				t.Errorf("%d fits, want 12", n)
			}
			return
		case <-end:
			t.Fatal("the run has not ended 4 minutes after the controller came back")
		case <-time.After(2 * time.Second):
			if strings.Contains(c.slurm("sinfo", "-h", "-o", "%T"), "drain") { // what an administrator would do
				drained = true
				_ = c.command("scontrol", "update", "NodeName=n[1-2]", "State=RESUME").Run() // may have come back by itself
			}
		}
	}
}

func TestSlurmNodeKilled(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.sleepers(16, "seconds: 3", "")
	want := c.local()
	cmd := c.begin("run", "sleepers.yaml", "--executor", "slurm", "--out", "far")
	c.until("some fits are stored", 60*time.Second, func() bool { return c.stored("far") > 2 })
	nodes := strings.Fields(c.slurm("sinfo", "-h", "-N", "-o", "%N"))
	c.script("kill-node", nodes[0], c.dir)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	c.finish(want)
}

func TestSlurmTimeOut(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a minute is Slurm's shortest limit")
	}
	c := newCluster(t, 1, "-a")
	c.sleepers(2, "seconds: 200", "")
	c.write(settingsFile, "profiles: {here: {memory: 100MiB, flags: [--time=1]}}\n")
	cmd := c.begin("run", "sleepers.yaml", "--executor", "slurm", "--out", "far")
	c.until("the first tasks were killed", 150*time.Second, func() bool {
		rounds, _ := filepath.Glob(filepath.Join(c.work, "far", "shards", "2.json"))
		return len(rounds) > 0
	})
	if err := cmd.Process.Kill(); err != nil { // its profile says a minute again
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code, _, errs := c.tenfold("cancel", "far"); code != 0 {
		t.Error(errs)
	}
	c.sleepers(2, "seconds: 1", "")
	c.finish(c.local())
}

// BenchmarkDispatch is 400 fits of 2 seconds on 4 slots, by this program and by Slurm: what sending them through a queue
// costs.
func BenchmarkDispatch(b *testing.B) {
	c := newCluster(b, 2)
	c.sleepers(400, "seconds: 2", "")
	for _, executor := range []string{"local", "slurm"} {
		b.Run(executor, func(b *testing.B) {
			for i := range b.N {
				code, _, errs := c.tenfold("run", "sleepers.yaml", "--jobs", "4", "--executor", executor, "--out", fmt.Sprintf("%s-%d-%d", executor, b.N, i))
				if code != 0 {
					b.Fatalf("exit code %d\n%s", code, errs)
				}
			}
		})
	}
}
