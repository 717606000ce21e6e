package bayes

import (
	"context"
	"math"

	"tenfold/engines/model/softmax"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/loglinear"
	"tenfold/engines/numeric/sparse"
)

// rowGroups are groups of rows that agree in every column that the model uses: one vector of probabilities stands for all rows of a
// group. With few features there are few groups.
type rowGroups struct {
	classes int
	group   []int32   // by distinct row
	size    []int32   // distinct rows, by group
	p       []float64 // probabilities, groups × classes
}

// newGroups returns those of a model that uses the given columns. O(nnz + groups · classes).
func newGroups(ctx context.Context, p *loglinear.Problem, m *softmax.Model, columns []int32) (*rowGroups, error) {
	group, first, err := p.Agree(ctx, columns)
	if err != nil {
		return nil, err
	}
	g := &rowGroups{classes: p.Classes, group: group, size: make([]int32, len(first)), p: make([]float64, len(first)*p.Classes)}
	for _, k := range group {
		g.size[k]++
	}
	for k, i := range first {
		if k%256 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		m.Probabilities(g.probabilitiesOf(int32(k)), p.X.Row(int(i)))
	}
	return g, nil
}

func (g *rowGroups) probabilitiesOf(k int32) []float64 {
	return g.p[int(k)*g.classes : int(k+1)*g.classes]
}

// tie is how close, relatively, two values must be to count as equal: then the lowest index wins.
const tie = 1e-9

// mostLikely returns the most likely class of every group.
func (g *rowGroups) mostLikely() []int32 {
	out := make([]int32, len(g.size))
	for k := range out {
		row, high := g.probabilitiesOf(int32(k)), 0.0
		for _, p := range row {
			high = max(high, p)
		}
		for row[out[k]] < high*(1-tie) {
			out[k]++
		}
	}
	return out
}

// oddsShift is how far a group's probabilities have moved when a score grew by δ.
type oddsShift struct {
	class  float64 // δ: the class's log-odds grow by it
	others float64 // no other class's log-odds fall by more
	log    float64 // logarithm of the factor by which the sum Z grew
}

// riseBound bounds how much the likelihood gained along any weight of a pair can grow in a row of the group. Where that is
// −log(1 + pt), t > −1, and p moves to p', it is at most log p/p' (as t → ∞) and log (1−p)/(1−p') (as t → −1).
func (s oddsShift) riseBound(logOdds float64) float64 { return math.Max(0, s.log-math.Min(0, logOdds)) }

// groupPart is a part of a group: its rows that have one value in a column.
type groupPart struct {
	from, to int32
	rows     int32
	x        float64
	shift    oddsShift
}

// addWeight adds mu to the weight of a column and class. The rows of the column leave their groups, unless those consist of them; part[q]
// is the part that the column's q-th row was in. It returns early when ctx ends. O(rows of the column + parts · classes).
func (g *rowGroups) addWeight(ctx context.Context, col sparse.Vec, class int32, mu float64) (parts []groupPart, part []int32) {
	type key struct {
		group int32
		x     float64
	}
	known := map[key]int32{}
	part = make([]int32, col.Len())
	for q, i := range col.Idx {
		k := key{g.group[i], col.At(q)}
		n, ok := known[k]
		if !ok {
			n = int32(len(parts))
			known[k] = n
			parts = append(parts, groupPart{from: k.group, x: k.x})
		}
		parts[n].rows++
		part[q] = n
	}
	for n := range parts {
		if n%256 == 0 && ctx.Err() != nil {
			break
		}
		t := &parts[n]
		t.to = t.from
		if t.rows < g.size[t.from] {
			t.to = int32(len(g.size))
			g.size[t.from] -= t.rows
			g.size, g.p = append(g.size, t.rows), append(g.p, g.probabilitiesOf(t.from)...)
		}
		t.shift = multiplyOdds(g.probabilitiesOf(t.to), class, mu*t.x)
	}
	for q, i := range col.Idx {
		g.group[i] = parts[part[q]].to
	}
	return parts, part
}

// steep is the largest |δ| taken as it is: beyond, probabilities are 0 or 1.
const steep = 600

// multiplyOdds multiplies the odds of a class by e^δ.
func multiplyOdds(p []float64, class int32, delta float64) oddsShift {
	delta = max(-steep, min(steep, delta))
	before := p[class]
	if before == 0 {
		return oddsShift{}
	}
	after := float64(before * elementary.Exp(delta))
	largest, rest := 0.0, 0.0 // of the others: the largest, and the sum of those besides
	for y, v := range p {
		switch {
		case y == int(class):
		case v > largest:
			rest, largest = rest+largest, v
		default:
			rest += v
		}
	}
	z := rest + largest + after
	for y := range p {
		p[y] /= z
	}
	p[class] = after / z
	others := elementary.Log((rest + after) / (rest + before))
	return oddsShift{class: delta, others: math.Copysign(math.Min(math.Abs(others), math.Abs(delta)), delta), log: elementary.Log(z / (rest + largest + before))}
}
