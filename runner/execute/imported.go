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
	"tenfold/runner/score"
)

// scoreImported scores predictions made elsewhere like those of a model. Training error, model sizes that no file gives, and the work
// it took are unknown.
func scoreImported(u *Unit, o *results.Outcome) error {
	train, test, notices, err := u.Split.prepare()
	if err != nil {
		return err
	}
	o.Columns, o.Prepared, o.Optimistic = int64(train.RealColumns()), append(o.Prepared, notices.facts...), train.Pooled()
	o.Notes = append(o.Notes, notices.warnings...)
	o.CPUSeconds = math.NaN()
	given, err := u.Imported(score.NewRequest(test))
	if err != nil {
		return err
	}
	model := score.NewImportedModel(given, test)
	outputs, err := score.Predict(model, nil, test, 1)
	if err != nil {
		return err
	}
	if given.Selected != nil {
		if err := addImportedSelection(o, model, train); err != nil {
			return err
		}
		if model.Coefficients != nil {
			score.CompareWithTruth(outputs, model, train)
		}
	}
	o.Scores = append(o.Scores, candidateScores(train)...)
	u.recordPredictions(o, test, outputs)
	return nil
}

// addImportedSelection records the selected features, some of which may not be columns of the fold. The model gets them as
// coefficients if all are columns and name their outputs.
func addImportedSelection(o *results.Outcome, m *score.ImportedModel, train *data.View) error {
	features := train.Features()
	output := map[string]int{}
	var outputs []string
	for k := range m.Outputs() {
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
			s.Unit, s.Kept = train.UnitName(j), score.IsKept(train, j)
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
	m.Coefficients = coefs
	sorted := slices.Sorted(maps.Keys(names))
	o.Features, o.SelectedSum = int32(countSelected(sorted, train)), namesDigest(sorted)
	o.Scores = append(o.Scores, workScore("selected", score.FinalPoint, float64(o.Features)))
	if whole {
		o.Nonzero = int32(nonzero)
		o.Scores = append(o.Scores, workScore("nonzero", score.FinalPoint, float64(nonzero)))
	}
	if len(strange) > 0 {
		o.Notes = append(o.Notes, fmt.Sprintf("%d of %d selected features are no columns of this fold, such as %q", len(strange), len(names), strange[0]))
	}
	return nil
}
