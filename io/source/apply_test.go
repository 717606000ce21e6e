package source_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/labels"
	"tenfold/io/source"
)

var nan = math.NaN()

// applied is a model of the columns a, plan=x, plan=y, b@in (a copy of b in the class in) and city=u.
func applied() source.Application {
	return source.Application{Learned: &prepare.Learned{
		Columns: []string{"plan=x", "plan=y", "a", "b@in", "city=u"}, Factors: []int32{0, 0, -1, -1, 1},
		Class: []int32{-1, -1, -1, 0, -1}, Classes: []string{"in"},
		Targets: []labels.Target{{Name: "y", Class: true}},
	}}
}

// Of each known column, or some level of it, there has to be one.
func TestColumnsOfNewRows(t *testing.T) {
	for have, want := range map[string]string{
		"plan=x a b city=u":      "",
		"plan=y a b@in city=u z": "",
		"a b city=u":             `f: no column "plan", which the model uses`,
		"plan=z a b city=u":      `f: no column "plan", which the model uses; did you mean "plan=z"?`,
		"plan=x a b":             `f: no column "city", which the model uses`,
		"plan=x aa b city=u":     `f: no column "a", which the model uses; did you mean "aa"?`,
		"plan=x a bb":            `f: no column "b", which the model uses; did you mean "bb"?; nor are there city`,
	} {
		names := strings.Fields(have)
		err := applied().All(&data.Dataset{Features: data.NewFeatures(names)}, names, "f")
		if got := fmt.Sprint(err); got != want && (want != "" || err != nil) {
			t.Errorf("%s: got %s, want %s", have, got, want)
		}
	}
	d := enginetest.Dataset(enginetest.Matrix([]float64{1, 2}), enginetest.Real("y", 1))
	d.Features = data.NewFeatures([]string{"a", "b"})
	if d = applied().Copies(d); d.Features.Len() != 3 || d.Features.Name(2) != "b@in" || d.X.Row(0).At(2) != 2 {
		t.Errorf("copies: %d columns", d.Features.Len())
	}
}

func TestResponsesOfNewRows(t *testing.T) {
	a := applied()
	if got := a.AsksLabel(); got != data.Any {
		t.Errorf("nobody asks for responses: labels are read as %v", got)
	}
	if a.Responses = true; a.AsksLabel() != data.Class {
		t.Errorf("labels are read as %v", a.AsksLabel())
	}
	a.Targets[0].Cut = new(exact.Float)
	if got := a.AsksLabel(); got != data.Real {
		t.Errorf("of numbers that the model cut: labels are read as %v", got)
	}
	if a.Targets = append(a.Targets, labels.Target{Name: "z", Class: true}); a.TargetType("z") != data.Class || a.TargetType("x") != data.Any {
		t.Errorf("of several: z as %v, x as %v", a.TargetType("z"), a.TargetType("x"))
	}
}

// Rows with gaps are left out of new data where they were left out of the first; ids are the numbers of the rows.
func TestWholeRows(t *testing.T) {
	rows := func(x ...[]float64) *data.Dataset {
		return enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", make([]float64, len(x))...))
	}
	gap := []float64{1, nan}
	drop := source.Gaps{Missing: source.Fill{All: "drop-rows"}}
	d, err := applied().CompleteRows(rows(gap, []float64{2, 3}, gap), drop)
	if err != nil || d.Rows() != 1 || d.IDs[0] != "1" || d.Accounts().Rows.String() != "1 of 3 (2 with a missing value)" {
		t.Errorf("%v %+v", err, d)
	}
	if d, err = applied().CompleteRows(rows(gap), source.Gaps{}); err != nil || d.Rows() != 1 {
		t.Errorf("gaps that are filled: %v", err)
	}
	if d, err = applied().CompleteRows(rows([]float64{2, 3}), drop); err != nil || d.IDs != nil || d.Accounts().Rows.String() != "1" {
		t.Errorf("no gaps: %v %+v", err, d)
	}
	if _, err = applied().CompleteRows(rows(gap), drop); err == nil || !strings.HasPrefix(err.Error(), "all 1 rows have a missing value") {
		t.Errorf("no row is whole: %v", err)
	}
}
