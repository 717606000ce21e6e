// Command release builds the archives of a release: static binaries for Linux, macOS and Windows on amd64 and arm64, each also as a
// Python wheel, and a source package for R, with their checksums. From the root of the repository:
//
//	go run ./scripts/release v0.9.0
//
// With -address, where the archives will stand, there is a formula for Homebrew, too.
//
// The same commit and the same Go make the same bytes, wherever it is run: paths are trimmed, the version is told to the
// linker, and all times in the archives are that of the commit. Whoever doubts an archive builds it again and compares.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// platforms that are built for.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}

// beside are the files that go with the binary, from the sources: what the tutorial and the README's links to documents need.
var beside = []string{"README.md", "LICENSE", "CHANGELOG.md", "docs/*.md", "docs/*/*.md", "docs/images/*.png",
	"experiments/quickstart.yaml", "experiments/churn.yaml", "experiments/data/churn.csv",
	"adapters/python/tenfold_results.py", "adapters/python/tenfold_mlflow.py", "adapters/r/tenfold_results.R"}

// largeTable is the tutorial's table with five times the rows, which is drawn anew for each release.
const largeTable = "experiments/data/large.csv"

// file of an archive.
type file struct {
	name    string
	mode    os.FileMode
	content []byte
}

type platform struct{ system, machine string }

func (p platform) String() string { return p.system + "/" + p.machine }

// binary returns the name of the program on the platform.
func (p platform) binary() string {
	if p.system == "windows" {
		return "tenfold.exe"
	}
	return "tenfold"
}

// archive returns the name of the archive of a version.
func (p platform) archive(version string) string {
	name := fmt.Sprintf("tenfold_%s_%s_%s", strings.TrimPrefix(version, "v"), p.system, p.machine)
	if p.system == "windows" {
		return name + ".zip"
	}
	return name + ".tar.gz"
}

var versions = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)

func main() {
	out := flag.String("out", "dist", "folder of the archives")
	only := flag.String("only", "", "platforms, by commas, such as linux/arm64; default all")
	dirty := flag.Bool("dirty", false, "build although there are changes that are not committed")
	address := flag.String("address", "", "where the archives will stand, a URL without the file's name: writes a Homebrew formula")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/release [flags] VERSION")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || !versions.MatchString(flag.Arg(0)) {
		fmt.Fprintln(os.Stderr, "release: one version is needed, such as v0.9.0 or v1.0.0-rc.1")
		os.Exit(2)
	}
	if err := release(flag.Arg(0), *out, *only, *address, *dirty); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func release(version, out, only, address string, dirty bool) error {
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	modified, err := commit(dirty)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	manual, err := manual(version, modified)
	if err != nil {
		return err
	}
	sources, err := sources()
	if err != nil {
		return err
	}
	sums := map[string]string{}
	var names []string
	put := func(name string, content []byte) error {
		names = append(names, name)
		sums[name] = fmt.Sprintf("%x", sha256.Sum256(content))
		return os.WriteFile(filepath.Join(out, name), content, 0o666)
	}
	for _, p := range chosen {
		fmt.Println("building", p)
		binary, err := build(version, p, dirty)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		licences, err := thirdParty(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		built := []file{{p.binary(), 0o755, binary}, {thirdPartyFile, 0o644, licences}}
		archive, err := pack(p, slices.Concat(built, sources, manual), modified)
		if err == nil {
			err = put(p.archive(version), archive)
		}
		if err != nil {
			return err
		}
		name, wheel, err := p.wheel(version, binary, licences, modified)
		if err == nil {
			err = put(name, wheel)
		}
		if err != nil {
			return err
		}
	}
	name, rSource, err := rPackage(version, modified)
	if err == nil && name != "" {
		err = put(name, rSource)
	}
	if err != nil {
		return err
	}
	if address != "" {
		formula, err := homebrew(version, address, sums)
		if err == nil {
			err = put("tenfold.rb", formula)
		}
		if err != nil {
			return err
		}
	}
	var list bytes.Buffer
	for _, name := range names {
		fmt.Fprintf(&list, "%s  %s\n", sums[name], name)
	}
	fmt.Print(list.String())
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), list.Bytes(), 0o666)
}

