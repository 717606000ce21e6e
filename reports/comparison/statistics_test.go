package comparison

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
	"tenfold/reports/slots"
	"tenfold/reports/table"
)

// verbs are the first rows of Dhillon's Table 2 (10-fold accuracy, features) as synthetic folds around the printed means.
func verbs() (*run, []Published) {
	algorithms := []string{"TPC", "RIC", "Elastic net", "Lasso", "GL/MKL"}
	table := []struct {
		verb     string
		accuracy [5]float64
		features [5]float64
		se       float64
	}{
		{"acquire", [5]float64{95.1, 93.1, 90.5, 90.0, 96.0}, [5]float64{1.8, 5.1, 6.1, 15.2, 50.3}, 0.7},
		{"care", [5]float64{97.7, 93.1, 96.1, 85.4, 96.0}, [5]float64{2.0, 12.3, 24.1, 35.8, 21.7}, 0.5},
		{"expand", [5]float64{99.5, 96.4, 99.1, 99.5, 97.7}, [5]float64{1.8, 4.3, 106.9, 81.9, 53}, 0.4},
		{"allow", [5]float64{95.6, 88.5, 93.9, 89.1, 92.6}, [5]float64{4.0, 22.4, 5.8, 69.9, 2294}, 1.1},
		{"fire", [5]float64{99.2, 95.5, 95.4, 93.1, 97.5}, [5]float64{1.9, 3, 107.8, 106.7, 12}, 0.6},
	}
	r := &run{}
	var published []Published
	for v, row := range table {
		for a, name := range algorithms {
			values := make([]float64, 10)
			for f := range values {
				values[f] = row.accuracy[a] + 2*math.Sin(float64(5*f+3*v)) + math.Cos(float64(7*f+13*a+v))
			}
			r.add(row.verb, name, nil, "accuracy", true, math.Floor(row.features[a]), values...)
			if name == "TPC" {
				published = append(published, Published{Source: "Dhillon 2009, Table 2", Dataset: row.verb, Algorithm: name, Metric: "accuracy",
					Value: row.accuracy[a], SE: &row.se, Selected: &row.features[a]})
			}
		}
	}
	return r, published
}

// classes is a run on one fold with the classes that three algorithms predict.
func classes(groups bool) *run {
	r := &run{}
	for a, name := range []string{"tpc", "lasso", "majority"} {
		var p results.Predictions
		right := 0.0
		for i := range 200 {
			hit := []bool{i%10 != 0, i%10 != 0 && i%11 != 1, i%3 != 0}[a]
			truth := float64(i % 2)
			prediction := truth
			if hit {
				right++
			} else {
				prediction = 1 - truth
			}
			group := ""
			if groups {
				group = fmt.Sprint(i / 4)
			}
			p.Row, p.Group, p.Output = append(p.Row, fmt.Sprint(i)), append(p.Group, group), append(p.Output, "")
			p.Truth, p.Prediction = append(p.Truth, truth), append(p.Prediction, prediction)
		}
		r.add("wsd", name, nil, "accuracy", true, 10, right/200)
		r.rows[len(r.rows)-1].Predictions = p
	}
	return r
}

// sameFolds is a run on ten folds where TPC is always better by the same amount and RIC is equal.
func sameFolds() *run {
	r := &run{}
	base := []float64{0.71, 0.73, 0.75, 0.70, 0.72, 0.74, 0.76, 0.78, 0.69, 0.77}
	better, noisy := slices.Clone(base), slices.Clone(base)
	for i := range base {
		better[i] += 0.05
		noisy[i] += 0.001 * math.Sin(float64(i))
	}
	r.add("gcm", "Lasso", nil, "accuracy", true, 9, base...)
	r.add("gcm", "TPC", nil, "accuracy", true, 4, better...)
	r.add("gcm", "RIC", nil, "accuracy", true, 5, base...)
	r.add("gcm", "Elastic net", nil, "accuracy", true, 20, noisy...)
	return r
}

// withSelections gives every fold a selection of three of ten columns; that of the last fold differs.
func withSelections(r *run) *run {
	for i := range r.rows {
		row := &r.rows[i]
		row.Columns, row.Features = 10, 3
		for k := range 3 {
			row.Selected = append(row.Selected, results.Selected{Feature: fmt.Sprint("f", k+int(row.Fold)/4)})
		}
	}
	return r
}

