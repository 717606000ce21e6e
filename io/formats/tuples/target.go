package tuples

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/data/pairs"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/io/source"
)

// The targets of a table.
const (
	Information = "mutual-information" // how much more often than by chance the two sides join, in nats
	Relation    = "relation"           // the label of the join: > or < (the side of the dependent) and its relation
)

var offered = map[string]data.Type{Information: data.Real, Relation: data.Class}

// Options are the options of a format of joins, besides those for reading.
type Options struct {
	Target    source.Target `yaml:"target" doc:"mutual-information (of the two sides of a join, in nats) or relation (its label: side and relation)"`
	Features  Features      `yaml:"features"`
	Kappa     float64       `yaml:"kappa" doc:"weight of a prior under which the sides are independent, at least 0: smooths mutual-information"`
	TrainOnly bool          `yaml:"train_only" doc:"mutual-information of training rows is counted over the training rows of each fold alone; false counts it over all rows, as Hooker & Weng do, and marks the numbers (†)"`
}

// DefaultOptions are Hooker & Weng's target and features, with counts that know no test row.
var DefaultOptions = Options{Target: source.Target{Name: Information}, Features: DefaultFeatures, Kappa: 1, TrainOnly: true}

// Validate checks the options without data.
func (o Options) Validate() error {
	errs := []error{o.Features.Validate(), CheckTarget(o.Target, offered)}
	if !(o.Kappa >= 0) || math.IsInf(o.Kappa, 0) {
		errs = append(errs, param.Errorf("kappa", "%v, expected a finite number of at least 0", o.Kappa))
	}
	return errors.Join(errs...)
}

// CheckTarget refuses a target that is not among those offered, and keys that only tables have.
func CheckTarget(t source.Target, offered map[string]data.Type) error {
	names := slices.Sorted(maps.Keys(offered))
	switch {
	case t.Column != "" || len(t.Columns) > 0:
		return param.Errorf("target", "this format has no columns to take a target from; it offers %s", strings.Join(names, ", "))
	case t.Positive != "":
		return param.Errorf("target.positive", "%q, but no target of this format has two levels", t.Positive)
	}
	if err := param.OneOf("target", t.Name, names...); err != nil {
		return err
	}
	if t.Type != "" && t.Type != offered[t.Name].String() {
		return param.Errorf("target.type", "%q, but %s is of type %s", t.Type, t.Name, offered[t.Name])
	}
	return nil
}

// Declares returns what these options promise of any file.
func (o Options) Declares() source.Declares {
	d := source.Declares{Binary: true, Groups: []string{"pattern"}}
	d.Targets, d.Others = Offer(o.Target.Name, offered)
	return d
}

// Offer returns the target of that name, and the others that a format offers, by name.
func Offer(name string, offered map[string]data.Type) (targets, others []source.Declared) {
	for _, other := range slices.Sorted(maps.Keys(offered)) {
		if other != name {
			others = append(others, source.Declared{Name: other, Type: offered[other]})
		}
	}
	return []source.Declared{{Name: name, Type: offered[name]}}, others
}

// Recipe applies the cutoff on training rows.
func (o Options) Recipe() prepare.Recipe {
	return o.Features.Treatment.Into(prepare.Recipe{Cutoff: o.Features.Cutoff})
}

// Dataset returns that of the joins in a table: the patterns, and the target.
func (o Options) Dataset(ctx context.Context, t *Table) (*data.Dataset, error) {
	order := newOrder(t)
	set, err := o.Features.buildDataset(ctx, order)
	if err != nil {
		return nil, err
	}
	target, facts := o.buildTarget(order)
	set.Targets = []data.Target{target}
	set.Facts = append(set.Facts, facts...)
	return set, nil
}

// buildTarget computes the target asked for, and facts about it.
func (o Options) buildTarget(order *order) (data.Target, []data.Fact) {
	if o.Target.Name == Relation {
		target := order.table.Classes(Relation)
		return target, []data.Fact{{Name: "relations", Value: fmt.Sprint(len(target.Levels))}}
	}
	left, _ := order.numberCombinations(leftSide)
	right, _ := order.numberCombinations(rightSide)
	target := data.Target{Name: Information, Type: data.Real}
	pairs := &pairs.Pairs{Left: left, Right: right, Kappa: o.Kappa}
	if o.TrainOnly {
		target.Pairs = pairs
		return target, []data.Fact{{Name: "counts for the target", Value: "of training rows over the training rows of each fold, of test rows over all rows"}}
	}
	target.Values, target.Pooled = pairs.Information(nil), true
	return target, append([]data.Fact{{Name: "counts for the target", Value: "over all rows, test rows included: the paper's protocol (without train_only: false, training rows know training rows alone)"}}, Describe(target)...)
}

// Classes returns a target of the answers, levels sorted by bytes.
func (t *Table) Classes(name string) data.Target {
	distinct := slices.Clone(t.answer)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	slices.SortFunc(distinct, func(a, b int32) int { return strings.Compare(t.text[a], t.text[b]) })
	target := data.Target{Name: name, Type: data.Class, Values: make([]float64, len(t.answer))}
	level := make(map[int32]float64, len(distinct))
	for k, answer := range distinct {
		level[answer] = float64(k)
		target.Levels = append(target.Levels, t.text[answer])
	}
	for i, answer := range t.answer {
		target.Values[i] = level[answer]
	}
	return target
}

// Describe returns the mean, variance (divided by the number of rows) and range of a real target.
func Describe(t data.Target) []data.Fact {
	n := float64(len(t.Values))
	mean, square := 0.0, 0.0
	for _, y := range t.Values {
		mean += y / n
	}
	for _, y := range t.Values {
		square += float64((y - mean) * (y - mean))
	}
	return []data.Fact{
		{Name: "target mean", Value: fmt.Sprintf("%.6g", mean)},
		{Name: "target variance", Value: fmt.Sprintf("%.6g", square/n)},
		{Name: "target range", Value: fmt.Sprintf("%.6g to %.6g", slices.Min(t.Values), slices.Max(t.Values))},
	}
}
