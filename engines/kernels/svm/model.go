package svm

import (
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// Model predicts with the support vectors of its machines.
//
// Of two levels, the positive one scores the decision value and the other 0. Of more, a level scores its votes
// (one-vs-one), or the decision value of its machine (one-vs-rest).
type Model struct {
	scale    *columnScaling
	vectors  *points // those of all machines, each once
	machines []decision
	levels   int
	absent   []int // levels without training rows
	columns  int   // that the kernel is of, where no column has a coefficient
	coefs    []engines.Coef
	fitted   engines.Fitted
}

// decision is what a machine decides by: Σ β·K(·, row) + bias, over rows of the training set, or over the model's vectors.
type decision struct {
	binaryProblem
	beta sparse.Vec
	bias float64
}

// machine is a solved problem of two sides.
type machine struct {
	decision
	bounded int // rows at the bound of their loss
	outcome
}

// never is what levels score that no training row has: less than any other.
const never = -1e100

// close to the boundary means on it, so that the last bits decide nothing.
const onBoundary = 1e-9

// newModel returns the model of the trained machines.
func (e SVM) newModel(s *trainingSet, machines []machine) engines.Model {
	m := &Model{scale: s.scale, levels: len(s.rows)}
	number := make([]int32, len(s.level)) // of a row among the support vectors
	for _, d := range machines {
		for _, i := range d.beta.Idx {
			number[i] = 1
		}
	}
	var vectors []int32
	for i, used := range number {
		if used != 0 {
			number[i] = int32(len(vectors))
			vectors = append(vectors, int32(i))
		}
	}
	m.vectors = newPoints(s.kernel, s.x.Pick(vectors), s.move) // as a saved model has them
	for _, d := range machines {
		for k, i := range d.beta.Idx {
			d.beta.Idx[k] = number[i]
		}
		m.machines = append(m.machines, d.decision)
	}
	for l, rows := range s.rows {
		if len(rows) == 0 {
			m.absent = append(m.absent, l)
		}
	}
	m.fitted = e.newFitted(s, machines, len(vectors))
	if s.kernel.form == linear {
		return m.toLinear(s.columns)
	}
	m.columns = s.columns
	return m
}

// Selected returns every column where the kernel is not linear: it depends on all.
func (m *Model) Selected() []int32 { return data.Numbers(m.columns) }

// Outputs returns the number of outputs, one a level.
func (m *Model) Outputs() int { return m.levels }

// Coefs returns those of linear kernels: of a level, the mean of its weights against every other level that it has a machine with.
// No coefficient of another kernel belongs to a column.
func (m *Model) Coefs() []engines.Coef { return m.coefs }

// Fitted tells how the fit went.
func (m *Model) Fitted() engines.Fitted { return m.fitted }

// Predict fills dst, row-major, in.Len() × Outputs(). A row is O(entries of its columns in support vectors + support vectors
// of all machines).
func (m *Model) Predict(dst []float64, in data.Inputs) {
	near := make([]float64, len(m.vectors.offset))
	var buf sparse.Vec
	for i := range in.Len() {
		m.decisionValues(dst[i*m.levels:(i+1)*m.levels], in.Row(i), near, &buf)
	}
}

// isVote reports whether a machine's decision value is a vote for one of two levels, rather than the score of one.
func (m *Model) isVote(d decision) bool { return d.b != rest && m.levels > 2 }

// Score fills dst with the outputs for one row.
func (m *Model) Score(dst []float64, row sparse.Vec) {
	m.decisionValues(dst, row, make([]float64, len(m.vectors.offset)), new(sparse.Vec))
}

func (m *Model) decisionValues(dst []float64, row sparse.Vec, near []float64, buf *sparse.Vec) {
	row = m.scale.scaleRow(row, buf)
	m.vectors.kernelRow(near, row, m.vectors.ownOf(row))
	clear(dst)
	for _, l := range m.absent {
		dst[l] = never
	}
	for _, d := range m.machines {
		value := d.beta.Dot(near) + d.bias
		switch {
		case !m.isVote(d):
			dst[d.a] = value
		case value >= -onBoundary:
			dst[d.a]++
		default:
			dst[d.b]++
		}
	}
}

// manyRows is from how many rows on a linear kernel is a waste of time.
const manyRows = 10_000

// newFitted describes the fits of all machines.
func (e SVM) newFitted(s *trainingSet, machines []machine, vectors int) engines.Fitted {
	f := engines.Fitted{Stop: "tolerance", Best: -1, Certificate: &engines.Certificate{}}
	all, bounded, unfinished, worst := 0, 0, 0, 0.0
	for k := range machines {
		m := &machines[k]
		f.Iterations += m.steps
		f.Evaluated += m.examined
		f.Certificate.Objective += m.primal
		f.Certificate.Dual += m.dual
		all += m.beta.Len()
		bounded += m.bounded
		if m.violation >= e.Tol {
			unfinished++
			worst = max(worst, m.violation)
		}
	}
	if unfinished > 0 {
		f.Stop = "max_iter"
		f.Notes = append(f.Notes, fmt.Sprintf(engines.NotConverged+": %d of %d machines took %d steps, all that max_iter allows, and still violate the optimality conditions by up to %.3g (tol %.3g)",
			unfinished, len(machines), e.MaxIter, worst, e.Tol))
	}
	for l, rows := range s.rows {
		if len(rows) == 0 {
			f.Notes = append(f.Notes, fmt.Sprintf("level %s has no training row: it is never predicted", s.target.Levels[l]))
		}
	}
	if s.kernel.form == linear && len(s.level) >= manyRows {
		f.Notes = append(f.Notes, fmt.Sprintf("kernel linear on %d rows: engine linear-svm has the same objective, and takes a fraction of the time", len(s.level)))
	}
	tell := func(name, format string, values ...any) {
		f.Facts = append(f.Facts, data.Fact{Name: name, Value: fmt.Sprintf(format, values...)})
	}
	tell("support vectors", "%d of %d rows", vectors, len(s.level))
	tell("at their bound", "%d of %d", bounded, all) // of those of all machines
	tell("machines", "%d", len(machines))
	if s.kernel.form != linear {
		if e.Gamma == 0 {
			tell("gamma", "%.6g (1 / %s)", s.kernel.gamma, map[string]string{byVariance: "(columns · variance)", byColumns: "columns"}[e.Width])
		}
		tell("columns", "all %d, in the kernel", s.columns)
	}
	return f
}
