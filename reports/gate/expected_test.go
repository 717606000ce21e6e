package gate

import (
	"reflect"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

func failedRow(r *results.Row) { r.Status, r.Error, r.Scores = results.Failed, "no luck", nil }

// TestExpectedFailureKeepsNumbers: what a cell had reached stays recorded when accept marks it as failing, and is compared with again
// as soon as it ends well; numbers of other data do not stay.
func TestExpectedFailureKeepsNumbers(t *testing.T) {
	r := []Rule{rule(func(*Rule) {}), rule(func(r *Rule) { r.Metric = "accuracy" })}
	good := []*cells.Cell{cell("d", "a", ten), cell("d", "b", ten), cell("e", "a", ten)}
	old := accepted(t, r, good...)
	failing := []*cells.Cell{cell("d", "a", ten, failedRow), cell("d", "b", ten), cell("e", "a", ten, failedRow), cell("d", "new", ten, failedRow)}
	in := Input{Source: described, Experiment: "x", Rules: r, Cells: failing, Baseline: old, Expected: "issue 7"}
	b, changes, err := Accept(in)
	if err != nil || changes.String() != "2 unchanged, 5 expected to fail" {
		t.Fatalf("%v, %s", err, changes)
	}
	b = reread(t, b)
	for _, dataset := range []string{"d", "e"} {
		if now, was := b.Results[dataset]["a"], old.Results[dataset]["a"]; now.ExpectedFailure != "issue 7" || !reflect.DeepEqual(now.Metrics, was.Metrics) {
			t.Errorf("%s: %+v, had %+v", dataset, now, was)
		}
	}
	if !reflect.DeepEqual(b.Datasets, old.Datasets) {
		t.Errorf("%+v, had %+v", b.Datasets, old.Datasets)
	}
	if e := b.Results["d"]["new"]; e.ExpectedFailure != "issue 7" || e.hasNumbers() || !e.Failed {
		t.Errorf("%+v", e)
	}
	again, _, err := Accept(Input{Source: described, Experiment: "x", Rules: r, Cells: failing, Baseline: b})
	if err != nil || written(t, again) != written(t, b) {
		t.Errorf("%v: accepted once more it is another baseline:\n%s\n%s", err, written(t, b), written(t, again))
	}
	in.Rules, in.Baseline = r[:1], b
	in.Cells = []*cells.Cell{cell("d", "a", plus(ten, 1)), cell("d", "b", ten), cell("e", "a", ten), cell("d", "new", ten)}
	o := Check(in)
	if v := o.Verdicts[0]; v.Status != ExpectedFailure || !strings.Contains(v.Words, "worse by 1") {
		t.Errorf("%+v", v)
	}
	elsewhere := func(r *results.Row) { r.DatasetDigest = "other" }
	in.Cells = []*cells.Cell{cell("d", "a", ten, elsewhere, failedRow), cell("d", "b", ten, elsewhere)}
	if b, changes, err = Accept(in); err != nil || b.Results["d"]["a"].hasNumbers() || !strings.Contains(strings.Join(changes.Notes, "\n"), "d, a: the recorded numbers of test_mse are gone: the data set is another one now") {
		t.Errorf("%v, %q, %+v", err, changes.Notes, b)
	}
	reread(t, b)
}

// TestExpectedFailureKeepsBlocks: those of the rows, too.
func TestExpectedFailureKeepsBlocks(t *testing.T) {
	r := []Rule{rule(func(r *Rule) { r.Test = "bootstrap" })}
	old := accepted(t, r, onRows("a", 300, noise), onRows("b", 300, noise))
	failing := onRows("a", 300, noise)
	failedRow(failing.Rows[0])
	b, _, err := Accept(Input{Source: described, Experiment: "x", Rules: r, Cells: []*cells.Cell{failing, onRows("b", 300, noise)}, Baseline: old, Expected: "issue 7"})
	if err != nil {
		t.Fatal(err)
	}
	b = reread(t, b)
	worse := onRows("a", 300, func(i int) float64 { return noise(i) + 1 })
	if v := Check(Input{Source: described, Rules: r, Cells: []*cells.Cell{worse}, Baseline: b}).Verdicts[0]; v.Status != ExpectedFailure || v.Test != "bootstrap" {
		t.Errorf("%s: %s", v.Status, v.Words)
	}
}

// TestNumbersTakenAway: a recorded cell from which numbers are missing was edited, whatever stands in their place.
func TestNumbersTakenAway(t *testing.T) {
	r := []Rule{rule(func(*Rule) {}), rule(func(r *Rule) { r.Metric = "accuracy" })}
	text := written(t, accepted(t, r, cell("d", "a", ten), cell("d", "b", ten)))
	failing, _, err := Accept(Input{Source: described, Experiment: "x", Rules: r, Cells: []*cells.Cell{cell("d", "a", ten, failedRow), cell("d", "b", ten)}, Expected: "issue 7"})
	if err != nil {
		t.Fatal(err)
	}
	never := written(t, failing)
	bounds := written(t, accepted(t, []Rule{rule(func(r *Rule) { r.Max = number64(9) })}, cell("d", "a", ten)))
	of := func(text, from, to string) string {
		_, text, _ = strings.Cut(text, from)
		text, _, _ = strings.Cut(text, to)
		return from + text
	}
	whole := of(text, "    a:\n", "    b:\n")
	sum := "      sum: " + strings.TrimSpace(of(of(text, "    a:\n", "    b:\n"), "      sum: ", "\n")[len("      sum: "):]) + "\n"
	if !strings.Contains(whole, sum) {
		t.Fatalf("no %q in %s", sum, whole)
	}
	gone, checksum := "a on d: it has neither numbers nor a sum: what was recorded is gone", "is not the checksum of what is recorded"
	for _, c := range []struct{ name, text, old, new, want string }{
		{"a reason by hand, beside the numbers", text, "    a:\n", "    a:\n      expected_failure: x\n", ""},
		{"a reason by hand, beside those of a metric", text, "    a:\n      metrics:\n        accuracy:\n", "    a:\n      metrics:\n        accuracy:\n          expected_failure: x\n", ""},
		{"a reason in place of all", text, whole, "    a:\n      expected_failure: x\n", gone},
		{"a reason in place of the numbers", text, whole, "    a:\n      expected_failure: x\n" + sum, checksum},
		{"a reason in place of those of a metric", text, of(text, "        accuracy:\n", "        test_mse:\n"), "        accuracy:\n          expected_failure: x\n", checksum},
		{"a tolerance in place of the numbers", text, whole, "    a:\n      metrics: {test_mse: {tolerance: {relative: 9}}}\n", gone},
		{"nothing in place of the numbers", text, whole, "    a: {}\n", gone},
		{"a sum in place of the numbers", text, whole, "    a:\n" + sum, checksum},
		{"what accept wrote of a cell without numbers", never, "", "", ""},
		{"its reason changed", never, "issue 7", "issue 8", checksum},
		{"it under another name", never, "    a:\n", "    c:\n", checksum},
		{"a reason by hand, of a cell that has bounds alone", bounds, "    a:\n", "    a:\n      expected_failure: x\n", ""},
		{"its sum is gone", never, "expected_failure: issue 7\n", "expected_failure: issue 7\n      # ", gone},
	} {
		changed := strings.Replace(c.text, c.old, c.new, 1)
		if c.old != "" && changed == c.text {
			t.Fatalf("%s: no %q in\n%s", c.name, c.old, c.text)
		}
		_, err := Parse("f", []byte(changed), described.Metrics)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q in\n%s", c.name, err, c.want, changed)
		}
	}
}
