package svm

import (
	"math"

	"tenfold/engines"
)

// toLinear turns a model with a linear kernel to weights of columns. Where levels have a machine each, these are all there is to it;
// votes still need every machine.
func (m *Model) toLinear(columns int) engines.Model {
	votes := false
	bias := make([]float64, m.levels)
	for _, d := range m.machines {
		votes = votes || m.isVote(d)
		bias[d.a] = d.bias
	}
	for l, w := range m.levelWeights(columns) {
		for j, v := range w {
			if v != 0 {
				m.coefs = append(m.coefs, engines.Coef{Feature: j, Output: l, Value: v, Rank: -1})
			}
		}
		if w != nil && m.scale != nil {
			for _, j := range m.scale.far {
				bias[l] -= float64(w[j] * m.scale.origin[j])
			}
		}
	}
	if votes {
		return m
	}
	for _, l := range m.absent {
		bias[l] = never
	}
	return engines.NewLinear(columns, bias, m.coefs, m.fitted)
}

// levelWeights returns the means, by level, of the weights for it of the machines that score it. nil for a level without one.
func (m *Model) levelWeights(columns int) [][]float64 {
	weights, machines := make([][]float64, m.levels), make([]float64, m.levels)
	add := func(level int, sign float64, w []float64) {
		if weights[level] == nil {
			weights[level] = make([]float64, columns)
		}
		for j, v := range w {
			weights[level][j] += float64(sign * v)
		}
		machines[level]++
	}
	for _, d := range m.machines {
		w := m.columnWeights(d, columns)
		add(d.a, 1, w)
		if m.isVote(d) {
			add(d.b, -1, w)
		}
	}
	for l, w := range weights {
		for j := range w {
			w[j] /= machines[l]
		}
	}
	return weights
}

// columnWeights returns those of a machine on the columns as they were before scaling. Sums that are nothing but rounding, as of columns that are
// constant, are zero.
func (m *Model) columnWeights(d decision, columns int) []float64 {
	w, size := make([]float64, columns), make([]float64, columns)
	for k, i := range d.beta.Idx {
		row := m.vectors.x.Row(int(i))
		for q, j := range row.Idx {
			v := float64(d.beta.Val[k] * row.At(q))
			w[j] += v
			size[j] += math.Abs(v)
		}
	}
	for j := range w {
		if math.Abs(w[j]) <= 1e-13*size[j] {
			w[j] = 0
		} else if m.scale != nil {
			w[j] *= m.scale.factor[j]
		}
	}
	return w
}
