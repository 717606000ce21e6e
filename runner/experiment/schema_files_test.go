package experiment_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/runner/experiment"
)

// TestSchemaAccepts validates every experiment of the repository and every complete file of the documentation.
func TestSchemaAccepts(t *testing.T) {
	t.Parallel()
	experiments, err := filepath.Glob("../../experiments/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	schemas := experiment.Compiled(t, programs(t))
	found := 0
	for _, path := range append(experiments, pages(t)...) {
		if strings.HasSuffix(path, ".baseline.yaml") {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := [][]byte{content}
		if filepath.Ext(path) == ".md" {
			files = documented(content)
		}
		for _, file := range files {
			found++
			if err := schemas.Refusal(t, file); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if found < 40 {
		t.Errorf("found %d files, expected those of experiments/ and of docs/", found)
	}
}
