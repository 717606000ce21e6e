// Package inner divides training rows once more, by the rules of the outer folds, and names the metrics that models are compared by on
// the rows held out. Tuning compares candidates so, and wrappers that search.
package inner

import (
	"context"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/runner/folds"
)

// Fold is a fold of the training rows: the rows to fit, the rows held out, and the targets that it can compare.
type Fold struct {
	Fitted, Held []int32
	targets      []int
}

// Views returns views of the rows; their copies are freed with them.
func (f Fold) Views(all *data.View) (train, held *data.View) {
	return withTargets(all.Subsample(f.Fitted), f.targets), withTargets(all.Sub(f.Held), f.targets)
}

// Divide divides the training rows of a run as its outer folds divide all rows.
func Divide(ctx context.Context, run engines.Run, o engines.InnerFolds, seed uint64) ([]Fold, error) {
	set := run.Train.Division()
	spec := folds.Spec{Kind: "kfold", K: min(o.K, set.Rows()), Repeats: o.Repeats}
	part := fmt.Sprintf("%d training rows", set.Rows())
	if run.Inner.Ordered { // blocks of time; the first one is never validated on
		spec = folds.Spec{Kind: "time", K: min(o.K, set.Rows()-1),
			Gap: folds.Span{Rows: run.Inner.Gap, Time: run.Inner.GapTime}, Window: folds.Span{Rows: run.Inner.Window, Time: run.Inner.WindowTime}}
		if run.Inner.By && set.Groups != nil {
			spec.By = set.Groups.Name
		}
	} else {
		if (run.Inner.By || run.Train.Starts() != nil) && set.Groups != nil {
			spec.By, part = set.Groups.Name, fmt.Sprintf("training rows of %d groups (%s)", len(set.Groups.Key), set.Groups.Name)
			spec.K = min(spec.K, len(set.Groups.Key))
		}
		if t := set.Targets[0]; t.Strata() > 0 && t.Rows == nil {
			spec.Stratify = true
			if spec.By == "" && t.Type == data.Class {
				part += fmt.Sprintf(", of which no class of target %s has more than %d,", t.Name, folds.MostFrequent(t))
				spec.K = min(spec.K, folds.MostFrequent(t))
			}
		}
	}
	if spec.K < 2 {
		return nil, fmt.Errorf("%s make no two inner folds", part)
	}
	division, err := split(ctx, &spec, set, seed)
	if err != nil {
		return nil, err
	}
	var innerFolds []Fold
	for _, f := range division {
		if targets := comparableTargets(set.Targets, f.Train); len(targets) > 0 {
			innerFolds = append(innerFolds, Fold{f.Train, f.Test, targets})
		}
	}
	if len(innerFolds) == 0 {
		return nil, fmt.Errorf("no inner fold has training rows of two classes; target %s has %d of %d training rows in its most frequent class",
			set.Targets[0].Name, folds.MostFrequent(set.Targets[0]), set.Rows())
	}
	if spec.K < o.K {
		run.Note(fmt.Sprintf("%d inner folds instead of %d: the training rows do not make more", spec.K, o.K))
	}
	return innerFolds, nil
}

// split makes the folds of spec; of blocks of time as many as can be: where many rows have one time, fewer, and one at least.
func split(ctx context.Context, spec *folds.Spec, set *data.Dataset, seed uint64) (division []folds.Fold, err error) {
	for most := spec.K; ; spec.K-- {
		if spec.Kind == "time" {
			spec.Test = float64(set.Rows() / (spec.K + 1))
		}
		var first error
		if division, first = spec.Split(ctx, set, int64(seed>>1)); spec.K == most {
			err = first
		}
		switch {
		case first == nil:
			return division, nil
		case spec.Kind != "time" || spec.K == 1 || ctx.Err() != nil:
			return nil, err
		}
	}
}

// comparableTargets returns the targets that an inner fold can compare: not a class of which its training rows have only one level,
// nor times that are all censored there.
func comparableTargets(targets []data.Target, train []int32) (kept []int) {
	for t, target := range targets {
		if target.Rows != nil || isInformative(target, train) {
			kept = append(kept, t)
		}
	}
	return kept
}

// withTargets returns a view with only these targets.
func withTargets(v *data.View, targets []int) *data.View {
	if len(targets) == v.Targets() {
		return v
	}
	columns := make([]int32, v.Columns())
	for j := range columns {
		columns[j] = int32(j)
	}
	return v.Narrow(columns, targets...)
}

// isInformative reports whether something can be learned about a target from some rows.
func isInformative(t data.Target, rows []int32) bool {
	switch t.Type {
	case data.Class:
		return levels(t, rows) > 1
	case data.Survival:
		return t.HasEvent(rows)
	}
	return true
}

// levels returns the number of levels that some rows have.
func levels(t data.Target, rows []int32) int {
	seen := make([]bool, len(t.Levels))
	n := 0
	for _, i := range rows {
		if l := int(t.Values[i]); !seen[l] {
			seen[l] = true
			n++
		}
	}
	return n
}
