package imported_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tenfold/engines"
	"tenfold/engines/all"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/files"
	"tenfold/io/predictions"
	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/folds"
	"tenfold/runner/imported"
	"tenfold/runner/metric"
	"tenfold/runner/score"
)

// watched is an engine that remembers what its model says of test rows, of which there are so many.
type watched struct {
	engines.Engine
	rows int
	seen *[]float64
	made *engines.Model
}

func (w watched) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	m, err := w.Engine.Fit(ctx, run)
	if err != nil {
		return nil, err
	}
	*w.made = m
	return watchedModel{m, w}, nil
}

type watchedModel struct {
	engines.Model
	w watched
}

func (m watchedModel) Fitted() engines.Fitted { return m.Model.(engines.Reporter).Fitted() }

func (m watchedModel) Predict(dst []float64, in data.Inputs) {
	m.Model.Predict(dst, in)
	if in.Len() == m.w.rows {
		*m.w.seen = append([]float64{}, dst...)
	}
}

type store struct {
	sync.Mutex
	got map[string]*results.Outcome
}

func (s *store) Put(unit string, o *results.Outcome) error {
	s.Lock()
	defer s.Unlock()
	s.got[unit] = o
	return nil
}

func (s *store) Get(unit string) (*results.Outcome, bool, error) { return s.got[unit], true, nil }

