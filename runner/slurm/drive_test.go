package slurm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tenfold/io/strictyaml"
	"tenfold/runner/shard"
)

// fake is a cluster that runs arrays at once, in this process: what becomes of a task is up to the test.
type fake struct {
	t        *testing.T
	next     int
	accounts bool
	arrays   []string // arguments of sbatch, by job number - 1
	scripts  []string
	ends     map[string]map[int]string // state and exit code of tasks, by job
	named    map[string]string
	queued   map[string]int    // active tasks to report, by job, once
	held     map[string]string // lines of squeue on tasks that will not start, by job
	silent   int               // commands that find no controller
	task     func(job, task, shard int, plan string) (state string)
	calls    map[string]int
}

var (
	arrayOf = regexp.MustCompile(`--array=0-(\d+)`)
	shardOf = regexp.MustCompile(`shard '([^']+)' \$\(\(SLURM_ARRAY_TASK_ID \+ (\d+)\)\)`)
)

func (f *fake) run(_ context.Context, stdin, name string, args ...string) (string, error) {
	f.calls[name]++
	line := strings.Join(args, " ")
	if f.silent > 0 {
		f.silent--
		return "", commandError{name, "Unable to contact slurm controller (connect failure)", errors.New("exit status 1")}
	}
	value := func(flag string) string {
		if i := slices.Index(args, flag); i >= 0 {
			return args[i+1]
		}
		return ""
	}
	switch name {
	case "scontrol":
		if args[0] == "show" && args[1] == "config" {
			return "Configuration data\nMaxArraySize            = 4\nMaxJobCount = 10\n", nil
		}
		out := ""
		job := args[len(args)-1]
		for i, end := range f.ends[job] {
			state, code, _ := strings.Cut(end, " ")
			out += fmt.Sprintf("JobId=9 ArrayJobId=%s ArrayTaskId=%d JobName=x JobState=%s Reason=None ExitCode=%s\n", job, i, state, code)
		}
		return out, nil
	case "sinfo":
		return "1/2/0/3\n", nil
	case "sacct":
		if !f.accounts {
			return "", commandError{name, "Slurm accounting storage is disabled", errors.New("exit status 1")}
		}
		out, job := "", value("-j")
		for i, end := range f.ends[job] {
			state, code, _ := strings.Cut(end, " ")
			out += fmt.Sprintf("%s_%d|%s|%s\n%s_[7-9]|PENDING|0:0\n", job, i, state, code, job)
		}
		return out, nil
	case "squeue":
		for _, a := range args {
			if wanted, ok := strings.CutPrefix(a, "--name="); ok {
				return f.named[wanted], nil
			}
		}
		out := ""
		for _, job := range strings.Split(value("-j"), ",") {
			for i := range f.queued[job] {
				out += fmt.Sprintf("RUNNING|%s_%d|None\n", job, i)
			}
			delete(f.queued, job)
			out += f.held[job]
		}
		return out, nil
	case "scancel":
		job, _, _ := strings.Cut(args[0], "_")
		delete(f.held, job)
		return "", nil
	case "sbatch":
		f.next++
		f.arrays, f.scripts = append(f.arrays, line), append(f.scripts, stdin)
		n, _ := strconv.Atoi(arrayOf.FindStringSubmatch(line)[1])
		found := shardOf.FindStringSubmatch(stdin)
		first, _ := strconv.Atoi(found[2])
		ends := map[int]string{}
		for i := range n + 1 {
			ends[i] = f.task(f.next, i, first+i, found[1])
		}
		job := strconv.Itoa(f.next)
		f.ends[job], f.queued[job] = ends, n+1
		return job + "\n", nil
	}
	f.t.Errorf("unexpected command: %s %s", name, line)
	return "", errors.New("unexpected")
}

// world is a run's folder with its units.
type world struct {
	*fake
	*Drive
	done map[string]int // how often each unit was run
	all  []shard.Work
	wait map[string]string // unit → the one that it waits for
}

func newWorld(t *testing.T, units int) *world {
	t.Helper()
	f := &fake{t: t, ends: map[string]map[int]string{}, named: map[string]string{}, queued: map[string]int{}, held: map[string]string{}, calls: map[string]int{}}
	w := &world{fake: f, done: map[string]int{}}
	for i := range units {
		w.all = append(w.all, shard.Work{Key: fmt.Sprintf("u%02d", i), Time: time.Minute, Memory: 100 << 20})
	}
	p := Defaults
	p.Command = "/opt/ten fold"
	w.Drive = &Drive{
		Cluster: &Cluster{Run: f.run, Patience: time.Microsecond, GiveUp: time.Second}, Profile: p, Name: "demo",
		Base: shard.Plan{Run: t.TempDir(), Cache: "c"}, Every: time.Microsecond, Settle: time.Microsecond,
		Tell: func(Queue) {},
		Left: func() ([]shard.Work, error) {
			var left []shard.Work
			for _, u := range w.all {
				if before := w.wait[u.Key]; w.done[u.Key] == 0 && (before == "" || w.done[before] > 0) {
					left = append(left, u)
				}
			}
			return left, nil
		},
	}
	f.task = func(_, _, n int, plan string) string { return w.shard(plan, n, -1) }
	return w
}

