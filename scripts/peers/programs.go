package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
)

//go:embed programs
var programs embed.FS

// program is what a peer needs on the machine.
type program struct {
	name   string // as tables call it
	debian string // packages that have it

	find func() (command []string, version string, err error)
}

var (
	liblinear = program{name: "liblinear", debian: "liblinear-tools", find: findLiblinear}
	glmnet    = program{name: "glmnet", debian: "r-base-core r-cran-glmnet r-cran-matrix", find: findGlmnet}
	sklearn   = program{name: "scikit-learn", debian: "python3-sklearn python3-scipy", find: findSklearn}
)

func findLiblinear() ([]string, string, error) {
	path, err := exec.LookPath("liblinear-train")
	if err != nil {
		return nil, "", err
	}
	version := "of unknown version" // the program does not tell it
	if out, err := exec.Command("dpkg-query", "-W", "-f", "${Version}", "liblinear-tools").Output(); err == nil && path == "/usr/bin/liblinear-train" {
		version = string(out)
	}
	return []string{path}, version, nil
}

func findGlmnet() ([]string, string, error) {
	path, err := exec.LookPath("Rscript")
	if err != nil {
		return nil, "", err
	}
	out, err := exec.Command(path, "-e", `library(Matrix); cat(as.character(packageVersion("glmnet")), "of", R.version.string)`).Output()
	return []string{path}, string(out), err
}

// findSklearn takes the first Python of PATH, or else the system's, that has it.
func findSklearn() (command []string, version string, err error) {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		var out []byte
		out, err = exec.Command(python, "-c", "import sklearn, scipy, platform; print(sklearn.__version__, 'of Python', platform.python_version())").Output()
		if err == nil {
			return []string{python}, strings.TrimSpace(string(out)), nil
		}
	}
	return nil, "", err
}

// missing returns the sentence for a program that is not there.
func (p program) missing() string {
	return fmt.Sprintf("%s is not installed: apt-get install %s", p.name, p.debian)
}

// writePrograms puts the peers' scripts into a folder.
func writePrograms(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	all, err := fs.Sub(programs, "programs")
	if err != nil {
		return err
	}
	return os.CopyFS(dir, all)
}
