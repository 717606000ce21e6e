package combine

import (
	"slices"
	"sync"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/softmax"
	"tenfold/engines/numeric/sparse"
)

// Model is a log-linear model over columns and products of them, which it computes for every row.
type Model struct {
	*softmax.Model
	products *Products
	features *data.Features
	buffers  sync.Pool
}

// FeatureName returns the name of a column, or of a product: "a&b".
func (m *Model) FeatureName(j int) string { return m.products.Name(m.features, j) }

// Uses returns the columns that have a weight, and those in products that have one.
func (m *Model) Uses() []int32 {
	columns := engines.ColumnsOf(m.Model, m.features.Len())
	for _, c := range m.Coefs() {
		if c.Feature >= m.features.Len() {
			for _, j := range m.products.factors[c.Feature-m.products.columns] {
				if j >= 0 {
					columns = append(columns, j)
				}
			}
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// Predict fills dst, row-major, with the logarithms of the classes' probabilities.
func (m *Model) Predict(dst []float64, in data.Inputs) { engines.ScoreRows(dst, in, m) }

// Score fills dst with the logarithms of the classes' probabilities in one row.
func (m *Model) Score(dst []float64, row sparse.Vec) {
	buf, ok := m.buffers.Get().(*sparse.Vec)
	if !ok {
		buf = &sparse.Vec{}
	}
	m.Model.Score(dst, m.products.Extend(buf, row))
	m.buffers.Put(buf)
}
