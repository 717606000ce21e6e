package naivebayes

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
)

func with(change func(e *NaiveBayes)) NaiveBayes {
	e := Kind.Defaults().(NaiveBayes)
	if change != nil {
		change(&e)
	}
	return e
}

// onLevels asks the suite for a number of levels.
type onLevels struct {
	NaiveBayes
	levels int
}

func (e onLevels) Needs() engines.Needs {
	n := e.NaiveBayes.Needs()
	n.Levels = e.levels
	return n
}

func TestSuite(t *testing.T) {
	for _, event := range []string{multinomial, bernoulli, complement} {
		for _, levels := range []int{2, 3} {
			e := with(func(e *NaiveBayes) { e.Event = event })
			t.Run(fmt.Sprint(event, levels), func(t *testing.T) { enginetest.Suite(t, onLevels{e, levels}) })
		}
	}
}

func fit(t *testing.T, e NaiveBayes, set *data.Dataset) engines.Model {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// predicted are the probabilities of the classes.
func predicted(m engines.Model, x *sparse.Matrix) []float64 {
	rows, _ := x.Dims()
	view := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", make([]float64, rows)...)), nil)
	out := make([]float64, rows*m.Outputs())
	m.Predict(out, view.Inputs())
	return enginetest.Exp(out)
}

// wide is a matrix with at least so many columns.
func wide(columns int, rows ...[]float64) *sparse.Matrix {
	full := make([][]float64, len(rows))
	for i, row := range rows {
		full[i] = append(slices.Clone(row), make([]float64, columns-len(row))...)
	}
	return enginetest.Matrix(full...)
}

func TestScikitLearn(t *testing.T) {
	var f struct {
		Source string
		Cases  []struct {
			Event, Prior  string
			Norm          bool
			Smooth        float64
			X, Test       [][]float64
			Y             []float64
			Probabilities [][]float64
		}
	}
	raw, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &f); err != nil || f.Source == "" || len(f.Cases) == 0 {
		t.Fatalf("%v: no source or no cases", err)
	}
	for k, c := range f.Cases {
		t.Run(fmt.Sprintf("%d %s", k, c.Event), func(t *testing.T) {
			e := NaiveBayes{Event: c.Event, Smooth: c.Smooth, Prior: c.Prior, Norm: c.Norm}
			if c.Event == complement { // scikit-learn's takes one that means nothing
				e.Prior = empirical
			}
			set := enginetest.Dataset(enginetest.Matrix(c.X...), enginetest.Class("y", len(c.Probabilities[0]), c.Y...))
			m := fit(t, e, set)
			oracle.NearAll(t, "probabilities", predicted(m, enginetest.Matrix(c.Test...)), slices.Concat(c.Probabilities...), 1e-10)
			if got := m.(engines.Reporter).Fitted().Probabilities; got != (c.Event != complement) {
				t.Errorf("probabilities %v", got)
			}
		})
	}
}

// Manning, Raghavan & Schütze, Introduction to Information Retrieval (2008), example 13.1: Chinese, Beijing, Shanghai, Macao,
// Tokyo, Japan.
func TestTextbook(t *testing.T) {
	set := enginetest.Dataset(enginetest.Matrix(
		[]float64{2, 1, 0, 0, 0, 0}, []float64{2, 0, 1, 0, 0, 0}, []float64{1, 0, 0, 1, 0, 0}, []float64{1, 0, 0, 0, 1, 1},
	), enginetest.Class("china", 2, 1, 1, 1, 0))
	odds := (3. / 4 * math.Pow(3./7, 3) / 14 / 14) / (1. / 4 * math.Pow(2./9, 3) * 2 / 9 * 2 / 9)
	m := fit(t, with(nil), set)
	oracle.NearAll(t, "multinomial", predicted(m, enginetest.Matrix([]float64{3, 0, 0, 0, 1, 1})), []float64{1 / (1 + odds), odds / (1 + odds)}, 1e-12)
	oracle.Near(t, "log-odds of Chinese", m.Coefs()[0].Value, math.Log(3./7*9/2), 1e-12)

	// Example 13.2.
	odds = (3. / 4 * 4 / 5 * 1 / 5 * 1 / 5 * (1 - 2./5) * (1 - 2./5) * (1 - 2./5)) / (1. / 4 * 2 / 3 * 2 / 3 * 2 / 3 * (1 - 1./3) * (1 - 1./3) * (1 - 1./3))
	m = fit(t, with(func(e *NaiveBayes) { e.Event = bernoulli }), set)
	oracle.NearAll(t, "Bernoulli", predicted(m, enginetest.Matrix([]float64{3, 0, 0, 0, 1, 1})), []float64{1 / (1 + odds), odds / (1 + odds)}, 1e-12)
}