// sources returns the files that go with the binary as they stand here, and the large table.
func sources() ([]file, error) {
	var files []file
	for _, pattern := range beside {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("%s: no such file, %v", pattern, err)
		}
		for _, name := range names {
			content, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			files = append(files, file{filepath.ToSlash(name), 0o644, content})
		}
	}
	large, err := exec.Command("go", "run", "./experiments/data/churn", "-rows", "24000").Output()
	return append(files, file{largeTable, 0o644, large}), err
}

func choose(only string) ([]platform, error) {
	if only == "" {
		return platforms, nil
	}
	var chosen []platform
	for _, name := range strings.Split(only, ",") {
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("-only %s: expected some of %v", name, platforms)
		}
		chosen = append(chosen, platforms[i])
	}
	return chosen, nil
}

// commit returns the time of the present commit. Changes that are not committed are an error, unless they are wanted.
func commit(dirty bool) (time.Time, error) {
	changes, err := output("git", "status", "--porcelain")
	if err != nil {
		return time.Time{}, err
	}
	if changes != "" && !dirty {
		return time.Time{}, errors.New("there are changes that are not committed; -dirty builds all the same")
	}
	seconds, err := output("git", "log", "-1", "--format=%ct")
	if err != nil {
		return time.Time{}, err
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	return time.Unix(n, 0).UTC(), err
}

func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	b, err := cmd.Output()
	return strings.TrimSpace(string(b)), err
}

// environment returns the variables with which a platform's binary is built.
func (p platform) environment() []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.system, "GOARCH="+p.machine, "GOFLAGS=-mod=readonly", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
}

// versionVariable is the string that the linker sets to the version of the release.
const versionVariable = "tenfold/runner/execute.release"

// build returns a static binary. Go leaves the commit out without a word where it cannot tell, as in a linked work tree.
func build(version string, p platform, dirty bool) ([]byte, error) {
	dir, err := os.MkdirTemp("", "tenfold-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	to := filepath.Join(dir, p.binary())
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=true",
		"-ldflags", "-s -w -buildid= -X "+versionVariable+"="+version, "-o", to, ".")
	cmd.Env = p.environment()
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(to)
	if err != nil {
		return nil, err
	}
	if !dirty && !slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" }) {
		return nil, errors.New("the binary does not know its commit: release from a clone, or -dirty builds all the same")
	}
	return os.ReadFile(to)
}

// packer is an archive that files are added to.
type packer interface {
	add(name string, mode os.FileMode, content []byte) error
	Close() error
}

// pack packs the files of a platform's archive.
func pack(p platform, files []file, modified time.Time) ([]byte, error) {
	var b bytes.Buffer
	var a packer = newTar(&b, modified)
	if p.system == "windows" {
		a = &zipped{zip.NewWriter(&b), modified}
	}
	for _, f := range files {
		if err := a.add(f.name, f.mode, f.content); err != nil {
			return nil, err
		}
	}
	err := a.Close()
	return b.Bytes(), err
}

type tarred struct {
	*tar.Writer
	gzip     *gzip.Writer
	modified time.Time
}

func newTar(w io.Writer, modified time.Time) *tarred {
	z := gzip.NewWriter(w)
	return &tarred{tar.NewWriter(z), z, modified}
}

func (t *tarred) add(name string, mode os.FileMode, content []byte) error {
	err := t.WriteHeader(&tar.Header{Name: "tenfold/" + name, Mode: int64(mode), Size: int64(len(content)), ModTime: t.modified, Format: tar.FormatUSTAR})
	if err == nil {
		_, err = t.Write(content)
	}
	return err
}

func (t *tarred) Close() error { return errors.Join(t.Writer.Close(), t.gzip.Close()) }

type zipped struct {
	*zip.Writer
	modified time.Time
}

func (z *zipped) add(name string, mode os.FileMode, content []byte) error {
	h := &zip.FileHeader{Name: "tenfold/" + name, Method: zip.Deflate, Modified: z.modified}
	h.SetMode(mode)
	w, err := z.CreateHeader(h)
	if err == nil {
		_, err = w.Write(content)
	}
	return err
}
