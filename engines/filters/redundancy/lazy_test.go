package redundancy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/numeric/ties"
)

// leveledTable returns columns of up to four levels, some equal to others, and classes that the first columns tell something of.
func leveledTable(rng *rand.Rand, rows, columns int) (out []leveled, y []int32) {
	y = make([]int32, rows)
	levels := make([][]int32, columns)
	for j := range levels {
		levels[j] = make([]int32, rows)
		most := 1 + rng.IntN(4)
		for i := range levels[j] {
			levels[j][i] = int32(rng.IntN(most))
		}
		if j > 0 && rng.IntN(5) == 0 {
			copy(levels[j], levels[rng.IntN(j)])
		}
	}
	for i := range y {
		for _, column := range levels[:min(4, columns)] {
			y[i] += column[i] % 2
		}
		y[i] = (y[i] + int32(rng.IntN(2))) % 3
	}
	for _, column := range levels {
		c := leveled{level: []int32{}}
		for i, v := range column {
			if v > 0 {
				c.rows, c.level, c.most = append(c.rows, int32(i)), append(c.level, v), max(c.most, v)
			}
		}
		out = append(out, c)
	}
	return out, y
}

// TestLazyMinimaAreMinima: criteria of minima select the columns, with the scores, that computing all pairs selects, for any number of
// workers.
func TestLazyMinimaAreMinima(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 3))
	for range 30 {
		rows, width := 20+rng.IntN(200), 1+rng.IntN(60)
		columns, y := leveledTable(rng, rows, width)
		for name, c := range map[string]criterion{"cmim": cmim, "jmim": jmim, "njmim": njmim} {
			for _, workers := range []int{1, 3} {
				m, err := newInformation(t.Context(), newTables(columns, y, 3, nil, workers), c.pair)
				if err != nil {
					t.Fatal(err)
				}
				found, err := c.search(t.Context(), m, 0, nil)
				if err != nil {
					t.Fatal(err)
				}
				order, score := allPairs(t, c, m)
				if !slices.Equal(found.order, order) || !slices.Equal(found.score, score) {
					t.Fatalf("%s of %d × %d: %v with %v, expected %v with %v", name, rows, width, found.order, found.score, order, score)
				}
			}
		}
	}
}

// allPairs selects by minima of all pairs of open columns and columns that are selected.
func allPairs(t *testing.T, c criterion, m *information) (order []int32, scores []float64) {
	t.Helper()
	score, open := slices.Clone(m.tells), make([]bool, len(m.tells))
	minimum := slices.Clone(m.tells)
	for j, v := range m.tells {
		if open[j] = v > nothing; !c.bounded {
			minimum[j] = math.Inf(1)
		}
	}
	for {
		s := ties.Best(score, open)
		if s < 0 || score[s] <= nothing {
			return order, scores
		}
		open[s] = false
		order, scores = append(order, int32(s)), append(scores, score[s])
		pairs, err := m.with(t.Context(), s, open)
		if err != nil {
			t.Fatal(err)
		}
		for j, v := range pairs {
			if open[j] {
				minimum[j] = min(minimum[j], v)
			}
		}
		copy(score, minimum)
	}
}

// BenchmarkLevels selects 100 of 2,000 columns of up to four levels in 2,000 rows.
func BenchmarkLevels(b *testing.B) {
	columns, y := leveledTable(rand.New(rand.NewPCG(49, 4)), 2000, 2000)
	for _, e := range []struct {
		name string
		c    criterion
	}{{"jmi", jmi}, {"jmim", jmim}, {"njmim", njmim}, {"cmim", cmim}} {
		b.Run(e.name, func(b *testing.B) {
			for b.Loop() {
				m, err := newInformation(b.Context(), newTables(columns, y, 3, nil, 1), e.c.pair)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := e.c.search(b.Context(), m, 100, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
