// Package activeset minimises quadratic functions with an L1 penalty over the coefficients that are not zero, as long as these keep their signs:
// there the penalty is linear, and the minimum is that of linear equations. Coordinate descent finds a selection in a few passes, and takes
// many for the rest where columns are correlated; these equations take its place. Their factor follows the selection, from one penalty to the
// next.
//
// Which coefficients are to be selected, and what the function is, are the caller's.
package activeset

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
)

// Function is ½β'Hβ − c'β + Σ l1_q·|β_q| + ½·Σ l2_q·β_q² over coefficients β by place, at some β.
type Function interface {
	Places() int
	// Coefficient returns β_q, and the weights of its penalties.
	Coefficient(q int) (value, l1, l2 float64)
	// Gradient returns (c − Hβ)_q.
	Gradient(q int) float64
	// MoveTo sets β_q; gradients follow.
	MoveTo(q int, value float64)
	// Products sets dst[k] to H_pq, p being places[k].
	Products(dst []float64, places []int, q int)
	Square(q int) float64 // H_qq
	// Negligible reports whether a derivative by β_q is none: it may be rounding, or no smaller one is asked for.
	Negligible(q int, derivative float64) bool
}

// Factor is the triangle R of the selected places, R'R = H_AA + diag(l2), for one function after the other with the same H. The zero value is
// that of no places. Not safe for several goroutines.
type Factor struct {
	dense.Cholesky
	places []int  // by column of R
	in     []bool // by place: it is among these
	l2     float64
}

const (
	// dependentBelow is the share of H_qq outside the places in the factor up to which q depends on them.
	dependentBelow = 1e-11
	// rounding is the share of an L1 weight below which a coefficient's part of its gradient is none.
	rounding = 1e-13
)

// Cost returns about how many multiplications Minimize takes where so many places are selected, among these those in the factor with a
// coefficient, and l2 is the strength of the L2 penalty.
func (f *Factor) Cost(p Function, selected int, l2 float64) float64 {
	came, went := selected, 0
	if f.l2 == l2 {
		for _, q := range f.places {
			if value, _, _ := p.Coefficient(q); value != 0 {
				came--
			} else {
				went++
			}
		}
	}
	n := float64(selected)
	return float64(n*n*(1+float64(float64(came)/2)+float64(went))) + float64(n*float64(p.Places()))
}

// Minimize goes to the minimum over the coefficients that are not zero, or have no L1 penalty, by
//
//	(H_AA + diag(l2))·δ = c − Hβ − l2·β − l1·sign(β),  on A.
//
// Where a sign would change, it goes as far as the first coefficient that gets to zero, which leaves the selection, and on from there. l2 tells
// functions with other L2 penalties apart. O(selected²) for each place that came or went, and O(selected·places). It reports whether anything
// moved.
func (f *Factor) Minimize(ctx context.Context, p Function, l2 float64) (moved bool) {
	if f.l2 != l2 {
		*f = Factor{l2: l2}
	}
	moved = f.follow(ctx, p)
	began, values, rest := slices.Clone(f.places), make([]float64, len(f.in)), make([]float64, len(f.places))
	settled := true
	for k, q := range f.places {
		b, l1, l2 := p.Coefficient(q)
		values[q] = b
		rest[k] = p.Gradient(q) - float64(l2*b) - math.Copysign(l1, b)
		settled = settled && p.Negligible(q, rest[k])
	}
	if settled {
		return moved
	}
	for len(f.places) > 0 && ctx.Err() == nil {
		share := f.move(p, values, f.Solve(rest))
		if share == 1 {
			break
		}
		for k := len(f.places) - 1; k >= 0; k-- {
			rest[k] *= 1 - share
			if _, l1, _ := p.Coefficient(f.places[k]); l1 > 0 && values[f.places[k]] == 0 {
				f.remove(k)
				rest = slices.Delete(rest, k, k+1)
			}
		}
	}
	for _, q := range began {
		if b, _, _ := p.Coefficient(q); values[q] != b {
			p.MoveTo(q, values[q])
			moved = true
		}
	}
	return moved
}

// move moves the values of the places in the factor by a step, as far as none changes its sign, and returns which share of it that is.
func (f *Factor) move(p Function, values, step []float64) (share float64) {
	share, first := 1.0, -1
	for k, q := range f.places {
		if _, l1, _ := p.Coefficient(q); l1 > 0 {
			if to := -values[q] / step[k]; to > 0 && to < share {
				share, first = to, k
			}
		}
	}
	for k, q := range f.places {
		_, l1, _ := p.Coefficient(q)
		to := values[q] + float64(share*step[k])
		if l1 > 0 && (k == first || to*values[q] < 0 || math.Abs(to)*p.Square(q) <= rounding*l1) {
			to = 0
		}
		values[q] = to
	}
	return share
}

// follow has the factor follow the selection, and reports whether that moved coefficients: of selected places that depend on each other one
// leaves.
func (f *Factor) follow(ctx context.Context, p Function) (moved bool) {
	selected := func(q int) bool {
		value, l1, _ := p.Coefficient(q)
		return value != 0 || l1 == 0
	}
	for k := len(f.places) - 1; k >= 0; k-- {
		if !selected(f.places[k]) {
			f.remove(k)
		}
	}
	f.in = append(f.in, make([]bool, p.Places()-len(f.in))...)
	for q := range f.in {
		for selected(q) && !f.in[q] && ctx.Err() == nil {
			v := make([]float64, len(f.places), len(f.places)+1)
			p.Products(v, f.places, q)
			f.SolveTransposedFrom(v, v, 0)
			_, _, l2 := p.Coefficient(q)
			square := p.Square(q) + l2
			if outside := square - dense.Dot(v, v); outside > dependentBelow*square {
				f.Append(v, outside)
				f.places, f.in[q] = append(f.places, q), true
				break
			}
			leaves := f.slide(p, q, f.SolveUpper(v))
			if moved = true; !leaves {
				break
			}
		}
	}
	return moved
}

// slide moves the coefficient at place q, whose column of H is the combination of those in the factor with the given shares, and theirs so that
// Hβ stays as it is, to where the penalty is less and the first of them is zero. It reports whether that is one of the factor, which then leaves
// it.
func (f *Factor) slide(p Function, q int, shares []float64) bool {
	value, rate, _ := p.Coefficient(q)
	rate = math.Copysign(rate, value)
	for k, place := range f.places {
		b, l1, _ := p.Coefficient(place)
		rate -= float64(shares[k] * math.Copysign(l1, b))
	}
	by, first := -value, -1
	if rate*value < 0 {
		by = math.Copysign(math.Inf(1), value)
	}
	for k, place := range f.places {
		b, l1, _ := p.Coefficient(place)
		if to := b / shares[k]; l1 > 0 && to*by > 0 && math.Abs(to) < math.Abs(by) {
			by, first = to, k
		}
	}
	if math.IsInf(by, 0) {
		return false // none has a penalty that could fall
	}
	for k, place := range f.places {
		b, _, _ := p.Coefficient(place)
		if b -= float64(shares[k] * by); k == first {
			b = 0
		}
		p.MoveTo(place, b)
	}
	if first < 0 {
		p.MoveTo(q, 0)
		return false
	}
	p.MoveTo(q, value+by)
	f.remove(first)
	return true
}

// remove column k.
func (f *Factor) remove(k int) {
	f.Remove(k)
	f.in[f.places[k]] = false
	f.places = slices.Delete(f.places, k, k+1)
}
