//go:build unix

package cli_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tenfold/runner/cli/app"
)

const strange = `tenfold: 1
name: strange
datasets: [{name: d, format: synthetic, rows: 300, truth: 2, seed: 1}]
folds: {kind: kfold, k: 2}
algorithms: [{name: r, engine: ridge, grid: {lambda: [0.1, 10]}}]
metrics: [test_mse]
report: {figures: [{kind: sweep, x: lambda, y: test_mse}]}
`

// TestStrangersRun: a run's folder that somebody else made, with links that lead out of it, pipes and devices. Nothing outside is
// read, written or removed, nothing waits for ever, and what is wrong is said.
func TestStrangersRun(t *testing.T) {
	t.Parallel()
	d := newDesk(t, strange)
	d.ok("run", d.spec, "--out", d.dir)
	const secret = "nobody's business"
	elsewhere := d.path("elsewhere")
	link := func(to string) func(path string) error {
		return func(path string) error { return errors.Join(os.RemoveAll(path), os.Symlink(to, path)) }
	}
	pipe := func(path string) error { return errors.Join(os.RemoveAll(path), unix.Mkfifo(path, 0o600)) }
	const outside, special = "a link leads out of the folder, and is not followed", "a device, a pipe or a socket; a regular file was expected"
	for _, c := range []struct {
		name string
		make func(path string) error
		want string
		fail []string // commands on the folder that do not succeed; all others do
	}{
		{"report.html", link(elsewhere + "/secret"), outside, nil},
		{"report.html", link("/dev/zero"), outside, nil},
		{"report.html", pipe, special, nil},
		{"plan.json", pipe, special, []string{"report", "diff", "merge", "gc", "verify"}},
		{"plan.json", link("/dev/zero"), outside, []string{"report", "diff", "merge", "gc", "verify"}},
		{"plan.json", link(elsewhere + "/plan.json"), outside, []string{"report", "diff", "merge", "gc", "verify"}},
		{"results.parquet", pipe, special, []string{"report", "diff", "merge", "verify", "reproduce", "watch"}},
		{"results.parquet", link(elsewhere + "/results.parquet"), outside, []string{"report", "diff", "merge", "verify", "reproduce", "watch"}},
		{"metrics.parquet", pipe, special, []string{"report", "diff", "merge", "verify"}},
		{"figures", link(elsewhere), outside, []string{"report", "run"}},
		{"cells", link(elsewhere), outside, []string{"merge", "gc", "run"}},
		{"status", link(elsewhere), outside, []string{"watch"}},
	} {
		what := c.name + " " + c.want
		if err := errors.Join(os.RemoveAll(elsewhere), os.CopyFS(elsewhere, os.DirFS(filepath.Join(d.dir, "cells")))); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"secret": secret, "old.svg": "old", ".tmp-old": "", "plan.json": d.read(d.dir + "/plan.json"), "results.parquet": d.read(d.dir + "/results.parquet"), "ab/ab0123.cell": "kept"} {
			at := filepath.Join(elsewhere, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o777), os.WriteFile(at, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		before := fmt.Sprint(contents(t, elsewhere))
		for _, args := range [][]string{{"report", "RUN"}, {"diff", "RUN", d.dir}, {"merge", "RUN", d.dir, "--out", "NEW"}, {"gc", "--yes", "RUN"}, {"watch", "RUN"}, {"verify", "RUN"}, {"reproduce", "RUN"}, {"run", d.spec, "--out", "RUN"}} {
			dir := d.copyOf(d.dir)
			if err := c.make(filepath.Join(dir, c.name)); err != nil {
				t.Fatal(err)
			}
			for i, a := range args {
				args[i] = strings.NewReplacer("RUN", dir, "NEW", dir+"-new").Replace(a)
			}
			code, out, errs := d.run(args...)
			if fails := slices.Contains(c.fail, args[0]); fails && (code == app.ExitOK || !strings.Contains(errs, c.want)) || !fails && code != app.ExitOK {
				t.Errorf("%s: %s: exit code %d\n%s", what, args[0], code, errs)
			}
			if strings.Contains(out+errs, secret) {
				t.Errorf("%s: %s tells what lies outside", what, args[0])
			}
		}
		dir := d.copyOf(d.dir)
		if err := c.make(filepath.Join(dir, c.name)); err != nil {
			t.Fatal(err)
		}
		s := serves(t, dir)
		for _, page := range []string{"/", "/copy/", "/copy/cells", "/copy/figures", "/copy/figures/old.svg", "/copy/report.html"} {
			status, body := s.get(page)
			if strings.Contains(body, secret) || page == "/copy/"+c.name && c.name != "cells" && c.name != "figures" && status != 404 {
				t.Errorf("%s: serve answers %s with %d", what, page, status)
			}
		}
		s.end()
		if after := fmt.Sprint(contents(t, elsewhere)); after != before {
			t.Errorf("%s: what lies outside was changed", what)
		}
	}
}

// TestStrangersMethods: in a run's folder of somebody else no link leads what methods write, or what is known of them, elsewhere.
func TestStrangersMethods(t *testing.T) {
	t.Parallel()
	x, spec, code := newMethods(t)
	for _, name := range []string{"exchange", "status/methods", "methods.json"} {
		dir, elsewhere := filepath.Join(t.TempDir(), "run"), t.TempDir()
		put(t, filepath.Join(elsewhere, "secret"), `{"versions": {"secret": "secret"}, "x": 1e999}`)
		at, to := filepath.Join(dir, name), elsewhere
		if name == "methods.json" {
			to = filepath.Join(elsewhere, "secret")
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(to, at)); err != nil {
			t.Fatal(err)
		}
		before := fmt.Sprint(contents(t, elsewhere))
		for _, args := range [][]string{{"plan", spec, "--out", dir}, {"run", spec, "--out", dir, "--allow-methods", "--only", "slopes"}} {
			exit, out, errs := x.run(args...)
			if fails := (args[0] == "run") == (name != "methods.json"); fails != (exit != app.ExitOK) || fails && !strings.Contains(errs, "a link leads out of the folder, and is not followed") {
				t.Errorf("%s of a folder whose %s is a link: exit code %d\n%s", args[0], name, exit, errs)
			}
			if strings.Contains(out+errs, "secret") {
				t.Errorf("%s of a folder whose %s is a link tells what lies outside", args[0], name)
			}
		}
		if after := fmt.Sprint(contents(t, elsewhere)); after != before {
			t.Errorf("%s is a link: what lies outside was changed", name)
		}
	}
	for _, bad := range []func() error{func() error { return unix.Mkfifo(code, 0o600) }, func() error { return os.Symlink("/dev/zero", code) }} {
		if err := errors.Join(os.Remove(code), bad()); err != nil {
			t.Fatal(err)
		}
		exit, _, errs := x.run("validate", spec)
		if exit != app.ExitInvalid || !strings.Contains(errs, "slopes.sh is no regular file") {
			t.Errorf("code that is no file: exit code %d\n%s", exit, errs)
		}
	}
}

// TestMethodsThroughAPipe: an experiment file that can be read once declares methods like any other.
func TestMethodsThroughAPipe(t *testing.T) {
	t.Parallel()
	x, spec, _ := newMethods(t)
	pipe := strings.TrimSuffix(spec, ".yaml") + ".pipe.yaml"
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	wrote := make(chan error)
	go func() { wrote <- os.WriteFile(pipe, []byte(withMethods), 0o600) }()
	out, _ := x.ok("run", pipe, "--out", t.TempDir(), "--allow-methods", "--only", "slopes")
	if err := <-wrote; err != nil {
		t.Fatal(err)
	}
	want, _ := x.ok("run", spec, "--out", t.TempDir(), "--allow-methods", "--only", "slopes")
	if digest(out) != digest(want) {
		t.Errorf("through a pipe %s, from a file %s", digest(out), digest(want))
	}
}

// contents of all files below a folder.
func contents(t *testing.T, dir string) (out []string) {
	for _, entry := range tree(t, dir) {
		_, name, _ := strings.Cut(entry, " ")
		b, _ := os.ReadFile(filepath.Join(dir, name))
		out = append(out, entry, string(b))
	}
	return out
}

// TestStrangersFiles: what lies beside an experiment of somebody else is a regular file of a size that such files have, or an error
// that names it; nothing waits for a pipe or fills memory from a device.
func TestStrangersFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t, strange)
	d.ok("run", d.spec, "--out", d.dir)
	const special = "a device, a pipe or a socket; a regular file was expected"
	packed := new(bytes.Buffer)
	z := gzip.NewWriter(packed)
	if _, err := z.Write(bytes.Repeat([]byte("["), 100<<20)); err != nil {
		t.Fatal(err)
	}
	bomb := func(path string) error { return errors.Join(z.Close(), os.WriteFile(path, packed.Bytes(), 0o600)) }
	pipe := func(path string) error { return unix.Mkfifo(path, 0o600) }
	zeros := func(path string) error { return os.Symlink("/dev/zero", path) }
	sparse := func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40)) }
	at := strings.TrimSuffix(d.spec, ".yaml") + ".baseline.yaml"
	model := d.path("a.model")
	for _, c := range []struct {
		name, path string
		make       func(path string) error
		args       []string
		want       string
	}{
		{"a pipe as baseline", at, pipe, []string{"check", d.spec, "--out", d.dir}, special},
		{"zeros as baseline", at, zeros, []string{"accept", d.spec, "--out", d.dir}, special},
		{"a baseline of a terabyte", at, sparse, []string{"check", d.spec, "--out", d.dir}, "1099511627776 bytes or more; at most"},
		{"a pipe as model", model, pipe, []string{"features", model}, special},
		{"zeros as model", model, zeros, []string{"predict", model, d.spec}, special},
		{"a model of a terabyte", model, sparse, []string{"features", model}, "1099511627776 bytes or more; at most"},
		{"a model that unpacks to much", model, bomb, []string{"features", model}, "it unpacks to more than 67108864 bytes"},
		{"zeros as experiment", d.path("zeros.yaml"), zeros, []string{"validate", d.path("zeros.yaml")}, "more than 67108864 bytes"},
		{"a pipe as data", d.path("a.csv"), pipe, []string{"init", d.path("a.csv")}, special},
	} {
		if err := c.make(c.path); err != nil {
			t.Fatal(err)
		}
		if code, _, errs := d.run(c.args...); code != app.ExitInvalid || !strings.Contains(errs, c.want) || !strings.Contains(errs, c.path) {
			t.Errorf("%s: exit %d\n%s", c.name, code, errs)
		}
		if err := os.Remove(c.path); err != nil {
			t.Fatal(err)
		}
	}
}
