package paired

import (
	"errors"
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
		if math.Abs(c.got-c.want) > c.tolerance {
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
	if want := 2 / math.Sqrt(2.0/3); math.Abs(r.T-want) > 1e-12 {
		t.Errorf("t = %v, want %v", r.T, want)
	}
}

func TestPairingIsByDigest(t *testing.T) {
	a, b := folds(9, 1, 1, 2, 4, 8), folds(9, 1, 0, 1, 1, 9)
	want, err := T(a, b)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(b)
	got, err := T(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("another order of rows changed the test: %+v, %+v", got, want)
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
		{"one fold", folds(9, 1, 1), folds(9, 1, 2), "at least 2 folds"},
		{"no sizes", folds(0, 0, 1, 2), folds(0, 0, 2, 1), "0 training"},
		{"constant difference", folds(9, 1, 1, 2, 3), folds(9, 1, 2, 3, 4), "do not vary"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, test := range []func(a, b []Fold) (Result, error){T, Corrected} {
				if _, err := test(c.a, c.b); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want %q", err, c.want)
				}
			}
		})
	}
	if _, err := T(folds(9, 1, 1, 2), folds(9, 1, 2, 3)); !errors.Is(err, ErrConstant) {
		t.Errorf("got %v, want ErrConstant", err)
	}
}

func TestNoDifferenceAtAll(t *testing.T) {
	r, err := Corrected(folds(9, 1, 1, 2, 3), folds(9, 1, 1, 2, 3))
	if err != nil || r.P != 1 || r.Mean != 0 {
		t.Errorf("got %+v, %v; want p = 1", r, err)
	}
}
