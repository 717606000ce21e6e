package response

import (
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/sparse"
)

// Links turn one score a target into the target's outputs: a number's is the score; a class has one for each of its two
// levels, the score (with logistic loss: the probability 1/(1+e^−score)) for the second, and what that leaves of 1.
type Links struct {
	class    []bool
	logistic bool
	outputs  int
}

// Links of the responses.
func (r *Responses) Links() Links {
	l := Links{logistic: r.Loss == Logistic}
	for _, levels := range r.levels {
		l.class = append(l.class, levels > 0)
		l.outputs += max(1, levels)
	}
	return l
}

// Outputs of all targets.
func (l Links) Outputs() int { return l.outputs }

// Output that the score of a target stands for: that of a class's second level.
func (l Links) Output(target int) int {
	last := -1
	for _, class := range l.class[:target+1] {
		if last++; class {
			last++
		}
	}
	return last
}

// Translate fills dst with the outputs, for the scores of all targets of one row.
func (l Links) Translate(dst, scores []float64) {
	for t, class := range l.class {
		s := scores[t]
		rest := 1 - s
		if l.logistic {
			s, rest = 1/(1+math.Exp(-s)), 1/(1+math.Exp(s))
		}
		if class {
			dst[0] = rest
			dst = dst[1:]
		}
		dst[0] = s
		dst = dst[1:]
	}
}

// Model of one linear score a target; coefs have the number of the target as their output. Probabilities is set in fitted.
func (r *Responses) Model(bias []float64, coefs []engines.Coef, fitted engines.Fitted) engines.Model {
	fitted.Probabilities = r.Loss == Logistic
	linear := engines.NewLinear(r.Train.Columns(), bias, coefs, fitted)
	links := r.Links()
	if !slices.Contains(links.class, true) {
		return linear
	}
	m := &model{Linear: linear, links: links, coefs: slices.Clone(linear.Coefs())}
	for k := range m.coefs {
		m.coefs[k].Output = links.Output(m.coefs[k].Output)
	}
	return m
}

// model is linear up to the links.
type model struct {
	*engines.Linear // by target
	links           Links
	coefs           []engines.Coef // by output
}

// Outputs follow the targets: one, or two of a class.
func (m *model) Outputs() int { return m.links.outputs }

// Coefs are those of the scores: of a class, its second level has them.
func (m *model) Coefs() []engines.Coef { return m.coefs }

// Predict fills dst, row-major, in.Len() × Outputs().
func (m *model) Predict(dst []float64, in data.Inputs) {
	n, k := len(m.links.class), m.links.outputs
	scores := make([]float64, in.Len()*n)
	m.Linear.Predict(scores, in)
	for i := range in.Len() {
		m.links.Translate(dst[i*k:(i+1)*k], scores[i*n:(i+1)*n])
	}
}

// Score fills dst with the outputs for one row.
func (m *model) Score(dst []float64, row sparse.Vec) {
	scores := make([]float64, len(m.links.class))
	m.Linear.Score(scores, row)
	m.links.Translate(dst, scores)
}
