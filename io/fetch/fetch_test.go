package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// content is larger than what a server's buffers hold, so that a connection can be cut inside it.
var content = bytes.Repeat([]byte("0123456789abcdef"), 1<<15)

// site serves content as a server of files does, and can be told to misbehave.
type site struct {
	*httptest.Server
	body    []byte
	etag    string
	dated   time.Time
	cuts    int  // connections that are cut half way
	plain   bool // no ranges
	busy    int  // times that it answers 503
	mu      sync.Mutex
	ranges  []string // asked for
	encoded string   // Accept-Encoding of the last request
}

func newSite(t *testing.T) *site {
	s := &site{body: content, etag: `"v1"`, dated: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ranges, s.encoded = append(s.ranges, r.Header.Get("Range")), r.Header.Get("Accept-Encoding")
	switch {
	case strings.HasPrefix(r.URL.Path, "/moved/"):
		http.Redirect(w, r, "/"+strings.TrimPrefix(r.URL.Path, "/moved/"), http.StatusFound)
		return
	case r.URL.Path == "/circle":
		http.Redirect(w, r, "/circle", http.StatusFound)
		return
	case r.URL.Path != "/f":
		http.NotFound(w, r)
		return
	case s.busy > 0:
		s.busy--
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	if s.etag != "" {
		w.Header().Set("ETag", s.etag)
	}
	if s.plain {
		r.Header.Del("Range")
	}
	if s.cuts > 0 {
		s.cuts--
		w = &cutting{ResponseWriter: w, left: len(s.body) / 2}
	}
	http.ServeContent(w, r, "", s.dated, bytes.NewReader(s.body))
}

// cutting ends the connection after some bytes.
type cutting struct {
	http.ResponseWriter
	left int
}

func (c *cutting) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b[:min(len(b), c.left)])
	if c.left -= n; c.left == 0 {
		c.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, err
}

func fetcher() *Fetcher {
	f := New("test")
	f.pause = time.Millisecond
	return f
}

// digest checks for content by its checksum, as the command does.
func digest(want []byte) func(string) error {
	return func(path string) error {
		got, err := os.ReadFile(path)
		if err == nil && sha256.Sum256(got) != sha256.Sum256(want) {
			err = errors.New("wrong checksum")
		}
		return err
	}
}

// names in a folder, hidden ones included.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func get(t *testing.T, dir string, it Item) (string, error) {
	t.Helper()
	if it.Path == "" {
		it.Path = "f"
	}
	if it.Check == nil {
		it.Check, it.Exact = digest(content), true
	}
	return fetcher().Get(t.Context(), dir, it)
}

func TestGet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		site   func(*site)
		path   string // of the URL; /f
		ranges string
	}{
		"whole":                {ranges: `[""]`},
		"redirected":           {path: "/moved/f", ranges: `["" ""]`},
		"cut":                  {site: func(s *site) { s.cuts = 1 }, ranges: `["" "bytes=262144-"]`},
		"cut, redirected":      {site: func(s *site) { s.cuts = 1 }, path: "/moved/f", ranges: `["" "" "bytes=262144-" "bytes=262144-"]`},
		"cut, only a date":     {site: func(s *site) { s.cuts, s.etag = 1, "" }, ranges: `["" "bytes=262144-"]`},
		"cut, weak tag":        {site: func(s *site) { s.cuts, s.etag = 1, `W/"v1"` }, ranges: `["" "bytes=262144-"]`},
		"cut, without version": {site: func(s *site) { s.cuts, s.etag, s.dated = 1, "", time.Time{} }, ranges: `["" "bytes=262144-"]`},
		"cut, without ranges":  {site: func(s *site) { s.cuts, s.plain = 1, true }, ranges: `["" "bytes=262144-"]`},
		"busy":                 {site: func(s *site) { s.busy = tries - 1 }, ranges: `["" "" "" ""]`},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := newSite(t), t.TempDir()
			if c.site != nil {
				c.site(s)
			}
			if c.path == "" {
				c.path = "/f"
			}
			from, err := get(t, dir, Item{Path: "sub/f", Sources: []string{s.URL + c.path}})
			if err != nil || from != s.URL+c.path {
				t.Fatalf("%s, %v", from, err)
			}
			path := filepath.Join(dir, "sub", "f")
			got, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(got, content) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
			if info, _ := os.Stat(path); !s.dated.IsZero() && !info.ModTime().Equal(s.dated) {
				t.Errorf("dated %s", info.ModTime())
			}
			if left := names(t, filepath.Dir(path)); left != "f" {
				t.Errorf("left: %s", left)
			}
			if got := fmt.Sprintf("%q", s.ranges); got != c.ranges || s.encoded != "identity" {
				t.Errorf("ranges %s, want %s; encoding %q", got, c.ranges, s.encoded)
			}
		})
	}
}

func TestGetFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path, url string
		site      func(*site)
		want      string
		requests  int
	}{
		"not there":     {url: "/none", want: "the server answered 404 Not Found", requests: 1},
		"always busy":   {url: "/f", site: func(s *site) { s.busy = 99 }, want: "503 Service Unavailable, 4 times in a row", requests: tries},
		"in circles":    {url: "/circle", want: "more than 10 redirections", requests: 10},
		"other content": {url: "/f", site: func(s *site) { s.body = s.body[1:] }, want: "wrong checksum", requests: 1},
		"above":         {path: "../f", url: "/f", want: "leads outside"},
		"absolute":      {path: "/f", url: "/f", want: "leads outside"},
		"out of a":      {path: "a/../../f", url: "/f", want: "leads outside"},
		"hidden":        {path: "a/.git/f", url: "/f", want: "hidden"},
		"folder":        {path: ".", url: "/f", want: "hidden"},
		"link":          {path: "out/f", url: "/f", want: "escapes"},
	} {
		t.Run(name, func(t *testing.T) {
			s, outer := newSite(t), t.TempDir()
			dir := filepath.Join(outer, "data")
			if err := errors.Join(os.Mkdir(dir, 0o777), os.Symlink("..", filepath.Join(dir, "out"))); err != nil {
				t.Fatal(err)
			}
			if c.site != nil {
				c.site(s)
			}
			_, err := get(t, dir, Item{Path: c.path, Sources: []string{s.URL + c.url}})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			if rejected := errors.As(err, new(Rejected)); rejected != (name == "other content") {
				t.Errorf("rejected: %v", rejected)
			}
			if left := names(t, dir) + " " + names(t, outer); left != "out data" {
				t.Errorf("left: %s", left)
			}
			if len(s.ranges) != c.requests {
				t.Errorf("%d requests, want %d", len(s.ranges), c.requests)
			}
		})
	}
}

// begun is a folder in which a download of half the content from a site was cut for good.
func begun(t *testing.T, s *site) (dir string) {
	t.Helper()
	dir = t.TempDir()
	s.cuts = 1
	ctx, cancel := context.WithCancel(t.Context())
	f := fetcher()
	f.Warn = func(error) { cancel() } // when the first connection was cut
	_, err := f.Get(ctx, dir, Item{Path: "f", Sources: []string{s.URL + "/f"}, Check: digest(content), Exact: true})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	if left := names(t, dir); left != ".f.part .f.part.json" {
		t.Fatalf("left: %s", left)
	}
	s.ranges = nil
	return dir
}

func TestResumeByAnotherProcess(t *testing.T) {
	t.Parallel()
	other := bytes.ToUpper(content)
	half := fmt.Sprintf("bytes=%d-", len(content)/2)
	for name, c := range map[string]struct {
		before func(t *testing.T, s *site, dir string)
		want   []byte
		any    bool // the checksum is not known
		ranges []string
	}{
		"same": {want: content, ranges: []string{half}},
		"another version": {before: func(_ *testing.T, s *site, _ string) { s.body, s.etag = other, `"v2"` },
			want: other, any: true, ranges: []string{half}},
		"a shorter version": {before: func(_ *testing.T, s *site, _ string) { s.body = other[:9] },
			want: other[:9], ranges: []string{half, ""}},
		// Where the server's version is of no use the pieces do not fit together, which the checksum finds out.
		"another version, unnoticed": {before: func(_ *testing.T, s *site, _ string) { s.body = other }, want: other, ranges: []string{half, ""}},
		"origin lost": {before: func(t *testing.T, _ *site, dir string) {
			if err := os.WriteFile(filepath.Join(dir, ".f.part.json"), []byte("{"), 0o666); err != nil {
				t.Fatal(err)
			}
		}, want: content, ranges: []string{""}},
		"all had come": {before: func(t *testing.T, _ *site, dir string) {
			if err := os.WriteFile(filepath.Join(dir, ".f.part"), content, 0o666); err != nil {
				t.Fatal(err)
			}
		}, want: content, ranges: []string{fmt.Sprintf("bytes=%d-", len(content))}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			dir := begun(t, s)
			if c.before != nil {
				c.before(t, s, dir)
			}
			it := Item{Sources: []string{s.URL + "/f"}, Check: digest(c.want), Exact: true}
			if c.any {
				it.Check, it.Exact = func(string) error { return nil }, false
			}
			if _, err := get(t, dir, it); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(dir, "f")); err != nil || !bytes.Equal(got, c.want) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
			if got := fmt.Sprintf("%q", s.ranges); got != fmt.Sprintf("%q", c.ranges) {
				t.Errorf("ranges %s, want %q", got, c.ranges)
			}
			if left := names(t, dir); left != "f" {
				t.Errorf("left: %s", left)
			}
		})
	}
}

