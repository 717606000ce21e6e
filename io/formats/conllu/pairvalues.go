package conllu

import (
	"slices"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/formats/tuples"
	"tenfold/io/source"
)

// PairFeatures is the features of a pair: values of its words, of those around them, and of what is between them.
type PairFeatures struct {
	Templates        source.Templates `yaml:"templates" doc:"templates such as \"m.form h.form\", \"m-1.upos m.upos h.upos\" or \"h.upos side distance\": form, lemma, upos, xpos or feats of m, h or a word up to 9 places before or after one; side of m on which h stands; distance; between.TAG, whether a word of that UPOS is between them. Several are joined by blanks; a list, or the name of one; default names 17"`
	Cutoff           int              `yaml:"cutoff" key:"-" doc:"keep patterns seen in at least this many training rows, at least 1"`
	source.Treatment `yaml:",inline"`
}

// defaultPairs is the list named default: the unigrams, bigrams and surrounding tags of McDonald, Crammer & Pereira (2005, table 1), each with
// side and distance.
var defaultPairs = func() source.Templates {
	list := source.Templates{
		"h.form h.upos", "h.form", "h.upos", "m.form m.upos", "m.form", "m.upos",
		"h.form h.upos m.form m.upos", "h.upos m.form m.upos", "h.form m.form m.upos", "h.form h.upos m.upos", "h.form h.upos m.form", "h.form m.form", "h.upos m.upos",
		"h.upos h+1.upos m-1.upos m.upos", "h-1.upos h.upos m-1.upos m.upos", "h.upos h+1.upos m.upos m+1.upos", "h-1.upos h.upos m.upos m+1.upos",
	}
	for k := range list {
		list[k] += " side distance"
	}
	return list
}()

// pairAtom is one value in a template.
type pairAtom struct {
	text string
	look func(sentence []word, m, h int) []byte // nil where there is no such word
}

// parseTemplates reads the templates: the values that they name, sorted, and the positions of each template among them.
func (f PairFeatures) parseTemplates() ([]pairAtom, []tuples.Template, error) {
	list := f.Templates
	if len(list) == 1 && list[0] == "default" {
		list = defaultPairs
	}
	if len(list) == 0 {
		return nil, nil, param.Errorf("features.templates", "no templates, expected a list or the name of one")
	}
	var atoms []pairAtom
	for _, text := range list {
		if strings.TrimSpace(text) == "" {
			return nil, nil, param.Errorf("features.templates", "an empty template, expected such as m.form h.form")
		}
		for field := range strings.FieldsSeq(text) {
			look, ok := parsePairValue(field)
			if !ok {
				return nil, nil, param.Errorf("features.templates", "%q in %q, expected form, lemma, upos, xpos or feats of a word, such as m.form or h-1.upos, or side, distance or between.TAG", field, text)
			}
			atoms = append(atoms, pairAtom{field, look})
		}
	}
	slices.SortFunc(atoms, func(a, b pairAtom) int { return strings.Compare(a.text, b.text) })
	atoms = slices.CompactFunc(atoms, func(a, b pairAtom) bool { return a.text == b.text })
	templates := make([]tuples.Template, len(list))
	for k, text := range list {
		named := strings.Fields(text)
		for p, a := range atoms {
			if slices.Contains(named, a.text) {
				templates[k].Positions = append(templates[k].Positions, p)
			}
		}
	}
	return atoms, templates, nil
}

func parsePairValue(text string) (look func(sentence []word, m, h int) []byte, ok bool) {
	switch text {
	case "side":
		return sideOf, true
	case "distance":
		return distanceOf, true
	}
	place, column, _ := strings.Cut(text, ".")
	if place == "between" && column != "" {
		return func(sentence []word, m, h int) []byte { return tagBetween(sentence, min(m, h), max(m, h), column) }, true
	}
	value := values[column]
	if value == nil || column == "deprel" || place == "" || place[0] != 'm' && place[0] != 'h' { // a relation shows that its word has a head
		return nil, false
	}
	offset := 0
	switch rest := place[1:]; {
	case rest == "":
	case len(rest) != 2 || rest[1] < '1' || rest[1] > '9' || rest[0] != '+' && rest[0] != '-':
		return nil, false
	default:
		if offset = int(rest[1] - '0'); rest[0] == '-' {
			offset = -offset
		}
	}
	ofHead := place[0] == 'h'
	return func(sentence []word, m, h int) []byte {
		k := m + offset
		if ofHead {
			k = h + offset
		}
		if k < 0 || k >= len(sentence) {
			return nil
		}
		return value(&sentence[k])
	}, true
}

var (
	left, right = []byte("left"), []byte("right")
	yes, no     = []byte("yes"), []byte("no")
)

// sideOf returns the side of m on which h stands.
func sideOf(_ []word, m, h int) []byte {
	if h < m {
		return left
	}
	return right
}

// distanceOf returns the number of places from m to h, without its sign: 1, 2, 3-5, 6-10 or 11+.
func distanceOf(_ []word, m, h int) []byte {
	switch d := max(m-h, h-m); {
	case d == 1:
		return []byte("1")
	case d == 2:
		return []byte("2")
	case d <= 5:
		return []byte("3-5")
	case d <= 10:
		return []byte("6-10")
	}
	return []byte("11+")
}

// tagBetween returns whether a word between two has the tag.
func tagBetween(sentence []word, first, last int, tag string) []byte {
	for k := first + 1; k < last; k++ {
		if string(sentence[k].UPOS) == tag {
			return yes
		}
	}
	return no
}
