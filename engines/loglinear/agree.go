package loglinear

import "context"

// Agree numbers the distinct rows so that those equal in the given columns (rising) get one number: at[i] is that of row i,
// first[k] the first row with number k. A model that has features of these columns only is the same in all of them. The
// error is the cause of ctx's end. O(nnz).
func (p *Problem) Agree(ctx context.Context, columns []int32) (at, first []int32, err error) {
	at, first = distinct(ctx, p.X.Keep(columns))
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	return at, first, nil
}

// NewLine is the line of a candidate over terms of the caller's: p are the probabilities of its class, m the weights of the
// last len(m) terms (those before count once), x the column's values; nil where all are one.
func NewLine(c Candidate, p, m, x []float64) Line {
	return Line{e: c.Sum, n: c.Holds, p: p, m: m, x: x}
}
