package cli_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/runner/cli/app"
)

// tree is every file and folder below a folder, with modes.
func tree(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, fmt.Sprintf("%s %s", info.Mode(), rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPermissions: what is written has the modes that the user's mask leaves, nothing else: others may not write, and a mask
// that shuts others out, or lets a group in, holds everywhere.
func TestPermissions(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skipf("no shell sets masks here: %v", err)
	}
	x := newTrial(t, 100)
	for _, c := range []struct{ mask, file, folder string }{{"022", "-rw-r--r--", "drwxr-xr-x"}, {"077", "-rw-------", "drwx------"}, {"002", "-rw-rw-r--", "drwxrwxr-x"}, {"000", "-rw-rw-rw-", "drwxrwxrwx"}} {
		x.cleared(true)
		for _, args := range [][]string{{"run", x.spec, "--out", x.dir}, {"accept", x.spec, "--out", x.dir}, {"check", x.spec, "--out", x.dir, "--junit", x.path("run/junit.xml")}} {
			cmd := x.process(args...)
			cmd.Args = append([]string{"sh", "-c", "umask " + c.mask + ` && exec "$@"`, "sh"}, cmd.Args...)
			cmd.Path = shell
			if code, _, errs := x.wait(cmd); code == app.ExitTool || code == app.ExitInvalid || code < 0 {
				t.Fatalf("%v: exit code %d\n%s", args, code, errs)
			}
		}
		for _, dir := range []string{x.dir, x.cache} {
			for _, entry := range tree(t, dir) {
				if mode, _, _ := strings.Cut(entry, " "); mode != c.file && mode != c.folder {
					t.Errorf("with mask %s: %s below %s", c.mask, entry, filepath.Base(dir))
				}
			}
		}
		info, err := os.Stat(x.baseline)
		if err != nil || info.Mode().String() != c.file {
			t.Errorf("with mask %s: the baseline is %v, %v", c.mask, info.Mode(), err)
		}
		if err := os.Remove(x.baseline); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadOnly: folders that may not be written to, seen by a user who is not root.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	x := newTrial(t, 100)
	x.recovers("nothing")
	program := filepath.Join(t.TempDir(), "tenfold")
	binary, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(program, binary, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{x.folder, x.dir, x.cache, filepath.Dir(program)} {
		if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	user := func(args ...string) (int, string, string) {
		cmd := x.process(args...)
		cmd.Path, cmd.Dir = program, filepath.Dir(program)
		home := filepath.Join(cmd.Dir, "home") // the user's own, with no settings
		cmd.Env = append(cmd.Env, "HOME="+home, "XDG_CONFIG_HOME="+home)
		if err := nobody(cmd); err != nil {
			t.Skip(err)
		}
		return x.wait(cmd)
	}
	open := func(dir string, mode os.FileMode) {
		if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.IsDir() {
				err = os.Chmod(path, mode)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { open(x.folder, 0o755); open(x.cache, 0o755) })
	leftover, old := filepath.Join(x.dir, ".tmp-results.parquet-1"), time.Now().Add(-2*time.Hour)
	if err := errors.Join(os.WriteFile(leftover, nil, 0o600), os.Chtimes(leftover, old, old)); err != nil { // that commands would like to remove
		t.Fatal(err)
	}
	open(x.folder, 0o555)
	open(x.cache, 0o555)

	// What only reads works.
	for _, args := range [][]string{{"validate", x.spec}, {"plan", x.spec, "--out", x.dir}, {"why", "ridge", x.spec, "--out", x.dir}, {"diff", x.dir, x.path("undisturbed")},
		{"report", x.dir, "--format", "csv"}, {"gc", x.dir}, {"describe"}} {
		if code, _, errs := user(args...); code != app.ExitOK {
			t.Errorf("%v: exit code %d\n%s", args, code, errs)
		}
	}
	// What writes into them says what it may not do, and does not leave anything.
	before := tree(t, x.folder)
	for _, args := range [][]string{{"run", x.spec, "--out", x.dir}, {"run", x.spec, "--out", x.path("new")}, {"report", x.dir}, {"accept", x.spec, "--out", x.dir}, {"gc", "--yes", x.dir, "--cache", x.path("none")}} {
		code, _, errs := user(args...)
		if args[0] == "gc" { // there is nothing to remove
			continue
		}
		x.failed(strings.Join(args, " "), code, errs, "permission denied")
	}
	if after := tree(t, x.folder); !slices.Equal(before, after) {
		t.Errorf("folders that may not be written to have changed:\n%s\nthen\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	// A cache that may not be written to costs time, and is a warning.
	free := t.TempDir()
	if err := os.Chmod(free, 0o777); err != nil {
		t.Fatal(err)
	}
	closed := x.path("closed")
	open(x.folder, 0o755)
	if err := os.Mkdir(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, cache := range []string{x.cache, closed, x.path("t.csv/cache")} {
		code, out, errs := user("run", x.spec, "--out", filepath.Join(free, "run"), "--cache", cache)
		if code != app.ExitOK || digest(out) != x.want || (cache == x.cache) == strings.Contains(errs, "warning: the compiled data set could not be kept: ") {
			t.Errorf("cache %s: exit code %d, %s, want %s\n%s", cache, code, digest(out), x.want, errs)
		}
	}
	// Files of a run that may not be read are no mistake of an experiment.
	for _, c := range []struct {
		closed string
		args   [][]string
	}{
		{"plan.json", [][]string{{"report", x.dir}, {"diff", x.dir, x.path("undisturbed")}, {"diff", x.path("undisturbed"), x.dir}, {"merge", "--out", filepath.Join(free, "merged"), x.dir, x.path("undisturbed")}, {"gc", x.dir}, {"verify", x.dir}}},
		{"results.parquet", [][]string{{"report", x.dir}, {"diff", x.dir, x.path("undisturbed")}, {"verify", x.dir}, {"reproduce", filepath.Join(x.dir, "results.parquet")}}},
		{"cells", [][]string{{"run", x.spec, "--out", x.dir}, {"plan", x.spec, "--out", x.dir}, {"check", x.spec, "--out", x.dir}, {"gc", x.dir}, {"why", "ridge", x.spec, "--out", x.dir}}},
		{"", [][]string{{"run", x.spec, "--out", x.dir}, {"report", x.dir}, {"diff", x.dir, x.path("undisturbed")}, {"plan", x.spec, "--out", x.dir}}},
	} {
		path := filepath.Join(x.dir, c.closed)
		info, err := os.Stat(path)
		if err == nil {
			err = os.Chmod(path, 0o000)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range c.args {
			code, _, errs := user(args...)
			x.failed(c.closed+": "+strings.Join(args, " "), code, errs, "permission denied")
		}
		if err := os.Chmod(path, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	// Data that may not be read.
	if err := os.Chmod(x.path("t.csv"), 0o000); err != nil {
		t.Fatal(err)
	}
	code, _, errs := user("run", x.spec, "--out", filepath.Join(free, "other"), "--cache", free)
	if code != app.ExitInvalid {
		t.Errorf("unreadable data: exit code %d", code)
	}
	wants(t, errs, "t.csv: permission denied")
}

// TestNothingOutside: no name in an experiment file or an archive leads to a file outside of the folders of the run and the cache.
func TestNothingOutside(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	at := func(name string) string { return filepath.Join(home, name) }
	for _, dir := range []string{"inner", "inner/data", "cache"} {
		if err := os.Mkdir(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	x := tool{t, at("cache")}
	climbing := []string{"../../up/1.txt", "/abs/1.txt", "../../up/2.txt", "a/../../../b/3.txt", "c\\..\\..\\d/4.txt", "c\\..\\..\\d/5.txt", "/abs/6.txt", "a/../../../b/7.txt", ".../8.txt", ".../9.txt"}
	var packed, zipped bytes.Buffer
	w, z := tar.NewWriter(&packed), zip.NewWriter(&zipped)
	headers := []*tar.Header{{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc"}, {Name: "link/passwd.txt", Typeflag: tar.TypeReg, Size: 3}, {Name: "hard.txt", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"},
		{Name: "pipe.txt", Typeflag: tar.TypeFifo}, {Name: "device.txt", Typeflag: tar.TypeBlock}}
	for _, name := range climbing {
		headers = append(headers, &tar.Header{Name: name, Typeflag: tar.TypeReg, Size: 3})
	}
	var errs []error
	for _, h := range headers {
		h.Mode = 0o6777
		errs = append(errs, w.WriteHeader(h))
		if h.Typeflag == tar.TypeReg {
			_, err := w.Write([]byte("a b"))
			m, zerr := z.Create(h.Name)
			_, werr := m.Write([]byte("a b"))
			errs = append(errs, err, zerr, werr)
		}
	}
	errs = append(errs, w.Close(), z.Close(), os.WriteFile(at("inner/data/climb.tar"), packed.Bytes(), 0o644), os.WriteFile(at("inner/data/climb.zip"), zipped.Bytes(), 0o644))
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	document := func(archive string) string {
		return `tenfold: 1
name: climbing
datasets:
  - {name: climb, format: documents, files: {all: ` + archive + `}, layout: "**/{class}/{id}.txt", unmatched: skip, family: one-vs-one}
folds: {kind: kfold, k: 2}
algorithms: [{name: r, engine: random, params: {features: 1}}, {name: a.., engine: majority}]
metrics: [accuracy]
report:
  figures: [{kind: stability, title: "../../x"}, {kind: overlap}]
`
	}
	spec := at("inner/x.yaml")
	ended := map[int]int{}
	for _, archive := range []string{"data/climb.tar", "data/climb.zip"} {
		if err := os.WriteFile(spec, []byte(document(archive)), 0o644); err != nil {
			t.Fatal(err)
		}
		before := outside(tree(t, home))
		code, _, said := x.run("run", spec, "--out", at("inner/run"))
		if code != app.ExitOK {
			t.Logf("%s: exit code %d\n%s", archive, code, said)
		}
		ended[code]++
		if after := outside(tree(t, home)); !slices.Equal(before, after) {
			t.Errorf("%s: written outside of the run's folder:\n%s", archive, strings.Join(after, "\n"))
		}
	}
	if ended[app.ExitOK] == 0 {
		t.Error("no archive was read, so nothing was tried")
	}
	const plain = "tenfold: 1\nname: NAME\ndatasets: [{name: d, format: csv, files: {all: FILE}, target: {column: \"y\"}}]\nfolds: {kind: kfold, k: 2}\nalgorithms: [{name: m, engine: mean}]\n"
	before := outside(tree(t, home))
	for _, c := range []struct{ name, file, want string }{
		{"../up", "d.csv", "name: expected letters, digits and dashes"},
		{"/abs", "d.csv", "name: expected letters, digits and dashes"},
		{`".."`, "d.csv", "name: expected letters, digits and dashes"},
		{`"a\0b"`, "d.csv", ""},
		{"ok", "{path: ../../up.csv, url: 'https://example.org/up.csv'}", "leads outside of the data folder"},
		{"ok", "{path: /tmp/up.csv, url: 'https://example.org/up.csv'}", "leads outside of the data folder"},
		{"ok", "{path: .ssh/keys, url: 'https://example.org/up.csv'}", "hidden file"},
	} {
		if err := os.WriteFile(spec, []byte(strings.NewReplacer("NAME", c.name, "FILE", c.file).Replace(plain)), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"run", spec}, {"data", "fetch", spec, "--yes", "--data", at("inner/data")}} {
			code, _, said := x.run(args...)
			if code == app.ExitOK {
				t.Errorf("%s of %+v: exit code %d", args, c, code)
			}
			if args[0] == "data" || c.name != "ok" {
				wants(t, said, c.want)
			}
		}
	}
	if after := outside(tree(t, home)); !slices.Equal(before, after) {
		t.Errorf("written outside of the run's folder:\n%s", strings.Join(after, "\n"))
	}
}

// outside are entries that are neither of the run nor of the cache.
func outside(entries []string) []string {
	return slices.DeleteFunc(entries, func(e string) bool {
		_, name, _ := strings.Cut(e, " ")
		return strings.HasPrefix(name, "inner/run") || strings.HasPrefix(name, "cache")
	})
}

// TestLoudNames: names from data files that would command a terminal, or a page, are shown and do nothing.
func TestLoudNames(t *testing.T) {
	t.Parallel()
	const (
		clear  = "\x1b[2J\x1b]0;owned\x07"
		turned = "\u202egnp.exe"
		script = "<script>alert(1)</script><img src=x onerror=alert(2)>"
	)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	x := tool{t, at("cache")}
	text := "a" + clear + ",\"b|`" + script + "\"," + turned + ",y\n"
	for i := range 40 {
		text += fmt.Sprintf("%d,%d,%d,%s\n", i%7, i%5, i%3, []string{"u" + clear, "v" + script, "\u009b31mred"}[i%3])
	}
	spec := `tenfold: 1
name: loud
title: "a \e[2J title ` + script + `"
datasets:
  - {name: d, format: csv, files: {all: d.csv}, target: {column: "y"}}
  - {name: tasks, format: csv, files: {all: d.csv}, target: {column: "y"}, family: one-vs-one}
folds: {kind: kfold, k: 2}
algorithms: [{name: l, engine: l1, params: {c1: 0.1}}, {name: m, engine: majority}]
metrics: [accuracy]
report:
  tables: [{rows: algorithm, columns: dataset}, {rows: dataset, columns: algorithm}, {rows: metric, columns: task}]
  figures: [{kind: stability}, {kind: overlap}]
`
	if err := errors.Join(os.WriteFile(at("d.csv"), []byte(text), 0o644), os.WriteFile(at("x.yaml"), []byte(spec), 0o644)); err != nil {
		t.Fatal(err)
	}
	quiet := func(what, text string) {
		t.Helper()
		if loud(text) || strings.Contains(text, turned) {
			at := strings.IndexFunc(text, func(r rune) bool { return loud(string(r)) || r == '\u202e' })
			t.Errorf("%s: %q", what, text[max(0, at-60):min(len(text), at+60)])
		}
	}
	run := func(code int, args ...string) {
		t.Helper()
		got, out, errs := x.run(args...)
		if got != code {
			t.Errorf("%v: exit code %d, want %d\n%s", args, got, code, errs)
		}
		quiet(strings.Join(args, " "), out+errs)
	}
	run(app.ExitOK, "run", at("x.yaml"), "--out", at("run"))
	run(app.ExitOK, "plan", at("x.yaml"), "--out", at("run"), "--set", "seed=2")
	run(app.ExitOK, "why", "d/l", at("x.yaml"), "--out", at("run"))
	run(app.ExitOK, "report", at("run"))
	run(app.ExitOK, "report", at("run"), "--format", "markdown", "--rows", "task")
	run(app.ExitInvalid, "report", at("run"), "--filter", "task=\x1b[2J")
	run(app.ExitInvalid, "run", at("x.yaml"), "--set", "datasets.d.target={column: \"\x1b[2J\"}")
	run(app.ExitInvalid, "run", at("x.yaml"), "--set", "datasets.d.columns={id: \"a\\e[2J\\e]0;owned\\a\"}")
	run(app.ExitInvalid, "run", at("none\x1b[2J.yaml"))
	run(app.ExitInvalid, "\x1b[2J")
	for _, entry := range tree(t, at("run")) {
		_, name, _ := strings.Cut(entry, " ")
		content, err := os.ReadFile(at("run/" + name))
		if ext := filepath.Ext(name); err == nil && slices.Contains([]string{".md", ".html", ".svg"}, ext) {
			quiet(name, string(content))
			if ext != ".md" && (bytes.Contains(content, []byte("<script>alert")) || bytes.Contains(content, []byte("<img src=x"))) || ext == ".md" && bytes.Contains(content, []byte("\n"+script)) {
				t.Errorf("%s: a name became markup", name)
			}
		}
		quiet("name of a file", name)
	}
}

// What a message quotes of a file is cut, and neither a name of a file nor one in an archive begins a line of what is printed.
func TestMessagesOfAnything(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	long := strings.Repeat("x", 100_000)
	put(t, "long.csv", "y,a\n1,"+long+"\n2,3\n")
	put(t, "name.csv", "y,a\n1,2\n2,b\n")
	for name, c := range map[string]struct{ file, engine, want string }{
		"a cell":             {"long.csv", "ridge", `long.csv:2:3: column "a": found "xxxxx`},
		"an engine":          {"name.csv", long, `unknown engine "xxxxx`},
		"a file that is not": {`"a\n::error::forged"`, "ridge", `no file "a\n::error::forged"`},
	} {
		put(t, "spec.yaml", "tenfold: 1\nname: x\ndatasets:\n  - {name: d, format: csv, files: {all: "+c.file+"}, target: y}\nalgorithms:\n  - {name: r, engine: "+c.engine+"}\n")
		var out, errs bytes.Buffer
		code := run(t.Context(), &out, &errs, []string{"validate", "spec.yaml"})
		if said := errs.String(); code != 2 || len(said) > 2000 || strings.Contains(said, "\n::error") || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d, %d bytes: %.500s", name, code, len(said), said)
		}
	}
}
