package gate

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// measuredBy returns a cell with the protocol of its data set.
func measuredBy(c *cells.Cell, protocol map[string]string) *cells.Cell {
	c.Protocol = protocol
	return c
}

func importedRow(r *results.Row) { r.Engine = results.ImportEngine }

// TestOtherProtocol: whatever a rule compares with, numbers measured by another protocol than the recorded ones are incomparable, and
// each output says why.
func TestOtherProtocol(t *testing.T) {
	area := results.AreaPrefix + "accuracy"
	along := func() *cells.Cell { return cell("d", "a", ten, func(r *results.Row) { r.Scores[0].Metric = area }) }
	sized := func(c *cells.Cell, sizes string) *cells.Cell {
		c.Sizes = sizes
		return c
	}
	probes := map[string]string{"probes": "second-order, share 1, seed 1"}
	for _, c := range []struct {
		name      string
		then, now *cells.Cell
		metric    string
		want      string // "": they are compared
	}{
		{"the same", measuredBy(cell("d", "a", ten), probes), measuredBy(cell("d", "a", ten), maps.Clone(probes)), "test_mse", ""},
		{"other probes", measuredBy(cell("d", "a", ten), probes), measuredBy(cell("d", "a", ten), map[string]string{"probes": "permuted, share 1, seed 1"}), "test_mse",
			"not measured alike: probes: now permuted, share 1, seed 1, the reference second-order, share 1, seed 1"},
		{"no probes", measuredBy(cell("d", "a", ten), probes), cell("d", "a", ten), "test_mse", "probes: now none, the reference second-order"},
		{"similar columns and units", cell("d", "a", ten), measuredBy(cell("d", "a", ten), map[string]string{"unit": "variable", "similar": "0.9"}), "test_mse",
			"not measured alike: similar: now 0.9, the reference none; unit: now variable, the reference none"},
		{"an import in place of an engine", cell("d", "a", ten), cell("d", "a", ten, importedRow), "test_mse", "now imported, the reference fitted"},
		{"an engine in place of an import", cell("d", "a", ten, importedRow), cell("d", "a", ten), "test_mse", "now fitted, the reference imported"},
		{"an import, imported again", cell("d", "a", ten, importedRow), cell("d", "a", ten, importedRow), "test_mse", ""},
		{"other sizes of a path, measured along it", sized(along(), "5,10"), sized(along(), "200,400"), area, "not along the same path: sizes: now 200,400, the reference 5,10"},
		{"other sizes of a path, measured at its end", sized(cell("d", "a", ten), "5,10"), sized(cell("d", "a", ten), "200,400"), "test_mse", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			other := func() *cells.Cell {
				return measuredBy(cell("d", "b", ten, func(r *results.Row) { r.Scores[0].Metric = c.metric }), c.now.Protocol)
			}
			for kind, r := range map[string]Rule{
				"baseline": rule(func(r *Rule) { r.Metric, r.Algorithms = c.metric, []string{"a"} }),
				"against":  rule(func(r *Rule) { r.Metric, r.Against, r.Margin, r.Algorithms = c.metric, "b", absolute(9), []string{"a"} }),
				"bounds":   rule(func(r *Rule) { r.Metric, r.Max, r.Algorithms = c.metric, number64(9), []string{"a"} }),
			} {
				then := sized(measuredBy(other(), c.then.Protocol), c.then.Sizes)
				b := reread(t, accepted(t, []Rule{r}, c.then, then))
				o := Check(Input{Source: described, Experiment: "x", Rules: []Rule{r}, Cells: []*cells.Cell{c.now, sized(other(), c.now.Sizes)}, Baseline: b})
				if len(o.Verdicts) != 1 {
					t.Fatalf("%s: %+v", kind, o.Verdicts)
				}
				v := o.Verdicts[0]
				if c.want == "" {
					if v.Status != Pass || o.Worst() != Pass {
						t.Errorf("%s: %s: %s", kind, v.Status, v.Words)
					}
					continue
				}
				if v.Status != Incomparable || o.Worst() != Incomplete || !strings.Contains(v.Words, c.want) {
					t.Errorf("%s: %s: %s\nwant %s", kind, v.Status, v.Words, c.want)
				}
			}
		})
	}
}

