// Package forest fits random forests (Breiman 2001), and weighs columns by them.
//
// columns.go ranks the training columns, tree.go grows a tree, split.go finds the split of a node, importance.go weighs columns,
// forest.go makes a forest of trees, and model.go predicts with it; survival.go has what is particular to times until an event. shadow.go
// grows forests on columns beside permuted ones, for package boruta.
package forest

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
	"tenfold/engines/model/narrowed"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/param"
)

// Growing is the parameters of every forest.
type Growing struct {
	Trees     int  `yaml:"trees" simpler:"smaller" resource:"yes" doc:"trees, ≥ 1"`
	MTry      int  `yaml:"mtry" doc:"columns looked at for the split of a node, ≥ 1; 0: the square root of their number, for numbers a third"`
	MinLeaf   int  `yaml:"min_leaf" simpler:"larger" doc:"rows that both sides of a split have at least, as often as the sample drew them, ≥ 1; 0: 1, for numbers and times 5"`
	MinSplit  int  `yaml:"min_split" doc:"rows from which on a node is split, likewise, ≥ 2"`
	MaxDepth  int  `yaml:"max_depth" simpler:"smaller,0 last" doc:"splits on the way to a leaf at most; 0: no limit"`
	Bootstrap bool `yaml:"bootstrap" doc:"each tree has a sample of the rows, as many as there are, drawn with replacement; no: all rows"`
}

// Forest is the engine's parameters.
type Forest struct {
	Growing    `yaml:",inline"`
	Importance string `yaml:"importance" doc:"of a column: impurity (the decrease by its splits; prefers columns of many values), permutation (the rise of the error out of the bag when its values are permuted), or z (the latter divided by its standard error over the trees); of times, impurity is the gain of log-rank scores, and the others are not there"`
	Features   int    `yaml:"features" simpler:"smaller,0 last" doc:"select so many columns of highest importance, and grow the forest again on these alone; 0: all of importance above 0 count as selected"`
}

// Importances of columns.
const (
	Impurity    = "impurity"    // the decrease by the splits on the column
	Permutation = "permutation" // the rise of the error out of the bag when the values of the column are permuted
	ZScore      = "z"           // the latter divided by its standard error over the trees
)

// Kind is the engine forest.
var Kind = engines.Define(engines.Kind{
	Name: "forest",
	Doc:  "random forest: the mean of trees on bootstrap samples that look at few columns for each split; columns by importance; of times, trees that split by log-rank scores",
	Cite: "Breiman 2001; Ishwaran, Kogalur, Blackstone & Lauer 2008",
	Rev:  4,
}, Forest{Growing: Growing{Trees: 500, MinSplit: 2, Bootstrap: true}, Importance: Impurity})

// Validate checks the parameters.
func (e Growing) Validate() error {
	return errors.Join(
		param.Require("trees", e.Trees >= 1, "%d, expected at least 1", e.Trees),
		param.Require("mtry", e.MTry >= 0, "%d, expected at least 1, or 0 for a number that depends on the columns", e.MTry),
		param.Require("min_leaf", e.MinLeaf >= 0, "%d, expected at least 1, or 0 for 1 row, of numbers 5", e.MinLeaf),
		param.Require("min_split", e.MinSplit >= 2, "%d, expected at least 2", e.MinSplit),
		param.Require("max_depth", e.MaxDepth >= 0, "%d, expected at least 1, or 0 for no limit", e.MaxDepth),
	)
}

// Validate checks the parameters.
func (e Forest) Validate() error {
	return errors.Join(
		e.Growing.Validate(),
		param.OneOf("importance", e.Importance, Impurity, Permutation, ZScore),
		param.Require("importance", e.Importance == Impurity || e.Bootstrap, "%s is measured on rows out of the bag, and without bootstrap there are none", e.Importance),
		param.Require("features", e.Features >= 0, "%d, expected at least 1, or 0 for no limit", e.Features),
	)
}

