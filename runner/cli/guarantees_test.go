package cli_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/enginetest/oracle"
	"tenfold/runner/cli/app"
)

// selection is an experiment about which columns are selected: a table with a response y, and what is said of it.
type selection struct {
	table     string
	features  string // of the data set
	prepare   string
	columns   string
	target    string // real or class
	algorithm string
}

func (s selection) experiment() string {
	return fmt.Sprintf(`tenfold: 1
name: trial
seed: 1
datasets:
  - name: table
    format: csv
    files: {all: data.csv}
    columns: {%s}
    target: {column: "y", type: %s}
    features: {%s}
    prepare: {%s}
folds: {kind: kfold, k: 2}
algorithms:
  - {name: a, %s}
metrics: [selected]
`, s.columns, s.target, s.features, s.prepare, s.algorithm)
}

// refused is what is said of it where it cannot be done, "" where it can.
func (s selection) refused(t *testing.T) string {
	t.Helper()
	d := newDesk(t, s.experiment())
	d.write("data.csv", s.table)
	code, _, errs := d.do("run", "--jobs", "1", "--quiet")
	if code != app.ExitOK && code != app.ExitInvalid && code != app.ExitIncomplete {
		t.Errorf("exit code %d", code)
	}
	if code == app.ExitOK {
		return ""
	}
	return errs
}

// numbersAsCSV are rows of numbers, whose columns are x0, x1 and so on.
func numbersAsCSV(x [][]float64, y []float64) string {
	var out strings.Builder
	for j := range x[0] {
		fmt.Fprintf(&out, "x%d,", j)
	}
	out.WriteString("y\n")
	for i, row := range x {
		for _, v := range row {
			fmt.Fprintf(&out, "%v,", v)
		}
		fmt.Fprintf(&out, "%v\n", y[i])
	}
	return out.String()
}

// waves are columns of real numbers that differ, with a response of numbers and one of two classes.
func waves(rows, columns int) (x [][]float64, real, class []float64) {
	for i := range rows {
		row := make([]float64, columns)
		for j := range row {
			row[j] = math.Round(1000*math.Sin(float64(1+i*(j+2)))) / 1000
		}
		x, real, class = append(x, row), append(real, row[0]+float64(i%3)), append(class, float64(i%2))
	}
	return x, real, class
}

