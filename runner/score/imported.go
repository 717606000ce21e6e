package score

import (
	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/results"
)

// Request describes the test rows of a fold to the source of predictions made elsewhere, by their places in the fold. It has no
// responses.
type Request struct {
	Targets []data.Target            // without values
	ID      func(i int) string       // of the i-th test row
	Defined func(target, i int) bool // whether the response is known there: if not, no prediction is needed
}

// Imported holds predictions for the test rows of a fold that were made elsewhere.
type Imported struct {
	Scores        []float64          // test rows × outputs, row-major, as Model.Predict fills it
	Labels        []int32            // test rows × targets: the predicted level; nil: the level with the largest score
	Unscored      []bool             // for each class target, whether there are only labels, so that scores mean nothing
	Probabilities bool               // scores of classes are logarithms of probabilities
	Selected      []results.Selected // features, each with its output where that is known; nil: not known
}

// ImportedModel takes the place of the unknown model that made the predictions.
type ImportedModel struct {
	*Imported
	Coefficients []engines.Coef // for comparison with true ones; nil if not known
	outputs      int
}

// NewImportedModel returns the model of predictions for test rows.
func NewImportedModel(p *Imported, test *data.View) *ImportedModel {
	m := &ImportedModel{Imported: p}
	for t := range test.Targets() {
		m.outputs += test.TargetInfo(t).Outputs()
	}
	return m
}

// Outputs returns the number of outputs of all targets of the test rows.
func (m *ImportedModel) Outputs() int { return m.outputs }

// Coefs returns Coefficients.
func (m *ImportedModel) Coefs() []engines.Coef { return m.Coefficients }

// Fitted returns what is known of the model: whether its scores are logarithms of probabilities.
func (m *ImportedModel) Fitted() engines.Fitted {
	return engines.Fitted{Probabilities: m.Probabilities}
}

// Predict panics: Outputs takes the predictions as they are.
func (m *ImportedModel) Predict([]float64, data.Inputs) {
	panic("predictions made elsewhere are of their own rows alone")
}

// NewRequest returns the description of the test rows of a fold.
func NewRequest(test *data.View) Request {
	a := Request{ID: test.ID}
	undefined := make([]map[int]bool, test.Targets())
	for t := range test.Targets() {
		info := test.TargetInfo(t)
		info.Values = nil
		a.Targets = append(a.Targets, info)
		defined, _ := test.Target(t)
		if defined == nil {
			continue
		}
		undefined[t] = map[int]bool{}
		next := 0
		for i := range test.Len() {
			if next < len(defined) && int(defined[next]) == i {
				next++
			} else {
				undefined[t][i] = true
			}
		}
	}
	a.Defined = func(t, i int) bool { return !undefined[t][i] }
	return a
}