// Needs returns what the engine asks of data: a target of any type; of times, importance has to be impurity.
func (e Forest) Needs() engines.Needs {
	return engines.Needs{Survival: e.Importance == Impurity, Rates: true, Sizes: engines.Sizes{Limit: "features", Ranked: true}, Keeps: true, WholeWeights: !e.Bootstrap, Missing: true}
}

// Footprint returns the memory of a fit: the columns ranked, and trees, whose leaves hold some two rows.
func (e Growing) Footprint(s engines.Shape) engines.Footprint {
	const entry, row, leaf = 24, 64, 64
	leaves := int64(s.Rows) / int64(max(2, e.MinLeaf))
	return engines.Footprint{Bytes: entry*s.Entries + row*int64(s.Rows+s.Columns) + int64(e.Trees)*leaves*(leaf+8*int64(s.Levels))}
}

// Fit grows the forest. O(trees · mtry · rows · log² rows) on dense columns.
func (e Forest) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if e.Features > 0 {
		return narrowed.Selected(ctx, e, Regrown{e}, run)
	}
	f, err := e.grow(ctx, run, true)
	if err != nil {
		return nil, err
	}
	m := newModel(run.Train.Columns(), f.y.levels, f.trees)
	m.mortalities, m.rates, m.important, m.fitted = f.y.survival != nil, f.y.rates, f.important(0, run.Train.Kept()), f.fitted()
	return m, nil
}

// Regrown grows a forest on columns that are selected: of fewer than mtry a node looks at all.
type Regrown struct{ Forest }

// Fit grows the forest on all columns of the training rows.
func (e Regrown) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	e.Features, e.MTry = 0, min(e.MTry, run.Train.Columns())
	return e.Forest.Fit(ctx, run)
}

// Choose chooses the columns by importance: those above 0, or so many of the highest.
func (e Forest) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	if open := run.Train.Columns() - len(run.Train.Kept()); e.Features > open {
		return nil, engines.Fitted{}, fmt.Errorf("features %d, and the data has %d columns to select", e.Features, open)
	}
	f, err := e.grow(ctx, run, false)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	return f.important(e.Features, run.Train.Kept()), f.fitted(), nil
}

// Training holds training rows as forests read them: columns by rank, and the response, where it is defined.
type Training struct {
	x    *columns
	y    *response
	rule rule
}

// Read ranks the columns of the rows where the target is defined. Parameters that these cannot have are an error. O(entries · log rows).
func (e Growing) Read(ctx context.Context, run engines.Run) (*Training, error) {
	rows, y, err := readResponse(run.Train, e.Bootstrap)
	if err != nil {
		return nil, err
	}
	x, err := newColumns(ctx, rows, run.Workers)
	if err != nil {
		return nil, err
	}
	r, err := e.rule(len(x.col), y)
	return &Training{x, y, r}, err
}

// Columns returns the numbers that the ranked columns have in the data: ranked ones stand in the order of their names.
func (t *Training) Columns() []int32 { return t.x.number }

// forest is what comes of growing one.
type forest struct {
	y          *response
	trees      []*tree
	importance []float64 // by column
	looked     int64
	votes      *votes
}

// grow grows a forest on the rows where the target is defined; keep tells whether its trees are wanted.
func (e Forest) grow(ctx context.Context, run engines.Run, keep bool) (*forest, error) {
	in, err := e.Read(ctx, run)
	if err != nil {
		return nil, err
	}
	if in.y.survival != nil && e.Importance != Impurity {
		return nil, fmt.Errorf("importance: %s is measured by the errors of single rows, which times do not have; expected %s", e.Importance, Impurity)
	}
	f, err := e.growOn(ctx, in.x, in.y, in.rule, run.Rand.Uint64(), run.Workers, keep)
	if err != nil {
		return nil, err
	}
	f.renumber(in.x.number)
	return f, nil
}

