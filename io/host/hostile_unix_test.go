//go:build unix

package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const someCommit = "0123456789abcdef0123456789abcdef01234567"

// TestHostileRepositories: what stands for a repository, or a part of one, is read at once or not at all, and nothing outside is.
func TestHostileRepositories(t *testing.T) {
	t.Parallel()
	at := t.TempDir()
	write := func(name, text string) error {
		path := filepath.Join(at, name)
		return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
	}
	in := func(name string) string { return filepath.Join(at, name) }
	pipe := func(name string) error { return errors.Join(os.RemoveAll(in(name)), unix.Mkfifo(in(name), 0o600)) }
	link := func(to, name string) error { return errors.Join(os.RemoveAll(in(name)), os.Symlink(to, in(name))) }
	refs := func(text string) error { return write("x/.git/HEAD", text) }
	outside := t.TempDir()
	for what, c := range map[string]struct {
		change func() error
		commit string
	}{
		"nothing changed":       {func() error { return nil }, someCommit},
		".git a pipe":           {func() error { return pipe("x/.git") }, ""},
		".git a link to a pipe": {func() error { return errors.Join(pipe("pipe"), link("../pipe", "x/.git")) }, ""},
		".git a link to zeros":  {func() error { return link("/dev/zero", "x/.git") }, ""},
		".git a link to itself": {func() error { return link(".git", "x/.git") }, ""},
		".git names a pipe": {func() error {
			return errors.Join(pipe("pipe"), os.RemoveAll(in("x/.git")), write("x/.git", "gitdir: ../pipe\n"))
		}, ""},
		".git names a device": {func() error { return errors.Join(os.RemoveAll(in("x/.git")), write("x/.git", "gitdir: /dev/zero\n")) }, ""},
		".git names itself":   {func() error { return errors.Join(os.RemoveAll(in("x/.git")), write("x/.git", "gitdir: .git\n")) }, ""},
		".git is very long": {func() error {
			return errors.Join(os.RemoveAll(in("x/.git")), write("x/.git", "gitdir: "+strings.Repeat("/", 1<<20)))
		}, ""},
		".git is empty":              {func() error { return errors.Join(os.RemoveAll(in("x/.git")), os.Mkdir(in("x/.git"), 0o755)) }, ""},
		"HEAD a pipe":                {func() error { return pipe("x/.git/HEAD") }, ""},
		"HEAD a link to a pipe":      {func() error { return errors.Join(pipe("x/.git/pipe"), link("pipe", "x/.git/HEAD")) }, ""},
		"HEAD a link to zeros":       {func() error { return link("/dev/zero", "x/.git/HEAD") }, ""},
		"HEAD a link out":            {func() error { return link(outside+"/HEAD", "x/.git/HEAD") }, ""},
		"HEAD a folder":              {func() error { return errors.Join(os.RemoveAll(in("x/.git/HEAD")), os.Mkdir(in("x/.git/HEAD"), 0o755)) }, ""},
		"HEAD no hash":               {func() error { return refs(strings.Repeat("x", 40)) }, ""},
		"HEAD half a hash":           {func() error { return refs(someCommit[:20]) }, ""},
		"HEAD names itself":          {func() error { return refs("ref: HEAD\n") }, ""},
		"HEAD leads up":              {func() error { return refs("ref: refs/../../../elsewhere\n") }, ""},
		"HEAD leads elsewhere":       {func() error { return refs("ref: " + outside + "/HEAD\n") }, ""},
		"HEAD leads to a file of it": {func() error { return errors.Join(write("x/.git/name", someCommit), refs("ref: name\n")) }, ""},
		"a ref that is not there":    {func() error { return refs("ref: refs/heads/none\n") }, ""},
		"a ref that is a pipe":       {func() error { return errors.Join(pipe("x/.git/refs/heads/pipe"), refs("ref: refs/heads/pipe\n")) }, ""},
		"a ref to itself": {func() error {
			return errors.Join(write("x/.git/refs/heads/a", "ref: refs/heads/a\n"), refs("ref: refs/heads/a\n"))
		}, ""},
		"refs in a ring": {func() error {
			return errors.Join(write("x/.git/refs/heads/a", "ref: refs/heads/b\n"), write("x/.git/refs/heads/b", "ref: refs/heads/a\n"), refs("ref: refs/heads/a\n"))
		}, ""},
		"refs elsewhere": {func() error { return errors.Join(link(outside, "x/.git/refs"), refs("ref: refs/heads/main\n")) }, ""},
		"packed refs a pipe": {func() error {
			return errors.Join(pipe("x/.git/packed-refs"), refs("ref: refs/heads/none\n"))
		}, ""},
		"packed refs a link out": {func() error {
			return errors.Join(link(outside+"/packed-refs", "x/.git/packed-refs"), refs("ref: refs/heads/none\n"))
		}, ""},
		"commondir a pipe":     {func() error { return pipe("x/.git/commondir") }, ""},
		"commondir names none": {func() error { return write("x/.git/commondir", "../none\n") }, ""},
		"index a pipe":         {func() error { return pipe("x/.git/index") }, someCommit},
		"index zeros":          {func() error { return link("/dev/zero", "x/.git/index") }, someCommit},
		"objects elsewhere":    {func() error { return link(outside, "x/.git/objects") }, someCommit},
		"a commit that is a pipe": {func() error {
			return errors.Join(os.MkdirAll(in("x/.git/objects/01"), 0o755), pipe("x/.git/objects/01/"+someCommit[2:]))
		}, someCommit},
		"a bare repository in disguise": {func() error {
			return errors.Join(write("x/y/HEAD", strings.Repeat("f", 40)), write("x/y/config", "[core]\nbare = false\nworktree = .\n"), os.MkdirAll(in("x/y/objects"), 0o755), os.MkdirAll(in("x/y/refs"), 0o755))
		}, someCommit},
	} {
		err := errors.Join(os.RemoveAll(at), os.Mkdir(at, 0o755), write("x/y/file", ""), refs(someCommit+"\n"), os.MkdirAll(in("x/.git/refs/heads"), 0o755),
			os.WriteFile(outside+"/HEAD", []byte(someCommit), 0o644), os.MkdirAll(outside+"/heads", 0o755), os.WriteFile(outside+"/heads/main", []byte(someCommit), 0o644),
			os.WriteFile(outside+"/packed-refs", []byte(someCommit+" refs/heads/none\n"), 0o644), c.change())
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		found := make(chan WorkTree, 1)
		go func() { found <- FindWorkTree(t.Context(), in("x/y")) }()
		select {
		case w := <-found:
			if w.Commit != c.commit || w.Clean {
				t.Errorf("%s: %+v, expected commit %q", what, w, c.commit)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: it waits", what)
		}
	}
}

// TestHostileWorkTrees: where files of the work tree were, there are pipes and links now.
func TestHostileWorkTrees(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(g gitRepository) error{
		"a pipe": func(g gitRepository) error {
			return errors.Join(os.Remove(g.path("tree/a")), unix.Mkfifo(g.path("tree/a"), 0o600))
		},
		"a link to a pipe": func(g gitRepository) error {
			return errors.Join(os.Remove(g.path("tree/a")), unix.Mkfifo(g.path("pipe"), 0o600), os.Symlink("../pipe", g.path("tree/a")))
		},
		"a pipe for a folder": func(g gitRepository) error {
			return errors.Join(os.RemoveAll(g.path("tree/b")), unix.Mkfifo(g.path("tree/b"), 0o600))
		},
		"zeros": func(g gitRepository) error {
			return errors.Join(os.Remove(g.path("tree/a")), os.Symlink("/dev/zero", g.path("tree/a")))
		},
		"a submodule of itself": func(g gitRepository) error {
			if err := errors.Join(os.Mkdir(g.path("sub"), 0o755), os.WriteFile(g.path("sub/.git"), []byte("gitdir: ../.git\n"), 0o644)); err != nil {
				return err
			}
			for k := range 30 {
				g.git("update-index", "--add", "--cacheinfo", fmt.Sprintf("160000,%s,a%02d", someCommit, k))
				if err := os.Symlink("sub", g.path(fmt.Sprintf("a%02d", k))); err != nil {
					return err
				}
			}
			g.git("update-index", "--add", "--cacheinfo", "160000,"+someCommit+",sub")
			return nil
		},
	} {
		g := smallTree(t)
		g.must(change(g))
		found := make(chan WorkTree, 1)
		go func() { found <- FindWorkTree(t.Context(), g.dir) }()
		select {
		case w := <-found:
			if len(w.Commit) != 40 || w.Clean {
				t.Errorf("%s: %+v", what, w)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: it waits", what)
		}
	}
}
