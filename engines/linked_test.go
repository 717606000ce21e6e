package engines_test

import (
	"fmt"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// Of one score a target there are two outputs of a class; where the link is logistic a number is a probability, and the outputs
// of a class are logarithms of probabilities.
func TestLinked(t *testing.T) {
	x := enginetest.Matrix([]float64{1, 0}, []float64{0, 2}, []float64{-1, 1})
	view := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", 0, 0, 0)), nil)
	linear := engines.NewLinear(2, []float64{1, 2, 3, 4}, []engines.Coef{
		{Feature: 0, Output: 0, Value: 1}, {Feature: 1, Output: 1, Value: -1}, {Feature: 0, Output: 2, Value: 0.5}, {Feature: 1, Output: 3, Value: -2},
	}, engines.Fitted{Stop: "why"})
	links := engines.Links{{}, {Class: true}, {Logistic: true}, {Logistic: true, Class: true}}
	m := engines.NewLinked(linear, links)
	if got := fmt.Sprint(links.Outputs(), links.Output(0), links.Output(1), links.Output(2), links.Output(3)); got != "6 0 2 3 5" {
		t.Errorf("outputs %s", got)
	}
	for k, want := range []int{0, 2, 3, 5} {
		if c := m.Coefs()[k]; c.Output != want || c.Value != linear.Coefs()[k].Value {
			t.Errorf("coefficient %d: %+v, want output %d", k, c, want)
		}
		if linear.Coefs()[k].Output != k {
			t.Errorf("the coefficients of the scores changed: %+v", linear.Coefs()[k])
		}
	}
	scores, got, one := make([]float64, 12), make([]float64, 18), make([]float64, 6)
	linear.Predict(scores, view.Inputs())
	m.Predict(got, view.Inputs())
	for i := range 3 {
		s := scores[4*i : 4*i+4]
		want := []float64{s[0], 1 - s[1], s[1], sigma(s[2]), math.Log(sigma(-s[3])), math.Log(sigma(s[3]))}
		for k, w := range want {
			if v := got[6*i+k]; !(math.Abs(v-w) <= 1e-15) {
				t.Errorf("row %d, output %d: %v, want %v", i, k, v, w)
			}
		}
		if m.(engines.Scorer).Score(one, x.Row(i)); fmt.Sprint(one) != fmt.Sprint(got[6*i:6*i+6]) {
			t.Errorf("row %d: scores %v, predictions %v", i, one, got[6*i:6*i+6])
		}
	}
	if got := fmt.Sprint(engines.Biases(m), engines.Biases(linear), engines.JoinBiases([]engines.Model{m, linear})); got != "[1 0 2 3 0 4] [1 2 3 4] [1 0 2 3 0 4 1 2 3 4]" {
		t.Errorf("intercepts %s", got)
	}
	if engines.JoinBiases([]engines.Model{linear, onlyModel{}}) != nil || engines.Biases(onlyModel{}) != nil {
		t.Error("intercepts of a model that tells of none")
	}
	if m.Outputs() != 6 || m.(engines.Reporter).Fitted().Stop != "why" {
		t.Errorf("%d outputs", m.Outputs())
	}
	if plain := engines.NewLinked(linear, make(engines.Links, 4)); plain != engines.Model(linear) {
		t.Errorf("plain links made a %T", plain)
	}
}

// What is certain stays so many nats from what is not: −40 and −50 are told apart, −5000 is no infinity.
func TestLinkOfCertainty(t *testing.T) {
	out := make([]float64, 2)
	for _, s := range []float64{0, 1e-3, -1e-3, 40, 50, -40, -50, 5000, -5000} {
		engines.Links{{Logistic: true, Class: true}}.Translate(out, []float64{s})
		if margin := out[1] - out[0]; !(math.Abs(margin-s) <= 4e-16*max(1, math.Abs(s))) || max(out[0], out[1]) > 0 {
			t.Errorf("log-odds %v: got %v", s, out)
		}
	}
}

func sigma(s float64) float64 { return 1 / (1 + math.Exp(-s)) }
