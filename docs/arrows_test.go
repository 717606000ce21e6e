package docs_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport lists, for each part of the project, the parts that it may use. Nothing points back.
var mayImport = map[string][]string{
	"main":        {"engines", "io", "runner", "cli"},
	"cli":         {"engines", "io", "runner", "reports", "adapters", "experiments"}, // runner/cli and the packages in it
	"reports":     {"io", "engines"},
	"runner":      {"io", "engines", "adapters"},
	"io":          {"engines"},
	"engines":     {},
	"adapters":    {}, // programs in other languages, as texts
	"experiments": {}, // experiment files, as texts
	"scripts":     {"io", "engines", "runner", "cli"},
}

func part(path string) string {
	switch {
	case path == "tenfold":
		return "main"
	case path == "tenfold/runner/cli", strings.HasPrefix(path, "tenfold/runner/cli/"):
		return "cli"
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "tenfold/"), "/")
	return first
}

// importsOf returns what each package of the project imports.
func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) > 0 {
			imports[words[0]] = words[1:]
		}
	}
	return imports
}

func TestArrowsPointOneWay(t *testing.T) {
	t.Parallel()
	for from, all := range importsOf(t) {
		for _, to := range all {
			if part(from) == "engines" && family(to) > family(from) {
				t.Errorf("%s imports %s: of engines, a package imports those of its own layer and of lower ones", from, to)
			}
			if bad := forbidden(part(from), to); bad != "" {
				t.Errorf("%s imports %s: %s", from, to, bad)
			}
		}
	}
}

// TestExperimentRunsNothing: what reads an experiment file reaches no package that fits units, starts programs, or stores outcomes.
func TestExperimentRunsNothing(t *testing.T) {
	t.Parallel()
	imports, reached := importsOf(t), map[string]bool{}
	var reach func(name string)
	reach = func(name string) {
		if !reached[name] {
			reached[name] = true
			for _, next := range imports[name] {
				reach(next)
			}
		}
	}
	reach("tenfold/runner/experiment")
	if !reached["tenfold/runner/experiment/algorithm"] {
		t.Error("imports are not followed")
	}
	for _, name := range []string{"runner", "runner/plan", "runner/execute", "runner/method", "runner/method/process", "io/journal", "io/status"} {
		if imports["tenfold/"+name] == nil {
			t.Errorf("there is no package %s", name)
		}
		if reached["tenfold/"+name] {
			t.Errorf("runner/experiment reaches %s, which runs something", name)
		}
	}
}

func forbidden(from, to string) string {
	if to == "tenfold" || strings.HasPrefix(to, "tenfold/") {
		p := part(to)
		if p == from {
			return ""
		}
		switch {
		case !slices.Contains(mayImport[from], p):
			return "this arrow points the wrong way"
		case from != "main" && from != "scripts" && family(to) > contract:
			return "only main knows engines, and what wraps them; others have the lists that they are given"
		}
		return ""
	}
	switch {
	case from == "engines" && strings.Contains(strings.SplitN(to, "/", 2)[0], ".") && to != "golang.org/x/sys/cpu":
		return "engines use the standard library only, and x/sys/cpu for what a processor has"
	case from != "reports" && strings.HasPrefix(to, "gonum.org/"):
		return "its assembly takes fused products: results would depend on the processor"
	}
	return ""
}

func TestForbiddenFinds(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"engines", "tenfold/io/source"}, {"reports", "tenfold/runner/execute"}, {"runner", "tenfold/engines/penalized/lasso"}, {"runner", "tenfold/engines/all"}, {"io", "tenfold/runner/experiment"}, {"engines", "gopkg.in/yaml.v3"}} {
		if forbidden(c[0], c[1]) == "" {
			t.Errorf("%s importing %s passes", c[0], c[1])
		}
	}
	if forbidden("runner", "tenfold/io/results") != "" || forbidden("engines", "math") != "" {
		t.Error("a good import is refused")
	}
}

// layers are the parts of engines from the lowest: a package imports its own part and those above it in this list.
var layers = [][]string{
	{"numeric"},
	{"suggest", "data"}, {"param"}, {"registry", "prepare"},
	{"", "decision", "decided"}, // the contract, and what the runner itself puts around models
	{"baselines/constant"}, {"model"},
	{"penalized/convex", "penalized/inner", "penalized/targets"}, {"losses"},
	{"ridge", "trees", "steps", "entropy", "shared"},
	{"penalized", "kernels"},
	{"baselines"}, {"filters"}, {"coding"}, {"wrappers"},
	{"all"},
	{"enginetest"},
}

// contract is the layer of package engines itself.
const contract = 4

// family returns the layer of a package of engines, and −1 for packages of other parts. Of two names in layers the longer one counts.
func family(path string) int {
	layer, longest := -1, -1
	for i, names := range layers {
		for _, name := range names {
			whole := strings.TrimSuffix("tenfold/engines/"+name, "/")
			if (path == whole || name != "" && strings.HasPrefix(path, whole+"/")) && len(name) > longest {
				layer, longest = i, len(name)
			}
		}
	}
	return layer
}
