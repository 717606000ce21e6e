package results

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func digestOf(rows []Row) string {
	var d digester
	for i := range rows {
		d.addRow(&rows[i])
	}
	return d.hexSum()
}

// TestDigest pins what counts as a different result and what does not.
func TestDigest(t *testing.T) {
	original := digestOf(example())
	if !strings.HasPrefix(original, "sha256:") || len(original) != len("sha256:")+64 {
		t.Fatalf("digest %q", original)
	}
	nextUp := func(x *float64) { *x = math.Nextafter(*x, math.Inf(1)) }
	type change struct {
		name string
		edit func(rows []Row)
	}
	same := []change{
		{"order", func(rows []Row) { slices.Reverse(rows) }},
		{"timings", func(rows []Row) {
			r := &rows[0]
			nextUp(&r.SecondsFit)
			nextUp(&r.SecondsPredict)
			nextUp(&r.CPUSeconds)
			nextUp(&r.Outcome.Path[0].Seconds)
			nextUp(&r.Scores[5].Value)
			nextUp(&r.Searches[0].Stages[0].Attempts[0].Seconds[0])
		}},
		{"provenance", func(rows []Row) {
			r := &rows[0]
			r.Started, r.Machine, r.Version, r.Commit, r.Dirty, r.Attempts = time.Now(), "m", "v", "c", false, 9
			r.Limit, r.Notes, r.Prepared, r.Facts, r.Stop = 1, nil, nil, nil, ""
		}},
		{"experiment", func(rows []Row) { rows[0].Experiment = "x" }},
		{"predictions", func(rows []Row) { rows[0].Outcome.Predictions = Predictions{} }},
		{"timeout's path", func(rows []Row) { rows[2].Outcome.Path = rows[2].Outcome.Path[:1] }},
		{"error", func(rows []Row) { rows[1].Error = "panic: at 0xc000123" }},
		{"undefined metric", func(rows []Row) {
			rows[0].Scores = append(rows[0].Scores, Score{Metric: "roc_auc", Point: -1, Value: math.NaN()})
		}},
	}
	other := []change{
		{"metric", func(rows []Row) { nextUp(&rows[0].Scores[0].Value) }},
		{"sign of zero", func(rows []Row) { rows[0].Outcome.Path[0].TrainError = math.Copysign(0, -1) }},
		{"coefficient", func(rows []Row) { nextUp(&rows[0].Outcome.Selected[0].Coefficient) }},
		{"feature", func(rows []Row) { rows[0].Outcome.Selected[1].Feature = "u" }},
		{"ledger", func(rows []Row) { rows[0].Outcome.Selected[1].Bits = new(Bits) }},
		{"path", func(rows []Row) { nextUp(&rows[0].Outcome.Path[1].TestError) }},
		{"best", func(rows []Row) { rows[0].Outcome.Path[1].Best = false }},
		{"inner value", func(rows []Row) { nextUp(&rows[0].Searches[0].Stages[0].Attempts[0].Values[1]) }},
		{"inner choice", func(rows []Row) { rows[0].Searches[0].Stages[1].Attempts[0].OneSE = false }},
		{"status", func(rows []Row) { rows[1].Status = Timeout }},
		{"fold", func(rows []Row) { rows[0].Fold = 7 }},
		{"algorithm", func(rows []Row) { rows[0].Algorithm = "renamed" }},
		{"seed", func(rows []Row) { rows[0].Seed = 7 }},
		{"selected", func(rows []Row) { rows[0].Features++ }},
	}
	for _, c := range same {
		rows := example()
		c.edit(rows)
		if got := digestOf(rows); got != original {
			t.Errorf("%s changed the digest", c.name)
		}
	}
	for _, c := range other {
		rows := example()
		c.edit(rows)
		if got := digestOf(rows); got == original {
			t.Errorf("%s did not change the digest", c.name)
		}
	}
	if digestOf(example()[1:]) == original {
		t.Error("a missing row did not change the digest")
	}
}
