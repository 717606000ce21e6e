package bayes

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"tenfold/engines/numeric/loglinear"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
)

// proposals are the pairs that a round chooses from.
type proposals struct {
	p       *loglinear.Problem
	ev      evidence
	groups  *rowGroups
	guess   []int32           // the most likely class, by group
	list    []proposal        // by column, then class
	columns []columnProposals // those with proposals, rising
	place   []int32           // in columns, by column; -1 for none
	buffers []lineBuffer      // one a goroutine
}

// proposal is a pair and what is known of it.
type proposal struct {
	loglinear.Candidate
	laplaceTerms
	taken bool
	known float64 // the slack of its column when it was looked at; less what is its own
}

// columnProposals are those of one column.
type columnProposals struct {
	column      int32
	first, last int32   // its proposals are list[first:last]
	slack       float64 // bounds how much the scores have risen in the round, for classes that got no pair
	top         float64 // the largest score − known: none is above top + slack
}

// misclassified returns the weight of the rows that the model gets wrong.
func (r *proposals) misclassified() float64 {
	wrong := 0.0
	for i, k := range r.groups.group {
		class, weight := r.p.Labels(i)
		for q, c := range class {
			if c != r.guess[k] {
				wrong += weight[q]
			}
		}
	}
	return wrong
}

// addProposals lists the pairs of a column that a misclassified row has with its class, or with the class it was taken for, but
// for those active (Daumé 2004, Figure 1). O(nnz + columns · classes).
func (r *proposals) addProposals(ctx context.Context, active map[loglinear.Feature]bool, limit int) error {
	_, cols := r.p.X.Dims()
	var votes []float64 // weight of the misclassified rows that make each proposal
	sum, by := make([]float64, r.p.Classes), make([]float64, r.p.Classes)
	for j := range cols {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		col, holds := r.p.Col(int32(j)), 0.0
		for q, i := range col.Idx {
			class, weight := r.p.Labels(int(i))
			guess := r.guess[r.groups.group[i]]
			for k, c := range class {
				holds += weight[k]
				sum[c] += float64(weight[k] * col.At(q))
				if c != guess {
					by[c] += weight[k]
					by[guess] += weight[k]
				}
			}
		}
		for c, vote := range by {
			f := loglinear.Feature{Column: int32(j), Class: int32(c)}
			if vote > 0 && !active[f] {
				r.list = append(r.list, proposal{Candidate: loglinear.Candidate{Feature: f, Holds: holds, Sum: sum[c]}})
				votes = append(votes, vote)
			}
			sum[c], by[c] = 0, 0
		}
	}
	if limit > 0 && len(r.list) > limit {
		r.list = mostVoted(r.list, votes, limit)
	}
	r.indexByColumn(cols)
	return nil
}

// mostVoted keeps the proposals with most votes, the lower of equal ones, in order.
func mostVoted(list []proposal, votes []float64, limit int) []proposal {
	order := make([]int, len(list))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(votes[b], votes[a]) })
	slices.Sort(order[:limit])
	out := make([]proposal, limit)
	for k, place := range order[:limit] {
		out[k] = list[place]
	}
	return out
}

func (r *proposals) indexByColumn(cols int) {
	r.place = make([]int32, cols)
	for j := range r.place {
		r.place[j] = -1
	}
	for k := range r.list {
		j := r.list[k].Column
		if r.place[j] < 0 {
			r.place[j] = int32(len(r.columns))
			r.columns = append(r.columns, columnProposals{column: j, first: int32(k)})
		}
		r.columns[r.place[j]].last = int32(k + 1)
	}
}

// scoreAll finds the weight of every proposal and its terms there (step 3). Columns are shared out among goroutines; none
// looks at another's.
func (r *proposals) scoreAll(ctx context.Context) error {
	var next atomic.Int64
	work := func(buf *lineBuffer) {
		for {
			j := int(next.Add(1)) - 1
			if j >= len(r.columns) || ctx.Err() != nil {
				return
			}
			c := &r.columns[j]
			buf.setTerms(r, c.column)
			for k := c.first; k < c.last && ctx.Err() == nil; k++ {
				t := &r.list[k]
				t.laplaceTerms = r.ev.maximize(buf.lineOf(r.groups, t.Candidate))
			}
			r.rankColumn(c)
		}
	}
	var wait parallel.Group
	for w := 1; w < len(r.buffers); w++ {
		wait.Go(func() { work(&r.buffers[w]) })
	}
	work(&r.buffers[0])
	wait.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// lineBuffer is the terms of a column's lines: the groups of its rows, where all its values are one, with their weights; else
// its rows.
type lineBuffer struct {
	group []int32 // those that count once, then the others
	m     []float64
	x     []float64
	p     []float64
	count []float64 // by group
	seen  []int32
}

// setTerms fills the terms of a column. O(its rows).
func (b *lineBuffer) setTerms(r *proposals, column int32) {
	col := r.p.Col(column)
	b.group, b.m, b.x, b.seen = b.group[:0], b.m[:0], nil, b.seen[:0]
	if !allOnes(col) {
		b.x = col.Val
		for _, i := range col.Idx {
			b.group = append(b.group, r.groups.group[i])
			if m := r.p.Mult(int(i)); m != 1 { // such rows come last
				b.m = append(b.m, m)
			}
		}
		return
	}
	for len(b.count) < len(r.groups.size) {
		b.count = append(b.count, 0)
	}
	for _, i := range col.Idx {
		k := r.groups.group[i]
		if b.count[k] == 0 {
			b.seen = append(b.seen, k)
		}
		b.count[k] += r.p.Mult(int(i))
	}
	for _, k := range b.seen {
		if b.count[k] == 1 {
			b.group = append(b.group, k)
		}
	}
	for _, k := range b.seen {
		if m := b.count[k]; m != 1 {
			b.group, b.m = append(b.group, k), append(b.m, m)
		}
		b.count[k] = 0
	}
}

func allOnes(col sparse.Vec) bool {
	for _, x := range col.Val {
		if x != 1 {
			return false
		}
	}
	return true
}

// lineOf returns the line of a proposal of the column; valid until the buffer is used again.
func (b *lineBuffer) lineOf(g *rowGroups, c loglinear.Candidate) loglinear.Line {
	b.p = b.p[:0]
	for _, k := range b.group {
		b.p = append(b.p, g.p[int(k)*g.classes+int(c.Class)])
	}
	return loglinear.NewLine(c, b.p, b.m, b.x)
}
