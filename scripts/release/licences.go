package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// thirdPartyFile has the licences of what the binary is built from besides the project itself, which ask to go with it.
const thirdPartyFile = "THIRD_PARTY_LICENSES.txt"

// thirdParty returns the text of these licences for a platform's binary: Go's own, and those of each module that is compiled in.
func thirdParty(p platform) ([]byte, error) {
	list := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{"\t"}}{{.Dir}}{{end}}{{end}}`, ".")
	list.Env, list.Stderr = p.environment(), os.Stderr
	listed, err := list.Output()
	if err != nil {
		return nil, err
	}
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules := strings.Split(strings.TrimSpace(string(listed)), "\n")
	slices.Sort(modules)
	var b bytes.Buffer
	for _, m := range append([]string{"Go\t" + root}, slices.Compact(modules)...) {
		name, dir, _ := strings.Cut(m, "\t")
		files, err := licences(dir)
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s has no file of a licence", name)
		}
		for _, f := range files {
			text, err := os.ReadFile(filepath.Join(dir, f))
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "==== %s: %s\n\n%s\n\n", name, filepath.ToSlash(f), bytes.TrimSpace(text))
		}
	}
	return b.Bytes(), nil
}

var licenceNames = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)([.-]|$)`)

// licences returns a module's files of licences, and those of its folder licenses, in bytewise order.
func licences(dir string) ([]string, error) {
	var found []string
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() && licenceNames.MatchString(e.Name()) {
			found = append(found, e.Name())
		}
	}
	if err != nil {
		return nil, err
	}
	more, err := fs.Glob(os.DirFS(dir), "licenses/*")
	return append(found, more...), err
}
