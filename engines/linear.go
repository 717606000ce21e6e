package engines

import (
	"slices"

	"tenfold/engines/data"
)

// Linear predicts, for every output, a bias plus a weighted sum of the row: the model that nearly every engine returns.
type Linear struct {
	bias    []float64
	coefs   []Coef
	fitted  Fitted
	weights [][]float64 // by output, dense; nil where an output has no coefficient
}

// NewLinear makes a model with one bias an output. It sorts the coefficients and drops zeros.
func NewLinear(columns int, bias []float64, coefs []Coef, fitted Fitted) *Linear {
	coefs = slices.DeleteFunc(coefs, func(c Coef) bool { return c.Value == 0 })
	slices.SortFunc(coefs, func(a, b Coef) int {
		if a.Output != b.Output {
			return a.Output - b.Output
		}
		return a.Feature - b.Feature
	})
	m := &Linear{bias: bias, coefs: coefs, fitted: fitted, weights: make([][]float64, len(bias))}
	for _, c := range coefs {
		if m.weights[c.Output] == nil {
			m.weights[c.Output] = make([]float64, columns)
		}
		m.weights[c.Output][c.Feature] = c.Value
	}
	return m
}

// Outputs is the number of outputs.
func (m *Linear) Outputs() int { return len(m.bias) }

// Coefs are the non-zero coefficients, sorted.
func (m *Linear) Coefs() []Coef { return m.coefs }

// Bias of output k.
func (m *Linear) Bias(k int) float64 { return m.bias[k] }

// Fitted tells how the fit went.
func (m *Linear) Fitted() Fitted { return m.fitted }

// Predict fills dst, row-major, in.Len() × Outputs(). O(nnz · outputs).
func (m *Linear) Predict(dst []float64, in data.Inputs) {
	k := len(m.bias)
	for i := range in.Len() {
		row := in.Row(i)
		for o, b := range m.bias {
			s := b
			if w := m.weights[o]; w != nil {
				s += row.Dot(w)
			}
			dst[i*k+o] = s
		}
	}
}
