package stability

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

func near(a, b, tolerance float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tolerance
}

// The file names its source: a computation from the definition that shares nothing with this one.
func TestStabilityAgainstDefinition(t *testing.T) {
	raw, err := os.ReadFile("testdata/stability.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Columns  int
			Sets     [][]string
			Mean, SE float64
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil || len(file.Cases) < 8 {
		t.Fatalf("%d cases, %v", len(file.Cases), err)
	}
	for _, c := range file.Cases {
		s, err := Of(c.Sets, c.Columns)
		if err != nil {
			t.Fatal(err)
		}
		want := c.SE
		if len(c.Sets) == 2 {
			want = math.NaN() // the formula gives a number, which means nothing
		}
		if !near(s.Mean, c.Mean, 1e-13) || !near(s.SE, want, 1e-13) {
			t.Errorf("%d folds, %d columns: %v ± %v, want %v ± %v", len(c.Sets), c.Columns, s.Mean, s.SE, c.Mean, want)
		}
		if !near(s.Low, s.Mean-1.959963984540054*want, 1e-13) || !near(s.High, math.Min(1, s.Mean+1.959963984540054*want), 1e-13) {
			t.Errorf("interval %v … %v", s.Low, s.High)
		}
	}
}

func TestStabilityByHand(t *testing.T) {
	for _, c := range []struct {
		name    string
		sets    []string // features are letters
		columns int
		mean    float64
	}{
		{"equal sets", []string{"ab", "ba", "ab"}, 10, 1},
		{"twice in a set", []string{"aab", "ab", "abb"}, 10, 1},
		{"nothing in common", []string{"a", "b"}, 4, 1 - (1.0/4)/(3.0/16)}, // s² is ½ for two of four features
		{"two halves", []string{"ab", "cd"}, 4, -1},                        // the lowest there is with two folds
		{"one fold selects nothing", []string{"ab", "ab", ""}, 6, 1 - (2*(1.0/3)/6)/((4.0/18)*(1-4.0/18))},
		{"more features than columns", []string{"ab", "cd"}, 2, -1},
	} {
		s, err := Of(letters(c.sets...), c.columns)
		if err != nil || !near(s.Mean, c.mean, 1e-15) || s.Folds != len(c.sets) {
			t.Errorf("%s: %+v, %v, want %v", c.name, s, err, c.mean)
		}
		if c.mean == 1 && (s.SE != 0 || s.Low != 1 || s.High != 1) {
			t.Errorf("%s: ± %v, %v … %v", c.name, s.SE, s.Low, s.High)
		}
	}
}

func letters(sets ...string) [][]string {
	out := make([][]string, len(sets))
	for i, s := range sets {
		out[i] = strings.Split(s, "")
	}
	return out
}

func TestStabilityUndefined(t *testing.T) {
	for _, c := range []struct {
		sets    [][]string
		columns int
		want    string
	}{
		{nil, 5, "there is 0"},
		{letters("ab"), 5, "at least 2 folds, there is 1"},
		{letters("", "", ""), 5, "no fold selected a feature"},
		{letters("ab", "ba"), 2, "every fold selected all 2 features"},
		{letters("ab", "ba"), 0, "not known"},
	} {
		s, err := Of(c.sets, c.columns)
		if !errors.Is(err, ErrUndefined) || !strings.Contains(fmt.Sprint(err), c.want) || s != (Estimate{}) {
			t.Errorf("%v of %d: %v, want %q", c.sets, c.columns, err, c.want)
		}
	}
}

// draw is sets of features 0 … d−1, each drawn with its probability.
func draw(rng *rand.Rand, folds int, p []float64) [][]string {
	out := make([][]string, folds)
	for i := range out {
		for f := range p {
			if rng.Float64() < p[f] {
				out[i] = append(out[i], fmt.Sprint(f))
			}
		}
	}
	return out
}

func probabilities(sure, middling, rare int) []float64 {
	return slices.Concat(slices.Repeat([]float64{0.9}, sure), slices.Repeat([]float64{0.5}, middling), slices.Repeat([]float64{0.05}, rare))
}

// With sets of one size it is Kuncheva's index, the mean over pairs of (r d − k²) / (k (d − k)) with r shared features.
func TestStabilityIsKunchevasForEqualSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const d, k, folds = 30, 7, 6
	sets, members := make([][]string, folds), make([]map[int]bool, folds)
	for i := range sets {
		members[i] = map[int]bool{}
		for _, f := range rng.Perm(d)[:k] {
			members[i][f] = true
			sets[i] = append(sets[i], fmt.Sprint(f))
		}
	}
	sum, pairs := 0.0, 0.0
	for i := range sets {
		for j := range i {
			shared := 0
			for f := range members[i] {
				if members[j][f] {
					shared++
				}
			}
			sum += float64(shared*d-k*k) / (k * (d - k))
			pairs++
		}
	}
	if s, err := Of(sets, d); err != nil || !near(s.Mean, sum/pairs, 1e-13) {
		t.Errorf("%v, %v, want %v", s.Mean, err, sum/pairs)
	}
}

