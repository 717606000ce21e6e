package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// rFiles are the files of the R package below adapters/r, and their names in it.
var rFiles = [][2]string{
	{"tenfold/DESCRIPTION", "DESCRIPTION"}, {"tenfold/NAMESPACE", "NAMESPACE"},
	{"tenfold/man/serve.Rd", "man/serve.Rd"}, {"tenfold/man/tf_results.Rd", "man/tf_results.Rd"},
	{"tenfold_method.R", "R/method.R"}, {"tenfold_results.R", "R/results.R"},
}

// attached is what a script says that the package's NAMESPACE imports.
const attached = "suppressPackageStartupMessages(library(Matrix))\n"

// rPackage returns the source package for R, and its name; "" for a version before a release, since R has only numbers.
func rPackage(version string, modified time.Time) (name string, content []byte, err error) {
	number := strings.TrimPrefix(version, "v")
	if strings.Contains(number, "-") {
		return "", nil, nil
	}
	var b bytes.Buffer
	t := newTar(&b, modified)
	for _, f := range rFiles {
		text, err := os.ReadFile(filepath.Join("adapters", "r", filepath.FromSlash(f[0])))
		if err != nil {
			return "", nil, err
		}
		plain := strings.Replace(strings.Replace(string(text), "VERSION", number, 1), attached, "", 1)
		if err := t.add(f[1], 0o644, []byte(plain)); err != nil {
			return "", nil, err
		}
	}
	err = t.Close()
	return fmt.Sprintf("tenfold_%s.tar.gz", number), b.Bytes(), err
}
