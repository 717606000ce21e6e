package main

import (
	"os/exec"
	"strings"
	"testing"
)

// mayImport lists, for each part of the project, the parts that it may use. Nothing points back.
var mayImport = map[string][]string{
	"main":    {"engines", "io", "runner", "reports"},
	"reports": {"io", "engines"},
	"runner":  {"io", "engines"},
	"io":      {"engines"},
	"engines": {},
}

// engineModules lists what engines may use besides the project: they compute, and nothing else.
var engineModules = []string{"gonum.org/v1/gonum/"}

func part(path string) string {
	if path == "tenfold" {
		return "main"
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "tenfold/"), "/")
	return first
}

func TestArrowsPointOneWay(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		from := part(words[0])
		for _, to := range words[1:] {
			if bad := forbidden(from, to); bad != "" {
				t.Errorf("%s imports %s: %s", words[0], to, bad)
			}
		}
	}
}

func forbidden(from, to string) string {
	if to == "tenfold" || strings.HasPrefix(to, "tenfold/") {
		p := part(to)
		if p == from {
			return ""
		}
		for _, ok := range mayImport[from] {
			if ok == p {
				return ""
			}
		}
		return "this arrow points the wrong way"
	}
	if from != "engines" || !strings.Contains(strings.SplitN(to, "/", 2)[0], ".") {
		return ""
	}
	for _, ok := range engineModules {
		if strings.HasPrefix(to, ok) {
			return ""
		}
	}
	return "engines use the standard library and gonum only"
}

func TestForbiddenFinds(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"engines", "tenfold/io/source"}, {"reports", "tenfold/runner"}, {"io", "tenfold/runner/spec"}, {"engines", "gopkg.in/yaml.v3"}} {
		if forbidden(c[0], c[1]) == "" {
			t.Errorf("%s importing %s passes", c[0], c[1])
		}
	}
	if forbidden("runner", "tenfold/io/results") != "" || forbidden("engines", "math") != "" {
		t.Error("a good import is refused")
	}
}
