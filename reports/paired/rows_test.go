package paired

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/enginetest/oracle"
	"tenfold/io/results"
)

// labels are n rows without groups, of which one algorithm misses every row that wrong says.
func labels(n int, wrong func(i int) bool) results.Predictions {
	var p results.Predictions
	for i := range n {
		p.Row = append(p.Row, fmt.Sprintf("r%04d", i))
		p.Truth = append(p.Truth, 1)
		p.Prediction = append(p.Prediction, 1-indicator(wrong(i)))
	}
	return p
}

func TestMcNemarAgainstSciPy(t *testing.T) {
	for _, c := range oracle.Fixture[struct {
		Name             string
		Up, Down, N      int
		P, Below, Above  float64
		Margin           float64
		AboveMinusMargin float64 `json:"above_minus_margin"`
		BelowMargin      float64 `json:"below_margin"`
		Low, High        float64
	}](t, "mcnemar.json") {
		t.Run(c.Name, func(t *testing.T) {
			first := labels(c.N, func(i int) bool { return i < c.Down })
			second := labels(c.N, func(i int) bool { return i >= c.Down && i < c.Down+c.Up })
			r, err := McNemar(losses(t, "accuracy", first), losses(t, "accuracy", second))
			if err != nil {
				t.Fatal(err)
			}
			if r.N != c.N || !(math.Abs(r.Mean-float64(c.Up-c.Down)/float64(c.N)) <= 1e-15) {
				t.Errorf("got %+v", r)
			}
			oracle.Near(t, "p", r.P, c.P, 1e-12)
			oracle.Near(t, "below", r.Below(0), c.Below, 1e-12)
			oracle.Near(t, "above", r.Above(0), c.Above, 1e-12)
			oracle.Near(t, "above −margin", r.Above(-c.Margin), c.AboveMinusMargin, 1e-6)
			oracle.Near(t, "below margin", r.Below(c.Margin), math.Min(c.BelowMargin, c.Below), 1e-6)
			oracle.Near(t, "low", r.Low, c.Low, 1e-6)
			oracle.Near(t, "high", r.High, c.High, 1e-6)

			e, err := McNemar(losses(t, "error", first), losses(t, "error", second))
			if err != nil || e.Mean != -r.Mean || e.P != r.P || !(math.Abs(e.Low+r.High) <= 1e-12) {
				t.Errorf("error is the other side of accuracy: %+v, %+v, %v", e, r, err)
			}
		})
	}
}

func TestPValuesFallWithTheMargin(t *testing.T) {
	for _, m := range []discordant{{1, 7, 40}, {3, 0, 44}, {0, 1, 5}, {2, 2, 4}, {5, 0, 5}, {0, 5, 5}} {
		last := [2]float64{1, 0}
		for x := -0.995; x < 1; x += 0.01 {
			below, above := m.tails(x)
			p := [2]float64{below, above}
			if !(p[0] <= last[0]+1e-12 && p[1] >= last[1]-1e-12 && p[0] >= 0 && p[1] <= 1) {
				t.Errorf("%+v at %.2f: %v after %v", m, x, p, last)
			}
			last = p
		}
		low, high := m.interval(0.95)
		if mean := float64(m.up-m.down) / float64(m.n); !(-1 <= low && low <= mean && mean <= high && high <= 1) {
			t.Errorf("%+v: interval %v to %v", m, low, high)
		}
	}
}

