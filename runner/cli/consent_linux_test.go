package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tenfold/runner/cli/app"
)

// at runs a command at a terminal, and answers what it asks. It returns the question, "" if there was none.
func (u *user) at(answer func() string, args ...string) (question string, code int, shown string) {
	u.Helper()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		u.Skipf("no pseudo-terminals here: %v", err)
	}
	defer terminal.Close()
	number, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		u.Fatal(err)
	}
	theirs, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		u.Fatal(err)
	}
	cmd := exec.CommandContext(u.Context(), os.Args[0], args...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = u.folder, u.env, theirs, theirs, theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		u.Fatal(err)
	}
	_ = theirs.Close()
	defer time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }).Stop()
	var all strings.Builder
	part := make([]byte, 4096)
	for {
		n, err := terminal.Read(part) // EIO when nobody has it open any more
		if err != nil {
			break
		}
		all.Write(part[:n])
		if text := all.String(); question == "" && strings.Contains(text, "[y/N] ") {
			question = text
			if _, err := terminal.WriteString(answer() + "\n"); err != nil {
				u.Fatal(err)
			}
		}
	}
	_ = cmd.Wait() // the state has how it ended
	return strings.ReplaceAll(question, "\r\n", "\n"), cmd.ProcessState.ExitCode(), all.String()
}

func yes() string { return "y" }
func no() string  { return "n" }

// TestConsentIsToContent: a yes at a terminal holds for what was asked about, with the content of its code, and for nothing else. The next
// question says what changed.
func TestConsentIsToContent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ declared, change, says string }{
		"code":                {"code: [m.sh]", "m.sh", "code file m.sh changed"},
		"a new file":          {"code: [m.sh, 'lib/**']", "lib/new/a.sh", "code file lib/new/a.sh is new"},
		"no code":             {"", "helper.sh", "code file helper.sh is new"},
		"no code, a program":  {"", "m.sh", "code file m.sh changed"},
		"a file of a command": {"code: [lib/a.sh]", "m.sh", "code file m.sh changed"},
		"none":                {"code: [none], version: [echo, 1]", "m.sh", "code file m.sh changed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t, c.declared)
			u.write("lib/a.sh", "")
			question, code, shown := u.at(yes, "run", "x.yaml", "-q")
			if question == "" || code != app.ExitOK {
				t.Fatalf("exit code %d\n%s", code, shown)
			}
			wants(t, question, "x.yaml runs these programs, with your rights:\n in "+u.folder+":\n  m: sh m.sh\n", "\n    code: ")
			for _, args := range [][]string{{"run", "x.yaml", "-q"}, {"accept", "x.yaml", "-q"}, {"run", "x.yaml", "-q", "--out", "elsewhere"}, {"verify", "runs/x"}, {"reproduce", "runs/x/results.parquet"}} {
				if again, code, shown := u.at(no, args...); again != "" || code != app.ExitOK && args[0] != "verify" && args[0] != "reproduce" {
					t.Errorf("%s asks again: exit code %d\n%s", args[0], code, shown)
				}
			}
			if code, errs := u.without("run", "x.yaml", "-q"); code != app.ExitOK {
				t.Errorf("without a terminal, after a yes: exit code %d\n%s", code, errs)
			}
			u.write(c.change, "touch ran\n"+fitsNothing)
			question, code, shown = u.at(no, "run", "x.yaml", "-q", "--retry-failed")
			if question == "" || code != app.ExitInvalid {
				t.Errorf("after a change: exit code %d\n%s", code, shown)
			}
			wants(t, question, "\n    changed since the last yes: "+c.says+"\n")
			if code, errs := u.without("run", "x.yaml", "-q"); code != app.ExitInvalid || !strings.Contains(errs, "changed since the last yes: "+c.says) {
				t.Errorf("without a terminal: exit code %d\n%s", code, errs)
			}
			if _, err := os.Stat(u.path("ran")); err == nil {
				t.Error("what nobody has allowed has run")
			}
		})
	}
}

