package cells

import (
	"fmt"
	"maps"
	"math"

	"tenfold/io/results"
	"tenfold/io/results/stability"
	"tenfold/reports/agree"
)

// ofSimilar lists the metrics that credit similar columns.
var ofSimilar = map[string]agree.Measure{results.StabilityMBM: agree.MBM, results.StabilityYu: agree.Yu, results.StabilityZucknick: agree.Zucknick}

// graph says which columns of a data set are similar, by name.
type graph struct {
	agree.Graph
	number map[string]int32
}

func newGraph(s *results.Similar) *graph {
	g := &graph{agree.Graph{Columns: int(s.Columns)}, map[string]int32{}}
	for _, p := range s.Pairs {
		for _, pair := range [2][2]string{{p.A, p.B}, {p.B, p.A}} {
			number, other := g.numberOf(pair[0]), g.numberOf(pair[1])
			for len(g.Near) <= int(max(number, other)) {
				g.Near = append(g.Near, nil)
			}
			g.Near[number] = append(g.Near[number], agree.Similar{Column: other, Correlation: p.Correlation})
		}
	}
	return g
}

// numberOf returns the number of a column, in the order of first use.
func (g *graph) numberOf(name string) int32 {
	j, ok := g.number[name]
	if !ok {
		j = int32(len(g.number))
		g.number[name] = j
	}
	return j
}

// graphOf returns the graph of similar columns, which a cache makes once.
func graphOf(src Source, s *results.Similar) *graph {
	c, ok := src.(*Cached)
	if !ok {
		return newGraph(s)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.graphs[s]
	if g == nil {
		g = newGraph(s)
		c.graphs[s] = g
	}
	return &graph{g.Graph, maps.Clone(g.number)} // columns are added
}

// measure computes a metric of the sets.
func (c *Cell) measure(src Source, sets *results.Sets, metric string) (stability.Estimate, error) {
	plain, err := sets.Stability()
	m, similar := ofSimilar[metric]
	if err != nil || !similar {
		return plain, err
	}
	alike := src.Alike(c.Rows[0])
	if alike == nil {
		return stability.Estimate{}, fmt.Errorf("%w: the data set does not say which columns are similar (similar: 0.9)", stability.ErrUndefined)
	}
	g := graphOf(src, alike)
	folds, columns := sets.OfFolds()
	numbers := make([][]int32, len(folds))
	for i, names := range folds {
		seen := map[int32]bool{}
		for _, name := range names {
			if j := g.numberOf(name); !seen[j] {
				seen[j] = true
				numbers[i] = append(numbers[i], j)
			}
		}
	}
	g.Columns = max(g.Columns, int(columns), len(g.number))
	s := stability.Estimate{Folds: plain.Folds, Columns: g.Columns, Mean: m.Of(&g.Graph, numbers), SE: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if math.IsNaN(s.Mean) {
		return stability.Estimate{}, fmt.Errorf("%w: no two folds select what could agree by more than chance", stability.ErrUndefined)
	}
	return s, nil
}