// Of a long document, the probability of a class is far below any number, and its logarithm is what the definition says.
func TestLongDocument(t *testing.T) {
	x := enginetest.Matrix([]float64{3, 1, 2}, []float64{1, 4, 0}, []float64{0, 1, 5}, []float64{2, 2, 1})
	long := []float64{3000, 1000, 40_000}
	for _, y := range [][]float64{{0, 1, 1, 0}, {0, 1, 2, 0}} {
		classes := int(slices.Max(y)) + 1
		want := make([]float64, classes)
		for k := range want {
			rows, total, counts := 0.0, 0.0, make([]float64, 3)
			for i, c := range y {
				if int(c) != k {
					continue
				}
				rows++
				row := x.Row(i)
				for q, j := range row.Idx {
					counts[j] += row.At(q)
					total += row.At(q)
				}
			}
			want[k] = math.Log(rows / 4)
			for j, n := range long {
				want[k] += n * math.Log((counts[j]+1)/(total+3))
			}
		}
		best := slices.Max(want) // all others are beyond e^-745 of it
		m := fit(t, with(nil), enginetest.Dataset(x, enginetest.Class("y", classes, y...)))
		got := make([]float64, classes)
		m.(engines.Scorer).Score(got, enginetest.Matrix(long).Row(0))
		for k := range want {
			if want[k] != best && !(want[k]-best < -745) {
				t.Fatalf("%d classes: the document is too short: %v", classes, want)
			}
			oracle.Near(t, fmt.Sprintf("logarithm of the probability of class %d of %d", k, classes), got[k], want[k]-best, 1e-10*max(1, best-want[k]))
		}
	}
}

// Coefficients are of the columns that occur, one for two classes, and 0 where classes do not differ.
func TestCoefs(t *testing.T) {
	set := enginetest.Dataset(wide(4, []float64{1, 2, 1}, []float64{3, 0, 3}), enginetest.Class("y", 2, 0, 1))
	m := fit(t, with(nil), set)
	var got []string
	for _, c := range m.Coefs() {
		got = append(got, fmt.Sprintf("%d:%d", c.Output, c.Feature))
	}
	if s := strings.Join(got, " "); s != "1:0 1:1 1:2" {
		t.Errorf("coefficients %s", s)
	}
	if s := predicted(m, wide(4, []float64{1, 1, 0, 0}, []float64{1, 1, 0, 9})); s[0] != s[2] {
		t.Errorf("a column that no training row has changes scores: %v", s)
	}
	same := enginetest.Dataset(enginetest.Matrix([]float64{1, 1}, []float64{1, 0}, []float64{1, 1}, []float64{1, 1}), enginetest.Class("y", 2, 0, 0, 1, 1))
	coefs := fit(t, with(func(e *NaiveBayes) { e.Event = bernoulli }), same).Coefs()
	if len(coefs) != 1 || coefs[0].Feature != 1 {
		t.Errorf("%v", coefs)
	}
}

// A class without rows is never predicted, whatever stands in a row; the others are what they are without it.
func TestUnseenClass(t *testing.T) {
	x := enginetest.Matrix([]float64{5, 0, 1}, []float64{0, 4, 1}, []float64{1, 1, 0}, []float64{0, 9, 0})
	far := enginetest.Matrix([]float64{1, 1, 1}, []float64{1e6, 0, 0}, []float64{0, 0, 1e6})
	for _, event := range []string{multinomial, bernoulli, complement} {
		e := with(func(e *NaiveBayes) { e.Event = event })
		m := fit(t, e, enginetest.Dataset(x, enginetest.Class("y", 3, 0, 2, 0, 2)))
		got, want := predicted(m, far), predicted(fit(t, e, enginetest.Dataset(x, enginetest.Class("y", 2, 0, 1, 0, 1))), far)
		raw := make([]float64, 3)
		m.(engines.Scorer).Score(raw, far.Row(1)) // complement's scores are no probabilities, and finite
		if impossible := math.IsInf(raw[1], -1); impossible != (event != complement) || raw[1] > -1e99 || math.IsNaN(raw[0]+raw[2]) {
			t.Errorf("%s: outputs %v", event, raw)
		}
		for i := range 3 {
			oracle.NearAll(t, event, []float64{got[3*i], got[3*i+1], got[3*i+2]}, []float64{want[2*i], 0, want[2*i+1]}, 1e-9)
		}
		if notes := m.(engines.Reporter).Fitted().Notes; len(notes) != 1 || !strings.Contains(notes[0], "1 of 3 classes have no training row") {
			t.Errorf("%s: notes %q", event, notes)
		}
	}
}

