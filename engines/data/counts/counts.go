// Package counts reads targets of counts.
package counts

import (
	"fmt"

	"tenfold/engines/data"
)

// Rates returns the rows on which count target t is defined, as a view, their rates (counts divided by exposures), and their weights times
// exposures, nil for 1 each. Poisson's likelihood of rates with these weights is that of the counts: an exposure is a weight. Counts
// that are all 0, among rows that have a weight, are an error.
func Rates(v *data.View, t int) (rows *data.View, rate []float64, weight data.Weights, err error) {
	rows, y := v.Defined(t)
	weight, exposure := rows.Weights(), rows.Exposures()
	total := 0.0
	for i, count := range y {
		total += float64(weight.Of(i) * count)
	}
	if !(total > 0) {
		return nil, nil, nil, fmt.Errorf("target %s: all counts of the %d training rows are 0, so that nothing can be learned about them", v.TargetInfo(t).Name, len(y))
	}
	if exposure == nil {
		return rows, y, weight, nil
	}
	rate = make([]float64, len(y))
	exposed := make(data.Weights, len(y))
	for i, count := range y {
		rate[i], exposed[i] = count/exposure[i], float64(weight.Of(i)*exposure[i])
	}
	return rows, rate, exposed, nil
}