// renumber renumbers the columns, as the data has them.
func (f *forest) renumber(number []int32) {
	importance := make([]float64, len(number))
	for k, j := range number {
		importance[j] = f.importance[k]
	}
	f.importance = importance
	for _, t := range f.trees {
		for k, n := range t.Nodes {
			if n.Column != leaf {
				t.Nodes[k].Column = number[n.Column]
			}
		}
	}
}

// rule returns the rule of the trees for so many columns.
func (e Growing) rule(columns int, y *response) (rule, error) {
	r := rule{mtry: e.MTry, minLeaf: int64(e.MinLeaf), minSplit: int64(e.MinSplit), maxDepth: e.MaxDepth}
	if r.mtry == 0 && (y.levels > 0 || y.survival != nil) {
		r.mtry = max(1, int(math.Sqrt(float64(columns))))
	}
	if r.mtry == 0 {
		r.mtry = (columns + 2) / 3
	}
	if r.minLeaf == 0 && y.levels > 0 {
		r.minLeaf = 1
	}
	if r.minLeaf == 0 {
		r.minLeaf = 5
	}
	switch {
	case columns == 0:
		return r, errors.New("the data has no column")
	case e.MTry > columns:
		return r, fmt.Errorf("mtry %d, and the data has %d columns", e.MTry, columns)
	case 2*e.MinLeaf > y.bag.Draws:
		return r, fmt.Errorf("min_leaf %d, and there are %d training rows: no split leaves so many on both sides", e.MinLeaf, y.bag.Draws)
	}
	return r, nil
}

// ahead is how many trees may be grown before those before them have been added up, in their order.
const ahead = 32

// growOn grows the trees. Each has a seed of its own, so that they are the same for any number of workers.
func (e Forest) growOn(ctx context.Context, x *columns, y *response, r rule, seed uint64, workers int, keep bool) (*forest, error) {
	f := &forest{y: y, votes: newVotes(x.rows, y)}
	sums := newScores(len(x.col))
	growers := make([]*treeWorker, max(1, workers))
	done := make([]grownTree, ahead)
	grown := 0
	parallel.InOrder(workers, e.Trees, ahead, func(worker, k int) bool {
		if growers[worker] == nil {
			growers[worker] = newTreeWorker(e, x, y, r)
		}
		var err error
		done[k%ahead], err = growers[worker].growTree(ctx, seed, uint64(k))
		return err == nil
	}, func(k int) {
		p := &done[k%ahead]
		f.looked += p.looked
		f.votes.add(p.out, p.tree)
		if e.Importance == Impurity || len(p.out.rows) > 0 {
			sums.add(p.important)
		}
		if keep {
			f.trees = append(f.trees, p.tree)
		}
		grown++
	})
	if grown < e.Trees {
		return nil, context.Cause(ctx)
	}
	if sums.trees == 0 {
		return nil, fmt.Errorf("importance %s: no tree has a row out of its bag; grow more trees, or say importance: %s", e.Importance, Impurity)
	}
	f.importance = sums.means(e.Importance == ZScore)
	return f, nil
}

// treeWorker grows trees of the forest, on one goroutine.
type treeWorker struct {
	grower
	params Forest
	count  []int32
	oob    outOfBag
}

// grownTree is a tree, and what it says of the columns and of the rows out of its bag.
type grownTree struct {
	tree      *tree
	important []weighed
	out       outOf
	looked    int64
}

// outOf is rows out of a bag and the leaves of these.
type outOf struct{ rows, leaf []int32 }

func newTreeWorker(e Forest, x *columns, y *response, r rule) *treeWorker {
	return &treeWorker{grower: *newGrower(x, y, r, newDrawn(slices.DeleteFunc(data.Numbers(len(x.col)), x.isAlways))), params: e, count: make([]int32, x.rows)}
}

