package redundancy

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

// The columns that R's praznik selects, in its order and with its scores, by testdata/praznik.R: of levels, of zeros and ones one column of which
// follows from two others, and of numbers in its bins.
func TestPraznik(t *testing.T) {
	var peer struct {
		Cases []struct {
			Name string
			X    [][]float64
			Y    []float64
			Runs []struct {
				Criterion string
				Selected  []int
				Scores    []float64
			}
		}
	}
	text, err := os.ReadFile("testdata/praznik.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &peer); err != nil {
		t.Fatal(err)
	}
	for _, c := range peer.Cases {
		for _, run := range c.Runs {
			e := engineOf(t, run.Criterion, len(run.Selected))
			if c.Name == "numbers" {
				switch of := e.(type) {
				case Informed:
					of.Discretize = "praznik"
					e = of
				case MRMR:
					of.Discretize = "praznik"
					e = of
				}
			}
			order, scores := chosen(t, e, classes(c.X, c.Y))
			if !slices.Equal(order, run.Selected) {
				t.Errorf("%s, %s: %v, praznik has %v", c.Name, run.Criterion, order, run.Selected)
				continue
			}
			oracle.NearAll(t, c.Name+", "+run.Criterion, scores, run.Scores, 1e-9)
		}
	}
}
