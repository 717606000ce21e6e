package cli_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// marking is an experiment whose one method leaves a mark wherever it, or its version, runs.
const marking = `tenfold: 1
name: marking
methods:
  - {name: mark, command: [sh, -c, "echo > MARK; exit 1"], code: [none], version: [sh, -c, "echo > MARK; echo 1"], target: [real], output: [coefficients]}
datasets:
  - {name: d, format: synthetic, rows: 300, truth: 2, seed: 1}
folds: {kind: kfold, k: 2}
algorithms: [{name: mark, engine: mark}, {name: mean, engine: mean}]
metrics: [test_mse]
failures: {tolerate: 50%}
`

// consents are the user's settings: what is allowed, a folder or a digest a line.
type consents struct{ path string }

// newConsents sets what the user allows aside, for a test.
func newConsents(t *testing.T) consents {
	t.Helper()
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	return consents{filepath.Join(home, "tenfold", "methods")}
}

func (c consents) allow(t *testing.T, lines ...string) {
	t.Helper()
	text := strings.Join(lines, "\n") + "\n"
	if err := errors.Join(os.MkdirAll(filepath.Dir(c.path), 0o700), os.WriteFile(c.path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// refused: the command ends for want of consent, and nothing has run.
func refused(t *testing.T, what string, code int, errs, mark string) {
	t.Helper()
	if code != app.ExitInvalid || !strings.Contains(errs, "would run programs that nobody has allowed here") {
		t.Errorf("%s: exit code %d\n%s", what, code, errs)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Errorf("%s: something has run", what)
		os.Remove(mark)
	}
}

// TestNothingRunsUnasked: what looks at an experiment of somebody else, or at its results, runs nothing of it, and what would run it asks.
func TestNothingRunsUnasked(t *testing.T) {
	newConsents(t)
	d := newDesk(t, "")
	mark := d.path("mark")
	d.write("x.yaml", strings.ReplaceAll(marking, "MARK", mark))
	d.ok("run", d.spec, "--out", d.dir, "--allow-methods", "--jobs", "1")
	d.ok("accept", d.spec, "--out", d.dir, "--allow-methods", "--expected-failure", "it marks")
	d.ok("plan", d.spec, "--out", d.dir, "--shards", "2", "--retry-failed")
	if err := os.Remove(mark); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"validate", d.spec}, {"plan", d.spec, "--out", d.dir}, {"plan", d.spec, "--out", d.path("other"), "--shards", "2"}, {"report", d.dir}, {"schema", d.spec},
		{"why", "mark", "--out", d.dir}, {"folds", d.spec}, {"data", "list", d.spec}, {"diff", d.dir, d.dir}, {"gc", d.dir}, {"merge", d.dir, "--out", d.path("merged")},
	} {
		code, _, errs := d.run(args...)
		if _, err := os.Stat(mark); err == nil {
			t.Errorf("%s: something has run", args[0])
			os.Remove(mark)
		}
		if code != app.ExitOK {
			t.Logf("%s: exit code %d\n%s", args[0], code, errs)
		}
	}
	s := serves(t, d.dir)
	s.page("/run/")
	s.end()
	shards, err := filepath.Glob(filepath.Join(d.dir, "shards", "*.json"))
	if err != nil || len(shards) == 0 {
		t.Fatalf("no plans of shards: %v", err)
	}
	for _, args := range [][]string{
		{"run", d.spec, "--out", d.path("a")}, {"check", d.spec, "--out", d.path("b")}, {"accept", d.spec, "--out", d.path("c")}, {"fit", d.spec, "--cell", "mean", "-o", d.path("m.json")},
		{"verify", d.dir}, {"reproduce", filepath.Join(d.dir, "results.parquet")}, {"shard", shards[0], "0"}, {"method", "check", d.spec}, {"run", d.spec, "--out", d.path("a"), "--only", "mean"},
		{"run", d.spec, "--out", d.path("e"), "--executor", "slurm"},
	} {
		code, _, errs := d.run(args...)
		refused(t, strings.Join(args, " "), code, errs, mark)
	}
}

// TestConsentIsOfWhatWasRead: what was allowed is what runs, though files are replaced meanwhile: here by the version that was allowed, which
// stands for anybody.
func TestConsentIsOfWhatWasRead(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"the file", "a file of its own"} {
		d := newDesk(t, "")
		mark := d.path("mark")
		declared := fmt.Sprintf(`{name: mark, command: [sh, -c, "exit 1"], code: [none], version: [sh, -c, "sed -i 's/exit 1/echo > %s/' d.yaml x.yaml; echo 1"], target: [real], output: [coefficients]}`, strings.ReplaceAll(mark, "/", `\\/`))
		text := strings.ReplaceAll(marking, "\n  - {name: mark, command: [sh, -c, \"echo > MARK; exit 1\"], code: [none], version: [sh, -c, \"echo > MARK; echo 1\"], target: [real], output: [coefficients]}", "\n  - DECLARED")
		if in == "the file" {
			text = strings.Replace(text, "DECLARED", declared, 1)
		}
		d.write("x.yaml", strings.Replace(text, "DECLARED", "file: d.yaml", 1))
		d.write("d.yaml", declared+"\n")
		code, _, errs := d.run("run", d.spec, "--out", d.dir, "--allow-methods", "--jobs", "1")
		if _, err := os.Stat(mark); err == nil {
			t.Errorf("%s was replaced, and runs: exit code %d\n%s", in, code, errs)
		}
		if in != "the file" && (code != app.ExitInvalid || !strings.Contains(errs, "method mark is declared otherwise than a moment ago")) {
			t.Errorf("%s was replaced: exit code %d\n%s", in, code, errs)
		}
	}
}