// shard runs so many of the units of a shard (-1: all) and tells how that ended.
func (w *world) shard(path string, n, units int) string {
	p, err := shard.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := p.Shard(n)
	if err != nil {
		w.t.Fatal(err)
	}
	for i, u := range s.Units {
		if i == units {
			return "FAILED 1:0"
		}
		w.done[u]++
	}
	return "COMPLETED 0:0"
}

func (w *world) once() {
	w.t.Helper()
	for _, u := range w.all {
		if w.done[u.Key] != 1 {
			w.t.Errorf("unit %s ran %d times", u.Key, w.done[u.Key])
		}
	}
}

func TestDrive(t *testing.T) {
	t.Parallel()
	t.Run("arrays stay below the cluster's limit", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, 30)
		if err := w.Drive.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.once()
		if len(w.arrays) < 2 {
			t.Errorf("%d arrays", len(w.arrays))
		}
		for k, a := range w.arrays {
			if n, _ := strconv.Atoi(arrayOf.FindStringSubmatch(a)[1]); n > 3 {
				t.Errorf("array %d: %s", k, a)
			}
		}
		if want := "exec '/opt/ten fold' shard '" + shard.Path(w.Base.Run, 1) + "' $((SLURM_ARRAY_TASK_ID + 0)) --jobs 1\n"; !strings.HasSuffix(w.scripts[0], want) {
			t.Errorf("%s, want %s", w.scripts[0], want)
		}
		before := len(w.arrays)
		if err := w.Drive.Run(t.Context()); err != nil || len(w.arrays) != before {
			t.Errorf("%v: run again submits %d", err, len(w.arrays)-before)
		}
	})
	t.Run("stages come first", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, 3)
		w.wait = map[string]string{"u00": "u02", "u01": "u02"}
		if err := w.Drive.Run(t.Context()); err != nil || len(w.arrays) != 2 {
			t.Error(err, w.arrays)
		}
		w.once()
	})
	for _, c := range []struct {
		state    string
		accounts bool
		want     *regexp.Regexp
	}{
		{"TIMEOUT 0:0", true, regexp.MustCompile(`--time=8 --mem=512M`)},
		{"TIMEOUT 0:0", false, regexp.MustCompile(`--time=8 --mem=512M`)},
		{"OUT_OF_MEMORY 0:125", true, regexp.MustCompile(`--time=4 --mem=1024M`)},
		{"FAILED 0:9", false, regexp.MustCompile(`--time=4 --mem=1024M`)},
		{"NODE_FAIL 0:0", true, regexp.MustCompile(`--time=4 --mem=512M`)},
		{"CANCELLED 0:15", false, regexp.MustCompile(`--time=4 --mem=512M`)},
	} {
		t.Run(fmt.Sprintf("%s, accounting %v", c.state, c.accounts), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 6)
			w.accounts = c.accounts
			w.task = func(job, task, n int, plan string) string {
				if job == 1 && task == 1 {
					return c.state
				}
				return w.shard(plan, n, -1)
			}
			if err := w.Drive.Run(t.Context()); err != nil || len(w.arrays) != 3 {
				t.Fatal(err, len(w.arrays), w.arrays)
			}
			w.once()
			if last := w.arrays[len(w.arrays)-1]; !c.want.MatchString(last) {
				t.Errorf("%s, want %s", last, c.want)
			}
		})
	}
	t.Run("what a task has stored is not run again", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, 30)
		w.task = func(job, _, n int, plan string) string {
			if job == 1 {
				return w.shard(plan, n, 1)
			}
			return w.shard(plan, n, -1)
		}
		if err := w.Drive.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.once()
	})
	t.Run("tasks that Slurm holds are submitted again", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, 6)
		w.task = func(job, task, n int, plan string) string {
			if job == 1 && task == 0 {
				w.held["1"] = "PENDING|1_0|launch failed requeued held\n"
				return "CANCELLED 0:0"
			}
			return w.shard(plan, n, -1)
		}
		if err := w.Drive.Run(t.Context()); err != nil || w.calls["scancel"] != 1 {
			t.Error(err, w.calls)
		}
		w.once()
	})
	t.Run("a later run of the same units is no further attempt", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, 3)
		for range 6 {
			clear(w.done)
			if err := w.Drive.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.once()
		}
	})
	t.Run("gives up in the end", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, 2)
		w.task = func(job, task, n int, plan string) string {
			if n != 0 {
				return w.shard(plan, n, -1)
			}
			log := strings.TrimSuffix(plan, ".json") + fmt.Sprintf("-%d_%d.log", job, task)
			if err := os.WriteFile(log, []byte("loading\nno such module\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			return "FAILED 127:0"
		}
		err := w.Drive.Run(t.Context())
		if want := "shard 0 was lost with 1 of its units to run, and was submitted 4 times, the last time with 4m0s and 0.5 GiB; it printed last: no such module"; !errors.As(err, new(GaveUp)) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if w.done["u00"]+w.done["u01"] != 1 {
			t.Error(w.done)
		}
	})
	t.Run("what was given up is not submitted with what comes later", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, 8)
		w.wait = map[string]string{"u02": "u01", "u03": "u02", "u04": "u03", "u05": "u04", "u06": "u05", "u07": "u06"}
		submitted := 0
		w.task = func(_, _, n int, plan string) string {
			p, err := shard.ReadFile(plan)
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(p.Shards[n].Units, "u00") {
				submitted++
				return "NODE_FAIL 0:0"
			}
			return w.shard(plan, n, -1)
		}
		err := w.Drive.Run(t.Context())
		if gone := (GaveUp)(nil); !errors.As(err, &gone) || len(gone) != 1 || submitted != 4 {
			t.Errorf("submitted %d times: %v", submitted, err)
		}
		if w.done["u07"] != 1 {
			t.Error(w.done)
		}
	})
}

