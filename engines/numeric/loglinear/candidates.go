package loglinear

import "context"

// Candidate is a feature with its counts in the training rows.
type Candidate struct {
	Feature
	Seen  float64 // weight of the rows that have the context and the class
	Holds float64 // weight of the rows that have the context
	Sum   float64 // Σ m_i x_ij over the rows of the class; equals Seen if values are one

	Squares float64 // Σ m_i x_ij² over the rows of the class
}

// Candidates returns the features seen with at least the given weight, by column, then class; with always, those of Always come
// first. The error is the cause of ctx's end. O(nnz + columns · classes).
func (p *Problem) Candidates(ctx context.Context, cutoff float64, always bool) ([]Candidate, error) {
	_, cols := p.X.Dims()
	first := 0
	if always {
		first = Always
	}
	var out []Candidate
	seen, sum, squares := make([]float64, p.Classes), make([]float64, p.Classes), make([]float64, p.Classes)
	for j := first; j < cols; j++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		holds := 0.0
		col := p.Col(int32(j))
		for k, i := range col.Idx {
			class, count := p.labels.rowLabels(int(i))
			for q, c := range class {
				seen[c] += count[q]
				x := col.At(k)
				sum[c] += float64(count[q] * x)
				squares[c] += float64(count[q] * x * x)
				holds += count[q]
			}
		}
		for c, s := range seen {
			if s > 0 && s >= cutoff {
				out = append(out, Candidate{Feature{int32(j), int32(c)}, s, holds, sum[c], squares[c]})
			}
			seen[c], sum[c], squares[c] = 0, 0, 0
		}
	}
	return out, nil
}

// Count returns the candidate of any feature. O(rows that have its context).
func (p *Problem) Count(f Feature) Candidate {
	c := Candidate{Feature: f}
	col := p.Col(f.Column)
	for k, i := range col.Idx {
		class, count := p.labels.rowLabels(int(i))
		for q, y := range class {
			c.Holds += count[q]
			if y == f.Class {
				c.Seen += count[q]
				x := col.At(k)
				c.Sum += float64(count[q] * x)
				c.Squares += float64(count[q] * x * x)
			}
		}
	}
	return c
}
