package paired

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/runner/metric"
)

// noisy makes predictions of n rows in groups of the given size whose errors are shared inside a group.
func noisy(n, group int, shift float64) results.Predictions {
	rng := rand.New(rand.NewPCG(1, 2))
	var p results.Predictions
	var e float64
	for i := range n {
		if i%group == 0 {
			e = rng.NormFloat64()
		}
		p.Row = append(p.Row, fmt.Sprintf("r%04d", i))
		p.Group = append(p.Group, fmt.Sprint(i/group))
		p.Output = append(p.Output, "")
		p.Truth = append(p.Truth, 0)
		p.Prediction = append(p.Prediction, e+shift)
	}
	return p
}

// known is what tenfold says of its metrics.
var known = metric.Described(nil)

func losses(t *testing.T, metric string, p results.Predictions) *Losses {
	t.Helper()
	sum := 0.0
	for i := range p.Truth {
		sum += rowLosses[known[metric].RowLoss](&p, i)
	}
	l, err := lossesOf(metric, known[metric], p, (&Losses{properties: known[metric]}).fromMean(sum/float64(len(p.Row))))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// With groups of one row, the bootstrap error of a mean tends to s/√n · √((n−1)/n).
func TestBootstrapErrorOfAMean(t *testing.T) {
	l := losses(t, "mae", noisy(400, 1, 0))
	mean, squares := l.metricValue(), 0.0
	for _, s := range l.sum {
		squares += (s - mean) * (s - mean)
	}
	want := math.Sqrt(squares / 400 / 400)
	if got := l.SE(); !(math.Abs(got/want-1) <= 0.06) {
		t.Errorf("got %v, want about %v", got, want)
	}
}

// A row of weight 3 is three rows of its group.
func TestBootstrapOfWeights(t *testing.T) {
	p, better := noisy(60, 2, 0), noisy(60, 2, 0)
	for i := range better.Prediction {
		better.Prediction[i] *= 0.9 - 0.01*float64(i%7)
	}
	pick := func(p results.Predictions, weights bool) (results.Predictions, float64) {
		var out results.Predictions
		sum, n := 0.0, 0.0
		for i := range p.Row {
			copies := 1 + i%3
			for k := range copies {
				sum, n = sum+math.Abs(p.Truth[i]-p.Prediction[i]), n+1
				if weights && k > 0 {
					continue
				}
				out.Row, out.Group, out.Output = append(out.Row, fmt.Sprint(p.Row[i], k)), append(out.Group, p.Group[i]), append(out.Output, "")
				out.Truth, out.Prediction = append(out.Truth, p.Truth[i]), append(out.Prediction, p.Prediction[i])
				if weights {
					out.Weight = append(out.Weight, float64(copies))
				}
			}
		}
		return out, sum / n
	}
	var got [2]Result
	for k, weights := range []bool{false, true} {
		var sides [2]*Losses
		for s, p := range []results.Predictions{p, better} {
			picked, score := pick(p, weights)
			l, err := lossesOf("mae", known["mae"], picked, score)
			if err != nil {
				t.Fatal(err)
			}
			sides[s] = l
		}
		r, err := Bootstrap(sides[0], sides[1])
		if err != nil {
			t.Fatal(err)
		}
		got[k] = r
	}
	if a, b := got[0], got[1]; !(math.Abs(a.Mean-b.Mean) <= 1e-12) || !(math.Abs(a.SE-b.SE) <= 1e-12) || a.SE == 0 {
		t.Errorf("rows: %v ± %v, weights: %v ± %v", a.Mean, a.SE, b.Mean, b.SE)
	}
}

// Eight equal rows a group carry the information of one: the standard error is √8 times that of independent rows.
func TestBootstrapDrawsGroups(t *testing.T) {
	grouped := noisy(1600, 8, 0)
	single := noisy(1600, 8, 0)
	single.Group = nil
	ratio := losses(t, "test_mse", grouped).SE() / losses(t, "test_mse", single).SE()
	if !(math.Abs(ratio/math.Sqrt(8)-1) <= 0.15) {
		t.Errorf("ratio of standard errors is %v, want about %v", ratio, math.Sqrt(8))
	}
}

func TestBootstrapComparison(t *testing.T) {
	a, b := noisy(300, 3, 0), noisy(300, 3, 1)
	same, err := Bootstrap(losses(t, "test_mse", a), losses(t, "test_mse", a))
	if err != nil || same.Mean != 0 || same.P != 1 {
		t.Errorf("against itself: %+v, %v", same, err)
	}
	r, err := Bootstrap(losses(t, "test_mse", a), losses(t, "test_mse", b))
	if err != nil {
		t.Fatal(err)
	}
	if !(r.P < 0.01 && r.High < 0 && r.Low < r.Mean && r.Mean < r.High && r.N == 100) {
		t.Errorf("a clear difference is not seen: %+v", r)
	}
	slices.Reverse(b.Row)
	slices.Reverse(b.Prediction)
	slices.Reverse(b.Group)
	again, err := Bootstrap(losses(t, "test_mse", a), losses(t, "test_mse", b))
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(again.Mean-r.Mean) <= 1e-12) || again.P != r.P || !(math.Abs(again.Low-r.Low) <= 1e-12) {
		t.Errorf("order of rows matters: %+v, %+v", again, r)
	}
}

func TestBootstrapRefusals(t *testing.T) {
	p := noisy(20, 1, 0)
	other := noisy(20, 1, 0)
	other.Row[3] = "another"
	if _, err := Bootstrap(losses(t, "mae", p), losses(t, "mae", other)); err == nil || !strings.Contains(err.Error(), "same rows") {
		t.Errorf("other rows: %v", err)
	}
	one := noisy(4, 4, 0)
	if _, err := Bootstrap(losses(t, "mae", one), losses(t, "mae", noisy(4, 4, 1))); err == nil || !strings.Contains(err.Error(), "2 groups") {
		t.Errorf("one group: %v", err)
	}
	if r, err := Bootstrap(losses(t, "mae", one), losses(t, "mae", one)); err != nil || !r.Constant || r.Mean != 0 || r.N != 1 {
		t.Errorf("one group that is the same needs no draws: %+v, %v", r, err)
	}
	if _, err := lossesOf("test_r2", known["test_r2"], p, 0); err == nil || !strings.Contains(err.Error(), "mean over rows") {
		t.Errorf("metric: %v", err)
	}
	if _, err := lossesOf("mae", known["mae"], results.Predictions{}, 0); err == nil || !strings.Contains(err.Error(), "no predictions") {
		t.Errorf("empty: %v", err)
	}
	if _, err := lossesOf("mae", known["mae"], p, 3); err == nil || !strings.Contains(err.Error(), "weighted") {
		t.Errorf("foreign score: %v", err)
	}
}

func BenchmarkBootstrap(b *testing.B) {
	p := noisy(19260, 2, 0)
	var t testing.T
	l := losses(&t, "test_mse", p)
	for b.Loop() {
		drawReplicates(l)
	}
}

// lossesOf is newLosses with an arrangement of its own.
func lossesOf(metric string, of results.Properties, p results.Predictions, score float64) (*Losses, error) {
	return newLosses(metric, of, p, score, new(arrangement))
}