func TestDriveGoesOn(t *testing.T) {
	t.Parallel()
	t.Run("after its own end", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, 6)
		ctx, stop := context.WithCancel(t.Context())
		w.Tell = func(Queue) { stop() }
		if err := w.Drive.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		w.Tell = func(Queue) {}
		submitted := len(w.arrays)
		w.queued["1"] = 1
		if jobs, err := w.Drive.Submit(t.Context()); err != nil || !slices.Equal(jobs, []string{"1", "2"}) || len(w.arrays) != submitted {
			t.Error(jobs, err, len(w.arrays), submitted)
		}
		if err := w.Drive.Run(t.Context()); err != nil || len(w.arrays) != submitted {
			t.Error(err, len(w.arrays), submitted)
		}
		w.once()
	})
	t.Run("when it ended between submitting and writing that down", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, 2)
		w.named["tenfold-demo-"] = ""
		if _, err := w.Drive.Submit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(w.Base.Run, "shards", "1.jobs")); err != nil {
			t.Fatal(err)
		}
		w.named[w.jobName(1, 0)] = "1\n1\n"
		if err := w.Drive.Run(t.Context()); err != nil || len(w.arrays) != 1 {
			t.Error(err, w.arrays)
		}
		w.once()
	})
	t.Run("when the controller is silent for a while", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, 2)
		warned := 0
		w.Warn = func(error) { warned++ }
		w.silent = 5
		if err := w.Drive.Run(t.Context()); err != nil || warned == 0 {
			t.Error(err, warned)
		}
		w.once()
	})
	t.Run("but not when sbatch refuses", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, 2)
		inner := w.Cluster.Run
		w.Cluster.Run = func(ctx context.Context, stdin, name string, args ...string) (string, error) {
			if name == "sbatch" {
				return "", commandError{name, "invalid partition specified: nix", errors.New("exit status 1")}
			}
			return inner(ctx, stdin, name, args...)
		}
		if err := w.Drive.Run(t.Context()); err == nil || err.Error() != "sbatch: invalid partition specified: nix" {
			t.Error(err)
		}
	})
}

func TestProfile(t *testing.T) {
	t.Parallel()
	p := Profile{Partition: "long", Account: "a", Constraint: "avx2", Flags: []string{"--qos=x"}, Setup: []string{"module load go"}, Command: "it's", CPUs: 2,
		Scratch: "$TMPDIR", Time: time.Hour, Memory: 1}
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	if got, want := p.batchScript("/r/1.json", 1001), "#!/bin/sh\nmodule load go\nexec 'it'\\''s' shard '/r/1.json' $((SLURM_ARRAY_TASK_ID + 1001)) --jobs 2 --cache \"$TMPDIR/tenfold-$(id -u)\"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := strings.Join(p.sbatchFlags(), " "); got != "--partition=long --account=a --constraint=avx2 --qos=x" {
		t.Error(got)
	}
	err := Profile{AtOnce: -1, Resubmit: -1, Flags: []string{"qos"}}.Validate()
	want := "cpus: 0, expected at least 1\nat_once: -1, expected at least 0\ntime: 0s, expected a duration such as 2h\n" +
		"memory: 0, expected a size such as 2GiB\nresubmit: -1, expected at least 0\nflags: \"qos\", expected a flag of sbatch such as --qos=long"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A profile of the settings is decoded over the defaults.
