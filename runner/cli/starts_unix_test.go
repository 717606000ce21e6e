//go:build unix

package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tenfold/io/results"
	"tenfold/runner/cli/app"
)

// TestRepositoriesRunNothing: the folder of an experiment is in a repository whose configuration names programs, or whose files are pipes.
// No command that notes the commit starts a program, or waits.
func TestRepositoriesRunNothing(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	tools := t.TempDir() // git, before the real one
	t.Setenv("PATH", tools+":"+os.Getenv("PATH"))
	for name, c := range map[string]struct {
		attack func(d desk, git func(args ...string)) error
		commit bool // is known even so
	}{
		"monitor": {func(d desk, git func(...string)) error {
			git("config", "core.fsmonitor", "touch MARK; false")
			return nil
		}, true},
		"filter": {func(d desk, git func(...string)) error {
			git("config", "filter.x.clean", "touch MARK; cat")
			git("config", "filter.x.process", "touch MARK; cat")
			d.write(".gitattributes", "* filter=x\n")
			return os.Chtimes(d.spec, time.Unix(0, 0), time.Unix(0, 0))
		}, true},
		"hook": {func(d desk, git func(...string)) error {
			git("config", "core.hooksPath", ".hooks")
			return errors.Join(os.Mkdir(d.path(".hooks"), 0o755), os.WriteFile(d.path(".hooks/post-index-change"), []byte("#!/bin/sh\ntouch MARK\n"), 0o755))
		}, true},
		"a bare repository in disguise": {func(d desk, git func(...string)) error {
			git("init", "-q", "--bare", ".")
			d.write("config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"touch MARK; false\"\n")
			git("--git-dir=.", "-c", "core.fsmonitor=false", "add", "x.yaml")
			git("--git-dir=.", "-c", "core.fsmonitor=false", "commit", "-q", "-m", "x")
			return os.RemoveAll(d.path(".git"))
		}, false},
		"a pipe": {func(d desk, _ func(...string)) error {
			return errors.Join(os.RemoveAll(d.path(".git")), unix.Mkfifo(d.path(".git"), 0o600))
		}, false},
		"HEAD a pipe": {func(d desk, _ func(...string)) error {
			return errors.Join(os.Remove(d.path(".git/HEAD")), unix.Mkfifo(d.path(".git/HEAD"), 0o600))
		}, false},
		"index a pipe": {func(d desk, _ func(...string)) error {
			return errors.Join(os.Remove(d.path(".git/index")), unix.Mkfifo(d.path(".git/index"), 0o600))
		}, true},
	} {
		d := newDesk(t, trio)
		mark := filepath.Join(t.TempDir(), "mark")
		run := func(args ...string) {
			t.Helper()
			cmd := exec.CommandContext(t.Context(), git, append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
			cmd.Dir = d.folder
			for k := range cmd.Args {
				cmd.Args[k] = strings.ReplaceAll(cmd.Args[k], "MARK", mark)
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
		}
		run("init", "-q")
		run("add", "x.yaml")
		run("commit", "-q", "-m", "x")
		err := errors.Join(c.attack(d, run), os.WriteFile(filepath.Join(tools, "git"), fmt.Appendf(nil, "#!/bin/sh\ntouch %s\nexec %s \"$@\"\n", mark, git), 0o755))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"config", ".hooks/post-index-change"} {
			if text, err := os.ReadFile(d.path(file)); err == nil {
				d.write(file, strings.ReplaceAll(string(text), "MARK", mark))
			}
		}
		os.Remove(mark)
		for _, args := range [][]string{
			{"run", d.spec, "--out", d.dir}, {"accept", d.spec, "--out", d.dir}, {"check", d.spec, "--out", d.path("b")}, {"fit", d.spec, "--cell", "mean", "-o", d.path("m.json")},
			{"plan", d.spec, "--out", d.path("c"), "--shards", "2"}, {"shard", d.path("c/shards/1.json"), "0"}, {"shard", d.path("c/shards/1.json"), "1"},
			{"merge", d.dir, d.path("b"), "--out", d.path("merged")}, {"reproduce", filepath.Join(d.dir, "results.parquet"), "--out", d.path("again")}, {"verify", d.dir},
			{"report", d.dir}, {"validate", d.spec}, {"why", "mean", d.spec, "--out", d.dir}, {"gc", d.dir},
		} {
			if code, _, errs := d.run(args...); code != app.ExitOK {
				t.Errorf("%s: %s: exit code %d\n%s", name, args[0], code, errs)
			}
			if os.Remove(mark) == nil {
				t.Errorf("%s: %s has run a program", name, args[0])
			}
		}
		f, err := results.ReadFooter(filepath.Join(d.dir, "results.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		if p := f.Provenance; (len(p.Commit) == 40) != c.commit || strings.HasSuffix(name, "pipe") && p.Dirty != c.commit {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// TestNothingOfTheFolderRuns: programs that have the names of those that tenfold starts, in the folder where it is started, which is in
// PATH, do not run; neither does one that a method names without a slash.
func TestNothingOfTheFolderRuns(t *testing.T) {
	d := newDesk(t, trio)
	mark := filepath.Join(t.TempDir(), "mark")
	d.write("method.yaml", strings.Replace(strings.ReplaceAll(marking, "MARK", mark), "command: [sh,", "command: [tool,", 1))
	if err := os.Mkdir(d.path("bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"git", "sbatch", "squeue", "sacct", "sinfo", "scontrol", "scancel", "xdg-open", "open", "tool", "sh", "true", "podman", "docker", "apptainer"} {
		for _, file := range []string{name, "bin/" + name} {
			if err := os.WriteFile(d.path(file), fmt.Appendf(nil, "#!/bin/sh\necho %s > %s\n", file, mark), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Chdir(d.folder)
	for _, path := range []string{".", "bin", ":", "./bin:."} {
		t.Setenv("PATH", path)
		for _, c := range []struct {
			want string
			args []string
		}{
			{"", []string{"run", "x.yaml", "--out", "run"}},
			{"no command sbatch on this host", []string{"run", "x.yaml", "--out", "far", "--executor", "slurm"}},
			{"no command sbatch on this host", []string{"cancel", "run"}},
			{"was looked for in PATH", []string{"run", "method.yaml", "--out", "method", "--allow-methods"}},
		} {
			code, _, errs := d.run(c.args...)
			if (code == app.ExitOK) != (c.want == "") || !strings.Contains(errs, c.want) {
				t.Errorf("PATH=%s: %v: exit code %d\n%s", path, c.args, code, errs)
			}
		}
		s := serves(t, d.dir, "--open")
		s.page("/")
		if _, errs := s.end(); !strings.Contains(errs, "no browser could be opened") {
			t.Errorf("PATH=%s: %s", path, errs)
		}
		if text, err := os.ReadFile(mark); err == nil {
			t.Errorf("PATH=%s: %s has run", path, text)
			os.Remove(mark)
		}
	}
}
