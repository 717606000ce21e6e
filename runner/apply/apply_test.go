package apply

import (
	"context"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
	"tenfold/io/files"
	"tenfold/io/model"
	"tenfold/io/source"
)

// reader is a format whose files have these rows.
type reader struct{ set *data.Dataset }

func (reader) Validate() error           { return nil }
func (reader) Declares() source.Declares { return source.Declares{} }
func (reader) Recipe() prepare.Recipe    { return prepare.Recipe{} }
func (r reader) Load(context.Context, source.Input) (*data.Dataset, error) {
	d := *r.set
	return &d, nil
}

var kinds = engines.Models{engines.LinearKind: engines.RestoreLinear}

// file of a linear model of a data set, with one bias and one row of weights an output.
func file(t *testing.T, d *data.Dataset, recipe prepare.Recipe, bias []float64, weights ...[]float64) *model.File {
	t.Helper()
	_, learned, err := recipe.Learn(d)
	if err != nil {
		t.Fatal(err)
	}
	var coefs []engines.Coef
	for k, row := range weights {
		for j, w := range row {
			coefs = append(coefs, engines.Coef{Output: k, Feature: j, Value: w, Rank: -1})
		}
	}
	saved, err := engines.Save(engines.NewLinear(len(learned.Columns), bias, coefs, engines.Fitted{Best: -1}))
	if err != nil {
		t.Fatal(err)
	}
	return &model.File{Engine: "linear", Preparation: learned, Model: saved}
}

