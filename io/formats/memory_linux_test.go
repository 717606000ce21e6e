package formats

import (
	"bufio"
	"compress/gzip"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/io/compiled"
	"tenfold/io/files"
	"tenfold/io/host/hosttest"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// size of the files, unpacked; those of which 24 bytes a byte are allowed have four times that, so that the law says more.
const size = 8 << 20

// TestMemory holds the readers of all formats to a law: a file of n bytes, unpacked, takes at most 272 MiB of memory and 24 n as a table of
// text, or twice what an ordinary file of that format and size takes, whatever its bytes are. Each file is read by a process of its own,
// as tenfold reads it, packed and into a cache.
func TestMemory(t *testing.T) {
	all := readings()
	if task := sourcetest.Measured(); task != "" {
		name, dir, _ := strings.Cut(task, "\n")
		sourcetest.Report(func() error { return load(all[name].source, dir) })
		return
	}
	hosttest.NeedPrograms(t, "a process for each of many large files")
	set, err := Formats()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Names() {
		if _, there := all[name]; !there && name != "synthetic" { // which reads no file
			t.Errorf("no files for the format %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all[name].hold(t, name)
		})
	}
}

// hold measures the shapes of one reading.
func (r reading) hold(t *testing.T, name string) {
	const base, most = 272 << 20, 4 << 30
	n := size
	if r.perByte > 0 {
		n = 4 * size
	}
	role := r.role
	if role == "" {
		role = "all"
	}
	measure := func(c content) (int64, string) {
		dir := t.TempDir()
		for other, c := range r.others {
			write(t, filepath.Join(dir, other), c, n)
		}
		write(t, filepath.Join(dir, role), c, n)
		peak, said := sourcetest.Peak(t, name+"\n"+dir, most)
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
		return peak, said
	}
	limit := int64(base + r.perByte*n)
	if r.perByte == 0 {
		peak, said := measure(r.ordinary)
		if said != "\"<nil>\"" {
			t.Errorf("an ordinary file: %s", said)
		}
		limit = base + 2*peak
		t.Logf("%-20s %5d MiB", "an ordinary file", peak>>20)
	}
	shapes := maps.Clone(r.shapes)
	if r.any {
		maps.Copy(shapes, anyText)
	}
	for _, shape := range slices.Sorted(maps.Keys(shapes)) {
		peak, said := measure(shapes[shape])
		t.Logf("%-20s %5d of %d MiB %.100s", shape, peak>>20, limit>>20, said)
		if peak > limit {
			t.Errorf("%s: %d MiB for a file of %d MiB, expected at most %d MiB (%.200s)", shape, peak>>20, n>>20, limit>>20, said)
		}
	}
}

// write packs a content.
func write(t *testing.T, path string, c content, n int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packed, _ := gzip.NewWriterLevel(f, gzip.BestSpeed) // a level that there is
	w := bufio.NewWriterSize(packed, 1<<20)
	c(w, n)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
}

// load reads the files of a folder, named by their roles, as tenfold does.
func load(src source.Source, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	refs := map[string]files.Ref{}
	for _, e := range entries {
		refs[e.Name()] = files.Ref{Path: filepath.Join(dir, e.Name())}
	}
	cache := filepath.Join(dir, "cache")
	in, err := files.Open(refs, files.Folders{}, cache)
	if err != nil {
		return err
	}
	_, _, err = compiled.Cache{Dir: cache}.Load(context.Background(), compiled.Reader{Name: "test", Options: "{}"}, src, in)
	return err
}
