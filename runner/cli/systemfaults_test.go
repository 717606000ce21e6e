package cli_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/io/host/hosttest"
	"tenfold/runner/cli/app"
)

// TestUnreadableInputs: a file that the disk does not give is no mistake in it. Reading the memory of a process at 0 fails as a broken
// disk does.
func TestUnreadableInputs(t *testing.T) {
	const broken = "/proc/self/mem"
	if f, err := os.Open(broken); err != nil {
		t.Skipf("no file here that cannot be read: %v", err)
	} else {
		f.Close()
	}
	x := newTrial(t, 100)
	x.ok("accept", x.spec, "--out", x.dir)
	x.ok("fit", x.spec, "--cell", "mean", "-o", x.path("model.json"))
	x.write("declared.yaml", strings.Replace(x.read(x.spec), "datasets:", "methods: [{file: d.yaml}]\ndatasets:", 1))
	for name, args := range map[string][]string{
		"x.yaml":          {"validate", x.spec},
		"x.baseline.yaml": {"check", x.spec, "--out", x.dir},
		"model.json":      {"predict", x.path("model.json"), x.path("t.csv")},
		"tenfold.yaml":    {"validate", x.spec},
		"d.yaml":          {"validate", x.path("declared.yaml"), "--no-data"},
	} {
		path := x.path(name)
		kept, err := os.ReadFile(path)
		if err == nil {
			err = os.Remove(path)
		} else if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		if err := errors.Join(err, os.Symlink(broken, path)); err != nil {
			t.Fatal(err)
		}
		cmd := x.process(args...)
		cmd.Dir = x.folder
		code, _, errs := x.wait(cmd)
		x.failed(name, code, errs, "input/output error")
		wants(t, errs, name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if kept != nil {
			put(t, path, string(kept))
		}
	}
}

// TestDiskErrors: the disk fails to open, to read or to describe a file, of the user's or of a run. The command ends with 1 and names the
// file; nothing stored is lost, and nothing is taken for missing or damaged.
func TestDiskErrors(t *testing.T) {
	t.Parallel()
	strace := hosttest.Find(t, "strace, which makes system calls fail", []string{"-qq", "-o", os.DevNull, "true"}, "strace")
	x := newTrial(t, 100)
	x.recovers("nothing")
	x.ok("accept", x.spec, "--out", x.dir)
	x.ok("fit", x.spec, "--cell", "mean", "-o", x.path("model.json"))
	stored := x.stored()
	cell := "run/cells/" + stored[0][:2] + "/" + stored[0] + ".cell"
	other := x.path("undisturbed")
	for _, c := range []struct {
		path, calls string
		args        []string
	}{
		{"x.yaml", "openat", []string{"run", x.spec, "--out", x.dir}},
		{"x.yaml", "read", []string{"folds", x.spec}},
		{"t.csv", "openat", []string{"run", x.spec, "--out", x.path("new"), "--cache", x.path("empty")}},
		{"t.csv", "newfstatat", []string{"run", x.spec, "--out", x.path("new")}},
		{"t.csv", "mmap", []string{"data", "verify", x.spec}},
		{"t.csv", "newfstatat", []string{"data", "list", x.spec}},
		{"t.csv", "read", []string{"init", x.path("t.csv"), "--yes", "-o", x.path("new.yaml")}},
		{"t.csv", "openat", []string{"predict", x.path("model.json"), x.path("t.csv")}},
		{"x.baseline.yaml", "read", []string{"check", x.spec, "--out", x.dir}},
		{"model.json", "read", []string{"features", x.path("model.json")}},
		{"run/plan.json", "read", []string{"report", x.dir}},
		{"run/plan.json", "openat", []string{"check", x.spec, "--out", x.dir}},
		{"run/plan.json", "read", []string{"why", "ridge", x.spec, "--out", x.dir, "--set", "seed=3"}},
		{"run/results.parquet", "pread64", []string{"report", x.dir}},
		{"run/results.parquet", "openat", []string{"diff", x.dir, other}},
		{"run/results.parquet", "pread64", []string{"check", x.spec, "--out", x.dir}},
		{"run/results.parquet", "pread64", []string{"reproduce", filepath.Join(x.dir, "results.parquet")}},
		{"run/selections.parquet", "pread64", []string{"diff", other, x.dir}},
		{"run/paths.parquet", "pread64", []string{"merge", x.dir, other, "--out", x.path("merged")}},
		{"run/predictions.parquet", "pread64", []string{"export", x.dir, "predictions"}},
		{"run/metrics.parquet", "pread64", []string{"verify", x.dir, "--sample", "1", "--jobs", "1"}},
		{cell, "openat", []string{"run", x.spec, "--out", x.dir}},
		{cell, "read", []string{"run", x.spec, "--out", x.dir}},
		{cell, "read", []string{"gc", x.dir}},
		{cell, "openat", []string{"merge", x.dir, other, "--out", x.path("merged")}},
		{"run/cells", "openat", []string{"plan", x.spec, "--out", x.dir}},
	} {
		path := x.path(c.path)
		inner := x.process(c.args...)
		cmd := x.process()
		cmd.Path, cmd.Args = strace, slices.Concat([]string{"strace", "-f", "-qq", "-o", x.path("trace"), "-P", path, "-P", filepath.Base(c.path),
			"-e", "trace=" + c.calls, "-e", "inject=" + c.calls + ":error=EIO"}, inner.Args)
		cmd.Dir = x.folder
		code, _, errs := x.wait(cmd)
		what := fmt.Sprintf("%s of %s fails in %s", c.calls, c.path, c.args[0])
		if !strings.Contains(x.read(x.path("trace")), "INJECTED") {
			t.Errorf("%s: it is not called", what)
		}
		x.failed(what, code, errs, "input/output error")
		if strings.Contains(errs, "damaged") || strings.Contains(errs, "cut short") {
			t.Errorf("%s: taken for damage:\n%s", what, errs)
		}
		if now := x.stored(); !slices.Equal(now, stored) {
			t.Errorf("%s: %d outcomes are stored, %d were", what, len(now), len(stored))
		}
		for _, made := range []string{"new", "merged", "empty"} {
			if err := os.RemoveAll(x.path(made)); err != nil {
				t.Fatal(err)
			}
		}
	}
	wants(t, x.recovers("a broken disk"), "0 to run, 20 cached")
}

// TestDamagedTables: whichever table of a run has a wrong bit, and wherever: what reads it names it and does not end with 0, and the next
// run, or check, writes it anew from what is stored, and says so.
func TestDamagedTables(t *testing.T) {
	t.Parallel()
	x := newTrial(t, 100)
	x.recovers("nothing")
	x.ok("accept", x.spec, "--out", x.dir)
	other := x.path("undisturbed")
	clean, _ := x.ok("diff", x.dir, other, "--all")
	for k, table := range []string{"results", "metrics", "selections", "paths", "predictions"} {
		path := filepath.Join(x.dir, table+".parquet")
		content := []byte(x.read(path))
		for _, at := range []int{len(content) / 3, len(content) - 30} {
			damaged := slices.Clone(content)
			damaged[at] ^= 4
			readers := [][]string{{"report", x.dir}, {"report", x.dir, "--format", "csv"}, {"report", x.dir, "--rows", "algorithm"}, {"diff", x.dir, other}, {"diff", other, x.dir}, {"export", x.dir, table},
				{"merge", x.dir, other, "--out", x.path("merged")}, {"verify", x.dir, "--sample", "1", "--jobs", "1"}}
			if table == "results" {
				readers = append(readers, []string{"watch", x.dir}, []string{"version", "--check", x.dir}, []string{"reproduce", path})
			}
			for _, args := range readers {
				replace(t, path, damaged)
				code, _, errs := x.run(args...)
				if code != app.ExitInvalid || !strings.Contains(errs, table+".parquet: damaged: ") {
					t.Errorf("byte %d of %s is damaged, %s: exit code %d\n%s", at, table, args, code, errs)
				}
			}
			mend := [][]string{{"run", x.spec, "--out", x.dir}, {"check", x.spec, "--out", x.dir}}[(k+at)%2]
			replace(t, path, damaged)
			_, errs := x.ok(mend...)
			wants(t, errs, "warning: "+path+": damaged: ", "; it is written anew from what is stored", "0 to run, 20 cached")
			if again, _ := x.ok("diff", x.dir, other, "--all"); again != clean {
				t.Errorf("%s was damaged, and is written anew by %s: the runs differ\n%s", table, mend[0], again)
			}
		}
	}
	replace(t, filepath.Join(x.dir, "plan.json"), nil)
	_, errs := x.ok("run", x.spec, "--out", x.dir)
	wants(t, errs, "plan.json: damaged; it is written anew from what is stored")
}