func run(t *testing.T, u *execute.Unit) *results.Outcome {
	t.Helper()
	s := &store{got: map[string]*results.Outcome{}}
	if err := execute.Run(t.Context(), []*execute.Unit{u}, s, execute.Options{Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	return s.got[u.Label.Unit]
}

const rows = 90

// set is rows of three columns, with ids and weights and a response of so many levels; 0: numbers.
func set(t *testing.T, levels int) *data.Dataset {
	t.Helper()
	d := &data.Dataset{Features: data.NewFeatures([]string{"a", "b", "c"})}
	var starts []int
	var index []int32
	var values []float64
	target := data.Target{Name: "y", Type: data.Real}
	if levels > 0 {
		target.Type, target.Levels, target.Positive = data.Class, []string{"no", "yes", "per haps"}[:levels], levels-1
	}
	for i := range rows {
		starts = append(starts, len(index))
		for j := range 3 {
			index, values = append(index, int32(j)), append(values, math.Sin(float64(7*i+3*j*i+j)))
		}
		y := 2*values[len(values)-3] - values[len(values)-1] + 0.7*math.Cos(float64(i*i))
		if levels > 0 {
			y = float64(min(levels-1, max(0, int(math.Floor(y+float64(levels)/2)))))
		}
		target.Values = append(target.Values, y)
		d.IDs, d.Weight = append(d.IDs, fmt.Sprintf("r%d", (i*37)%rows)), append(d.Weight, 0.5+float64(i%3))
	}
	d.X, d.Targets = sparse.New(3, append(starts, len(index)), index, values), []data.Target{target}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	return d
}

// fold has every third row as test row.
func fold() folds.Fold {
	f := folds.Fold{Digest: "d0"}
	for i := range int32(rows) {
		if i%3 == 1 {
			f.Test = append(f.Test, i)
		} else {
			f.Train = append(f.Train, i)
		}
	}
	return f
}

func unit(d *data.Dataset, e engines.Engine) *execute.Unit {
	return &execute.Unit{Label: results.Label{Unit: "u", Algorithm: "a", Seed: 1}, Split: &execute.Split{Set: d, Fold: fold()}, Engine: e, Predictions: true}
}

func read(t *testing.T, d *data.Dataset, name, content, selections string) (*imported.Import, imported.Fold, error) {
	t.Helper()
	f := fold()
	of := imported.Fold{Dataset: "set", Digest: f.Digest, Test: f.Test}
	refs := map[string]files.Ref{}
	for role, text := range map[string]string{imported.Predictions: content, imported.Selections: selections} {
		if text == "" {
			continue
		}
		path := filepath.Join(t.TempDir(), role+filepath.Ext(name))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		refs[role] = files.Ref{Path: path}
	}
	in, err := files.Open(refs, files.Folders{}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	m, err := imported.Read(t.Context(), in, []imported.Fold{of}, nil, d.Targets[0].Type == data.Class, d.Targets[0].Type != data.Class)
	if err == nil {
		err = m.CheckLevels(d.Targets[0].Levels)
	}
	if err == nil {
		err = m.CheckTargets("set", d.Targets)
	}
	return m, of, err
}

func judged(t *testing.T, d *data.Dataset, name, content, selections string) (*results.Outcome, error) {
	t.Helper()
	m, of, err := read(t, d, name, content, selections)
	if err != nil {
		return nil, err
	}
	u := unit(d, imported.Engine{})
	u.Imported = func(request score.Request) (*score.Imported, error) {
		g, err := m.Predictions(of, request)
		if err == nil {
			g.Selected, err = m.Selected(of)
		}
		return g, err
	}
	return run(t, u), nil
}

// TestRoundTrip: what a model says of test rows, written to a file and read again, has the metrics of the model to the last bit.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		engine, prefix string
		levels         int
	}{
		{"ridge", "", 0}, {"lasso", "", 0}, {"mean", "", 0}, {"logistic", "log_probability_", 2}, {"logistic", "log_probability_", 3}, {"majority", "log_probability_", 3}, {"svm", "score_", 2},
	} {
		for _, name := range []string{"p.csv", "p.parquet"} {
			t.Run(fmt.Sprint(c.engine, c.levels, " ", name), func(t *testing.T) {
				t.Parallel()
				d := set(t, c.levels)
				known, err := all.Engines()
				if err != nil {
					t.Fatal(err)
				}
				k, err := known.Lookup(c.engine)
				if err != nil {
					t.Fatal(err)
				}
				var seen []float64
				var model engines.Model
				w := watched{k.Defaults(), len(fold().Test), &seen, &model}
				want := run(t, unit(d, w))
				if want.Status != results.OK {
					t.Fatal(want.Error)
				}
				got, err := judged(t, d, name, table(t, name, d, c.prefix, seen), selected(t, name, want))
				if err != nil {
					t.Fatal(err)
				}
				if got.Status != results.OK {
					t.Fatal(got.Error)
				}
				compare(t, got, want)
			})
		}
	}
}

// compare all metrics of predictions and of selections.
func compare(t *testing.T, got, want *results.Outcome) {
	t.Helper()
	is := map[string]float64{}
	for _, s := range got.Scores {
		is[s.Metric] = s.Value
	}
	n := 0
	for _, s := range want.Scores {
		m, _ := metric.Find(s.Metric)
		x, ok := is[s.Metric]
		if known := !m.Training && (!m.Work || s.Metric == "selected" || s.Metric == "nonzero"); known != ok {
			t.Errorf("%s: there is %v, want %v", s.Metric, ok, known)
		} else if ok && math.Float64bits(x) != math.Float64bits(s.Value) {
			t.Errorf("%s: %v, want %v", s.Metric, x, s.Value)
		}
		if ok {
			n++
		}
	}
	if n < 5 || n != len(is) {
		t.Errorf("%d of %d metrics compared: %v", n, len(is), is)
	}
	if got.SelectedSum != want.SelectedSum || len(got.Selected) != len(want.Selected) {
		t.Errorf("selected %v, want %v", got.Selected, want.Selected)
	}
	if a, b := fmt.Sprint(got.Predictions), fmt.Sprint(want.Predictions); a != b {
		t.Errorf("predictions\n%s\nwant\n%s", a, b)
	}
	if got.SecondsFit != 0 || len(got.Path) != 0 {
		t.Errorf("work of a fit that was none: %+v", got)
	}
}

// table is a file of predictions.
func table(t *testing.T, name string, d *data.Dataset, prefix string, scores []float64) string {
	target, test := d.Targets[0], fold().Test
	columns := []predictions.Column{
		{Name: "fold_digest", Text: func(int) string { return fold().Digest }},
		{Name: "id", Text: func(i int) string { return d.RowID(int(test[len(test)-1-i])) }}, // in another order
	}
	width := max(1, len(target.Levels))
	for l := range width {
		column := predictions.Column{Name: "prediction", Number: func(i int) float64 { return scores[(len(test)-1-i)*width+l] }}
		if target.Type == data.Class {
			column.Name = prefix + target.Levels[l]
		}
		columns = append(columns, column)
	}
	return written(t, name, columns, len(test))
}

func selected(t *testing.T, name string, o *results.Outcome) string {
	columns := []predictions.Column{
		{Name: "dataset", Text: func(int) string { return "set" }},
		{Name: "fold", Number: func(int) float64 { return 0 }},
		{Name: "feature", Text: func(i int) string { return o.Selected[i].Feature }},
		{Name: "output", Text: func(i int) string { return o.Selected[i].Output }},
		{Name: "coefficient", Number: func(i int) float64 { return o.Selected[i].Coefficient }},
	}
	return written(t, name, columns, len(o.Selected))
}

func written(t *testing.T, name string, columns []predictions.Column, rows int) string {
	t.Helper()
	var b bytes.Buffer
	w := predictions.NewCSV(&b, true)
	if filepath.Ext(name) == ".parquet" {
		w = predictions.NewParquet(&b)
	}
	if err := w.Write(columns, rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// lines of a file of predictions of numbers, the row's own number, after change.
func lines(change func(all []string) []string) string {
	all := []string{"dataset,repeat,fold,row,prediction"}
	for _, row := range fold().Test {
		all = append(all, "set,0,0,"+strconv.Itoa(int(row))+","+strconv.Itoa(int(row)))
	}
	return strings.Join(change(all), "\n") + "\n"
}

// TestMistakes: what is wrong in a file is said, with its place, what was found, and what was expected. What one fold lacks fails that
// fold; what makes no sense for any is an error before anything runs.
func TestMistakes(t *testing.T) {
	t.Parallel()
	set := set(t, 0)
	line := func(k int, text string) func([]string) []string {
		return func(all []string) []string { all[k] = text; return all }
	}
	for name, c := range map[string]struct {
		change func([]string) []string
		fold   bool // the error is of the fold
		want   string
	}{
		"row twice":           {line(5, "set,0,0,4,1"), true, "predictions.csv, record 5: row 4 of repeat 0, fold 0 of set (fold_digest d0) again, first in record 2"},
		"row missing":         {func(all []string) []string { return all[:29] }, true, "2 of the test rows of repeat 0, fold 0 of set (fold_digest d0) have no prediction, the first row 85 (id \"r85\"); expected each of 30 once"},
		"no test row":         {line(2, "set,0,0,3,1"), true, "record 2: row 3 is none of the 30 test rows"},
		"NaN":                 {line(3, "set,0,0,7,NaN"), true, `record 3: row 7: prediction: found "NaN", expected a finite number`},
		"infinite":            {line(3, "set,0,0,7,Inf"), true, `record 3: row 7: prediction: found "Inf", expected a finite number`},
		"text":                {line(3, "set,0,0,7,many"), true, `record 3: row 7: prediction: found "many", expected a finite number`},
		"no value":            {line(3, "set,0,0,7,"), true, `record 3: row 7: prediction: the value is missing`},
		"no fold's rows":      {func(all []string) []string { return all[:1] }, true, "no predictions for repeat 0, fold 0 of set (fold_digest d0), expected 30 rows"},
		"row of no number":    {line(3, "set,0,0,,1"), true, "record 3: row: the value is missing"},
		"unknown fold":        {line(3, "set,0,1,7,1"), false, "record 3: unknown fold: the experiment has none with dataset set, repeat 0, fold 1"},
		"unknown data set":    {line(3, "sets,0,0,7,1"), false, `record 3: the experiment has no data set "sets"; did you mean "set"?`},
		"unknown column":      {line(0, "dataset,repeat,fold,row,predicted"), false, `unknown column "predicted"; did you mean "prediction"?`},
		"column twice":        {line(0, "dataset,repeat,fold,row,row"), false, `two columns are named "row"`},
		"no column of rows":   {line(0, "dataset,repeat,fold,output,prediction"), false, "expected one of the columns row (numbers of rows from 0) and id"},
		"no column of folds":  {line(0, "dataset,repeat,output,row,prediction"), false, "there is no column fold_digest and no column fold"},
		"no predictions":      {line(0, "dataset,repeat,fold,row,output"), false, "expected a column prediction"},
		"level":               {line(0, "dataset,repeat,fold,row,score_x"), false, `column "score_x": no response has a level "x"`},
		"half a row":          {line(4, "set,0,0,1.5,1"), false, `predictions.csv:5:9: column "row": found "1.5", expected a whole number from 0`},
		"two kinds of scores": {func([]string) []string { return []string{"fold,row,score_a,probability_a"} }, false, "columns score_LEVEL beside columns probability_LEVEL"},
	} {
		o, err := judged(t, set, "p.csv", lines(c.change), "")
		said := ""
		switch {
		case err != nil && !c.fold:
			said = err.Error()
		case err == nil && c.fold && o.Status == results.Failed:
			said = o.Error
		default:
			t.Errorf("%s: %v, outcome %+v", name, err, o)
			continue
		}
		if !strings.Contains(said, c.want) {
			t.Errorf("%s: %s\nwant %s", name, said, c.want)
		}
	}
	if o, err := judged(t, set, "p.csv", lines(func(all []string) []string { return all }), ""); err != nil || o.Status != results.OK {
		t.Errorf("the file without a mistake: %v %+v", err, o)
	}
}

// TestMistakesOfClasses: likewise of levels and probabilities.
func TestMistakesOfClasses(t *testing.T) {
	t.Parallel()
	two, three := set(t, 2), set(t, 3)
	table := func(header, first, rest string) string {
		out := "fold,row," + header + "\n"
		for i, row := range fold().Test {
			cells := rest
			if i == 0 {
				cells = first
			}
			out += fmt.Sprintf("0,%d,%s\n", row, cells)
		}
		return out
	}
	for name, c := range map[string]struct {
		set                 *data.Dataset
		header, first, rest string
		want                string // "" where all is well
	}{
		"levels alone":          {three, "prediction", "yes", "no", ""},
		"one of two levels":     {two, "score_yes", "1.5", "-1", ""},
		"one probability":       {two, "probability_yes", "0.25", "0.75", ""},
		"logarithms":            {two, "log_probability_yes,log_probability_no", "-0.6931471805599453,-0.6931471805599453", "-0.6931471805599453,-0.6931471805599453", ""},
		"unknown level":         {three, "prediction", "yess", "no", `record 1: row 1: prediction: found "yess", expected a level of y; did you mean "yes"?`},
		"wrong level name":      {two, "score_yess", "1", "1", `column "score_yess": no response has a level "yess"; did you mean "yes"?`},
		"a level without":       {three, "score_yes,score_no", "1,2", "2,1", `there is no column score_per haps; response y of data set set has the levels`},
		"no probability":        {two, "probability_yes", "1.5", "1", "record 1: row 1: level yes: found 1.5, expected a probability"},
		"no sum":                {two, "probability_yes,probability_no", "0.5,0.6", "1,0", "record 1: row 1: the probabilities of the levels sum to 1.1, expected 1"},
		"NaN in a level":        {two, "score_yes,score_no", "NaN,1", "1,0", `record 1: row 1: score_yes: found "NaN", expected a finite number`},
		"probabilities and one": {two, "probability_yes,prediction", "0.9,no", "0.2,no", ""},
	} {
		o, err := judged(t, c.set, "p.csv", table(c.header, c.first, c.rest), "")
		said := ""
		if err != nil {
			said = err.Error()
		} else if o.Status != results.OK {
			said = o.Error
		}
		if (c.want == "") != (said == "") || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, want %q", name, said, c.want)
			continue
		}
		if c.want != "" {
			continue
		}
		has := func(metric string) bool { _, ok := o.Metric(metric); return ok }
		scored := c.header != "prediction"
		if !has("accuracy") || scored != has("roc_auc") || strings.Contains(c.header, "probability") != has("log_loss") || has("train_accuracy") || has("train_log_likelihood") || has("selected") {
			t.Errorf("%s: metrics %v", name, o.Scores)
		}
		if want := map[string]float64{"probabilities and one": 0}[name]; name == "probabilities and one" && o.Predictions.Prediction[0] != want {
			t.Errorf("%s: the column prediction is the prediction: %v", name, o.Predictions.Prediction)
		}
	}
}

// TestSelections: features that are no columns are noted, and mistakes are said.
func TestSelections(t *testing.T) {
	t.Parallel()
	set := set(t, 0)
	same := lines(func(all []string) []string { return all })
	for name, c := range map[string]struct{ text, want string }{
		"feature twice":  {"fold,feature\n0,a\n0,b\n0,a\n", `selections.csv, record 3: feature "a" of repeat 0, fold 0 of set (fold_digest d0) again, first in record 1`},
		"unknown output": {"fold,feature,output\n0,a,x\n", `selections: feature "a": there is no output "x"`},
		"no column":      {"fold,rank\n0,1\n", "there is no column feature"},
		"no fold":        {"feature,rank\na,1\n", "there is no column fold_digest and no column fold"},
		"no feature":     {"fold,feature\n0,a\n0,\n", "selections.csv, record 2: feature: the value is missing"},
		"a text":         {"fold,feature,score\n0,a,high\n", `selections.csv:2:5: column "score": found "high", expected a finite number`},
		"unknown fold":   {"fold,feature\n3,a\n", "record 1: unknown fold"},
	} {
		o, err := judged(t, set, "p.csv", same, c.text)
		said := fmt.Sprint(err)
		if err == nil {
			said = o.Error
		}
		if !strings.Contains(said, c.want) {
			t.Errorf("%s: %s, want %s", name, said, c.want)
		}
	}
	o, err := judged(t, set, "p.csv", same, "fold,feature,rank,score\n0,z,1,\n0,b,0,2.5\n")
	if err != nil || o.Status != results.OK {
		t.Fatalf("%v %+v", err, o)
	}
	if n, ok := o.Metric("selected"); !ok || n != 2 || o.Selected[0].Feature != "b" || !math.IsNaN(o.Selected[0].Coefficient) || o.Selected[0].Score != 2.5 || !math.IsNaN(o.Selected[1].Score) {
		t.Errorf("selected %+v", o.Selected)
	}
	if _, ok := o.Metric("nonzero"); ok {
		t.Error("without coefficients their number is not known")
	}
	if len(o.Notes) != 1 || !strings.Contains(o.Notes[0], `1 of 2 selected features are no columns of this fold, such as "z"`) {
		t.Errorf("notes %q", o.Notes)
	}
	if _, err := (imported.Engine{}).Fit(t.Context(), engines.Run{}); err == nil {
		t.Error("what is imported was fitted")
	}
}
