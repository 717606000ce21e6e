package redundancy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

func TestJIMSuite(t *testing.T) { enginetest.Suite(t, JIMKind.Defaults()) }

func TestOracleJIM(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"jim": func(t *testing.T, c oracle.Case) {
		var k filterCase
		c.Parts(t, &k.in, &k.options, &k.want)
		e := JIMKind.Defaults().(Informed)
		e.Discretize, e.Features = eachValue, k.options.Size
		found, err := e.find(t.Context(), engines.Run{Train: enginetest.View(classes(k.in.X, k.in.Y), nil), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		oracle.NearAll(t, "relevance", found.alone, k.want.Relevance, 1e-9)
		oracle.NearAll(t, "scores", found.score, k.want.Scores, 1e-9)
		got := []int{}
		for _, j := range found.order {
			got = append(got, int(j))
		}
		if !slices.Equal(got, k.want.Selected) {
			t.Errorf("selected %v, want %v", got, k.want.Selected)
		}
	}})
}

// TestImpurity: the decrease of Gini's index is that of its definition, by lists and by planes, for any number of workers.
func TestImpurity(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 7))
	for round := range 20 {
		rows, width := 20+rng.IntN(200), 2+rng.IntN(8)
		lists, y := leveledTable(rng, rows, width)
		planes := make([]leveled, len(lists))
		for j, c := range lists {
			planes[j] = c.packed(rows)
		}
		s := rng.IntN(width)
		for name, columns := range map[string][]leveled{"lists": lists, "planes": planes} {
			m, err := newImpurity(t.Context(), newTables(columns, y, 3, nil, 1+2*(round%2)))
			if err != nil {
				t.Fatal(err)
			}
			pairs, err := m.with(t.Context(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			level := func(j, i int) int32 {
				if k, in := slices.BinarySearch(lists[j].rows, int32(i)); in {
					return lists[j].levelOf(k)
				}
				return 0
			}
			for j := range lists {
				count, class := map[int32][3]float64{}, [3]float64{}
				for i, c := range y {
					cell := count[10*level(j, i)+level(s, i)]
					cell[c]++
					count[10*level(j, i)+level(s, i)] = cell
					class[c]++
				}
				want, n := 0.0, float64(rows)
				for _, cell := range count {
					size := cell[0] + cell[1] + cell[2]
					for _, v := range cell {
						want += v * v / size / n
					}
				}
				for _, v := range class {
					want -= v * v / n / n
				}
				if !(math.Abs(pairs[j]-want) <= 1e-12) {
					t.Errorf("%s, round %d: column %d with %d lowers by %v, expected %v", name, round, j, s, pairs[j], want)
				}
			}
		}
	}
}
