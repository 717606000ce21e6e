package scores

import (
	"context"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/elementary"
)

// entropies holds the entropies, in nats, of a column X, the class Y and both, with shares of the rows' weight for probabilities, and the
// sums of squared shares that Gini's index takes.
type entropies struct {
	x, y, xy   float64
	yy, within float64 // Σ p_y², Σ p_xy²/p_x
}

// information returns I(X;Y) = H(X) + H(Y) − H(X,Y).
func (e entropies) information() float64 { return max(0, e.x+e.y-e.xy) }

// levelScore returns the score of that name, nil if it is none of levels.
func levelScore(name string) func(e entropies) float64 {
	switch name {
	case informationGain:
		return entropies.information
	case gainRatio: // Quinlan 1993
		return func(e entropies) float64 { return e.information() / e.x }
	case symmetricUncertainty: // Hall 1999, equation 4.7
		return func(e entropies) float64 { return 2 * e.information() / (e.x + e.y) }
	case gini: // Breiman et al. 1984: the decrease of 1 − Σ p_y²
		return func(e entropies) float64 { return max(0, e.within-e.yy) }
	}
	return nil
}

// entropiesOf returns the entropies of a table of levels × classes; ok is false if one of the two has one value. O(cells).
func entropiesOf(table [][]float64) (e entropies, ok bool) {
	class, total, levels, classes := make([]float64, len(table[0])), 0.0, 0, 0
	for _, row := range table {
		for c, w := range row {
			class[c] += w
			total += w
		}
	}
	for _, w := range class {
		if w > 0 {
			classes++
			e.y += elementary.Entr(w / total)
			e.yy += float64((w / total) * (w / total))
		}
	}
	for _, row := range table {
		weight, squares := 0.0, 0.0
		for _, w := range row {
			if w > 0 {
				weight += w
				squares += float64((w / total) * (w / total))
				e.xy += elementary.Entr(w / total)
			}
		}
		if weight > 0 {
			levels++
			e.x += elementary.Entr(weight / total)
			e.within += squares / (weight / total)
		}
	}
	return e, levels > 1 && classes > 1
}

// scoreTable returns a score of a table, 0 if column or class have one value.
func scoreTable(table [][]float64, score func(e entropies) float64) float64 {
	e, varies := entropiesOf(table)
	if !varies {
		return 0
	}
	return score(e)
}

// rankLevels ranks columns, or variables where these are selected together, by a score of levels.
func (e Filter) rankLevels(ctx context.Context, run engines.Run) (*ranking.Ranking, error) {
	train := run.Train
	view, y, err := train.LevelsOf(0)
	if err != nil {
		return nil, err
	}
	score, classes, weights := levelScore(e.Score), len(train.TargetInfo(0).Levels), view.Weights()
	r := &ranking.Ranking{Score: make([]float64, view.Columns())}
	cut, err := e.CountClasses(ctx, view, y, classes, weights, run.Workers, func(j int, table [][]float64) { r.Score[j] = scoreTable(table, score) })
	if err != nil {
		return nil, err
	}
	if cut > 0 {
		r.Facts = []data.Fact{{Name: "columns cut into levels of equal frequency", Value: fmt.Sprint(cut)}}
	}
	if train.Together() {
		err := r.JoinUnits(train, view.Matrix(), func(level []int32, levels int, _ []ranking.Result) ranking.Result {
			table := make([][]float64, levels)
			for l := range table {
				table[l] = make([]float64, classes)
			}
			for i, l := range level {
				table[l][y[i]] += weights.Of(i)
			}
			return ranking.Result{Score: scoreTable(table, score)}
		})
		if err != nil {
			return nil, err
		}
	}
	r.SetOrder(train, floor)
	return r, nil
}
