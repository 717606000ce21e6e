package knp

import (
	"slices"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/source"
)

// A template is values joined by blanks, none of them twice:
//
//	template = value { " " value }
//	value    = place "." attribute | "between." ( "particles" | mark ) | "distance"
//	place    = ( "m" | "h" ) [ ( "+" | "-" ) digit ]
//	attribute = ( "head" | "type" ) "." field | "particles" | mark | "edge"
//	field    = "surface" | "reading" | "lemma" | "pos" | "subpos" | "conjtype" | "conjform"
//	mark     = "comma" | "period" | "opens" | "closes"
//
// m is the bunsetsu that may depend, h its candidate head, m-1 the one before m, h+2 the second after h.

// Features are the columns of a pair.
type Features struct {
	Templates        source.Templates `yaml:"templates" doc:"templates such as \"m.head.lemma h.head.lemma\" or \"m.particles distance\": values of the modifying bunsetsu (m), the candidate head (h), their neighbours (m-1, h+1, ...) and what is between, joined by blanks; a list, or the name of one; default names a list of our own after Uchimoto, Kudo & Matsumoto and Sassano"`
	Cutoff           int              `yaml:"cutoff" key:"-" doc:"keep columns that occur in at least this many training rows, at least 1"`
	source.Treatment `yaml:",inline"`
}

// template makes a column of each combination of its values.
type template struct {
	text   string
	values []value
}

func (f Features) parseTemplates() ([]template, error) {
	list := f.Templates
	if len(list) == 1 && list[0] == "default" {
		list = defaultTemplates
	}
	if len(list) == 0 {
		return nil, param.Errorf("features.templates", "no templates, expected a list or the name of one")
	}
	templates, seen := make([]template, len(list)), map[string]bool{}
	for k, text := range list {
		t, err := parseTemplate(text)
		if err != nil {
			return nil, err
		}
		same := strings.Join(slices.Sorted(strings.FieldsSeq(text)), " ")
		if seen[same] {
			return nil, param.Errorf("features.templates", "%q is given twice", t.text)
		}
		seen[same] = true
		templates[k] = t
	}
	return templates, nil
}

func parseTemplate(text string) (t template, err error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return t, param.Errorf("features.templates", "an empty template, expected such as m.head.lemma")
	}
	for k, word := range words {
		look, err := parseValue(word)
		if err != nil {
			return t, param.Errorf("features.templates", "%q in %q: %s", word, text, err)
		}
		if slices.Contains(words[:k], word) {
			return t, param.Errorf("features.templates", "%q in %q stands twice", word, text)
		}
		t.values = append(t.values, value{text: word, look: look})
	}
	t.text = strings.Join(words, " ")
	return t, nil
}