func TestMcNemarRefusals(t *testing.T) {
	p := labels(20, func(i int) bool { return i < 3 })
	r, err := McNemar(losses(t, "error", p), losses(t, "error", p))
	if err != nil || !r.Constant || r.P != 1 || r.Equivalent(0.001) != 0 {
		t.Errorf("against itself: %+v, %v", r, err)
	}
	grouped := labels(20, func(i int) bool { return i < 3 })
	for i := range grouped.Row {
		grouped.Group = append(grouped.Group, fmt.Sprint(i/2))
	}
	for _, c := range []struct {
		a, b *Losses
		want string
	}{
		{losses(t, "error", p), losses(t, "accuracy", p), "error cannot be compared with accuracy"},
		{losses(t, "mae", p), losses(t, "mae", p), "rows that are right or wrong, not of mae"},
		{losses(t, "error", grouped), losses(t, "error", grouped), "in groups"},
		{losses(t, "error", p).Blocks(5), losses(t, "error", p).Blocks(5), "in groups"},
		{losses(t, "error", p), losses(t, "error", labels(19, func(int) bool { return false })), "same rows"},
	} {
		if _, err := McNemar(c.a, c.b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestBlocks(t *testing.T) {
	p, q := noisy(600, 2, 0), noisy(600, 2, 1)
	slices.Reverse(q.Row)
	slices.Reverse(q.Group)
	slices.Reverse(q.Prediction)
	a, b := losses(t, "test_mse", p), losses(t, "test_mse", q)
	x, y := a.Blocks(50), b.Blocks(50)
	if x.Groups() > 50 || x.Groups() < 45 || !slices.Equal(x.Counts(), y.Counts()) {
		t.Fatalf("%d and %d blocks with %v and %v rows", x.Groups(), y.Groups(), x.Counts(), y.Counts())
	}
	if !(math.Abs(x.metricValue()-a.metricValue()) <= 1e-12) {
		t.Errorf("blocks have another mean: %v, %v", x.metricValue(), a.metricValue())
	}
	if ratio := x.SE() / a.SE(); ratio < 0.7 || ratio > 1.4 {
		t.Errorf("blocks have a standard error of %v, groups of %v", x.SE(), a.SE())
	}
	if a.Blocks(300) != a || a.Blocks(1000) != a {
		t.Errorf("as many blocks as groups change nothing")
	}
	if n := a.Blocks(0).Groups(); n != 1 {
		t.Errorf("%d blocks, want 1", n)
	}

	stored, err := Stored("test_mse", known["test_mse"], x.Sums(), x.Counts())
	if err != nil {
		t.Fatal(err)
	}
	want, err := Bootstrap(x, y)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Bootstrap(stored, b.Blocks(50))
	if err != nil || got.Mean != want.Mean || got.P != want.P || got.Low != want.Low {
		t.Errorf("stored blocks: %+v, %+v, %v", got, want, err)
	}
	if _, err := Bootstrap(stored, b.Blocks(49)); err == nil || !strings.Contains(err.Error(), "same rows") {
		t.Errorf("other blocks: %v", err)
	}
}

// The block of a group is a promise to files written before.
func TestBlocksNeverChange(t *testing.T) {
	p := noisy(24, 2, 0)
	if got, want := losses(t, "mae", p).Blocks(4).Counts(), []float64{6, 8, 8, 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestStoredRefusals(t *testing.T) {
	for _, c := range []struct {
		metric       string
		sums, counts []float64
		want         string
	}{
		{"roc_auc", []float64{1}, []float64{1}, "not a mean over rows"},
		{"mae", []float64{1, 2}, []float64{1}, "2 sums of losses for 1 counts"},
		{"mae", nil, nil, "no losses"},
		{"mae", []float64{1}, []float64{0}, "block 0 has 0 rows"},
		{"mae", []float64{1}, []float64{-1.5}, "block 0 has -1.5 rows"},
		{"mae", []float64{1, math.NaN()}, []float64{1, 1}, "block 1 has a sum of losses of NaN"},
		{"mae", []float64{1, -2}, []float64{1, 1}, "block 1 has a sum of losses of -2"},
	} {
		if _, err := Stored(c.metric, known[c.metric], c.sums, c.counts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestBootstrapShares(t *testing.T) {
	a, b := losses(t, "test_mse", noisy(300, 3, 0)), losses(t, "test_mse", noisy(300, 3, 0.1))
	r, err := Bootstrap(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if low, high := r.Interval(0.95); low != r.Low || high != r.High {
		t.Errorf("%v to %v, %v to %v", low, high, r.Low, r.High)
	}
	// An end of the 90 % interval has 5 % of the replicates beyond it.
	low, high := r.Interval(0.9)
	oracle.Near(t, "above low", r.Above(low), 102.0/2001, 1e-12)
	oracle.Near(t, "below high", r.Below(high), 102.0/2001, 1e-12)
	oracle.Near(t, "p", r.P, math.Min(1, 2*math.Min(r.Below(0), r.Above(0))), 0)
	if least := 1.0 / 2001; r.Below(1e9) != least || r.Above(-1e9) != least || r.Below(-1e9) != 1 {
		t.Errorf("shares far away: %v, %v, %v", r.Below(1e9), r.Above(-1e9), r.Below(-1e9))
	}
	if l, h := a.Interval(0.95); !(l < a.metricValue() && a.metricValue() < h) {
		t.Errorf("the interval %v to %v is not about %v", l, h, a.metricValue())
	}
	if l, h := losses(t, "mae", noisy(4, 4, 0)).Interval(0.95); !math.IsNaN(l) || !math.IsNaN(h) {
		t.Errorf("one group has an interval: %v to %v", l, h)
	}
}
