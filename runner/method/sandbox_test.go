package method

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/process"
)

// fitFacts fits a method and returns what it reports.
func fitFacts(t *testing.T, d *declaration.Declaration, h *Host) map[string]string {
	t.Helper()
	train, _ := table(t)
	m, err := engineOf(t, d, h).Fit(t.Context(), runOn(train))
	if err != nil {
		t.Fatal(err)
	}
	facts := map[string]string{}
	for _, f := range m.(engines.Reporter).Fitted().Facts {
		facts[f.Name] = f.Value
	}
	return facts
}

// needSandbox skips the test where there are no sandboxes.
func needSandbox(t *testing.T, d *declaration.Declaration) {
	t.Helper()
	if _, err := process.AskVersion(t.Context(), d); err != nil {
		t.Skip(err)
	}
}

// TestSandbox: a method in a sandbox has no network, with bubblewrap or without. Where no sandbox can be made nothing runs.
func TestSandbox(t *testing.T) {
	d := declared("network", declaration.Selected, declaration.Coefficients)
	d.Sandbox = true
	if os.Getenv("TENFOLD_NO_NAMESPACES") != "" {
		checkRefused(t, &d, "")
		return
	}
	needSandbox(t, &d)
	for _, programs := range [][]string{{"true", "unshare", "sh", bubblewrap}, {"true", "unshare", "sh"}} {
		t.Setenv("PATH", pathOf(t, programs...))
		if got := fitFacts(t, &d, newHost(t))["network"]; got != "lo" {
			t.Errorf("with %q there is %s, expected lo alone", programs, got)
		}
	}
	if !process.SeesAllFiles(&d) {
		t.Error("without bubblewrap it is not known that the method sees all files")
	}
	outside := d
	outside.Sandbox = false
	t.Logf("outside: %s", fitFacts(t, &outside, newHost(t))["network"])
	if shell, err := exec.LookPath("unshare"); err == nil {
		c := exec.CommandContext(t.Context(), shell, "-Ur", "sh", "-c", `echo 0 > /proc/sys/user/max_user_namespaces || exit 99; exec "$1" -test.run 'TestSandbox$' -test.v`, "sh", os.Args[0])
		c.Env = append(os.Environ(), "TENFOLD_NO_NAMESPACES=1")
		out, err := c.CombinedOutput()
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && exit.ExitCode() == 99:
			t.Logf("namespaces cannot be forbidden here: %s", out)
		case err != nil || !strings.Contains(string(out), "--- PASS: TestSandbox"):
			t.Errorf("without namespaces: %v\n%s", err, out)
		}
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, bubblewrap), []byte("#!/bin/sh\necho bwrap: no permissions >&2; exit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", broken+string(filepath.ListSeparator)+os.Getenv("PATH"))
	checkRefused(t, &d, "exit code 1: bwrap: no permissions")
}

// checkRefused checks that a method does not run, and that this is said before its first fit.
func checkRefused(t *testing.T, d *declaration.Declaration, why string) {
	t.Helper()
	train, _ := table(t)
	_, err := process.AskVersion(t.Context(), d)
	if err == nil || !strings.Contains(err.Error(), "method slopes: no sandbox can be made here, which needs namespaces of the kernel: ") || !strings.Contains(err.Error(), why) {
		t.Errorf("got %v", err)
	}
	if _, err := engineOf(t, d, newHost(t)).Fit(t.Context(), runOn(train)); err == nil {
		t.Error("a method ran outside its sandbox")
	}
}

// pathOf returns a PATH with some programs, as far as they are installed.
func pathOf(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// TestSandboxHides: with bubblewrap a method sees neither the exchange folders of others nor what is hidden, and writes into its own alone.
func TestSandboxHides(t *testing.T) {
	d := declared("looks", declaration.Selected, declaration.Coefficients)
	d.Confined = true
	if process.SeesAllFiles(&d) {
		t.Skip("no bubblewrap is installed")
	}
	needSandbox(t, &d)
	folder := t.TempDir()
	d.Folder, d.Code = folder, []string{declaration.CodeNone}
	d.Version = []string{"true"}
	run := filepath.Join(folder, "runs", "x") // below the folder of the declaration, as usual
	file, code := filepath.Join(folder, "data.csv"), filepath.Join(folder, "code")
	home, err := os.UserHomeDir()
	if err := errors.Join(err, os.MkdirAll(filepath.Join(run, "outcomes"), 0o755), os.WriteFile(file, []byte("1,2"), 0o644), os.WriteFile(code, []byte("code"), 0o644)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TENFOLD_LOOKS", strings.Join([]string{file, run, code, home}, string(filepath.ListSeparator)))
	d.Env = []string{"TENFOLD_LOOKS"}
	h := &Host{Programs: process.Programs{Hidden: []string{file, run}}}
	if err := h.Open(filepath.Join(run, "exchange")); err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, err := h.NewFolder("rows"); err != nil {
		t.Fatal(err)
	}
	facts := fitFacts(t, &d, h)
	if siblings := strings.Fields(facts["siblings"]); len(siblings) != 1 || !strings.HasPrefix(siblings[0], "slopes-") {
		t.Errorf("beside its folder it sees %q", siblings)
	}
	// What it writes where something is hidden is gone with it.
	if facts["0"] != "" || !slices.Contains([]string{"read write", " write"}, facts["1"]) || facts["2"] != "read" {
		t.Errorf("it sees %q", facts)
	}
	entries, err := os.ReadDir(run)
	if err != nil || len(entries) != 2 || listed(file) != "1,2" || listed(code) != "code" {
		t.Errorf("it wrote: %v %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(home, "seen")); err == nil {
		t.Error("it wrote into the home folder")
	}
}
