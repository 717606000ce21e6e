package metric

import (
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/decision"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/elementary"
	"tenfold/io/results"
)

func TestOracleCosts(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"cost_decisions": checkCosts})
}

func checkCosts(t *testing.T, c oracle.Case) {
	var in struct {
		Cost, Probabilities [][]float64
		Weights, Y          []float64
	}
	var want struct {
		Decisions []int
		MeanCost  float64  `json:"mean_cost"`
		Plain     float64  `json:"mean_cost_plain"`
		Cut       *float64 `json:"cut"`
	}
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Expected, &want)
	costs, levels := results.Costs{}, make([]string, len(in.Cost))
	for truth, of := range in.Cost {
		levels[truth] = fmt.Sprint(truth)
		costs[fmt.Sprint(truth)] = map[string]float64{}
		for prediction, cost := range of {
			costs[fmt.Sprint(truth)][fmt.Sprint(prediction)] = cost
		}
	}
	set := Set{"cost": {Name: "cost", Matrix: costs}}
	m, _ := set.Find("cost")
	rule := &decision.Rule{Positive: 1, Costs: costs.Matrix(levels)}
	for _, d := range []struct {
		rule *decision.Rule
		want float64
	}{{rule, want.MeanCost}, {nil, want.Plain}} {
		o := &Outcome{Type: data.Class, Levels: levels, Test: Side{Truth: in.Y, Weight: in.Weights}}
		stored := results.Predictions{Truth: in.Y, Weight: in.Weights}
		for i, row := range in.Probabilities {
			logs := make([]float64, len(row))
			for k, p := range row {
				logs[k] = elementary.Log(p)
			}
			o.Test.Add(logs, data.Class, d.rule)
			if got := int(o.Test.Prediction[i]); d.rule != nil && got != want.Decisions[i] {
				t.Errorf("row %d: %d, expected %d", i, got, want.Decisions[i])
			}
			stored.Row, stored.Output = append(stored.Row, fmt.Sprint(i)), append(stored.Output, "")
			stored.TruthLabel = append(stored.TruthLabel, levels[int(in.Y[i])])
			stored.PredictionLabel = append(stored.PredictionLabel, levels[int(o.Test.Prediction[i])])
		}
		stored.Prediction = o.Test.Prediction
		oracle.Near(t, "mean cost", m.Score(o), d.want, 1e-12)
		oracle.Near(t, "mean cost of counts", m.ByDecisions(levels)(confuse(o, &o.Test), 1), d.want, 1e-12)
		if got := set.Derive("cost", &results.Outcome{Predictions: stored}); len(got) != 1 {
			t.Errorf("of stored predictions: %v", got)
		} else {
			oracle.Near(t, "mean cost of stored predictions", got[0].Value, d.want, 1e-12)
		}
	}
	if want.Cut != nil {
		oracle.Near(t, "cut", 1/(1+elementary.Exp(-decision.CostCut(rule.Costs, 1))), *want.Cut, 1e-12)
	}
}

// Costs of levels that a target does not have are no costs of it, and a prediction that never costs more is said.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs := results.Costs{"yes": {"no": 5}, "no": {"yes": 1}}
	set := Set{"cost": {Name: "cost", Matrix: costs}}
	m, _ := set.Find("cost")
	if got := m.UnknownLevel([]data.Target{{Levels: []string{"no", "yes", "maybe"}}}); got != "" {
		t.Error(got)
	}
	if got := m.UnknownLevel([]data.Target{{Levels: []string{"no", "ys"}}}); !strings.Contains(got, `did you mean "ys"?`) {
		t.Error(got)
	}
	if costs.Matrix([]string{"a", "b"}) != nil || Set(nil).Identity("cost") != "" {
		t.Error("costs of other levels")
	}
	for words, d := range map[string]Definition{
		"":           {Matrix: costs},
		"predicting": {Matrix: results.Costs{"yes": {"no": 5}, "no": {"yes": 0}}},
	} {
		if got := d.Needless(); (got == "") != (words == "") || !strings.HasPrefix(got, words) {
			t.Errorf("%v: %q", d.Matrix, got)
		}
	}
	same := Set{"cost": {Name: "cost", Matrix: results.Costs{"no": {"yes": 1, "no": 0}, "yes": {"no": 5}, "maybe": {}}}}
	if a, b := set.Identity("cost"), same.Identity("cost"); a != b || a != `{"no":{"yes":1},"yes":{"no":5}}` {
		t.Errorf("%s and %s", a, b)
	}
}
