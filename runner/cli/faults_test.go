package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tenfold/io/host/hosttest"
	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/runner/cli/app"
)

// faults returns how many random faults of a kind are tried: 3, 10 where programs may be started, and for a campaign as many as
// TENFOLD_FAULTS says.
func faults(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("TENFOLD_FAULTS"))
	if err != nil || n < 1 {
		n = 3
		if hosttest.Programs() && !testing.Short() {
			n = 10
		}
	}
	return n
}

// random numbers of a test: TENFOLD_SEED repeats a failure.
func random(t *testing.T) *rand.Rand {
	t.Helper()
	seed, err := strconv.ParseUint(os.Getenv("TENFOLD_SEED"), 10, 64)
	if err != nil {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("TENFOLD_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// trial is an experiment on a table in a file, and what it says when nothing disturbs it.
type trial struct {
	desk
	want string // the digest
	took time.Duration
}

// troubled has five cells on four folds, and every kind of result file.
const troubled = `tenfold: 1
name: troubled
seed: 7
datasets:
  - {name: table, format: csv, files: {all: t.csv}, target: {column: "y"}, columns: {categorical: [kind]}}
folds: {kind: kfold, k: 4}
algorithms:
  - {name: steps, engine: stagewise, params: {max_iter: 300}, grid: {epsilon: [0.1, 0.03]}}
  - {name: ridge, engine: ridge, grid: {lambda: [0.1, 10]}}
  - {name: mean, engine: mean}
metrics: [test_mse, nonzero]
report:
  figures: [{kind: sweep, x: lambda, y: test_mse, where: {algorithm: ridge}}]
`

// table of so many rows.
func tableOf(rows int) string {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("a,b,c,d,kind,y\n")
	for range rows {
		a, c := rng.NormFloat64(), rng.NormFloat64()
		fmt.Fprintf(&b, "%.3f,%.3f,%.3f,%d,%s,%.3f\n", a, rng.NormFloat64(), c, rng.IntN(9), []string{"u", "v", "w"}[rng.IntN(3)], 2*a-c+rng.NormFloat64()/3)
	}
	return b.String()
}

func newTrial(t *testing.T, rows int, changes ...string) trial {
	t.Helper()
	return newTrialOf(t, strings.NewReplacer(changes...).Replace(troubled), rows)
}

func newTrialOf(t *testing.T, text string, rows int) trial {
	t.Helper()
	x := trial{desk: newDesk(t, text)}
	x.write("t.csv", tableOf(rows))
	old := time.Now().Add(-time.Hour) // so that its checksum is remembered
	if err := os.Chtimes(x.path("t.csv"), old, old); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	code, out, errs := x.wait(x.process("run", x.spec, "--out", x.path("undisturbed"), "--cache", x.path("undisturbed cache"), "--jobs", "2"))
	if code != app.ExitOK {
		t.Fatalf("undisturbed: exit code %d\n%s", code, errs)
	}
	x.want, x.took = digest(out), time.Since(begun)
	return x
}

// process is the program as one of its own.
func (x trial) process(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(x.t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), "TENFOLD_TEST_MAIN=1", "TENFOLD_CACHE="+x.cache, "GOTRACEBACK=single")
	return cmd
}

// wait runs a process to its end; a code of -1 is that of a signal.
func (x trial) wait(cmd *exec.Cmd) (code int, out, errs string) {
	x.t.Helper()
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		x.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// recovers is the same run once more, with nothing in its way: it must end well, with the digest of the undisturbed one.
func (x trial) recovers(what string) (errs string) {
	x.t.Helper()
	code, out, errs := x.wait(x.process("run", x.spec, "--out", x.dir))
	if code != app.ExitOK || digest(out) != x.want {
		x.t.Errorf("%s, then run again: exit code %d, %s, want %s\n%s", what, code, digest(out), x.want, errs)
	}
	return errs
}

// stored are the keys of the outcomes in the run's folder, each of which must be whole.
func (x trial) stored() []string {
	x.t.Helper()
	j, err := journal.Open(x.dir)
	if err != nil {
		x.t.Fatal(err)
	}
	keys, err := j.Keys()
	if err != nil {
		x.t.Fatal(err)
	}
	for _, k := range keys {
		if _, ok, err := j.Get(k); !ok || err != nil {
			x.t.Errorf("a stored result is lost: %v", err)
		}
	}
	return keys
}

// cleared removes the run's folder and, where asked, the cache.
func (x trial) cleared(cache bool) {
	x.t.Helper()
	err := os.RemoveAll(x.dir)
	if cache {
		err = errors.Join(err, os.RemoveAll(x.cache))
	}
	if err != nil {
		x.t.Fatal(err)
	}
}

// failed are the ways in which a fault may end a run: by the tool's failure, said in words, and without a trace of Go's.
func (x trial) failed(what string, code int, errs string, words ...string) {
	x.t.Helper()
	if code != app.ExitTool || strings.Contains(errs, "goroutine ") || strings.Contains(errs, "panic") {
		x.t.Errorf("%s: exit code %d\n%s", what, code, errs)
	}
	if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(errs, w) }) {
		x.t.Errorf("%s: none of %q in\n%s", what, words, errs)
	}
}

// TestKilledAnywhere: kill -9 at random moments, from the first to the last of a run. What was stored stays, whole, and the
// next run goes on from there to the same results.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	x, rng := newTrial(t, 300), random(t)
	kills, through, most := 0, 0, 0
	var before []string
	for n := faults(t); kills < n && through < 20*n; {
		cmd := x.process("run", x.spec, "--out", x.dir, "--jobs", "2")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		moment := time.Duration(rng.Float64() * 1.1 * float64(x.took))
		timer := time.AfterFunc(moment, func() { _ = cmd.Process.Kill() })
		ended := cmd.Wait()
		timer.Stop()
		now := x.stored()
		for _, k := range before {
			if !slices.Contains(now, k) {
				t.Fatalf("killed after %s: %s was stored before and is gone", moment, k)
			}
		}
		before = now
		if ended != nil {
			kills++
			most = max(most, len(now))
		}
		if through++; ended == nil || len(now) == 20 && rng.IntN(3) == 0 {
			x.recovers(fmt.Sprintf("killed %d times, the last after %s", kills, moment))
			x.leftovers()
			x.cleared(rng.IntN(2) == 0)
			before = nil
		}
	}
	x.recovers(fmt.Sprintf("killed %d times", kills))
	t.Logf("killed %d times in %d runs of about %s; up to %d of 20 results were stored", kills, through, x.took, most)
}

