package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/io/host/hosttest"
)

// TestPack: archives have the binary, which may be executed, and what goes with it; twice the same bytes.
func TestPack(t *testing.T) {
	t.Parallel()
	at := time.Unix(1_800_000_000, 0).UTC()
	for _, p := range platforms {
		files := []file{{p.binary(), 0o755, []byte("binary")}, {"README.md", 0o644, []byte("words")}, {"man/tenfold.1", 0o644, []byte("page")}}
		one, err := pack(p, files, at)
		if err != nil {
			t.Fatal(err)
		}
		two, err := pack(p, files, at)
		if err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: %v, or other bytes", p, err)
		}
		found, err := contents(p, one)
		if err != nil {
			t.Fatal(err)
		}
		want := "tenfold/" + p.binary() + " -rwxr-xr-x 1800000000\ntenfold/README.md -rw-r--r-- 1800000000\ntenfold/man/tenfold.1 -rw-r--r-- 1800000000"
		if got := strings.Join(found, "\n"); got != want {
			t.Errorf("%s:\n%s", p, got)
		}
	}
}

// TestWheel: wheels have the program among their scripts, the modules, and a list of all files with their checksums, as pip checks it; twice
// the same bytes.
func TestWheel(t *testing.T) {
	t.Chdir("../..")
	at := time.Unix(1_800_000_000, 0).UTC()
	for _, p := range platforms {
		name, one, err := p.wheel("v1.2.0-rc.3", []byte("binary"), []byte("terms"), at)
		if err != nil {
			t.Fatal(err)
		}
		_, two, err := p.wheel("v1.2.0-rc.3", []byte("binary"), []byte("terms"), at)
		if err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: %v, or other bytes", p, err)
		}
		if want := "tenfold-1.2.0rc3-py3-none-" + strings.Join(wheelTags[p], ".") + ".whl"; name != want || len(wheelTags[p]) == 0 {
			t.Errorf("%s: %s", p, name)
		}
		z, err := zip.NewReader(bytes.NewReader(one), int64(len(one)))
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		files := map[string]string{}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			files[f.Name] = string(content)
			if sum := sha256.Sum256(content); !strings.HasSuffix(f.Name, "/RECORD") {
				lines = append(lines, fmt.Sprintf("%s,sha256=%s,%d", f.Name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content)))
			}
			if script := strings.Contains(f.Name, "/scripts/"); script != (f.Mode() == 0o755) {
				t.Errorf("%s: %s has the mode %v", p, f.Name, f.Mode())
			}
		}
		if got := files["tenfold-1.2.0rc3.dist-info/RECORD"]; got != strings.Join(lines, "\n")+"\ntenfold-1.2.0rc3.dist-info/RECORD,,\n" {
			t.Errorf("%s: RECORD\n%s", p, got)
		}
		if files["tenfold-1.2.0rc3.data/scripts/"+p.binary()] != "binary" || files["tenfold/py.typed"] != "" || files["tenfold_method.py"] == "" {
			t.Errorf("%s: files %v", p, slices.Sorted(maps.Keys(files)))
		}
	}
	for version, want := range map[string]string{"v0.9.0": "0.9.0", "v1.0.0-beta.2": "1.0.0b2", "v1.0.0-alpha.1": "1.0.0a1", "v1.0.0-next": ""} {
		if got, err := pythonVersion(version); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v", version, got, err)
		}
	}
}