func TestGoldenStatistics(t *testing.T) {
	words, published := verbs()
	verbsIn := words.input("accuracy")
	verbsIn.Published = published
	incomplete, _ := verbs()
	for i := range incomplete.rows {
		if r := &incomplete.rows[i]; r.Algorithm == "Lasso" || r.Algorithm == "RIC" && r.Dataset == "care" {
			r.Status = results.Failed
		}
	}
	epsilon := holdout().input("test_mse")
	epsilon.Published = []Published{
		{Source: "elsewhere", Dataset: "ewt", Algorithm: "stagewise", Metric: "test_mse", Value: 0.3},
		{Source: "elsewhere", Dataset: "gum", Algorithm: "ridge", Metric: "test_mse", Value: 0.3},
		{Source: "elsewhere", Dataset: "ewt", Algorithm: "ridge", Metric: "accuracy", Value: 0.3},
	}
	for _, c := range []struct {
		name   string
		config Config
		in     Input
	}{
		{"dhillon.md", Config{Rows: "dataset", Columns: "algorithm", Cells: "{accuracy} ± {accuracy.se} ({selected})", Baseline: "TPC", Test: paired.NamePairedT}, verbsIn},
		{"ranks-holm.md", Config{Rows: "algorithm", Columns: "dataset", Baseline: "TPC", Cells: "{accuracy}", Ranks: Holm}, words.input("accuracy")},
		{"ranks-bayes.md", Config{Rows: "algorithm", Columns: "dataset", Baseline: "TPC", Cells: "{accuracy}", Ranks: Bayes, Margin: paired.Margin{Absolute: ptr(0.01)}}, words.input("accuracy")},
		{"ranks-incomplete.md", Config{Rows: "algorithm", Columns: "dataset", Cells: "{accuracy}"}, incomplete.input("accuracy")},
		{"wilcoxon.md", Config{Columns: "dataset", Baseline: "Lasso", Test: paired.NameWilcoxon}, sameFolds().input("accuracy")},
		{"sign.md", Config{Columns: "dataset", Baseline: "Lasso", Test: paired.NameSign, Correction: None}, sameFolds().input("accuracy")},
		{"constant.md", Config{Columns: "dataset", Baseline: "Lasso", Margin: paired.Margin{Relative: ptr(0.01)}}, sameFolds().input("accuracy")},
		{"mcnemar.md", Config{Columns: "dataset", Baseline: "lasso", Test: paired.NameMcNemar, Margin: paired.Margin{Absolute: ptr(0.15)}}, classes(false).input("accuracy")},
		{"mcnemar-groups.md", Config{Columns: "dataset", Baseline: "lasso", Test: paired.NameMcNemar}, classes(true).input("accuracy")},
		{"intervals.md", Config{Columns: "dataset", Cells: "{accuracy} [{accuracy.low}, {accuracy.high}], median {accuracy.median}, sd {accuracy.sd}"}, sameFolds().input("accuracy")},
		{"intervals-one-fold.md", Config{Columns: "dataset", Cells: "{accuracy} [{accuracy.low}, {accuracy.high}]"}, classes(false).input("accuracy")},
		{"stability.md", Config{Columns: "dataset", Cells: "{stability} ± {stability.se} [{stability.low}, {stability.high}]", Baseline: "Lasso"}, withSelections(sameFolds()).input("accuracy")},
		{"no-stability.md", Config{Metric: "accuracy, stability"}, holdout().input("test_mse")},
		{"published-grid.md", Config{Metric: "test_mse"}, epsilon},
		{"published-hidden.md", Config{Rows: "dataset", Metric: "test_mse"}, epsilon},
	} {
		t.Run(c.name, func(t *testing.T) {
			grids, err := Build(c.config, c.in)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, c.name, markdown(t, grids))
		})
	}
}