// leftovers: what killed processes left is removed when it is old, wherever it is, and nothing else.
func (x trial) leftovers() {
	x.t.Helper()
	old := time.Now().Add(-2 * time.Hour)
	var young []string
	for _, dir := range []string{x.dir, x.cache} {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && strings.HasPrefix(e.Name(), ".tmp-") {
				young = append(young, path)
				err = os.Chtimes(path, old, old)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			x.t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(x.cache, "datasets")); err != nil { // so that it is written to
		x.t.Fatal(err)
	}
	x.recovers("leftovers made old")
	for _, path := range young {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			x.t.Errorf("%s stays for ever: %v", path, err)
		}
	}
}

// TestSignals: Ctrl-C or a termination signal at any moment ends a run with 130, unless it was over or not begun.
func TestSignals(t *testing.T) {
	t.Parallel()
	x, rng := newTrial(t, 300), random(t)
	interrupted := 0
	for range faults(t) {
		cmd := x.process("run", x.spec, "--out", x.dir, "--jobs", "2")
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		moment := time.Duration(rng.Float64() * float64(x.took))
		timer := time.AfterFunc(moment, func() { _ = cmd.Process.Signal(os.Interrupt) })
		_ = cmd.Wait()
		timer.Stop()
		switch code := cmd.ProcessState.ExitCode(); code {
		case app.ExitInterrupted:
			interrupted++
			wants(t, errs.String(), "the same command goes on from here")
		case app.ExitOK, -1: // over, or not begun: the signal found no one listening yet
		default:
			t.Errorf("after %s: exit code %d\n%s", moment, code, errs.String())
		}
		if len(x.stored()) == 20 || rng.IntN(3) == 0 {
			x.recovers("interrupted")
			x.cleared(rng.IntN(2) == 0)
		}
	}
	x.recovers("interrupted")
	t.Logf("%d of %d were interrupted in time", interrupted, faults(t))
}

