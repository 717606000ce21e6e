package dense

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTiles: products of panels give the bits of their plain form, for every number of rows.
func TestTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	for rows := range 20 {
		a, b, w, from := numbers(rng, tileWidth*rows), numbers(rng, tileWidth*rows), numbers(rng, rows), tile(numbers(rng, len(tile{})))
		for _, weight := range [][]float64{nil, w} {
			want := from
			want.addPlain(a, b, weight)
			got := from
			if got.add(a, b, weight); !slices.EqualFunc(got[:], want[:], sameBits) {
				t.Errorf("%d rows: %v, plainly %v", rows, got, want)
			}
			if !hasVectors || rows == 0 {
				continue
			}
			got = from // where there are wider ones, these are not called above
			if weight == nil {
				tileVector(&got, &a[0], &b[0], rows)
			} else {
				weightedTileVector(&got, &a[0], &b[0], &weight[0], rows)
			}
			if !slices.EqualFunc(got[:], want[:], sameBits) {
				t.Errorf("%d rows in vectors of four: %v, plainly %v", rows, got, want)
			}
		}
	}
}

// TestProducts: each product is one sum in order, for any number of vectors, entries and workers, and wherever stretches of rows end.
func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, size := range [][2]int{{1, 7}, {3, 0}, {4, 70}, {9, 1100}, {17, 3}, {1100, 130}} {
		vectors, length := size[0], size[1]
		a, b := make([][]float64, vectors), make([][]float64, min(vectors, 20)+2)
		for _, m := range [][][]float64{a, b} {
			for i := range m {
				m[i] = make([]float64, length)
				for k := range m[i] {
					m[i][k] = rng.NormFloat64()
				}
			}
		}
		w := make([]float64, length)
		for i := range w {
			w[i] = rng.Float64()
		}
		row := func(i int, room []float64) []float64 {
			for j, v := range a {
				room[j] = v[i]
			}
			return room
		}
		for _, workers := range []int{1, 3} {
			dst := make([][]float64, vectors)
			for i := range dst {
				dst[i] = slices.Repeat([]float64{1}, len(b)+1)
			}
			Products(t.Context(), workers, dst, a, b)
			g, ones, weighted := Gram(t.Context(), workers, a), NewTriangle(vectors), NewTriangle(vectors)
			AddGram(t.Context(), workers, ones, length, row, nil)
			AddGram(t.Context(), workers, weighted, length/3, row, w)
			AddGram(t.Context(), workers, weighted, length-length/3, func(i int, room []float64) []float64 { return row(length/3+i, room) }, w[length/3:])
			for i, v := range a {
				if dst[i][len(b)] != 1 {
					t.Errorf("beyond the products of %d: %v", i, dst[i][len(b)])
				}
				for j, other := range b {
					if got, want := dst[i][j], DotInOrder(v, other); got != want {
						t.Fatalf("%d vectors of %d: product %d, %d is %v, want %v", vectors, length, i, j, got, want)
					}
				}
				for j, got := range g.Row(i) {
					want, sum := DotInOrder(v, a[j]), 0.0
					for r, m := range w {
						sum += float64(v[r] * float64(m*a[j][r]))
					}
					if got != want || ones.Row(i)[j] != want || weighted.Row(i)[j] != sum {
						t.Fatalf("%d vectors of %d: entry %d, %d is %v, by row %v, weighted %v, want %v and %v", vectors, length, i, j, got, ones.Row(i)[j], weighted.Row(i)[j], want, sum)
					}
				}
			}
		}
	}
}

// BenchmarkGram reports multiplications for each nanosecond.
func BenchmarkGram(b *testing.B) {
	for _, size := range [][2]int{{100_000, 10}, {16_000, 50}, {5_000, 500}} {
		rows, columns := size[0], size[1]
		x := make([]float64, rows*columns)
		for k := range x {
			x[k] = float64(k%17) - 8
		}
		row := func(i int, _ []float64) []float64 { return x[i*columns:][:columns] }
		vectors, w := make([][]float64, columns), make([]float64, rows)
		for j := range vectors {
			vectors[j] = x[j*rows:][:rows]
		}
		report := func(b *testing.B) {
			b.ReportMetric(float64(rows*columns*(columns+1)/2)/float64(b.Elapsed().Nanoseconds())*float64(b.N), "mul/ns")
		}
		name := fmt.Sprintf("%dx%d", rows, columns)
		b.Run(name+"/vectors", func(b *testing.B) {
			for b.Loop() {
				Gram(b.Context(), 1, vectors)
			}
			report(b)
		})
		for kind, weight := range map[string][]float64{"rows": nil, "weighted": w} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				for b.Loop() {
					AddGram(b.Context(), 1, NewTriangle(columns), rows, row, weight)
				}
				report(b)
			})
		}
	}
}

// However vectors joined, a few or many at a time, the matrix is that of all their products, and symmetric to the last bit.
func TestExtendGram(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, weights := range []bool{false, true} {
		const length = 23
		w := make([]float64, length)
		for i := range w {
			w[i] = rng.Float64()
		}
		var g, vectors [][]float64
		for _, n := range []int{1, 5, 40, 3, 33} {
			var joining, weighted [][]float64
			for range n {
				v, times := make([]float64, length), make([]float64, length)
				for i := range v {
					v[i] = rng.NormFloat64()
					times[i] = v[i] * w[i]
				}
				if joining = append(joining, v); weights {
					weighted = append(weighted, times)
				}
			}
			g, vectors = ExtendGram(t.Context(), 2, g, vectors, joining, weighted), append(vectors, joining...)
			for i, a := range vectors {
				for j, b := range vectors {
					want := 0.0
					for k := range a {
						if x := a[k] * b[k]; weights {
							want += x * w[k]
						} else {
							want += x
						}
					}
					if !near(g[i][j], want) || g[i][j] != g[j][i] {
						t.Fatalf("weights %v: product %d, %d is %v and %v, want %v", weights, i, j, g[i][j], g[j][i], want)
					}
				}
			}
		}
	}
}
