package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tenfold/runner/cli/app"
)

// TestProjectRunsNoShell: tenfold.yaml of a folder that the user has not allowed chooses a profile of the user's, and submits nothing of its own.
func TestProjectRunsNoShell(t *testing.T) {
	t.Parallel()
	u := newUser(t, "code: [m.sh]")
	u.fakeCluster()
	u.write("x.yaml", strange)
	u.write("tenfold.yaml", "executor: slurm\nprofile: theirs\nprofiles: {theirs: {setup: [touch PWNED], command: touch, flags: [--theirs]}}\ncache: theirs\n")
	warning := "warning: tenfold.yaml: cache, executor, profiles left out: what runs, and what is believed, is not for a project to say. Settings of your own belong into " +
		filepath.Join(filepath.Dir(u.allowed), "settings.yaml") + "; what a project says counts if " + u.allowed + " has the line " + u.folder
	for _, command := range []string{"run", "accept", "check"} {
		code, errs := u.without(command, "x.yaml", "-q")
		if code != app.ExitOK || strings.Count(errs, warning) != 1 {
			t.Errorf("%s: exit code %d\n%s", command, code, errs)
		}
		if _, err := os.Stat(u.path("submitted")); err == nil {
			t.Fatalf("%s has submitted:\n%s", command, read(t, u.path("job.sh")))
		}
	}
	submit := []string{"run", "x.yaml", "-q", "--executor", "slurm", "--detach", "--out"}
	if code, errs := u.without(append(submit, "a")...); code != app.ExitInvalid || !strings.Contains(errs, "no profile theirs in "+filepath.Join(filepath.Dir(u.allowed), "settings.yaml")) {
		t.Errorf("a profile that the user does not have: exit code %d\n%s", code, errs)
	}
	put(t, filepath.Join(filepath.Dir(u.allowed), "settings.yaml"), "profiles: {mine: {flags: [--mine]}, theirs: {flags: [--chosen], setup: [echo chosen]}}\n")
	if code, errs := u.without(append(submit, "b")...); code != app.ExitOK {
		t.Errorf("a profile of the user's: exit code %d\n%s", code, errs)
	}
	if job := read(t, u.path("job.sh")); strings.Contains(job, "PWNED") || !strings.Contains(job, "echo chosen\n") || !strings.Contains(read(t, u.path("submitted")), "--chosen") {
		t.Errorf("submitted:\n%s", job)
	}
	put(t, u.allowed, u.folder+"\n")
	code, errs := u.without("run", "x.yaml", "-q", "--detach", "--out", "c")
	if code != app.ExitOK || strings.Contains(errs, "left out") || !strings.Contains(read(t, u.path("job.sh")), "touch PWNED") {
		t.Errorf("in a folder that the user has allowed: exit code %d\n%s", code, errs)
	}
}

// TestConsentFileIsAFile: a pipe or a device in place of the user's consent, or of the user's settings, is an error that names it.
func TestConsentFileIsAFile(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"methods", "settings.yaml"} {
		for what, make := range map[string]func(path string) error{
			"a pipe":   func(path string) error { return unix.Mkfifo(path, 0o600) },
			"a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		} {
			u := newUser(t, "code: [m.sh]")
			at := filepath.Join(filepath.Dir(u.allowed), name)
			if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := make(at); err != nil {
				t.Fatal(err)
			}
			code, errs := u.without("run", "x.yaml")
			if code != app.ExitInvalid || !strings.Contains(errs, at+": ") || !strings.Contains(errs, "a regular file was expected") {
				t.Errorf("%s as %s: exit code %d\n%s", what, name, code, errs)
			}
		}
	}
}
