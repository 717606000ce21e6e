package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/probes"
	"tenfold/engines/suggest"
	"tenfold/io/iob"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/metric"
)

// checkEngines finds the algorithms that cannot use a data set. They are errors; with failures: {unsuitable: skip} they are added
// to p.Skipped, and returned, like those whose method cannot run. An algorithm that cannot use one task of a family is refused for
// all.
func (p *Plan) checkEngines() (unsuitable map[groupKey]bool, err error) {
	unsuitable = map[groupKey]bool{}
	if err := p.skipLacking(unsuitable); err != nil {
		return nil, err
	}
	var errs []error
	for _, set := range p.Sets {
		for i := range p.File.Algorithms {
			a := &p.File.Algorithms[i]
			if group := (groupKey{set.Dataset, a, ""}); a.RunsOn(set.Dataset) && !unsuitable[group] {
				if err := checkEngine(a, set); err != nil {
					unsuitable[group] = true
					key, why := keyOf(err)
					errs = append(errs, p.File.Blame(a.Entry, param.Errorf(key, "%s cannot use data set %s: %s%s", a.Kind, set.Name, why, p.File.SkipHint())))
					p.skip(set.Dataset, a, fmt.Sprintf("%s cannot use it: %v", a.Kind, err))
				}
			}
		}
	}
	if p.File.Failures.Unsuitable == experiment.Skip && p.hasCells(unsuitable) {
		return unsuitable, nil
	}
	return unsuitable, joinErrors(errs)
}

// keyOf returns the key that an error is about, the engine if it names none, and what it says.
func keyOf(err error) (key, why string) {
	var field *param.FieldError
	if errors.As(err, &field) {
		return field.Field, field.Msg
	}
	return "engine", err.Error()
}

// SkipCells adds cells to those skipped, with failures: {unsuitable: skip}, of which a unit without a stored outcome, or one of a stage
// that they build on, cannot run. If that would leave none, all stay. Cells of a family's tasks go together.
func (p *Plan) SkipCells(cannotRun func(*execute.Unit) error) {
	if p.File.Failures.Unsuitable != experiment.Skip {
		return
	}
	why := map[groupKey]error{}
	groupOf := func(c *Cell) groupKey { return groupKey{c.Set.Dataset, c.Algorithm, ""} }
	for _, c := range p.Cells {
		if group := groupOf(c); why[group] == nil {
			why[group] = c.cannotRun(cannotRun)
		}
	}
	if !slices.ContainsFunc(p.Cells, func(c *Cell) bool { return why[groupOf(c)] == nil }) {
		return
	}
	reported := map[groupKey]bool{}
	p.Cells = slices.DeleteFunc(p.Cells, func(c *Cell) bool {
		group := groupOf(c)
		err := why[group]
		if err != nil && !reported[group] {
			reported[group] = true
			p.skip(c.Set.Dataset, c.Algorithm, fmt.Sprintf("%s cannot run here: %v", c.Algorithm.Kind, err))
		}
		return err != nil
	})
}

// cannotRun returns why the cell, or a stage that it builds on, cannot run.
func (c *Cell) cannotRun(cannotRun func(*execute.Unit) error) error {
	for _, u := range c.Units {
		if u.Stored == nil || u.Stored.Status == results.Skipped {
			if err := cannotRun(&u.Unit); err != nil {
				return err
			}
		}
	}
	for _, stage := range c.After {
		if err := stage.cannotRun(cannotRun); err != nil {
			return err
		}
	}
	return nil
}

// checkMetrics refuses metrics that none of the data sets can have. It does not judge what only data sets that are not read could have.
func (p *Plan) checkMetrics() error {
	for _, d := range p.File.Datasets {
		if !slices.ContainsFunc(p.Sets, func(set *Set) bool { return set.Dataset.Name == d.Name }) {
			return nil
		}
	}
	var errs []error
	for _, use := range p.File.MetricUses {
		m, ok := p.File.Defined.Find(use.Name)
		lack := ""
		for _, set := range p.Sets {
			if lack = set.lacks(m); lack == "" {
				break
			}
		}
		if ok && lack != "" {
			errs = append(errs, p.File.Blame(use.At, fmt.Errorf("metric %s %s", use.Name, lack)))
		}
	}
	return joinErrors(errs)
}

