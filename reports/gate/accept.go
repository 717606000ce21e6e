package gate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/digits"
	"tenfold/reports/paired"
)

// Changes counts what accepting changed: numbers of metrics of cells.
type Changes struct {
	New, Gone, Better, Worse, Unchanged int
	Remeasured                          int      // on other data or folds, or by another protocol: neither better nor worse
	Expected                            int      // expected failures, without numbers
	Lost                                []string // tolerances and expected failures written by hand whose cell or metric is gone
	Notes                               []string
}

// String sums up for people: "2 new, 1 better, 30 unchanged".
func (c Changes) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{c.New, "new"}, {c.Gone, "gone"}, {c.Better, "better"}, {c.Worse, "worse"}, {c.Remeasured, "measured otherwise"},
		{c.Unchanged, "unchanged"}, {c.Expected, "expected to fail"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// Accept makes a baseline of the present results, with every metric that a rule compares with the baseline. It refuses
// cells that failed, never ran or have no value, with one error for each, unless in.Baseline (the old one, nil for none)
// has them as expected failures. Expected failures and tolerances written by hand are kept.
func Accept(in Input) (*Baseline, Changes, error) {
	in = in.withSource()
	a := acceptor{Input: in, meter: newMeter(in.Source), skipped: map[string]int{}, out: &Baseline{
		Experiment: in.Experiment, Datasets: map[string]Dataset{}, Results: map[string]map[string]Entry{}}}
	rules := slices.DeleteFunc(in.effectiveRules(), func(r indexedRule) bool { return !r.usesBaseline() })
	if len(rules) == 0 {
		return nil, a.changes, errors.New("no rule of the gate compares with a baseline: there is nothing to record")
	}
	for _, r := range in.effectiveRules() {
		a.out.Rules = append(a.out.Rules, r.Rule)
	}
	for _, p := range labelCells(in.Cells) {
		a.recordCell(p, rules)
	}
	if err := errors.Join(a.errs...); err != nil {
		return nil, Changes{}, fmt.Errorf("nothing was accepted; rules can name algorithms, and --expected-failure REASON records failed cells as such:\n%w", err)
	}
	if a.recorded == 0 {
		return nil, Changes{}, errors.New("nothing was measured that could be recorded")
	}
	for _, metric := range slices.Sorted(maps.Keys(a.skipped)) {
		a.changes.Notes = append(a.changes.Notes, fmt.Sprintf("%s is not recorded of %s, for want of a value on every fold", metric, digits.Count(a.skipped[metric], "cell")))
	}
	a.countChanges()
	return a.out, a.changes, nil
}

type acceptor struct {
	Input
	meter    *meter
	out      *Baseline
	changes  Changes
	recorded int            // metrics with numbers
	skipped  map[string]int // by metric: cells to which it does not apply
	errs     []error
}

func (a *acceptor) addError(p labelledCell, err error) {
	a.errs = append(a.errs, fmt.Errorf("%s, %s: %w", p.dataset, p.algorithm, err))
}

func (a *acceptor) recordCell(p labelledCell, rules []indexedRule) {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r indexedRule) bool { return !r.matches(p) })
	if len(rules) == 0 {
		return
	}
	old, _ := a.Baseline.entryOf(p.dataset, p.algorithm)
	e := Entry{ExpectedFailure: old.ExpectedFailure, Metrics: map[string]Record{}}
	for _, r := range rules {
		was := old.Metrics[r.Metric]
		rec := e.Metrics[r.Metric] // of an earlier rule
		rec.Tolerance, rec.ExpectedFailure = was.Tolerance, was.ExpectedFailure
		s, err := a.meter.measure(p.cell, r.Metric)
		if err == nil {
			err = a.fillRecord(&rec, r.Rule, p, s)
			e.Optimistic = s.optimistic
		}
		switch expected := cmp.Or(was.ExpectedFailure, old.ExpectedFailure) != ""; {
		case err == nil, expected:
		case a.Expected != "" && troubleOf(p.cell) != "":
			e.ExpectedFailure = a.Expected
			a.changes.Notes = append(a.changes.Notes, fmt.Sprintf("%s, %s: %s, expected from now on", p.dataset, p.algorithm, troubleOf(p.cell)))
		case r.index < 0 && troubleOf(p.cell) == "":
			a.skipped[r.Metric]++
			continue
		case troubleOf(p.cell) != "":
			a.addError(p, err)
			return // once, not for each metric
		default:
			a.addError(p, err)
			continue
		}
		if rec.Mean != nil || rec.Tolerance != nil || rec.ExpectedFailure != "" {
			e.Metrics[r.Metric] = rec
		}
	}
	if len(e.Metrics) == 0 && e.ExpectedFailure == "" {
		return
	}
	if a.out.Results[p.dataset] == nil {
		a.out.Results[p.dataset] = map[string]Entry{}
	}
	a.out.Results[p.dataset][p.algorithm] = e
}

