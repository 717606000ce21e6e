package process

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/runner/method/declaration"
)

// TestUndeclared: files in the folder of a declaration that a process opens are found, with their digests, however it opens them. Not
// among them are the code, what it writes, and folders of other things.
func TestUndeclared(t *testing.T) {
	t.Parallel()
	const script = "m.sh"
	for _, c := range []struct {
		name, runs string
		files      []string // beside the script
		want       string
	}{
		{"nothing", ":", []string{"helper.sh"}, ""},
		{"sourced", ". ./helper.sh", []string{"helper.sh"}, "helper.sh"},
		{"run", "./helper.sh", []string{"helper.sh"}, "helper.sh"},
		{"by a child", "(cat lib/deep/b.txt; cat a.txt) | cat", []string{"a.txt", "lib/deep/b.txt", "lib/c.txt"}, "a.txt, lib/deep/b.txt"},
		{"hidden", "cat .Rprofile .git/config", []string{".Rprofile", ".git/config"}, ".Rprofile"},
		{"compiled", "cat __pycache__/helper.cpython-311.pyc pack/__pycache__/gone.cpython-311.pyc pack/__pycache__/b.pyc", []string{"helper.py", "__pycache__/helper.cpython-311.pyc", "pack/__pycache__/gone.cpython-311.pyc", "pack/b.py", "pack/__pycache__/b.pyc"},
			"helper.py, pack/__pycache__/gone.cpython-311.pyc, pack/b.py"},
		{"a link to a file", "cat link", []string{"link -> ../outside/x"}, "link"},
		{"a link to a folder", "cat link/x", []string{"link -> ../outside"}, "link/x"},
		{"a link to code", "cat link", []string{"link -> m.sh"}, ""},
		{"declarations", "cat m.yaml other.sh", []string{"m.yaml", "other.sh"}, ""},
		{"written", "echo 1 >> log; cat log; echo 2 > new; cat new; echo 3 > part; mv part old; cat old", []string{"log", "old"}, ""},
		{"libraries", "cat venv/lib/x env/x R/x", []string{"venv/pyvenv.cfg", "venv/lib/x", "env/conda-meta/x", "env/x", "R/activate.R", "R/x"}, ""},
		{"runs", "cat runs/a/plan.json runs/a/x", []string{"runs/a/plan.json", "runs/a/x"}, ""},
		{"a device", "cat link", []string{"link -> /dev/null"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "m")
			for name, content := range map[string]string{script: c.runs + " > /dev/null\n", "../outside/x": "x\n"} {
				write(t, filepath.Join(folder, name), content)
			}
			for _, file := range c.files {
				if link, to, is := strings.Cut(file, " -> "); is {
					if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
						t.Fatal(err)
					}
				} else {
					write(t, filepath.Join(folder, file), ": "+file+"\n")
				}
			}
			h := newPrograms(t)
			d := declaration.Declaration{Name: "m", Command: []string{"sh", script}, Code: []string{script}, Folder: folder, File: filepath.Join(folder, "m.yaml")}
			other := d
			other.Name, other.Code = "other", []string{"*.yaml"}
			if slices.Contains(c.files, "other.sh") {
				other.Code = []string{"other.sh"}
			}
			openedBy(t, h, &other)
			if got := openedBy(t, h, &d); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			for _, code := range [][]string{nil, {declaration.CodeNone}} {
				d := d
				d.Code = code
				if got := openedBy(t, h, &d); got != "" {
					t.Errorf("code %q: got %q", code, got)
				}
			}
		})
	}
}

// openedBy runs a method and returns the undeclared files that were opened.
func openedBy(t *testing.T, h *Programs, d *declaration.Declaration) string {
	t.Helper()
	folder, err := h.NewFolder(d.Name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := h.Start(d, folder, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.stdin.Close()
	<-p.ended
	if p.err != nil {
		t.Fatalf("%v\n%s", p.err, p.stderr.Tail())
	}
	var files []string
	p.opening.report(func(f data.Fact) {
		name, file, ok := ReadOpened(f)
		if !ok || name != d.Name || f.Value != UndeclaredDigest(d, file) || f.Value == "" {
			t.Errorf("%+v", f)
		}
		files = append(files, file)
	})
	return strings.Join(files, ", ")
}

// TestUndeclaredOfNestedFolders: folders of declarations may be in each other.
func TestUndeclaredOfNestedFolders(t *testing.T) {
	t.Parallel()
	folder, h := t.TempDir(), newPrograms(t)
	write(t, filepath.Join(folder, "inner", "m.sh"), ". \"${0%/*}\"/helper.sh\n")
	write(t, filepath.Join(folder, "inner", "helper.sh"), ":\n")
	outer := declaration.Declaration{Name: "outer", Command: []string{"sh", "inner/m.sh"}, Code: []string{"inner/m.sh"}, Folder: folder}
	inner := declaration.Declaration{Name: "inner", Command: []string{"sh", "./m.sh"}, Code: []string{"m.sh"}, Folder: filepath.Join(folder, "inner")}
	for range 2 {
		for d, want := range map[*declaration.Declaration]string{&outer: "inner/helper.sh", &inner: "helper.sh"} {
			if got := openedBy(t, h, d); got != want {
				t.Errorf("%s: got %q, want %q", d.Name, got, want)
			}
		}
	}
}
