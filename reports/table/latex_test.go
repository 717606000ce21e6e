package table

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"tenfold/io/host/hosttest"
	"testing"
	"time"
)

// Every table has a caption, and a label of its own.
func TestLaTeXLabels(t *testing.T) {
	grid := func(name, title, about string) *Grid {
		return &Grid{Name: name, Title: title, About: about, Corner: "x"}
	}
	var b bytes.Buffer
	if err := LaTeX(&b, []*Grid{grid("", "Main results (R²)", "test_mse by algorithm"), grid("Main-results d1 tests", "Tests", ""), grid("", "", "test_mse by algorithm"),
		grid("", "Main results (R)", ""), grid("", "誤差", ""), grid("", "b-2", ""), grid("", "b", ""), grid("", "b", "")}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"% \\usepackage{booktabs,graphicx}\n", "\\caption{Main results (R$^2$)}\n\\label{tab:main-results-r}\n", "\\caption{Tests}\n\\label{tab:main-results-d1-tests}\n",
		"\\caption{test\\_mse by algorithm}\n\\label{tab:test-mse-by-algorithm}\n", "\\label{tab:main-results-r-2}\n", "\\label{tab:table}\n",
		"\\label{tab:b-2}\n", "\\label{tab:b}\n", "\\label{tab:b-3}\n",
	} {
		if strings.Count(b.String(), want) != 1 {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
}

// Whatever stands in a table, LaTeX sets it, and says the same.
func TestLaTeXCompiles(t *testing.T) {
	command := hosttest.Find(t, "pdflatex", nil, "pdflatex")
	const awkward = "[50%_of {x} & y] \\z ~ $1 #2^ \"q\" `b` 'c' <a> |d| … – — − ± × · ² ³ ∞ ≥ ≤ ≠ ≈ → † ‡ § χ² R² ß é ñ Ł αβγδεζηθικλμνξοπρςστυφχψω ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ\u00a0\u202f\x1b\n\u202e?"
	grids := []*Grid{
		{Title: awkward, Corner: "50 %", Columns: []string{"a_b", "*b"}, Legend: []string{awkward, "* a"}, Notes: []string{"[n]"}, Warnings: []string{awkward},
			Rows: []Row{{Label: awkward, Slots: []Slot{{Text: "±1 ", Best: true}, {Text: "1", Mark: "*"}}}, {Label: "* c", Slots: []Slot{{Text: "[2]", Similar: true}, {}}}}},
		{Corner: "a", Columns: []string{"b"}, Rows: []Row{{Label: "[x]", Slots: []Slot{{Text: "[y]"}}}, {Label: "*", Slots: []Slot{{Text: "*"}}}}},
	}
	var b bytes.Buffer
	if err := LaTeX(&b, grids); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := "\\documentclass{article}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n" + b.String() + "\\end{document}\n"
	if err := os.WriteFile(filepath.Join(dir, "t.tex"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "t.tex")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out[max(0, len(out)-1500):], text)
	}
}
