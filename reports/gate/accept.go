package gate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/io/sanitize"
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
	Fits                                Fits // that the numbers rest on
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

// Accept makes a baseline of the present results: the numbers of every metric that a rule compares with the baseline or with which it
// compares others, and how the cells that rules judge otherwise are measured. It refuses cells that failed, never ran or have no value,
// with one error for each, unless in.Baseline (the old one, nil for none) has them as expected failures; of these it keeps the numbers
// that were recorded. Expected failures and tolerances written by hand are kept.
func Accept(in Input) (*Baseline, Changes, error) {
	in = in.withSource()
	a := acceptor{Input: in, meter: newMeter(in.Source), skipped: map[string]int{}, kept: map[recordID]bool{}, out: &Baseline{
		Experiment: in.Experiment, Datasets: map[string]Dataset{}, Results: map[string]map[string]Entry{}}}
	rules := in.effectiveRules()
	if len(rules) == 0 {
		return nil, a.changes, errors.New("there is no rule of the gate, and no metric that has a better direction: there is nothing to record")
	}
	labelled := labelCells(in.Cells)
	records := make([]func(labelledCell) bool, len(rules))
	for i, r := range rules {
		a.out.Rules = append(a.out.Rules, r.Rule)
		records[i] = r.records(labelled)
	}
	for _, p := range labelled {
		var wanted []recording
		for i, r := range rules {
			if numbers := records[i](p); numbers || r.covers(p) {
				wanted = append(wanted, recording{r, numbers})
			}
		}
		a.recordCell(p, wanted)
	}
	if err := errors.Join(a.errs...); err != nil {
		return nil, Changes{}, append(sanitize.NewLines("nothing was accepted; rules can name algorithms, and --expected-failure REASON records failed cells as such:"), err)
	}
	if a.recorded == 0 {
		return nil, Changes{}, errors.New("nothing was measured that could be recorded")
	}
	a.keepReplaced()
	for _, metric := range slices.Sorted(maps.Keys(a.skipped)) {
		a.changes.Notes = append(a.changes.Notes, fmt.Sprintf("%s is not recorded of %s, for want of a value on every fold", metric, digits.Count(a.skipped[metric], "cell")))
	}
	a.countChanges()
	a.changes.Fits = a.fitsOf(a.meter.asked)
	a.out.seal()
	return a.out, a.changes, nil
}

// recording is what a rule wants recorded of a cell: how its metric is measured, and its numbers, unless the rule compares them with
// none that are recorded.
type recording struct {
	indexedRule
	numbers bool
}

type acceptor struct {
	Input
	meter    *meter
	out      *Baseline
	changes  Changes
	recorded int               // metrics of cells
	replaced []recordID        // without numbers now, as was expected
	kept     map[recordID]bool // replaced ones with the numbers that were recorded
	skipped  map[string]int    // by metric: cells to which it does not apply
	errs     []error
}

// recordID identifies the recorded numbers of a metric of a cell.
type recordID struct{ dataset, algorithm, metric string }

func (a *acceptor) addError(p labelledCell, err error) {
	a.errs = append(a.errs, fmt.Errorf("%s, %s: %w", p.dataset, p.algorithm, err))
}