// growTree grows a tree of the forest with a seed.
func (p *treeWorker) growTree(ctx context.Context, seed, number uint64) (done grownTree, err error) {
	rng := rand.New(rand.NewPCG(seed, number))
	root := rng.Uint64()
	p.y.bag.Draw(p.count, rng.IntN, rng.Float64)
	p.looked = 0
	if done.tree, err = p.grow(ctx, p.count, root); err != nil {
		return done, err
	}
	p.sendOutOfBag(&p.oob, done.tree, p.y)
	if p.params.Importance == Impurity {
		done.important = p.impurity(done.tree)
	} else {
		done.important = p.permutation(&p.oob, done.tree, p.y, permuting(seed, root))
	}
	done.out, done.looked = outOf{slices.Clone(p.oob.out), slices.Clone(p.oob.leaf)}, p.looked
	return done, nil
}

// votes are the predictions of rows by the trees that have not seen them.
type votes struct {
	y      *response
	sum    []float64 // by row
	voters []int32   // trees, by row
}

func newVotes(rows int, y *response) *votes {
	return &votes{y, make([]float64, rows*y.width()), make([]int32, rows)}
}

func (v *votes) add(out outOf, t *tree) {
	width := v.y.width()
	for nth, i := range out.rows {
		v.voters[i]++
		sum := v.sum[int(i)*width : (int(i)+1)*width]
		for k, s := range t.Value[int(out.leaf[nth])*width : (int(out.leaf[nth])+1)*width] {
			sum[k] += s
		}
	}
}

// mean prediction of a row, nil where every tree has seen it.
func (v *votes) mean(i int) []float64 {
	if v.voters[i] == 0 {
		return nil
	}
	width := v.y.width()
	mean := slices.Clone(v.sum[i*width : (i+1)*width])
	for k := range mean {
		mean[k] /= float64(v.voters[i])
	}
	return mean
}

// loss returns the mean over the rows that some tree has not seen, and the weight of these.
func (v *votes) loss() (mean, weight float64) {
	for i := range v.voters {
		if p := v.mean(i); p != nil {
			w := v.y.weight.Of(i)
			mean += float64(w * v.y.loss(int32(i), p))
			weight += w
		}
	}
	return mean / weight, weight
}

// fitted returns what is known of the growing, with the error out of the bag as a fact.
func (f *forest) fitted() engines.Fitted {
	fitted := engines.Fitted{Stop: "done", Best: -1, Evaluated: f.looked, Probabilities: f.y.levels > 0}
	if n := f.y.bag.Heavy; n > 0 {
		fitted.Notes = []string{fmt.Sprintf("%d of %d training rows have more than a fifth of all weight each: hardly a tree lacks them, so that errors out of the bag say little of them", n, f.y.bag.Rows)}
	}
	if f.y.survival != nil {
		fitted.Facts, fitted.Baseline = f.tellSurvival()
		return fitted
	}
	name := "mean squared error out of the bag"
	switch {
	case f.y.rates:
		name = "mean squared error of rates out of the bag"
	case f.y.levels > 0:
		name = "share of wrong levels out of the bag"
	}
	if loss, weight := f.votes.loss(); weight > 0 {
		fitted.Facts = []data.Fact{{Name: name, Value: fmt.Sprintf("%.6g, on %.6g of %.6g rows", loss, weight, f.y.total)}}
	}
	return fitted
}

// important columns, rising: those kept, and so many others of the highest importance, with 0 all above 0. Rank is by importance, which is
// the score, after those kept.
func (f *forest) important(features int, kept []int32) []engines.Coef {
	var order []int32
	for j, score := range f.importance {
		if _, is := slices.BinarySearch(kept, int32(j)); !is && (features > 0 || score > 0) {
			order = append(order, int32(j))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(f.importance[b], f.importance[a]) })
	if features > 0 {
		order = order[:features]
	}
	return engines.Ranked(append(slices.Clone(kept), order...), func(_ int, j int32) float64 { return f.importance[j] })
}
