package mkl

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// model is a sum of kernels at the training rows, b + Σ_m Σ_i α_mi·k_m(x_i, x). It has no coefficients of columns; the columns
// that it uses are those of the classes whose kernels it has.
type model struct {
	links      engines.Links
	bias       float64
	bases      columnSets  // that some kernel is on
	self       [][]float64 // of the training rows, by base
	all        []float64   // on all columns; nil where no kernel is on them
	jointScale float64     // what sums over bases are multiplied with for these
	terms      []kernelTerm
	picked     []int32
	fitted     engines.Fitted
}

// kernelTerm is a kernel in use on a base of the model (-1: all of them), with its weights of the training rows.
type kernelTerm struct {
	kernelShape
	base  int
	alpha []float64 // over the trace
}

func newModel(f *fitRun, used []weightedKernel) *model {
	m := &model{links: f.responses.Links(), bias: f.learner.bias}
	place := map[int]int{}
	need := func(b int) int {
		if k, ok := place[b]; ok {
			return k
		}
		place[b] = len(m.bases)
		m.bases, m.self = append(m.bases, f.bases[b]), append(m.self, f.self[b])
		return place[b]
	}
	for _, w := range used {
		k := f.learner.kernels[w.number]
		t := kernelTerm{kernelShape: k.kernelShape, base: -1, alpha: slices.Clone(f.learner.alpha[w.number])}
		for i := range t.alpha {
			t.alpha[i] /= k.trace
		}
		if k.base >= 0 {
			t.base = need(k.base)
		} else {
			m.all, m.jointScale = f.self[len(f.bases)], f.jointScale
		}
		m.terms = append(m.terms, t)
	}
	if m.all != nil {
		for b := range f.bases {
			need(b)
		}
	}
	for _, b := range m.bases {
		m.picked = append(m.picked, b.columns...)
	}
	slices.Sort(m.picked)
	return m
}

// classesInUse returns the classes in use, by name.
func (m *model) classesInUse(f *fitRun) string {
	var names []string
	for _, b := range m.bases {
		names = append(names, b.name)
	}
	if m.all != nil {
		return fmt.Sprintf("all %d", len(f.bases))
	}
	const few = 20
	text := fmt.Sprintf("%d of %d", len(names), len(f.bases))
	switch {
	case len(names) == 0:
		return text
	case len(names) > few:
		return text + ": " + strings.Join(names[:few], ", ") + ", …"
	}
	return text + ": " + strings.Join(names, ", ")
}

// Outputs follow the target: one, or two of a class.
func (m *model) Outputs() int { return m.links.Outputs() }

// Coefs returns nil: columns have no coefficients.
func (m *model) Coefs() []engines.Coef { return nil }

// Selected returns the columns in use.
func (m *model) Selected() []int32 { return m.picked }

// Fitted tells how the fit went.
func (m *model) Fitted() engines.Fitted { return m.fitted }

// Predict fills dst, row-major, in.Len() × Outputs(). A row costs O(entries of the training rows).
func (m *model) Predict(dst []float64, in data.Inputs) { engines.ScoreRows(dst, in, m) }

// Score fills dst with the outputs for one row.
func (m *model) Score(dst []float64, raw sparse.Vec) {
	score := m.bias
	squares, products := make([]float64, len(m.bases)), make([][]float64, len(m.bases))
	sum, ownSum := make([]float64, len(m.all)), 0.0
	for b, base := range m.bases {
		z := make([]float64, len(base.columns))
		base.centredRow(z, raw)
		for _, v := range z {
			squares[b] += float64(v * v)
		}
		squares[b] *= base.share
		products[b] = make([]float64, len(m.self[b]))
		base.innerProducts(products[b], z)
		if m.all != nil {
			ownSum += float64(m.jointScale * squares[b])
			for i, v := range products[b] {
				sum[i] += float64(m.jointScale * v)
			}
		}
	}
	for _, t := range m.terms {
		xz, xx, zz := sum, m.all, ownSum
		if t.base >= 0 {
			xz, xx, zz = products[t.base], m.self[t.base], squares[t.base]
		}
		for i, a := range t.alpha {
			score += float64(a * t.kernelValue(xz[i], xx[i], zz))
		}
	}
	m.links.Translate(dst, []float64{score})
}
