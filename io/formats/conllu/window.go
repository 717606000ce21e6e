package conllu

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/formats/tuples"
	"tenfold/io/source"
)

// Window is the features of a word: values of the words around it, and of its head.
type Window struct {
	Templates        source.Templates `yaml:"templates" doc:"templates such as \"form[0]\", \"upos[-1] upos[0]\" or \"upos[head]\": form, lemma, upos, xpos, feats or deprel of a word so many places on, or of the head, several joined by blanks; a list, or the name of one; default suits the target"`
	Cutoff           int              `yaml:"cutoff" key:"-" doc:"keep patterns seen in at least this many training rows, at least 1"`
	source.Treatment `yaml:",inline"`
}

// windows are the lists named default, by target.
var windows = map[string]source.Templates{
	relation: {
		"form[0]", "lemma[0]", "form[-1]", "form[1]", "upos[-2]", "upos[-1]", "upos[0]", "upos[1]", "upos[2]",
		"upos[-1] upos[0]", "upos[0] upos[1]", "form[head]", "upos[head]",
		"upos[0] upos[head]", "form[0] upos[head]", "upos[0] form[head]", "form[0] form[head]",
	},
	upos: {"form[-2]", "form[-1]", "form[0]", "form[1]", "form[2]", "form[-1] form[0]", "form[0] form[1]"},
	xpos: {"form[-2]", "form[-1]", "form[0]", "form[1]", "form[2]", "form[-1] form[0]", "form[0] form[1]"},
}

// values reads the columns that templates may name.
var values = map[string]func(*word) []byte{
	"form": func(w *word) []byte { return w.Form }, "lemma": func(w *word) []byte { return w.Lemma },
	upos: func(w *word) []byte { return w.UPOS }, xpos: func(w *word) []byte { return w.XPOS },
	"feats": func(w *word) []byte { return w.Feats }, "deprel": func(w *word) []byte { return w.Deprel },
}

// atom is one value in a template: a column of a word so many places on, or of the head.
type atom struct {
	column string
	offset int
}

const (
	head     = 1 << 20 // the offset that stands for the head
	farthest = 100
)

func (a atom) String() string {
	if a.offset == head {
		return a.column + "[head]"
	}
	return a.column + "[" + strconv.Itoa(a.offset) + "]"
}

// valueAt returns the atom's value for word i of a sentence; nil when there is no such word.
func (a atom) valueAt(sentence []word, i int) []byte {
	k := i + a.offset
	if a.offset == head {
		k = sentence[i].Head - 1
	}
	if k < 0 || k >= len(sentence) {
		return nil
	}
	return values[a.column](&sentence[k])
}

// parseTemplates reads the templates: the atoms they name, by offset and column, and the positions of each template among
// them. No template may look at the column that is to be predicted.
func (w Window) parseTemplates(target string) ([]atom, []tuples.Template, error) {
	list := w.Templates
	if len(list) == 1 && list[0] == "default" {
		list = windows[target]
	}
	if len(list) == 0 {
		return nil, nil, param.Errorf("features.templates", "no templates, expected a list or the name of one")
	}
	named := make([][]atom, len(list))
	var atoms []atom
	for k, text := range list {
		fields := strings.Fields(text)
		if len(fields) == 0 {
			return nil, nil, param.Errorf("features.templates", "an empty template, expected such as form[0]")
		}
		for _, field := range fields {
			a, ok := parseAtom(field)
			if !ok {
				return nil, nil, param.Errorf("features.templates", "%q in %q, expected form, lemma, upos, xpos, feats or deprel with a place, such as form[-1], form[0] or form[head]", field, text)
			}
			if a.column == answers[target] {
				return nil, nil, param.Errorf("features.templates", "%q in %q shows the target %s", field, text, target)
			}
			named[k] = append(named[k], a)
		}
		atoms = append(atoms, named[k]...)
	}
	slices.SortFunc(atoms, func(a, b atom) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.column, b.column))
	})
	atoms = slices.Compact(atoms)
	templates := make([]tuples.Template, len(list))
	for k := range templates {
		for p, a := range atoms {
			if slices.Contains(named[k], a) {
				templates[k].Positions = append(templates[k].Positions, p)
			}
		}
	}
	return atoms, templates, nil
}

func parseAtom(text string) (a atom, ok bool) {
	column, place, found := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	if !found || values[column] == nil || !strings.HasSuffix(text, "]") {
		return a, false
	}
	if place == "head" {
		return atom{column, head}, true
	}
	offset, err := strconv.Atoi(place)
	return atom{column, offset}, err == nil && -farthest <= offset && offset <= farthest
}
