package engines

import (
	"encoding/json"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// Link maps the score s of a target to its outputs. The output of a real target is s, or 1/(1+e^−s) if Logistic. A class of two levels
// has the outputs 1 − s and s, or the logarithms of the probabilities 1/(1+e^s) and 1/(1+e^−s) if Logistic.
type Link struct {
	Logistic bool `json:"logistic,omitempty"`
	Class    bool `json:"class,omitempty"`
}

// Links holds the link of each target.
type Links []Link

// Outputs returns the number of outputs of all targets.
func (ls Links) Outputs() int {
	n := len(ls)
	for _, l := range ls {
		if l.Class {
			n++
		}
	}
	return n
}

// Output returns the output that belongs to the score of a target; for a class, that of its second level.
func (ls Links) Output(target int) int { return ls[:target+1].Outputs() - 1 }

// Translate fills dst with the outputs of one row, given the scores of all targets.
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

// linked is a linear model of one score for each target, with links from scores to outputs.
type linked struct {
	*Linear // by target
	links   Links
	outputs int
	coefs   []Coef // by output
}

// NewLinked returns the linear model with links to its outputs; the model itself if every link is the identity.
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

// Outputs returns the number of outputs: one for a real target, two for a class.
func (m *linked) Outputs() int { return m.outputs }

// Coefs returns the coefficients of the scores; those of a class belong to its second level.
func (m *linked) Coefs() []Coef { return m.coefs }

// Biases returns the intercepts of the scores; that of a class belongs to its second level.
func (m *linked) Biases() []float64 {
	out := make([]float64, m.outputs)
	for t := range m.links {
		out[m.links.Output(t)] = m.Linear.Bias(t)
	}
	return out
}

// Predict fills dst, of in.Len() × Outputs() numbers, row by row.
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

// LinkedKind is the kind of saved linear models with links.
const LinkedKind = "linked"

type linkedState struct {
	Links  Links `json:"links"`
	Scores Saved `json:"scores"`
}

// Save returns the linear model and the links.
func (m *linked) Save() (Saved, error) {
	scores, err := m.Linear.Save()
	if err != nil {
		return Saved{}, err
	}
	return SaveAs(LinkedKind, linkedState{m.links, scores})
}

// RestoreLinked restores a linear model with links.
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
