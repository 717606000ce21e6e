package score

import (
	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/runner/metric"
)

// CompareWithTruth scores the model's coefficients against those that generated the responses, if these are known.
func CompareWithTruth(outputs []Target, model engines.Model, train *data.View) {
	truth := train.Truth()
	if truth == nil {
		return
	}
	type coefficient struct{ target, feature int }
	isTrue, chosen := map[coefficient]bool{}, map[coefficient]bool{}
	for _, c := range truth {
		if !IsKept(train, int(c.Feature)) {
			isTrue[coefficient{int(c.Target), int(c.Feature)}] = true
		}
	}
	target, probes := targetsOfOutputs(train), train.Probes()
	for _, c := range engines.Entries(model) {
		if probes.Has(c.Feature) || IsKept(train, c.Feature) {
			continue
		}
		chosen[coefficient{target[c.Output], c.Feature}] = true
	}
	var all metric.Support
	trueFeature, chosenFeature := map[int]bool{}, map[int]bool{}
	found := make([]metric.Truth, len(outputs))
	for c := range isTrue {
		found[c.target].Coefficients.True++
		trueFeature[c.feature] = true
	}
	for c := range chosen {
		found[c.target].Coefficients.Chosen++
		if isTrue[c] {
			found[c.target].Coefficients.Both++
		}
		chosenFeature[c.feature] = true
	}
	all.True, all.Chosen = len(trueFeature), len(chosenFeature)
	for j := range chosenFeature {
		if trueFeature[j] {
			all.Both++
		}
	}
	for t := range outputs {
		found[t].Features = all
		outputs[t].Truth = &found[t]
	}
}

// targetsOfOutputs returns the target of each output of a model.
func targetsOfOutputs(v *data.View) []int {
	var targets []int
	for t := range v.Targets() {
		for range v.TargetInfo(t).Outputs() {
			targets = append(targets, t)
		}
	}
	return targets
}

// IsKept reports whether a feature is a column that is in every model.
func IsKept(train *data.View, feature int) bool {
	return feature < train.Columns() && !train.Competes(feature)
}
