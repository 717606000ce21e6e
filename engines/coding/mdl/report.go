package mdl

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/coding/likelihood"
	"tenfold/engines/data"
)

// newFitted describes the fit.
func (f *fitting) newFitted() engines.Fitted {
	out := engines.Fitted{Best: -1, Stop: f.stopReason(), Probabilities: f.haveProbabilities()}
	var all lengths
	visited, constant := 0, 0
	for _, d := range f.descriptions {
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
	if f.code.Classes {
		fact("classes in the model", "%s", f.selectedClasses())
	}
	if visited > 0 {
		fact("sets looked at", "%d", visited)
	}
	if constant > 0 {
		fact("constant columns", "%d", constant)
	}
	if top := f.engine.Top; top > 0 && top < f.run.Train.Columns() && (f.engine.Search == searchForward || f.engine.Search == searchMixed) {
		switch {
		case f.engine.Covariance != diagonal:
			f.addNote("with covariance %s, the columns that save most in all targets together need not save most in some of them: top %d may have passed over some", f.engine.Covariance, top)
		case f.engine.Likelihood == logisticLoss:
			f.addNote("what a column saves is estimated before it is fitted: top %d may have passed over some", top)
		}
	}
	out.Notes = f.notes
	return out
}

func (f *fitting) addNote(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(f.notes, text) {
		f.notes = append(f.notes, text)
	}
}

// noteSaturated adds notes on a search that ended because a task can take no more features.
func (f *fitting) noteSaturated(s *selection) {
	if s.stop != "saturated" {
		return
	}
	if len(s.tasks) > 1 {
		f.addNote("target %s can take no more features (as many as rows allow, or nothing is left to explain), which ended the search for all", s.saturated.name)
	}
	if g, ok := s.like.(*likelihood.Gaussian); ok && g.Noise.Kind == likelihood.SigmaOwn {
		if k, ok := g.SaturatedTask(); ok {
			f.addNote("target %s has %d features on %d training rows, and hardly anything is left of it: with the noise of the model itself (sigma own, search mixed) a description shortens without end where there are as many columns as rows; max_features ends that before, sigma null rarely gets there",
				s.tasks[k].name, len(g.Responses[k].Columns), s.data.Rows())
		}
	}
}

// stopReason returns why the searches ended, those of several targets counted.
func (f *fitting) stopReason() string {
	count := map[string]int{}
	var words []string
	for _, s := range f.descriptions {
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

// haveProbabilities reports whether the model gives probabilities for every class target.
func (f *fitting) haveProbabilities() bool {
	classes := false
	for _, t := range f.targets {
		if l := f.linkOf(t); l.Class {
			if !l.Logistic {
				return false
			}
			classes = true
		}
	}
	return classes
}

// maxListed is how many classes a fact lists.
const maxListed = 20

// selectedClasses lists the classes that have features in the model.
func (f *fitting) selectedClasses() string {
	in := map[int32]bool{}
	for _, s := range f.descriptions {
		for _, p := range s.picks {
			in[f.classes.Class[p.column]] = true
		}
	}
	var names []string
	for class, name := range f.classes.Names {
		if in[int32(class)] {
			names = append(names, name)
		}
	}
	text := fmt.Sprint(len(names))
	if len(names) > 0 {
		text += ": " + strings.Join(names[:min(maxListed, len(names))], ", ")
	}
	if len(names) > maxListed {
		text += ", …"
	}
	return text
}
