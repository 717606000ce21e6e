package mdl

import (
	"testing"

	"tenfold/engines/enginetest"
)

// TestExplained: a target that one column explains without rest ends the search for itself, not for the others coded with it.
func TestExplained(t *testing.T) {
	t.Parallel()
	x := enginetest.Random(9, 60, 30, 1, false)
	first, second := make([]float64, 60), make([]float64, 60)
	for i := range first {
		first[i] = x.Row(i).At(3)
		second[i] = x.Row(i).At(5) + 0.8*x.Row(i).At(7) + 0.05*x.Row(i).At(8)
	}
	view := enginetest.View(enginetest.Dataset(x, enginetest.Real("exact", first...), enginetest.Real("sum", second...)), nil)
	for _, code := range []string{"mic-partial", "mic-full"} {
		m, _, err := fit(t, defaults(func(e *MDL) { e.Code = code }), view)
		if err != nil {
			t.Fatal(err)
		}
		found := map[int]bool{}
		for _, c := range m.Coefs() {
			found[c.Feature] = true
		}
		if !found[3] || !found[5] || !found[7] {
			t.Errorf("%s: %v", code, found)
		}
	}
}
