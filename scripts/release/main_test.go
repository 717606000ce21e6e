package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestPack: archives have the binary, which may be executed, and what goes with it; twice the same bytes.
func TestPack(t *testing.T) {
	t.Chdir("../..")
	for _, name := range beside {
		if _, err := os.Stat(name); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Unix(1_800_000_000, 0).UTC()
	for _, p := range platforms {
		one, err := pack(p, []byte("binary"), []byte("licences"), at)
		if err != nil {
			t.Fatal(err)
		}
		two, err := pack(p, []byte("binary"), []byte("licences"), at)
		if err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: %v, or other bytes", p, err)
		}
		files, err := contents(p, one)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"tenfold/" + p.binary() + " -rwxr-xr-x 1800000000"}
		for _, name := range beside {
			want = append(want, "tenfold/"+name+" -rw-r--r-- 1800000000")
		}
		want = append(want, "tenfold/"+thirdPartyFile+" -rw-r--r-- 1800000000")
		if got := strings.Join(files, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("%s:\n%s", p, got)
		}
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
