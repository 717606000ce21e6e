package lars

import (
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
)

// point is coefficients of scaled columns, somewhere on the path.
type point struct {
	lambda  float64
	columns []int32
	beta    []float64
	l1      float64 // Σ|β|
}

// turningPoints are those of a path. Between two of them, coefficients are on a straight line.
type turningPoints struct{ turns []point }

// recordTurn appends the present point to the turning points.
func (w *larsPath) recordTurn() {
	if w.record != nil {
		w.record.turns = append(w.record.turns, w.currentPoint())
	}
}

// currentPoint returns the present point of the path.
func (w *larsPath) currentPoint() point {
	p := point{lambda: w.lambda}
	for _, in := range w.entries {
		if b := w.beta[in.column]; b != 0 {
			p.columns, p.beta = append(p.columns, in.column), append(p.beta, b)
			p.l1 += math.Abs(b)
		}
	}
	return p
}

// atFraction returns the first point of the path where Σ|β| is a share of what it is at the end.
func (r *turningPoints) atFraction(fraction float64) point {
	want := float64(fraction * r.turns[len(r.turns)-1].l1)
	k := 0
	for r.turns[k].l1 < want { // the last turn has what is wanted
		k++
	}
	if k == 0 {
		return r.turns[0]
	}
	// Σ|β| is convex between two turns, so Newton's steps from the second never pass the place.
	from, to := r.turns[k-1], r.turns[k]
	p, share := to, 1.0
	for p.l1 > want*(1+equal*equal) {
		slope := 0.0
		for i, j := range p.columns {
			slope += math.Copysign(to.coefficientOf(j)-from.coefficientOf(j), (to.coefficientOf(j)-from.coefficientOf(j))*p.beta[i])
		}
		before := share
		if share -= (p.l1 - want) / slope; !(share < before && share >= 0) {
			break
		}
		p = from.interpolate(to, share)
	}
	return p
}

// coefficientOf returns the coefficient of a column.
func (p point) coefficientOf(j int32) float64 {
	if k := slices.Index(p.columns, j); k >= 0 {
		return p.beta[k]
	}
	return 0
}

// interpolate returns the point that lies some share of the way to another one.
func (p point) interpolate(q point, share float64) point {
	out := point{lambda: p.lambda + float64(share*(q.lambda-p.lambda))}
	from := make(map[int32]float64, len(p.columns))
	for k, j := range p.columns {
		from[j] = p.beta[k]
	}
	add := func(j int32, b float64) {
		if b != 0 {
			out.columns, out.beta = append(out.columns, j), append(out.beta, b)
			out.l1 += math.Abs(b)
		}
	}
	for k, j := range q.columns {
		add(j, from[j]+float64(share*(q.beta[k]-from[j])))
		delete(from, j)
	}
	for k, j := range p.columns { // those that have gone to 0
		if _, left := from[j]; left {
			add(j, p.beta[k]-float64(share*p.beta[k]))
		}
	}
	return out
}

// traceStep traces the start, or a step with all coefficients that it moved.
func (w *larsPath) traceStep(moved []engines.Coef) {
	if w.run.Trace == nil {
		return
	}
	w.updateResidual()
	step := engines.Step{
		Iter: w.steps, TrainError: w.g.Inner(w.r, w.r) / w.g.N, Parameter: "lambda", ParameterValue: w.lambda, Evaluations: w.work, Changed: engines.Coef{Feature: -1}, Bias: w.mean,
	}
	for _, in := range w.entries {
		if b := w.beta[in.column]; b != 0 {
			step.Active++
			step.Bias -= w.shareOfBias(in.column, float64(w.g.Scale[in.column]*b))
		}
	}
	if len(moved) > 0 { // the last of them has come to the others
		last := len(moved) - 1
		step.Changed, step.Also = moved[last], moved[:last]
	}
	w.run.Trace(step)
}

// shareOfBias returns what a coefficient on the scale of the data takes from the intercept: it times the mean of its column.
func (w *larsPath) shareOfBias(j int32, b float64) float64 {
	share := float64(b * w.g.Mean[j])
	if w.g.Shift != nil {
		share += float64(b * w.g.Shift[j])
	}
	return share
}