// TestFilesTooLarge: no file may get longer than a limit (ulimit -f), so that writes fail in the midst of files of every kind.
func TestFilesTooLarge(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skipf("no shell sets limits here: %v", err)
	}
	x, hit := newTrial(t, 300), 0
	for _, blocks := range []int{0, 1, 2, 4, 8, 16, 32, 64} { // of 512 bytes
		x.cleared(true)
		inner := x.process("run", x.spec, "--out", x.dir)
		cmd := x.process()
		shell, _ := exec.LookPath("sh")
		cmd.Path, cmd.Args = shell, append([]string{"sh", "-c", fmt.Sprintf(`ulimit -f %d && exec "$@"`, blocks), "sh"}, inner.Args...)
		code, out, errs := x.wait(cmd)
		what := fmt.Sprintf("files of at most %d bytes", blocks*512)
		if code == app.ExitOK {
			if digest(out) != x.want {
				t.Errorf("%s: %s, want %s", what, digest(out), x.want)
			}
			continue
		}
		hit++
		x.failed(what, code, errs, "file too large")
		x.stored()
		x.recovers(what)
	}
	t.Logf("%d limits were too low", hit)
	if hit == 0 {
		t.Error("no limit was low enough")
	}
}

// TestDiskFull: a file system of its own, too small at first, holds the run's folder and the cache; it fills up at another
// place each time. Then it gets room.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	x := newTrial(t, 300)
	at := x.path("disk")
	if err := os.Mkdir(at, 0o755); err != nil {
		t.Fatal(err)
	}
	// The mount is seen by this shell alone, and ends with it.
	script := `mount -t tmpfs -o size="$2"k tmpfs "$1" || exit 99
"$3" run "$4" --out "$1/run" --cache "$1/cache" >"$5/out1" 2>"$5/errs1"; echo $? >"$5/code1"
mount -o remount,size=64m "$1" || exit 99
"$3" run "$4" --out "$1/run" --cache "$1/cache" >"$5/out2" 2>"$5/errs2"; echo $? >"$5/code2"
find "$1" -name '.tmp-*' >"$5/left"`
	try := func(kib int) bool {
		cmd := x.process()
		shell, err := exec.LookPath("unshare")
		if err != nil || os.Geteuid() != 0 {
			t.Skip("only root, with unshare, can mount a small disk: not tried")
		}
		cmd.Path, cmd.Args = shell, []string{"unshare", "-m", "sh", "-c", script, "sh", at, fmt.Sprint(kib), os.Args[0], x.spec, x.folder}
		code, _, errs := x.wait(cmd)
		if code != 0 {
			t.Skipf("a small disk cannot be mounted here (%d): %s", code, errs)
		}
		what := fmt.Sprintf("a disk of %d KiB", kib)
		first, second := strings.TrimSpace(x.read(x.path("code1"))), strings.TrimSpace(x.read(x.path("code2")))
		if first == "0" {
			if digest(x.read(x.path("out1"))) != x.want {
				t.Errorf("%s: %s, want %s", what, digest(x.read(x.path("out1"))), x.want)
			}
		} else {
			n, _ := strconv.Atoi(first)
			x.failed(what, n, x.read(x.path("errs1")), "no space left on device")
		}
		if second != "0" || digest(x.read(x.path("out2"))) != x.want {
			t.Errorf("%s, then room: exit code %s, %s\n%s", what, second, digest(x.read(x.path("out2"))), x.read(x.path("errs2")))
		}
		if left := x.read(x.path("left")); left != "" {
			t.Errorf("%s: what could not be written was left there:\n%s", what, left)
		}
		return first == "0"
	}
	full, step := 0, 40*10/faults(t)
	for kib := 4; kib < 1000; kib += max(4, step) {
		if try(kib) {
			break
		}
		full++
	}
	t.Logf("the disk was full %d times", full)
	if full == 0 {
		t.Error("no disk was small enough")
	}
}

// TestAtOnce: several processes run one experiment in one folder, with an empty cache. All of them end well.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	x := newTrial(t, 300)
	for range max(1, faults(t)/5) {
		x.cleared(true)
		type end struct {
			code      int
			out, errs string
		}
		ends := make(chan end)
		const several = 3
		for k := range several {
			cmd := x.process("run", x.spec, "--out", x.dir, "--jobs", fmt.Sprint(k+1))
			var o, e bytes.Buffer
			cmd.Stdout, cmd.Stderr = &o, &e
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			go func() {
				_ = cmd.Wait()
				ends <- end{cmd.ProcessState.ExitCode(), o.String(), e.String()}
			}()
		}
		for range several {
			if e := <-ends; e.code != app.ExitOK || digest(e.out) != x.want {
				t.Errorf("one of %d at once: exit code %d, %s, want %s\n%s", several, e.code, digest(e.out), x.want, e.errs)
			}
		}
		if n := len(x.stored()); n != 20 {
			t.Errorf("%d results are stored, want 20", n)
		}
		if code, _, errs := x.wait(x.process("report", x.dir)); code != app.ExitOK {
			t.Errorf("report: exit code %d\n%s", code, errs)
		}
		wants(t, x.recovers("several at once"), "0 to run, 20 cached")
	}
}

