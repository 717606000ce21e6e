package mdl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
)

// description is what remains of a selection that is done.
type description struct {
	tasks []*task
	picks []pick
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
	l := lengths{empty: s.empty, responses: sum(s.like.bits())}
	for _, p := range s.picks {
		l.model += p.price.Paid()
	}
	return l
}

// describe keeps what the model and its report need of a selection: its vectors of rows and columns can go.
func (f *fitting) describe(ctx context.Context, s *selection) error {
	d := &description{tasks: s.tasks, picks: s.picks, evaluated: s.evaluated, grown: s.grown, visited: s.visited, stop: s.stop}
	weights := make([]map[int32]float64, len(s.tasks))
	d.bias = make([]float64, len(s.tasks))
	for k := range s.tasks {
		var err error
		if weights[k], d.bias[k], err = f.estimate(ctx, s, k); err != nil {
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
	if k, _ := s.like.saturated(); s.stop == "saturated" && len(s.tasks) > 1 {
		f.note("target %s can take no more features (as many as rows allow, or nothing is left to explain), which ended the search for all", s.tasks[k].name)
	}
	for _, n := range s.like.notes() {
		f.note("%s", n)
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
				Class: p.price.Class * share, Index: p.price.Index * share, Subset: p.price.Subset * share, Coef: p.price.Coef * share,
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

// size is the number of coefficients.
func (s *selection) size() int {
	n := 0
	for _, p := range s.picks {
		n += len(p.tasks)
	}
	return n
}

// report of the fit.
func (f *fitting) report() engines.Fitted {
	out := engines.Fitted{Best: -1, Stop: f.stop(), Probabilities: f.probabilities()}
	var all lengths
	visited, constant := 0, 0
	for _, d := range f.done {
		all.empty, all.responses, all.model = all.empty+d.empty, all.responses+d.responses, all.model+d.model
		out.Iterations += len(d.picks)
		out.Evaluated += d.evaluated
		visited += d.visited
		constant = max(constant, d.constant)
	}
	fact := func(name, format string, value any) {
		out.Facts = append(out.Facts, data.Fact{Name: name, Value: fmt.Sprintf(format, value)})
	}
	fact("bits of the targets without features", "%.9g", all.empty)
	fact("bits of the targets", "%.9g", all.responses)
	if f.engine.Search != searchAlpha {
		fact("bits of the model", "%.9g", all.model)
		fact("description length", "%.9g", all.responses+all.model)
		out.Description = &engines.Description{Null: all.empty, Responses: all.responses, Model: all.model}
	}
	if f.code.classes {
		fact("classes in the model", "%s", f.classesIn())
	}
	if visited > 0 {
		fact("sets looked at", "%d", visited)
	}
	if constant > 0 {
		fact("constant columns", "%d", constant)
	}
	if top := f.engine.Top; f.engine.Covariance != diagonal && top > 0 && top < f.run.Train.Columns() {
		f.note("with covariance %s, the columns that save most in all targets together need not save most in some of them: top %d may have passed over some", f.engine.Covariance, top)
	}
	out.Notes = f.notes
	return out
}

func (f *fitting) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(f.notes, text) {
		f.notes = append(f.notes, text)
	}
}

// stop is why the searches ended, those of several targets counted.
func (f *fitting) stop() string {
	count := map[string]int{}
	var words []string
	for _, s := range f.done {
		if count[s.stop] == 0 {
			words = append(words, s.stop)
		}
		count[s.stop]++
	}
	if len(words) == 1 {
		return words[0]
	}
	for k, w := range words {
		words[k] = fmt.Sprintf("%s (%d)", w, count[w])
	}
	return strings.Join(words, ", ")
}

// probabilities tells whether every class target has them.
func (f *fitting) probabilities() bool {
	classes := false
	for _, t := range f.targets {
		if l := f.link(t); l.Class {
			if !l.Logistic {
				return false
			}
			classes = true
		}
	}
	return classes
}

// shown is how many classes are listed at most.
const shown = 20

// classesIn is the names of the classes with features in the model, by number.
func (f *fitting) classesIn() string {
	in := map[int32]bool{}
	for _, s := range f.done {
		for _, p := range s.picks {
			in[f.classes.of[p.column]] = true
		}
	}
	var names []string
	for class, name := range f.classes.names {
		if in[int32(class)] {
			names = append(names, name)
		}
	}
	text := fmt.Sprint(len(names))
	if len(names) > 0 {
		text += ": " + strings.Join(names[:min(shown, len(names))], ", ")
	}
	if len(names) > shown {
		text += ", …"
	}
	return text
}
