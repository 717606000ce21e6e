// Package softmax has the linear model of the logarithms of the probabilities of classes.
package softmax

import (
	"slices"
	"sync"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// Model predicts the logarithms of the classes' probabilities.
type Model struct {
	bias   []float64
	coefs  []engines.Coef // by output and feature
	fitted engines.Fitted
	column []int32 // of the coefficients by feature and output
	class  []int32
	weight []float64

	columns int
	once    sync.Once
	ptr     []int32 // the coefficients of column j are column, class and weight [ptr[j]:ptr[j+1]]; made on first use
}

// NewModel returns a model of the given weights, one bias a class. It drops zeros.
func NewModel(columns int, bias []float64, coefs []engines.Coef, fitted engines.Fitted) *Model {
	fitted.Probabilities = true
	m := &Model{bias: bias, fitted: fitted, columns: columns}
	m.coefs = slices.DeleteFunc(slices.Clone(coefs), func(c engines.Coef) bool { return c.Value == 0 })
	order := func(primary, secondary func(engines.Coef) int) func(a, b engines.Coef) int {
		return func(a, b engines.Coef) int {
			if d := primary(a) - primary(b); d != 0 {
				return d
			}
			return secondary(a) - secondary(b)
		}
	}
	feature := func(c engines.Coef) int { return c.Feature }
	output := func(c engines.Coef) int { return c.Output }
	slices.SortFunc(m.coefs, order(feature, output))
	for _, c := range m.coefs {
		m.column, m.class, m.weight = append(m.column, int32(c.Feature)), append(m.class, int32(c.Output)), append(m.weight, c.Value)
	}
	slices.SortFunc(m.coefs, order(output, feature))
	return m
}

// pointToColumns indexes the coefficients by column.
func (m *Model) pointToColumns() {
	m.ptr = make([]int32, m.columns+1)
	for _, j := range m.column {
		m.ptr[j+1]++
	}
	for j := range m.columns {
		m.ptr[j+1] += m.ptr[j]
	}
}

// Outputs returns the number of classes.
func (m *Model) Outputs() int { return len(m.bias) }

// Coefs returns the non-zero weights, by class and column.
func (m *Model) Coefs() []engines.Coef { return m.coefs }

// Bias returns the bias of a class.
func (m *Model) Bias(class int) float64 { return m.bias[class] }

// Biases returns a copy of the biases, by class.
func (m *Model) Biases() []float64 { return slices.Clone(m.bias) }

// Fitted reports how the fit ended.
func (m *Model) Fitted() engines.Fitted { return m.fitted }

// Predict fills dst, row-major, with the logarithms of the classes' probabilities. O(weights that fire + rows · classes).
func (m *Model) Predict(dst []float64, in data.Inputs) { engines.ScoreRows(dst, in, m) }

// Score fills dst with the logarithms of the classes' probabilities in one row.
func (m *Model) Score(dst []float64, row sparse.Vec) {
	m.linearScores(dst, row)
	elementary.LogSoftmax(dst)
}

// Probabilities fills dst with the probabilities of the classes in one row.
func (m *Model) Probabilities(dst []float64, row sparse.Vec) {
	m.linearScores(dst, row)
	high, z := slices.Max(dst), 0.0
	for y, s := range dst {
		dst[y] = elementary.Exp(s - high)
		z += dst[y]
	}
	for y := range dst {
		dst[y] /= z
	}
}

// linearScores fills dst with the linear score of each class in one row: its bias plus the weights that fire.
func (m *Model) linearScores(dst []float64, row sparse.Vec) {
	copy(dst, m.bias)
	if row.Len() == m.columns || row.Outnumbers(len(m.column)) {
		for q, j := range m.column {
			if x := row.ValueOf(j); x != 0 {
				dst[m.class[q]] += float64(x * m.weight[q])
			}
		}
		return
	}
	m.once.Do(m.pointToColumns)
	for k, j := range row.Idx {
		for q := m.ptr[j]; q < m.ptr[j+1]; q++ {
			dst[m.class[q]] += float64(row.At(k) * m.weight[q])
		}
	}
}
