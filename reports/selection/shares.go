package selection

import (
	"cmp"
	"math"
	"slices"

	"tenfold/io/results"
)

// Shares returns the largest |coefficient|, or score of a model without coefficients, of each feature as a share of the largest of all; 1
// where there are neither.
func Shares(selected []results.Selected) map[string]float64 {
	coefficient := func(s results.Selected) float64 { return s.Coefficient }
	size, largest := coefficient, largestOf(selected, coefficient)
	if largest == 0 {
		size = func(s results.Selected) float64 { return s.Score }
		largest = largestOf(selected, size)
	}
	out := map[string]float64{}
	for _, s := range selected {
		share := 1.0
		if largest > 0 {
			share = Size(size(s)) / largest
		}
		out[s.Feature] = math.Max(out[s.Feature], share)
	}
	return out
}

func largestOf(selected []results.Selected, value func(results.Selected) float64) (largest float64) {
	for _, s := range selected {
		largest = math.Max(largest, Size(value(s)))
	}
	return largest
}

// Size returns |v|, 0 for what is not finite.
func Size(v float64) float64 {
	if !results.Finite(v) {
		return 0
	}
	return math.Abs(v)
}

// Importance holds what a feature counts in the models of the folds of a cell, 0 where it is not selected: its coefficient, the largest
// |coefficient| of several outputs, or the score of models without coefficients.
type Importance struct {
	Name   string
	Values []float64 // by fold
	Mean   float64
}

// Importances returns the features that folds select, by falling mean of |value|, ties by name, and what the values are. rows are those of
// the folds; none of the features has a value where neither coefficients nor scores are stored.
func Importances(folds [][]results.Selected) (all []Importance, what string) {
	outputs, coefficients, scores := map[string]bool{}, false, false
	for _, selected := range folds {
		for _, s := range selected {
			outputs[s.Output] = true
			coefficients, scores = coefficients || Size(s.Coefficient) > 0, scores || Size(s.Score) > 0
		}
	}
	value := func(s results.Selected) float64 { return s.Coefficient }
	switch {
	case coefficients && len(outputs) > 1:
		what = "largest |coefficient| of the outputs"
	case coefficients:
		what = "coefficient"
	case scores:
		what, value = "importance", func(s results.Selected) float64 { return s.Score }
	default:
		return nil, ""
	}
	number := map[string]int{}
	for fold, selected := range folds {
		for _, s := range selected {
			k, known := number[s.Feature]
			if !known {
				k = len(all)
				number[s.Feature], all = k, append(all, Importance{Name: s.Feature, Values: make([]float64, len(folds))})
			}
			switch v := value(s); {
			case !results.Finite(v):
			case len(outputs) > 1:
				all[k].Values[fold] = math.Max(all[k].Values[fold], math.Abs(v))
			default:
				all[k].Values[fold] = v
			}
		}
	}
	size := make(map[string]float64, len(all))
	for k := range all {
		for _, v := range all[k].Values {
			all[k].Mean += v / float64(len(folds))
			size[all[k].Name] += math.Abs(v)
		}
	}
	slices.SortFunc(all, func(a, b Importance) int {
		return cmp.Or(cmp.Compare(size[b.Name], size[a.Name]), cmp.Compare(a.Name, b.Name))
	})
	return all, what
}
