package all

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/ability"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// counting counts the numbers that are drawn from a source.
type counting struct {
	rand.Source
	drawn int
}

func (c *counting) Uint64() uint64 { c.drawn++; return c.Source.Uint64() }

// TestGives: fits of every engine, to every type of target that it takes, give what the list says: probabilities, what is told of columns,
// whether numbers are drawn. Engines that say so fit rows with missing values, and fit whole and broken weights.
func TestGives(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	listed := Gives()
	if got := slices.Sorted(maps.Keys(listed)); !slices.Equal(got, set.Names()) {
		t.Fatalf("listed are %v, expected %v", got, set.Names())
	}
	for _, name := range set.Names() {
		e := set[name].Defaults()
		if name == "oracle" { // knows the truth
			continue
		}
		want, got := listed[name], ability.Gives{Cost: listed[name].Cost}
		for _, target := range []data.Type{data.Real, data.Class, data.Survival, data.Count} {
			if !e.Needs().Takes(target) {
				continue
			}
			weighted, rows := weightedRows(e.Needs(), target)
			source := &counting{Source: rand.NewPCG(1, 1)}
			m, err := e.Fit(t.Context(), engines.Run{Train: rows, Rand: rand.New(source), Workers: 1})
			if err != nil {
				t.Errorf("%s of %s: %v", name, target, err)
				continue
			}
			got.Draws = got.Draws || source.drawn > 0
			if r, ok := m.(engines.Reporter); ok && target == data.Class {
				got.Probabilities = r.Fitted().Probabilities
			}
			if told := telling(m); got.Columns == "" {
				got.Columns = told
			} else if told != got.Columns {
				t.Errorf("%s of %s tells %s, of other targets %s", name, target, told, got.Columns)
			}
			for what, train := range map[string]*data.View{"weights": weighted, "missing values": gapped(rows)} {
				takes := !e.Needs().Unweighted
				if what != "weights" {
					takes = e.Needs().Missing
				}
				if !takes {
					continue
				}
				if _, err := e.Fit(t.Context(), engines.Run{Train: train, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}); err != nil {
					t.Errorf("%s of %s, %s: %v", name, target, what, err)
				}
			}
		}
		if got != want {
			t.Errorf("%s gives %+v, listed is %+v", name, got, want)
		}
	}
}

// telling returns what a model tells of its columns.
func telling(m engines.Model) ability.Telling {
	_, names := m.(engines.Selective)
	switch {
	case len(m.Coefs()) > 0:
		return ability.Coefficients
	case len(engines.Entries(m)) > 0:
		return ability.Importances
	case names:
		return ability.Names
	}
	return ability.Nothing
}

// gapped returns the rows with a missing value in every seventh.
func gapped(rows *data.View) *data.View {
	set := rows.Division()
	x := make([][]float64, rows.Len())
	for i := range x {
		x[i] = make([]float64, rows.Columns())
		row := rows.Row(i)
		for k, j := range row.Idx {
			x[i][j] = row.At(k)
		}
		if i%7 == 0 {
			x[i][i%3] = math.NaN()
		}
	}
	set.X, set.Features = enginetest.Matrix(x...), rows.Features()
	return enginetest.View(set, nil)
}