// A cell is italic only where the difference to the best is tested and not significant.
func TestSimilar(t *testing.T) {
	similar := func(c Config, r *run) string {
		grids, err := Build(c, r.input("accuracy"))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, row := range grids[0].Rows {
			if slices.ContainsFunc(row.Slots, func(s table.Slot) bool { return s.Similar }) {
				names = append(names, row.Label)
			}
		}
		return strings.Join(names, " ")
	}
	other := dhillon()
	other.rows[12].FoldDigest = "elsewhere" // of mean on leukemia
	for _, c := range []struct {
		name   string
		config Config
		run    *run
		want   string
	}{
		{"by default", Config{Columns: "dataset"}, dhillon(), "mean"},
		{"no test", Config{Columns: "dataset", Test: None}, dhillon(), ""},
		{"other folds", Config{Columns: "dataset"}, other, ""},
		{"one fold, nothing asked", Config{Columns: "dataset"}, classes(false), ""},
		{"one fold, a test", Config{Columns: "dataset", Test: paired.NameMcNemar, Alpha: 1e-9}, classes(false), "lasso majority"},
		{"several cells", Config{Rows: "algorithm", Columns: "metric", By: "engine"}, dhillon(), ""},
	} {
		if got := similar(c.config, c.run); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Marks go by the corrected p-value.
func TestCorrection(t *testing.T) {
	r := dhillon()
	for i := range 30 { // many comparisons that find nothing
		r.add("leukemia", fmt.Sprint("a", i), nil, "accuracy", true, 6, 0.90, 0.89, 0.92, 0.90, 0.91+0.001*float64(i+1))
	}
	for correction, want := range map[string]string{"": "", Holm: "", None: "v"} {
		grids, err := Build(Config{Columns: "dataset", Baseline: "Lasso", Correction: correction}, r.input("accuracy"))
		if err != nil {
			t.Fatal(err)
		}
		if got := grids[0].Rows[0].Slots[0].Mark; got != want {
			t.Errorf("correction %q: mark %q, want %q", correction, got, want)
		}
		n := grids[0].Numbers[0]
		if adjusted := n.Adjusted > n.P; adjusted != (correction != None) {
			t.Errorf("correction %q: p %g becomes %g", correction, n.P, n.Adjusted)
		}
	}
}

// A correction that leaves no chance to any comparison is told.
func TestHopelessCorrectionWarns(t *testing.T) {
	r := sameFolds()
	for i := range 40 {
		r.add("gcm", fmt.Sprint("a", i), nil, "accuracy", true, 6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6)
	}
	grids, err := Build(Config{Columns: "dataset", Baseline: "Lasso", Test: paired.NameSign}, r.input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.Join(grids[0].Warnings, " "); !strings.Contains(w, "no single one can be significant") {
		t.Errorf("warnings %q", w)
	}
}

// Where Friedman's test finds nothing, no pair is told apart.
func TestNothingAfterFriedman(t *testing.T) {
	r := &run{}
	for i, d := range []string{"d", "e", "f"} {
		for j, a := range []string{"a", "b", "c"} {
			r.add(d, a, nil, "accuracy", true, 6, 0.5+0.1*float64((i+j)%3))
		}
	}
	grids, err := Build(Config{Rows: "algorithm", Columns: "dataset", Cells: "{accuracy}"}, r.input("accuracy"))
	if err != nil || len(grids) != 2 {
		t.Fatalf("%d tables, %v", len(grids), err)
	}
	if notes := grids[1].Notes; len(notes) != 1 || !strings.Contains(notes[0], "does not find a difference (χ² = 0, p = 1.000;") {
		t.Errorf("notes %q", notes)
	}
}

// Nor is any marked as better or worse than the baseline, though Holm's p-values alone would be small enough. Where the test finds
// something, the marks are explained.
func TestMarksAfterFriedman(t *testing.T) {
	for _, datasets := range []int{3, 6} {
		r := &run{}
		for i := range datasets {
			for j := range 10 {
				v := 0.5 + 0.01*float64((3*j+5*i)%8)
				if j < 2 {
					v = []float64{0.9, 0.1}[j]
				}
				r.add(fmt.Sprint("d", i), fmt.Sprint("a", j), nil, "accuracy", true, 6, v)
			}
		}
		grids, err := Build(Config{Columns: "dataset", Cells: "{accuracy}", Ranks: Holm, Baseline: "a1"}, r.input("accuracy"))
		if err != nil {
			t.Fatal(err)
		}
		g := grids[len(grids)-1]
		found := strings.Contains(g.Notes[0], "finds that not all are equal")
		marked := slices.ContainsFunc(g.Rows, func(r table.Row) bool { return r.Slots[0].Mark != "" })
		if p := g.Rows[0].Slots[1].Text; p >= "0.05" && !strings.HasPrefix(p, "<") || found != (datasets == 6) || marked != found ||
			slices.Contains(g.Legend, "v better, * worse than a1.") != found {
			t.Errorf("%d data sets: found %v, marked %v\n%s", datasets, found, marked, markdown(t, grids[len(grids)-1:]))
		}
	}
}

// The standard error of a single fold is a bootstrap's, of several folds it is not, also where both stand in one table.
func TestErrorsOfOneAndOfSeveralFolds(t *testing.T) {
	r := classes(false)
	r.add("many", "tpc", nil, "accuracy", true, 3, 0.7, 0.8, 0.9)
	r.add("many", "lasso", nil, "accuracy", true, 3, 0.6, 0.8, 0.9)
	grids, err := Build(Config{Columns: "dataset", Baseline: "lasso"}, r.input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "±: bootstrap standard error over the test rows of one fold (by group where rows have groups); standard error over folds, corrected for overlapping training rows (Nadeau & Bengio 2003)."
	if !slices.Contains(grids[0].Legend, want) {
		t.Errorf("legend %q", grids[0].Legend)
	}
}

// Of several values for a place, from two sources or of both averages, all are shown.
func TestSeveralPublishedValues(t *testing.T) {
	in := dhillon().input("accuracy")
	for _, v := range []Published{{Source: "Here", Value: 0.7}, {Source: "There", Value: 0.6, Average: slots.Micro}} {
		v.Dataset, v.Algorithm, v.Metric = "gcm", "TPC", "accuracy"
		in.Published = append(in.Published, v)
	}
	grids, err := Build(Config{Columns: "dataset", Cells: "{accuracy}", Filter: map[string]string{"algorithm": "TPC"}}, in)
	if err != nil {
		t.Fatal(err)
	}
	if g := grids[0]; g.Rows[0].Slots[2].Text != "0.7000 (+0.0140); 0.6000 (+0.1140)" || len(g.Notes) < 2 || g.Notes[0] != "Published for TPC: Here." ||
		g.Notes[1] != "Published for TPC: There (over all test rows, as ours in the difference)." {
		t.Errorf("%q, notes %q", g.Rows[0].Slots[2].Text, g.Notes)
	}
}

func TestUnmatched(t *testing.T) {
	of := func(dataset, algorithm, metric string) Published {
		return Published{Source: "elsewhere", Dataset: dataset, Algorithm: algorithm, Metric: metric, Value: 0.3}
	}
	got, err := Unmatched([]Published{of("ewt", "stagewise", "test_mse"), of("gum", "ridge", "test_mse"), of("ewt", "ridge", "accuracy"), of("ewt", "ridge", "test_mse")},
		cells.InRows{}, cells.Group(holdout().rows), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"published test_mse of stagewise on ewt belongs to each of 2 cells, which differ in epsilon (0.1, 0.01); say which with where",
		"published test_mse of ridge on gum matches no result",
		"published accuracy of ridge on ewt: its results have no accuracy",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRanksErrors(t *testing.T) {
	r, _ := verbs()
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Rows: "dataset", Columns: "algorithm", Cells: "{selected}", Ranks: Nemenyi}, "no value of selected is better"},
		{Config{Rows: "dataset", Columns: "engine", Ranks: Nemenyi}, "algorithms along one axis"},
		{Config{Rows: "dataset", Columns: "algorithm", Baseline: "SVM", Ranks: Holm}, "baseline SVM"},
		{Config{Rows: "dataset", Columns: "algorithm", Baseline: "SVM", Ranks: Bayes}, "bayes: baseline SVM"},
		{Config{Rows: "dataset, metric", Columns: "algorithm", Ranks: Nemenyi}, "data sets along one axis"},
	} {
		if _, err := Build(c.config, r.input("accuracy")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.config, err, c.want)
		}
		c.config.Ranks = None
		if _, err := Build(c.config, r.input("accuracy")); err != nil {
			t.Errorf("%+v: %v", c.config, err)
		}
	}
}

// Of tables by kind of data, one with too few data sets says that it has no ranks, and the others have them.
func TestRanksByKind(t *testing.T) {
	r := &run{}
	for i, d := range []string{"d", "e", "f", "g"} {
		for j, a := range []string{"a", "b", "c"} {
			r.add(d, a, nil, "accuracy", true, 6, 0.5+0.1*float64((i+j)%3), 0.5+0.1*float64(i))
		}
	}
	in := r.input("accuracy")
	for _, c := range in.Cells {
		if c.Kind = "many"; c.Dataset == "g" {
			c.Kind = "one"
		}
	}
	grids, err := Build(Config{Rows: "algorithm", Columns: "dataset", By: cells.KindDim, Cells: "{accuracy}", Ranks: Nemenyi}, in)
	if err != nil || len(grids) != 3 {
		t.Fatalf("%d tables, %v", len(grids), err)
	}
	if !slices.ContainsFunc(grids[2].Notes, func(n string) bool { return strings.HasPrefix(n, "No ranks: they need at least 3 data sets") }) {
		t.Errorf("notes %q", grids[2].Notes)
	}
}

// Grid points of one data set are neither averaged nor ranked as if they were several.
func TestGridOfDatasetsIsOneDataset(t *testing.T) {
	r := &run{}
	for _, cutoff := range []float64{1, 2, 5} {
		for a := range 3 {
			r.add("pairs", fmt.Sprint("a", a), []results.Param{{Name: "data_cutoff", Value: cutoff}}, "accuracy", true, 3, 0.7, 0.8+cutoff/100, 0.9)
		}
	}
	c := Config{Rows: "dataset", Columns: "algorithm"}
	grids, err := Build(c, r.input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	if len(grids) != 1 || len(grids[0].Footer) != 0 {
		t.Errorf("%d tables, footer %v", len(grids), grids[0].Footer)
	}
	c.Ranks = Nemenyi
	if _, err := Build(c, r.input("accuracy")); err == nil || !strings.Contains(err.Error(), "different data sets") {
		t.Errorf("ranks: %v", err)
	}
}

var latexCommand = regexp.MustCompile(`\\[a-zA-Z]+`)

// The LaTeX is balanced, has the same number of columns in every line, and uses no character that needs escaping.
func TestLaTeXStructure(t *testing.T) {
	r, published := verbs()
	for i := range r.rows {
		r.rows[i].Algorithm = strings.Replace(r.rows[i].Algorithm, "Lasso", `[50%_of {x} & y] \z ~ $1 #2^`, 1)
	}
	in := r.input("accuracy")
	in.Published = published
	for _, c := range []Config{
		{Rows: "dataset", Columns: "algorithm", Baseline: "TPC", Title: "100 % & more"},
		{Rows: "algorithm", Columns: "dataset", Baseline: "TPC"},
	} {
		grids, err := Build(c, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range grids {
			var b bytes.Buffer
			if err := table.LaTeX(&b, []*table.Grid{g}); err != nil {
				t.Fatal(err)
			}
			checkLaTeX(t, b.String())
		}
		var b bytes.Buffer
		if err := table.LaTeX(&b, grids[:1]); err != nil || !strings.Contains(b.String(), `\begin{table*}`) {
			t.Errorf("the table is not wide: %v", err)
		}
	}
}

// columnsOf matches the columns of a tabular.
var columnsOf = regexp.MustCompile(`\\begin\{tabular\}\{((?:[lr]|@\{\})+)\}`)

func checkLaTeX(t *testing.T, text string) {
	t.Helper()
	text = strings.TrimPrefix(text, "% \\usepackage{booktabs,graphicx}\n")
	text = strings.ReplaceAll(text, "{table*}", "{table}")
	spec := columnsOf.FindStringSubmatch(text)
	if spec == nil {
		t.Fatalf("no tabular in %s", text)
	}
	columns := strings.Count(spec[1], "l") + strings.Count(spec[1], "r")
	plain := strings.NewReplacer(`\\`, "", `\{`, "", `\}`, "", `\%`, "", `\&`, "", `\$`, "", `\#`, "", `\_`, "", "{%\n", "{").Replace(text)
	if open, closed := strings.Count(plain, "{"), strings.Count(plain, "}"); open != closed {
		t.Errorf("%d braces open, %d close", open, closed)
	}
	if strings.Count(plain, "$")%2 != 0 {
		t.Error("a $ is left open")
	}
	bare := latexCommand.ReplaceAllString(plain, "")
	if i := strings.IndexAny(strings.NewReplacer("$^2$", "", "tab:", "").Replace(bare), "%#_^~|"); i >= 0 {
		t.Errorf("an unescaped character: %q", bare[max(0, i-10):min(i+10, len(bare))])
	}
	for _, name := range []string{"table", "tabular"} {
		if strings.Count(text, `\begin{`+name+`}`) != 1 || strings.Count(text, `\end{`+name+`}`) != 1 {
			t.Errorf("%s does not begin and end once", name)
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "[") || strings.HasPrefix(line, "*") {
			t.Errorf("the line would be an argument of the one before: %q", line)
		}
		cells := strings.ReplaceAll(line, `\&`, "")
		if n := strings.Count(cells, "&") + strings.Count(cells, `\multicolumn{2}`) + 1; strings.HasSuffix(line, "\\\\\n") && n != columns {
			t.Errorf("%d columns instead of %d: %s", n, columns, line)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

var notANumber = regexp.MustCompile(`NaN|Inf\b|Infinity|%!`)

// Whatever results are like, no table says NaN or Inf, and none panics.
func TestUglyResults(t *testing.T) {
	ugly := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e300, -1e300, 5e-324, 0.5, 0.5, 0.5, 1e-17, 3}
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func() float64 { return ugly[rng.IntN(len(ugly))] }
	configs := []Config{
		{}, {Columns: "dataset"}, {Rows: "dataset", Columns: "algorithm"}, {Columns: "engine", By: "dataset"}, {Columns: "epsilon"},
		{Columns: "dataset", Cells: "{accuracy} {accuracy.se} {accuracy.sd} {accuracy.low} {accuracy.high} {accuracy.median} {accuracy.min} {accuracy.max} {accuracy.n} {stability}"},
		{Columns: "metric", Metric: "accuracy, selected, stability, train_mse"},
	}
	for i := range 400 {
		r := &run{}
		folds := []int{1, 2, 10}[rng.IntN(3)]
		for d := range 1 + rng.IntN(4) {
			for a := range 1 + rng.IntN(4) {
				values := make([]float64, folds)
				for f := range values {
					values[f] = pick()
					if i%2 == 0 {
						values[f] = ugly[3+a%8] // zero variance
					}
				}
				r.add(fmt.Sprint("d", d), fmt.Sprint("a", a), nil, "accuracy", true, 3, values...)
			}
		}
		for k := range r.rows {
			row := &r.rows[k]
			switch rng.IntN(12) {
			case 0:
				row.Status = results.Failed
			case 1:
				row.Scores = nil
			case 2:
				row.FoldDigest = "other"
			case 3:
				row.RowsTrain = 0
			case 4:
				row.Predictions = results.Predictions{Row: []string{"1"}, Truth: []float64{pick()}, Prediction: []float64{pick()}}
			case 5:
				row.Optimistic = true
			}
			if i%7 == 0 {
				row.Status = results.Failed
			}
		}
		c := configs[rng.IntN(len(configs))]
		if rng.IntN(2) == 0 {
			c.Baseline, c.Test = "a0", append(paired.TestNames(), "")[rng.IntN(len(paired.Tests())+2)]
			if c.Test != None && rng.IntN(2) == 0 {
				c.Margin = paired.Margin{Relative: ptr(0.1)}
			}
		}
		in := r.input("accuracy")
		v := pick()
		in.Published = []Published{{Source: "s", Dataset: "d0", Algorithm: "a0", Metric: "accuracy", Value: pick(), SE: &v, Selected: &v}}
		grids, err := Build(c, in)
		if err != nil {
			if !strings.Contains(err.Error(), `no result has "epsilon"`) {
				t.Fatalf("%+v: %v", c, err)
			}
			continue
		}
		var b bytes.Buffer
		for _, g := range grids {
			if err := g.Markdown(&b); err != nil {
				t.Fatal(err)
			}
			if err := table.LaTeX(&b, []*table.Grid{g}); err != nil {
				t.Fatal(err)
			}
		}
		if err := table.CSV(sanitize.NewCSV(&b, true), grids); err != nil {
			t.Fatal(err)
		}
		if at := notANumber.FindStringIndex(b.String()); at != nil {
			text := b.String()
			t.Fatalf("%+v: … %s …", c, text[max(0, at[0]-200):min(len(text), at[1]+100)])
		}
	}
}

// Columns are added at the end of the CSV: programs count on their order.
func TestCSVColumns(t *testing.T) {
	var b bytes.Buffer
	if err := table.CSV(sanitize.NewCSV(&b, true), nil); err != nil {
		t.Fatal(err)
	}
	header, err := csv.NewReader(&b).Read()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(header, " "); got != "table row column metric mean se min max n status mark p optimistic low high p_adjusted" {
		t.Errorf("header %q", got)
	}
}

// A published value can name the grid point that it belongs to.
func TestPublishedByGridPoint(t *testing.T) {
	in := holdout().input("test_mse")
	in.Published = []Published{{Source: "elsewhere", Dataset: "ewt", Algorithm: "stagewise", Where: map[string]string{"epsilon": "1e-2"}, Metric: "test_mse", Value: 0.3}}
	grids, err := Build(Config{Metric: "test_mse"}, in)
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, r := range grids[0].Rows {
		if r.Slots[1].Text != "" {
			shown = append(shown, r.Label)
		}
	}
	if got := strings.Join(shown, " "); got != "stagewise epsilon=0.01" || len(grids[0].Warnings) > 0 {
		t.Errorf("beside %q, warnings %q", got, grids[0].Warnings)
	}
}
