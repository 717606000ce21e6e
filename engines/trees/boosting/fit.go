package boosting

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/trees"
)

// boosting is trees added one after the other.
type boosting struct {
	e       Boosted
	columns int
	kept    []int32
	y       *response
	base    []float64
	trees   []*trees.Tree // of each round, one a score
	gain    [][]gained    // by tree
	held    []float64     // loss on the rows held out after so many rounds; nil where there are none
	ended   bool          // before all rounds, since no tree had a split
	note    string        // why no tree can have one; "" if some can
	looked  int64
}

// gained is what a split lowers the objective by.
type gained struct {
	column int32
	by     float64
}

// Why a fit ends.
const (
	stopTrees    = "trees"
	stopPatience = "patience"
	stopNoSplit  = "no split"
)

// boost adds trees until there are enough. Each has seeds of its own, so that the first ones are the same whatever number follows.
func (e Boosted) boost(ctx context.Context, run engines.Run) (*boosting, error) {
	rows, y, err := readResponse(run.Train)
	if err != nil {
		return nil, err
	}
	run.Train = rows
	if rows.Columns() == 0 {
		return nil, errors.New("the data has no column")
	}
	f := &boosting{e: e, columns: rows.Columns(), kept: rows.Kept(), y: y}
	seed := run.Rand.Uint64()
	fitted, held := data.Numbers(rows.Len()), []int32(nil)
	if e.Patience > 0 {
		if fitted, held, err = holdOut(run, e.Validation, rand.New(rand.NewPCG(seed, 0))); err != nil {
			return nil, err
		}
		if held, err = y.judges(fitted, held); err != nil {
			return nil, err
		}
	}
	f.base = y.base(fitted)
	x, err := newBinned(ctx, rows.Matrix(), fitted, e.Bins, run.Workers)
	if err != nil {
		return nil, err
	}
	b := &round{f: f, run: run, fitted: fitted, held: held, g: newGrower(e, x, rows, run.Workers), d: newDerivatives(rows.Len(), len(fitted), len(f.base)), used: make([]bool, f.columns)}
	for range rows.Len() {
		b.score = append(b.score, f.base...)
	}
	b.tell(0)
	for t := range e.Trees {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := b.add(ctx, seed, uint64(t)+1); err != nil {
			return nil, err
		}
		if f.ended {
			break
		}
		b.tell(t + 1)
		if f.held != nil && t+1-f.best(t+1) >= e.Patience {
			break
		}
	}
	return f, nil
}

// round adds trees.
type round struct {
	f            *boosting
	run          engines.Run
	fitted, held []int32
	g            *grower
	d            *derivatives
	score        []float64 // by row and score
	used         []bool    // by column
	active       int
	entered      []engines.Coef // columns of the round that no tree before used, in the order of its trees and nodes
}

// add adds the trees of a round.
func (b *round) add(ctx context.Context, seed, number uint64) error {
	f, scores := b.f, len(b.f.base)
	b.d.compute(f.y, b.score, b.fitted, b.run.Workers)
	rng := rand.New(rand.NewPCG(seed, data.Mix(number)))
	rows, rest := b.draw(rng)
	anySplit := false
	for k := range scores {
		total := b.d.sums(k)
		if number == 1 && !(total.second >= 2*f.e.MinWeight) && scores == 1 {
			f.note = fmt.Sprintf("min_weight %v, and the second derivatives of the loss sum to %.6g over %d training rows: no split leaves so much on both sides, as one of at most %.6g could", f.e.MinWeight, total.second, len(b.fitted), total.second/2)
		}
		u := newScale(total.first, total.second, len(b.fitted))
		parallel.Stretches(b.run.Workers, chunkRows, len(rows), func(first, last int) {
			for _, i := range rows[first:last] {
				b.g.word[i] = u.word(b.d.first[k][i], b.d.second[k][i])
			}
		})
		b.g.price = f.e.priceIn(u)
		if err := b.g.grow(ctx, rows, rest, [2]uint64{rng.Uint64(), rng.Uint64()}); err != nil {
			return err
		}
		anySplit = b.take(k) || anySplit
	}
	f.looked += b.g.looked
	b.g.looked = 0
	if !anySplit && f.e.RowShare == 1 && f.e.ColumnShare == 1 { // nor will a later one have any
		f.ended = true
		f.trees, f.gain = f.trees[:len(f.trees)-scores], f.gain[:len(f.gain)-scores]
	}
	return nil
}

// draw draws the rows that the trees of a round are grown on, rising, and the others.
func (b *round) draw(rng *rand.Rand) (rows, rest []int32) {
	if b.f.e.RowShare == 1 {
		return b.fitted, b.held
	}
	n := len(b.fitted)
	need := max(1, int(math.Round(b.f.e.RowShare*float64(n))))
	rest = slices.Clone(b.held)
	for k, i := range b.fitted { // each as likely as the others (Knuth, volume 2, algorithm S)
		if rng.IntN(n-k) < need {
			rows = append(rows, i)
			need--
		} else {
			rest = append(rest, i)
		}
	}
	slices.Sort(rest)
	return rows, rest
}

