package loglinear

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/elementary"
)

// block is a range of rows, and the sums over them.
type block struct {
	first, last int
	value       float64   // Σ m log Z
	grad        []float64 // Σ m x p, by feature, in Objective.order
	biasGrad    []float64 // Σ m p by class, over the rows where a feature fires for it
	rest        float64   // Σ m p/base over all rows, of classes for which no feature fires

	// One row: the classes for which a feature fires, and by class their scores, later m·p, and e^score, up to a factor.
	fired         []int32
	score, weight []float64
	mark          []int32
	row           int32 // mark of the classes in fired
}

// sumBlock sums the loss and its gradient over the block's rows. The silent classes of a row, for which no feature fires, are not
// visited one by one: their probabilities are proportional to base.
func (o *Objective) sumBlock(ctx context.Context, b *block, w []float64) {
	ptr, class := o.columns.ptr, o.columns.class
	first := ptr[len(ptr)-2] // of the biases
	clear(b.grad)
	clear(b.biasGrad)
	clear(b.mark)
	b.value, b.rest = 0, 0
	bias := o.biasesOf(w)
	for i := b.first; i < b.last; i++ {
		if i%256 == 0 && ctx.Err() != nil {
			return
		}
		row := o.x.Row(i)
		b.fired, b.row = b.fired[:0], int32(i-b.first+1)
		for k, j := range row.Idx {
			q, end := ptr[j], ptr[j+1]
			b.addScores(class[q:end], w[q:end], row.At(k))
		}
		b.normaliseScores(bias, o.mult[i])
		for k, j := range row.Idx {
			q, end := ptr[j], ptr[j+1]
			grad, x := b.grad[q:end], row.At(k)
			for r, c := range class[q:end] {
				grad[r] += float64(x * b.score[c])
			}
		}
	}
	for k, c := range class[first:] {
		b.grad[int(first)+k] = b.biasGrad[c] + float64(bias.base[c]*b.rest)
	}
}

// addScores adds the weights of a column's features, times x, to the scores of their classes.
func (b *block) addScores(class []int32, w []float64, x float64) {
	score, mark := b.score, b.mark
	for r, c := range class {
		if mark[c] != b.row {
			mark[c], score[c] = b.row, 0
			b.fired = append(b.fired, c)
		}
		score[c] += float64(x * w[r])
	}
}

// lost is the sum Z, relative to the largest term it may have, below which the part of the silent classes, a difference, is mere
// rounding: then all classes are visited one by one.
const lost = 1e-3

// normaliseScores turns the row's scores into m·p, and adds its log Z.
func (b *block) normaliseScores(bias biases, m float64) {
	for _, c := range b.fired {
		b.score[c] += bias.log[c]
	}
	z, high := b.partition(bias)
	if len(b.fired) < len(b.mark) && z < lost {
		for c := range b.mark {
			if b.mark[c] != b.row {
				b.fired, b.score[c] = append(b.fired, int32(c)), bias.log[c]
			}
		}
		z, high = b.partition(bias)
	}
	b.value += float64(m * (elementary.Log(z) + high + bias.shift))
	scale, rest := m/z, 0.0
	if len(b.fired) < len(b.mark) {
		rest = scale * elementary.Exp(-high)
	}
	b.rest += rest
	for _, c := range b.fired {
		b.score[c] = scale * b.weight[c]
		b.biasGrad[c] += b.score[c] - float64(bias.base[c]*rest)
	}
}

// partition returns Z / e^high, with Z the row's partition function; weight becomes e^(score − high) for the classes that fired.
// The largest score that a silent class may have is zero.
func (b *block) partition(bias biases) (z, high float64) {
	silent := len(b.fired) < len(b.mark)
	high = math.Inf(-1)
	if silent {
		high = 0
	}
	for _, c := range b.fired {
		high = max(high, b.score[c])
	}
	rest := bias.total
	for _, c := range b.fired {
		rest -= bias.base[c]
		b.weight[c] = elementary.Exp(b.score[c] - high)
		z += b.weight[c]
	}
	if silent {
		z += float64(max(rest, 0) * elementary.Exp(-high))
	}
	return z, high
}

// biases holds the biases of the classes relative to the largest of them, and their exponentials.
type biases struct {
	log, base []float64
	total     float64 // Σ base
	shift     float64 // the largest
}

func (o *Objective) biasesOf(w []float64) biases {
	bs := biases{log: make([]float64, o.classes), base: make([]float64, o.classes)}
	ptr := o.columns.ptr
	for q := ptr[len(ptr)-2]; q < ptr[len(ptr)-1]; q++ {
		bs.log[o.columns.class[q]] = w[q]
	}
	bs.shift = slices.Max(bs.log)
	for y := range bs.log {
		bs.log[y] -= bs.shift
		bs.base[y] = elementary.Exp(bs.log[y])
		bs.total += bs.base[y]
	}
	return bs
}