// fillRecord fills in the numbers of a metric, and the data set that they were measured on.
func (a *acceptor) fillRecord(rec *Record, r Rule, p labelledCell, s sample) error {
	d, known := a.out.Datasets[p.dataset]
	if !known {
		d = Dataset{Digest: s.data, Folds: s.digests}
	}
	if d.Digest != s.data || !slices.Equal(d.Folds, s.digests) {
		return errors.New("was not measured on the same data and folds as the other algorithms; run the experiment again")
	}
	if t := paired.TestNamed(r.Test); t != nil && t.Rows != nil && !t.Single && len(s.folds) == 1 {
		l, err := s.mergeBlocks().losses()
		if err != nil {
			return err
		}
		if d.Blocks != nil && !slices.Equal(d.Blocks, l.Counts()) {
			return errors.New("was not measured on the same rows as the other algorithms; run the experiment again")
		}
		d.Blocks, rec.Blocks = l.Counts(), l.Sums()
	}
	a.out.Datasets[p.dataset] = d
	rec.Mean, rec.Higher = &s.mean, s.higher
	if results.Finite(s.se) {
		rec.SE = &s.se
	}
	rec.Values = nil
	for _, f := range s.folds {
		rec.Values = append(rec.Values, f.Score)
	}
	a.recorded++
	return nil
}

// countChanges counts what changed since the old baseline.
func (a *acceptor) countChanges() {
	before, after := a.Baseline, a.out
	after.forEachEntry(func(dataset, algorithm string, e Entry) {
		if e.ExpectedFailure != "" && len(e.Metrics) == 0 {
			a.changes.Expected++
		}
		for _, metric := range metricsOf(e) {
			now, of := e.Metrics[metric], a.Source.Metric(metric)
			old, _ := before.entryOf(dataset, algorithm)
			was := old.Metrics[metric]
			switch {
			case now.Mean == nil:
				a.changes.Expected++
			case was.Mean == nil:
				a.changes.New++
			case checkComparable(recordedSample(metric, of, after.Datasets[dataset], e, now), recordedSample(metric, of, before.Datasets[dataset], old, was)) != nil:
				a.changes.Remeasured++
			case *now.Mean == *was.Mean:
				a.changes.Unchanged++
			case (*now.Mean > *was.Mean) == now.Higher:
				a.changes.Better++
			default:
				a.changes.Worse++
			}
		}
	})
	before.forEachEntry(func(dataset, algorithm string, e Entry) {
		now, kept := after.entryOf(dataset, algorithm)
		if e.ExpectedFailure != "" && !kept {
			a.changes.Lost = append(a.changes.Lost, fmt.Sprintf("%s of %s on %s: %s", keyExpected, algorithm, dataset, e.ExpectedFailure))
		}
		for _, metric := range metricsOf(e) {
			was := e.Metrics[metric]
			if _, kept := now.Metrics[metric]; kept {
				continue
			}
			if was.Mean != nil {
				a.changes.Gone++
			}
			if was.Tolerance != nil {
				a.changes.Lost = append(a.changes.Lost, fmt.Sprintf("%s of %s of %s on %s: %s", keyTolerance, metric, algorithm, dataset, marginText(*was.Tolerance)))
			}
			if was.ExpectedFailure != "" {
				a.changes.Lost = append(a.changes.Lost, fmt.Sprintf("%s of %s of %s on %s: %s", keyExpected, metric, algorithm, dataset, was.ExpectedFailure))
			}
		}
	})
}
