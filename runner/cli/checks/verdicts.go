package checks

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tenfold/io/strictyaml"
	"tenfold/reports/gate"
	"tenfold/reports/gate/render"
	"tenfold/runner/cli/app"
	"tenfold/runner/experiment"
)

// judged is what the gate finds on an experiment.
type judged struct {
	gate.Outcome
	file *experiment.File
}

// writeVerdicts writes verdicts as text, details (text with what passed), markdown, json (an object for each experiment), junit (with
// the mistakes in files) or github.
func writeVerdicts(w io.Writer, format string, found []judged, wrong strictyaml.Mistakes) error {
	outcomes := make([]gate.Outcome, len(found))
	for i, v := range found {
		outcomes[i] = v.Outcome
	}
	switch format {
	case app.AsMarkdown:
		return render.Markdown(w, outcomes)
	case asJUnit:
		return render.JUnit(w, outcomes, wrong, time.Now())
	case asGitHub:
		return render.GitHub(w, outcomes, func(outcome, rule int) (string, int) {
			f := found[outcome].file
			return inRepository(f.Path), f.Line(fmt.Sprintf("gate.%d", rule))
		})
	case app.AsJSON:
		e := json.NewEncoder(w)
		for _, o := range outcomes {
			if err := e.Encode(o); err != nil {
				return err
			}
		}
		return nil
	}
	return render.Text(w, outcomes, format == asDetails)
}

// annotate writes annotations of GitHub for mistakes in files.
func annotate(w io.Writer, wrong strictyaml.Mistakes) error {
	wrong = slices.Clone(wrong)
	for i := range wrong {
		if wrong[i].Line > 0 {
			wrong[i].File = inRepository(wrong[i].File)
		}
	}
	return render.GitHubMistakes(w, wrong)
}

// inRepository returns a path for annotations of GitHub: relative to the root of the repository, wherever the step runs.
func inRepository(path string) string {
	root := os.Getenv("GITHUB_WORKSPACE")
	abs, err := filepath.Abs(path)
	if root == "" || err != nil {
		return path
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || strings.HasPrefix(rel, "..") {
		return path
	}
	return filepath.ToSlash(rel)
}
