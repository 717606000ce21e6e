package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/results"
)

// draw makes lines of so many columns, of which the first tell of the class.
func draw(seed uint64, rows, columns int, line func(class int, columns []int) string) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for range rows {
		class := rng.IntN(2)
		var on []int
		for j := range columns {
			if p := 0.1 + 0.4*float64(class)*max(0, 1-float64(j)/5); rng.Float64() < p {
				on = append(on, j+1)
			}
		}
		b.WriteString(line(class, on) + "\n")
	}
	return b.String()
}

// TestTestRowsChangeNoFit: with the same training file, another test file leaves what is fitted as it was, in every format in
// which columns are what occurs, and in tables: columns, seeds, inner folds, levels of selections.
func TestTestRowsChangeNoFit(t *testing.T) {
	t.Parallel()
	x := tool{t, t.TempDir()}
	words := func(on []int, format string) string {
		var b strings.Builder
		for _, j := range on {
			fmt.Fprintf(&b, format, j)
		}
		return b.String()
	}
	formats := map[string]struct {
		options string
		line    func(class int, on []int) string
		head    string
	}{
		"svmlight": {"target: class", func(class int, on []int) string { return fmt.Sprint(class) + words(on, " %d:1") }, ""},
		"vw":       {"target: class", func(class int, on []int) string { return fmt.Sprint(class) + " |" + words(on, " w%d") }, ""},
		"words":    {"", func(class int, on []int) string { return fmt.Sprintf("c%d the%s", class, words(on, " w%d")) }, ""},
		"megam":    {"", func(class int, on []int) string { return fmt.Sprintf("%d the%s", class, words(on, " w%d")) }, ""},
		"csv": {"target: {column: y, type: class}, columns: {categorical: [first]}, prepare: {encode: one-hot}", func(class int, on []int) string {
			var has [40]int
			for _, j := range on {
				has[min(j, 40)-1] = 1
			}
			first := 0
			if len(on) > 0 {
				first = on[0]
			}
			return fmt.Sprintf("c%d,v%d,%s", class, first, strings.Trim(strings.ReplaceAll(fmt.Sprint(has), " ", ","), "[]"))
		}, "y,first" + words(upTo(40), ",x%d") + "\n"},
	}
	for format, f := range formats {
		t.Run(format, func(t *testing.T) {
			dir := t.TempDir()
			fitted := func(name string, seed uint64, rows, columns int) (out string) {
				text := strings.NewReplacer("FORMAT", format, "OPTIONS", f.options, "TEST", name).Replace(`tenfold: 1
name: NAME
datasets:
  - {name: d, format: FORMAT, files: {train: train.txt, test: TEST.txt}, OPTIONS}
folds: {kind: given}
algorithms:
  - {name: tuned, engine: l1, tune: {c1_ratio: [0.5, 0.2, 0.1, 0.05], k: 4}}
  - {name: simes, engine: simes, params: {alpha: 0.2}}
  - {name: fdr, engine: fdr, params: {alpha: 0.2, test: chi2}}
  - {name: random, engine: random, params: {features: 5}}
  - {name: bayes, engine: naive-bayes}
  - {name: mdl, engine: mdl, params: {search: forward}}
  - {name: stagewise, engine: stagewise, params: {family: logistic, choose: validation, max_iter: 50}}
metrics: [accuracy, selected]
`)
				for path, content := range map[string]string{name + ".yaml": strings.ReplaceAll(text, ", }", "}"),
					"train.txt": f.head + draw(1, 80, 40, f.line), name + ".txt": f.head + draw(seed, rows, columns, f.line)} {
					if err := os.WriteFile(filepath.Join(dir, path), []byte(content), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				run := filepath.Join(dir, name)
				x := tool{t, x.cache}
				x.ok("run", filepath.Join(dir, name+".yaml"), "--out", run)
				tables, err := results.Read(run)
				if err != nil {
					t.Fatal(err)
				}
				defer tables.Close()
				for i := range tables.Rows {
					r, err := tables.ReadAllParts(&tables.Rows[i])
					if err != nil {
						t.Fatal(err)
					}
					out += fmt.Sprintf("%s %s %d columns, seed %d\n", r.Algorithm, r.Status, r.Columns, r.Seed)
					for _, s := range r.Outcome.Selected {
						out += fmt.Sprintf("  %s %s %x\n", s.Feature, s.Class, s.Coefficient)
					}
				}
				return out
			}
			one, two := fitted("one", 2, 30, 40), fitted("two", 3, 50, 400)
			if one != two || strings.Count(one, "ok") != 7 {
				t.Errorf("with one test file\n%s\nwith another\n%s", one, two)
			}
		})
	}
}

func upTo(n int) []int {
	out := make([]int, n)
	for j := range out {
		out[j] = j + 1
	}
	return out
}