// TestNoVersionNoPieces: without a checksum and without a version nothing tells whether pieces belong together.
func TestNoVersionNoPieces(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.etag, s.dated = "", time.Time{}
	dir := begun(t, s)
	if _, err := get(t, dir, Item{Sources: []string{s.URL + "/f"}, Check: func(string) error { return nil }}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%q", s.ranges); got != `[""]` {
		t.Errorf("ranges %s", got)
	}
}

func TestSourcesInTurn(t *testing.T) {
	t.Parallel()
	s, mirror := newSite(t), t.TempDir()
	wrong, right := filepath.Join(mirror, "wrong"), filepath.Join(mirror, "right")
	if err := errors.Join(os.WriteFile(wrong, []byte("x"), 0o666), os.WriteFile(right, content, 0o666)); err != nil {
		t.Fatal(err)
	}
	lost := filepath.Join(mirror, "lost")
	for _, want := range []string{s.URL + "/f", right} {
		dir := t.TempDir()
		from, err := get(t, dir, Item{Sources: []string{lost, mirror, s.URL + "/none", wrong, want, s.URL + "/later"}})
		if err != nil || from != want || names(t, dir) != "f" {
			t.Errorf("%s, %v; left %s", from, err, names(t, dir))
		}
	}
	dir := t.TempDir()
	_, err := get(t, dir, Item{Sources: []string{lost, strings.Replace(s.URL, "://", "://user:secret@", 1) + "/none", wrong}})
	if err == nil || names(t, dir) != "" {
		t.Fatalf("%v; left %s", err, names(t, dir))
	}
	for _, want := range []string{lost + ": no such file", "user:xxxxx@", "404", wrong + ": wrong checksum"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}

// limited is a device with room for so many bytes.
type limited struct {
	io.Writer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	n, err := l.Writer.Write(b[:min(len(b), l.left)])
	if l.left -= n; err == nil && n < len(b) {
		err = errors.New("no space left on device")
	}
	return n, err
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	p, err := openPart(root, "f")
	if err != nil {
		t.Fatal(err)
	}
	p.out = &limited{p.file, 100_000}
	err = fetcher().download(t.Context(), p, s.URL+"/f", true)
	if !errors.As(err, new(unwritable)) || !strings.Contains(err.Error(), "no space left") || len(s.ranges) != 1 {
		t.Fatalf("%v after %d requests", err, len(s.ranges))
	}
	if err := p.close(); err != nil || names(t, dir) != ".f.part .f.part.json" {
		t.Fatalf("%v, left %s", err, names(t, dir))
	}
	if _, err := get(t, dir, Item{Sources: []string{s.URL + "/f"}}); err != nil || s.ranges[1] != "bytes=100000-" {
		t.Errorf("%v, ranges %q", err, s.ranges)
	}
}

func TestStall(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "9")
		io.WriteString(w, "some")
		w.(http.Flusher).Flush()
		<-done
	}))
	defer s.Close()
	defer close(done)
	f := fetcher()
	f.stall = time.Second
	_, err := f.Get(t.Context(), t.TempDir(), Item{Path: "f", Sources: []string{s.URL}, Check: digest(nil)})
	if err == nil || !strings.Contains(err.Error(), "nothing came for 1s") {
		t.Errorf("%v", err)
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := get(t, dir, Item{Sources: []string{s.URL + "/f"}})
	got, _ := os.ReadFile(filepath.Join(dir, "f"))
	if !errors.Is(err, fs.ErrExist) || string(got) != "mine" || len(s.ranges) != 0 {
		t.Errorf("%v, %q, %d requests", err, got, len(s.ranges))
	}
}

// TestTwoAtOnce: one downloads, the other is told so, and what the first wrote is whole.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no locks there")
	}
	s, dir := newSite(t), t.TempDir()
	_, err := get(t, dir, Item{Sources: []string{s.URL + "/f"}, Exact: true, Check: func(path string) error {
		if _, err := get(t, dir, Item{Sources: []string{s.URL + "/f"}}); err == nil || !strings.Contains(err.Error(), "another process") {
			t.Errorf("the second: %v", err)
		}
		return digest(content)(path)
	}})
	if err != nil || names(t, dir) != "f" {
		t.Errorf("%v, left %s", err, names(t, dir))
	}
}

