package metric

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tenfold/engines/numeric/elementary"
	"tenfold/io/results"
)

// areaOf returns the metric along a selection path of a metric of predictions.
func areaOf(name, along string) (Metric, bool) {
	m, ok := Find(along)
	if !ok || strings.HasPrefix(along, results.AreaPrefix) || m.Work || m.Score == nil {
		return Metric{}, false
	}
	axis := cmp.Or(m.Axis, strings.ReplaceAll(along, "_", " "))
	instead := m.Instead
	if instead != "" {
		instead = results.AreaPrefix + instead
	}
	return Metric{
		Instead: instead, Needs: m.Needs, Name: name, Doc: "area under " + along + " against the logarithm of the number of features, from the smallest to the largest size of a path, divided by its width",
		Better: m.Better, Target: m.Target, Also: m.Also, overall: m.overall, choice: m.choice,
		Properties: Properties{Training: m.Training, Commensurable: m.Commensurable, Axis: "mean over log features of " + axis},
	}, true
}

// deriveArea returns, for every output with values at two or more sizes, the area under the values by trapezoids over the
// logarithms of the sizes, divided by its width: a mean in which each doubling of the size counts the same.
func deriveArea(name, along string, stored []results.Score) []results.Score {
	var outputs []string
	curves := map[string][]results.Score{}
	for _, s := range stored {
		if s.Metric != along || s.Point <= 0 || math.IsNaN(s.Value) {
			continue
		}
		if curves[s.Output] == nil {
			outputs = append(outputs, s.Output)
		}
		curves[s.Output] = append(curves[s.Output], s)
	}
	var out []results.Score
	for _, output := range outputs {
		curve := curves[output]
		slices.SortStableFunc(curve, func(a, b results.Score) int { return cmp.Compare(a.Point, b.Point) })
		if v := underCurve(curve); !math.IsNaN(v) {
			out = append(out, results.Score{Metric: name, Output: output, Point: -1, Value: v, Higher: curve[0].Higher})
		}
	}
	return out
}

// underCurve returns the area divided by its width; NaN for a single size.
func underCurve(curve []results.Score) float64 {
	sum, first := 0.0, elementary.Log(float64(curve[0].Point))
	before := first
	for k := 1; k < len(curve); k++ {
		next := elementary.Log(float64(curve[k].Point))
		sum += float64((next - before) * (curve[k].Value + curve[k-1].Value) / 2)
		before = next
	}
	return sum / (before - first) // 0/0 for one size
}
