package stability

import (
	"fmt"
	"strings"

	"tenfold/engines/data"
)

// thresholds is the number of thresholds tried, in hundredths.
const thresholds = 100

// curve returns FDP⁺(t) at t = 0, 0.01, …, 0.99: the estimated share of mistakes among the columns that more than a share t of the
// halves selected (Hédou et al. 2024, equation 2), from how many halves selected each column and each decoy; and the first t, in
// hundredths, where it is smallest.
func curve(d data.Probes, real, decoy []int, halves int) (fdp [thresholds]float64, last int) {
	above := func(counts []int, t int) (n int) {
		for _, c := range counts {
			if thresholds*c > t*halves {
				n++
			}
		}
		return n
	}
	for t := range fdp {
		wrong := 1 + float64(float64(d.Candidates)/float64(d.Number)*float64(above(decoy, t)))
		fdp[t] = wrong / float64(max(1, above(real, t)))
		if fdp[t] < fdp[last] {
			last = t
		}
	}
	return fdp, last
}

// thresholdByDecoys sets the threshold by the decoys, and then removes them from the counts; real is the number of other items.
func thresholdByDecoys(d data.Probes, real int, rule *plan, t *counts) (facts []data.Fact, notes []string) {
	fdp, last := curve(d, t.times[:real], t.times[real:], t.halves)
	t.times = t.times[:real]
	rule.Threshold = float64(last) / thresholds
	rule.Count = last*t.halves/thresholds + 1
	if fdp[last] > 1 {
		rule.Count = t.halves + 1
		notes = append(notes, fmt.Sprintf("nothing is selected: at every threshold decoys are as frequent as columns (estimated share of mistakes %.4g)", fdp[last]))
	}
	var steps []string
	for k, v := range fdp {
		if k == 0 || v != fdp[k-1] {
			steps = append(steps, fmt.Sprintf("%.2f: %.3g", float64(k)/thresholds, v))
		}
	}
	return []data.Fact{
		{Name: "decoys", Value: fmt.Sprintf("%d of %d columns that vary", d.Number, d.Candidates)},
		{Name: "threshold found by decoys", Value: fmt.Sprintf("more than %.2f of %d halves", rule.Threshold, t.halves)},
		{Name: "share of mistakes, as decoys estimate it", Value: fmt.Sprintf("%.4g", fdp[last])},
		{Name: "the same from each threshold on", Value: strings.Join(steps, ", ")},
	}, notes
}
