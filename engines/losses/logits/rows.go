package logits

import "tenfold/engines/numeric/rowascent"

// maxShares is the number of shares, rows times classes, up to which rows are ascended one by one: 2 GiB.
const maxShares = 1 << 28

// FitsRows reports whether package rowascent can solve a problem of so many rows and blocks: it has more than two classes, and their shares
// fit into memory.
func FitsRows(rows, blocks int) bool {
	return blocks > 1 && rowascent.Shares(rows, blocks) <= maxShares
}

// RowsProblem returns the problem with more than two classes and an L2 penalty alone, as package rowascent solves it.
func (p *Problem) RowsProblem(l2 float64) rowascent.Problem {
	q := rowascent.Problem{X: p.X, Y: p.Y, Weight: p.Weight, Levels: p.Blocks, L2: l2}
	if p.Bias == NoBias {
		return q
	}
	q.Bias = make([]float64, p.Blocks)
	for b := range q.Bias {
		if !p.Free(p.Columns()*p.Blocks + b) {
			q.Bias[b] = l2
		}
	}
	return q
}
