package mdl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/coding/likelihood"
)

// TestSpreadAndFocused: columns that save a little in every task save more in all together than one that saves much in a single task, and
// yet only the latter is worth its bits. It is found however many of the others there are.
func TestSpreadAndFocused(t *testing.T) {
	t.Parallel()
	const rows, tasks, others = 400, 12, 100
	wave := func(k int) []float64 { // orthogonal to all others and to ones, of mean square 1
		v := make([]float64, rows)
		for i := range v {
			v[i] = math.Sqrt2 * math.Cos(math.Pi*float64(k*(2*i+1))/(2*rows))
		}
		return v
	}
	y := make([][]float64, tasks)
	for k := range y {
		y[k] = wave(k + 1)
	}
	x := make([][]float64, others+1)
	for j := range x {
		x[j] = wave(tasks + 1 + j)
		for i := range x[j] {
			for k := range y {
				x[j][i] += 0.095 * y[k][i]
			}
		}
	}
	x[others] = wave(tasks + 1 + others)
	for i := range x[others] {
		x[others][i] += 0.26 * y[7][i]
	}
	for _, code := range []string{"mic-partial", "mic-partial-logh"} {
		_, f, err := fit(t, with(func(e *MDL) { e.Code, e.MaxFeatures = code, 1 }), viewOf(x, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		if first := f.done[0]; !first.used[others] || !slices.Equal(first.picks[0].tasks, []int32{7}) {
			t.Errorf("%s: picks %+v", code, first.picks)
		}
	}
}

// TestCandidates: with independent noise the candidate is the best of all columns and tasks, looked at one by one, whatever is in the model.
func TestCandidates(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 2))
	several := 0
	for try := range 150 {
		x, y, classes := randomCase(rng)
		e := with(func(e *MDL) {
			e.Code = []string{"mic-partial", "mic-partial-logh", "mic-full", "tpc", "ric2"}[try%5]
			e.Sigma, e.CoefBits, e.MaxFeatures = []string{likelihood.SigmaNull, likelihood.SigmaOwn}[try%2], float64(try%4), 1+try%3
		})
		_, f, err := fit(t, e, viewOf(x, y, classes))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.done {
			want := noCandidate
			for j := range int32(len(x)) {
				if c := s.bestTasksOf(t.Context(), j); !s.used[j] && c.saved > 0 && c.netBits() > want.netBits()+likelihood.TieBits {
					want = c
				}
			}
			got := s.scanCandidates(t.Context())
			if got.column != want.column || !slices.Equal(got.tasks, want.tasks) {
				t.Errorf("try %d, %s: column %d for %v, want %d for %v", try, e.Code, got.column, got.tasks, want.column, want.tasks)
			}
			if len(want.tasks) > 0 && len(want.tasks) < len(y) {
				several++
			}
		}
	}
	if several < 50 {
		t.Errorf("%d candidates of some tasks: the test tests little", several)
	}
}
