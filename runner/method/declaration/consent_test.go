package declaration

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestConsentCoversCode: consent is to the content of all that code names, of what command and version name, and without code of the
// folder; and to nothing that a run changes.
func TestConsentCoversCode(t *testing.T) {
	t.Parallel()
	tracked := func(code string, command ...string) Declaration {
		return Declaration{Command: command, Code: []string{code}}
	}
	untracked := Declaration{Command: []string{"sh", "m.sh"}}
	for _, c := range []struct {
		name    string
		d       Declaration
		changes string // a file
		asked   bool   // whether it is another consent then
	}{
		{"code", tracked("m.sh", "sh", "m.sh"), "m.sh", true},
		{"another file", tracked("m.sh", "sh", "m.sh"), "other.txt", false},
		{"a file of a pattern", tracked("lib/**", "sh", "m.sh"), "lib/a/b.py", true},
		{"a new file of a pattern", tracked("lib/**/*.py", "sh", "m.sh"), "lib/new.py", true},
		{"a new file of no pattern", tracked("lib/**/*.py", "sh", "m.sh"), "lib/new.R", false},
		{"a file of the command", tracked("other.txt", "sh", "m.sh"), "m.sh", true},
		{"the command", tracked("other.txt", "./m.sh"), "m.sh", true},
		{"a file of a line of shell", tracked("other.txt", "sh", "-c", "set -e; . ./m.sh>log"), "m.sh", true},
		{"a file of an option", tracked("other.txt", "Rscript", "--file=m.R"), "m.R", true},
		{"a file of an expression", tracked("other.txt", "Rscript", "-e", `source("m.R")`), "m.R", true},
		{"a file by a variable", tracked("other.txt", "sh", "-c", `. "$PWD/m.sh"`), "m.sh", true},
		{"a file above a link", tracked("other.txt", "sh", "dir/../x.sh"), "lib/x.sh", true},
		{"a module", tracked("other.txt", "python3", "-m", "lib.a"), "lib/a.py", true},
		{"a package", tracked("other.txt", "python3", "-m", "lib"), "lib/__main__.py", true},
		{"an import", tracked("other.txt", "python3", "-c", "import lib.a"), "lib/a.py", true},
		{"a file beside the folder", tracked("other.txt", "sh", "../beside.sh"), "../beside.sh", true},
		{"a file of none", tracked(CodeNone, "sh", "m.sh"), "m.sh", true},
		{"another file of none", tracked(CodeNone, "sh", "m.sh"), "other.txt", false},
		{"a link", tracked("link.sh", "sh", "link.sh"), "../beside.sh", true},
		{"a file of version", Declaration{Command: []string{"run"}, Code: []string{"other.txt"}, Version: []string{"sh", "m.sh"}}, "m.sh", true},
		{"the folder", untracked, "m.sh", true},
		{"a new file", untracked, "deep/new.py", true},
		{"a hidden file", untracked, ".Rprofile", true},
		{"bytecode", untracked, "lib/__pycache__/a.pyc", true},
		{"a program among results", untracked, "runs/x/helper.sh", true},
		{"a program beside runs", untracked, "runs/helper.sh", true},
		{"a result where no run is", untracked, "lib/report.md", true},
		{"results", untracked, "runs/x/report.md", false},
		{"outcomes", untracked, "runs/x/cells/ab/abcd.cell", false},
		{"a baseline", untracked, "x.baseline.yaml", false},
		{"git", untracked, ".git/index", false},
		{"what a link into git leads to", Declaration{Command: []string{"sh", "into.sh"}}, ".git/into.sh", true},
		{"the cache", untracked, "cache/a.py", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.d.Name, c.d.Folder = "m", filepath.Join(t.TempDir(), "m")
			for _, file := range []string{"m.sh", "m.R", "other.txt", "lib/a.py", "lib/a/b.py", "lib/__main__.py", "lib/x.sh", "x.sh", "../beside.sh", "runs/x/plan.json", ".git/config", ".git/into.sh", "cache/b"} {
				write(t, filepath.Join(c.d.Folder, file), file)
			}
			for from, to := range map[string]string{"link.sh": "../beside.sh", "into.sh": ".git/into.sh", "dir": "lib/a"} {
				if err := os.Symlink(to, filepath.Join(c.d.Folder, from)); err != nil {
					t.Skip(err)
				}
			}
			cache := filepath.Join(c.d.Folder, "cache")
			before := consentTo(t, &c.d, cache)
			if again := consentTo(t, &c.d, cache); again.Digest() != before.Digest() {
				t.Fatalf("nothing changed but %v", again.Changes(before))
			}
			write(t, filepath.Join(c.d.Folder, c.changes), "changed")
			after := consentTo(t, &c.d, cache)
			if changes := after.Changes(before); (after.Digest() != before.Digest()) != c.asked || (len(changes) > 0) != c.asked {
				t.Errorf("another %s is another consent: %v, want %v; what changed: %q", c.changes, !c.asked, c.asked, changes)
			} else if c.asked && !strings.Contains(strings.Join(changes, "\n"), filepath.Base(c.changes)) && c.name != "a link" && c.name != "what a link into git leads to" {
				t.Errorf("what changed: %q, want %s", changes, c.changes)
			}
		})
	}
}

