package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// gitRepository is a folder where the git command works, with no other configuration than that of the folder.
type gitRepository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T, init ...string) gitRepository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	g := gitRepository{t, t.TempDir()}
	g.git(append([]string{"init", "-q"}, init...)...)
	return g
}

// at is the same in another folder.
func (g gitRepository) at(dir string) gitRepository {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(g.dir, dir)
	}
	return gitRepository{g.t, dir}
}

func (g gitRepository) try(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", g.dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_ALLOW_PROTOCOL=file",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.org", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.org")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %v: %w: %s", args, err, &complaint)
	}
	return strings.TrimSpace(string(out)), err
}

func (g gitRepository) git(args ...string) string {
	g.t.Helper()
	out, err := g.try(args...)
	if err != nil {
		g.t.Fatal(err)
	}
	return out
}

func (g gitRepository) path(name string) string {
	return filepath.Join(g.dir, filepath.FromSlash(name))
}

func (g gitRepository) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

func (g gitRepository) write(name, text string) {
	g.t.Helper()
	g.must(errors.Join(os.MkdirAll(filepath.Dir(g.path(name)), 0o755), os.WriteFile(g.path(name), []byte(text), 0o644)))
}

// age makes a file look changed long ago.
func (g gitRepository) age(names ...string) {
	g.t.Helper()
	for _, name := range names {
		old := time.Now().Add(-time.Hour)
		g.must(os.Chtimes(g.path(name), old, old))
	}
}

func (g gitRepository) commit(message string) {
	g.t.Helper()
	g.git("add", "-A")
	g.git("commit", "-q", "--allow-empty", "-m", message)
}

// state is what the git command says of the folder.
func (g gitRepository) state() (w WorkTree) {
	g.t.Helper()
	commit, err := g.try("rev-parse", "--verify", "-q", "HEAD")
	if err != nil {
		return WorkTree{}
	}
	return WorkTree{commit, g.git("status", "--porcelain", "--untracked-files=no") == ""}
}

// agrees compares what is read with what the git command says.
func (g gitRepository) agrees(what string) {
	g.t.Helper()
	have := FindWorkTree(g.t.Context(), g.dir) // first, as git writes the index anew
	if want := g.state(); have != want {
		g.t.Errorf("%s: %+v, git says %+v", what, have, want)
	}
}

// smallTree has names in every order that trees and indexes know.
func smallTree(t *testing.T, init ...string) gitRepository {
	g := newRepository(t, init...)
	for _, name := range []string{"a", "a-b/c", "a.b/c", "b/c/d/e", "b/c/d/f", "b/c.d", "b-c", "ü/ö ä", "empty"} {
		g.write("tree/"+name, name+"\n")
	}
	g.write("tree/empty", "")
	g.write("tree/program", "#!/bin/sh\n")
	g.must(errors.Join(os.Chmod(g.path("tree/program"), 0o755), os.Symlink("b/c", g.path("tree/link"))))
	g.commit("first")
	return g
}

