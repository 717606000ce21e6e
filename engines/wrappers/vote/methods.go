package vote

import (
	"slices"

	"tenfold/engines/numeric/ties"
)

// The methods.
const (
	borda      = "borda"
	median     = "median"
	reciprocal = "reciprocal"
	votes      = "votes"
)

// level is the share by which votes may miss what is asked for, for rounding.
const level = 1e-9

// join returns the joint score of each column, larger for better ones, and those selected, best first. Ties go to the smaller weighted
// mean of the places, of reciprocal ranks at once to the lowest number. Columns that no selector ranks are never selected.
func (e Engine) join(rankings []positions) (score []float64, order []int32) {
	columns := len(rankings[0].place)
	weights, total := e.Weights, 0.0
	if len(weights) == 0 {
		weights = slices.Repeat([]float64{1}, len(rankings))
	}
	for _, w := range weights {
		total += w
	}
	score = make([]float64, columns)
	nearness := make([]float64, columns) // minus the weighted mean of the places
	selected := make([]bool, columns)
	places := make([]float64, len(rankings))
	for j := range score {
		sum := 0.0
		for i, r := range rankings {
			places[i] = r.place[j]
			sum += e.contribution(r, j, weights[i], columns)
			nearness[j] -= float64(weights[i] * r.place[j])
			selected[j] = selected[j] || r.selected[j]
		}
		switch e.Method {
		case median:
			score[j] = -middle(places)
		case reciprocal:
			score[j] = sum
		case votes:
			score[j] = sum / total
			selected[j] = sum > 0 && sum >= float64(e.Share*total*(1-level))
		default:
			score[j] = sum / total
		}
		nearness[j] /= total
	}
	for j, is := range selected {
		if is {
			order = append(order, int32(j))
		}
	}
	if e.Method == reciprocal {
		ties.Sort(order, score)
	} else {
		ties.Sort(order, score, nearness)
	}
	return score, order
}

// contribution returns what one ranking adds to the score of a column, by its weight.
func (e Engine) contribution(r positions, j int, weight float64, columns int) float64 {
	switch e.Method {
	case borda:
		if columns == 1 {
			return weight
		}
		return weight * (float64(columns) - r.place[j]) / float64(columns-1)
	case reciprocal:
		if r.selected[j] {
			return weight / (60 + r.place[j])
		}
	case votes:
		if r.selected[j] && (e.Q == 0 || r.place[j] <= float64(e.Q)) {
			return weight
		}
	}
	return 0
}

// middle returns the median of some places. It sorts them.
func middle(places []float64) float64 {
	slices.Sort(places)
	n := len(places)
	return (places[(n-1)/2] + places[n/2]) / 2
}
