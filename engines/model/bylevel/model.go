package bylevel

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// Model holds the models of the levels. Its output for a level is the score of the level against the rest. If all models give
// logarithms of probabilities, the probabilities are divided by their sum, so that outputs are such logarithms again, and a level
// without a model has its share of the training rows. Other scores stay as they are; they cannot be compared with shares, so a
// level without a model then has the lowest score of the row.
//
// Among equal highest scores, that of the level with more training rows is raised by one unit in the last place; between levels
// with as many the lower one wins, as everywhere.
type Model struct {
	parts    []engines.Model // by level, nil for a level without a model
	share    []float64       // of the training rows, by level
	coefs    []engines.Coef
	features *data.Features
	names    []string // names of features that only models have, numbered after the columns
	fitted   engines.Fitted
}

// scoring is a Model of models that score single rows.
type scoring struct{ *Model }

func newModel(features *data.Features, share []float64, parts []engines.Model, fitted engines.Fitted) engines.Model {
	m := &Model{parts: parts, share: share, features: features, fitted: fitted}
	m.joinCoefs()
	for _, part := range parts {
		if _, ok := part.(engines.Scorer); part != nil && !ok {
			return m
		}
	}
	return scoring{m}
}

// Close closes the models of the levels.
func (m *Model) Close() { closeAll(m.parts) }

func closeAll(parts []engines.Model) {
	for _, part := range parts {
		if part != nil {
			engines.Close(part)
		}
	}
}

// Outputs returns the number of levels.
func (m *Model) Outputs() int { return len(m.parts) }

// Coefs returns the weights of columns for a level, against the rest.
func (m *Model) Coefs() []engines.Coef { return m.coefs }

// Biases returns the biases of the levels against the rest, 0 for a level without a model.
func (m *Model) Biases() []float64 {
	out := make([]float64, len(m.parts))
	for level, part := range m.parts {
		if part == nil {
			continue
		}
		two := engines.Biases(part)
		if two == nil {
			return nil
		}
		out[level] = two[1] - two[0]
	}
	return out
}

// Selected returns the columns that models use without a weight for each.
func (m *Model) Selected() (columns []int32) {
	for _, part := range m.parts {
		if s, ok := part.(engines.Selective); ok {
			columns = append(columns, s.Selected()...)
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// Importances returns the selected columns of models without coefficients that have importances. The score of a column is the sum over
// levels, its rank that of the score, ties to the lower column.
func (m *Model) Importances() []engines.Coef {
	score := make(map[int32]float64)
	for _, part := range m.parts {
		if w, ok := part.(engines.Weighing); ok {
			for _, c := range w.Importances() {
				score[int32(c.Feature)] += c.Score
			}
		}
	}
	order := slices.Sorted(maps.Keys(score))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(score[b], score[a]) })
	return engines.Ranked(order, func(_ int, j int32) float64 { return score[j] })
}

// Uses returns the columns that any model depends on.
func (m *Model) Uses() (columns []int32) {
	for _, part := range m.parts {
		if part != nil {
			columns = append(columns, engines.Uses(part, m.features.Len())...)
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// Fitted reports how the fits ended.
func (m *Model) Fitted() engines.Fitted { return m.fitted }

// FeatureName returns the name of a column, or of a feature of the models' own.
func (m *Model) FeatureName(j int) string {
	if n := m.features.Len(); j >= n {
		return m.names[j-n]
	}
	return m.features.Name(j)
}

// Predict fills dst, row-major, in.Len() × Outputs().
func (m *Model) Predict(dst []float64, in data.Inputs) {
	levels, two := len(m.parts), make([]float64, 2*in.Len())
	for level, part := range m.parts {
		if part == nil {
			continue
		}
		part.Predict(two, in)
		for i := range in.Len() {
			dst[i*levels+level] = two[2*i+1]
		}
	}
	for i := range in.Len() {
		m.normalize(dst[i*levels : (i+1)*levels])
	}
}

// Score fills dst with the outputs for one row.
func (m scoring) Score(dst []float64, row sparse.Vec) {
	two := make([]float64, 2)
	for level, part := range m.parts {
		if part != nil {
			part.(engines.Scorer).Score(two, row)
			dst[level] = two[1]
		}
	}
	m.normalize(dst)
}

// normalize turns the models' scores for one row into outputs, in place.
func (m *Model) normalize(scores []float64) {
	m.complete(scores)
	best := m.best(scores)
	if m.fitted.Probabilities {
		elementary.LogSoftmax(scores)
	}
	for _, s := range scores[:best] {
		if s == scores[best] {
			scores[best] = math.Nextafter(s, math.Inf(1))
			return
		}
	}
}

// complete sets the scores of levels without a model.
func (m *Model) complete(scores []float64) {
	lowest, highest := math.Inf(1), math.Inf(-1)
	for level, part := range m.parts {
		if part != nil {
			lowest, highest = min(lowest, scores[level]), max(highest, scores[level])
		}
	}
	nothing := m.fitted.Probabilities && math.IsInf(highest, -1) // there are no models, or for all of them their levels are impossible
	for level, part := range m.parts {
		switch {
		case nothing || part == nil && m.fitted.Probabilities:
			scores[level] = elementary.Log(m.share[level])
		case part == nil:
			scores[level] = lowest
		}
	}
}

// best returns the best level by score, then by rows.
func (m *Model) best(scores []float64) int {
	best := 0
	for level, s := range scores {
		if s > scores[best] || s == scores[best] && m.share[level] > m.share[best] {
			best = level
		}
	}
	return best
}
