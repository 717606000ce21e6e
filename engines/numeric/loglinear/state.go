package loglinear

import (
	"context"

	"tenfold/engines/numeric/elementary"
)

// State is a model on its training rows: the probabilities of the classes in every distinct row, and the log-likelihood. It starts
// without features. Adding one touches only the rows where its context holds. Several goroutines may read at once; only one may
// change it.
type State struct {
	p      *Problem
	t      table
	loglik float64
}

// Start returns the model without features: all classes are equally likely. The error is the cause of ctx's end: the table may be
// large.
func (p *Problem) Start(ctx context.Context) (*State, error) {
	s := &State{p: p, t: newTable(p.Rows(), p.Classes), loglik: p.Uniform()}
	return s, s.t.uniform(ctx)
}

// Uniform returns the log-likelihood of the model without features.
func (p *Problem) Uniform() float64 { return -p.Weight * elementary.Log(float64(p.Classes)) }

// LogLik returns the log-likelihood Σ m_i log p(y_i|x_i), updated with each feature.
func (s *State) LogLik() float64 { return s.loglik }

// Add adds weight to a feature: sum[i,c] *= exp(weight·x_i), and the log-likelihood changes by the value of Line. O(rows that have
// the context · classes).
func (s *State) Add(c Candidate, weight float64, buf *Buffer) {
	s.AddWatched(c, weight, buf, nil)
}

// AddWatched does what Add does, and passes to watch the probabilities of the classes in every distinct row that changes, before and
// after; the slices are valid until watch returns.
func (s *State) AddWatched(c Candidate, weight float64, buf *Buffer, watch func(row int, before, after []float64)) {
	s.loglik += s.Line(c, buf).Value(weight)
	s.moveWeight(c.Feature, weight, watch)
}

func (s *State) moveWeight(f Feature, weight float64, watch func(row int, before, after []float64)) {
	col := s.p.Col(f.Column)
	factor := elementary.Exp(weight)
	before, after := make([]float64, s.p.Classes), make([]float64, s.p.Classes)
	for k, i := range col.Idx {
		if col.Val != nil {
			factor = elementary.Exp(weight * col.Val[k])
		}
		if watch == nil {
			s.t.multiply(int(i), f.Class, factor)
			continue
		}
		s.t.row(before, int(i))
		s.t.multiply(int(i), f.Class, factor)
		s.t.row(after, int(i))
		watch(int(i), before, after)
	}
}

// Set makes the state the model of the given features with the given weights. The error is the cause of ctx's end.
func (s *State) Set(ctx context.Context, fs []Candidate, w []float64) error {
	if err := s.t.uniform(ctx); err != nil {
		return err
	}
	for k, f := range fs {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.moveWeight(f.Feature, w[k], nil)
	}
	s.loglik = s.Recount()
	return nil
}

// Recount computes the log-likelihood from its definition, without updates. O(labels).
func (s *State) Recount() float64 {
	sum, p := 0.0, make([]float64, s.p.Classes)
	for i := range s.p.Rows() {
		s.t.row(p, i)
		class, weight := s.p.labels.rowLabels(i)
		for k, c := range class {
			sum += float64(weight[k] * elementary.Log(p[c]))
		}
	}
	return sum
}

// Probabilities fills dst with p_i(y) of distinct row i.
func (s *State) Probabilities(dst []float64, i int) { s.t.row(dst, i) }

// Bytes returns the approximate size of a state for this many rows and classes.
func Bytes(rows, classes int) int64 {
	n := int64(max(rows, 1))
	return n * (8 + 8*min(int64(classes), denseLimit/n)) // beyond the limit only some classes of a row are kept
}
