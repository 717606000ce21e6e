package score

import (
	"math"
	"slices"
	"strconv"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/io/results"
	"tenfold/runner/metric"
)

// KeepPredictions stores the predictions for the test rows. Scores and losses are stored as logarithms: probabilities round to 0
// and 1.
func KeepPredictions(o *results.Outcome, test *data.View, outputs []Target) {
	p := &o.Predictions
	groups, weights := test.Groups(), test.Weights()
	for q := range outputs {
		out := &outputs[q]
		if out.Type == data.Survival && out.Train.Truth != nil {
			p.Curves = append(p.Curves, metric.CurveOf(&out.Outcome, out.name))
		}
		if out.Type == data.Class && len(out.Levels) == 2 {
			p.Positives = append(p.Positives, results.Positive{Output: out.name, Level: out.Levels[out.Positive]})
		}
		for k, row := range out.rows {
			p.Row = append(p.Row, test.ID(row))
			p.Group = append(p.Group, groupText(groups, row))
			p.Output = append(p.Output, out.name)
			truth, prediction := out.Test.Truth[k], out.Test.Prediction[k]
			p.Truth = append(p.Truth, truth)
			p.Prediction = append(p.Prediction, prediction)
			if weights != nil {
				p.Weight = append(p.Weight, weights[row])
			}
			if out.Type != data.Class {
				label := ""
				if out.Type == data.Survival {
					label = [...]string{results.Censored, results.Event}[out.Test.Events[k]]
				}
				p.Score, p.Margin, p.LogProbability = append(p.Score, math.NaN()), append(p.Margin, math.NaN()), append(p.LogProbability, math.NaN())
				p.TruthLabel, p.PredictionLabel = append(p.TruthLabel, label), append(p.PredictionLabel, "")
				continue
			}
			levels := len(out.Levels)
			score, margin, logProbability := math.NaN(), math.NaN(), math.NaN()
			if out.Test.Score != nil { // nil: predictions of levels alone, made elsewhere
				scores, level := out.Test.Score[k*levels:(k+1)*levels], int(prediction)
				score = scores[level]
				if levels == 2 {
					score, margin = scores[out.Positive], scores[out.Positive]-scores[1-out.Positive]
				}
				if out.Probabilities {
					score, logProbability = elementary.Exp(score), scores[int(truth)]
				}
			}
			p.Score, p.Margin, p.LogProbability = append(p.Score, score), append(p.Margin, margin), append(p.LogProbability, logProbability)
			p.TruthLabel = append(p.TruthLabel, out.Levels[int(truth)])
			p.PredictionLabel = append(p.PredictionLabel, out.Levels[int(prediction)])
		}
	}
	for _, values := range []*[]float64{&p.Margin, &p.LogProbability} {
		if !slices.ContainsFunc(*values, func(x float64) bool { return !math.IsNaN(x) }) {
			*values = nil
		}
	}
}

// groupText returns the number of the row's group, "" if there are no groups.
func groupText(groups *data.Groups, row int) string {
	if groups == nil {
		return ""
	}
	return strconv.Itoa(int(groups.Of[row]))
}