// TestFlippedBits: a byte of any file in the run's folder or the cache is another one. The next run finds out, or it does not matter.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	x, rng := newTrial(t, 300), random(t)
	x.recovers("nothing")
	for range faults(t) {
		var paths []string
		for _, dir := range []string{x.dir, x.cache} {
			err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
				if err == nil && e.Type().IsRegular() {
					paths = append(paths, path)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(paths)
		path := paths[rng.IntN(len(paths))]
		content, err := os.ReadFile(path)
		if err != nil || len(content) == 0 {
			continue
		}
		at := rng.IntN(len(content))
		what := fmt.Sprintf("byte %d of %d of %s another", at, len(content), path)
		switch rng.IntN(3) {
		case 0:
			content[at] ^= byte(1 + rng.IntN(255))
		case 1:
			content, what = content[:at], "cut to "+what
		case 2:
			clear(content[at:min(len(content), at+4096)]) // what a power failure leaves
			what = "zeros from " + what
		}
		replace(t, path, content)
		for _, args := range [][]string{{"report", x.dir}, {"plan", x.spec, "--out", x.dir}, {"diff", x.dir, x.path("undisturbed")}} {
			code, _, errs := x.wait(x.process(args...))
			if code < 0 || strings.Contains(errs, "goroutine ") || strings.Contains(errs, "panic") {
				t.Errorf("%s, then %s: exit code %d\n%s", what, args[0], code, errs)
			}
		}
		x.recovers(what)
	}
}

// TestFilesGone: any file or folder of a run, or of the cache, can be deleted.
func TestFilesGone(t *testing.T) {
	t.Parallel()
	x := newTrial(t, 300)
	x.recovers("nothing")
	for _, name := range []string{"cells", "cells/*", "cells/*/*", "plan.json", "*.parquet", "results.parquet", "report.*", "figures", "metrics.json", "*"} {
		found, err := filepath.Glob(filepath.Join(x.dir, name))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", name, found, err)
		}
		for _, path := range found[:(len(found)+1)/2] {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
		}
		x.recovers(name + " deleted")
	}
	for _, name := range []string{"digests", "datasets", ""} {
		if err := os.RemoveAll(filepath.Join(x.cache, name)); err != nil {
			t.Fatal(err)
		}
		x.recovers("of the cache, " + name + " deleted")
	}
}

