package dense

import "context"

// manyVectors is the number of vectors that join together from which their products are computed in tiles, for which all vectors are packed
// anew.
const manyVectors = 32

// ExtendGram returns the whole Gram matrix g of vectors, by row, with others that join them at the end; rows of g are used again. weighted are
// the others as they stand in products with vectors before them: times the diagonal of an inner product, or nil where that is all ones. It returns
// early if ctx ends. O(joining · all · length).
func ExtendGram(ctx context.Context, workers int, g [][]float64, vectors, joining, weighted [][]float64) [][]float64 {
	before, all := len(vectors), append(vectors[:len(vectors):len(vectors)], joining...)
	added, plain := make([][]float64, len(joining)), weighted == nil
	if plain {
		weighted = joining
	}
	for a := range added {
		added[a] = make([]float64, len(all), len(all)+len(all)/8+16)
	}
	switch {
	case len(joining) < manyVectors:
		for k := 0; k < len(all) && ctx.Err() == nil; k += 4 { // read once for all that join
			some := all[k:min(k+4, len(all))]
			for a, w := range weighted {
				DotEach(len(some), w, func(q int) []float64 { return some[q] }, func(q int, dot float64) { added[a][k+q] = dot })
			}
		}
	case !plain:
		Products(ctx, workers, added, weighted, all)
	default:
		Products(ctx, workers, added, joining, vectors)
		among := Gram(ctx, workers, joining)
		for a, row := range added {
			copy(row[before:], among.Row(a))
		}
	}
	for a, row := range added {
		for b := range a { // with weights, rounding depends on the order of the two
			added[b][before+a] = row[before+b]
		}
	}
	for k, row := range g {
		for _, products := range added {
			row = append(row, products[k])
		}
		g[k] = row
	}
	return append(g, added...)
}
