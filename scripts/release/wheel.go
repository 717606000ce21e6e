package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// pythonModules are the files of the Python package, from adapters/python: what pip installs beside the program.
var pythonModules = []string{"tenfold/__init__.py", "tenfold/py.typed", "tenfold_method.py", "tenfold_mlflow.py", "tenfold_results.py"}

// wheelTags are the platforms of wheels (PEP 425, 600, 656). The binary is static, so one wheel is for any C library of Linux.
var wheelTags = map[platform][]string{
	{"linux", "amd64"}:   {"manylinux2014_x86_64", "musllinux_1_1_x86_64"},
	{"linux", "arm64"}:   {"manylinux2014_aarch64", "musllinux_1_1_aarch64"},
	{"darwin", "amd64"}:  {"macosx_12_0_x86_64"}, // the oldest that this Go runs on
	{"darwin", "arm64"}:  {"macosx_12_0_arm64"},
	{"windows", "amd64"}: {"win_amd64"},
	{"windows", "arm64"}: {"win_arm64"},
}

var preRelease = regexp.MustCompile(`^(\d+\.\d+\.\d+)-(alpha|beta|rc)\.(\d+)$`)

// pythonVersion returns a version as Python writes it (PEP 440): 1.0.0rc1 for v1.0.0-rc.1.
func pythonVersion(version string) (string, error) {
	version = strings.TrimPrefix(version, "v")
	if !strings.Contains(version, "-") {
		return version, nil
	}
	m := preRelease.FindStringSubmatch(version)
	if m == nil {
		return "", fmt.Errorf("%s: Python has no such version; expected -alpha.N, -beta.N or -rc.N after the numbers", version)
	}
	return m[1] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[m[2]] + m[3], nil
}

// wheel returns the wheel of a platform, which has the binary among its scripts and the modules beside it, and its name. licences are
// those of what the binary is built from.
func (p platform) wheel(version string, binary, licences []byte, modified time.Time) (name string, content []byte, err error) {
	number, err := pythonVersion(version)
	if err != nil {
		return "", nil, err
	}
	tags := wheelTags[p]
	info := fmt.Sprintf("tenfold-%s.dist-info/", number)
	var files []file
	for _, module := range pythonModules {
		text, err := os.ReadFile(filepath.Join("adapters", "python", filepath.FromSlash(module)))
		if err != nil {
			return "", nil, err
		}
		files = append(files, file{module, 0o644, text})
	}
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return "", nil, err
	}
	about := fmt.Sprintf("Metadata-Version: 2.1\nName: tenfold\nVersion: %s\nSummary: Declarative experiments in feature selection\nLicense: Apache-2.0\n"+
		"Requires-Python: >=3.10\nProvides-Extra: methods\nRequires-Dist: numpy; extra == \"methods\"\nRequires-Dist: scipy; extra == \"methods\"\n"+
		"Description-Content-Type: text/markdown\n\n%s", number, aboutPython)
	kind := "Wheel-Version: 1.0\nGenerator: tenfold scripts/release\nRoot-Is-Purelib: false\n"
	for _, tag := range tags {
		kind += "Tag: py3-none-" + tag + "\n"
	}
	files = append(files, file{fmt.Sprintf("tenfold-%s.data/scripts/%s", number, p.binary()), 0o755, binary},
		file{info + "METADATA", 0o644, []byte(about)}, file{info + "WHEEL", 0o644, []byte(kind)},
		file{info + "licenses/LICENSE", 0o644, licence}, file{info + "licenses/" + thirdPartyFile, 0o644, licences})
	var record strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.content))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range append(files, file{info + "RECORD", 0o644, []byte(record.String())}) {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: modified}
		h.SetMode(f.mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(f.content)
		}
		if err != nil {
			return "", nil, err
		}
	}
	err = z.Close()
	return fmt.Sprintf("tenfold-%s-py3-none-%s.whl", number, strings.Join(tags, ".")), b.Bytes(), err
}

// aboutPython is the description of the Python package.
const aboutPython = "# tenfold\n\n" +
	"Compares feature selectors: one YAML file describes data sets, algorithms with their grids, and folds; `tenfold run FILE` fits every cell on\n" +
	"every fold, tests the differences, and writes tables, figures and Parquet files. This package has the program, and\n\n" +
	"```python\n" +
	"import tenfold\n" +
	"run = tenfold.run(\"experiment.yaml\")\n" +
	"run.summary()    # a frame of pandas, polars or DuckDB\n" +
	"```\n\n" +
	"`tenfold demo` in a shell tries it. Methods in Python need NumPy and SciPy: `pip install tenfold[methods]`.\n"
