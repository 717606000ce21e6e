package execute

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/suggest"
	"tenfold/io/results"
)

// Asked describes the test rows of a fold to the source of predictions made elsewhere, by their places in the fold. It has no
// responses.
type Asked struct {
	Targets []data.Target            // without values
	ID      func(i int) string       // of the i-th test row
	Defined func(target, i int) bool // whether the response is known there: if not, no prediction is needed
}

// Given holds predictions for the test rows of a fold that were made elsewhere.
type Given struct {
	Scores        []float64          // test rows × outputs, row-major, as Model.Predict fills it
	Labels        []int32            // test rows × targets: the predicted level; nil: the level with the largest score
	Unscored      []bool             // for each class target, whether there are only labels, so that scores mean nothing
	Probabilities bool               // scores of classes are logarithms of probabilities
	Selected      []results.Selected // features, each with its output where that is known; nil: not known
}

// givenModel takes the place of the unknown model that made the predictions.
type givenModel struct {
	*Given
	outputs int
	coefs   []engines.Coef // for comparison with true ones
}

func (m *givenModel) Outputs() int           { return m.outputs }
func (m *givenModel) Coefs() []engines.Coef  { return m.coefs }
func (m *givenModel) Fitted() engines.Fitted { return engines.Fitted{Probabilities: m.Probabilities} }

// Predict panics: modelScores takes the predictions as they are.
func (m *givenModel) Predict([]float64, data.Inputs) {
	panic("predictions made elsewhere are of their own rows alone")
}

// judgeGiven scores predictions made elsewhere like those of a model. Training error, model sizes that no file gives, and the work
// it took are unknown.
func judgeGiven(u *Unit, o *results.Outcome) error {
	train, test, told, err := u.Split.prepare()
	if err != nil {
		return err
	}
	o.Columns, o.Prepared, o.Optimistic = int64(train.RealColumns()), append(o.Prepared, told.facts...), train.Pooled()
	o.Notes = append(o.Notes, told.warnings...)
	o.CPUSeconds = math.NaN()
	given, err := u.Given(asked(test))
	if err != nil {
		return err
	}
	model := &givenModel{Given: given}
	for t := range test.Targets() {
		model.outputs += test.TargetInfo(t).Outputs()
	}
	outputs, err := predictTargets(model, nil, test, 1)
	if err != nil {
		return err
	}
	if given.Selected != nil {
		if err := addGivenSelection(o, model, train); err != nil {
			return err
		}
		if model.coefs != nil {
			compareWithTruth(outputs, model, train)
		}
	}
	o.Scores = append(o.Scores, candidateScores(train)...)
	u.recordPredictions(o, test, outputs)
	return nil
}

// asked describes the test rows of a fold, without their responses.
func asked(test *data.View) Asked {
	a := Asked{ID: test.ID}
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

// addGivenSelection records the selected features, some of which may not be columns of the fold. The model gets them as
// coefficients if all are columns and name their outputs.
func addGivenSelection(o *results.Outcome, m *givenModel, train *data.View) error {
	features := train.Features()
	output := map[string]int{}
	var outputs []string
	for k := range m.outputs {
		name := outputName(train, k)
		output[name], outputs = k, append(outputs, name)
	}
	names, nonzero, whole := map[string]bool{}, 0, true
	var strange []string
	coefs := []engines.Coef{}
	for _, s := range m.Selected {
		j, isColumn := features.Lookup(s.Feature)
		k, isOutput := output[s.Output]
		if s.Output != "" && !isOutput {
			return fmt.Errorf("selections: feature %q: there is no output %q%s", s.Feature, s.Output, suggest.Choices(s.Output, outputs))
		}
		if isColumn {
			s.Unit, s.Kept = train.UnitName(j), isKept(train, j)
			if k := features.Class(j); k >= 0 {
				s.Class = features.Classes()[k]
			}
		} else if !names[s.Feature] {
			strange = append(strange, s.Feature)
		}
		names[s.Feature] = true
		if s.Coefficient != 0 && !s.Kept {
			nonzero++
		}
		whole = whole && !math.IsNaN(s.Coefficient)
		if coefs != nil && isColumn && isOutput {
			coefs = append(coefs, engines.Coef{Feature: j, Output: k})
		} else {
			coefs = nil
		}
		o.Selected = append(o.Selected, s)
	}
	slices.SortStableFunc(o.Selected, func(a, b results.Selected) int {
		return cmp.Or(cmp.Compare(a.Output, b.Output), cmp.Compare(a.Rank, b.Rank))
	})
	m.coefs = coefs
	sorted := slices.Sorted(maps.Keys(names))
	o.Features, o.SelectedSum = int32(countSelected(sorted, train)), namesDigest(sorted)
	o.Scores = append(o.Scores, workScore("selected", finalPoint, float64(o.Features)))
	if whole {
		o.Nonzero = int32(nonzero)
		o.Scores = append(o.Scores, workScore("nonzero", finalPoint, float64(nonzero)))
	}
	if len(strange) > 0 {
		o.Notes = append(o.Notes, fmt.Sprintf("%d of %d selected features are no columns of this fold, such as %q", len(strange), len(names), strange[0]))
	}
	return nil
}
