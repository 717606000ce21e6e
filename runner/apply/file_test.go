package apply

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/io/files"
	"tenfold/io/model"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner/execute"
)

// TestIntercepts: each has the name of its output, which the only one has not; those of levels that nothing goes with are left out.
func TestIntercepts(t *testing.T) {
	t.Parallel()
	d := people()
	for _, c := range []struct {
		set  *data.Dataset
		bias []float64
		want string
	}{
		{of(d, 0), []float64{0.5}, "=0.5"},
		{of(d, 0), []float64{0}, "=0"}, // which has coefficients
		{of(d, 1), []float64{0, 2}, "l0=0 l1=2"},
		{d, []float64{0.5, 0, 0}, "height=0.5"},
		{d, []float64{0, 0, 3}, "height=0 kind=l1=3"},
	} {
		if got := intercepts(opened(t, file(t, c.set, prepare.Recipe{}, c.bias, []float64{1, 2, 3}))); got != c.want {
			t.Errorf("%v: %s, want %s", c.bias, got, c.want)
		}
	}
}

func intercepts(m *Model) string {
	var all []string
	for _, b := range m.Intercepts() {
		all = append(all, fmt.Sprint(b.Output, "=", b.Value))
	}
	return strings.Join(all, " ")
}

// roles is a format with files of other roles.
type roles struct{ reader }

func (roles) Declares() source.Declares {
	return source.Declares{Roles: [][]string{{"all"}, {"train", "test"}}}
}

// TestSharedFiles are those without rows, responses or classes.
func TestSharedFiles(t *testing.T) {
	t.Parallel()
	given := map[string]files.Ref{}
	for _, role := range []string{"all", "train", "test", "labels", "groups", "all_event", "names", "chip"} {
		given[role] = files.Ref{Path: role}
	}
	if got := slices.Sorted(maps.Keys(sharedFiles(roles{}, given))); fmt.Sprint(got) != "[chip names]" || len(given) != 8 {
		t.Errorf("%v of %d", got, len(given))
	}
}

// picky is a model that uses two columns.
type picky struct{ engines.Model }

func (picky) Selected() []int32 { return []int32{0, 2} }

// TestSelectedFeatures: coefficients with their price in bits, then columns that are used without one.
func TestSelectedFeatures(t *testing.T) {
	t.Parallel()
	_, learned, err := prepare.Recipe{}.Learn(of(people(), 0))
	if err != nil {
		t.Fatal(err)
	}
	w := &execute.FullFit{Model: picky{}, Learned: learned}
	w.Outcome.Selected = []results.Selected{
		{Feature: "x2", Rank: 1, Coefficient: 1.5, Score: 2, Output: "a"},
		{Feature: "x1", Rank: 2, Coefficient: -1, Bits: &results.Bits{Saved: 6, Refined: 5, Class: 4, Index: 3, Subset: 2, Coefficient: 1}},
	}
	text := func(fs model.Selected) (all []string) {
		for _, f := range fs {
			bits := ""
			if b := f.Bits; b != nil {
				bits = fmt.Sprint(" bits ", b.Saved, b.Refined, b.Class, b.Index, b.Subset, b.Coefficient)
			}
			all = append(all, fmt.Sprintf("%d %s%s %v %v%s", f.Rank, f.Feature, f.Output, f.Coefficient, f.Score, bits))
		}
		return all
	}
	got := strings.Join(text(selectedFeatures(w)), "; ")
	if want := "1 x2a 1.5 2; 2 x1 -1 0 bits 6 5 4 3 2 1; -1 x0 NaN NaN"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := gridText([]results.Param{{Name: "epsilon", Value: 0.1}, {Name: "patience", Value: 3}}); got != "epsilon=0.1 patience=3" {
		t.Errorf("a point of a grid: %s", got)
	}
}

// closing is a model that holds something.
type closing struct {
	engines.Model
	closed *bool
}

func (c closing) Close() { *c.closed = true }

// TestClose ends what the model holds; what a reader says is wrong is passed on.
func TestClose(t *testing.T) {
	t.Parallel()
	m := opened(t, file(t, of(people(), 0), prepare.Recipe{}, []float64{1}))
	closed := false
	m.fitted = closing{m.fitted, &closed}
	if m.Close(); !closed {
		t.Error("it is open")
	}
	if _, err := m.Read(t.Context(), broken{}, nil, false); err == nil || err.Error() != "broken" {
		t.Errorf("%v", err)
	}
}

// broken is a format whose files cannot be read.
type broken struct{ reader }

func (broken) Load(context.Context, source.Input) (*data.Dataset, error) {
	return nil, fmt.Errorf("broken")
}
