package ranks

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/enginetest/oracle"
	"tenfold/reports/paired"
)

func TestFriedmanAgainstSciPy(t *testing.T) {
	for _, c := range oracle.Fixture[struct {
		Name       string
		Higher     bool
		Scores     [][]float64
		Mean       []float64
		ChiSquare  float64 `json:"chi_square"`
		PChiSquare float64 `json:"p_chi_square"`
		F, PF, CD  float64
		Nemenyi    [][]float64
		Unadjusted []float64 `json:"unadjusted_against_0"`
	}](t, "friedman.json") {
		t.Run(c.Name, func(t *testing.T) {
			f, err := NewFriedman(c.Scores, c.Higher)
			if err != nil {
				t.Fatal(err)
			}
			oracle.NearAll(t, "mean", f.Mean, c.Mean, 1e-12)
			oracle.Near(t, "chi²", f.ChiSquare, c.ChiSquare, 1e-9)
			oracle.Near(t, "p of chi²", f.PChiSquare, c.PChiSquare, 1e-9)
			oracle.Near(t, "F", f.F, c.F, 1e-9)
			oracle.Near(t, "p of F", f.PF, c.PF, 1e-9)
			oracle.Near(t, "cd", f.CriticalDifference(0.05), c.CD, 1e-8)
			for i, row := range f.Nemenyi() {
				oracle.NearAll(t, "nemenyi", row, c.Nemenyi[i], 1e-8)
			}
			holm := f.Holm(0)
			oracle.NearAll(t, "holm", holm[1:], paired.Holm(c.Unadjusted), 1e-9)
			if !math.IsNaN(holm[0]) {
				t.Errorf("the control has a p-value: %v", holm[0])
			}
		})
	}
}

// Demšar 2006, section 3.2.2: C4.5 with and without tuning of m and cf on 14 data sets, from the mean ranks of table 6.
func TestDemsarsExample(t *testing.T) {
	f := Friedman{Blocks: 14, Treatments: 4, Mean: []float64{3.143, 2.000, 2.893, 1.964}}
	f.computeStatistics(0)
	for _, c := range []struct {
		what      string
		got, want float64
		tolerance float64
	}{
		{"chi²", f.ChiSquare, 9.28, 5e-3}, {"F", f.F, 3.69, 5e-3},
		{"critical difference at 0.05", f.CriticalDifference(0.05), 1.25, 5e-3},
		{"critical difference at 0.10", f.CriticalDifference(0.10), 1.12, 5e-3},
		// Against C4.5: p 0.016 (m+cf), 0.019 (m), 0.607 (cf) before Holm multiplies the first by 3, the second by 2.
		{"Holm, m+cf", f.Holm(0)[3], 3 * 0.016, 3 * 5e-4}, {"Holm, cf", f.Holm(0)[2], 0.607, 1.5e-3},
		{"Holm, m", f.Holm(0)[1], 3 * 0.016, 3 * 5e-4}, // 2 × 0.019 is less than the step before
	} {
		if !(math.Abs(c.got-c.want) <= c.tolerance) {
			t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
		}
	}
}

// Demšar 2006, table 5(a): critical values of the two-tailed Nemenyi test, q/√2.
func TestCriticalValuesOfDemsar(t *testing.T) {
	for alpha, row := range map[float64][]float64{
		0.05: {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164},
		0.10: {1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920},
	} {
		for i, want := range row {
			if got := rangeQuantile(alpha, i+2) / math.Sqrt2; !(math.Abs(got-want) <= 1e-3) {
				t.Errorf("α = %v, k = %d: got %.5f, want %.3f", alpha, i+2, got, want)
			}
		}
	}
}

