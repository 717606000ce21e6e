package imported_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/elementary"
	"tenfold/io/files"
	"tenfold/runner/imported"
	"tenfold/runner/score"
)

// open a file of predictions.
func open(t *testing.T, text string, folds []imported.Fold, others []string, targets ...data.Target) (*imported.Import, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	in, err := files.Open(imported.Files{Predictions: files.Ref{Path: path}}.Refs(), files.Folders{}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	of := func(class bool) bool {
		return slices.ContainsFunc(targets, func(t data.Target) bool { return (t.Type == data.Class) == class })
	}
	m, err := imported.Read(t.Context(), in, folds, others, of(true), of(false))
	if err == nil {
		err = m.CheckTargets("set", targets)
	}
	return m, err
}

// request returns one of rows that are called by their numbers.
func request(targets ...data.Target) score.Request {
	return score.Request{Targets: targets, ID: func(i int) string { return fmt.Sprint("id", i) }, Defined: func(int, int) bool { return true }}
}

// Each record goes to the folds that it names: by data set, repeat and fold, whatever of these it leaves open, or by digest.
func TestPlaces(t *testing.T) {
	t.Parallel()
	number := enginetest.Real("y")
	var folds []imported.Fold
	for _, set := range []string{"one", "two"} {
		for repeat := range 2 {
			for k := range 2 {
				folds = append(folds, imported.Fold{Dataset: set, Repeat: repeat, Fold: k, Digest: fmt.Sprint(set, repeat, k), Test: []int32{int32(k)}})
			}
		}
	}
	for name, header := range map[string]string{"places": "dataset,repeat,fold", "digests": "dataset,fold_digest"} {
		text := header + ",row,prediction\nelse,0,1,7,7\n"
		if name == "digests" {
			text = header + ",row,prediction\nelse,x,7,7\n"
		}
		for i, f := range slices.Backward(folds) {
			if at := fmt.Sprint(f.Dataset, ",", f.Repeat, ",", f.Fold); name == "places" {
				text += fmt.Sprintf("%s,%d,%d\n", at, f.Fold, i)
			} else {
				text += fmt.Sprintf("%s,%s,%d,%d\n", f.Dataset, f.Digest, f.Fold, i)
			}
		}
		m, err := open(t, text, folds, []string{"else"}, number)
		if err != nil {
			t.Fatal(name, err)
		}
		for i, f := range folds {
			if g, err := m.Predictions(f, request(number)); err != nil || g.Scores[0] != float64(i) {
				t.Errorf("%s: %s: %+v, %v", name, f, g, err)
			}
		}
	}
	every, err := open(t, "dataset,repeat,fold,row,prediction\none,,0,0,3\none,0,1,1,4\none,1,1,1,5\ntwo,0,0,0,6\n", folds, nil, number)
	if err != nil {
		t.Fatal(err)
	}
	var got []float64
	for _, f := range folds[:4] {
		g, err := every.Predictions(f, request(number))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, g.Scores...)
	}
	if !slices.Equal(got, []float64{3, 4, 3, 5}) {
		t.Errorf("of any repeat: %v", got)
	}
	for text, want := range map[string]string{
		"dataset,fold_digest,row,prediction\none,x,0,1":  "record 1: unknown fold: the experiment has none with dataset one, fold_digest x (",
		"fold,row,prediction\n":                          "there is no column dataset, and the experiment has several data sets",
		"dataset,fold,row,prediction\n":                  "there is no column repeat, and the experiment has several repeats",
		"dataset,repeat,fold,row,prediction\none,0,,0,1": "record 1: no fold_digest and no fold, expected one of them",
	} {
		if _, err := open(t, text, folds, nil, number); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Of several responses each record names its own; what is missing is told with its response, but not where that is not known.
func TestSeveralResponses(t *testing.T) {
	t.Parallel()
	targets := []data.Target{enginetest.Real("size"), enginetest.Class("kind", 2), enginetest.Class("sort", 3)}
	folds := []imported.Fold{{Dataset: "set", Test: []int32{4, 2}}}
	const sound = "fold,row,output,prediction\n0,2,size,1.5\n0,2,kind,l1\n0,2,sort,l2\n0,4,sort,l0\n0,4,size,-2\n0,4,kind,l0\n"
	m, err := open(t, sound, folds, nil, targets...)
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.Predictions(folds[0], request(targets...))
	if err != nil || fmt.Sprint(g.Scores) != "[-2 1 0 1 0 0 1.5 0 1 0 0 1]" || fmt.Sprint(g.Labels[1:3], g.Labels[4:]) != "[0 0] [1 2]" || fmt.Sprint(g.Unscored) != "[false true true]" {
		t.Errorf("%+v, %v", g, err)
	}
	m, err = open(t, strings.Replace(sound, "0,2,kind,l1\n", "", 1), folds, nil, targets...)
	if err != nil {
		t.Fatal(err)
	}
	all := request(targets...)
	if _, err = m.Predictions(folds[0], all); err == nil || !strings.Contains(err.Error(), `1 of the test rows of repeat 0, fold 0 of set (fold_digest ) have no prediction, the first row 2 (id "id1"), output kind`) {
		t.Errorf("%v", err)
	}
	all.Defined = func(target, i int) bool { return target != 1 || i != 1 }
	if _, err = m.Predictions(folds[0], all); err != nil {
		t.Errorf("a response that is not known there: %v", err)
	}
	for text, want := range map[string]string{
		"fold,row,prediction\n":                          "there is no column output, and data set set has 3 responses",
		"fold,row,output,score_l0\n":                     "there is no column prediction, which response size of data set set needs, whose values are numbers",
		"fold,row,output,prediction,score_l0,score_l1\n": "there is no column score_l2; response sort of data set set has the levels l0, l1, l2",
	} {
		if _, err := open(t, text, folds, nil, targets...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	m, err = open(t, sound+"0,4,kinds,l0\n", folds, nil, targets...)
	if err == nil {
		_, err = m.Predictions(folds[0], request(targets...))
	}
	if err == nil || !strings.Contains(err.Error(), `record 7: output: there is no response "kinds"; did you mean "kind"?`) {
		t.Errorf("%v", err)
	}
}

// A column of the levels that are predicted leaves what is said of their probabilities as it is.
func TestLabelsBesideProbabilities(t *testing.T) {
	t.Parallel()
	kind, folds := enginetest.Class("kind", 2), []imported.Fold{{Dataset: "set", Test: []int32{0, 1}}}
	for _, text := range []string{
		"fold,row,probability_l1,prediction\n0,0,0.25,l1\n0,1,0.5,l0\n", "fold,row,log_probability_l1,prediction\n0,0,-1.3862943611198906,l1\n0,1,-0.6931471805599453,l0\n",
	} {
		m, err := open(t, text, folds, nil, kind)
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.Predictions(folds[0], request(kind))
		if err != nil || !g.Probabilities || g.Unscored[0] || !slices.Equal(g.Labels, []int32{1, 0}) {
			t.Fatalf("%+v, %v", g, err)
		}
		for k, p := range []float64{0.75, 0.25, 0.5, 0.5} {
			if want := elementary.Log(p); !(math.Abs(g.Scores[k]-want) <= 1e-15) {
				t.Errorf("%q: score %d is %v, want %v", text, k, g.Scores[k], want)
			}
		}
	}
}

// Test rows of one id cannot be told apart, and a file that names them by it is refused.
func TestOneIDForTwoRows(t *testing.T) {
	t.Parallel()
	folds := []imported.Fold{{Dataset: "set", Test: []int32{0, 1, 2}}}
	m, err := open(t, "fold,id,prediction\n0,a,1\n0,b,2\n", folds, nil, enginetest.Real("y"))
	if err != nil {
		t.Fatal(err)
	}
	ask := request(enginetest.Real("y"))
	ask.ID = func(i int) string { return []string{"a", "b", "b"}[i] }
	if _, err := m.Predictions(folds[0], ask); err == nil || !strings.Contains(err.Error(), `record 2: id "b": several test rows have it`) {
		t.Errorf("%v", err)
	}
}

// References are checked by themselves; that of selections may be left out.
func TestFiles(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]imported.Files{
		"":                       {Predictions: files.Ref{Path: "p"}},
		"predictions":            {Selections: files.Ref{Path: "s"}},
		"predictions selections": {Predictions: files.Ref{SHA256: "x"}, Selections: files.Ref{Path: "s", SHA256: "x"}},
	} {
		if got := enginetest.Fields(f.Validate()); got != want {
			t.Errorf("complaints about %q, want %q", got, want)
		}
		refs := f.Refs()
		if _, there := refs[imported.Selections]; refs[imported.Predictions] != f.Predictions || refs[imported.Selections] != f.Selections || there != (f.Selections.Path != "") {
			t.Errorf("%+v", refs)
		}
	}
}
