package draft

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/runner/draft/inspect"

	"gopkg.in/yaml.v3"
)

// drafted is what an experiment file of a draft says, as far as it depends on the data.
type drafted struct {
	Datasets []struct {
		Delimiter, Decimal string
		Target             struct {
			Value   string `yaml:"event_value"`
			Missing string
		}
	}
	Folds      any
	Algorithms []struct {
		Name, Engine string
		Params       map[string]any
		Select       struct{ Engine string }
		Refit        struct{ Engine string }
		Tune         map[string]any
	}
	Metrics []string
	Report  struct {
		Tables  []struct{ Cells, Baseline string }
		Figures []struct{ Y, Algorithm string }
	}
	Gate []struct{ Metric string }
}

func decode(t *testing.T, d Draft) (out drafted) {
	t.Helper()
	if err := yaml.Unmarshal(d.YAML(), &out); err != nil {
		t.Fatalf("%v in\n%s", err, d.YAML())
	}
	return out
}

// Each sort of target and of data has its algorithms, with what is tuned; tables, figures and the gate speak of what is measured.
func TestSorts(t *testing.T) {
	t.Parallel()
	few, many := make([]inspect.Column, 3), make([]inspect.Column, 60)
	for _, columns := range [][]inspect.Column{few, many} {
		for k := range columns {
			columns[k] = inspect.Column{Name: fmt.Sprint("x", k), Rows: 100, Numbers: 100, Levels: []string{"1.5", "2.5", "3.5"}}
		}
	}
	with := func(columns []inspect.Column, more ...inspect.Column) inspect.Found {
		return inspect.Found{Format: inspect.CSV, Rows: 100, Columns: append(slices.Clone(columns), more...)}
	}
	prose := func(name string) inspect.Column {
		text := name + "\tother\n"
		for k := range 100 {
			text += fmt.Sprintf("here are some words, then number %d\t%d\n", k, k*k%7)
		}
		return look(t, file(t, "a.tsv", text), "").Columns[0]
	}
	class := func(levels ...string) inspect.Column { return inspect.Column{Name: "y", Rows: 100, Levels: levels} }
	ends := "time,status\n"
	for k := range 100 {
		ends += fmt.Sprintf("%d,%d\n", k%3+1, k%2)
	}
	times := look(t, file(t, "a.csv", ends), "").Columns
	both := []inspect.Column{{Name: "a", Rows: 100, Levels: []string{"0", "1"}}, {Name: "b", Rows: 100, Levels: []string{"0", "1"}}}
	const (
		numbers = "mean=mean; lasso=lasso of lambda_ratio; ridge=ridge of lambda"
		classes = "majority=majority; L1=l1 of c1_ratio; L2=logistic of c2"
		topics  = "majority=majority; naive Bayes=naive-bayes; L1=l1 of c1_ratio; L2=logistic of c2; chi2 + L2=chi2, logistic of select.features"
		events  = "no columns=cox; lasso=cox of lambda_ratio; elastic net=cox of lambda_ratio"
	)
	for name, c := range map[string]struct {
		d                   Draft
		algorithms, metrics string
	}{
		"numbers":        {Draft{Found: with(few), Target: "x0"}, numbers + "; stepwise BIC=mdl", "test_mse test_r2 selected"},
		"wide numbers":   {Draft{Found: with(many), Target: "x0"}, numbers + "; anova + ridge=anova, ridge of select.features; stepwise RIC=mdl", "test_mse test_r2 selected"},
		"two classes":    {Draft{Found: with(few, class("a", "b")), Target: "y", Class: true}, classes + "; stepwise BIC=mdl", "accuracy roc_auc macro_f1 log_loss selected"},
		"classes":        {Draft{Found: with(few, class("a", "b", "c")), Target: "y", Class: true}, classes, "accuracy macro_f1 log_loss selected"},
		"two numbers":    {Draft{Found: with(few, class("0", "1")), Target: "y"}, numbers + "; stepwise BIC=mdl", "test_mse test_r2 selected"},
		"wide classes":   {Draft{Found: with(many, class("a", "b", "c")), Target: "y", Class: true}, classes + "; anova + L2=anova, logistic of select.features", "accuracy macro_f1 log_loss selected"},
		"documents":      {Draft{Found: inspect.Found{Format: inspect.Documents, Classes: []string{"a", "b", "c"}}, Class: true}, topics, "accuracy macro_f1 log_loss selected"},
		"two topics":     {Draft{Found: inspect.Found{Format: inspect.Documents, Classes: []string{"a", "b"}}, Class: true}, topics + "; stepwise RIC=mdl", "accuracy roc_auc macro_f1 log_loss selected"},
		"texts":          {Draft{Found: with(nil, prose("text"), class("a", "b", "c")), Target: "y", Class: true}, topics, "accuracy macro_f1 log_loss selected"},
		"texts, numbers": {Draft{Found: with(few, prose("text"), class("a", "b", "c")), Target: "y", Class: true}, classes + "; anova + L2=anova, logistic of select.features", "accuracy macro_f1 log_loss selected"},
		"several":        {Draft{Found: inspect.Found{Format: inspect.ARFF, Rows: 100, Columns: append(slices.Clone(few), both...), Listed: []string{"a", "b"}}, Labels: "l.xml", Class: true}, "majority=majority; Partial MIC=mdl; RIC=mdl; BBLasso=multitask-lasso of lambda_ratio", "error f1 selected"},
		"one of several": {Draft{Found: inspect.Found{Format: inspect.ARFF, Rows: 100, Columns: append(slices.Clone(few), both...), Listed: []string{"a", "b"}}, Labels: "l.xml", Target: "a", Class: true}, classes + "; stepwise BIC=mdl", "accuracy roc_auc macro_f1 log_loss selected"},
		"times":          {Draft{Found: with(few, times...), Target: "time", Survival: &inspect.Endpoint{Time: "time", Event: "status"}}, events, "concordance integrated_brier integrated_auc selected"},
		"wide times":     {Draft{Found: with(many, times...), Target: "time", Survival: &inspect.Endpoint{Time: "time", Event: "status"}}, events + "; ten columns=cox", "concordance integrated_brier integrated_auc selected"},
	} {
		c.d.Folds = 5
		got := decode(t, c.d)
		var algorithms, names []string
		for _, a := range got.Algorithms {
			text := a.Name + "=" + a.Engine
			if a.Select.Engine != "" {
				text += a.Select.Engine + ", " + a.Refit.Engine
			}
			for key := range a.Tune {
				if key != "k" && key != "choose" && key != "metric" {
					text += " of " + key
				}
			}
			algorithms, names = append(algorithms, text), append(names, a.Name)
		}
		if text := strings.Join(algorithms, "; "); text != c.algorithms || strings.Join(got.Metrics, " ") != c.metrics {
			t.Errorf("%s: %s, by %s; want %s, by %s", name, text, got.Metrics, c.algorithms, c.metrics)
		}
		if len(got.Report.Tables) == 0 || len(got.Report.Figures) == 0 || len(got.Gate) == 0 {
			t.Errorf("%s: %+v, %+v", name, got.Report, got.Gate)
			continue
		}
		measured := got.Gate[0].Metric
		for _, f := range got.Report.Figures {
			if f.Y != "" {
				measured += " " + f.Y
			}
			if f.Algorithm != "" && !slices.Contains(names, f.Algorithm) {
				t.Errorf("%s: a figure of %s", name, f.Algorithm)
			}
		}
		for _, m := range strings.Fields(measured) {
			if !slices.Contains(got.Metrics, m) {
				t.Errorf("%s: %s is not measured", name, m)
			}
		}
		for _, table := range got.Report.Tables {
			if b := table.Baseline; b != "" && (!slices.Contains(names, b) || !strings.Contains(table.Cells, got.Report.Figures[0].Y)) {
				t.Errorf("%s: a table of %q against %s", name, table.Cells, b)
			}
		}
	}
}