// TestGuaranteesRefuse: each row of the list of bad input of selections with guarantees is an error that says what is expected.
func TestGuaranteesRefuse(t *testing.T) {
	t.Parallel()
	x, real, class := waves(24, 6)
	numbers, classes := numbersAsCSV(x, real), numbersAsCSV(x, class)
	wide, wideReal, _ := waves(8, 12)
	const lasso = "engine: lasso, params: {lambda: 0.1}, "
	stability := func(options string) selection {
		return selection{table: numbers, target: "real", algorithm: lasso + "stability: {" + options + "}"}
	}
	knockoffs := func(options string) selection {
		return selection{table: numbers, target: "real", algorithm: lasso + "knockoffs: {" + options + "}"}
	}
	features := func(text string) selection {
		return selection{table: numbers, target: "real", features: text, algorithm: strings.TrimSuffix(lasso, ", ")}
	}
	filter := func(params string) selection {
		return selection{table: classes, target: "class", algorithm: "engine: jmi, params: {" + params + "}"}
	}
	levels := selection{table: "colour,x,y\nred,1,2\nblue,2,3\ngreen,4,1\nred,3,3\nblue,2,1\ngreen,5,2\nred,1,1\nblue,6,2\n", target: "real",
		columns: "categorical: [colour]", features: "unit: together", algorithm: strings.TrimSuffix(lasso, ", ")}
	named := features("probes: {kind: permuted}")
	named.table = strings.Replace(numbers, "x1,", "probe:x0,", 1)
	still := features("probes: {kind: permuted}")
	still.table = numbersAsCSV(slices.Repeat([][]float64{{1, 2}}, 8), real[:8])
	counting := selection{table: "a,b,y\n1,2,0\n3,0,1\n2,2,0\n0,1,1\n1,4,1\n5,0,0\n2,1,1\n0,3,0\n", target: "class", features: "probes: {kind: gaussian}", algorithm: "engine: naive-bayes"}
	second := counting
	second.features = "probes: {kind: second-order}"
	nothing := features(`penalty: {"x*": 0.5}`)
	nothing.algorithm = "engine: anova"
	for _, c := range []struct {
		class, says string
		of          selection
	}{
		{"two_of_three", "expected two of q, threshold and pfer", stability("q: 2")},
		{"two_of_three", "q, threshold and pfer are all given, expected two", stability("q: 2, threshold: 0.8, pfer: 1")},
		{"bad_q", "q: -1, expected 1 or more", stability("q: -1, pfer: 1")},
		{"bad_q", "q 7, and the data has 6 columns", stability("q: 7, pfer: 1")},
		{"bad_q", "expected an integer", stability("q: 1.5, pfer: 1")},
		{"bad_threshold", "threshold: 1.5, expected a share", stability("q: 1, threshold: 1.5")},
		{"bad_pfer", "pfer: -1, expected a number above 0", stability("q: 1, pfer: -1")},
		{"unreachable", "the smallest", stability("q: 2, pfer: 0.001")},
		{"unreachable", "is not reached at threshold 0.6: one column of 6 on each half has 0.4386", stability("threshold: 0.6, pfer: 0.0001")},
		{"bound_needs_pairs", "expected none with sampling half", stability("q: 1, pfer: 1, sampling: half, bound: unimodal")},
		{"q_too_large", "q 5 of 6 columns, expected at most 3 for the bound unimodal", stability("q: 5, threshold: 0.9")},
		{"threshold_too_small", "threshold: 0.5, expected a share above 0.5", stability("q: 1, threshold: 0.5")},
		{"threshold_too_small", "0.51", stability("q: 2, threshold: 0.51, draws: 10")},
		{"size_unknown", "stability.q: 2", selection{table: numbers, target: "real", algorithm: "engine: fdr, stability: {q: 2, threshold: 0.8}"}},
		{"bad_share", "features.probes.share: 1.5", features("probes: {kind: permuted, share: 1.5}")},
		{"name_taken", `the column "probe:x0" of the data has the name of a probe`, named},
		{"no_columns", "no column varies in the training rows", still},
		{"columns_not_real", "gaussian probes", counting},
		{"columns_not_real", "second-order probes", second},
		{"bad_fdr", "fdr: 1, expected a share above 0 and below 1", knockoffs("fdr: 1")},
		{"bad_offset", "offset: 2, expected 0 or 1", knockoffs("offset: 2")},
		{"not_positive_definite", "expected shrink above 0", selection{table: numbersAsCSV(wide, wideReal), target: "real", algorithm: lasso + "knockoffs: {shrink: 0}"}},
		{"not_discrete", "let discretize cut them", filter("features: 2, discretize: none")},
		{"bad_cuts", "expected finite numbers that rise", filter("discretize: cuts, cuts: [1, 0]")},
		{"bad_factor", "expected a factor of 0 or more, or .inf, found -1", features(`penalty: {"x*": -1}`)},
		{"bad_factor", "expected a factor of 0 or more, or .inf, found .nan", features(`penalty: {"x*": .nan}`)},
		{"keep_and_exclude", "is to be in every model, and by its penalty, .inf, in none", features(`keep: [x1], penalty: {"x*": .inf, x2: 1}`)},
		{"unknown_column", `no column "x11"; did you mean "x1"?`, features("keep: [x11]")},
		{"no_penalty", "it has no penalty that columns could have factors of", nothing},
		{"unit_together", "group-lasso", levels},
	} {
		t.Run(c.class+" "+c.says, func(t *testing.T) {
			t.Parallel()
			if said := c.of.refused(t); !strings.Contains(said, c.says) {
				t.Errorf("got  %s\nwant %s", said, c.says)
			}
		})
	}
}

// TestOracleGuaranteesRefused: what reference cases call bad input is refused in an experiment that asks for it. Bounds of stability
// selection are the concern of its own tests, similarities of those of reports/agree.
func TestOracleGuaranteesRefused(t *testing.T) {
	t.Parallel()
	for _, c := range append(oracle.Cases(t, "runner/cli/testdata/oracle"), oracle.Extra(t)...) {
		if c.Kind != "guarantees_refused" {
			continue
		}
		t.Run(c.File, func(t *testing.T) {
			var to struct{ Target string }
			c.Decode(t, c.Options, &to)
			if strings.HasPrefix(to.Target, "stabsel_") || to.Target == "agree_similar" {
				t.Skipf("%s: other tests have it", to.Target)
			}
			of := asked(t, c, to.Target)
			said := of.refused(t)
			if t.Log(said); said == "" {
				t.Errorf("nothing is refused in\n%s", of.experiment())
			}
		})
	}
}

