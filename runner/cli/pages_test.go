package cli_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

const gatePage = "docs/ci.md"

// TestGatePage does what the page on the gate says from nothing to a pull request, and what the pages on the gate and on results show of a
// change that does harm, and expects what they show.
func TestGatePage(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	text := read(t, gatePage)
	file := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(text)[1]
	s.write(t, "experiments/joins.yaml", file)
	begin, end := strings.Index(text, "\n## From nothing"), strings.Index(text, "\n## Exit codes")
	changed := false
	text = text[:begin] + s.indented(t, gatePage, text[begin:end], func(command string) {
		if strings.HasPrefix(command, "tenfold check") {
			changed = true
		} else if changed {
			s.write(t, "experiments/joins.yaml", strings.Replace(file, "epsilon: 0.03", "epsilon: 0.01", 1))
		}
	}) + text[end:]
	if *updateDocs {
		if err := os.WriteFile(gatePage, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}

	s.write(t, "experiments/joins.yaml", file)
	s.run(t, "tenfold run experiments/joins.yaml --out runs/before")
	s.write(t, "experiments/joins.yaml", strings.Replace(file, "max_iter: 4000", "max_iter: 100", 1))
	why := s.run(t, "tenfold why full experiments/joins.yaml --out runs/before")
	if shown := "    " + strings.ReplaceAll(strings.TrimSpace(why), "\n", "\n    ") + "\n"; !strings.Contains(text, shown) {
		t.Errorf("%s does not show\n%s", gatePage, shown)
	}
	s.run(t, "tenfold run experiments/joins.yaml --out runs/after")
	diff := s.run(t, "tenfold diff runs/before runs/after --metric test_mse")
	row := regexp.MustCompile(`(?m)^\| pairs, full .*worse \|$`).FindString(diff)
	if row == "" || !strings.Contains(text, "    "+row+"\n") {
		t.Errorf("%s does not show %q", gatePage, row)
	}
	const results = "docs/results.md"
	text = read(t, results)
	begin = strings.Index(text, "\n    $ tenfold diff runs/before")
	end = begin + strings.Index(text[begin:], "\n`--metric`")
	text = text[:begin] + s.indented(t, results, text[begin:end], func(string) {}) + text[end:]
	if *updateDocs {
		if err := os.WriteFile(results, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestModelsPage does what the page on models begins with, and expects what it shows.
func TestModelsPage(t *testing.T) {
	t.Parallel()
	const page = "docs/models.md"
	s := newShell(t)
	for _, name := range []string{"experiments/churn.yaml", "experiments/data/churn.csv"} {
		s.write(t, name, read(t, name))
	}
	s.run(t, "tenfold run experiments/churn.yaml")
	text := read(t, page)
	end := strings.Index(text, "\nContents:")
	text = s.indented(t, page, text[:end], func(string) {}) + text[end:]
	if *updateDocs {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// command and what it prints, in an indented block.
var commanded = regexp.MustCompile(`(?m)^    \$ (.*)\n((?:\n*    (?:[^$\n].*)?\n)*)`)

// indented runs the commands of indented blocks of a text, but git's, and compares what they print with what stands below them; it returns
// the text as it should be.
func (s shell) indented(t *testing.T, page, text string, before func(command string)) string {
	t.Helper()
	return commanded.ReplaceAllStringFunc(text, func(found string) string {
		m := commanded.FindStringSubmatch(found)
		command, shown := m[1], m[2]
		if strings.HasPrefix(command, "git ") {
			return found
		}
		before(command)
		got := indent(s.run(t, command+" || true"))
		if got != shown && !*updateDocs {
			t.Errorf("$ %s\nprints\n%s\nand %s shows (go test -update writes it anew)\n%s", command, got, page, shown)
		}
		return "    $ " + command + "\n" + got
	})
}

// indent the lines that are not empty by four blanks.
func indent(text string) string {
	return regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(text, "    $1")
}
