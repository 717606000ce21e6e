// Package softmax has the linear model of the logarithms of the probabilities of classes.
package softmax

import (
	"slices"
	"sync"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// Model predicts the logarithms of the classes' probabilities.
type Model struct {
	bias    []float64
	fitted  engines.Fitted
	columns int
	listed  sync.Once
	coefs   []engines.Coef // by output and feature; in a dense model, made on first use

	dense []float64 // the weight of column j in class y is dense[j·classes + y]; nil if most of them are 0. Then

	indexed sync.Once
	ptr     []int32 // the coefficients of column j are class and weight [ptr[j]:ptr[j+1]]; made on first use
	column  []int32
	class   []int32
	weight  []float64
}

// NewModel returns a model of the given weights, one bias a class. It drops zeros. O(coefficients · log of them + columns).
func NewModel(columns int, bias []float64, coefs []engines.Coef, fitted engines.Fitted) *Model {
	fitted.Probabilities = true
	m := &Model{bias: bias, fitted: fitted, columns: columns}
	m.coefs = slices.DeleteFunc(slices.Clone(coefs), func(c engines.Coef) bool { return c.Value == 0 })
	slices.SortFunc(m.coefs, func(a, b engines.Coef) int {
		if d := a.Output - b.Output; d != 0 {
			return d
		}
		return a.Feature - b.Feature
	})
	m.listed.Do(func() {})
	if classes := len(bias); 2*len(m.coefs) >= columns*classes {
		m.dense = make([]float64, columns*classes)
		for _, c := range m.coefs {
			m.dense[c.Feature*classes+c.Output] = c.Value
		}
	}
	return m
}

// NewDense returns a model of the weights of all columns, weight j·classes + y of column j in class y, which it keeps.
func NewDense(bias, weights []float64, fitted engines.Fitted) *Model {
	fitted.Probabilities = true
	return &Model{bias: bias, fitted: fitted, columns: len(weights) / len(bias), dense: weights}
}

// indexColumns lays the coefficients out by feature and output.
func (m *Model) indexColumns() {
	m.ptr = make([]int32, m.columns+2)
	for _, c := range m.coefs {
		m.ptr[c.Feature+2]++
	}
	for j := range m.columns {
		m.ptr[j+2] += m.ptr[j+1]
	}
	m.column, m.class, m.weight = make([]int32, len(m.coefs)), make([]int32, len(m.coefs)), make([]float64, len(m.coefs))
	for _, c := range m.coefs {
		q := m.ptr[c.Feature+1]
		m.column[q], m.class[q], m.weight[q] = int32(c.Feature), int32(c.Output), c.Value
		m.ptr[c.Feature+1]++
	}
}

// listCoefs makes the coefficients of a dense model.
func (m *Model) listCoefs() {
	n, classes := 0, len(m.bias)
	for _, w := range m.dense {
		if w != 0 {
			n++
		}
	}
	m.coefs = make([]engines.Coef, 0, n)
	for y := range classes {
		for j := range m.columns {
			if w := m.dense[j*classes+y]; w != 0 {
				m.coefs = append(m.coefs, engines.Coef{Feature: j, Output: y, Value: w, Rank: -1})
			}
		}
	}
}

// Outputs returns the number of classes.
func (m *Model) Outputs() int { return len(m.bias) }

// Coefs returns the non-zero weights, by class and column.
func (m *Model) Coefs() []engines.Coef {
	m.listed.Do(m.listCoefs)
	return m.coefs
}

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

// weightsOf returns the weights of a column of a dense model, by class.
func (m *Model) weightsOf(j int32) []float64 {
	classes := len(m.bias)
	return m.dense[int(j)*classes : (int(j)+1)*classes]
}

// linearScores fills dst with the linear score of each class in one row: its bias plus the weights that fire.
func (m *Model) linearScores(dst []float64, row sparse.Vec) {
	copy(dst, m.bias)
	if m.dense != nil {
		k := 0
		for ; k+4 <= len(row.Idx); k += 4 {
			j := row.Idx[k:][:4]
			x := [4]float64{row.At(k), row.At(k + 1), row.At(k + 2), row.At(k + 3)}
			dense.AddCombination(dst, m.weightsOf(j[0]), m.weightsOf(j[1]), m.weightsOf(j[2]), m.weightsOf(j[3]), &x)
		}
		for ; k < len(row.Idx); k++ {
			dense.AddTo(dst, m.weightsOf(row.Idx[k]), row.At(k))
		}
		return
	}
	m.indexed.Do(m.indexColumns)
	if row.Len() == m.columns || row.Outnumbers(len(m.column)) {
		for q, j := range m.column {
			if x := row.ValueOf(j); x != 0 {
				dst[m.class[q]] += float64(x * m.weight[q])
			}
		}
		return
	}
	for k, j := range row.Idx {
		for q := m.ptr[j]; q < m.ptr[j+1]; q++ {
			dst[m.class[q]] += float64(row.At(k) * m.weight[q])
		}
	}
}