func TestDecodedProfile(t *testing.T) {
	t.Parallel()
	read := func(keys string) (p Profile, err error) {
		text := []byte("a: {" + keys + "}")
		problems := strictyaml.NewProblems("s.yaml", text, nil)
		p = Defaults
		err = problems.Parts(problems.Parse(text))["a"].Decode(&p, "profile a")
		return p, err
	}
	p, err := read("partition: long, time: 90m, memory: 2GiB, flags: [--qos=x], at_once: 7")
	if err != nil || p.Partition != "long" || p.Time != 90*time.Minute || p.Memory != 2<<30 || p.AtOnce != 7 || p.CPUs != 1 || p.Resubmit != 3 {
		t.Errorf("%v: %+v", err, p)
	}
	for _, c := range [][2]string{
		{"partion: x", `s.yaml:1:5: unknown key "partion" of profile a; did you mean "partition"?`}, {"time: soon", "s.yaml:1:11: time: expected a duration"},
		{"memory: lots", "s.yaml:1:13: memory: expected a size"}, {"cpus: 0", "s.yaml:1:11: cpus: 0, expected at least 1"}, {"flags: --x", "s.yaml:1:12: flags: expected a list"},
	} {
		if _, err := read(c[0]); err == nil || !strings.HasPrefix(err.Error(), c[1]) {
			t.Errorf("%s: %v", c[0], err)
		}
	}
}

func TestQueue(t *testing.T) {
	t.Parallel()
	known := map[string]string{
		"1": "RUNNING|1_0|None\nPENDING|1_1|Resources\nPENDING|1_2|Priority\nPENDING|1_3|Priority\nCOMPLETING|1_4|None\nCOMPLETED|1_5|None\n",
		"2": "PENDING|2_0|launch failed requeued held\n",
	}
	c := &Cluster{Run: func(_ context.Context, _, _ string, args ...string) (string, error) {
		jobs, out := strings.Split(args[len(args)-1], ","), ""
		for _, j := range jobs {
			lines, ok := known[j]
			if !ok {
				return "", commandError{"squeue", "Invalid job id specified", errors.New("exit status 1")}
			}
			out += lines
		}
		return out, nil
	}}
	for _, k := range []struct {
		jobs []string
		want Queue
	}{
		{nil, Queue{}},
		{[]string{"9"}, Queue{}},
		{[]string{"1"}, Queue{Waiting: 3, Running: 2, Why: "Priority"}},
		{[]string{"9", "1", "2"}, Queue{Waiting: 4, Running: 2, Why: "Priority", Held: []string{"2_0"}}},
	} {
		if got, err := c.Queue(t.Context(), k.jobs); err != nil || !reflect.DeepEqual(got, k.want) {
			t.Errorf("%v: %+v, %v, want %+v", k.jobs, got, err, k.want)
		}
	}
}

// TestForgedJobs: what is handed to Slurm's commands as the number of a job, is one.
func TestForgedJobs(t *testing.T) {
	t.Parallel()
	var asked []string
	c := &Cluster{Run: func(_ context.Context, _, name string, args ...string) (string, error) {
		asked = append(asked, args...)
		return "", nil
	}}
	for _, id := range []string{"--user=root", "", "1;2", "1_", "_1", "1_2_3", "1,2", "-1", " 1", "1\n", "--state=PENDING"} {
		w := newWorld(t, 1)
		if _, _, err := (&shard.Plan{Run: w.Base.Run, Shards: []shard.Shard{{Units: []string{"u"}}}}).Write(); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(map[string]any{"jobs": []map[string]any{{"id": id, "tasks": 1}}})
		if err == nil {
			err = os.WriteFile(filepath.Join(w.Base.Run, "shards", "1.jobs"), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if jobs, err := JobsOf(w.Base.Run); err == nil || !strings.Contains(err.Error(), "1.jobs: "+fmt.Sprintf("%q is not the number of a job", id)) {
			t.Errorf("%q: %q, %v", id, jobs, err)
		}
		if err := c.Cancel(t.Context(), []string{id}); err == nil {
			t.Errorf("%q is cancelled", id)
		}
	}
	if err := c.Cancel(t.Context(), []string{"12", "34_5"}); err != nil || !slices.Equal(asked, []string{"12", "34_5"}) {
		t.Errorf("%v, asked %q", err, asked)
	}
}
