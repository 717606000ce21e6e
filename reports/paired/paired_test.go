package paired

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

func folds(train, test int64, scores ...float64) []Fold {
	out := make([]Fold, len(scores))
	for i, s := range scores {
		out[i] = Fold{Digest: fmt.Sprint("fold", i), Train: train, Test: test, Score: s}
	}
	return out
}

// against makes folds with the given differences to folds of zero.
func against(differences []float64) (a, b []Fold) {
	return folds(9, 1, differences...), folds(9, 1, make([]float64, len(differences))...)
}

var overFolds = map[string]func(a, b []Fold) (Result, error){"t": T, "corrected": Corrected, "Wilcoxon": Wilcoxon, "sign": Sign}

func TestOraclePaired(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"paired": func(t *testing.T, c oracle.Case) {
		var in struct{ A, B []float64 }
		var opt struct {
			Train int64 `json:"n_train"`
			Test  int64 `json:"n_test"`
		}
		var want struct {
			Mean, T, P float64
			TNB        float64 `json:"t_nb"`
			PNB        float64 `json:"p_nb"`
		}
		c.Decode(t, c.Input, &in)
		c.Decode(t, c.Options, &opt)
		c.Decode(t, c.Expected, &want)
		a, b := folds(opt.Train, opt.Test, in.A...), folds(opt.Train, opt.Test, in.B...)
		plain, err := T(a, b)
		if err != nil {
			t.Fatal(err)
		}
		corrected, err := Corrected(a, b)
		if err != nil {
			t.Fatal(err)
		}
		oracle.Near(t, "mean", plain.Mean, want.Mean, 1e-9)
		oracle.Near(t, "t", plain.T, want.T, 1e-9)
		oracle.Near(t, "p", plain.P, want.P, 1e-9)
		oracle.Near(t, "t_nb", corrected.T, want.TNB, 1e-9)
		oracle.Near(t, "p_nb", corrected.P, want.PNB, 1e-9)
	}})
}

// Student's sleep data; R: with(sleep, t.test(extra[group == 1], extra[group == 2], paired = TRUE)) prints
// t = -4.0621, df = 9, p-value = 0.002833, 95 percent interval -2.4598858 -0.7001142, mean difference -1.58.
func TestPairedTOnSleep(t *testing.T) {
	a := folds(9, 1, 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2)
	b := folds(9, 1, 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4)
	r, err := T(a, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what      string
		got, want float64
		tolerance float64
	}{
		{"t", r.T, -4.0621, 5e-5}, {"p", r.P, 0.002833, 5e-7}, {"mean", r.Mean, -1.58, 1e-12},
		{"low", r.Low, -2.4598858, 5e-8}, {"high", r.High, -0.7001142, 5e-8},
	} {
		if !(math.Abs(c.got-c.want) <= c.tolerance) {
			t.Errorf("%s = %.9g, want %.9g", c.what, c.got, c.want)
		}
	}
}