// TestAsGitSays: commit and modifications are those of the git command.
func TestAsGitSays(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(g gitRepository){
		"fresh":                func(gitRepository) {},
		"not tracked":          func(g gitRepository) { g.write("tree/new", "new\n") },
		"modified":             func(g gitRepository) { g.write("tree/a", "changed\n") },
		"size kept":            func(g gitRepository) { g.write("tree/b-c", "b+c\n") },
		"touched":              func(g gitRepository) { g.age("tree/a", "tree/empty", "tree/b/c/d/f") },
		"emptied":              func(g gitRepository) { g.write("tree/a", "") },
		"filled":               func(g gitRepository) { g.write("tree/empty", "x") },
		"removed":              func(g gitRepository) { g.must(os.Remove(g.path("tree/b/c.d"))) },
		"folder removed":       func(g gitRepository) { g.must(os.RemoveAll(g.path("tree/b"))) },
		"executable":           func(g gitRepository) { g.must(os.Chmod(g.path("tree/a"), 0o755)) },
		"no longer executable": func(g gitRepository) { g.must(os.Chmod(g.path("tree/program"), 0o644)) },
		"link elsewhere": func(g gitRepository) {
			g.must(errors.Join(os.Remove(g.path("tree/link")), os.Symlink("b/d", g.path("tree/link"))))
		},
		"link made again": func(g gitRepository) {
			g.must(errors.Join(os.Remove(g.path("tree/link")), os.Symlink("b/c", g.path("tree/link"))))
		},
		"link in place of a file": func(g gitRepository) {
			g.write("elsewhere", "a\n")
			g.must(errors.Join(os.Remove(g.path("tree/a")), os.Symlink("../elsewhere", g.path("tree/a"))))
		},
		"link in place of a folder": func(g gitRepository) {
			g.must(errors.Join(os.Rename(g.path("tree/b"), g.path("elsewhere")), os.Symlink("../elsewhere", g.path("tree/b"))))
		},
		"folder in place of a file": func(g gitRepository) { g.must(os.Remove(g.path("tree/a"))); g.write("tree/a/b", "a\n") },
		"staged":                    func(g gitRepository) { g.write("tree/a", "changed\n"); g.git("add", "-A") },
		"staged, and changed back":  func(g gitRepository) { g.write("tree/a", "x\n"); g.git("add", "-A"); g.write("tree/a", "a\n") },
		"staged, and unstaged": func(g gitRepository) {
			g.write("tree/a", "x\n")
			g.git("add", "-A")
			g.git("reset", "-q")
			g.git("checkout", "-q", ".")
		},
		"a new file staged":      func(g gitRepository) { g.write("tree/new", "x\n"); g.git("add", "-A") },
		"a new file to be added": func(g gitRepository) { g.write("tree/new", "x\n"); g.git("add", "-N", ".") },
		"no longer tracked":      func(g gitRepository) { g.git("rm", "-q", "--cached", "tree/a") },
		"a second commit":        func(g gitRepository) { g.write("tree/a", "x\n"); g.commit("second") },
		"amended":                func(g gitRepository) { g.git("commit", "-q", "--amend", "-m", "better") },
		"reset, softly": func(g gitRepository) {
			g.write("tree/a", "x\n")
			g.commit("2")
			g.git("reset", "-q", "--soft", "HEAD~1")
		},
		"reset": func(g gitRepository) {
			g.write("tree/a", "x\n")
			g.commit("2")
			g.git("reset", "-q", "--hard", "HEAD~1")
		},
		"all removed":              func(g gitRepository) { g.git("rm", "-qrf", "."); g.commit("nothing") },
		"a branch":                 func(g gitRepository) { g.git("checkout", "-qb", "topic/of/mine") },
		"a branch without commits": func(g gitRepository) { g.git("checkout", "-q", "--orphan", "topic") },
		"detached":                 func(g gitRepository) { g.git("checkout", "-q", "--detach") },
		"a ref to a ref": func(g gitRepository) {
			g.git("symbolic-ref", "refs/heads/x", "HEAD")
			g.git("checkout", "-q", "--detach")
		},
		"HEAD leads to a ref to a ref": func(g gitRepository) {
			g.to("refs/heads/x", "ref: "+g.git("symbolic-ref", "HEAD"))
			g.to("HEAD", "ref: refs/heads/x")
		},
		"packed":               func(g gitRepository) { g.git("gc", "-q") },
		"packed, modified":     func(g gitRepository) { g.git("gc", "-q"); g.write("tree/a", "x\n") },
		"packed, and a commit": func(g gitRepository) { g.git("gc", "-q"); g.write("tree/a", "x\n"); g.commit("second") },
		"packed as a delta": func(g gitRepository) {
			g.commit(strings.Repeat("a long message\n", 200))
			g.commit(strings.Repeat("a long message\n", 199))
			g.git("gc", "-q")
			packs, err := filepath.Glob(g.path(".git/objects/pack/*.idx"))
			g.must(err)
			for line := range strings.Lines(g.git("verify-pack", "-v", packs[0])) {
				if strings.HasPrefix(line, g.git("rev-parse", "HEAD")) && len(strings.Fields(line)) != 7 {
					g.t.Errorf("not a delta: %s", line)
				}
			}
		},
		"two packs": func(g gitRepository) { g.git("gc", "-q"); g.commit("second"); g.git("repack", "-dq") },
		"index of version 4": func(g gitRepository) {
			g.git("update-index", "--index-version", "4")
			if index, err := os.ReadFile(g.path(".git/index")); err != nil || index[7] != 4 {
				g.t.Errorf("version %d, %v", index[7], err)
			}
		},
		"index of version 4, modified": func(g gitRepository) { g.git("update-index", "--index-version", "4"); g.write("tree/b/c/d/f", "x\n") },
		"a sparse work tree": func(g gitRepository) {
			g.git("sparse-checkout", "set", "--no-cone", "tree/b", "tree/b-c")
			if _, err := os.Stat(g.path("tree/a")); err == nil {
				g.t.Error("it is not sparse")
			}
		},
		"a sparse work tree, modified": func(g gitRepository) {
			g.git("sparse-checkout", "set", "--no-cone", "tree/b")
			g.write("tree/b/c.d", "x\n")
		},
		"line ends as git writes them": func(g gitRepository) { g.windows(); g.git("add", "-A") },
		"line ends, touched":           func(g gitRepository) { g.windows(); g.age("tree/a", "tree/b-c") },
		"line ends, modified":          func(g gitRepository) { g.windows(); g.write("tree/b-c", "b+c\r\n") },
		"line ends of Unix":            func(g gitRepository) { g.windows(); g.write("tree/b-c", "b-c\n") },
		"line ends changed":            func(g gitRepository) { g.write("tree/b-c", "b-c\r\n") },
		"conflict": func(g gitRepository) {
			g.git("checkout", "-qb", "topic")
			g.write("tree/a", "x\n")
			g.commit("topic")
			g.git("checkout", "-q", "-")
			g.write("tree/a", "y\n")
			g.commit("main")
			if _, err := g.try("merge", "-q", "topic"); err == nil {
				g.t.Error("merged")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := smallTree(t)
			change(g)
			g.at("tree").agrees(name)
		})
	}
}