func TestStabilityOfPermuted(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	sets := draw(rng, 9, probabilities(3, 5, 30))
	want, err := Of(sets, 38)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		rng.Shuffle(len(sets), func(i, j int) { sets[i], sets[j] = sets[j], sets[i] })
		for _, s := range sets {
			rng.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
		}
		got, err := Of(sets, 38)
		if err != nil || got.Mean != want.Mean || !near(got.SE, want.SE, 1e-15) {
			t.Fatalf("%+v, %v, want %+v", got, err, want)
		}
	}
}

// Sets that are drawn at random are as stable as chance: 0 in expectation.
func TestStabilityOfChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var values []float64
	for range 2000 {
		sets := make([][]string, 5)
		for i := range sets {
			for _, f := range rng.Perm(20)[:4] {
				sets[i] = append(sets[i], fmt.Sprint(f))
			}
		}
		s, err := Of(sets, 20)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, s.Mean)
	}
	if mean, sd := moments(values); !(math.Abs(mean) <= 4*sd/math.Sqrt(float64(len(values)))) {
		t.Errorf("mean %v, standard deviation %v, want 0", mean, sd)
	}
}

// The measure estimates its population's value without much bias, and with many folds its standard error is that of the
// jackknife, and the spread of the measure over repetitions.
func TestStabilityErrorIsRight(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	p := probabilities(5, 10, 45)
	mean, variance := 0.0, 0.0
	for _, q := range p {
		mean += q / float64(len(p))
		variance += q * (1 - q) / float64(len(p))
	}
	truth := 1 - variance/(mean*(1-mean))
	const folds = 100
	var values, errs, jackknife []float64
	for i := range 200 {
		sets := draw(rng, folds, p)
		s, err := Of(sets, len(p))
		if err != nil {
			t.Fatal(err)
		}
		values, errs = append(values, s.Mean), append(errs, s.SE)
		if i >= 10 {
			continue
		}
		var without []float64
		for k := range sets {
			l, err := Of(slices.Concat(sets[:k], sets[k+1:]), len(p))
			if err != nil {
				t.Fatal(err)
			}
			without = append(without, l.Mean)
		}
		_, sd := moments(without)
		jackknife = append(jackknife, sd*(folds-1)/math.Sqrt(folds)/s.SE)
	}
	found, sd := moments(values)
	if !(math.Abs(found-truth) <= 4*sd/math.Sqrt(float64(len(values)))) {
		t.Errorf("mean %v, standard deviation %v, truth %v", found, sd, truth)
	}
	if usual, _ := moments(errs); usual/sd < 0.85 || usual/sd > 1.15 {
		t.Errorf("standard error is %v of the spread", usual/sd)
	}
	if ratio, _ := moments(jackknife); ratio < 0.95 || ratio > 1.1 {
		t.Errorf("the jackknife's error is %v of ours", ratio)
	}
}

func BenchmarkStability(b *testing.B) {
	sets := draw(rand.New(rand.NewPCG(1, 1)), 10, probabilities(10, 20, 200))
	for b.Loop() {
		if _, err := Of(sets, 230); err != nil {
			b.Fatal(err)
		}
	}
}
