package curve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

// number is a number, or "inf".
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	if string(b) == `"inf"` {
		*n = number(math.Inf(1))
		return nil
	}
	_, err := fmt.Sscan(string(b), (*float64)(n))
	return err
}

type labelled struct {
	Y       []int     `json:"y"`
	Scores  []float64 `json:"scores"`
	P       []float64 `json:"p"`
	Weights []float64 `json:"weights"`
}

func (in labelled) rows() Rows {
	r := Rows{Score: append(in.Scores, in.P...), Weight: in.Weights}
	for _, y := range in.Y {
		r.Positive = append(r.Positive, y == 1)
	}
	return r
}

func TestOracle(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"pooled_auc": checkPooled, "curve_points": checkCurves, "calibration_bins": checkBins})
}

func checkCurves(t *testing.T, c oracle.Case) {
	var in labelled
	var want struct {
		ROC  [][3]number `json:"roc"`
		PR   [][3]number `json:"pr"`
		AUC  *float64    `json:"roc_auc"`
		AP   *float64    `json:"pr_auc"`
		None *float64    `json:"no_skill"`
	}
	c.Parts(t, &in, &struct{}{}, &want)
	r := in.rows()
	check := func(what string, cuts []Cut, points [][3]number, area float64, wantArea *float64) {
		if len(cuts) != len(points) {
			t.Fatalf("%s: %d cuts, want %d", what, len(cuts), len(points))
		}
		for k, p := range points {
			got := cuts[k]
			if math.IsInf(got.Threshold, 1) != math.IsInf(float64(p[0]), 1) {
				t.Errorf("%s %d: threshold %v, want %v", what, k, got.Threshold, p[0])
			} else if !math.IsInf(got.Threshold, 1) {
				oracle.Near(t, fmt.Sprint(what, " threshold ", k), got.Threshold, float64(p[0]), 1e-12)
			}
			oracle.Near(t, fmt.Sprint(what, " x ", k), got.X, float64(p[1]), 1e-12)
			oracle.Near(t, fmt.Sprint(what, " y ", k), got.Y, float64(p[2]), 1e-12)
		}
		if wantArea == nil {
			if !math.IsNaN(area) {
				t.Errorf("%s: area %v, want none", what, area)
			}
			return
		}
		oracle.Near(t, what+" area", area, *wantArea, 1e-12)
	}
	cuts, area := ROC(r)
	check("roc", cuts, want.ROC, area, want.AUC)
	cuts, area = PrecisionRecall(r)
	check("pr", cuts, want.PR, area, want.AP)
	if want.None != nil {
		oracle.Near(t, "no skill", r.Share(), *want.None, 1e-12)
	}
}

func checkBins(t *testing.T, c oracle.Case) {
	var in labelled
	var options struct {
		Bins     int
		Strategy string
	}
	var want struct {
		Bins []struct {
			Bin, Rows                   int
			Weight, Predicted, Observed float64
		}
		Error float64
	}
	c.Parts(t, &in, &options, &want)
	how := map[string]Binning{"uniform": Uniform, "quantile": Quantile}[options.Strategy]
	got, distance := Calibrate(in.rows(), options.Bins, how)
	if len(got) != len(want.Bins) {
		t.Fatalf("%d bins, want %d", len(got), len(want.Bins))
	}
	for k, w := range want.Bins {
		if got[k].Number != w.Bin || got[k].Rows != w.Rows {
			t.Errorf("bin %d: %+v, want %+v", k, got[k], w)
		}
		oracle.Near(t, "weight", got[k].Weight, w.Weight, 1e-12)
		oracle.Near(t, "predicted", got[k].Predicted, w.Predicted, 1e-12)
		oracle.Near(t, "observed", got[k].Observed, w.Observed, 1e-12)
	}
	oracle.Near(t, "error", distance, want.Error, 1e-12)
}

// The area by trapezoids counts pairs of a positive and a negative row, equal ones as one half; weights of whole numbers are rows.
func TestAreas(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var r, repeated Rows
		for range 3 + rng.IntN(40) {
			score, positive, weight := float64(rng.IntN(6)), rng.IntN(3) == 0, 1+rng.IntN(3)
			r.Append(Rows{Score: []float64{score}, Positive: []bool{positive}, Weight: []float64{float64(weight)}})
			for range weight {
				repeated.Append(Rows{Score: []float64{score}, Positive: []bool{positive}})
			}
		}
		won, pairs := 0.0, 0.0
		for i, a := range repeated.Score {
			for j, b := range repeated.Score {
				if repeated.Positive[i] && !repeated.Positive[j] {
					pairs++
					switch {
					case a > b:
						won++
					case a == b:
						won += 0.5
					}
				}
			}
		}
		cuts, area := ROC(r)
		_, same := ROC(repeated)
		if pairs == 0 {
			if cuts != nil || !math.IsNaN(area) {
				t.Fatalf("one class has the curve %v", cuts)
			}
			continue
		}
		oracle.Near(t, "area", area, won/pairs, 1e-12)
		oracle.Near(t, "repeated", same, area, 1e-12)
		if y := TruePositives(cuts, 1); y != 1 {
			t.Errorf("%v at 1", y)
		}
		if y := TruePositives(cuts, 0); y != cuts[0].Y && cuts[1].X > 0 {
			t.Errorf("%v at 0 of %v", y, cuts)
		}
	}
}

func TestBetweenCuts(t *testing.T) {
	t.Parallel()
	cuts, _ := ROC(Rows{Score: []float64{4, 3, 2, 2, 1}, Positive: []bool{true, false, true, false, false}})
	for _, c := range []struct{ rate, want float64 }{{0, 0.5}, {1. / 6, 0.5}, {1. / 3, 0.5}, {0.5, 0.75}, {2. / 3, 1}, {1, 1}} {
		if got := TruePositives(cuts, c.rate); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("at %v: %v, want %v", c.rate, got, c.want)
		}
	}
	cuts, _ = PrecisionRecall(Rows{Score: []float64{4, 3, 2, 2, 1}, Positive: []bool{true, false, true, false, false}})
	for _, c := range []struct{ recall, want float64 }{{0, 1}, {0.5, 1}, {0.51, 0.5}, {1, 0.5}} {
		if got := Precision(cuts, c.recall); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("at %v: %v, want %v", c.recall, got, c.want)
		}
	}
}

// Wilson's interval of 8 of 10 is .490 … .943 (R 4.2: prop.test(8, 10, correct = FALSE)).
func TestWilson(t *testing.T) {
	t.Parallel()
	low, high := wilson(0.8, 10)
	oracle.Near(t, "low", low, 0.4901624715, 1e-9)
	oracle.Near(t, "high", high, 0.9433178485, 1e-9)
	if low, high = wilson(0, 5); low != 0 || !(high > 0 && high < 1) {
		t.Errorf("%v … %v of none", low, high)
	}
}

// Bins of equal width end where b/B does, whatever the product rounds to.
func TestUniformBins(t *testing.T) {
	t.Parallel()
	for b := range 101 {
		want := max(b, 1) - 1
		if got := uniformBin(float64(b)/100, 100); got != want {
			t.Errorf("%d/100 is in bin %d, want %d", b, got, want)
		}
	}
}
