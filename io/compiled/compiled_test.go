package compiled

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tenfold/engines/data"
	"tenfold/engines/data/digest"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
	"tenfold/io/files"
	"tenfold/io/source"
)

// fake is a reader that counts its calls.
type fake struct {
	made  func() *data.Dataset
	loads *atomic.Int32
}

func (fake) Validate() error           { return nil }
func (fake) Declares() source.Declares { return source.Declares{} }
func (fake) Recipe() prepare.Recipe    { return prepare.Recipe{} }
func (f fake) Load(_ context.Context, in source.Input) (*data.Dataset, error) {
	f.loads.Add(1)
	if in.Has("all") {
		content, name, err := in.Bytes("all")
		if err != nil {
			return nil, err
		}
		if string(content) == "bad" {
			return nil, errors.New(name + ": bad")
		}
	}
	return f.made(), nil
}

func reader(made func() *data.Dataset) fake { return fake{made, new(atomic.Int32)} }

func small() *data.Dataset {
	return &data.Dataset{
		Name: "small", X: sparse.New(2, []int{0, 1, 3}, []int32{0, 0, 1}, nil),
		Features: data.NewFeatures([]string{"a", "b"}),
		Targets:  []data.Target{{Name: "y", Type: data.Real, Values: []float64{1, 2}}},
	}
}

