package likelihood

import (
	"context"
	"math"

	"tenfold/engines/steps/stagewise/design"
	"tenfold/engines/steps/stagewise/lookup"
)

// Features are what a likelihood has weights for: columns, or (column, class) pairs. Their positions k are those of the design's
// columns, unless columns have several features each (first).
type Features struct {
	Design  *design.Design
	TieRank []int32   // of features that tie, the one of lowest rank wins
	Column  []int32   // of the data
	Class   []int32   // nil if there are no classes
	Gamma   []float64 // λ = γ·β: a step on a feature is ε·γ
	first   []int32   // the column at position a of the design has the features first[a], …, first[a+1] − 1; nil: feature a alone
}

// ClassOf returns the class of the feature at position k, 0 if there are none.
func (f *Features) ClassOf(k int) int {
	if f.Class == nil {
		return 0
	}
	return int(f.Class[k])
}

// featuresOfColumn returns the features from, …, to − 1 of the design's column at position a.
func (f *Features) featuresOfColumn(a int) (from, to int) {
	if f.first == nil {
		return a, a + 1
	}
	return int(f.first[a]), int(f.first[a+1])
}

// Gradient is that of a log-likelihood: for every feature the observed sum less t times the expected one,
//
//	g_k = N_k − t·S_k,   c_k = γ_k·g_k.
//
// S_k = Σ_i x_ik·p_i with the probability or weight p_i that the model gives row i (and the feature's class), so that a step
// changes S_k only of features that occur in the rows whose p changes. t is n/S₀ for the exponential family, where the weights
// of all rows share the normaliser S₀, otherwise 1.
type Gradient struct {
	Features
	observed []float64 // N
	expected []float64 // S
	t        float64
	Blocks   *lookup.Blocks // whose bounds updates raise; nil unless the lookup is full and blocked
	rows     entriesByPosition

	pending []float64 // changes of S that applyChanges adds
	touched []int32   // positions in the design of columns with pending changes; one may be listed twice
}

// newGradient's result is invalid after ctx is cancelled.
func newGradient(ctx context.Context, f Features) Gradient {
	p := len(f.Column)
	return Gradient{
		Features: f, observed: make([]float64, p), expected: make([]float64, p), t: 1,
		rows: rowsByPosition(ctx, f.Design), pending: make([]float64, p),
	}
}

// GradientState returns the gradient itself.
func (g *Gradient) GradientState() *Gradient { return g }

// Value returns c_k.
func (g *Gradient) Value(k int) float64 { return g.partial(k, g.t) }

func (g *Gradient) partial(k int, t float64) float64 {
	return float64(g.Gamma[k] * (g.observed[k] - float64(t*g.expected[k])))
}

// Offset returns t.
func (g *Gradient) Offset() float64 { return g.t }

// MaxAbs returns the largest |c| of the positions from, …, to − 1.
func (g *Gradient) MaxAbs(from, to int) float64 {
	m := 0.0
	for k := from; k < to; k++ {
		if v := math.Abs(g.Value(k)); v > m {
			m = v
		}
	}
	return m
}

// LowestIndexAbove returns the position of lowest rank of from, …, to − 1 with |c| ≥ v, −1 if there is none.
func (g *Gradient) LowestIndexAbove(from, to int, v float64) int {
	best := -1
	for k := from; k < to; k++ {
		if math.Abs(g.Value(k)) >= v && (best < 0 || g.TieRank[k] < g.TieRank[best]) {
			best = k
		}
	}
	return best
}

// addExpected records that the probability (or weight) of row i changes by d. O(entries of the row).
func (g *Gradient) addExpected(i int, d float64) {
	idx, val := g.rows.row(i)
	if val == nil {
		for _, k := range idx {
			if g.pending[k] == 0 {
				g.touched = append(g.touched, k)
			}
			g.pending[k] += d
		}
		return
	}
	for q, k := range idx {
		if g.pending[k] == 0 {
			g.touched = append(g.touched, k)
		}
		g.pending[k] += float64(d * val[q])
	}
}