func TestStudentizedRange(t *testing.T) {
	for _, c := range oracle.Fixture[struct {
		K    int
		Q, P float64
	}](t, "studentized.json") {
		got := rangeTail(c.Q, c.K)
		if !(math.Abs(got/c.P-1) <= 1e-10) {
			t.Errorf("P(Q_%d > %v): got %.17g, want %.17g", c.K, c.Q, got, c.P)
		}
		if c.P < 0.99 && c.P > 1e-30 {
			oracle.Near(t, "quantile", rangeQuantile(c.P, c.K), c.Q, 1e-9)
		}
	}
	for _, q := range []float64{0.3, 3, 12} { // the range of two is |N(0, 2)|
		oracle.Near(t, "k = 2", rangeTail(q, 2)/math.Erfc(q/2), 1, 1e-12)
	}
}

func TestRanks(t *testing.T) {
	sums := make([]float64, 5)
	ties := addRanks([]float64{0.3 - 0.2, 0.5, 0.2 - 0.1, 0.5, 0.9}, true, sums)
	if want := []float64{4.5, 2.5, 4.5, 2.5, 1}; !reflect.DeepEqual(sums, want) || ties != 12 {
		t.Errorf("got %v and %v, want %v and 12", sums, ties, want)
	}
	clear(sums)
	addRanks([]float64{1, 2, 3, 4, 5}, false, sums)
	if want := []float64{1, 2, 3, 4, 5}; !reflect.DeepEqual(sums, want) {
		t.Errorf("lower is better: got %v, want %v", sums, want)
	}
	clear(sums)
	if ties := addRanks(make([]float64, 5), false, sums); sums[0] != 3 || sums[4] != 3 || ties != 120 {
		t.Errorf("five errors of 0: got %v and %v, want 3 each and 120", sums, ties)
	}
}