// TestConsentIsToWhatWasShown: code that is replaced while the question stands there does not run.
func TestConsentIsToWhatWasShown(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"run", "x.yaml", "-q"}, {"method", "check", "x.yaml"}, {"fit", "x.yaml", "-o", "m.json"}} {
		for _, declared := range []string{"code: [m.sh]", "code: [none], version: [sh, m.sh]", ""} {
			u := newUser(t, declared)
			replace := func() string {
				u.write("m.sh", "touch ran\n"+fitsNothing)
				return "y"
			}
			question, code, shown := u.at(replace, args...)
			if _, err := os.Stat(u.path("ran")); err == nil || question == "" || code != app.ExitInvalid {
				t.Errorf("%s of %q: exit code %d, ran: %v\n%s", args[0], declared, code, err == nil, shown)
			}
			wants(t, shown, "method m: code file m.sh changed since it was asked whether it may run: run again")
			if _, err := os.Stat(u.allowed); err == nil {
				t.Errorf("%s of %q: what was not shown is allowed", args[0], declared)
			}
		}
	}
}

// TestConsentEndsWithTheFile: a file that was agreed to, and changes while the run goes on, ends the run, though code does not name it.
func TestConsentEndsWithTheFile(t *testing.T) {
	t.Parallel()
	u := newUser(t, "code: [other.txt]")
	u.write("other.txt", "")
	u.write("m.sh", "echo '# changed' >> m.sh\n"+fitsNothing)
	question, code, shown := u.at(yes, "run", "x.yaml", "-q", "--jobs", "1")
	if question == "" || code == app.ExitOK {
		t.Errorf("exit code %d\n%s", code, shown)
	}
	wants(t, shown, "method m: code file m.sh changed while it was in use; what was computed since is not kept: run again")
}

// TestConsentToMore: a method that gets secrets, or whose code lies elsewhere, says so in a line of its own, and runs without a terminal only
// with the flag and a line of the user's settings, which the error names.
func TestConsentToMore(t *testing.T) {
	t.Parallel()
	for declared, line := range map[string]string{
		"code: [m.sh], env: [LANG, NOT_THERE, MY_TOKEN]": "\n    gets secrets of your environment: MY_TOKEN\n",
		"code: [m.sh, ../beside.sh]":                     "\n    code outside its folder: ../beside.sh\n",
		"code: [m.sh, link.sh]":                          "\n    code outside its folder: link.sh\n",
	} {
		u := newUser(t, declared)
		u.folder = u.path("deep")
		u.write("x.yaml", strings.Replace(askingMethod, "CODE", declared, 1))
		u.write("m.sh", fitsNothing)
		u.write("../beside.sh", "")
		if err := os.Symlink("../beside.sh", u.path("link.sh")); err != nil {
			t.Fatal(err)
		}
		u.env = append(u.env, "MY_TOKEN=hush-hush", "LANG=de")
		command := []string{"run", "x.yaml", "-q", "--retry-failed"}
		asks := func(what string, args ...string) {
			t.Helper()
			code, errs := u.without(append(command, args...)...)
			if code != app.ExitInvalid || !strings.Contains(errs, "nobody has allowed here") {
				t.Errorf("%s, %s: exit code %d\n%s", declared, what, code, errs)
			}
			wants(t, errs, line, "runs only with --allow-methods, or TENFOLD_ALLOW_METHODS=1, and with this line in "+u.allowed+":\n"+u.folder+"\n")
			if strings.Contains(errs, "hush-hush") || strings.Contains(errs, "LANG=de") {
				t.Errorf("an error tells values of variables:\n%s", errs)
			}
		}
		asks("without anything")
		asks("with the flag", "--allow-methods")
		u.env = append(u.env, "TENFOLD_ALLOW_METHODS=1")
		asks("with the variable")
		put(t, u.allowed, u.folder+"\n")
		if code, errs := u.without(command...); code != app.ExitOK {
			t.Errorf("%s, with the variable and the line: exit code %d\n%s", declared, code, errs)
		}
		u.env = append(u.env, "TENFOLD_ALLOW_METHODS=")
		asks("with the line")
		question, code, shown := u.at(yes, command...)
		if code != app.ExitOK {
			t.Errorf("%s, at a terminal: exit code %d\n%s", declared, code, shown)
		}
		wants(t, question, line)
		if strings.Contains(shown, "hush-hush") {
			t.Errorf("a question tells a secret:\n%s", shown)
		}
		if strings.Contains(declared, "LANG") {
			wants(t, question, "\n    env: LANG=de, NOT_THERE (not set), MY_TOKEN\n")
		}
		if code, errs := u.without(command...); code != app.ExitOK { // it was said to this very method
			t.Errorf("%s, after a yes: exit code %d\n%s", declared, code, errs)
		}
	}
}