// addExpectedByClass records that the probabilities of the classes of row i change by d. O(features that occur in the row).
func (g *Gradient) addExpectedByClass(i int, d []float64) {
	idx, val := g.rows.row(i)
	for q, a := range idx {
		from, to := g.first[a], g.first[a+1]
		if from == to {
			continue
		}
		x := 1.0
		if val != nil {
			x = val[q]
		}
		class, change := g.Class[from:to], g.pending[from:to]
		if change[0] == 0 {
			g.touched = append(g.touched, a)
		}
		for f, c := range class {
			change[f] += float64(x * d[c])
		}
	}
}

// applyChanges adds the recorded changes to S, and sets t. A column listed twice has no pending change the second time.
func (g *Gradient) applyChanges(t float64) {
	for _, a := range g.touched {
		from, to := g.featuresOfColumn(int(a))
		for k := from; k < to; k++ {
			g.expected[k] += g.pending[k]
			g.pending[k] = 0
			if g.Blocks != nil {
				g.updateBlockBounds(k)
			}
		}
	}
	g.touched = g.touched[:0]
	g.t = t
}

// updateBlockBounds raises the bounds of the block of feature k, where k exceeds them.
func (g *Gradient) updateBlockBounds(k int) {
	b := g.Blocks
	i := k >> b.Shift
	q := &b.List[i]
	q.Bound = max(q.Bound, math.Abs(g.partial(k, q.Ref)))
	b.Widths[i] = max(b.Widths[i], g.Gamma[k]*math.Abs(g.expected[k]))
}

// recomputeExpected computes S from all rows, each of which addRow adds by addExpected or addExpectedByClass, and sets t. It
// returns the largest change of any c.
func (g *Gradient) recomputeExpected(ctx context.Context, t float64, addRow func(i int)) (drift float64) {
	before := make([]float64, len(g.expected))
	for k := range before {
		before[k] = g.Value(k)
	}
	g.applyChanges(t)
	clear(g.expected)
	for i := range g.Design.Y {
		if i%rowsPerCheck == rowsPerCheck-1 && ctx.Err() != nil {
			return 0
		}
		addRow(i)
	}
	g.applyChanges(t)
	for k, c := range before {
		drift = max(drift, math.Abs(g.Value(k)-c))
	}
	if g.Blocks != nil {
		g.Blocks.ResetBounds()
		g.SetBlockWidths()
	}
	return drift
}

// SetBlockWidths sets Q_b = max γ_k·|S_k| of every block b.
func (g *Gradient) SetBlockWidths() {
	b := g.Blocks
	clear(b.Widths)
	for k, e := range g.expected {
		i := k >> b.Shift
		b.Widths[i] = max(b.Widths[i], g.Gamma[k]*math.Abs(e))
	}
}

// rowsPerCheck is how many rows are processed between two checks of ctx: few, since many features may fire in each.
const rowsPerCheck = 1 << 10

// Norm returns ‖g‖.
func (g *Gradient) Norm() float64 {
	var squares design.Sum
	for k, n := range g.observed {
		residual := n - float64(g.t*g.expected[k])
		squares.Add(float64(residual * residual))
	}
	return math.Sqrt(squares.Total)
}

// entriesByPosition holds the training rows with positions of the design, in no order, in place of columns. val is nil if all
// values are 1.
type entriesByPosition struct {
	ptr []int
	idx []int32
	val []float64
}

func (r *entriesByPosition) row(i int) (idx []int32, val []float64) {
	a, b := r.ptr[i], r.ptr[i+1]
	if r.val == nil {
		return r.idx[a:b], nil
	}
	return r.idx[a:b], r.val[a:b]
}

func rowsByPosition(ctx context.Context, d *design.Design) entriesByPosition {
	start, end, idx, val := d.X.Spans()
	out := entriesByPosition{ptr: make([]int, 1, len(start)+1), idx: make([]int32, 0, d.X.NNZ())}
	for i, a := range start {
		if i%rowsPerCheck == rowsPerCheck-1 && ctx.Err() != nil {
			return out
		}
		for q := a; q < end[i]; q++ {
			if k := d.Position[idx[q]]; k >= 0 {
				out.idx = append(out.idx, k)
				if val != nil {
					out.val = append(out.val, val[q])
				}
			}
		}
		out.ptr = append(out.ptr, len(out.idx))
	}
	return out
}