// TestAllowedFolder: a folder speaks for files that lie in it, and for nobody who only names it.
func TestAllowedFolder(t *testing.T) {
	allowed := newConsents(t)
	d := newDesk(t, "")
	mark, mine, theirs := d.path("mark"), d.path("mine"), d.path("theirs")
	text := strings.ReplaceAll(marking, "MARK", mark)
	evil := strings.Replace(text, "name: marking", "name: evil", 1)
	if err := errors.Join(os.Mkdir(mine, 0o755), os.Mkdir(theirs, 0o755)); err != nil {
		t.Fatal(err)
	}
	allowed.allow(t, mine)
	put(t, mine+"/x.yaml", text)
	// Results of somebody else say that their experiment lay in the folder.
	put(t, mine+"/y.yaml", evil)
	d.ok("run", mine+"/y.yaml", "--out", d.path("evil"), "--jobs", "1")
	d.ok("plan", mine+"/y.yaml", "--out", d.path("evil"), "--shards", "1", "--retry-failed")
	shards, err := filepath.Glob(d.path("evil/shards/*.json"))
	if err != nil || len(shards) != 1 {
		t.Fatalf("%d plans of shards: %v", len(shards), err)
	}
	commands := [][]string{{"reproduce", d.path("evil/results.parquet")}, {"verify", d.path("evil")}, {"shard", shards[0], "0"}}
	os.Remove(mark)
	for _, args := range commands { // as long as it does lie there
		if code, _, errs := d.run(args...); strings.Contains(errs, "nobody has allowed") {
			t.Errorf("%s of a file in an allowed folder: exit code %d\n%s", args[0], code, errs)
		}
	}
	os.Remove(mark)
	for _, there := range []string{"", text} {
		os.Remove(mine + "/y.yaml")
		if there != "" {
			put(t, mine+"/y.yaml", strings.Replace(there, "exit 1", "exit 2", 1))
		}
		for _, args := range commands {
			code, _, errs := d.run(args...)
			refused(t, args[0]+" of what does not lie in the folder", code, errs, mark)
		}
	}
	// A path that reads as one into the folder, and leads elsewhere, since a link on it is as deep as it is high.
	up := strings.Count(theirs+"/link", "/")
	deep := theirs + "/a" + strings.Repeat("/x", up)
	if err := errors.Join(os.MkdirAll(deep, 0o755), os.Symlink(deep, theirs+"/link"), os.MkdirAll(theirs+"/a"+mine, 0o755)); err != nil {
		t.Fatal(err)
	}
	declared := text[strings.Index(text, "{name: mark"):strings.Index(text, "\ndatasets")]
	put(t, theirs+"/a"+mine+"/d.yaml", strings.Replace(declared, "exit 1", "exit 3", 1)+"\n")
	winding := theirs + "/link" + strings.Repeat("/..", up) + mine + "/d.yaml"
	if _, err := os.Stat(winding); err != nil {
		t.Fatal(err)
	}
	put(t, theirs+"/x.yaml", text[:strings.Index(text, "{name: mark")]+"file: "+winding+text[strings.Index(text, "\ndatasets"):])
	code, _, errs := d.run("run", theirs+"/x.yaml", "--out", d.path("w"))
	if _, err := os.Stat(mark); err == nil || code == app.ExitOK {
		t.Errorf("a winding path: exit code %d\n%s", code, errs)
	}
	// Names that begin as its own does.
	os.Mkdir(mine+"-too", 0o755)
	put(t, mine+"-too/x.yaml", evil)
	code, _, errs = d.run("run", mine+"-too/x.yaml", "--out", d.path("too"))
	refused(t, "a folder whose name goes on", code, errs, mark)
	allowed.allow(t, mine+"/#sub")
	code, _, errs = d.run("run", mine+"/x.yaml", "--out", d.path("sub"))
	refused(t, "a folder with a # in its name", code, errs, mark)
}