func opened(t *testing.T, f *model.File) *Model {
	t.Helper()
	m, err := Open(f, kinds)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func read(t *testing.T, m *Model, d *data.Dataset, responses bool) *Rows {
	t.Helper()
	r, err := m.Read(t.Context(), reader{d}, nil, responses)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// people are rows of three columns, with a number and with a level for each.
func people() *data.Dataset {
	return enginetest.Dataset(enginetest.Matrix([]float64{1, 0, 2}, []float64{0, 3, 0}, []float64{-1, 0.5, 4}, []float64{0, 0, 0}),
		enginetest.Real("height", 1.5, -2, 8, 0.25), enginetest.Class("kind", 2, 0, 1, 1, 0))
}

func of(d *data.Dataset, target int) *data.Dataset {
	out := *d
	out.Targets = d.Targets[target : target+1]
	return &out
}

// TestPredict: numbers are the model's outputs, labels the level of the highest one (the lowest level on ties), whatever the number
// of workers.
func TestPredict(t *testing.T) {
	d := people()
	m := opened(t, file(t, d, prepare.Recipe{}, []float64{0.25, 1, 1}, []float64{1, 0.5, 2}, nil, []float64{-1, 2, 0}))
	for _, workers := range []int{1, 3} {
		got, err := read(t, m, d, false).Predict(workers)
		if err != nil || len(got) != 2 {
			t.Fatal(got, err)
		}
		if want := []float64{5.25, 1.75, 7.5, 0.25}; !slices.Equal(got[0].Value, want) || got[0].Score != nil || got[0].Target.Name != "height" {
			t.Errorf("%d workers: heights %v, want %v", workers, got[0].Value, want)
		}
		if want := []float64{0, 1, 1, 0}; !slices.Equal(got[1].Value, want) {
			t.Errorf("%d workers: kinds %v, want %v", workers, got[1].Value, want)
		}
		if want := []float64{1, 0, 1, 7, 1, 3, 1, 1}; !slices.Equal(got[1].Score, want) || got[1].Probabilities {
			t.Errorf("%d workers: scores %v, want %v", workers, got[1].Score, want)
		}
	}
}

// TestColumnsGoByName: their order means nothing, those that the model does not know are passed over and told of, and those that are
// not there are 0. Preparation is that of the rows of the fit: the very same rows get the very same predictions.
func TestColumnsGoByName(t *testing.T) {
	d := of(people(), 0)
	recipe := prepare.Recipe{Scale: "sd"}
	m := opened(t, file(t, d, recipe, []float64{1}, []float64{1, 6, 8}))
	p, err := recipe.Fit(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, d.Rows())
	m.fitted.Predict(want, p.View(nil).Inputs())

	other := &data.Dataset{
		X:        enginetest.Matrix([]float64{5, 2, 1, 0}, []float64{0, 0, 0, 3}, []float64{7, 4, -1, 0.5}, []float64{0, 0, 0, 0}),
		Features: data.NewFeatures([]string{"new", "x2", "x0", "x1"}), IDs: []string{"a", "b", "c", "d"},
	}
	r := read(t, m, other, false)
	got, err := r.Predict(1)
	if err != nil || !slices.Equal(got[0].Value, want) {
		t.Errorf("%v, want %v; %v", got[0].Value, want, err)
	}
	if !slices.Equal(r.Unknown, []string{"new"}) || r.Absent != 0 || r.Len() != 4 || r.ID(1) != "b" {
		t.Errorf("met %+v in %d rows", r.Met, r.Len())
	}

	narrow := &data.Dataset{X: enginetest.Matrix([]float64{2}, []float64{0}), Features: data.NewFeatures([]string{"x0"})}
	r = read(t, m, narrow, false)
	if got, err = r.Predict(1); err != nil || r.Absent != 2 || len(r.Unknown) > 0 {
		t.Errorf("met %+v, %v", r.Met, err)
	}
	if v := got[0].Value; v[1] != 1 || !(math.Abs(v[0]-1-2*(want[0]-1-8*2/sd(0, 0, 2, 4))) <= 1e-12) {
		t.Errorf("without columns %v", v)
	}
}

// sd is the standard deviation of all values there are.
func sd(values ...float64) float64 {
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / float64(len(values)))
}

// TestTasks: a model of a task predicts the rows of its task, where rows come in tasks that have names.
func TestTasks(t *testing.T) {
	d := of(people(), 0)
	f := file(t, d, prepare.Recipe{}, []float64{0}, []float64{1, 1, 1})
	tasks := func(names ...string) *data.Dataset {
		out := *d
		out.Tasks = &data.Tasks{Names: names, Of: []int32{0, 1, 0, 1}}
		if len(names) == 1 {
			out.Tasks.Of = make([]int32, 4)
		}
		return &out
	}
	for _, c := range []struct {
		family string
		set    *data.Dataset
		rows   []string
	}{
		{"folder", tasks("kill", "open"), []string{"1", "3"}},
		{"folder", tasks("open", "kill"), []string{"0", "2"}},
		{"folder", tasks(""), []string{"0", "1", "2", "3"}},
		{"folder", d, []string{"0", "1", "2", "3"}},
		{"one-vs-rest", tasks("kill", "open"), []string{"0", "1", "2", "3"}},
	} {
		f.Task = model.Task{Family: c.family, Name: "open"}
		r := read(t, opened(t, f), c.set, false)
		var rows []string
		for i := range r.Len() {
			rows = append(rows, r.ID(i))
		}
		if !slices.Equal(rows, c.rows) {
			t.Errorf("%s of %v: rows %v, want %v", c.family, c.set.Tasks, rows, c.rows)
		}
	}
	f.Task.Family = "folder"
	for _, set := range []*data.Dataset{tasks("kill", "go"), tasks("shut")} {
		_, err := opened(t, f).Read(t.Context(), reader{set}, nil, false)
		if err == nil || !strings.Contains(err.Error(), "the model is for open, and no row is of it (the rows are of "+source.Abridge(set.Tasks.Names)) {
			t.Error(err)
		}
	}
}

// TestValuesThatTheEngineCannotTake are refused; others are not.
func TestValuesThatTheEngineCannotTake(t *testing.T) {
	set := func(x *sparse.Matrix) *data.Dataset { return enginetest.Dataset(x, enginetest.Real("y", 1, 2)) }
	ones, counts := sparse.New(2, []int{0, 1, 2}, []int32{0, 1}, nil), enginetest.Matrix([]float64{1, 2}, []float64{0, 3})
	for _, c := range []struct {
		need model.Data
		set  *data.Dataset
		want string
	}{
		{model.Data{Binary: true}, set(ones), ""},
		{model.Data{Binary: true}, set(enginetest.Matrix([]float64{1, 1}, []float64{0, 1})), ""},
		{model.Data{Binary: true}, set(counts), "engine linear needs 0/1 values, and there are others"},
		{model.Data{Binary: true}, set(enginetest.Matrix([]float64{0, 2}, []float64{3, 0})), "engine linear needs 0/1 values, and there are others"},
		{model.Data{Counts: true}, set(counts), ""},
		{model.Data{Counts: true}, set(sparse.New(2, []int{0, 1, 2}, []int32{0, 1}, []float64{0, 2})), ""}, // a zero that is stored
		{model.Data{Counts: true}, set(enginetest.Matrix([]float64{1, -2}, []float64{0, 3})), "engine linear needs counts, and some value is below 0"},
		{model.Data{}, set(enginetest.Matrix([]float64{1, -2}, []float64{0, 3})), ""},
	} {
		f := file(t, set(ones), prepare.Recipe{}, []float64{0}, []float64{1, 1})
		f.Data = c.need
		_, err := opened(t, f).Read(t.Context(), reader{c.set}, nil, false)
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%+v: %v, want %q", c.need, err, c.want)
		}
	}
}

