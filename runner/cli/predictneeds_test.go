package cli_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tenfold/engines/all"
	"tenfold/io/model"
	"tenfold/io/predictions"
	"tenfold/runner/apply"
	"tenfold/runner/cli/app"
)

// needed are the columns of the table that the model uses: a level stands for its column.
func (x fitting) needed() (names []string) {
	x.t.Helper()
	f, err := model.Read(x.model)
	if err != nil {
		x.t.Fatal(err)
	}
	m, err := apply.Open(f, all.Models())
	if err != nil {
		x.t.Fatal(err)
	}
	for j, name := range m.Preparation.Columns {
		if name, _, _ = strings.Cut(name, "="); m.Preparation.Uses(j) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// crossed is a table whose class hangs on whether a and b, of 0 and 1, are alike, on a number and on a level, beside columns that tell
// nothing.
func crossed(rows int) (header []string, table [][]string) {
	r := rand.New(rand.NewPCG(3, 4))
	for range rows {
		a, b, number, level := r.IntN(2), r.IntN(2), r.Float64(), r.IntN(3)
		label := "no"
		if float64(a^b)+2*number+map[int]float64{2: 1}[level]+r.NormFloat64()/4 > 2 {
			label = "yes"
		}
		record := []string{strconv.Itoa(a), strconv.Itoa(b), strconv.FormatFloat(number, 'f', 3, 64), "xyz"[level : level+1], label, "uvw"[r.IntN(3):][:1]}
		for range 6 {
			record = append(record, strconv.Itoa(r.IntN(2)))
		}
		table = append(table, record)
	}
	return []string{"a", "b", "size", "kind", "label", "other", "n0", "n1", "n2", "n3", "n4", "n5"}, table
}

// picked are some columns of a table, in this order.
func picked(names, header []string, table [][]string) (out [][]string) {
	for _, record := range table {
		var some []string
		for _, name := range names {
			some = append(some, record[slices.Index(header, name)])
		}
		out = append(out, some)
	}
	return out
}

// New rows need the columns that the model gives a weight, and no other: in any order, as any kind of table.
func TestPredictNeedsWhatIsUsed(t *testing.T) {
	t.Parallel()
	const set = "{name: d, format: csv, files: {all: d.csv}, columns: {categorical: [kind, other]}, prepare: {encode: one-hot%s}, target: {column: label, positive: yes}}"
	header, table := crossed(200)
	gaps := slices.Clone(table)
	gaps[7] = slices.Clone(table[7])
	gaps[7][slices.Index(header, "n5")] = ""
	for _, c := range []struct {
		name, prepare, algorithm string
		table                    [][]string
		needed                   string
	}{
		{"weights", "", "engine: mdl, params: {code: bic}", table, "kind other size"},
		{"scales", ", scale: sd", "engine: mdl, params: {code: bic}", table, "kind other size"},
		{"gaps", ", missing: mean", "engine: anova, params: {features: 2}", gaps, "kind size"},
		{"rows left out", ", missing: drop-rows", "engine: anova, params: {features: 2}", gaps, "kind size"},
		{"selected", "", "select: {engine: anova, params: {features: 2}}, refit: {engine: svm}", table, "kind size"},
		{"products", "", "engine: l1, params: {c1: 8}, combinations: {of: all}", table, "a b kind size"},
		{"products of a selection", "", "select: {engine: anova, params: {features: 3}}, refit: {engine: l1, params: {c1: 1}, combinations: {of: all}}", table, ""},
		{"one against the rest", "", "engine: simes, multiclass: one-vs-rest", table, ""},
		{"the floor", "", "engine: majority", table, "-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newFitting(t, fmt.Sprintf(set, c.prepare), "{name: a, "+c.algorithm+"}", map[string]string{"d.csv": asCSV(header, c.table)})
			x.fit()
			whole, _ := x.predict(x.put("whole.csv", asCSV(header, table)))
			names := slices.Sorted(slices.Values(x.needed()))
			if got := strings.Join(names, " "); c.needed != "" && got != strings.Trim(c.needed, "-") || len(names) > 7 {
				t.Errorf("it needs %q", got)
			}
			slices.Reverse(names)
			few := append([]string{"new"}, names...)
			rows := picked(append([]string{"label"}, names...), header, table)
			got, errs := x.predict(x.put("few.csv", asCSV(few, rows)))
			if fmt.Sprint(got) != fmt.Sprint(whole) || strings.Contains(errs, "all the same") {
				t.Errorf("with %v alone: %v, with all %v\n%s", names, got[:3], whole[:3], errs)
			}
			got, _ = x.predict(x.put("few.parquet", asParquet(t, few, rows)))
			if fmt.Sprint(got) != fmt.Sprint(whole) {
				t.Errorf("as Parquet with %v alone: %v, with all %v", names, got[:3], whole[:3])
			}
			for k, name := range names {
				left := slices.Delete(slices.Clone(names), k, k+1)
				path := x.put("less.csv", asCSV(append([]string{"new"}, left...), picked(append([]string{"label"}, left...), header, table)))
				if code, _, errs := x.run("predict", x.model, path); code != app.ExitInvalid || !strings.Contains(errs, fmt.Sprintf("less.csv: no column %q, which the model uses", name)) {
					t.Errorf("without %s: code %d, %s", name, code, errs)
				}
			}
		})
	}
}

// asParquet is a table of texts.
func asParquet(t *testing.T, header []string, table [][]string) string {
	t.Helper()
	var b bytes.Buffer
	w := predictions.NewParquet(&b)
	var columns []predictions.Column
	for k, name := range header {
		columns = append(columns, predictions.Column{Name: name, Text: func(i int) string { return table[i][k] }})
	}
	if err := w.Write(columns, len(table)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// In sparse formats columns go by their names, too, and a value that nobody uses may be missing or new.
func TestPredictPassesOverWhatIsUnused(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	var rows, other strings.Builder
	for range 80 {
		v := r.NormFloat64()
		label := "+1"
		if v < 0 {
			label = "-1"
		}
		fmt.Fprintf(&rows, "%s 1:%.3f 3:%.3f 9:%.3f\n", label, r.NormFloat64(), v, r.NormFloat64())
		fmt.Fprintf(&other, "1:nan 3:%.3f 8:4\n", v)
	}
	x := newFitting(t, "{name: d, format: svmlight, target: class, files: {all: d.svm}}", "{name: a, engine: anova, params: {features: 1}}", map[string]string{"d.svm": rows.String()})
	x.fit()
	whole, _ := x.predict(filepath.Join(x.dir, "d.svm"))
	few, errs := x.predict(x.put("few.svm", strings.ReplaceAll(other.String(), "1:nan ", "")))
	if path := filepath.Join(x.dir, "few.svm"); !strings.Contains(errs, path+": 1 column that the model does not know, passed over\n") {
		t.Errorf("what is met: %s", errs)
	}
	if fmt.Sprint(few) != fmt.Sprint(whole) {
		t.Errorf("other columns: %v, want %v", few[:3], whole[:3])
	}
}