// TestConsentToWords: consent is to one command, version, container, environment and sandbox, and to patterns, whatever they match.
func TestConsentToWords(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "m.sh"), "m")
	d := Declaration{Name: "m", Folder: folder, Command: []string{"sh", "m.sh"}, Code: []string{"m.sh"}}
	was := consentTo(t, &d)
	for want, change := range map[string]func(*Declaration){
		`command is "sh m.sh -x", was "sh m.sh"`: func(d *Declaration) { d.Command = []string{"sh", "m.sh", "-x"} },
		`version is "date", was ""`:              func(d *Declaration) { d.Version = []string{"date"} },
		`env is "HOST", was ""`:                  func(d *Declaration) { d.Env = []string{"HOST"} },
		`code is "*.sh", was "m.sh"`:             func(d *Declaration) { d.Code = []string{"*.sh"} },
		`sandbox is true, was false`:             func(d *Declaration) { d.Sandbox = true },
		`the container is another`:               func(d *Declaration) { d.Container.Runtime = "docker" },
	} {
		other := d
		change(&other)
		is := consentTo(t, &other)
		if is.Digest() == was.Digest() || other.Digest() == d.Digest() || !slices.Equal(is.Changes(was), []string{want}) {
			t.Errorf("what changed: %q, want %q", is.Changes(was), want)
		}
	}
	same := d
	same.Name, same.File = "n", "other.yaml"
	if consentTo(t, &same).Digest() != was.Digest() {
		t.Error("another name is another consent")
	}
}

// TestFilesNamed: by absolute paths, and where the folder is a link.
func TestFilesNamed(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, file := range []string{"real/m/m.sh", "real/x.sh", "x.sh", "elsewhere.sh"} {
		write(t, filepath.Join(root, file), file)
	}
	if err := errors.Join(os.Symlink("real/m", filepath.Join(root, "m")), os.Symlink("../../elsewhere.sh", filepath.Join(root, "real/m/link.sh"))); err != nil {
		t.Skip(err)
	}
	d := Declaration{Folder: filepath.Join(root, "m")}
	for word, want := range map[string]string{
		"m.sh": "m.sh", "./m.sh": "m.sh", "../x.sh": "../x.sh", "link.sh": "link.sh", "gone.sh": "", "": "", ".": "", "..": "", "/": "",
		filepath.Join(root, "m", "m.sh"): "m.sh", filepath.Join(root, "real", "m", "m.sh"): "m.sh", filepath.Join(root, "real", "m", "link.sh"): "link.sh",
		filepath.Join(root, "elsewhere.sh"): "", "/bin/sh": "", "/proc/self/cwd/m.sh": "m.sh",
	} {
		if got := strings.Join(d.FilesNamed([]string{word}), " "); got != want {
			t.Errorf("%q names %q, want %q", word, got, want)
		}
	}
	if content, err := os.ReadFile(d.pathOf("../x.sh")); err != nil || string(content) != "real/x.sh" {
		t.Errorf("../x.sh holds %s, %v", content, err)
	}
}