func write1(t testing.TB, content string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open1(t testing.TB, path, cacheDir string) *files.Set {
	t.Helper()
	in, err := files.Open(map[string]files.Ref{"all": {Path: path}}, files.Folders{}, cacheDir)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

var plain = Reader{Name: "fake", Rev: 1, Options: "{}"}

// load expects success without warnings.
func load(t testing.TB, c Cache, r Reader, src source.Source, in *files.Set) (*data.Dataset, bool) {
	t.Helper()
	c.Warn = func(err error) { t.Helper(); t.Errorf("warning: %v", err) }
	d, hit, err := c.Load(t.Context(), r, src, in)
	if err != nil {
		t.Fatal(err)
	}
	return d, hit
}

func TestSecondLoadReadsNothing(t *testing.T) {
	src, c, path := reader(full), Cache{Dir: t.TempDir()}, write1(t, "x")
	first, hit := load(t, c, plain, src, open1(t, path, c.Dir))
	if hit {
		t.Error("the first load was a hit")
	}
	second, hit := load(t, c, plain, src, open1(t, path, c.Dir))
	if !hit || src.loads.Load() != 1 {
		t.Errorf("hit %v after %d loads", hit, src.loads.Load())
	}
	want := full()
	digest.Identify(want)
	want.FindConstant()
	for _, got := range []*data.Dataset{first, second} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

func TestDigest(t *testing.T) {
	path := write1(t, "x")
	digest := func(r Reader, in *files.Set) string {
		d, err := r.Digest(in)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	role := func(role string) *files.Set {
		in, err := files.Open(map[string]files.Ref{role: {Path: path}}, files.Folders{}, "")
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	want := digest(plain, role("all"))
	// Compiled files are named by digests: another one makes all of them anew.
	if golden := "1d96b205d5c27949cdbb4afa8cb0830cd15b19091dc6ae54c786928f1064223f"; want != golden {
		t.Errorf("digest %s, expected %s", want, golden)
	}
	if other := digest(plain, open1(t, write1(t, "x"), "")); other != want {
		t.Errorf("the same bytes under another name: %s, expected %s", other, want)
	}
	for what, other := range map[string]string{
		"name":    digest(Reader{"fake2", 1, "{}"}, role("all")),
		"rev":     digest(Reader{"fake", 2, "{}"}, role("all")),
		"options": digest(Reader{"fake", 1, `{"a":1}`}, role("all")),
		"role":    digest(plain, role("train")),
		"content": digest(plain, open1(t, write1(t, "y"), "")),
	} {
		if other == want {
			t.Errorf("another %s gives the same digest", what)
		}
	}
}

func TestLoadErrorsAreNotKept(t *testing.T) {
	c := Cache{Dir: t.TempDir()}
	path := write1(t, "bad")
	if _, _, err := c.Load(t.Context(), plain, reader(small), open1(t, path, "")); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	unsound := func() *data.Dataset { d := small(); d.Targets = nil; return d }
	if _, _, err := c.Load(t.Context(), plain, reader(unsound), open1(t, write1(t, "x"), "")); err == nil {
		t.Error("an unsound data set was accepted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := c.Load(ctx, plain, reader(small), open1(t, path, "")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if kept, _ := filepath.Glob(filepath.Join(c.Dir, "*", "*")); len(kept) != 0 {
		t.Errorf("kept %v", kept)
	}
}

func TestDamagedFileIsMadeAgain(t *testing.T) {
	src, c, path := reader(full), Cache{Dir: t.TempDir()}, write1(t, "x")
	load(t, c, plain, src, open1(t, path, ""))
	digest, err := plain.Digest(open1(t, path, ""))
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(c.pathOf(digest))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 10, headerSize, len(good) / 2, len(good) - 1} {
		// Written anew rather than cut: earlier mappings of the file stay whole.
		if err := files.Replace(c.pathOf(digest), func(w io.Writer) error { _, err := w.Write(good[:n]); return err }); err != nil {
			t.Fatal(err)
		}
		var warnings []error
		c.Warn = func(err error) { warnings = append(warnings, err) }
		_, hit, err := c.Load(t.Context(), plain, src, open1(t, path, ""))
		if err != nil || hit || len(warnings) != 1 || !strings.Contains(warnings[0].Error(), "made again") {
			t.Errorf("%d bytes: hit %v, error %v, warnings %v", n, hit, err, warnings)
		}
		if again, _ := os.ReadFile(c.pathOf(digest)); !bytes.Equal(again, good) {
			t.Errorf("%d bytes: not repaired", n)
		}
	}
}

func TestUnwritableCacheIsAWarning(t *testing.T) {
	// A file where the folder should be stops every user, root too.
	for _, dir := range []string{write1(t, ""), filepath.Join(write1(t, ""), "below")} {
		var warnings []error
		c := Cache{Dir: dir, Warn: func(err error) { warnings = append(warnings, err) }}
		d, hit, err := c.Load(t.Context(), plain, reader(small), open1(t, write1(t, "x"), dir))
		if err != nil || hit || d.Digest == "" || d.Rows() != 2 {
			t.Errorf("%+v, %v, %v", d, hit, err)
		}
		if len(warnings) == 0 || !strings.Contains(warnings[len(warnings)-1].Error(), "could not be kept") {
			t.Errorf("warnings %v", warnings)
		}
		if _, _, err := (Cache{Dir: dir}).Load(t.Context(), plain, reader(small), open1(t, write1(t, "x"), "")); err != nil {
			t.Error(err)
		}
	}
}

func TestNoCache(t *testing.T) {
	src, path := reader(small), write1(t, "x")
	for range 2 {
		if d, hit := load(t, Cache{}, plain, src, open1(t, path, "")); hit || d.Digest == "" {
			t.Errorf("hit %v, digest %q", hit, d.Digest)
		}
	}
}

func TestDataWithoutFiles(t *testing.T) {
	src, c := reader(small), Cache{Dir: t.TempDir()}
	for i := range 2 {
		in, err := files.Open(nil, files.Folders{}, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, hit := load(t, c, plain, src, in); hit != (i == 1) {
			t.Errorf("load %d: hit %v", i, hit)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	src, c, path := reader(full), Cache{Dir: t.TempDir()}, write1(t, "x")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				d, _, err := c.Load(t.Context(), plain, src, open1(t, path, c.Dir))
				want := full()
				if err != nil {
					t.Error(err)
					return
				}
				digest.Identify(want)
				want.FindConstant()
				if !reflect.DeepEqual(d, want) {
					t.Error("data sets differ")
				}
			}
		})
	}
	wg.Wait()
	if kept, _ := os.ReadDir(filepath.Join(c.Dir, "datasets")); len(kept) != 1 {
		t.Errorf("kept %v", kept)
	}
}

// With Anew a stored data set is read again, and the next load has what was read.
func TestAnew(t *testing.T) {
	c, path := Cache{Dir: t.TempDir()}, write1(t, "x")
	load(t, c, plain, reader(full), open1(t, path, c.Dir))
	changed, want := reader(small), small()
	digest.Identify(want)
	if d, hit := load(t, c, plain, changed, open1(t, path, c.Dir)); !hit || d.Digest == want.Digest {
		t.Error("what is stored was not taken")
	}
	anew := c
	anew.Anew = true
	if d, hit := load(t, anew, plain, changed, open1(t, path, c.Dir)); hit || d.Digest != want.Digest {
		t.Error("what is stored was taken")
	}
	if d, hit := load(t, c, plain, changed, open1(t, path, c.Dir)); !hit || d.Digest != want.Digest {
		t.Error("what was read did not take the place of what was stored")
	}
}

// What killed processes left is looked for once by those that share a cache, however many data sets they store.
func TestSweptOnce(t *testing.T) {
	c := Cache{Dir: t.TempDir(), Swept: new(sync.Once)}
	load(t, c, plain, reader(full), open1(t, write1(t, "x"), c.Dir))
	left := filepath.Join(c.Dir, "datasets", ".tmp-left")
	old := time.Now().Add(-2 * time.Hour)
	if err := errors.Join(os.WriteFile(left, nil, 0o600), os.Chtimes(left, old, old)); err != nil {
		t.Fatal(err)
	}
	load(t, c, plain, reader(full), open1(t, write1(t, "y"), c.Dir))
	if _, err := os.Stat(left); err != nil {
		t.Errorf("the second data set looked again: %v", err)
	}
	c.Swept = nil
	load(t, c, plain, reader(full), open1(t, write1(t, "z"), c.Dir))
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another process left it: %v", err)
	}
}
