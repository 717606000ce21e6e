package cli_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"tenfold/runner/cli/app"
)

const rows = "a,y\n1,1\n2,2\n3,3\n4,5\n"

// depot is an experiment beside an empty data folder, and a server that has what it names.
type depot struct {
	tool
	dir, data string
	server    *httptest.Server
	asked     atomic.Int32
}

func newDepot(t *testing.T) *depot {
	d := &depot{tool: tool{t, t.TempDir()}, dir: t.TempDir()}
	d.data = filepath.Join(d.dir, "data")
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for _, name := range []string{"in/train.csv", "in/test.csv", "../../out.csv"} {
		if w, err := z.Create(name); err == nil {
			fmt.Fprint(w, rows)
		}
	}
	z.Close()
	d.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.asked.Add(1)
		switch r.URL.Path {
		case "/t.csv":
			fmt.Fprint(w, rows)
		case "/both.zip":
			w.Write(archive.Bytes())
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(d.server.Close)
	return d
}

// spec of an experiment on a table; files is its mapping of files, in which URL stands for the server.
func (d *depot) spec(name, files string) string {
	d.t.Helper()
	path := filepath.Join(d.dir, name+".yaml")
	text := "tenfold: 1\nname: " + name + "\ndatasets: [{name: t, format: csv, target: {column: \"y\"}, files: {" +
		strings.NewReplacer("URL", d.server.URL, "SUM", fmt.Sprintf("%x", sha256.Sum256([]byte(rows)))).Replace(files) + "}}]\n" +
		"algorithms: [{name: ols, engine: ols}]\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
	return path
}

// wants runs a command on data, in the data folder, and compares its exit code and what it says.
func (d *depot) wants(code int, args []string, parts ...string) {
	d.t.Helper()
	got, out, errs := d.run(append([]string{"data", args[0], "--data", d.data}, args[1:]...)...)
	if got != code {
		d.t.Errorf("%v: exit code %d, want %d\n%s%s", args, got, code, out, errs)
	}
	wants(d.t, strings.Join(strings.Fields(out+errs), " "), parts...)
}

func TestDataFetch(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	spec := d.spec("good", "all: {path: sub/t.csv, url: URL/t.csv, sha256: SUM, licence: CC BY 4.0}")
	again := d.spec("again", "all: sub/t.csv")
	code, _, errs := d.run("validate", spec, "--data", d.data)
	wants(t, errs, `no file "sub/t.csv": looked for `, "TENFOLD_DATA", "tenfold data fetch downloads it from "+d.server.URL)
	if code != app.ExitInvalid {
		t.Errorf("exit code %d", code)
	}
	d.wants(0, []string{"list", spec, again}, "sub/t.csv – missing CC BY 4.0 – "+d.server.URL+"/t.csv", "1 file: 0 here (0 B), 1 missing, of which tenfold data fetch can download 1")
	d.wants(app.ExitInvalid, []string{"verify", spec}, "missing sub/t.csv", "data files missing or wrong: 1 of 1")
	d.wants(app.ExitInvalid, []string{"fetch", spec}, "CC BY 4.0: sub/t.csv", "no terminal to ask at", "--yes")
	if d.asked.Load() != 0 {
		t.Error("downloaded without consent")
	}
	d.wants(0, []string{"fetch", spec, again, "--yes"}, filepath.Join(d.data, "sub", "t.csv")+" from "+d.server.URL+"/t.csv")
	d.wants(0, []string{"fetch", spec, again}, "nothing to fetch: 1 data file here")
	d.wants(0, []string{"verify", again}, "unchecked sub/t.csv", "it is sha256: ")
	d.wants(0, []string{"verify", again, spec}, "right sub/t.csv")
	d.wants(0, []string{"list", spec}, "sub/t.csv 20 B", "1 file: 1 here (20 B), 0 missing")
	at := filepath.Join(d.data, "sub", "t.csv")
	if err := os.Remove(at); err != nil {
		t.Fatal(err)
	}
	d.wants(0, []string{"fetch", spec}, "from") // the licence was accepted once
	if err := os.WriteFile(at, []byte("a,y\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d.wants(app.ExitInvalid, []string{"verify", spec}, "wrong sub/t.csv: the SHA-256 of the decoded bytes is ", "good.yaml: t)")
}

func TestDataFetchFails(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	for _, c := range []struct {
		name, files string
		code        int
		want        string
	}{
		{"wrong", "all: {path: w.csv, url: URL/t.csv, sha256: " + strings.Repeat("0", 64) + "}", app.ExitInvalid, "/t.csv: the SHA-256 of the decoded bytes is"},
		{"lost", "all: {path: l.csv, url: URL/none}", app.ExitTool, "404 Not Found"},
		{"above", "all: {path: ../t.csv, url: URL/t.csv}", app.ExitInvalid, "leads outside of the data folder"},
		{"absolute", "all: {path: " + filepath.ToSlash(filepath.Join(d.dir, "x.csv")) + ", url: URL/t.csv}", app.ExitInvalid, "leads outside of the data folder"},
		{"hidden", "all: {path: .hidden/t.csv, url: URL/t.csv}", app.ExitInvalid, "hidden file"},
		{"nowhere", "all: n.csv", app.ExitInvalid, "names no url for it, and no mirrors are set"},
		{"member", "all: {path: both.zip, url: URL/both.zip, member: in/none.csv}", app.ExitInvalid, `no member "in/none.csv"`},
		{"address", "all: {path: a.csv, url: 'file:///etc/passwd'}", app.ExitInvalid, "expected an address that begins with https:// or http://"},
		{"terms", `all: {path: a.csv, url: URL/t.csv, licence: "free\e[2K"}`, app.ExitInvalid, "expected one line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &depot{tool: tool{t, d.cache}, dir: d.dir, data: filepath.Join(t.TempDir(), "data"), server: d.server}
			d.wants(c.code, []string{"fetch", d.spec(c.name, c.files)}, c.want)
			if left, _ := filepath.Glob(filepath.Join(d.data, "*")); len(left) != 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
	if found, _ := filepath.Glob(filepath.Join(d.dir, "*.csv")); len(found) != 0 {
		t.Errorf("written outside: %v", found)
	}
}

// TestDataOfArchive: members of one archive are one download, and nothing is unpacked.
func TestDataOfArchive(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	spec := d.spec("members", "train: {path: both.zip, url: URL/both.zip, member: in/train.csv, sha256: SUM}, test: {path: both.zip, url: URL/both.zip, member: in/test.csv}")
	d.wants(0, []string{"fetch", spec}, "both.zip from "+d.server.URL, "no experiment names the checksum of both.zip:in/test.csv; it is sha256: ")
	if n := d.asked.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
	if left, _ := filepath.Glob(filepath.Join(d.data, "*")); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
	d.wants(0, []string{"verify", spec}, "right both.zip:in/train.csv", "unchecked both.zip:in/test.csv")
	out, _ := d.ok("data", "list", spec, "--data", d.data, "--format", "json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var got struct {
		Path, Member, At, Checksum string
		URLs                       []string
		UsedBy                     []string `json:"used_by"`
	}
	if err := json.Unmarshal([]byte(lines[1]), &got); err != nil || len(lines) != 2 || got.Member != "in/train.csv" ||
		got.At != filepath.Join(d.data, "both.zip") || len(got.URLs) != 1 || len(got.UsedBy) != 1 {
		t.Errorf("%v: %+v in %s", err, got, out)
	}
}

func TestDataMirrorsAndFolders(t *testing.T) {
	t.Setenv("TENFOLD_DATA", "") // the test is of a tool that knows of no data folder
	d := newDepot(t)
	mirror, to := t.TempDir(), filepath.Join(t.TempDir(), "to")
	if err := os.WriteFile(filepath.Join(mirror, "m.csv"), []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	spec := d.spec("mirrored", "all: {path: m.csv, url: URL/none, sha256: SUM}")
	code, out, errs := d.run("data", "fetch", spec)
	wants(t, errs, "no data folder to download into", "--to")
	if code != app.ExitInvalid {
		t.Errorf("exit code %d: %s", code, out)
	}
	d.wants(0, []string{"fetch", spec, "--to", to, "--mirrors", d.server.URL + "/x", "--mirrors", mirror},
		"m.csv from "+filepath.Join(mirror, "m.csv"), to+" is not a data folder")
	d.wants(0, []string{"fetch", spec, "--to", to}, "nothing to fetch")
	if n := d.asked.Load(); n != 1 {
		t.Errorf("%d requests, want one to the mirror that lacks it", n)
	}
	made, none := t.TempDir(), filepath.Join(t.TempDir(), "none") // a folder that is there goes before one that is not
	out, _ = d.ok("data", "fetch", d.spec("second", "all: {path: t.csv, url: URL/t.csv}"), "--data", none, "--data", made)
	wants(t, out, filepath.Join(made, "t.csv")+" from")
}

func TestDataOfTheWorkingFolder(t *testing.T) {
	d := newDepot(t)
	t.Chdir(d.dir)
	d.wants(app.ExitInvalid, []string{"list"}, "no experiment files in "+filepath.Join("experiments", "*.yaml"))
	d.wants(app.ExitInvalid, []string{"get"}, `unknown command "get" of tenfold data`)
	if err := os.Rename(d.spec("x", "all: x.yaml"), "x.yaml"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("experiments", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("x.yaml", filepath.Join("experiments", "x.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("experiments", "x.baseline.yaml"), []byte("cells: []\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d.wants(0, []string{"list"}, "x.yaml", "none", filepath.Join("experiments", "x.yaml"), "1 file: 1 here")
}
