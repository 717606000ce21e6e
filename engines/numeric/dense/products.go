package dense

import (
	"context"

	"tenfold/engines/numeric/parallel"
)

// Products sets dst[i][j] to the inner product of rows i of a and j of b, all of one length, on up to workers goroutines. Each is
// one sum in order. It returns early if ctx ends.
func Products(ctx context.Context, workers int, dst, a, b [][]float64) {
	parallel.Stretches(workers, 4, len(a), func(first, last int) {
		rows, to := a[first:last], dst[first:last]
		for j := 0; j < len(b) && ctx.Err() == nil; j += 2 {
			if len(rows) == 4 && j+1 < len(b) {
				eight(to, j, rows, b[j], b[j+1])
				continue
			}
			for i, row := range rows {
				for k := j; k < min(j+2, len(b)); k++ {
					to[i][k] = DotInOrder(row, b[k])
				}
			}
		}
	})
}

// Gram returns the inner products of all rows with each other. O(rows² · length / 2).
func Gram(ctx context.Context, workers int, a [][]float64) Triangle {
	g := NewTriangle(len(a))
	parallel.Stretches(workers, 4, len(a), func(first, last int) {
		to := make([][]float64, last-first)
		for i := range to {
			to[i] = make([]float64, last)
		}
		Products(ctx, 1, to, a[first:last], a[:last])
		for i, row := range to {
			copy(g.Row(first+i), row)
		}
	})
	return g
}

// eight computes the products of four rows with two others: eight sums that a processor computes in parallel.
func eight(dst [][]float64, j int, rows [][]float64, x, y []float64) {
	a, b, c, d := rows[0], rows[1], rows[2], rows[3]
	b, c, d, x, y = b[:len(a)], c[:len(a)], d[:len(a)], x[:len(a)], y[:len(a)]
	var ax, ay, bx, by, cx, cy, dx, dy float64
	for k, p := range x {
		q := y[k]
		u, v := a[k], b[k]
		ax += float64(u * p)
		ay += float64(u * q)
		bx += float64(v * p)
		by += float64(v * q)
		u, v = c[k], d[k]
		cx += float64(u * p)
		cy += float64(u * q)
		dx += float64(v * p)
		dy += float64(v * q)
	}
	dst[0][j], dst[0][j+1], dst[1][j], dst[1][j+1] = ax, ay, bx, by
	dst[2][j], dst[2][j+1], dst[3][j], dst[3][j+1] = cx, cy, dx, dy
}
