package mdl

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/numeric/dense"
)

// description is what the model and the report need of a selection after its search.
type description struct {
	tasks []*task
	picks []selectedFeature
	coefs []engines.Coef // Output is the number of the target; engines.NewLinked maps it to outputs
	bias  []float64      // by task
	lengths
	constant  int // columns
	evaluated int64
	visited   int
	stop      string
}

// lengths of a description, in bits.
type lengths struct {
	empty     float64 // of the responses without features
	responses float64 // S_E
	model     float64 // S_M
}

func (s *selection) lengths() lengths {
	l := lengths{empty: s.empty, responses: dense.Sum(s.like.Bits())}
	for _, p := range s.picks {
		l.model += p.price.Paid()
	}
	return l
}

// addDescription appends the description of a selection, whose vectors of rows and columns can then be freed.
func (f *fitting) addDescription(ctx context.Context, s *selection) error {
	d := &description{tasks: s.tasks, picks: s.picks, evaluated: s.evaluated, visited: s.visited, stop: s.stop}
	weights := make([]map[int32]float64, len(s.tasks))
	d.bias = make([]float64, len(s.tasks))
	for k := range s.tasks {
		var err error
		if weights[k], d.bias[k], err = f.estimateWeights(ctx, s, k); err != nil {
			return err
		}
	}
	d.coefs = s.coefs(weights)
	d.lengths = s.lengths()
	for j := range s.data.Columns() {
		if s.data.IsConstant(int32(j)) {
			d.constant++
		}
	}
	f.noteSaturated(s)
	for _, n := range s.like.Notes() {
		f.addNote("%s", n)
	}
	f.descriptions = append(f.descriptions, d)
	return nil
}

// coefs returns the coefficients of a selection with their bits. Savings are known by task; the price of a feature is shared equally
// by the tasks in which its weight is not 0 (it is 0 where the feature depends linearly on others). So the bits of all coefficients
// add up to those of the features, and with the bits of the empty model to the description length.
func (s *selection) coefs(weights []map[int32]float64) []engines.Coef {
	var out []engines.Coef
	for rank, p := range s.picks {
		var in []int // places in p.tasks
		for i, task := range p.tasks {
			if weights[task][p.column] != 0 {
				in = append(in, i)
			}
		}
		for _, i := range in {
			share := 1 / float64(len(in))
			bits := engines.Bits{Saved: p.saved[i], Refined: p.refined[i], Price: engines.Price{
				Class: p.price.Class * share, Index: p.price.Index * share, Subset: p.price.Subset * share, Coefficient: p.price.Coefficient * share,
			}}
			task := p.tasks[i]
			out = append(out, engines.Coef{
				Feature: int(p.column), Output: s.tasks[task].number, Value: weights[task][p.column],
				Rank: rank, Score: bits.Net(), Bits: &bits,
			})
		}
	}
	return out
}

// countCoefficients returns the number of coefficients.
func (s *selection) countCoefficients() int {
	n := 0
	for _, p := range s.picks {
		n += len(p.tasks)
	}
	return n
}
