package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// messages are n lines of a label and a text, which tells the label by its words; one text in ten repeats another.
func messages(n int, line func(label, text string) string) string {
	words := [2][]string{{"win", "prize", "free", "call", "claim"}, {"lunch", "home", "later", "sorry", "see"}}
	var b strings.Builder
	for k := range n {
		j := k
		if k%10 == 9 {
			j -= 2
		}
		of := words[j%2]
		text := fmt.Sprintf("it is %s or %s and then %s at %d", of[j%5], of[j/2%5], of[j/3%5], j)
		b.WriteString(line([]string{"spam", "ham"}[j%2], text))
	}
	return b.String()
}

// A table of texts goes from init to predictions, in each form in which people have it.
func TestTextTables(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	for name, c := range map[string]struct {
		head string
		line func(label, text string) string
		has  []string
	}{
		"named.csv":   {"category,message\n", func(l, x string) string { return l + ",\"" + x + ", really\"\n" }, []string{"text: [message]", "column: category"}},
		"reverse.csv": {"message,category\n", func(l, x string) string { return x + "," + l + "\n" }, []string{"text: [message]", "column: category"}},
		"labels.tsv":  {"", func(l, x string) string { return l + "\t" + x + "\n" }, []string{"header: false", "names: [label, text]", "text: [text]", "column: label"}},
		"texts.txt":   {"", func(l, x string) string { return x + "\t" + l + "\n" }, []string{"format: tsv", "names: [text, label]", "text: [text]", "column: label"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			write := func(name, text string) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(name, c.head+messages(60, c.line))
			_, said, code := invoke(t, "init", "-y", name, "-o", "e.yaml")
			if code != 0 {
				t.Fatal(said)
			}
			text, err := os.ReadFile(filepath.Join(dir, "e.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			wants(t, said, "60 cells of ", "the words of 1 of texts: ")
			wants(t, string(text), append(c.has, "features: {values: tf-idf, normalize: l2, cutoff: 2}", "chi2")...)
			write("few.yaml", string(text[:strings.Index(string(text), "algorithms:")])+"algorithms:\n  - {name: NB, engine: naive-bayes}\nmetrics: [accuracy]\n")
			out, said, code := invoke(t, "run", "few.yaml")
			if code != 0 || !strings.Contains(out, " 1.000 ") {
				t.Fatal(out, said)
			}
			if _, said, code := invoke(t, "fit", "few.yaml", "-o", "model.json"); code != 0 {
				t.Fatal(said)
			}
			write("new-"+name, c.head+c.line("ham", "sorry see you later at home with 12 others")+c.line("ham", "a free prize which you can claim with 99 others"))
			predicted, said, code := invoke(t, "predict", "model.json", "new-"+name, "--format", map[bool]string{true: "csv", false: "tsv"}[c.head != ""])
			if lines := strings.Split(predicted, "\n"); code != 0 || len(lines) < 3 || !strings.HasPrefix(lines[1], "0,ham,") || !strings.HasPrefix(lines[2], "1,spam,") {
				t.Error(predicted, said)
			}
		})
	}
}

// The table of experiments/tickets.yaml is what its program draws.
func TestTicketsAreDrawn(t *testing.T) {
	drawn, err := exec.CommandContext(t.Context(), "go", "run", "./experiments/data/tickets").Output()
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile("experiments/data/tickets.csv"); err != nil || string(kept) != string(drawn) {
		t.Errorf("%v: experiments/data/tickets.csv is another", err)
	}
}

// TestTextTrial validates an experiment on a table of texts that says nothing of them, and what init makes of the table.
func TestTextTrial(t *testing.T) {
	folder := os.Getenv("TENFOLD_TRIALS")
	if folder == "" {
		t.Skip("TENFOLD_TRIALS names no folder of trials")
	}
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Chdir(t.TempDir())
	if err := os.CopyFS(".", os.DirFS(filepath.Join(folder, "tables", "text-csv"))); err != nil {
		t.Fatal(err)
	}
	_, said, code := invoke(t, "validate", "x.yaml")
	if wants(t, said, "columns: {text: [text]}"); code != 2 {
		t.Errorf("exit %d", code)
	}
	out, said, code := invoke(t, "init", "-y", "texts.csv", "-o", "y.yaml")
	if wants(t, said+out, "the words of 1 of texts: text", "y.yaml: good"); code != 0 {
		t.Errorf("exit %d", code)
	}
}