// to writes a ref.
func (g gitRepository) to(ref, text string) { g.t.Helper(); g.write(".git/"+ref, text+"\n") }

// windows checks files out with line ends of Windows.
func (g gitRepository) windows() {
	g.t.Helper()
	g.git("config", "core.autocrlf", "true")
	g.must(os.RemoveAll(g.path("tree")))
	g.git("checkout", "-q", ".")
	if text, err := os.ReadFile(g.path("tree/a")); err != nil || string(text) != "a\r\n" {
		g.t.Errorf("%q, %v", text, err)
	}
}

// TestAsGitSaysInTurn: whatever is done to a work tree, one thing after the other.
func TestAsGitSaysInTurn(t *testing.T) {
	t.Parallel()
	g := smallTree(t)
	rng := rand.New(rand.NewPCG(1, 2))
	names := []string{"tree/a", "tree/b/c.d", "tree/b/c/d/e", "tree/b-c", "tree/new/one", "tree/new-one"}
	steps := map[string]func(){
		"write":    func() { g.write(names[rng.IntN(len(names))], fmt.Sprint(rng.IntN(3))) },
		"remove":   func() { os.Remove(g.path(names[rng.IntN(len(names))])) },
		"mode":     func() { os.Chmod(g.path(names[rng.IntN(len(names))]), 0o644+os.FileMode(rng.IntN(2))*0o111) },
		"touch":    func() { os.Chtimes(g.path(names[rng.IntN(len(names))]), time.Time{}, time.Now()) },
		"stage":    func() { g.git("add", "-A", ".") },
		"commit":   func() { g.commit("more") },
		"commit 2": func() { g.commit("again") },
		"stash":    func() { g.git("reset", "-q", "--hard") },
		"back":     func() { g.git("reset", "-q", "HEAD") },
		"pack":     func() { g.git("repack", "-adq"); g.git("pack-refs", "--all") },
		"version":  func() { g.git("update-index", "--index-version", fmt.Sprint(2+2*rng.IntN(2))) },
		"refresh":  func() { g.try("update-index", "--refresh") },
	}
	order := slices.Sorted(maps.Keys(steps))
	done := ""
	clean := 0
	for range 80 {
		step := order[rng.IntN(len(order))]
		done += " " + step
		steps[step]()
		have, want := FindWorkTree(t.Context(), g.dir), g.state()
		if have != want {
			t.Fatalf("%s: %+v, git says %+v", done, have, want)
		}
		if have.Clean {
			clean++
		}
	}
	if clean < 10 {
		t.Errorf("clean after %d steps only", clean)
	}
}