// TestReferenceHasItsRecord: the algorithm that others are compared with is recorded, and a rule fails if it is worse than recorded or
// cannot be compared with its record, however good the others are beside it.
func TestReferenceHasItsRecord(t *testing.T) {
	zero := rule(func(r *Rule) { r.Against, r.Margin, r.Algorithms = "ref", absolute(0), []string{"a"} })
	tested := zero
	tested.Test = "nadeau-bengio"
	good := []*cells.Cell{cell("d", "a", ten), cell("d", "ref", ten)}
	worse := func(by float64) []*cells.Cell {
		return []*cells.Cell{cell("d", "a", plus(ten, by)), cell("d", "ref", plus(ten, by, by*1.1))}
	}
	for _, c := range []struct {
		name   string
		rule   Rule
		cells  []*cells.Cell
		change func(*Baseline)
		want   Status
		words  string
	}{
		{"the same", zero, good, nil, Pass, "no difference to ref"},
		{"both are worse", zero, worse(1), nil, Regression, "the reference ref, compared with its own record: worse by 1.05"},
		{"both are worse, tested", tested, worse(1), nil, Regression, "the reference ref, compared with its own record: worse by 1.05, shown worse"},
		{"rounding", zero, []*cells.Cell{cell("d", "a", ten), cell("d", "ref", plus(ten, 1e-15))}, nil, Pass, "better than ref"},
		{"noise that shows nothing", tested, []*cells.Cell{cell("d", "a", plus(ten, -1, -1.01)), cell("d", "ref", plus(ten, 0.2, -0.15))}, nil, Pass, "better than ref"},
		{"a reference that is better", zero, []*cells.Cell{cell("d", "a", plus(ten, -1)), cell("d", "ref", plus(ten, -1))}, nil, Pass, "no difference to ref"},
		{"another data set", zero, []*cells.Cell{cell("d", "a", ten, func(r *results.Row) { r.DatasetDigest = "other" }), cell("d", "ref", ten, func(r *results.Row) { r.DatasetDigest = "other" })}, nil,
			Incomparable, "the data set is another one now"},
		{"an imported reference", zero, []*cells.Cell{cell("d", "a", ten), cell("d", "ref", ten, importedRow)}, nil, Incomparable, "the reference ref, compared with its own record: imported predictions"},
		{"no record", zero, good, func(b *Baseline) { delete(b.Results["d"], "ref") }, Incomplete, "the reference ref, compared with its own record: the baseline does not have it"},
		{"worse, by a tolerance of its own", zero, worse(1), func(b *Baseline) {
			m := b.Results["d"]["ref"].Metrics["test_mse"]
			wide := absolute(2)
			m.Tolerance = &wide
			b.Results["d"]["ref"].Metrics["test_mse"] = m
		}, Pass, "better than ref"},
		{"worse, which is expected", zero, worse(1), func(b *Baseline) {
			e := b.Results["d"]["ref"]
			e.ExpectedFailure = "being rebuilt"
			b.Results["d"]["ref"] = e
		}, Pass, "better than ref"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := reread(t, accepted(t, []Rule{c.rule}, good...))
			if c.change != nil {
				c.change(b)
			}
			o := Check(Input{Source: described, Experiment: "x", Rules: []Rule{c.rule}, Cells: c.cells, Baseline: b})
			v := o.Verdicts[0]
			if v.Status != c.want || !strings.Contains(v.Words, c.words) || (o.Worst() == Pass) != (c.want == Pass) {
				t.Errorf("%s: %s\nwant %s: %s", v.Status, v.Words, c.want, c.words)
			}
			if strings.Contains(c.name, "expected") && !slices.ContainsFunc(v.Notes, func(n string) bool { return strings.Contains(n, "which is expected: being rebuilt") }) {
				t.Errorf("notes %q", v.Notes)
			}
		})
	}
}

// TestBoundsAreRecorded: accept records how the cells are measured that have bounds alone, and a check without a baseline says that
// nothing holds this.
func TestBoundsAreRecorded(t *testing.T) {
	r := []Rule{rule(func(r *Rule) { r.Max = number64(2) })}
	now := []*cells.Cell{cell("d", "a", ten)}
	b, changes, err := Accept(Input{Source: described, Experiment: "x", Rules: r, Cells: now})
	if err != nil || changes.String() != "1 new" {
		t.Fatalf("%v, %s", err, changes)
	}
	b = reread(t, b)
	if _, changes, err = Accept(Input{Source: described, Experiment: "x", Rules: r, Cells: now, Baseline: b}); err != nil || changes.String() != "1 unchanged" {
		t.Errorf("%v, %s", err, changes)
	}
	if o := Check(Input{Source: described, Experiment: "x", Rules: r, Cells: now, Baseline: b}); o.Worst() != Pass || len(o.Notes) > 0 {
		t.Errorf("%+v", o)
	}
	if o := Check(Input{Source: described, Experiment: "x", Rules: r, Cells: []*cells.Cell{cell("d", "a", ten), cell("d", "b", ten)}, Baseline: b}); o.Worst() != Incomplete {
		t.Errorf("a cell that the baseline does not have: %+v", o.Verdicts)
	}
	if o := Check(Input{Source: described, Experiment: "x", Rules: r, Cells: now}); o.Worst() != Pass || len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "bounds alone") {
		t.Errorf("%+v", o)
	}
}
