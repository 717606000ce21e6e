package docs_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// Where the defaults of engines are measured, and where the table of them stands.
const (
	defaultsFile     = "experiments/defaults.yaml"
	defaultsBaseline = "experiments/defaults.baseline.yaml"
	enginesPage      = "docs/engines/README.md"
	tableOfDefaults  = "<!-- defaults of experiments/defaults.baseline.yaml -->"
)

// slackOfDefaults is how much larger than the tuned engine's the loss of a default may be; it is never larger than the null model's.
const slackOfDefaults = 1.25

// measured is the means of a baseline by data set, algorithm and metric.
type measured map[string]map[string]struct {
	Metrics map[string]struct{ Mean float64 }
}

// lossMetrics are those of which the first that a model has is its loss.
var lossMetrics = []string{"log_loss", "test_mse", "integrated_brier", "error"}

// nullModels predict without columns.
var nullModels = []string{"majority", "mean", "no columns"}

// loss returns the loss of an algorithm as a share of the null model's in the same metric.
func (m measured) loss(dataset, algorithm string) (share float64, metric string) {
	for _, metric := range lossMetrics {
		if loss, ok := m[dataset][algorithm].Metrics[metric]; ok {
			for _, name := range nullModels {
				if null, ok := m[dataset][name].Metrics[metric]; ok {
					return loss.Mean / null.Mean, metric
				}
			}
		}
	}
	return 0, ""
}

// isProbabilistic reports whether an algorithm has a finite log-loss on some data set: where it then has none, it is infinite.
func (m measured) isProbabilistic(algorithm string) bool {
	for _, algorithms := range m {
		if _, ok := algorithms[algorithm].Metrics["log_loss"]; ok {
			return true
		}
	}
	return false
}

// defaultsTable returns the table in Markdown, and the engines whose defaults break the rule.
func defaultsTable(t *testing.T) (table string, weak []string) {
	var file struct {
		Datasets, Algorithms []struct{ Name, Engine string }
	}
	var baseline struct{ Results measured }
	for name, into := range map[string]any{defaultsFile: &file, defaultsBaseline: &baseline} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	b.WriteString("| engine |")
	for _, d := range file.Datasets {
		fmt.Fprintf(&b, " %s |", d.Name)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(file.Datasets)) + "\n")
	for _, a := range file.Algorithms {
		if a.Name != a.Engine || slices.Contains(nullModels, a.Name) {
			continue
		}
		var peer string
		for _, other := range file.Algorithms {
			if strings.HasPrefix(other.Name, a.Name+" (") {
				peer = other.Name
			}
		}
		fmt.Fprintf(&b, "| `%s` |", a.Name)
		for _, d := range file.Datasets {
			share, metric := baseline.Results.loss(d.Name, a.Name)
			if metric == "" {
				b.WriteString(" |")
				continue
			}
			tuned, hasTuned := baseline.Results.loss(d.Name, a.Name+" tuned")
			if metric == "error" && baseline.Results.isProbabilistic(a.Name) {
				share = math.Inf(1)
			}
			cell := fmt.Sprintf("%.2f", share)
			if share > 1 && !alike(share, 1) || hasTuned != "" && share > slackOfDefaults*tuned {
				cell = "**" + cell + "**"
				if !slices.Contains(weak, a.Name) {
					weak = append(weak, a.Name)
				}
			}
			if hasTuned != "" {
				cell += fmt.Sprintf(" %.2f", tuned)
			}
			if loss, has := baseline.Results.loss(d.Name, peer); has != "" {
				cell += fmt.Sprintf(" *%.2f*", loss)
			}
			if metric == "error" && !math.IsInf(share, 1) {
				cell += " e"
			}
			fmt.Fprintf(&b, " %s |", strings.ReplaceAll(cell, "+Inf", "∞"))
		}
		b.WriteString("\n")
	}
	return b.String(), weak
}

func alike(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

var (
	engineLinks = regexp.MustCompile("\\[((?:`[\\w-]+`(?:, )?)+)\\]\\(([\\w-]+\\.md)(#[\\w-]+)?\\)")
	warning     = regexp.MustCompile("\\*\\*Mind the default\\*\\* of ((?:`[\\w-]+`(?:, | and )?)+)")
)

// admitted returns the engines of which the first paragraph of their page, or of their section of it, says that their default has to be minded.
func admitted(t *testing.T, page string) (names []string) {
	for _, link := range engineLinks.FindAllStringSubmatch(page, -1) {
		text, err := os.ReadFile("docs/engines/" + link[2])
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "\n")
		first, _, _ := strings.Cut(strings.TrimLeft(rest, "\n"), "\n\n")
		if link[3] != "" {
			_, rest, _ = strings.Cut(rest, "\n## "+link[3][1:]+"\n")
			section, _, _ := strings.Cut(strings.TrimLeft(rest, "\n"), "\n\n")
			first += section
		}
		for _, said := range warning.FindAllStringSubmatch(first, -1) {
			for _, name := range strings.Split(strings.ReplaceAll(link[1], "`", ""), ", ") {
				if strings.Contains(said[1], "`"+name+"`") && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// TestDefaults: the table of defaults is that of the baseline, and an engine whose default breaks the rule says so in the
// first paragraph of its page; no other does.
func TestDefaults(t *testing.T) {
	t.Parallel()
	table, weak := defaultsTable(t)
	text, err := os.ReadFile(enginesPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), tableOfDefaults+"\n\n")
	old, after, ended := strings.Cut(rest, "\n<!-- end -->")
	switch {
	case !found || !ended:
		t.Fatalf("%s: no %s … <!-- end -->", enginesPage, tableOfDefaults)
	case *update && old != table:
		if err := os.WriteFile(enginesPage, []byte(before+tableOfDefaults+"\n\n"+table+"\n<!-- end -->"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	case old != table:
		t.Errorf("%s: the table of defaults is not that of %s (go test ./docs -run TestDefaults -update)", enginesPage, defaultsBaseline)
	}
	said := admitted(t, before)
	for _, name := range weak {
		if !slices.Contains(said, name) {
			t.Errorf("%s: its default breaks the rule of %s, and the first paragraph of its page does not say **Mind the default** of it", name, enginesPage)
		}
	}
	for _, name := range said {
		if !slices.Contains(weak, name) {
			t.Errorf("%s: its page says **Mind the default**, and it keeps the rule", name)
		}
	}
}