// TestUnknown: what cannot be told is not called clean, though git says so; what it calls modified never is.
func TestUnknown(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(g gitRepository){
		"not to be looked at": func(g gitRepository) { g.git("update-index", "--assume-unchanged", "tree/a"); g.write("tree/a", "x\n") },
		"split index":         func(g gitRepository) { g.git("update-index", "--split-index") },
		"sparse index":        func(g gitRepository) { g.git("sparse-checkout", "set", "--cone", "--sparse-index", "tree/b") },
		"filtered, and touched": func(g gitRepository) {
			g.git("config", "filter.x.clean", "tr a-z A-Z")
			g.write(".gitattributes", "tree/a filter=x\n")
			g.write("tree/a", "other\n")
			g.commit("filtered")
			g.age("tree/a")
		},
		"borrowed objects": func(g gitRepository) {
			from := g.path("lender")
			g.git("clone", "-q", "--bare", ".", from)
			g.must(errors.Join(os.RemoveAll(g.path(".git/objects")), os.MkdirAll(g.path(".git/objects/info"), 0o755)))
			g.write(".git/objects/info/alternates", from+"/objects\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := smallTree(t)
			change(g)
			have, want := FindWorkTree(t.Context(), g.dir), g.state()
			if have.Clean || have.Commit != want.Commit {
				t.Errorf("%+v, git says %+v", have, want)
			}
			if !want.Clean {
				t.Errorf("git says that it is modified")
			}
		})
	}
	t.Run("size and time kept", func(t *testing.T) { // within a second, git does not see it either
		g := smallTree(t)
		g.age("tree/b-c")
		g.git("update-index", "--refresh")
		g.agrees("touched")
		info, err := os.Stat(g.path("tree/b-c"))
		g.must(err)
		g.write("tree/b-c", "b+c\n")
		g.must(os.Chtimes(g.path("tree/b-c"), info.ModTime(), info.ModTime()))
		if _, known := inodeChanged(info); known && FindWorkTree(t.Context(), g.dir).Clean {
			t.Error("it is called clean")
		}
	})
	t.Run("no index", func(t *testing.T) {
		g := smallTree(t)
		g.must(os.Remove(g.path(".git/index")))
		g.agrees("no index")
	})
	t.Run("no time", func(t *testing.T) {
		g := smallTree(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if w := FindWorkTree(ctx, g.dir); w.Clean || w.Commit == "" {
			t.Errorf("%+v", w)
		}
	})
}

// TestLinkedWorkTrees: a work tree with its own HEAD and index, and the refs and objects of another one.
func TestLinkedWorkTrees(t *testing.T) {
	t.Parallel()
	g := smallTree(t)
	other := g.at(filepath.Join(t.TempDir(), "other"))
	g.git("worktree", "add", "-q", "-b", "topic", other.dir)
	other.agrees("linked")
	other.write("tree/a", "x\n")
	other.agrees("linked, modified")
	other.commit("second")
	other.agrees("linked, with a commit")
	g.agrees("the first")
	g.git("gc", "-q")
	other.agrees("linked, packed")
	other.git("checkout", "-q", "--detach", "HEAD~1")
	other.agrees("linked, detached")
}

// TestSubmodules: a submodule is clean if it has the commit that the work tree around it names, unmodified.
func TestSubmodules(t *testing.T) {
	t.Parallel()
	inner, g := smallTree(t), smallTree(t)
	g.git("submodule", "--quiet", "add", inner.dir, "sub")
	g.commit("with a submodule")
	sub := g.at("sub")
	g.agrees("fresh")
	sub.at("tree").agrees("inside")
	sub.write("tree/a", "x\n")
	g.agrees("modified inside")
	sub.agrees("modified")
	sub.commit("inside")
	g.agrees("another commit inside")
	sub.agrees("another commit")
	g.commit("outside")
	g.agrees("committed")
	copied := g.at(filepath.Join(t.TempDir(), "copy"))
	g.git("clone", "-q", g.dir, copied.dir)
	copied.agrees("not checked out")
	copied.must(os.Remove(copied.path("sub")))
	copied.agrees("folder removed")
}

// TestClones: of all commits, the last, by other hashes, and from another name.
func TestClones(t *testing.T) {
	t.Parallel()
	g := smallTree(t)
	g.commit("second")
	for _, args := range [][]string{{"-q"}, {"-q", "--depth", "1"}, {"-q", "--no-checkout"}} {
		copied := g.at(filepath.Join(t.TempDir(), "copy"))
		g.git(append(append([]string{"clone"}, args...), "file://"+filepath.ToSlash(g.dir), copied.dir)...)
		copied.agrees(strings.Join(args, " "))
	}
	long := smallTree(t, "--object-format=sha256")
	long.agrees("SHA-256")
	if w := FindWorkTree(t.Context(), long.dir); len(w.Commit) != 64 || !w.Clean {
		t.Errorf("SHA-256: %+v", w)
	}
	long.git("gc", "-q")
	long.agrees("SHA-256, packed")
	long.write("tree/a", "x\n")
	long.agrees("SHA-256, modified")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(g.path("tree/b"), link); err != nil {
		t.Skip(err)
	}
	g.at(link).agrees("through a link")
}