// Where most columns of a table are levels of a few, these count; a search has a feature for five rows, fifty at most.
func TestWidth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		levels, rows int
		wide         bool
		most         int
	}{{2, 2, false, 1}, {2, 1, true, 1}, {3, 6, false, 1}, {3, 5, true, 1}, {20, 39, true, 7}, {400, 255, true, 50}, {400, 254, true, 50}, {400, 249, true, 49}, {400, 0, true, 50}} {
		x := inspect.Column{Name: "x", Rows: 100}
		for k := range c.levels {
			x.Levels = append(x.Levels, fmt.Sprint("l", k))
		}
		x.Rows = 20 * c.levels // so that they are not too many
		d := Draft{Found: inspect.Found{Rows: c.rows, Columns: []inspect.Column{x}}}
		if wide, most := d.isWide(), d.mostSteps(); wide != c.wide || most != c.most {
			t.Errorf("%d levels in %d rows: wide %v, at most %d; want %v, %d", c.levels, c.rows, wide, most, c.wide, c.most)
		}
	}
}

// Columns of end points are no features, nor is a number that has the name of another column's level.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("os_time,os_status,dfs_time,dfs_status,b,b=yes,b=maybe,counted,sorted\n")
	for i := range 20 {
		fmt.Fprintf(&b, "%d,%d,%d,%s,%s,%d.5,%d.5,%d,%d\n", i*i%7+1, i%2+1, i*i%11+1, []string{"alive", "dead"}[i%2], []string{"yes", "no"}[i%2], i%3, i%4, i+1, 7+i*i)
	}
	f := look(t, file(t, "a.csv", b.String()), "")
	for _, c := range []struct{ target, features, dropped string }{
		{"dfs_time", "b=maybe; b", "os_time: of another end point; os_status: of another end point; counted: it counts the rows; sorted: it rises from row to row; b=yes: a level of b has that name"},
		{"", "os_time os_status dfs_time b=maybe; dfs_status b", "counted: it counts the rows; sorted: it rises from row to row; b=yes: a level of b has that name"},
	} {
		d := Draft{Found: *f, Target: c.target, Folds: 2}
		if c.target != "" {
			d.Survival = d.EndpointOf("dfs_status")
			if d.Survival == nil || *d.Survival != *d.EndpointOf(c.target) || decode(t, Draft{Found: *f, Survival: d.Survival}).Datasets[0].Target.Value != "dead" {
				t.Fatalf("end point %+v", d.Survival)
			}
		}
		numbers, categorical, dropped := d.Features()
		var why []string
		for _, x := range dropped {
			why = append(why, x.Name+": "+x.Why)
		}
		if features, left := strings.Join(numbers, " ")+"; "+strings.Join(categorical, " "), strings.Join(why, "; "); features != c.features || left != c.dropped {
			t.Errorf("predicting %q: %s, without %s; want %s, without %s", c.target, features, left, c.features, c.dropped)
		}
	}
	if d := (Draft{Found: *f}); d.EndpointOf("b") != nil {
		t.Errorf("%+v", d.EndpointOf("b"))
	}
	missing := inspect.Found{Format: inspect.CSV, Columns: []inspect.Column{{Name: "time", Rows: 3, Missing: 1}, {Name: "event", Rows: 3}}}
	for k, want := range []string{"drop-rows", ""} {
		missing.Columns[0].Missing -= k
		if got := decode(t, Draft{Found: missing, Survival: &inspect.Endpoint{Time: "time", Event: "event"}}).Datasets[0].Target.Missing; got != want {
			t.Errorf("%d missing: %q", 1-k, got)
		}
	}
}

// The share of test rows is a tenth at most, half of the rows are trained on, and a row is tested at least.
func TestDividedInTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		folds, rows int
		want        string
	}{{2, 100, "0.1"}, {5, 100, "0.1"}, {10, 100, "0.05"}, {10, 20, "0.05"}, {10, 19, "1"}, {5, 9, "1"}, {5, 0, "0.1"}} {
		d := Draft{Found: inspect.Found{Rows: c.rows}, Time: "day", Folds: c.folds}
		if text, _ := d.Divided(); !strings.Contains(text, ", test: "+c.want+"}") {
			t.Errorf("%d folds of %d rows: %s, want %s", c.folds, c.rows, text, c.want)
		}
	}
}
