package mdl

import (
	"context"

	"tenfold/engines"
)

// description is what remains of a selection that is done.
type description struct {
	tasks []*task
	picks []selectedFeature
	coefs []engines.Coef // by target, whose outputs are not settled yet
	bias  []float64      // by task
	lengths
	constant  int // columns
	evaluated int64
	grown     int
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
	l := lengths{empty: s.empty, responses: sumOf(s.like.bits())}
	for _, p := range s.picks {
		l.model += p.price.Paid()
	}
	return l
}

// newDescription keeps what the model and its report need of a selection: its vectors of rows and columns can go.
func (f *fitting) newDescription(ctx context.Context, s *selection) error {
	d := &description{tasks: s.tasks, picks: s.picks, evaluated: s.evaluated, grown: s.grown, visited: s.visited, stop: s.stop}
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
	for j := range s.data.columns() {
		if s.data.constant(int32(j)) {
			d.constant++
		}
	}
	f.noteSaturated(s)
	for _, n := range s.like.notes() {
		f.addNote("%s", n)
	}
	f.done = append(f.done, d)
	return nil
}

// coefs of a selection, with their ledgers. What a feature saves is known by task; what it costs is shared equally by the
// tasks in which its weight is not 0, which are all that have it unless it repeats others there. So the ledgers of all
// coefficients add up to those of the features, and with the bits of the empty model to the description length.
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

// countCoefficients is the number of coefficients.
func (s *selection) countCoefficients() int {
	n := 0
	for _, p := range s.picks {
		n += len(p.tasks)
	}
	return n
}
