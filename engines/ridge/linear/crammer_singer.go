package linear

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
)

// crammerSingerProblem is the problem of all levels at once (Crammer & Singer 2001): the minimum over W, a column of weights for every level, of
//
//	P(W) = ½‖W‖² + Σ_i C_i max_k (1[k ≠ y_i] + x_i·w_k − x_i·w_{y_i})
//
// by its dual: A, rows × levels, with A_ik ≤ C_i·1[k = y_i] and Σ_k A_ik = 0, has W = Σ_i x_i A_iᵀ, and maximises −½‖W‖² − Σ_i Σ_{k≠y_i} A_ik.
// A row's variables are set to the best at once while those of the others stay (Keerthi, Sundararajan, Chang, Hsieh & Lin 2008).
type crammerSingerProblem struct {
	*trainingSet
	e      SVM
	levels int
	ones   bool      // a column of ones, the last
	bound  []float64 // C_i
	square []float64 // ‖x_i‖²
	a      []float64 // rows × levels
	w      []float64 // columns × levels: what a row touches of a column lies together
	order  []int32
	s, b   []float64 // room, by level
	sorted []float64
}

func (e SVM) newCrammerSingerProblem(s *trainingSet) *crammerSingerProblem {
	rows, columns := s.x.Dims()
	t := &crammerSingerProblem{trainingSet: s, e: e, levels: len(s.target.Levels), ones: e.bias() == penalizedBias}
	if t.ones {
		columns++
	}
	t.bound, t.square, t.order = make([]float64, rows), make([]float64, rows), make([]int32, rows)
	t.a, t.w = make([]float64, rows*t.levels), make([]float64, columns*t.levels)
	t.s, t.b, t.sorted = make([]float64, t.levels), make([]float64, t.levels), make([]float64, 0, t.levels)
	for i := range s.level {
		t.order[i] = int32(i)
		t.bound[i] = float64(e.C * s.weight.Of(i))
		x := s.x.Row(i)
		for k := range x.Idx {
			v := x.At(k)
			t.square[i] += float64(v * v)
		}
		if t.ones {
			t.square[i]++
		}
		if t.square[i] == 0 {
			t.emptyRow(i)
		}
	}
	return t
}

// eachWeights calls do for the weights of every column that a row has an entry in, and the entry.
func (t *crammerSingerProblem) eachWeights(i int, do func(w []float64, v float64)) {
	x := t.x.Row(i)
	for k, j := range x.Idx {
		do(t.w[int(j)*t.levels:][:t.levels], x.At(k))
	}
	if t.ones {
		do(t.w[len(t.w)-t.levels:], 1)
	}
}

// scores sets t.s to those of row i, with 1 more for every level but its own, and those of levels without rows out of reach.
func (t *crammerSingerProblem) scores(i int) {
	clear(t.s)
	t.eachWeights(i, func(w []float64, v float64) {
		for k, c := range w {
			t.s[k] += float64(v * c)
		}
	})
	for k := range t.s {
		switch {
		case t.total[k] == 0:
			t.s[k] = math.Inf(-1)
		case k != int(t.level[i]):
			t.s[k]++
		}
	}
}

// step sets the variables of row i to the best: A_ik = min(C_i·1[k = y_i], (β − B_k)/q) with B_k = s_k − q A_ik, and β such that their sum is 0.
// O(entries of the row · levels + levels · log levels).
func (t *crammerSingerProblem) step(i int) {
	q, a := t.square[i], t.a[i*t.levels:][:t.levels]
	if q == 0 {
		return // no step changes W
	}
	t.scores(i)
	level := int(t.level[i])
	t.sorted = t.sorted[:0]
	for k := range a {
		if t.b[k] = t.s[k] - float64(q*a[k]); t.total[k] > 0 {
			over := t.b[k] // β from which A_ik is at its bound
			if k == level {
				over += float64(q * t.bound[i])
			}
			t.sorted = append(t.sorted, over)
		}
	}
	slices.Sort(t.sorted)
	// Those at their bounds have the smallest of these; with n not at it, n·β = Σ of theirs − q·C_i.
	sum, beta := -float64(q*t.bound[i]), 0.0
	for n := 1; n <= len(t.sorted); n++ {
		next := t.sorted[len(t.sorted)-n]
		sum += next
		if beta = sum / float64(n); n == len(t.sorted) || beta >= t.sorted[len(t.sorted)-n-1] {
			break
		}
	}
	for k := range a {
		to := 0.0
		if t.total[k] > 0 {
			to = min(0, (beta-t.b[k])/q)
			if k == level {
				to = min(t.bound[i], (beta-t.b[k])/q)
			}
		}
		t.b[k] = to - a[k]
		a[k] = to
	}
	t.eachWeights(i, func(w []float64, v float64) {
		for k, d := range t.b {
			w[k] += float64(v * d)
		}
	})
}