// lacks returns what a metric is about that the set has not, and which metrics it has; "" if it can have the metric.
func (set *Set) lacks(m metric.Metric) string {
	i := slices.IndexFunc(set.Targets, func(t data.Target) bool { return m.Takes(t.Type) })
	if i < 0 {
		has := set.Targets[0]
		return fmt.Sprintf("is of a %s target, and that of data set %s is %s: take %s", m.Target, set.Name, has.Type, strings.Join(metric.Usual(has.Type), " or "))
	}
	if lack := m.UnknownLevel(set.Targets); lack != "" {
		return lack + ", in data set " + set.Name
	}
	two := func(t data.Target) bool { return t.Type == data.Class && len(t.Levels) == 2 }
	if m.Instead != "" && !slices.ContainsFunc(set.Targets, two) {
		return fmt.Sprintf("is of two classes, and data set %s has %d: take %s", set.Name, len(set.Targets[i].Levels), m.Instead)
	}
	tagged := func(t data.Target) bool { _, ok := iob.ParseAll(t.Levels); return ok }
	if met := map[metric.Need]bool{
		"": true, metric.KnownTruth: len(set.Data.Truth) > 0, metric.SomeProbes: set.Recipe().Probes != (probes.Rule{}),
		metric.SimilarColumns: set.Similar > 0, metric.TagSequences: set.Data.Sequences != nil && slices.ContainsFunc(set.Targets, tagged),
	}; !met[m.Needs] {
		return fmt.Sprintf("needs %s, which data set %s has not", m.Needs, set.Name)
	}
	return ""
}

// hasCells reports whether some algorithm can use a data set that it is to run on.
func (p *Plan) hasCells(unsuitable map[groupKey]bool) bool {
	return slices.ContainsFunc(p.Sets, func(set *Set) bool {
		for i := range p.File.Algorithms {
			if a := &p.File.Algorithms[i]; a.RunsOn(set.Dataset) && !unsuitable[groupKey{set.Dataset, a, ""}] {
				return true
			}
		}
		return false
	})
}

// skipLacking leaves out the cells of algorithms whose method cannot run.
func (p *Plan) skipLacking(unsuitable map[groupKey]bool) error {
	left := len(p.File.Algorithms)
	for i := range p.File.Algorithms {
		a := &p.File.Algorithms[i]
		m := p.File.Lacking(a)
		if m == nil {
			continue
		}
		left--
		if !slices.Contains(p.Lacking, m.Name) {
			p.Lacking = append(p.Lacking, m.Name)
		}
		for _, set := range p.Sets {
			if group := (groupKey{set.Dataset, a, ""}); a.RunsOn(set.Dataset) && !unsuitable[group] { // once for all tasks of a family
				unsuitable[group] = true
				p.skip(set.Dataset, a, fmt.Sprintf("method %s cannot run: %s", m.Name, m.Lacks))
			}
		}
	}
	if left == 0 {
		a := &p.File.Algorithms[0]
		m := p.File.Lacking(a)
		return p.File.Blame(a.Entry, fmt.Errorf("method %s cannot run, and no algorithm is without one that cannot (%s): %s", m.Name, source.Abridge(p.Lacking), m.Lacks))
	}
	return nil
}

// checkEngine returns why an engine cannot use a loaded data set, as far as only the data can tell.
func checkEngine(a *algorithm.Algorithm, set *Set) error {
	need, d := a.Engine.Needs(), set.Data
	if _, ok := a.Engine.(engines.Across); ok && set.Dataset.Family.Kind != experiment.ByFolder {
		return errors.New("it learns from the other tasks of a family whose tasks share no rows (family: folder makes one data set of each word, or folder)")
	} else if ok && set.Recipe().Probes != (probes.Rule{}) {
		return errors.New("it learns from the other tasks of a family, and probes (features: {probes: …}) are drawn for one fold of one task")
	}
	if err := checkTreatment(need, set.Recipe().Treatment); err != nil {
		return err
	}
	for _, t := range set.Targets {
		if !need.Takes(t.Type) {
			return fmt.Errorf("it needs a %s target, %s is %s%s", need.Targets(), t.Name, t.Type, levelsText(t))
		}
		if t.Type == data.Class && need.Levels > 0 && len(t.Levels) != need.Levels {
			return fmt.Errorf("it needs a target of %d levels, %s has %d%s%s", need.Levels, t.Name, len(t.Levels), levelsText(t), suggestAnyLevels(a, set))
		}
		if err := checkNamedLevels(need, t); err != nil {
			return err
		}
	}
	switch {
	case set.Recipe().KeepsGaps() && !need.Missing:
		return fmt.Errorf("it %s", experiment.NeedsValues)
	case len(set.Targets) > 1 && !need.Tasks:
		return fmt.Errorf("it takes one target, there are %d; family: target makes a task of each", len(set.Targets))
	case need.Truth && d.Truth == nil:
		return errors.New("it needs true coefficients, here they are not known (generated data has them)")
	case need.Binary && !set.Recipe().Binary(d.X.Binary()):
		if d.X.Binary() {
			return errors.New("it needs 0/1 values, which scaling makes others")
		}
		return errors.New("it needs 0/1 values, these are others; prepare: {discretize: 2} cuts numbers at the median of the training rows, features: {values: binary} leaves counts of words out")
	case need.Counts && set.Negative != "" && set.Recipe().Discretize == 0:
		return fmt.Errorf("it needs counts, and column %s has a value below 0; prepare: {discretize: 2} cuts numbers at the median of the training rows, and anova takes them as they are", set.Negative)
	case need.Counts && set.Recipe().Probes.Full():
		return fmt.Errorf("it needs counts, and %s probes (features: {probes: …}) have values below 0; permuted ones have those of their columns", set.Recipe().Probes.Kind)
	case need.Unweighted && d.Weight != nil:
		return errors.New("it counts every row once, and the rows have weights; as a column to drop (columns: {drop: […]}) they are left out")
	case need.WholeWeights && fractional(d.Weight) >= 0:
		i := fractional(d.Weight)
		return fmt.Errorf("it takes a row of weight 2 as if it were two, and row %s has the weight %v, no whole number; as a column to drop (columns: {drop: […]}) weights are left out", d.RowID(i), d.Weight[i])
	case need.WholeWeights && fractional(d.Exposure) >= 0:
		i := fractional(d.Exposure)
		return fmt.Errorf("it takes an exposure of 2 as if a row were two, and row %s has the exposure %v, no whole number; samples of rows (bootstrap: true) take any", d.RowID(i), d.Exposure[i])
	case need.FeatureClasses && !selectsUnits(need, set.Recipe()) && !d.Features.HasClasses() && !set.Recipe().Classes():
		return errors.New("it needs classes of features, there are none")
	}
	return nil
}