func TestGroups(t *testing.T) {
	f := func(mean ...float64) Friedman { return Friedman{Blocks: 10, Treatments: len(mean), Mean: mean} }
	for _, c := range []struct {
		name string
		f    Friedman
		cd   float64
		want [][]int
	}{
		{"overlapping", f(3.5, 1.5, 2.5, 4.5), 1.1, [][]int{{1, 2}, {2, 0}, {0, 3}}},
		{"a group inside another is not told", f(1, 1.4, 1.8, 4), 1, [][]int{{0, 1, 2}}},
		{"one apart from the rest", f(1, 4, 4.4, 4.8), 1, [][]int{{1, 2, 3}}},
		{"all apart", f(1, 2, 3), 1, nil},
		{"a difference of cd is a difference", f(1.1, 2.1), 1, nil},
		{"all together", f(2, 1.5, 2.5), 3, [][]int{{1, 0, 2}}},
		{"ties in order of index", f(2, 2, 2), 1, [][]int{{0, 1, 2}}},
	} {
		if got := c.f.Groups(c.cd); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestExtremes(t *testing.T) {
	same, err := NewFriedman([][]float64{{1, 1, 1}, {2, 2, 2}}, true)
	if err != nil || same.ChiSquare != 0 || same.PChiSquare != 1 || same.F != 0 || same.PF != 1 {
		t.Errorf("all equal: %+v, %v", same, err)
	}
	agree, err := NewFriedman([][]float64{{1, 2, 3}, {4, 5, 6}, {1, 3, 8}}, true)
	if err != nil || !(math.Abs(agree.ChiSquare-6) <= 1e-12) || !math.IsInf(agree.F, 1) || agree.PF != 0 {
		t.Errorf("all agree: %+v, %v", agree, err)
	}
}

// Where all data sets agree, with ties or without, F is infinite whatever the rounding of χ² leaves of N·(k−1) − χ².
func TestAgreementIsCertain(t *testing.T) {
	for k := 2; k <= 9; k++ {
		for tied := range k - 1 { // so many of the first are equal
			block := make([]float64, k)
			for j := range block {
				block[j] = float64(max(j, tied))
			}
			for n := 2; n <= 12; n++ {
				f, err := NewFriedman(slices.Repeat([][]float64{block}, n), false)
				if err != nil || !math.IsInf(f.F, 1) || f.PF != 0 || !(math.Abs(f.ChiSquare/float64(n*(k-1))-1) <= 1e-12) {
					t.Errorf("%d data sets with %v: %+v, %v", n, block, f, err)
				}
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		scores [][]float64
		want   string
	}{
		{"nothing", nil, "at least 2 data sets, found 0"},
		{"one data set", [][]float64{{1, 2}}, "at least 2 data sets, found 1"},
		{"one algorithm", [][]float64{{1}, {2}}, "at least 2 algorithms, found 1"},
		{"no algorithm", [][]float64{{}, {}}, "at least 2 algorithms, found 0"},
		{"ragged", [][]float64{{1, 2}, {1, 2, 3}}, "data set 1 has 3 scores, data set 0 has 2"},
		{"missing", [][]float64{{1, 2}, {1, 2}, {1, math.NaN()}}, "data set 2, algorithm 1: score NaN"},
		{"missing", [][]float64{{math.NaN(), 2}, {1, 2}}, "data set 0, algorithm 0: score NaN"},
	} {
		if _, err := NewFriedman(c.scores, true); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestComplete(t *testing.T) {
	x, nan := 1.0, math.NaN()
	for _, c := range []struct {
		scores                   [][]float64
		wantDatasets, wantOthers []int
	}{
		{[][]float64{{x, x}, {x, x}}, []int{0, 1}, []int{0, 1}},
		{[][]float64{{x, x, nan}, {x, x, x}, {x, x, x}, {x, x, x}}, []int{1, 2, 3}, []int{0, 1, 2}},
		{[][]float64{{x, x, nan}, {x, x, nan}, {nan, x, nan}, {x, x, nan}}, []int{0, 1, 3}, []int{0, 1}},
		{[][]float64{{nan}, {nan}}, nil, []int{0}},
		{nil, nil, nil},
		{[][]float64{{x, nan}}, []int{0}, []int{0}},
		{[][]float64{{nan, x, x}, {x, nan, x}, {x, x, x}}, []int{0, 2}, []int{1, 2}}, // the last of equals goes
	} {
		datasets, others := Complete(c.scores)
		if !slices.Equal(datasets, c.wantDatasets) || !slices.Equal(others, c.wantOthers) {
			t.Errorf("%v: kept %v and %v", c.scores, datasets, others)
		}
	}
}

// Probabilities are shares of draws: those of 50,000 and of the fixture's 2,000,000 differ by 0.01 at most, four standard errors.
func TestSignedRank(t *testing.T) {
	for _, c := range oracle.Fixture[struct {
		Name        string
		Differences []float64
		Rope        float64
		Posterior   [3]float64 // worse, equal, better
	}](t, "bayes.json") {
		t.Run(c.Name, func(t *testing.T) {
			p, err := SignedRank(c.Differences, c.Rope)
			if err != nil {
				t.Fatal(err)
			}
			oracle.NearAll(t, "posterior", []float64{p.Worse, p.Equal, p.Better}, c.Posterior[:], 0.01)
			turned := make([]float64, len(c.Differences))
			for i, d := range c.Differences {
				turned[i] = -d
			}
			q, err := SignedRank(turned, c.Rope)
			if err != nil || !(math.Abs(q.Better-p.Worse) <= 0.01) || !(math.Abs(q.Equal-p.Equal) <= 0.01) {
				t.Errorf("turned: %+v, expected the mirror image of %+v: %v", q, p, err)
			}
			if !(math.Abs(p.Worse+p.Equal+p.Better-1) <= 1e-12) {
				t.Errorf("%+v, expected a sum of 1", p)
			}
		})
	}
	// Of one difference beyond the region, equal is the largest where the weight of the prior is above √½, which is uniform.
	p, err := SignedRank([]float64{1}, 0.1)
	if err != nil || !(math.Abs(p.Better-math.Sqrt(0.5)) <= 0.01) {
		t.Errorf("%+v, expected better in a share of √½: %v", p, err)
	}
	if _, err := SignedRank([]float64{1, math.NaN()}, 0); err == nil {
		t.Error("a missing difference is accepted")
	}
}
