package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/journal"
)

// withHelper is newMethods with a file that the method reads and its code does not name.
func withHelper(t *testing.T) (x tool, spec, helper string) {
	t.Helper()
	x, spec, code := newMethods(t)
	put(t, code, strings.Replace(strings.Replace(slopes, "cd \"$1\"", ". ./lib/helper.sh; cd \"$1\"", 1), "b[kept[i]] / k", "'$factor' * b[kept[i]] / k", 1))
	helper = filepath.Join(filepath.Dir(spec), "lib", "helper.sh")
	put(t, helper, "factor=1\n")
	return x, spec, helper
}

// TestUndeclaredFiles: a file that a method reads and its code does not name is said, and when it changes, the fits that it was read
// for run again, those of tuned and selecting engines, too, and no others. When it is as it was, the fits of now are not used.
func TestUndeclaredFiles(t *testing.T) {
	t.Parallel()
	x, spec, helper := withHelper(t)
	dir := filepath.Join(t.TempDir(), "run")
	const opened, changed = "method slopes opened lib/helper.sh, which its code does not name", "lib/helper.sh changed, which method slopes opened and its code does not name"
	first, errs := x.ok("run", spec, "--out", dir, "--allow-methods")
	wants(t, errs, "15 to run", opened)
	_, errs = x.ok("accept", spec, "--out", dir, "--allow-methods")
	wants(t, errs, opened)
	_, errs = x.ok("check", spec, "--out", dir, "--allow-methods")
	wants(t, errs, opened)
	again, errs := x.ok("run", spec, "--out", dir, "--allow-methods")
	wants(t, errs, "0 to run, 15 cached", opened)
	if digest(again) != digest(first) || strings.Contains(errs, changed) {
		t.Errorf("nothing changed, and digests are %s and %s\n%s", digest(first), digest(again), errs)
	}
	put(t, helper, "factor=2\n")
	plan, errs := x.ok("plan", spec, "--out", dir)
	wants(t, plan, changed, "3 cached, 12 to run")
	wants(t, errs, changed+": fits that were stored before are not used")
	why, _ := x.ok("why", "tuned", spec, "--out", dir)
	wants(t, why, changed)
	some, errs := x.ok("run", spec, "--out", dir, "--allow-methods", "--only", "mean")
	wants(t, errs, "0 to run")
	if strings.Contains(some, "| slopes") {
		t.Errorf("fits with the earlier file are among the results:\n%s", some)
	}
	_, errs = x.ok("run", spec, "--out", dir, "--allow-methods", "--only", "tuned", "--only", "slopes")
	wants(t, errs, "9 to run")
	second, errs := x.ok("run", spec, "--out", dir, "--allow-methods")
	wants(t, errs, "3 to run, 12 cached")
	other, _ := x.ok("run", spec, "--out", filepath.Join(t.TempDir(), "other"), "--allow-methods")
	if digest(second) == digest(first) || digest(second) != digest(other) {
		t.Errorf("digests %s before the change, %s after it, %s in another folder", digest(first), digest(second), digest(other))
	}
	put(t, helper, "factor=1\n")
	third, errs := x.ok("run", spec, "--out", dir, "--allow-methods")
	wants(t, errs, "12 to run, 3 cached")
	if digest(third) != digest(first) {
		t.Errorf("digest %s at first, %s with the same file", digest(first), digest(third))
	}
	put(t, spec, strings.Replace(withMethods, "code: [slopes.sh]", "code: [slopes.sh, lib/*]", 1))
	_, errs = x.ok("run", spec, "--out", dir, "--allow-methods")
	if strings.Contains(errs, "lib/helper.sh") {
		t.Errorf("it is among the code:\n%s", errs)
	}
}

// TestMethodReadsData: a run says that a method read the data file, as far as it lies in the folder of the declaration.
func TestMethodReadsData(t *testing.T) {
	t.Parallel()
	x, dir := newKeeping(t)
	put(t, filepath.Join(dir, "keeping.sh"), strings.Replace(keeping, "set -e\n", "set -e\n: < rows.csv\n", 1))
	_, errs := x.ok("run", filepath.Join(dir, "kept.yaml"), "--out", filepath.Join(t.TempDir(), "run"), "--allow-methods")
	wants(t, errs, "method keeping opened rows.csv, which has data of the experiment: its numbers may be of rows that it knew")
	if strings.Contains(errs, "add to code") {
		t.Errorf("data are no code:\n%s", errs)
	}
}

// TestUndeclaredFilesOfModels: predictions by a model warn of a file that changed since its method read it.
func TestUndeclaredFilesOfModels(t *testing.T) {
	t.Parallel()
	x, dir := newKeeping(t)
	helper, model := filepath.Join(dir, "helper.sh"), filepath.Join(dir, "m.model")
	put(t, helper, "# 1\n")
	put(t, filepath.Join(dir, "keeping.sh"), strings.Replace(keeping, "set -e\n", "set -e\n. ./helper.sh\n", 1))
	x.ok("fit", filepath.Join(dir, "kept.yaml"), "--cell", "rows/keeping", "-o", model, "--allow-methods")
	const changed = "helper.sh changed, which method keeping opened for this model and its code does not name"
	for content, warns := range map[string]bool{"# 1\n": false, "# 2\n": true} {
		put(t, helper, content)
		if _, errs := x.ok("predict", model, filepath.Join(dir, "rows.csv"), "--allow-methods"); strings.Contains(errs, changed) != warns {
			t.Errorf("with %q in the file: %s", content, errs)
		}
	}
}

// TestFileOpenedOnce: a file counts only if it was opened for every fit of a cell, since another program may have opened it.
func TestFileOpenedOnce(t *testing.T) {
	t.Parallel()
	x, spec, _ := newMethods(t)
	dir := filepath.Join(t.TempDir(), "run")
	x.ok("run", spec, "--out", dir, "--allow-methods", "--only", "slopes/share=0.5")
	stored, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := stored.Keys()
	if err != nil || len(keys) != 3 {
		t.Fatal(keys, err)
	}
	for i, want := range []string{"3 cached, 0 to run", "3 cached, 0 to run", "0 cached, 3 to run"} {
		o, _, err := stored.Get(keys[i])
		if err != nil {
			t.Fatal(err)
		}
		o.Facts = append(o.Facts, data.Fact{Name: "slopes opened notes.md", Value: "another digest"})
		if err := stored.Put(keys[i], o); err != nil {
			t.Fatal(err)
		}
		plan, _ := x.ok("plan", spec, "--out", dir, "--only", "slopes/share=0.5")
		wants(t, plan, want)
	}
}
