package docs_test

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestDependencies: docs/dependencies.md names each module that is compiled in, with a licence, and no other.
func TestDependencies(t *testing.T) {
	t.Parallel()
	list, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	compiled := strings.Fields(string(list))
	slices.Sort(compiled)
	compiled = slices.Compact(compiled)
	page, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, row := range regexp.MustCompile(`(?m)^\| (\S+\.\S+/\S+) \| (.+?) \| (.+) \|$`).FindAllStringSubmatch(string(page), -1) {
		if runtime.GOOS == "windows" || !strings.HasSuffix(row[3], ", on Windows") {
			named = append(named, row[1])
		}
	}
	slices.Sort(named)
	for _, m := range compiled {
		if !slices.Contains(named, m) {
			t.Errorf("%s is compiled in, and not in docs/dependencies.md", m)
		}
	}
	for _, m := range named {
		if !slices.Contains(compiled, m) {
			t.Errorf("docs/dependencies.md names %s, which is not compiled in", m)
		}
	}
}
