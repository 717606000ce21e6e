package lasso

import (
	"math"

	"tenfold/engines"
	"tenfold/engines/penalized/targets"
)

// Where rows exceed columns, the products of all columns with each other take the place of the rows: a penalty then costs what depends on
// the columns alone. The rows are looked at again where rounding could be seen (productNoise).

const (
	// looksPerColumn is how many looks at the rows, a column, cost as much as the products of all columns: these are computed in tiles that stay in
	// the cache, while rows come from memory.
	looksPerColumn = 1.0 / 32
	// noiseShare is the share of the tolerance that rounding in products may come to.
	noiseShare = 0.01
)

// productsPay reports whether the looks at the rows so far cost as much as the products of all columns do.
func (s *leastSquares) productsPay() bool {
	columns := len(s.beta)
	return s.g.X.IsFull() && s.set.inner != nil && s.free == nil && columns <= len(s.y) &&
		columns*columns <= fewProducts+s.g.X.NNZ() && float64(s.looks) >= float64(looksPerColumn*float64(columns))
}

// descentTo returns the descent to the minimum for a penalty, from where the coefficients are.
func (s *leastSquares) descentTo(pen targets.Penalty) descent {
	return descent{workingSet: s.set, pen: pen, rss: s.rowsRSS, size: math.Sqrt(2 * s.null)}
}

// productNoise returns what rounding may make of the gradient of a column, divided by the column's norm, where all moves since the last look
// at the rows went through products; and the sum of what the gradient is made of. O(places).
func (d *descent) productNoise() (noise, sum float64) {
	const unit = 0x1p-53
	sum = d.size
	for q := range d.all {
		c := &d.all[q]
		sum += float64(math.Abs(c.beta) * math.Sqrt(c.rawSquare(d.g.N)))
	}
	return unit * float64(16+d.moves) * d.far * sum, sum
}

// certifyByProducts has the coefficients and the sums over rows follow the working set, which has all columns, without a look at the rows.
func (s *leastSquares) certifyByProducts(d *descent) (c engines.Certificate) {
	for q, j := range d.column {
		s.beta[j] = d.all[q].beta
	}
	s.awake = s.awake[:0] // none is outside
	c, s.rss, s.explained = d.certify()
	return c
}