// By hand: differences 1, 2, 3: mean 2, s² = 1. Sizes 1/2, 1/3 and 1/6 average 1/3, so t = 2 / sqrt(1/3 + 1/3).
func TestCorrectedUsesActualFoldSizes(t *testing.T) {
	a, b := folds(0, 1, 1, 2, 3), folds(0, 1, 0, 0, 0)
	for i, train := range []int64{2, 3, 6} {
		a[i].Train, b[i].Train = train, train
	}
	r, err := Corrected(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 / math.Sqrt(2.0/3); !(math.Abs(r.T-want) <= 1e-12) {
		t.Errorf("t = %v, want %v", r.T, want)
	}
}

func TestPairingIsByDigest(t *testing.T) {
	a, b := folds(9, 1, 1, 2, 4, 8), folds(9, 1, 0, 1, 1, 9)
	turned := slices.Clone(b)
	slices.Reverse(turned)
	for name, test := range overFolds {
		want, err := test(a, b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := test(a, turned)
		if err != nil {
			t.Fatal(err)
		}
		if got.P != want.P || got.Mean != want.Mean || got.Low != want.Low || got.High != want.High {
			t.Errorf("%s: another order of rows changed the test: %+v, %+v", name, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	other := folds(9, 1, 1, 2, 3)
	other[1].Digest = "elsewhere"
	for _, c := range []struct {
		name string
		a, b []Fold
		want string
	}{
		{"other folds", folds(9, 1, 1, 2, 3), other, "not measured on the same folds"},
		{"fewer folds", folds(9, 1, 1, 2, 3), folds(9, 1, 1, 2), "3 against 2"},
		{"no fold", nil, nil, "at least 2 folds, found 0"},
		{"one fold", folds(9, 1, 1), folds(9, 1, 2), "at least 2 folds, found 1"},
		{"no sizes", folds(0, 0, 1, 2), folds(0, 0, 2, 1), "0 training"},
		{"no training rows", folds(0, 1, 1, 2), folds(0, 1, 2, 1), "0 training and 1 test rows"},
		{"no test rows", folds(9, 0, 1, 2), folds(9, 0, 2, 1), "9 training and 0 test rows"},
		{"NaN", folds(9, 1, 1, math.NaN()), folds(9, 1, 2, 1), "fold fold1: scores NaN and 1, expected finite numbers"},
		{"infinite", folds(9, 1, 1, 2), folds(9, 1, math.Inf(-1), 1), "fold fold0: scores 1 and -Inf, expected finite numbers"},
		{"overflow", folds(9, 1, 1, 1e308), folds(9, 1, 1, -1e308), "too far apart"},
	} {
		for name, test := range overFolds {
			if _, err := test(c.a, c.b); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: got %v, want %q", c.name, name, err, c.want)
			}
		}
	}
}

// A difference of exactly 0 on all folds is no evidence of a difference, and certain evidence of equivalence.
func TestNoDifferenceAtAll(t *testing.T) {
	for name, test := range overFolds {
		r, err := test(folds(9, 1, 1, 2, 0.3-0.2), folds(9, 1, 1, 2, 0.1))
		if err != nil {
			t.Fatal(err)
		}
		if !r.Constant || r.P != 1 || r.Mean != 0 || r.SE != 0 || r.Low != 0 || r.High != 0 || r.Equivalent(0.01) != 0 || r.Direction() != 0 {
			t.Errorf("%s: %+v", name, r)
		}
		if !math.IsNaN(r.Detectable(0.05, 0.8)) {
			t.Errorf("%s: detectable %v", name, r.Detectable(0.05, 0.8))
		}
	}
}

// Without variance p is 1 if the mean is 0, else 0, or of fewer than 6 folds that of a sign flip. Differences that rounding alone tells
// apart have none.
func TestConstantDifference(t *testing.T) {
	a, b := folds(9, 1, 0.3, 0.2, 0.7), folds(9, 1, 0.2, 0.1, 0.6)
	for name, test := range map[string]func(a, b []Fold) (Result, error){"t": T, "corrected": Corrected} {
		r, err := test(a, b)
		if err != nil {
			t.Fatal(err)
		}
		low, high := r.Interval(0.9)
		if !r.Constant || r.P != 0.25 || r.SE != 0 || r.Above(0) != 0.125 || r.Above(0.2) != 1 || r.Below(0.2) != 0.125 || r.Below(0) != 1 || low != r.Mean || high != r.Mean || r.Direction() != 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	r, err := Wilcoxon(a, b)
	if err != nil || r.Constant || r.P != 0.25 {
		t.Errorf("the ranks of three equal differences: %+v, %v; want p = 2·2⁻³", r, err)
	}
}

func TestStudentAgainstSciPy(t *testing.T) {
	type expected struct{ SE, T, P, Low, High, Below, Above, Detectable float64 }
	for i, c := range oracle.Fixture[struct {
		Train, Test  int64
		A, B         []float64
		T, Corrected expected
		Margin       float64
	}](t, "student.json") {
		for name, want := range map[string]expected{"t": c.T, "corrected": c.Corrected} {
			r, err := overFolds[name](folds(c.Train, c.Test, c.A...), folds(c.Train, c.Test, c.B...))
			if err != nil {
				t.Fatal(err)
			}
			low, high := r.Interval(0.9)
			for what, v := range map[string][2]float64{
				"se": {r.SE, want.SE}, "t": {r.T, want.T}, "p": {r.P, want.P}, "low": {low, want.Low}, "high": {high, want.High},
				"below": {r.Below(c.Margin), want.Below}, "above": {r.Above(-c.Margin), want.Above},
				"equivalent": {r.Equivalent(c.Margin), math.Max(want.Below, want.Above)},
				"not worse":  {r.NotWorse(c.Margin, true), want.Above}, "not worse, less being better": {r.NotWorse(c.Margin, false), want.Below},
				"detectable": {r.Detectable(0.05, 0.8), want.Detectable},
			} {
				oracle.Near(t, fmt.Sprintf("case %d, %s, %s", i, name, what), v[0], v[1], 1e-10)
			}
		}
	}
}

func TestHolm(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name    string
		p, want []float64
	}{
		// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") prints 0.03 0.06 0.06 0.02.
		{"R's", []float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{"no more than 1", []float64{0.6, 0.9, 0.5}, []float64{1, 1, 1}},
		{"what is no test does not count", []float64{nan, 0.01, nan, 0.02}, []float64{nan, 0.02, nan, 0.02}},
		{"ties", []float64{0.02, 0.02}, []float64{0.04, 0.04}},
		{"none", nil, nil},
	} {
		got := Holm(c.p)
		if len(got) != len(c.want) {
			t.Fatalf("%s: got %v, want %v", c.name, got, c.want)
		}
		for i := range got {
			if !(math.Abs(got[i]-c.want[i]) < 1e-15) && !(math.IsNaN(got[i]) && math.IsNaN(c.want[i])) {
				t.Errorf("%s: got %v, want %v", c.name, got, c.want)
			}
		}
	}
}
