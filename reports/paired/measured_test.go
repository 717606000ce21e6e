package paired

import (
	"errors"
	"math"
	"strings"
	"testing"

	"tenfold/io/results"
)

// measured is a row with one score and, of a row-wise metric, predictions that give it.
func measured(metric string, value float64, p results.Predictions) *results.Row {
	return &results.Row{Label: results.Label{Fold: 3, FoldDigest: "f"}, Outcome: results.Outcome{RowsTrain: 9, RowsTest: 4,
		Scores: []results.Score{{Metric: metric, Point: -1, Value: value}}, Predictions: p}}
}

func TestFoldsOf(t *testing.T) {
	good, none, infinite := measured("mae", 2, results.Predictions{}), measured("other", 2, results.Predictions{}), measured("mae", math.Inf(1), results.Predictions{})
	got, err := FoldsOf([]*results.Row{good}, "mae")
	if want := (Fold{Digest: "f", Train: 9, Test: 4, Score: 2}); err != nil || got[0] != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	for _, c := range []struct {
		rows []*results.Row
		want string
	}{
		{[]*results.Row{none}, "mae has no value"},
		{[]*results.Row{good, none, good}, "no value on 1 of 3 folds"},
		{[]*results.Row{good, infinite}, "infinite on repeat 0, fold 3"},
	} {
		if _, err := FoldsOf(c.rows, "mae"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// counted counts how often predictions are read.
type counted struct {
	reads int
	err   error
}

func (c *counted) Metric(name string) results.Properties { return known[name] }

func (c *counted) Predictions(r *results.Row) (results.Predictions, error) {
	c.reads++
	return r.Outcome.Predictions, c.err
}

func TestLossReader(t *testing.T) {
	p := labels(4, func(i int) bool { return i == 0 })
	right, source := measured("accuracy", 0.75, p), &counted{}
	reader := ReadLosses(source)
	first, err := reader.Of(right, "accuracy")
	if err != nil || first.Groups() != 4 {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, _ := reader.Of(right, "accuracy"); again != first || source.reads != 1 {
		t.Errorf("read %d times", source.reads)
	}
	unbounded := labels(4, func(i int) bool { return false })
	unbounded.Prediction[2] = math.Inf(1)
	for _, c := range []struct {
		row    *results.Row
		metric string
		want   string
	}{
		{right, "error", "error has no value"},
		{measured("f1", 1, p), "f1", "not a mean over rows"},
		{measured("accuracy", 0.5, p), "accuracy", "the predictions give"},
		{measured("accuracy", 0.75, results.Predictions{}), "accuracy", "no predictions"},
		{measured("mae", 0, unbounded), "mae", "not finite"},
	} {
		if _, err := reader.Of(c.row, c.metric); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	damaged := errors.New("damaged")
	if _, err := ReadLosses(&counted{err: damaged}).Of(right, "accuracy"); !errors.Is(err, damaged) {
		t.Errorf("%v, want %v", err, damaged)
	}
}

func TestMargin(t *testing.T) {
	share, units, negative := 0.02, 3.0, -1.0
	for _, c := range []struct {
		margin Margin
		given  bool
		of     float64 // a reference of −50
		wrong  string
	}{
		{Margin{}, false, 0, ""},
		{Margin{Relative: &share}, true, 1, ""},
		{Margin{Absolute: &units}, true, 3, ""},
		{Margin{Relative: &share, Absolute: &units}, true, 1, "not both"},
		{Margin{Absolute: &negative}, true, -1, "at least 0"},
	} {
		if c.margin.Given() != c.given || c.margin.Of(-50) != c.of {
			t.Errorf("%+v: given %v, %v of −50", c.margin, c.margin.Given(), c.margin.Of(-50))
		}
		if err := c.margin.Validate("margin"); (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%+v: %v, want %q", c.margin, err, c.wrong)
		}
	}
}

// With a hundred differences 1 to 100 the interval of the sign test is from the 40th to the 61st: P(B ≤ 39) = 0.018 and
// P(B ≤ 40) = 0.028 of a binomial with n = 100 (Hollander & Wolfe, section 3.6).
func TestSignInterval(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i + 1)
	}
	r, err := Sign(against(values))
	if err != nil || r.Low != 40 || r.High != 61 {
		t.Errorf("from %v to %v, %v", r.Low, r.High, err)
	}
}

// The exact p-value against 0 and the score test's against others do not cross.
func TestMcNemarTailsAreMonotonic(t *testing.T) {
	for _, m := range []discordant{{3, 8, 50}, {8, 3, 50}, {1, 1, 9}, {0, 6, 20}} {
		last, rising := 1.0, 0.0
		for x := -0.3; x < 0.3; x += 0.001 {
			below, above := m.tails(x)
			if below > last+1e-12 || above < rising-1e-12 {
				t.Errorf("%+v at %.3f: below %g after %g, above %g after %g", m, x, below, last, above, rising)
				break
			}
			last, rising = below, above
		}
		if below, _ := m.tails(0); below < m.below(1e-9) || below > m.below(-1e-9) {
			t.Errorf("%+v: %g against 0 is not between its neighbours", m, below)
		}
	}
}