// asked is the experiment that asks for what a case has; what it leaves open is as here.
func asked(t *testing.T, c oracle.Case, target string) selection {
	t.Helper()
	var in struct {
		Train   [][]float64
		Y       []float64
		Names   []string
		Factors []any
		Keep    []any
		Unit    []int
	}
	var options struct {
		Engine, Kind, Rule, Criterion, Method, Memory, Procedure string

		Alpha, FDR, Offset, Share, Shrink json.Number
		FDRDraw                           json.Number `json:"fdr_draw"`
		Bins, Cuts                        json.RawMessage
	}
	c.Parts(t, &in, &options, &struct{}{})
	x, real, class := waves(24, 6)
	s := selection{target: "real", algorithm: "engine: lasso, params: {lambda: 0.1}"}
	if strings.HasPrefix(target, "info_") || strings.HasPrefix(target, "unit_") || options.Engine == "naive-bayes" {
		s.target, real = "class", class
	}
	switch target {
	case "info_bins":
		var column struct{ X []float64 }
		c.Decode(t, c.Input, &column)
		x = nil
		for _, v := range column.X {
			x = append(x, []float64{v})
		}
	case "probe_columns":
		x = in.Train
	default:
		var table struct{ X [][]float64 }
		if c.Decode(t, c.Input, &table); table.X != nil {
			x = table.X
		}
	}
	for i := len(in.Y); i < len(x); i++ {
		in.Y = append(in.Y, real[i%len(real)])
	}
	s.table = numbersAsCSV(x, in.Y)
	if options.Engine != "" {
		s.algorithm = "engine: " + options.Engine
	}
	words := func(pairs ...string) string { // key: value, where there is one
		var out []string
		for k := 0; k < len(pairs); k += 2 {
			if pairs[k+1] != "" {
				out = append(out, pairs[k]+": "+pairs[k+1])
			}
		}
		return "{" + strings.Join(out, ", ") + "}"
	}
	switch target {
	case "knock_filter":
		s.algorithm += ", knockoffs: " + words("fdr", string(options.FDR), "offset", string(options.Offset))
	case "knock_evalues":
		s.algorithm += ", knockoffs: " + words("draws", "2", "fdr", string(options.FDR), "fdr_draw", string(options.FDRDraw))
	case "knock_covariance", "knock_sample", "knock_sdp":
		s.algorithm += ", knockoffs: " + words("shrink", cmp.Or(string(options.Shrink), "0"), "s", options.Method, "memory", options.Memory)
	case "knock_stepup":
		s.algorithm = "engine: fdr, params: " + words("alpha", string(options.Alpha), "procedure", options.Procedure)
	case "info_bins":
		s.algorithm = "engine: mim, params: " + words("discretize", options.Rule, "bins", string(options.Bins), "cuts", string(options.Cuts))
	case "info_filter", "info_numeric":
		s.algorithm = "engine: mrmr"
		if name := options.Criterion; name != "" && name != "mid" && name != "miq" {
			s.algorithm = "engine: " + name
		}
		if target == "info_filter" {
			s.algorithm += ", params: {discretize: none}"
		}
	case "probe_columns":
		s.features = "probes: " + words("kind", options.Kind, "share", string(options.Share))
		if in.Names != nil {
			s.table = strings.Join(in.Names, ",") + ",y\n" + strings.SplitN(s.table, "\n", 2)[1]
		}
	case "factor_lasso", "keep_forward", "keep_filter", "unit_chi2", "unit_counts":
		s = s.treated(x, in.Y, in.Factors, in.Keep, in.Unit)
	default:
		t.Fatalf("no experiment is known for %s", target)
	}
	return s
}

// treated says of columns what a case says: factors of penalties, columns to keep, and units as categorical ones.
func (s selection) treated(x [][]float64, y []float64, factors, keep []any, unit []int) selection {
	var said, names, of []string
	for _, k := range keep {
		if j, ok := k.(float64); ok {
			k = fmt.Sprintf("x%v", j)
		}
		names = append(names, fmt.Sprintf("%q", k))
	}
	if names != nil {
		said = append(said, "keep: ["+strings.Join(names, ", ")+"]")
	}
	for j, f := range factors {
		switch f {
		case "inf":
			f = ".inf"
		case nil, "nan":
			f = ".nan"
		}
		of = append(of, fmt.Sprintf("x%d: %v", j, f))
	}
	if of != nil {
		said = append(said, "penalty: {"+strings.Join(of, ", ")+"}")
	}
	if unit != nil {
		said = append(said, "unit: together")
		s.table, s.columns = variables(x, y, unit)
	}
	s.features = strings.Join(said, ", ")
	return s
}

// variables are columns of 0 and 1 as the levels of their units, and the description of such a table's columns.
func variables(x [][]float64, y []float64, unit []int) (table, columns string) {
	var names []string
	for u := range slices.Max(unit) + 1 {
		names = append(names, fmt.Sprintf("u%d", u))
	}
	var out strings.Builder
	out.WriteString(strings.Join(names, ",") + ",y\n")
	for i, row := range x {
		level := slices.Repeat([]string{"none"}, len(names))
		for j, v := range row {
			if v != 0 {
				level[unit[j]] = fmt.Sprintf("l%d", j)
			}
		}
		fmt.Fprintf(&out, "%s,%v\n", strings.Join(level, ","), y[i])
	}
	return out.String(), "categorical: [" + strings.Join(names, ", ") + "]"
}
