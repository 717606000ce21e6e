package stability

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/filters/univariate"
)

// What R's stabs says, by testdata/stabs.R: bounds, to the three digits that it gives, and a selection on the same halves. Its r-concave bound is
// from a local search, so that it may be smaller than ours: by some percent, at threshold 1 by up to two fifths.
func TestStabs(t *testing.T) {
	var peer struct {
		Parameters struct {
			Columns, Q, Draws []int
			Threshold, PFER   []float64
			Bound             []string
		}
		X         [][]float64
		Y         []float64
		Folds     [][]int
		Q         int
		Threshold float64
		Runs      []struct {
			Bound    string
			PFER     float64
			Selected []int32
			Share    []float64
		}
	}
	text, err := os.ReadFile("testdata/stabs.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &peer); err != nil {
		t.Fatal(err)
	}
	const digits = 6e-3
	compared := map[string]int{}
	for k, q := range peer.Parameters.Q {
		p := peer.Parameters
		b := bound{shape: p.Bound[k], columns: p.Columns[k], pairs: p.Draws[k], halves: 2 * p.Draws[k]}
		got, err := b.value(q, p.Threshold[k])
		if err != nil { // it has a bound where the theorem has none
			continue
		}
		compared[b.shape]++
		want := p.PFER[k]
		above := 1.0
		if b.shape == rConcave {
			if above = 1.08; p.Threshold[k] == 1 {
				above = 1.7
			}
		}
		if got < want*(1-digits) || got > want*above*(1+digits) {
			t.Errorf("%+v, q %d, threshold %v: %v, stabs has %v", b, q, p.Threshold[k], got, want)
		}
	}
	if compared[noShape] < 80 || compared[unimodal] < 60 || compared[rConcave] < 80 {
		t.Errorf("compared %v", compared)
	}

	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(peer.X...), enginetest.Real("y", peer.Y...)), nil)
	var found []outcome
	for _, fold := range peer.Folds {
		for side := range 2 {
			var rows []int32
			for i, in := range fold {
				if in == 1-side {
					rows = append(rows, int32(i))
				}
			}
			run := engines.Run{Train: v.Sub(rows), Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
			chosen, err := selectOn(t.Context(), univariate.AnovaKind.Defaults(), run, itemsOf(v), peer.Q)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, outcome{entered: chosen})
		}
	}
	counted := tally(found, v.Columns(), peer.Q)
	for _, run := range peer.Runs {
		e := Engine{univariate.AnovaKind.Defaults(), Options{Q: peer.Q, Threshold: peer.Threshold, Draws: len(peer.Folds), Sampling: pairs, Bound: run.Bound, Decoys: Decoys{Kind: "none", Share: 1}}}
		rule, _, err := e.plan(v.Columns())
		if err != nil || !(math.Abs(rule.PFER-run.PFER) <= digits*run.PFER) {
			t.Errorf("pfer %v, stabs has %v: %v", rule.PFER, run.PFER, err)
		}
		for j, share := range run.Share {
			if got := float64(counted.times[j]) / float64(len(found)); !(math.Abs(got-share) <= 1e-12) {
				t.Errorf("column %d: share %v, stabs has %v", j, got, share)
			}
		}
		var stable []int32
		for _, c := range counted.stable(rule.Count) {
			stable = append(stable, int32(c.Feature))
		}
		if slices.Sort(stable); !slices.Equal(stable, run.Selected) {
			t.Errorf("stable %v, stabs has %v", stable, run.Selected)
		}
	}
}