func TestMirrored(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"/srv/data", "a/b.gz", filepath.FromSlash("/srv/data/a/b.gz")},
		{"https://m.example.org/data/", "a/b c%d.gz", "https://m.example.org/data/a/b%20c%25d.gz"},
		{"http://m.example.org", "a", "http://m.example.org/a"},
	} {
		if got, err := Mirrored(c[0], c[1]); err != nil || got != c[2] {
			t.Errorf("%s, %s: %s, %v", c[0], c[1], got, err)
		}
	}
}

func TestDowngrade(t *testing.T) {
	t.Parallel()
	open := newSite(t)
	s := httptest.NewTLSServer(http.RedirectHandler(open.URL+"/f", http.StatusFound))
	defer s.Close()
	f := fetcher()
	f.client.Transport = s.Client().Transport
	_, err := f.Get(t.Context(), t.TempDir(), Item{Path: "f", Sources: []string{s.URL}, Check: digest(content)})
	if !errors.Is(err, errDowngrade) || len(open.ranges) != 0 {
		t.Errorf("%v", err)
	}
}

// misled is a server that cuts every answer of status 200 after so many bytes but the last ones, and answers ranges by a function.
type misled struct {
	version, cuts int // the version that it has now; answers that it cuts
	body          func(version int) []byte
	ranged        func(m *misled, w http.ResponseWriter, from int)
	asked         int
}

func (m *misled) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.asked++
	from := 0
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil || m.cuts < 0 {
		m.ranged(m, w, from)
		return
	}
	body := m.body(m.version)
	w.Header().Set("ETag", fmt.Sprintf(`"v%d"`, m.version))
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	if m.cuts == 0 {
		_, _ = w.Write(body)
		return
	}
	m.cuts--
	_, _ = w.Write(body[:len(body)/2])
	panic(http.ErrAbortHandler)
}

// TestMisled: a server that disregards If-Range does not get two versions joined, and one that answers with other ranges than were
// asked for is not asked for ever.
func TestMisled(t *testing.T) {
	body := func(version int) []byte { return bytes.Repeat([]byte{'a' + byte(version)}, 1<<18+2*version) }
	part := func(etag string, total int) func(m *misled, w http.ResponseWriter, from int) {
		return func(m *misled, w http.ResponseWriter, from int) {
			m.version++
			now := body(m.version)
			if etag != "" {
				w.Header().Set("ETag", etag)
			}
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(now)-1, len(now)+total))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(now[min(from, len(now)):])
		}
	}
	wrong := func(m *misled, w http.ResponseWriter, from int) {
		w.Header().Set("ETag", `"v0"`)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from+1, 1<<18-1, 1<<18))
		w.WriteHeader(http.StatusPartialContent)
	}
	for name, c := range map[string]struct {
		site misled
		want string // of the error; "" for the content of the last version
	}{
		"another tag":                {misled{cuts: 1, ranged: part(`"v1"`, 0)}, ""},
		"no tag":                     {misled{cuts: 1, ranged: part("", 0)}, ""},
		"the same tag of another":    {misled{cuts: 1, ranged: part(`"v0"`, 0)}, ""},
		"always another":             {misled{cuts: 100, ranged: part(`"vx"`, 0)}, "the file there is another than before; it had to begin anew 4 times"},
		"always the wrong range":     {misled{cuts: 100, ranged: wrong}, "not that from byte 131072, 4 times in a row"},
		"a range without a wish":     {misled{cuts: -1, ranged: part(`"v0"`, 0)}, `not that from byte 0, 4 times in a row`},
		"cut in the same place":      {misled{cuts: 100, ranged: func(m *misled, w http.ResponseWriter, _ int) { w.WriteHeader(http.StatusServiceUnavailable) }}, "503 Service Unavailable, 4 times in a row"},
		"cut, and then all of it":    {misled{cuts: 1, ranged: func(m *misled, w http.ResponseWriter, _ int) { _, _ = w.Write(body(m.version)) }}, ""},
		"cut, and shorter all along": {misled{cuts: 1, ranged: part(`"v0"`, -100)}, ""},
	} {
		c.site.body = body
		s := httptest.NewServer(&c.site)
		dir := t.TempDir()
		_, err := fetcher().Get(t.Context(), dir, Item{Path: "f", Sources: []string{s.URL + "/f"}, Check: func(string) error { return nil }})
		s.Close()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if c.site.asked > 10 {
			t.Errorf("%s: asked %d times", name, c.site.asked)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "f")); c.want == "" && (err != nil || !bytes.Equal(got, body(c.site.version))) {
			t.Errorf("%s: %d bytes, %v: not those of one version", name, len(got), err)
		}
	}
}
