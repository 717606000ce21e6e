package margin

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// preconditioner holds the block of the Hessian for the columns with most entries, and the diagonal for all others, to precondition
// conjugate gradients. It pays if few columns have a large share of the entries, as in texts.
type preconditioner struct {
	p        *Problem
	columns  []int32        // of the block, rising
	x        *sparse.Matrix // these columns
	block    dense.Triangle // its Cholesky factor; the bias, if there is one, is its last row
	diagonal []float64      // of all columns
	room     []float64
}

// headMost is the maximum size of the block, and headCost the cost that its factor may have, in products with the Hessian.
const (
	headMost = 1000
	headCost = 4
)

// newPreconditioner chooses the columns with most entries, on ties the first. O(nnz + rows + columns).
func (p *Problem) newPreconditioner() *preconditioner {
	_, columns := p.X.Dims()
	count := make([]int32, columns)
	for i := range p.Sign {
		for _, j := range p.X.Row(i).Idx {
			count[j]++
		}
	}
	most := min(headMost, columns)
	if p.smooth == nil { // rows at the kink are few and stiff: conjugate gradients take long, and a factor is cheap
		most = min(most, 1+int(elementary.Pow(float64(6*headCost*p.X.NNZ()), 1.0/3)))
	}
	h := &preconditioner{p: p, diagonal: make([]float64, columns)}
	h.columns = largestCounts(count, most)
	h.x = p.X.Keep(h.columns)
	if p.Bias != NoBias {
		most++
	}
	h.block, h.room = dense.NewTriangle(most), make([]float64, most)
	return h
}

// largestCounts returns the indices of the most largest counts, on ties the first, rising. O(counts + the largest count).
func largestCounts(count []int32, most int) (columns []int32) {
	if most == 0 {
		return nil
	}
	have := make([]int, slices.Max(count)+1) // number of indices by count
	for _, c := range count {
		have[c]++
	}
	least, left := len(have), most // the smallest count that is in; how many of it are
	for left > 0 {
		if least--; have[least] >= left {
			break
		}
		left -= have[least]
	}
	for j, c := range count {
		switch {
		case int(c) > least:
			columns = append(columns, int32(j))
		case int(c) == least && left > 0:
			columns = append(columns, int32(j))
			left--
		}
	}
	return columns
}

// factor computes the Hessian's block with its Cholesky factor, and the diagonal, at the given second derivatives. O(nnz + pairs of
// entries in the block's columns + columns of the block³).
func (h *preconditioner) factor(ctx context.Context, curve []float64) {
	p := h.p
	clear(h.block)
	for j := range h.diagonal {
		h.diagonal[j] = p.C2
	}
	if h.isWhole() && h.x.IsFull() {
		h.addFullRows(ctx, curve)
	} else {
		h.addRows(ctx, curve)
	}
	for k := range h.room {
		diagonal := h.block.Row(k)
		switch {
		case k < len(h.columns) || p.Bias == PenalizedBias:
			diagonal[k] += p.C2
		default:
			diagonal[k] += float64(1e-12 * (1 + diagonal[k])) // in case no row has a second derivative
		}
	}
	if !h.block.Factor(ctx) { // not positive definite by rounding: use the diagonal alone
		for k := range h.room {
			clear(h.block.Row(k))
			h.block.Row(k)[k] = 1
			if k < len(h.columns) {
				h.block.Row(k)[k] = math.Sqrt(h.diagonal[h.columns[k]])
			}
		}
	}
}

// isWhole reports whether the block is the whole Hessian.
func (h *preconditioner) isWhole() bool { return len(h.columns) == len(h.diagonal) }

// addFullRows adds the rows to a block of all columns, whose cells are all stored.
func (h *preconditioner) addFullRows(ctx context.Context, curve []float64) {
	columns := len(h.columns)
	rows, weight := make([]int, 0, len(curve)), make([]float64, 0, len(curve))
	for i, c := range curve {
		if c != 0 {
			rows, weight = append(rows, i), append(weight, c)
		}
	}
	dense.AddGram(ctx, 1, h.block, len(rows), func(r int, room []float64) []float64 {
		x := h.x.Row(rows[r]).Val
		if len(h.room) == columns {
			return x
		}
		room[copy(room, x)] = 1
		return room
	}, weight)
	for j := range h.diagonal {
		h.diagonal[j] += h.block.Row(j)[j]
	}
}

// addRows adds the rows to the block, and all of their entries to the diagonal.
func (h *preconditioner) addRows(ctx context.Context, curve []float64) {
	p, look := h.p, &contextChecker{ctx: ctx}
	bias, full := len(h.room)-1, h.x.IsFull()
	for i, c := range curve {
		x := h.x.Row(i)
		if look.ended(x.Len()*x.Len()) || c == 0 {
			continue
		}
		for k, a := range x.Idx {
			v, to := float64(c*x.At(k)), h.block.Row(int(a))
			switch {
			case x.Val == nil:
				for _, b := range x.Idx[:k+1] {
					to[b] += v
				}
			case full:
				dense.AddTo(to[:k+1], x.Val[:k+1], v)
			default:
				for l, b := range x.Idx[:k+1] {
					to[b] += float64(v * x.Val[l])
				}
			}
			if p.Bias != NoBias {
				h.block.Row(bias)[a] += v
			}
		}
		if p.Bias != NoBias {
			h.block.Row(bias)[bias] += c
		}
		row := p.X.Row(i)
		for k, j := range row.Idx {
			v := row.At(k)
			h.diagonal[j] += float64(c * float64(v*v))
		}
	}
}

// solve sets dst to the preconditioner's inverse times v. O(columns + columns of the block²).
func (h *preconditioner) solve(dst, v []float64) {
	for j, d := range h.diagonal {
		dst[j] = v[j] / d
	}
	for k, j := range h.columns {
		h.room[k] = v[j]
	}
	if len(h.room) > len(h.columns) {
		h.room[len(h.columns)] = v[len(v)-1]
	}
	h.block.Solve(h.room)
	for k, j := range h.columns {
		dst[j] = h.room[k]
	}
	if len(h.room) > len(h.columns) {
		dst[len(dst)-1] = h.room[len(h.columns)]
	}
}