// TestConsentToFolderIsBounded: a folder that is too large, or that a link makes larger, asks for code to be declared.
func TestConsentToFolderIsBounded(t *testing.T) {
	t.Parallel()
	for want, fill := range map[string]func(folder string){
		"more than 1000, or than 64 MiB": func(folder string) {
			for i := range maxFolderFiles + 1 {
				write(t, filepath.Join(folder, fmt.Sprint(i)), "")
			}
		},
		" more than 1000, or than 64 MiB": func(folder string) {
			write(t, filepath.Join(folder, "data"), "")
			if err := os.Truncate(filepath.Join(folder, "data"), maxFolderBytes+1); err != nil {
				t.Fatal(err)
			}
		},
		"the link out -> .. leads to a folder that is not among them": func(folder string) {
			if err := os.Symlink("..", filepath.Join(folder, "out")); err != nil {
				t.Skip(err)
			}
		},
		"the link git -> .git leads to a folder that is not among them": func(folder string) {
			write(t, filepath.Join(folder, ".git", "x"), "")
			if err := os.Symlink(".git", filepath.Join(folder, "git")); err != nil {
				t.Skip(err)
			}
		},
	} {
		d := Declaration{Name: "m", Folder: filepath.Join(t.TempDir(), "m"), Command: []string{"sh", "m.sh"}}
		write(t, filepath.Join(d.Folder, "m.sh"), "m")
		if err := os.Symlink(".", filepath.Join(d.Folder, "itself")); err != nil {
			t.Skip(err)
		}
		consentTo(t, &d)
		fill(d.Folder)
		if _, err := d.Consent(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "declare") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestExposure: secrets in the environment, and code outside of the folder, also by a link.
func TestExposure(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "m")
	for _, file := range []string{"m.sh", "../beside.sh", "deep/x.sh"} {
		write(t, filepath.Join(folder, file), file)
	}
	for from, to := range map[string]string{"out.sh": "../beside.sh", "in.sh": "deep/x.sh", "deep/python": "../../beside.sh"} {
		if err := os.Symlink(to, filepath.Join(folder, from)); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct {
		d    Declaration
		want string
	}{
		{Declaration{Command: []string{"sh", "m.sh"}, Code: []string{"m.sh", "in.sh"}, Env: []string{"R_LIBS", "HOST"}}, ""},
		{Declaration{Command: []string{"x"}, Env: []string{"AWS_SECRET_ACCESS_KEY", "github_token", "Password", "MY_CREDENTIALS", "TOKENS", "X"}}, "AWS_SECRET_ACCESS_KEY github_token Password MY_CREDENTIALS TOKENS"},
		{Declaration{Command: []string{"sh", "m.sh"}, Code: []string{"m.sh", "../beside.sh"}}, "../beside.sh"},
		{Declaration{Command: []string{"sh", "m.sh"}, Code: []string{"../*.sh"}}, "../beside.sh"},
		{Declaration{Command: []string{"sh", "m.sh"}, Code: []string{"*.sh"}}, "out.sh"},
		{Declaration{Command: []string{"sh", "out.sh"}}, "out.sh"},
		{Declaration{Command: []string{"deep/python", "m.sh"}, Code: []string{"m.sh"}}, ""}, // as in an environment of Python
		{Declaration{Command: []string{"sh", "m.sh"}, Code: []string{CodeNone}, Version: []string{"sh", "../beside.sh"}}, "../beside.sh"},
	} {
		c.d.Name, c.d.Folder = "m", folder
		e, err := c.d.Exposure()
		if got := strings.Join(append(e.Secrets, e.Outside...), " "); err != nil || got != c.want || e.Any() != (c.want != "") {
			t.Errorf("%q %q %q: got %s, %v; want %s", c.d.Command, c.d.Code, c.d.Env, got, err, c.want)
		}
	}
}

// write writes a file that can be run, and makes its folder.
func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
}
