package engines

import (
	"encoding/json"
	"fmt"
	"slices"

	"tenfold/engines/core/elementary"
	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
)

// Link is what one score s stands for: itself, or the probability 1/(1+e^−s) of 1. Of a class there are two outputs: for the
// second level s, or the logarithm of its probability, and before it for the first 1 − s, or the logarithm of what is left of 1.
type Link struct {
	Logistic bool `json:"logistic,omitempty"`
	Class    bool `json:"class,omitempty"`
}

// Links turn one score a target into the targets' outputs.
type Links []Link

// Outputs of all targets.
func (ls Links) Outputs() int {
	n := len(ls)
	for _, l := range ls {
		if l.Class {
			n++
		}
	}
	return n
}

// Output that the score of a target stands for: of a class, its second level.
func (ls Links) Output(target int) int { return ls[:target+1].Outputs() - 1 }

// Translate fills dst with the outputs, for the scores of all targets of one row.
func (ls Links) Translate(dst, scores []float64) {
	for t, l := range ls {
		s, rest := scores[t], 1-scores[t]
		switch {
		case l.Logistic && l.Class:
			s, rest = elementary.LogSigmoid(s), elementary.LogSigmoid(-s)
		case l.Logistic:
			s = 1 / (1 + elementary.Exp(-s))
		}
		if l.Class {
			dst[0] = rest
			dst = dst[1:]
		}
		dst[0] = s
		dst = dst[1:]
	}
}

// linked is a linear model whose scores, one a target, stand for something else.
type linked struct {
	*Linear // by target
	links   Links
	outputs int
	coefs   []Coef // by output
}

// NewLinked is a linear model with the links of its outputs: the model itself where all of these are plain.
func NewLinked(linear *Linear, links Links) Model {
	if !slices.ContainsFunc(links, func(l Link) bool { return l != Link{} }) {
		return linear
	}
	m := &linked{Linear: linear, links: links, outputs: links.Outputs(), coefs: slices.Clone(linear.Coefs())}
	for k := range m.coefs {
		m.coefs[k].Output = links.Output(m.coefs[k].Output)
	}
	return m
}

// Outputs follow the targets: one, or two of a class.
func (m *linked) Outputs() int { return m.outputs }

// Coefs are those of the scores: of a class, its second level has them.
func (m *linked) Coefs() []Coef { return m.coefs }

// Biases are those of the scores, where their coefficients are: of a class, at its second level.
func (m *linked) Biases() []float64 {
	out := make([]float64, m.outputs)
	for t := range m.links {
		out[m.links.Output(t)] = m.Linear.Bias(t)
	}
	return out
}

// Predict fills dst, row-major, in.Len() × Outputs().
func (m *linked) Predict(dst []float64, in data.Inputs) {
	n, k := len(m.links), m.outputs
	scores := make([]float64, in.Len()*n)
	m.Linear.Predict(scores, in)
	for i := range in.Len() {
		m.links.Translate(dst[i*k:(i+1)*k], scores[i*n:(i+1)*n])
	}
}

// Score fills dst with the outputs for one row.
func (m *linked) Score(dst []float64, row sparse.Vec) {
	scores := make([]float64, len(m.links))
	m.Linear.Score(scores, row)
	m.links.Translate(dst, scores)
}

// LinkedKind names linear models with links that are kept.
const LinkedKind = "linked"

type linkedState struct {
	Links  Links `json:"links"`
	Scores Saved `json:"scores"`
}

// Save is the linear model and the links.
func (m *linked) Save() (Saved, error) {
	scores, err := m.Linear.Save()
	if err != nil {
		return Saved{}, err
	}
	return SaveAs(LinkedKind, linkedState{m.links, scores})
}

// RestoreLinked restores a model of NewLinked.
func RestoreLinked(state json.RawMessage, features *data.Features, _ Part) (Model, error) {
	var s linkedState
	if err := Decode(state, &s); err != nil {
		return nil, err
	}
	if s.Scores.Kind != LinearKind {
		return nil, fmt.Errorf("links of a model of kind %q, expected %s", s.Scores.Kind, LinearKind)
	}
	linear, err := restoreLinear(s.Scores.State, features)
	if err != nil {
		return nil, err
	}
	if linear.Outputs() != len(s.Links) {
		return nil, fmt.Errorf("%d links of a model with %d outputs, expected as many", len(s.Links), linear.Outputs())
	}
	return NewLinked(linear, s.Links), nil
}
