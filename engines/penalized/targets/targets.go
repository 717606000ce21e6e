package targets

import (
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/convex"
)

// targetModels is the models of several targets, each with outputs of its own.
type targetModels struct {
	parts   []engines.Model
	first   []int // output of each
	outputs int
	coefs   []engines.Coef
	fitted  engines.Fitted
}

// joinModels returns the models of all targets in order as one; of one target, its model itself.
func joinModels(parts []engines.Model) engines.Model {
	if len(parts) == 1 {
		return parts[0]
	}
	m := &targetModels{parts: parts, fitted: engines.Fitted{Stop: convex.Gap, Best: -1, Certificate: new(engines.Certificate)}}
	for t, part := range parts {
		for _, c := range part.Coefs() {
			c.Output += m.outputs
			m.coefs = append(m.coefs, c)
		}
		m.first = append(m.first, m.outputs)
		m.outputs += part.Outputs()
		m.addFitted(t, part.(engines.Reporter).Fitted())
	}
	return m
}

// addFitted adds the outcome of the fit of a target. Objectives and their bounds add up.
func (m *targetModels) addFitted(target int, f engines.Fitted) {
	all := &m.fitted
	if f.Stop != convex.Gap {
		all.Stop = f.Stop
	}
	all.Iterations += f.Iterations
	all.Evaluated += f.Evaluated
	all.Probabilities = all.Probabilities || f.Probabilities
	all.Certificate.Objective += f.Certificate.Objective
	all.Certificate.Dual += f.Certificate.Dual
	for _, note := range f.Notes {
		all.Notes = append(all.Notes, fmt.Sprintf("target %d: %s", target+1, note))
	}
	for _, fact := range f.Facts {
		fact.Name = fmt.Sprintf("target %d: %s", target+1, fact.Name)
		all.Facts = append(all.Facts, fact)
	}
}

// Biases returns those of all targets.
func (m *targetModels) Biases() []float64 { return engines.JoinBiases(m.parts) }

// Outputs returns the number of those of all targets.
func (m *targetModels) Outputs() int { return m.outputs }

// Coefs returns those of all targets, by output and feature.
func (m *targetModels) Coefs() []engines.Coef { return slices.Clone(m.coefs) }

// Fitted returns how the fits went.
func (m *targetModels) Fitted() engines.Fitted { return m.fitted }

// Predict sets dst, row-major, in.Len() × Outputs().
func (m *targetModels) Predict(dst []float64, in data.Inputs) {
	for t, part := range m.parts {
		k := part.Outputs()
		scores := make([]float64, in.Len()*k)
		part.Predict(scores, in)
		for i := range in.Len() {
			copy(dst[i*m.outputs+m.first[t]:], scores[i*k:(i+1)*k])
		}
	}
}

// Score sets dst to the outputs for one row.
func (m *targetModels) Score(dst []float64, row sparse.Vec) {
	for t, part := range m.parts {
		from := m.first[t]
		part.(engines.Scorer).Score(dst[from:from+part.Outputs()], row)
	}
}