func (a *acceptor) recordCell(p labelledCell, wanted []recording) {
	old, _ := a.Baseline.entryOf(p.dataset, p.algorithm)
	e := Entry{ExpectedFailure: old.ExpectedFailure, Metrics: map[string]Record{}}
	measured := false
	for _, r := range wanted {
		was := old.Metrics[r.Metric]
		rec := e.Metrics[r.Metric] // of an earlier rule
		rec.Tolerance, rec.ExpectedFailure = was.Tolerance, was.ExpectedFailure
		s, err := a.meter.measure(p.cell, r.Metric)
		if err == nil {
			err = a.fillRecord(&rec, r, p, s)
		}
		switch expected := cmp.Or(was.ExpectedFailure, old.ExpectedFailure) != ""; {
		case err == nil:
			measured = true
			e.Optimistic, e.Imported, e.Sizes = s.protocol.optimistic, s.protocol.imported, cmp.Or(s.protocol.sizes, e.Sizes)
			a.recorded++
		case expected:
			a.noteReplaced(p, r)
		case a.Expected != "" && troubleOf(p.cell) != "":
			if e.ExpectedFailure == "" {
				a.changes.Notes = append(a.changes.Notes, fmt.Sprintf("%s, %s: %s, expected from now on", p.dataset, p.algorithm, troubleOf(p.cell)))
			}
			e.ExpectedFailure = a.Expected
			a.noteReplaced(p, r)
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
	if e.Failed = !measured; e.Failed && len(e.Metrics) == 0 && e.ExpectedFailure == "" {
		return
	}
	if a.out.Results[p.dataset] == nil {
		a.out.Results[p.dataset] = map[string]Entry{}
	}
	a.out.Results[p.dataset][p.algorithm] = e
}

func (a *acceptor) noteReplaced(p labelledCell, r recording) {
	if id := (recordID{p.dataset, p.algorithm, r.Metric}); r.numbers && !slices.Contains(a.replaced, id) {
		a.replaced = append(a.replaced, id)
	}
}

// keepReplaced puts the recorded numbers of cells that fail as expected into the new baseline: what a cell had reached must not get
// lost. Numbers of other data or folds, or by another protocol, cannot stand beside the new ones, and a note says that they are gone.
func (a *acceptor) keepReplaced() {
	for _, id := range a.replaced {
		old, _ := a.Baseline.entryOf(id.dataset, id.algorithm)
		record := old.Metrics[id.metric]
		if record.Mean == nil {
			continue
		}
		e, then := a.out.Results[id.dataset][id.algorithm], a.Baseline.Datasets[id.dataset]
		now, known := a.out.Datasets[id.dataset]
		if !known {
			now = then
		}
		if e.Failed {
			e.Optimistic, e.Imported, e.Sizes = old.Optimistic, old.Imported, old.Sizes
		}
		if err := checkMeasuredAlike(recordedRows(id.metric, now, e), recordedRows(id.metric, then, old)); err != nil {
			a.changes.Notes = append(a.changes.Notes, fmt.Sprintf("%s, %s: the recorded numbers of %s are gone: %v", id.dataset, id.algorithm, id.metric, err))
			continue
		}
		if now.Blocks == nil && record.Blocks != nil {
			now.Blocks = then.Blocks
		}
		e.Metrics[id.metric], e.Failed = record, false
		a.out.Datasets[id.dataset], a.out.Results[id.dataset][id.algorithm], a.kept[id] = now, e, true
	}
}

// fillRecord fills in the data set that a metric was measured on and, if they are wanted, its numbers.
func (a *acceptor) fillRecord(rec *Record, r recording, p labelledCell, s sample) error {
	d, known := a.out.Datasets[p.dataset]
	if !known {
		d = Dataset{Digest: s.data, Folds: s.digests, Protocol: s.protocol.dataset}
	}
	if d.Digest != s.data || !slices.Equal(d.Folds, s.digests) {
		return errors.New("was not measured on the same data and folds as the other algorithms; run the experiment again")
	}
	if !r.numbers {
		a.out.Datasets[p.dataset] = d
		return nil
	}
	if t := paired.TestNamed(r.recordedTest()); t != nil && t.Rows != nil && len(s.folds) == 1 {
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
	return nil
}

// countChanges counts what changed since the old baseline.
func (a *acceptor) countChanges() {
	before, after := a.Baseline, a.out
	after.forEachEntry(func(dataset, algorithm string, e Entry) {
		old, there := before.entryOf(dataset, algorithm)
		switch {
		case len(e.Metrics) > 0:
		case e.ExpectedFailure != "":
			a.changes.Expected++
		case !there || old.Failed:
			a.changes.New++
		case checkMeasuredAlike(recordedRows("", after.Datasets[dataset], e), recordedRows("", before.Datasets[dataset], old)) != nil:
			a.changes.Remeasured++
		default:
			a.changes.Unchanged++
		}
		for _, metric := range metricsOf(e) {
			now, properties := e.Metrics[metric], a.Source.Metric(metric)
			was := old.Metrics[metric]
			switch {
			case now.Mean == nil || a.kept[recordID{dataset, algorithm, metric}]:
				a.changes.Expected++
			case was.Mean == nil:
				a.changes.New++
			case checkComparable(recordedSample(metric, properties, after.Datasets[dataset], e, now), recordedSample(metric, properties, before.Datasets[dataset], old, was)) != nil:
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
		if len(e.Metrics) == 0 && e.ExpectedFailure == "" && !kept {
			a.changes.Gone++
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