// entriesPerLook is how many entries are worked on between two looks at a context.
const entriesPerLook = 1 << 15

// visit calls do for the rows, in order; it reports whether ctx has ended.
func (t *crammerSingerProblem) visit(ctx context.Context, do func(i int)) (ended bool) {
	left := 0
	for _, i := range t.order {
		if left -= t.levels * (t.x.Row(int(i)).Len() + 1); left < 0 {
			if left = entriesPerLook; ctx.Err() != nil {
				return true
			}
		}
		do(int(i))
	}
	return false
}

// certify sums W anew, so that rounding does not gather, and compares P with the dual. O(entries · levels).
func (t *crammerSingerProblem) certify(ctx context.Context) (c engines.Certificate) {
	clear(t.w)
	t.visit(ctx, func(i int) {
		a := t.a[i*t.levels:][:t.levels]
		t.eachWeights(i, func(w []float64, v float64) {
			for k, d := range a {
				w[k] += float64(v * d)
			}
		})
		c.Dual += a[t.level[i]] // Σ of the others is its negative
	})
	square := dense.DotInOrder(t.w, t.w)
	t.visit(ctx, func(i int) {
		t.scores(i)
		c.Objective += float64(t.bound[i] * (slices.Max(t.s) - t.s[t.level[i]]))
	})
	c.Objective += float64(square / 2)
	c.Dual -= float64(square / 2)
	return c
}

// scale multiplies c by a number, and with it the dual variables and the model.
func (t *crammerSingerProblem) scale(by float64) {
	for _, values := range [][]float64{t.bound, t.a, t.w} {
		for k := range values {
			values[k] *= by
		}
	}
}

// solve goes on to the optimum from where the problem is. It is sequential: one worker. No seed decides the order of rows.
func (t *crammerSingerProblem) solve(ctx context.Context, _ bool) (weights map[int][]float64, f engines.Fitted, err error) {
	rng, next := rand.New(rand.NewPCG(0, 0)), 1
	best, dual := math.Inf(1), math.Inf(-1)
	var w []float64
	for f.Best = -1; f.Stop == ""; {
		rng.Shuffle(len(t.order), func(i, j int) { t.order[i], t.order[j] = t.order[j], t.order[i] })
		if t.visit(ctx, t.step) {
			return nil, f, context.Cause(ctx)
		}
		if f.Iterations++; f.Iterations < next && f.Iterations < t.e.MaxIter {
			continue
		}
		next = f.Iterations + max(5, f.Iterations/6)
		now := t.certify(ctx)
		if ctx.Err() != nil {
			return nil, f, context.Cause(ctx)
		}
		if dual = max(dual, now.Dual); now.Objective < best {
			best, w = now.Objective, append(w[:0], t.w...)
		}
		f.Certificate = &engines.Certificate{Objective: best, Dual: dual}
		switch {
		case f.Certificate.Relative() <= t.e.Tol:
			f.Stop = "gap"
		case f.Iterations >= t.e.MaxIter:
			f.Stop = "max_iter"
			f.Notes = append(f.Notes, t.e.unfinishedNote(1, 1, f.Stop, f.Certificate.Relative()))
		}
	}
	f.Facts = []data.Fact{{Name: "passes", Value: fmt.Sprint(f.Iterations)}}
	weights = map[int][]float64{}
	for _, k := range t.present() {
		for j := k; j < len(w); j += t.levels {
			weights[k] = append(weights[k], w[j])
		}
	}
	return weights, f, nil
}

// emptyRow has score 0 for every level, whatever W: all its weight is on its own level against one other.
func (t *crammerSingerProblem) emptyRow(i int) {
	a, level := t.a[i*t.levels:][:t.levels], int(t.level[i])
	for k := range a {
		if k != level && t.total[k] > 0 {
			a[level], a[k] = t.bound[i], -t.bound[i]
			return
		}
	}
}
