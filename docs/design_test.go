package docs_test

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// quotedFile matches a Go file in the text of a page.
var quotedFile = regexp.MustCompile("`([a-z0-9_/]+\\.go)`")

// TestDesignNamesWhatThereIs: docs/design.md names every package but those for tests, and no file that is not there.
func TestDesignNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	_, files := sources(t, "engines", "io", "runner", "reports")
	missing, packages := map[string]bool{}, map[string]bool{}
	for _, m := range quotedFile.FindAllStringSubmatch(string(text), -1) {
		missing[m[1]] = m[1] != "main.go"
	}
	for file := range files {
		packages[path.Dir(file)] = true
		for name := range missing {
			if strings.HasSuffix("/"+file, "/"+name) {
				missing[name] = false
			}
		}
	}
	for name, is := range missing {
		if is {
			t.Errorf("%s: there is no such file", name)
		}
	}
	for folder := range packages {
		if name := path.Base(folder); !strings.HasSuffix(name, "test") && !strings.Contains(folder, "/enginetest/") && !strings.Contains(string(text), "`"+name+"`") && !strings.Contains(string(text), "/"+name+"`") {
			t.Errorf("%s: the page does not name this package", folder)
		}
	}
}