// TestConsentToModel: a model file is allowed with its code, also where this is not declared.
func TestConsentToModel(t *testing.T) {
	t.Parallel()
	x, dir := newKeeping(t)
	spec, kept := filepath.Join(dir, "kept.yaml"), filepath.Join(t.TempDir(), "kept.json")
	put(t, spec, strings.Replace(withKeeping, "code: [keeping.sh], version", "version", 1))
	x.ok("fit", spec, "--cell", "keeping", "-o", kept, "--allow-methods")
	u := newUser(t, "")
	predict := []string{"predict", kept, filepath.Join(dir, "rows.csv"), "-o", "out.csv"}
	question, code, shown := u.at(yes, predict...)
	if question == "" || code != app.ExitOK {
		t.Fatalf("exit code %d\n%s", code, shown)
	}
	if question, code, shown = u.at(no, predict...); question != "" || code != app.ExitOK {
		t.Errorf("asked again: exit code %d\n%s", code, shown)
	}
	put(t, filepath.Join(dir, "keeping.sh"), keeping+"touch "+u.path("ran")+"\n")
	question, code, shown = u.at(no, predict...)
	if _, err := os.Stat(u.path("ran")); err == nil || question == "" || code != app.ExitInvalid {
		t.Errorf("other code: exit code %d\n%s", code, shown)
	}
	wants(t, question, "changed since the last yes: code file keeping.sh changed")
}

// TestJobsHaveConsent: who submits jobs consents for them, to the methods of the file and no others, also to one that gets secrets.
func TestJobsHaveConsent(t *testing.T) {
	t.Parallel()
	u := newUser(t, "code: [m.sh], env: [MY_TOKEN]")
	u.fakeCluster()
	put(t, u.allowed, u.folder+"\n")
	if code, errs := u.without("run", "x.yaml", "--executor", "slurm", "--detach", "--allow-methods"); code != app.ExitOK {
		t.Fatalf("exit code %d\n%s", code, errs)
	}
	given := regexp.MustCompile(`(?m)^export (TENFOLD_ALLOW_METHODS=[0-9a-f]{32})$`).FindStringSubmatch(read(t, u.path("job.sh")))
	if given == nil {
		t.Fatalf("no consent in the job:\n%s", read(t, u.path("job.sh")))
	}
	put(t, u.allowed, "") // as on a node with another home
	shard := []string{"shard", u.path("runs/x/shards/1.json"), "0"}
	for variable, want := range map[string]string{
		"TENFOLD_ALLOW_METHODS=":                           "x.yaml would run programs that nobody has allowed here",
		"TENFOLD_ALLOW_METHODS=" + strings.Repeat("0", 32): "x.yaml would run programs that nobody has allowed here",
		"TENFOLD_ALLOW_METHODS=1":                          "gets secrets",
		"TENFOLD_ALLOW_METHODS=perhaps":                    `TENFOLD_ALLOW_METHODS: found "perhaps", expected 1 or 0`,
	} {
		u.env = append(u.env, variable)
		if code, errs := u.without(shard...); code != app.ExitInvalid || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d\n%s", variable, code, errs)
		}
	}
	u.env = append(u.env, given[1])
	other := read(t, u.path("runs/x/shards/1.json"))
	u.write("runs/x/shards/1.json", strings.ReplaceAll(other, "sh, m.sh", "sh, m.sh, more"))
	if code, errs := u.without(shard...); code != app.ExitInvalid || !strings.Contains(errs, "m: sh m.sh more") {
		t.Errorf("another method in the plan: exit code %d\n%s", code, errs)
	}
	u.write("runs/x/shards/1.json", other)
	u.write("m.sh", "touch ran\n"+fitsNothing)
	if code, errs := u.without(shard...); code != app.ExitIncomplete || !strings.Contains(errs, "or a method is not the same here") {
		t.Errorf("other code on the node: exit code %d\n%s", code, errs)
	}
	if _, err := os.Stat(u.path("ran")); err == nil {
		t.Error("other code has run")
	}
	u.write("m.sh", fitsNothing)
	if code, errs := u.without(shard...); code != app.ExitOK {
		t.Errorf("what was submitted: exit code %d\n%s", code, errs)
	}
}