// keepModels passes on the models of the sizes that the next step would exceed.
func (w *larsPath) keepModels(size int) {
	for ; w.kept < len(w.run.At) && w.run.At[w.kept] < size; w.kept++ {
		w.run.Keep(w.run.At[w.kept], w.currentModel())
	}
}

// currentModel returns the model at the present point.
func (w *larsPath) currentModel() engines.Model {
	f := w.fitted(w.currentPoint())
	f.Best = w.steps
	w.updateResidual()
	if w.e.Method == methodLasso && w.lambda > nothing*w.largest {
		f.Certificate = w.certify()
	}
	rss := w.g.Inner(w.r, w.r)
	f.Facts = append(f.Facts, numberFact("residual sum of squares", rss), numberFact("R²", 1-rss/w.tss))
	return w.modelAt(w.currentPoint(), f)
}

// modelBetween returns the model of an earlier point of the path.
func (w *larsPath) modelBetween(p point) engines.Model {
	f := w.fitted(p)
	f.Best = -1
	return w.modelAt(p, f)
}

// modelAt returns the model of a point.
func (w *larsPath) modelAt(p point, fitted engines.Fitted) engines.Model {
	rank := make(map[int32]int, len(w.entries))
	for k, in := range w.entries {
		rank[in.column] = k
	}
	bias, coefs := w.mean, make([]engines.Coef, len(p.columns))
	for k, j := range p.columns {
		b := w.g.Scale[j] * p.beta[k]
		bias -= w.shareOfBias(j, b)
		coefs[k] = engines.Coef{Feature: int(j), Value: b, Rank: rank[j], Score: w.entries[rank[j]].lambda}
	}
	return w.targets.Model([]float64{bias}, coefs, fitted)
}

// certify shows that the lasso's objective at λ, ½‖r‖² + λ·Σ|β|, is the least: θ = s·r with s·max|c| ≤ λ is a point of the dual,
// whose value is ½‖ỹ‖² − ½‖ỹ − θ‖². ỹ'r = ‖r‖² + λ·Σ|β| is computed anew.
func (w *larsPath) certify() *engines.Certificate {
	sum := w.g.Weighted(w.mr, w.r)
	if w.gram != nil { // by row: columns are not laid out
		w.g.MulTVec(w.scaled, w.mr, sum)
	}
	largest, l1, fitted := 0.0, 0.0, 0.0 // fitted is (G·β)'r
	for j := range w.c {
		if w.g.Scale[j] == 0 {
			continue
		}
		c := 0.0
		if w.gram != nil {
			c = w.scaled[j]
		} else {
			c = w.g.DotColumn(int32(j), w.mr, sum)
		}
		largest = max(largest, math.Abs(c))
		l1 += math.Abs(w.beta[j])
		fitted += float64(w.beta[j] * c)
	}
	rss, s := w.g.Inner(w.r, w.r), min(1, w.lambda/largest)
	return &engines.Certificate{Objective: float64(rss/2) + float64(w.lambda*l1), Dual: float64(s*(rss+fitted)) - float64(float64(s*s*rss)/2)}
}

func (w *larsPath) fitted(p point) engines.Fitted {
	f := engines.Fitted{Stop: w.stop, Iterations: w.steps, Evaluated: w.work}
	if f.Stop == "" {
		f.Stop = "max_features" // a model of some size on the path
	}
	if f.Stop == "steps" && w.e.Steps == 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("the path ended after %d steps, before λ came to 0: eight times the columns, or the rows less one, and at most %d; steps says another number", w.steps, maxSteps))
	}
	f.Facts = []data.Fact{numberFact("λ (largest correlation of a scaled column with the residual)", p.lambda), numberFact("λ that selects nothing", w.largest), numberFact("Σ|β| of scaled columns", p.l1)}
	if w.drops > 0 {
		f.Facts = append(f.Facts, data.Fact{Name: "coefficients that came back to 0", Value: fmt.Sprint(w.drops)})
	}
	if n := len(w.g.Constant()); n > 0 {
		f.Facts = append(f.Facts, data.Fact{Name: "constant columns", Value: fmt.Sprint(n)})
	}
	return f
}

func numberFact(name string, value float64) data.Fact {
	return data.Fact{Name: name, Value: fmt.Sprintf("%.9g", value)}
}
