package experiment_test

import (
	"slices"
	"testing"

	"tenfold/runner/experiment"
)

// TestReference: every key of the file is listed once, and says what it means.
func TestReference(t *testing.T) {
	t.Parallel()
	sections := experiment.Reference(programs(t))
	var names []string
	for _, s := range sections {
		for _, k := range s.Keys {
			if want := map[string]string{"multiclass": "word", "folds": "word or mapping", "gate": "list", "params": "mapping", "family": "text or mapping"}[k.Name]; want != "" && k.Type != want {
				t.Errorf("%s: %s is a %s, want %s", s.Name, k.Name, k.Type, want)
			}
		}
		names = append(names, s.Name)
		seen := map[string]bool{}
		for _, k := range s.Keys {
			if k.Doc == "" || k.Type == "" {
				t.Errorf("%s: %s has the documentation %q, the type %q", s.Name, k.Name, k.Doc, k.Type)
			}
			if seen[k.Name] {
				t.Errorf("%s: %s stands twice", s.Name, k.Name)
			}
			seen[k.Name] = true
		}
	}
	for _, want := range []string{"", "datasets", "folds", "algorithms", "report.tables", "report.figures", "published", "gate"} {
		if !slices.Contains(names, want) {
			t.Errorf("no section %q among %q", want, names)
		}
	}
}