// Multiplicities are rows repeated; rows without a label are not counted.
func TestWeights(t *testing.T) {
	x := enginetest.Matrix([]float64{1, 0}, []float64{2, 1}, []float64{0, 3}, []float64{9, 9})
	weighted := enginetest.Dataset(x, enginetest.Class("y", 2, 0, 0, 1))
	weighted.Weight, weighted.Targets[0].Rows = []float64{1, 3, 2, 1}, []int32{0, 1, 2}
	repeated := enginetest.Dataset(x.Pick([]int32{0, 1, 1, 1, 2, 2}), enginetest.Class("y", 2, 0, 0, 0, 0, 1, 1))
	for _, event := range []string{multinomial, bernoulli, complement} {
		e := with(func(e *NaiveBayes) { e.Event = event })
		oracle.NearAll(t, event, predicted(fit(t, e, weighted), x), predicted(fit(t, e, repeated), x), 1e-12)
	}
}

// Zeros that are stored are no presence, wherever they stand.
func TestPresent(t *testing.T) {
	for _, c := range []struct {
		val  []float64
		want string
	}{
		{nil, "[0 1 2 3 4]"}, {[]float64{1, 2, 3, 4, 5}, "[0 1 2 3 4]"}, {[]float64{1, 0, 3, 0, 5}, "[0 2 4]"}, {[]float64{0, 0, 3, 4, 5}, "[2 3 4]"},
		{[]float64{0, 0, 0, 0, 0}, "[]"}, {[]float64{-1, 2, 3, 4, 0}, "[0 1 2 3]"},
	} {
		row := present(sparse.Vec{Idx: []int32{0, 1, 2, 3, 4}, Val: c.val})
		if got := fmt.Sprint(row.Idx); got != c.want || row.Val != nil {
			t.Errorf("%v: %s with values %v, want %s", c.val, got, row.Val, c.want)
		}
	}
}

// One column tells nothing of a class's share of itself: normalised weights of it are none, and no division by zero.
func TestNormOfOneColumn(t *testing.T) {
	set := enginetest.Dataset(enginetest.Matrix([]float64{2}, []float64{1}, []float64{4}), enginetest.Class("y", 2, 0, 1, 1))
	m := fit(t, with(func(e *NaiveBayes) { e.Event, e.Norm = complement, true }), set)
	if got := predicted(m, enginetest.Matrix([]float64{7})); got[0] != got[1] || got[0]-got[0] != 0 || len(m.Coefs()) > 0 {
		t.Errorf("scores %v, coefficients %v", got, m.Coefs())
	}
	if notes := m.(engines.Reporter).Fitted().Notes; len(notes) > 0 {
		t.Errorf("notes %q, though every class has rows", notes)
	}
}

func TestRefusals(t *testing.T) {
	for want, change := range map[string]func(e *NaiveBayes){
		`event: "poisson"`:       func(e *NaiveBayes) { e.Event = "poisson" },
		"smooth: 0, expected":    func(e *NaiveBayes) { e.Smooth = 0 },
		"smooth: NaN, expected":  func(e *NaiveBayes) { e.Smooth = math.NaN() },
		"smooth: +Inf, expected": func(e *NaiveBayes) { e.Smooth = math.Inf(1) },
		`prior: "flat"`:          func(e *NaiveBayes) { e.Prior = "flat" },
		"norm: the weights of":   func(e *NaiveBayes) { e.Norm = true },
	} {
		if err := with(change).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for want, set := range map[string]*data.Dataset{
		"row 1, column x1: -2, expected a count of 0 or more": enginetest.Dataset(enginetest.Matrix([]float64{1, 0}, []float64{1, -2}), enginetest.Class("y", 2, 0, 1)),
		"target y has no training row":                        enginetest.Dataset(enginetest.Matrix([]float64{1}), data.Target{Name: "y", Type: data.Class, Levels: []string{"a", "b"}, Rows: []int32{}, Values: []float64{}}),
	} {
		_, err := with(nil).Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	// Presence knows no sign, and a stored zero is none.
	zero := enginetest.Dataset(sparse.New(2, []int{0, 2, 3}, []int32{0, 1, 1}, []float64{-3, 0, 1}), enginetest.Class("y", 2, 0, 1))
	plain := enginetest.Dataset(enginetest.Matrix([]float64{1, 0}, []float64{0, 1}), enginetest.Class("y", 2, 0, 1))
	e := with(func(e *NaiveBayes) { e.Event = bernoulli })
	if got, want := fit(t, e, zero).Coefs(), fit(t, e, plain).Coefs(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