// TestManual: every command has a page that groff takes without a complaint, and every shell its completions.
func TestManual(t *testing.T) {
	t.Parallel()
	files, err := manual("v0.9.0", time.Unix(1_800_000_000, 0).UTC())
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, f := range files {
		pages[f.name] = string(f.content)
	}
	for _, name := range []string{"man/tenfold.1", "man/tenfold-run.1", "man/tenfold-data-fetch.1", "completions/_tenfold", "completions/tenfold.bash", "completions/tenfold.fish", "completions/tenfold.ps1"} {
		if pages[name] == "" {
			t.Errorf("there is no %s", name)
		}
	}
	for _, want := range []string{".TH TENFOLD\\-RUN 1 2027-01-15 \"tenfold v0.9.0\" tenfold\n", "\\fB\\-\\-jobs\\fR \\fIint\\fR\n", ".BR tenfold (1)\n"} {
		if !strings.Contains(pages["man/tenfold-run.1"], want) {
			t.Errorf("the page of run lacks %q:\n%s", want, pages["man/tenfold-run.1"])
		}
	}
	groff := hosttest.Find(t, "groff, which renders manual pages", nil, "groff")
	for name, page := range pages {
		if !strings.HasPrefix(name, "man/") {
			continue
		}
		cmd := exec.CommandContext(t.Context(), groff, "-man", "-Tutf8", "-ww", "-z")
		cmd.Stdin = strings.NewReader(page)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestHomebrew: the formula names each archive with its checksum, or says which one is not there.
func TestHomebrew(t *testing.T) {
	t.Parallel()
	sums := map[string]string{}
	for _, p := range platforms {
		sums[p.archive("v0.9.0")] = "sum of " + p.String()
	}
	formula, err := homebrew("v0.9.0", "https://example.org/tenfold/", sums)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"version \"0.9.0\"", "url \"https://example.org/tenfold/tenfold_0.9.0_darwin_arm64.tar.gz\"\n      sha256 \"sum of darwin/arm64\""} {
		if !strings.Contains(string(formula), want) {
			t.Errorf("the formula lacks %s:\n%s", want, formula)
		}
	}
	delete(sums, "tenfold_0.9.0_linux_amd64.tar.gz")
	if _, err := homebrew("v0.9.0", "https://example.org", sums); err == nil || !strings.Contains(err.Error(), "the formula needs tenfold_0.9.0_linux_amd64.tar.gz, which -only leaves out") {
		t.Error(err)
	}
}

func contents(p platform, archive []byte) (files []string, err error) {
	say := func(name string, info os.FileInfo) {
		files = append(files, fmt.Sprintf("%s %s %d", name, info.Mode(), info.ModTime().Unix()))
	}
	if p.system == "windows" {
		z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			return nil, err
		}
		for _, f := range z.File {
			say(f.Name, f.FileInfo())
		}
		return files, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		say(h.Name, h.FileInfo())
	}
}

// TestThirdParty: the licences of all that is compiled in go with a binary, and of nothing else.
func TestThirdParty(t *testing.T) {
	t.Chdir("../..")
	text, err := thirdParty(platform{runtime.GOOS, runtime.GOARCH})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"==== Go: LICENSE\n\nCopyright", "==== gopkg.in/yaml.v3 v3.0.1: NOTICE\n", ": licenses/ftl.txt\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(string(text), "jsonschema") {
		t.Error("the licence of what only tests use is there")
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	if all, err := choose(""); err != nil || len(all) != 6 {
		t.Errorf("%v, %v", all, err)
	}
	if some, err := choose("linux/arm64,windows/amd64"); err != nil || fmt.Sprint(some) != "[linux/arm64 windows/amd64]" {
		t.Errorf("%v, %v", some, err)
	}
	if _, err := choose("plan9/386"); err == nil {
		t.Error("plan9/386 was chosen")
	}
	for version, good := range map[string]bool{"v0.9.0": true, "v1.0.0-rc.1": true, "0.9.0": false, "v1": false, "v1.0.0 -X": false} {
		if versions.MatchString(version) != good {
			t.Errorf("%s: %v", version, !good)
		}
	}
	if name := (platform{"windows", "arm64"}).archive("v0.9.0"); name != "tenfold_0.9.0_windows_arm64.zip" {
		t.Error(name)
	}
}

// The linker ignores a variable that is not there: the release would then call itself a development version.
func TestVersionVariable(t *testing.T) {
	path, name, _ := strings.Cut(strings.TrimPrefix(versionVariable, "tenfold/"), ".")
	sources, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(path), "*.go"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources in %s: %v", path, err)
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nvar "+name+" string\n") {
			return
		}
	}
	t.Errorf("no package-level string %s in %s", name, path)
}
