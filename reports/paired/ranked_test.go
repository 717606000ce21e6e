package paired

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

func TestWilcoxonAgainstSciPy(t *testing.T) {
	for _, c := range oracle.Fixture[struct {
		Name         string
		D            []float64
		Below, Above float64
		Shift        float64
		ShiftedBelow float64 `json:"shifted_below"`
		ShiftedAbove float64 `json:"shifted_above"`
		Level        float64
		Low, High    float64
	}](t, "wilcoxon.json") {
		t.Run(c.Name, func(t *testing.T) {
			r, err := Wilcoxon(against(c.D))
			if err != nil {
				t.Fatal(err)
			}
			oracle.Near(t, "below", r.Below(0), c.Below, 1e-12)
			oracle.Near(t, "above", r.Above(0), c.Above, 1e-12)
			oracle.Near(t, "p", r.P, math.Min(1, 2*math.Min(c.Below, c.Above)), 1e-12)
			oracle.Near(t, "below shift", r.Below(c.Shift), c.ShiftedBelow, 1e-12)
			oracle.Near(t, "above shift", r.Above(c.Shift), c.ShiftedAbove, 1e-12)
			low, high := r.Interval(c.Level)
			oracle.Near(t, "low", low, c.Low, 1e-12)
			oracle.Near(t, "high", high, c.High, 1e-12)
		})
	}
}

// 0.3 − 0.2 and 0.2 − 0.1 are ties, and 0.3 − 0.1 − 0.2 is no difference, whatever their last bit says.
func TestRoundingMakesNoRanks(t *testing.T) {
	a, b := folds(9, 1, 0.3, 0.2, 0.1, 0.3), folds(9, 1, 0.2, 0.1, 0.3, 0.1+0.2)
	for name, want := range map[string]float64{"Wilcoxon": 1, "sign": 1} {
		r, err := overFolds[name](a, b)
		if err != nil {
			t.Fatal(err)
		}
		if r.P != want { // of 0.1, 0.1, −0.2 the ranks are 1½, 1½ and 3: even
			t.Errorf("%s: p = %v, want %v", name, r.P, want)
		}
	}
}

// On the border between the exact and the normal distribution both say nearly the same.
func TestNormalContinuesExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	d := make([]float64, exactRanks+1)
	for i := range d {
		d[i] = math.Round(10*(rng.NormFloat64()+0.2)) / 10
	}
	normal, err := Wilcoxon(against(d))
	if err != nil {
		t.Fatal(err)
	}
	exact, err := Wilcoxon(against(d[:exactRanks]))
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(normal.P-exact.P) <= 0.02) || !(math.Abs(normal.Low-exact.Low) <= 0.06) || !(math.Abs(normal.High-exact.High) <= 0.06) {
		t.Errorf("exact %+v, normal %+v", exact, normal)
	}
}

// Beyond the border the normal distribution is that of the exact one, to the tail probabilities that tests are made with.
func TestNormalIsNearlyExact(t *testing.T) {
	for _, n := range []int{exactRanks + 1, 150} {
		ranks := make([]int, n)
		d := differences{values: make([]float64, n), scale: float64(n)}
		for i := range ranks {
			ranks[i], d.values[i] = i+1, float64(i+1)
			if i%5 < 2 {
				d.values[i] = -d.values[i]
			}
		}
		distribution, c, cumulated := subsetSums(ranks), 0, 0.0
		for cumulated += distribution[0]; cumulated < 0.025; cumulated += distribution[c] {
			c++
		}
		if got := signedRankQuantile(n, 0.025); got < c-1 || got > c+1 {
			t.Errorf("quantile of %d differences: %d, exactly %d", n, got, c)
		}
		sum := 0
		for i, v := range d.values {
			if v > 0 {
				sum += ranks[i]
			}
		}
		below, above := signedRanks{d}.tails(0)
		oracle.Near(t, "below", below, sumOf(distribution[:sum+1]), 1e-3)
		oracle.Near(t, "above", above, sumOf(distribution[sum:]), 1e-3)
	}
}

func TestWalsh(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 1; n <= 12; n++ {
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(rng.IntN(9)-4) / 10
		}
		slices.Sort(d)
		var means []float64
		for i := range d {
			for _, v := range d[i:] {
				means = append(means, d[i]/2+v/2)
			}
		}
		slices.Sort(means)
		for k, want := range means {
			if got := walshAverage(d, k+1); got != want {
				t.Errorf("%v: mean %d is %v, want %v", d, k+1, got, want)
			}
		}
	}
}

func TestSignAgainstSciPy(t *testing.T) {
	for _, c := range oracle.Fixture[struct {
		D               []float64
		P, Below, Above float64
		Level           float64
		Low, High       float64
	}](t, "sign.json") {
		r, err := Sign(against(c.D))
		if err != nil {
			t.Fatal(err)
		}
		oracle.Near(t, "p", r.P, c.P, 1e-12)
		oracle.Near(t, "below", r.Below(0), c.Below, 1e-12)
		oracle.Near(t, "above", r.Above(0), c.Above, 1e-12)
		low, high := r.Interval(c.Level)
		oracle.Near(t, "low", low, c.Low, 0)
		oracle.Near(t, "high", high, c.High, 0)
	}
}

// Large differences of one sign outweigh many small ones in the mean, not in the ranks.
func TestDirectionIsThatOfTheTest(t *testing.T) {
	d := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, -1000}
	r, err := Sign(against(d))
	if err != nil || r.Mean >= 0 || r.Direction() != 1 {
		t.Errorf("got %+v, direction %d", r, r.Direction())
	}
	if !(math.Abs(r.P-22.0/1024) <= 1e-15) {
		t.Errorf("p = %v, want 22/1024", r.P)
	}
	if !math.IsNaN(r.Detectable(0.05, 0.8)) {
		t.Errorf("a test of signs has no standard error to detect with: %v", r.Detectable(0.05, 0.8))
	}
}

// With fewer than 6 folds no test of ranks or signs can reach 5 %: the interval is then the range.
func TestSmallSamplesHaveTheRange(t *testing.T) {
	for _, name := range []string{"Wilcoxon", "sign"} {
		for _, d := range [][]float64{{1, 3}, {1, 2, 3}, {3, 1, 1, 2, 1}} {
			r, err := overFolds[name](against(d))
			if err != nil || r.Low != 1 || r.High != 3 || r.P < 0.05 {
				t.Errorf("%s of %v: %+v, %v", name, d, r, err)
			}
		}
	}
}

func BenchmarkWilcoxonExact(b *testing.B) {
	d := make([]float64, exactRanks)
	for i := range d {
		d[i] = math.Sin(float64(i)) + 0.1
	}
	x, y := against(d)
	for b.Loop() {
		if _, err := Wilcoxon(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

// Of one difference that is not 0 either sign is as likely; without any nothing speaks against anything.
func TestTailsOfOne(t *testing.T) {
	for _, c := range []struct{ difference, below, above float64 }{{0.1, 1, 0.5}, {-0.1, 0.5, 1}, {0, 1, 1}} {
		if below, above := (signedRanks{differences{values: []float64{c.difference}, scale: 1}}).tails(0); below != c.below || above != c.above {
			t.Errorf("of %v: %v and %v, want %v and %v", c.difference, below, above, c.below, c.above)
		}
	}
}

// A test of signs needs as many differences as make all alike unlikely enough; one that assumes a law, two.
func TestEnough(t *testing.T) {
	for name, want := range map[string]int{NameNadeauBengio: 2, NamePairedT: 2, NameSign: 6, NameWilcoxon: 6} {
		if got := TestNamed(name).Enough(0.05); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}