// take takes the tree that was grown for a score: the values of its leaves are Newton steps, shortened, which are added to the scores.
func (b *round) take(k int) (split bool) {
	t, from, leaves := b.g.tree()
	first, second, scores := b.d.first[k], b.d.second[k], len(b.f.base)
	parallel.Each(b.run.Workers, len(leaves), func(l int) {
		n, gs, hs := &b.g.nodes[leaves[l]], 0.0, 0.0
		rows, rest := b.g.rows[n.rows[0]:n.rows[1]], b.g.rest[n.rest[0]:n.rest[1]]
		for _, i := range rows {
			gs += first[i]
			hs += second[i]
		}
		v := 0.0
		if hs += b.f.e.C2; hs > 0 {
			v = -float64(b.f.e.Shrinkage*elementary.SoftThreshold(gs, b.f.e.C1)) / hs
		}
		t.Value[l] = v
		for _, i := range rows {
			b.score[int(i)*scores+k] += v
		}
		for _, i := range rest {
			b.score[int(i)*scores+k] += v
		}
	})
	var gains []gained
	for number, n := range t.Nodes {
		if n.Column == trees.Leaf {
			continue
		}
		gains = append(gains, gained{n.Column, b.g.nodes[from[number]].split.gain})
		if !b.used[n.Column] {
			b.used[n.Column] = true
			b.active++
			b.entered = append(b.entered, engines.Coef{Feature: int(n.Column)})
		}
	}
	b.f.trees, b.f.gain = append(b.f.trees, t), append(b.f.gain, gains)
	return len(gains) > 0
}

// tell tells of a round.
func (b *round) tell(number int) {
	best, entered := false, b.entered
	b.entered = nil
	if b.held != nil {
		b.f.held = append(b.f.held, b.f.y.loss(b.score, b.held))
		best = b.f.best(number) == number
	}
	if b.run.Trace == nil {
		return
	}
	b.run.Trace.At(engines.Step{
		Iter: number, TrainError: b.f.y.loss(b.score, b.fitted), Active: b.active, Changed: engines.Coef{Feature: -1}, Also: entered, Whole: true,
		Evaluations: b.f.looked, Best: best, Parameter: "trees", ParameterValue: float64(number),
	})
}

// best number of rounds, of so many: all, or those of the smallest loss on the rows held out, the first of equal ones.
func (f *boosting) best(rounds int) int {
	if f.held == nil {
		return rounds
	}
	best := 0
	for r, loss := range f.held[:rounds+1] {
		if loss < f.held[best] {
			best = r
		}
	}
	return best
}

// model returns the model of so many rounds, or fewer where the fit ended before.
func (f *boosting) model(rounds int) *Model {
	done := len(f.trees) / len(f.base)
	fitted := engines.Fitted{Stop: stopTrees, Iterations: min(rounds, done), Evaluated: f.looked, Probabilities: f.y.levels > 0}
	switch {
	case rounds > done && f.ended:
		fitted.Stop = stopNoSplit
	case f.held != nil && fitted.Iterations-f.best(fitted.Iterations) >= f.e.Patience:
		fitted.Stop = stopPatience
	}
	rounds = f.best(fitted.Iterations)
	fitted.Best = rounds
	fitted.Facts = []data.Fact{{Name: "trees", Value: fmt.Sprint(rounds * len(f.base))}}
	if f.held != nil {
		fitted.Facts = append(fitted.Facts, data.Fact{Name: "loss on rows held out", Value: fmt.Sprintf("%.6g after %d of %d rounds", f.held[rounds], rounds, fitted.Iterations)})
	}
	if f.note != "" {
		fitted.Notes = []string{f.note}
	}
	m := newModel(f.columns, f.y.levels, f.base, f.trees[:rounds*len(f.base)])
	m.important, m.fitted = f.important(rounds, 0), fitted
	return m
}

// important columns after so many rounds, rising: those that are kept, and so many others of the highest importance, with 0 all that a tree
// splits on.
func (f *boosting) important(rounds, features int) []engines.Coef {
	importance := make([]float64, f.columns)
	for _, tree := range f.gain[:rounds*len(f.base)] {
		for _, s := range tree {
			if f.e.Importance == byCount {
				importance[s.column]++
			} else {
				importance[s.column] += s.by
			}
		}
	}
	var order []int32
	for j, v := range importance {
		if _, kept := slices.BinarySearch(f.kept, int32(j)); v > 0 && !kept {
			order = append(order, int32(j))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(importance[b], importance[a]) })
	if features > 0 {
		order = order[:min(features, len(order))]
	}
	return engines.Ranked(append(slices.Clone(f.kept), order...), func(_ int, j int32) float64 { return importance[j] })
}
