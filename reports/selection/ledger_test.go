package selection

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// weighed is a feature for a target with its ledger.
func weighed(rank int32, feature, output string, saved, index, coefficient float64) results.Selected {
	return results.Selected{Rank: rank, Feature: feature, Class: "class of " + feature, Output: output,
		Bits: &results.Bits{Saved: saved, Refined: 0.25, Index: index, Coefficient: coefficient}}
}

func TestLedger(t *testing.T) {
	c := cell("mdl", "", "", "+b", "!")
	scores := func(null, length float64) []results.Score {
		return []results.Score{{Metric: "null_bits", Point: -1, Value: null}, {Metric: "description_length", Point: -1, Value: length},
			{Metric: "test_r2", Output: "y", Point: -1}, {Metric: "test_r2", Output: "z", Point: -1}, {Metric: "test_mse", Output: "z", Point: -1}}
	}
	c.Rows[0].Scores = scores(9, 9)
	c.Rows[1].Scores, c.Rows[1].Features = scores(50, 24.25), 2
	c.Rows[1].Outcome.Selected = []results.Selected{weighed(1, "a", "y", 8, 3, 2), {Feature: "given"}, weighed(0, "b", "y", 10, 1, 2), weighed(0, "b", "z", 20, 3, 2)}
	l, err := LedgerOf(cells.InRows{}, c)
	if err != nil {
		t.Fatal(err)
	}
	want := Ledger{
		Row: c.Rows[1], Folds: 3, Targets: 2, Null: 50, Length: 24.25,
		Entries: []Entry{
			{Feature: "b", Class: "class of b", Targets: 2, Folds: 2, Bits: results.Bits{Saved: 30, Refined: 0.5, Index: 4, Coefficient: 4}},
			{Feature: "a", Class: "class of a", Targets: 1, Folds: 1, Rank: 1, Bits: results.Bits{Saved: 8, Refined: 0.25, Index: 3, Coefficient: 2}},
		},
		Sum: results.Bits{Saved: 38, Refined: 0.75, Index: 7, Coefficient: 6},
	}
	if !reflect.DeepEqual(*l, want) {
		t.Errorf("got  %+v\nwant %+v", *l, want)
	}
	if sum := l.Null - l.Sum.Saved - l.Sum.Refined + l.Sum.Paid(); fmt.Sprint(sum) != "24.25" {
		t.Errorf("the ledger adds up to %v", sum)
	}
}

// withoutScores cannot read them.
type withoutScores struct{ cells.InRows }

var errScores = errors.New("unreadable")

func (withoutScores) Scores(*results.Row) ([]results.Score, error) { return nil, errScores }

func TestNoLedger(t *testing.T) {
	if l, err := LedgerOf(cells.InRows{}, cell("lasso", "", "+a")); l != nil || err != nil {
		t.Errorf("of features without bits: %v, %v", l, err)
	}
	unread := cell("mdl", "")
	unread.Rows[0].Outcome.Selected, unread.Rows[0].Features = []results.Selected{weighed(0, "a", "", 8, 3, 2)}, 1
	if _, err := LedgerOf(withoutScores{}, unread); !errors.Is(err, errScores) {
		t.Errorf("of scores that cannot be read: %v", err)
	}
	lost := cell("mdl", "+a")
	lost.Rows[0].Outcome.Selected = nil
	if _, err := LedgerOf(cells.InRows{}, lost); !errors.Is(err, cells.ErrNotKept) {
		t.Errorf("of what was not kept: %v", err)
	}
}