// checkNamedLevels returns an error if a class lacks a level that parameters name, or has too few levels.
func checkNamedLevels(need engines.Needs, t data.Target) error {
	for _, name := range need.Named {
		if !slices.Contains(t.Levels, name) {
			return param.Errorf("class_weight", "%s has no level %q%s%s", t.Name, name, suggest.DidYouMean(name, t.Levels), levelsText(t))
		}
	}
	if len(t.Levels) < need.MinLevels {
		return param.Errorf("class_weight", "of the %d levels of %s, fewer than two have a factor above 0", len(t.Levels), t.Name)
	}
	return nil
}

// checkWeights returns an error if the weights of a data set are no numbers of rows, and are to mean that.
func checkWeights(s *experiment.Dataset, d *data.Dataset) error {
	if s.Weights != experiment.Frequency {
		return nil
	}
	if d.Weight == nil {
		return param.Errorf("weights", "frequency, and the rows have no weights: expected a column of them (columns: {weight: …}), or leave it out")
	}
	if i := fractional(d.Weight); i >= 0 {
		return param.Errorf("weights", "frequency, and row %s has the weight %v, expected a whole number of rows; importance takes any", d.RowID(i), d.Weight[i])
	}
	return nil
}

// fractional returns the first weight that is no whole number, -1 if there is none.
func fractional(weights []float64) int {
	return slices.IndexFunc(weights, func(w float64) bool { return w != math.Trunc(w) })
}

// checkTreatment returns an error if an engine cannot treat columns as the data set asks.
func checkTreatment(need engines.Needs, t prepare.Treatment) error {
	switch {
	case t.Keeps() && !need.Keeps:
		return errors.New("it cannot keep columns in every model (features: {keep: …})")
	case t.Penalises() && !need.Factors:
		return errors.New("it has no penalty that columns could have factors of (features: {penalty: …})")
	case t.Unit == prepare.Together && !need.Together:
		return errors.New("it selects column by column (features: {unit: together}); group-lasso, chi2, mutual-information, anova and forward-stepwise select units, and unit: variable counts them")
	}
	return nil
}

// selectsUnits reports whether an engine that selects classes of columns is to select units.
func selectsUnits(need engines.Needs, r prepare.Recipe) bool {
	return need.Together && r.Treatment.Unit == prepare.Together
}

// suggestAnyLevels suggests a wrapper for targets with more than two levels, if there is one for the engine.
func suggestAnyLevels(a *algorithm.Algorithm, set *Set) string {
	if len(set.Targets) > 1 || len(set.Targets[0].Levels) < 3 || a.AnyLevels == "" {
		return ""
	}
	return "; " + a.AnyLevels + " takes any number"
}

// levelsText shows the levels of a class target. One of them may be a cell that was meant to be a number.
func levelsText(t data.Target) string {
	if t.Type != data.Class {
		return ""
	}
	return fmt.Sprintf(" (levels %s)", source.Abridge(t.Levels))
}