// TestDataChanges: between plan and run, during a run, and with the date of another file.
func TestDataChanges(t *testing.T) {
	t.Parallel()
	x := newTrial(t, 300)
	first := x.read(x.path("t.csv"))
	x.ok("plan", x.spec, "--out", x.dir)
	changed := strings.Replace(first, "\n", "\n1,2,3,4,u,5\n", 1)
	x.write("t.csv", changed)
	out, errs := x.ok("run", x.spec, "--out", x.dir)
	wants(t, errs, "20 to run, 0 cached")
	if digest(out) == x.want {
		t.Error("other data, the same digest")
	}
	// The old content again, as long and with the date of the new one; and dates of the future and of long ago.
	swapped := strings.Replace(changed, "1,2,3,4,u,5\n", "9,2,3,4,u,5\n", 1)
	info, err := os.Stat(x.path("t.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, when := range []time.Time{info.ModTime(), time.Now().Add(1000 * time.Hour), time.Unix(0, 0), time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC)} {
		var seen []string
		for _, text := range []string{swapped, changed} {
			x.write("t.csv", text)
			if err := os.Chtimes(x.path("t.csv"), when, when); err != nil {
				t.Fatal(err)
			}
			again, _ := x.ok("run", x.spec, "--out", x.dir)
			seen = append(seen, digest(again))
		}
		if seen[0] == seen[1] || seen[1] != digest(out) {
			t.Errorf("dated %s: %s", when, seen)
		}
	}
	x.write("t.csv", first)
	wants(t, x.recovers("data changed and changed back"), "20 to run")
	wants(t, x.recovers("nothing"), "20 cached")
}

// TestDataChangeDuringRun: the file of the data set, and the cache's, change under a run. Removed or replaced, they make no
// difference; what is computed from memory that somebody wrote into is thrown away, and that is said.
func TestDataChangeDuringRun(t *testing.T) {
	t.Parallel()
	x := newTrial(t, 4000, "max_iter: 300", "max_iter: 1000", "epsilon: [0.1, 0.03]", "epsilon: [0.001, 0.0008]")
	compiled := func() string {
		found, _ := filepath.Glob(filepath.Join(x.cache, "datasets", "*"))
		if len(found) != 1 {
			t.Fatalf("%d compiled data sets", len(found))
		}
		return found[0]
	}
	overwrite := func(path string) error {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteAt(bytes.Repeat([]byte{0x55}, 1<<16), 1<<16)
		return errors.Join(err, f.Close())
	}
	for _, c := range []struct {
		name   string
		do     func() error
		spoilt bool
	}{
		{"data replaced", func() error { replace(t, x.path("t.csv"), []byte("a,y\n1,2\n")); return nil }, false},
		{"data cut short", func() error { return os.Truncate(x.path("t.csv"), 100) }, false},
		{"data removed", func() error { return os.Remove(x.path("t.csv")) }, false},
		{"cache removed", func() error { return os.RemoveAll(x.cache) }, false},
		{"compiled data removed", func() error { return os.Remove(compiled()) }, false},
		{"compiled data cut short", func() error { return os.Truncate(compiled(), 4096) }, true},
		{"compiled data emptied", func() error { return os.Truncate(compiled(), 0) }, true},
		{"compiled data overwritten", func() error { return overwrite(compiled()) }, true},
	} {
		content := []byte(x.read(x.path("t.csv")))
		x.cleared(true)
		cmd := x.process("run", x.spec, "--out", x.dir, "--jobs", "1")
		var o, e bytes.Buffer
		cmd.Stdout, cmd.Stderr = &o, &e
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(time.Minute); len(x.stored()) < 1 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		err := c.do()
		kept := len(x.stored())
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		_ = cmd.Wait()
		code := cmd.ProcessState.ExitCode()
		switch {
		case kept == 20:
			t.Logf("%s: not tried, the run was over", c.name)
		case c.spoilt:
			x.failed(c.name, code, e.String(), "wrote into the file while it was in use", "was cut short by another program")
			if len(x.stored()) < kept {
				t.Errorf("%s: %d results are stored, %d were", c.name, len(x.stored()), kept)
			}
		case code != app.ExitOK || digest(o.String()) != x.want:
			t.Errorf("%s: exit code %d, %s, want %s\n%s", c.name, code, digest(o.String()), x.want, e.String())
		}
		replace(t, x.path("t.csv"), content)
		x.recovers(c.name)
	}
}

// TestOutputThatIsFull: what cannot be printed is an error, though the results are stored.
func TestOutputThatIsFull(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no device that is always full: %v", err)
	}
	defer full.Close()
	x := newTrial(t, 100)
	cmd := x.process("run", x.spec, "--out", x.dir)
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = full, &errs
	_ = cmd.Run()
	x.failed("a full output", cmd.ProcessState.ExitCode(), errs.String(), "no space left on device")
	wants(t, x.recovers("a full output"), "0 to run, 20 cached")
}

// TestMixedFolder: another experiment, a newer one, or none, was in the folder before.
func TestMixedFolder(t *testing.T) {
	t.Parallel()
	x := newTrial(t, 300)
	x.ok("run", x.spec, "--out", x.dir, "--set", "seed=8", "--set", "folds.k=3")
	x.recovers("another seed and other folds")
	if _, err := results.Read(x.dir); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"notes.txt", "cells/x/readme", "cells/00/ff.cell"} {
		path := filepath.Join(x.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("mine"), 0o600)); err != nil {
			t.Fatal(err)
		}
		x.recovers(name)
		if x.read(path) != "mine" {
			t.Errorf("%s was touched", name)
		}
	}
}

// TestFilesSwapped: a result file with the content of its neighbour, which is whole and of the same results, is written anew by check and run.
func TestFilesSwapped(t *testing.T) {
	t.Parallel()
	x := newTrial(t, 100)
	x.recovers("nothing")
	x.ok("accept", x.spec, "--out", x.dir)
	files := []string{"results.parquet", "metrics.parquet", "selections.parquet", "paths.parquet", "predictions.parquet"}
	for k, name := range files {
		other := files[(k+1)%len(files)]
		replace(t, filepath.Join(x.dir, name), []byte(x.read(filepath.Join(x.dir, other))))
		if code, _, errs := x.wait(x.process("check", x.spec, "--out", x.dir)); code != app.ExitOK {
			t.Errorf("%s is %s, then check: exit code %d\n%s", name, other, code, errs)
		}
		x.recovers(name + " is " + other)
		if _, err := results.Read(x.dir); err != nil {
			t.Errorf("%s was %s: %v", name, other, err)
		}
	}
}