// TestScores are those of the rows with responses, and say why there are none.
func TestScores(t *testing.T) {
	d := people()
	heights := opened(t, file(t, of(d, 0), prepare.Recipe{}, []float64{0}, []float64{1, 1, 1}))
	some := of(d, 0)
	some.Targets = []data.Target{{Name: "height", Type: data.Real, Rows: []int32{0, 2}, Values: []float64{2, 5}}}
	scores, responses, err := read(t, heights, some, true).Scores(1)
	if err != nil || responses != 2 {
		t.Fatal(responses, err)
	}
	found := false
	for _, s := range scores {
		if s.Metric == "test_mse" {
			found = s.Value == (1+1.5*1.5)/2 // of 3 and 3.5
		}
	}
	if !found {
		t.Errorf("%+v", scores)
	}
	if _, _, err := read(t, heights, some, false).Scores(1); err == nil || err.Error() != "no row has a response to compare its prediction with" {
		t.Errorf("responses that were not asked for: %v", err)
	}

	f := file(t, of(d, 0), prepare.Recipe{}, []float64{0}, []float64{1, 1, 1})
	f.Preparation.Targets[0].Counted = true
	if _, _, err := read(t, opened(t, f), of(d, 0), true).Scores(1); err == nil || !strings.Contains(err.Error(), "counted from the rows themselves") {
		t.Errorf("counted responses: %v", err)
	}

	f = file(t, of(d, 1), prepare.Recipe{}, []float64{0, 1}, nil, []float64{-1, 1, 0}) // right but for the last
	strange := of(d, 1)
	strange.Targets = []data.Target{{Name: "kind", Type: data.Class, Levels: []string{"l1", "odd", "l0"}, Values: []float64{2, 1, 0, 2}}}
	if _, _, err := read(t, opened(t, f), strange, true).Scores(1); err == nil || err.Error() != `no level of the model is "odd", which rows have for a label (levels: l0, l1)` {
		t.Errorf("a label that is no level: %v", err)
	}
	f.Task.Family = "one-vs-one" // of which rows with other labels are no part
	scores, responses, err = read(t, opened(t, f), strange, true).Scores(1)
	if err != nil || responses != 3 {
		t.Fatal(responses, err)
	}
	for _, s := range scores {
		if s.Metric == "accuracy" && s.Value != 2./3 {
			t.Errorf("accuracy %v", s.Value)
		}
	}
}

// TestFiles: roles that are given take the place of the model's, whose own stay as they are.
func TestFiles(t *testing.T) {
	f := file(t, of(people(), 0), prepare.Recipe{}, []float64{0})
	f.Data.Files = map[string]files.Ref{"names": {Path: "names.txt", SHA256: "s"}, "chip": {Path: "chip"}}
	before := maps.Clone(f.Data.Files)
	m := opened(t, f)
	got, err := m.Files([]string{"names=own.txt", "labels=a=b"})
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	want := map[string]files.Ref{"names": {Path: at("own.txt")}, "labels": {Path: at("a=b")}, "chip": {Path: "chip"}}
	if !maps.Equal(got, want) || !maps.Equal(f.Data.Files, before) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, bad := range []string{"names", "=path", "names=", "all=rows.csv", ""} {
		if _, err := m.Files([]string{bad}); err == nil || !strings.Contains(err.Error(), "--file "+bad+": expected ROLE=PATH") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestDamagedModels are refused as they are opened.
func TestDamagedModels(t *testing.T) {
	d := people()
	three := []float64{0, 0, 0}
	for _, c := range []struct {
		damage func(f *model.File)
		want   string
	}{
		{func(*model.File) {}, ""},
		{func(f *model.File) { f.Model.Kind = "unheard of" }, `a model of kind "unheard of" is not known here`},
		{func(f *model.File) { f.Model.State = []byte(`{}`) }, "model of kind linear"},
		{func(f *model.File) { f.Preparation.Targets = f.Preparation.Targets[:1] }, "the model is damaged: 3 outputs for 1 numbers and levels of its targets"},
		{func(f *model.File) { f.Preparation.Targets[1].Levels = []string{"a", "b", "c"} }, "the model is damaged: 3 outputs for 4"},
	} {
		f := file(t, d, prepare.Recipe{}, three)
		c.damage(f)
		_, err := Open(f, kinds)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
