//go:build unix

package stagewise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// BenchmarkFamilies climbs likelihoods on the rows of problem A, or of the part of it that TENFOLD_BENCH_PROBLEM names:
// base weights e^{y/20}, two classes by the median of y, five by its quintiles. It reports the CPU time of the set-up and of
// a step.
func BenchmarkFamilies(b *testing.B) {
	dir, name := os.Getenv("TENFOLD_BENCH"), os.Getenv("TENFOLD_BENCH_PROBLEM")
	if dir == "" {
		b.Skip("TENFOLD_BENCH is not set")
	}
	if name == "" {
		name = "A"
	}
	train, _ := problem(b, filepath.Join(dir, name))
	for _, family := range families[1:] {
		view := viewOf(b, banded(train, family))
		for _, selected := range []string{"gradient", "explicit"} {
			b.Run(fmt.Sprint(family, "/", selected), func(b *testing.B) {
				e := likelihoods()[family]
				e.Select, e.MaxIter, e.Epsilon = selected, 2000, 0.02
				still := e
				still.MaxIter = 0
				for range b.N {
					r := engines.Run{Train: view, Rand: rand.New(rand.NewPCG(1, 2))}
					before := enginetest.CPU()
					fitAny(b, still, r)
					begun := enginetest.CPU()
					_, f := fitAny(b, e, r)
					b.ReportMetric(begun-before, "setup-cpu-s")
					b.ReportMetric((enginetest.CPU()-begun-(begun-before))/float64(f.Iterations)*1e6, "cpu-µs/step")
					b.ReportMetric(float64(f.Iterations), "steps")
					b.ReportMetric(enginetest.Peak(), "peak-MB")
					for _, fact := range f.Facts {
						b.Logf("%s: %.120s", fact.Name, fact.Value)
					}
				}
			})
		}
	}
}

func fitAny(t testing.TB, e Stagewise, r engines.Run) (engines.Model, engines.Fitted) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := e.Fit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return m, m.(engines.Reporter).Fitted()
}

// banded makes a target for a family of a real one.
func banded(view *data.View, family string) *data.Dataset {
	_, real := view.Target(0)
	levels := map[string]int{"logistic": 2, "loglinear": 5}[family]
	y := make([]float64, len(real))
	sorted := slices.Sorted(slices.Values(real))
	for i, v := range real {
		if family == "expfam" {
			y[i] = math.Exp(v / 20)
			continue
		}
		at, _ := slices.BinarySearch(sorted, v)
		y[i] = float64(at * levels / len(real))
	}
	target := enginetest.Real("w", y...)
	if levels > 0 {
		target = enginetest.Class("y", levels, y...)
	}
	set := dataset(view.Matrix(), nil, nil)
	set.Targets = []data.Target{target}
	return set
}
