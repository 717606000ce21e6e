// Package boruta selects all columns that matter to a random forest (Kursa & Rudnicki 2010): those that are more important than any
// permuted column in more runs than by chance.
//
// boruta.go runs forest after forest on the columns that are not rejected, and their shadows, which package forest makes. trial.go counts
// the runs that each column wins, and tests whether they are too many, or too few, for chance.
package boruta

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/param"
	"tenfold/engines/trees/forest"
)

// Boruta is the engine's parameters.
type Boruta struct {
	forest.Growing `yaml:",inline"`
	Importance     string  `yaml:"importance" doc:"of a column, in each run: z (the rise of the error out of the bag when its values are permuted, divided by its standard error over the trees), permutation (the rise), impurity (the decrease by its splits)"`
	Alpha          float64 `yaml:"alpha" doc:"level of either test of a column, above 0 and below 1"`
	Correct        bool    `yaml:"correct" doc:"p-values are multiplied by the number of columns (Bonferroni)"`
	MaxRuns        int     `yaml:"max_runs" doc:"one more than the runs that there are at most, at least 11: as in the R package"`
	Rough          bool    `yaml:"rough" doc:"columns that are undecided after the last run are selected where their median importance is above that of the largest shadow"`
}

// Kind is the engine boruta.
var Kind = engines.Define(engines.Kind{
	Name: "boruta",
	Doc:  "all columns that matter to a random forest: those that are more important than any permuted column in more runs than by chance",
	Cite: "Kursa & Rudnicki 2010",
	Rev:  4,
}, Boruta{Growing: forest.Growing{Trees: 500, MinSplit: 2, Bootstrap: true}, Importance: forest.ZScore, Alpha: 0.01, Correct: true, MaxRuns: 100})

// Validate checks the parameters.
func (e Boruta) Validate() error {
	return errors.Join(
		e.forest().Validate(),
		param.Require("alpha", e.Alpha > 0 && e.Alpha < 1, "%v, expected a number above 0 and below 1", e.Alpha),
		param.Require("max_runs", e.MaxRuns >= 11 && e.MaxRuns <= 10_000, "%d, expected 11 to 10000", e.MaxRuns),
	)
}

// forest returns the forest of a run.
func (e Boruta) forest() forest.Forest {
	return forest.Forest{Growing: e.Growing, Importance: e.Importance}
}

// Needs returns what the engine asks of data: a target of either type.
func (e Boruta) Needs() engines.Needs {
	return engines.Needs{Rates: true, Keeps: true, WholeWeights: !e.Bootstrap, Missing: true}
}

// Footprint returns the memory of a fit: a forest on columns and shadows, and the importances of all runs.
func (e Boruta) Footprint(s engines.Shape) engines.Footprint {
	history := 16 * int64(e.MaxRuns) * int64(s.Columns)
	s.Columns, s.Entries = 2*s.Columns, 3*s.Entries
	return e.Growing.Footprint(s).And(history)
}

// InnerFits counts a forest for each run.
func (e Boruta) InnerFits(engines.Shape) int { return e.MaxRuns - 1 }

// Fit grows a forest on the columns that Choose confirms.
func (e Boruta) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	chosen, fitted, err := e.Choose(ctx, run)
	if err != nil {
		return nil, err
	}
	return narrowed.On(ctx, e, chosen, fitted, forest.Regrown{Forest: forest.Forest{Growing: e.Growing, Importance: forest.Impurity}}, run)
}

// Choose chooses the columns that are confirmed, beside those that are kept: every node looks at these, and none of them is on trial. The score is the median of the importances over the runs, and rank is by it.
// O(runs) forests on up to twice the columns.
func (e Boruta) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	rows, err := e.Read(ctx, run)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	number := rows.Columns()
	var kept []int32
	for k, j := range number {
		if !run.Train.Competes(int(j)) {
			kept = append(kept, int32(k))
		}
	}
	t, seed, evaluated := newTrial(e, len(number), kept...), run.Rand.Uint64(), int64(0)
	for t.open() > 0 && t.runs < e.MaxRuns-1 {
		kept := t.kept()
		work := engines.Work{What: "run of boruta", Engine: e.forest(), On: []*data.View{run.Train}, Columns: kept, Seed: [2]uint64{seed, uint64(t.runs)}}
		y, _, err := run.Recalled(work, func(inside engines.Run) (engines.Yield, error) {
			c, err := e.forest().CompareShadows(ctx, rows, kept, rand.New(rand.NewPCG(work.Seed[0], work.Seed[1])), inside.Workers)
			return engines.Yield{Values: append(slices.Clone(c.Importance), c.Shadow, float64(c.Evaluated))}, err
		})
		if err != nil {
			return nil, engines.Fitted{}, err
		}
		t.add(kept, y.Values[:len(kept)], y.Values[len(kept)])
		evaluated += int64(y.Values[len(kept)+1])
		run.ShowProgress(t.progress())
	}
	fitted, chosen := t.fitted(run.Train.Features().Keep(number)), t.selected(e.Rough)
	fitted.Evaluated = evaluated
	for k, c := range chosen {
		chosen[k].Feature = int(number[c.Feature])
	}
	slices.SortFunc(chosen, func(a, b engines.Coef) int { return cmp.Compare(a.Feature, b.Feature) })
	return chosen, fitted, nil
}

// progress returns the progress of the runs.
func (t *trial) progress() string {
	decided, open := 0, t.open()
	for _, s := range t.state {
		if s == confirmed {
			decided++
		}
	}
	return fmt.Sprintf("%d of at most %d runs, %d columns confirmed, %d undecided", t.runs, t.params.MaxRuns-1, decided, open)
}

// fitted returns what came of the runs; features are the columns in the trial's order.
func (t *trial) fitted(features *data.Features) engines.Fitted {
	fitted := engines.Fitted{Stop: "decided", Best: -1, Iterations: t.runs}
	var open []string
	count := map[verdict]int{}
	for j, s := range t.state {
		count[s]++
		if s == tentative {
			open = append(open, features.Name(j))
		}
	}
	fitted.Facts = []data.Fact{
		{Name: "columns", Value: fmt.Sprintf("%d confirmed, %d rejected, %d tentative after %d runs", count[confirmed], count[rejected], count[tentative], t.runs)},
	}
	if len(open) == 0 {
		return fitted
	}
	fitted.Stop = "max_runs"
	const most = 100
	value := strings.Join(open[:min(most, len(open))], ", ")
	if len(open) > most {
		value += fmt.Sprintf(" and %d more", len(open)-most)
	}
	fitted.Facts = append(fitted.Facts, data.Fact{Name: "tentative", Value: value})
	if first := t.firstDecision(); first > t.runs {
		fitted.Notes = []string{fmt.Sprintf("nothing could be decided: with alpha %v and %d columns run %d is the first that can; raise max_runs to %d at least", t.params.Alpha, t.tried, first, first+1)}
	}
	return fitted
}

// selected returns the columns that are always there, first by rank, the confirmed ones, and where roughly is said the tentative ones of a median importance above that of the largest shadow.
func (t *trial) selected(roughly bool) []engines.Coef {
	var order []int32
	score, shadow := make([]float64, len(t.state)), median(t.shadow)
	for j, s := range t.state {
		if score[j] = median(t.importance[j]); s == always || s == confirmed || roughly && s == tentative && score[j] > shadow {
			order = append(order, int32(j))
		}
	}
	trial := func(j int32) int {
		if t.state[j] == always {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Or(trial(a)-trial(b), cmp.Compare(score[b], score[a])) })
	return engines.Ranked(order, func(_ int, j int32) float64 { return score[j] })
}
