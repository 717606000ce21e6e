package decision_test

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/decided"
	"tenfold/engines/decision"
	"tenfold/engines/enginetest"
	"tenfold/engines/kernels/svm"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/model/softmax"
	"tenfold/engines/ridge/logistic"
)

var decidable = engines.Models{decided.Kind: decided.Restore, softmax.SavedAs: softmax.Restore, svm.SavedAs: svm.Restore, narrowed.SavedAs: narrowed.Restore, engines.LinearKind: engines.RestoreLinear, engines.SharesKind: engines.RestoreShares, engines.LinkedKind: engines.RestoreLinked}

// withCut is an engine whose models have a cut.
type withCut struct{ engines.Engine }

func (e withCut) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	m, err := e.Engine.Fit(ctx, run)
	if err != nil {
		return nil, err
	}
	return decided.New(m, run.Train.Features(), decision.Rule{Positive: 1, Cut: -0.7}), nil
}

// A model with a cut is what it was but for decisions, and comes back from a file with its cut; so does one inside another.
func TestDecidedKept(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]engines.Engine{
		"coefficients": withCut{logistic.Kind.Defaults()},
		"kernels":      withCut{svm.Kind.Defaults()},
		"inside":       narrowed.Engine{Select: logistic.Kind.Defaults(), Refit: withCut{logistic.Kind.Defaults()}},
	} {
		m, on, err := enginetest.Fitted(e, engines.Needs{Target: data.Class, Levels: 2})
		if err != nil {
			t.Fatal(err)
		}
		back, err := enginetest.Kept(m, decidable, on)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := back.(engines.Reporter).Fitted().Decision; d == nil || !reflect.DeepEqual(*d, *m.(engines.Reporter).Fitted().Decision) {
			t.Errorf("%s: it came back with %v", name, d)
		}
	}
	alone, on, err := enginetest.Fitted(svm.Kind.Defaults(), engines.Needs{Target: data.Class, Levels: 2})
	if err != nil {
		t.Fatal(err)
	}
	m := decided.New(alone, on.Features(), decision.Rule{})
	if !slices.Equal(engines.Entries(m), engines.Entries(alone)) || !slices.Equal(engines.Uses(m, on.Columns()), engines.Uses(alone, on.Columns())) ||
		!slices.Equal(engines.ColumnsOf(m, on.Columns()), engines.ColumnsOf(alone, on.Columns())) || !slices.Equal(engines.Biases(m), engines.Biases(alone)) {
		t.Error("a cut changes what is told of a model")
	}
}

func TestDecidedDamaged(t *testing.T) {
	t.Parallel()
	const linear = `{"bias":[0.5,1],"coefs":{"feature":[1,2],"output":[0,1],"value":[1,-2],"rank":[0,-1]},"fitted":{"best":-1}}`
	enginetest.Damaged(t, decidable, decided.Kind, `{"decision":{"positive":1,"cut":-0.7},"model":{"kind":"linear","state":`+linear+`}}`, data.NumberedFeatures(0, 4), []enginetest.Damage{
		{`"positive":1`, `"positive":2`, "a cut at -0.7 for level 2 of 2 outputs"},
		{`"linear"`, `"strange"`, `a model of kind "strange" is not known here`},
		{`[0.5,1]`, `[0.5,1,2]`, "of 3 outputs"},
	})
}

// Without a rule the largest output decides, the lowest level on ties; with one, a margin at the cut is positive.
func TestDecisionLevel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d       *decision.Rule
		outputs []float64
		want    int
	}{
		{nil, []float64{1, 2, 2}, 1},
		{nil, []float64{math.Inf(-1), math.Inf(-1)}, 0},
		{&decision.Rule{Positive: 1}, []float64{3, 3}, 1},
		{&decision.Rule{Positive: 0, Cut: 1}, []float64{4, 3}, 0},
		{&decision.Rule{Positive: 0, Cut: 1}, []float64{3.5, 3}, 1},
		{&decision.Rule{Positive: 1, Cut: 5}, []float64{math.Inf(-1), 0}, 1},
	} {
		if got := c.d.Level(c.outputs); got != c.want {
			t.Errorf("%+v: level %d of %v, want %d", c.d, got, c.outputs, c.want)
		}
	}
}
