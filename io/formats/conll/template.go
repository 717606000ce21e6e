package conll

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tenfold/engines/data/sequence"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/formats/tuples"
	"tenfold/io/source"
)

// A template is values joined by blanks:
//
//	template = "bias" | value { " " value }
//	value    = column "[" offset "]" | function "(" column "[" offset "]" ")"
//	function = "lower" | "shape" | "prefix" digit | "suffix" digit
//
// bias holds in every row. The column to be predicted may be looked at only at offsets -1 to -4, as it is.

// Features are the columns of a token.
type Features struct {
	Templates        source.Templates `yaml:"templates" doc:"templates such as \"w[0]\", \"t[-1] t[0]\", \"c[-1] t[0]\" or bias: columns of the token so many places on, joined by blanks, also as lower(w[0]), shape(w[0]), prefix3(w[0]), suffix3(w[0]); the predicted column at -1 to -4 only; a list, or the name of one"`
	Cutoff           int              `yaml:"cutoff" doc:"keep patterns seen in at least this many training rows, at least 1; patterns seen in fewer of all rows are left out while reading"`
	source.Treatment `yaml:",inline"`
}

// farthest is the largest offset of a template.
const farthest = 100

// value is one value in a template.
type value struct {
	function string // "" for the text as it is
	column   string // "" for bias
	offset   int
}

func (v value) String() string {
	if v.column == "" {
		return bias
	}
	text := v.column + "[" + strconv.Itoa(v.offset) + "]"
	if v.function != "" {
		text = v.function + "(" + text + ")"
	}
	return text
}

const bias = "bias"

// plan is what the templates ask for: the values, those of the predicted column last, and the places of each template's
// values among them. Templates that look at the predicted column stand after the others.
type plan struct {
	values    []value
	labels    int // how many of the values are of the predicted column
	templates []tuples.Template
}

func (f Features) parsePlan(columns map[string]int, target string) (plan, error) {
	if len(f.Templates) == 0 {
		return plan{}, param.Errorf("features.templates", "no templates, expected a list or the name of one")
	}
	named := make([][]value, len(f.Templates))
	for k, text := range f.Templates {
		var err error
		if named[k], err = parseTemplate(text, columns, target); err != nil {
			return plan{}, err
		}
	}
	return newPlan(named, target), nil
}

func newPlan(named [][]value, target string) plan {
	p := plan{values: slices.Concat(named...)}
	last := func(v value) int {
		if v.column == target {
			return 1
		}
		return 0
	}
	slices.SortFunc(p.values, func(a, b value) int {
		return cmp.Or(last(a)-last(b), cmp.Compare(a.offset, b.offset), cmp.Compare(a.column, b.column), cmp.Compare(a.function, b.function))
	})
	p.values = slices.Compact(p.values)
	for _, v := range p.values {
		p.labels += last(v)
	}
	for _, looks := range []bool{false, true} {
		for _, values := range named {
			if t := p.templateOf(values); p.looksAtLabels(t) == looks {
				p.templates = append(p.templates, t)
			}
		}
	}
	return p
}

// templateOf makes a template of some of the values.
func (p plan) templateOf(values []value) (t tuples.Template) {
	for k, v := range p.values {
		if slices.Contains(values, v) {
			t.Positions = append(t.Positions, k)
		}
	}
	return t
}

// looksAtLabels reports whether a template looks at previous labels.
func (p plan) looksAtLabels(t tuples.Template) bool {
	return t.Positions[len(t.Positions)-1] >= len(p.values)-p.labels
}

func parseTemplate(text string, columns map[string]int, target string) ([]value, error) {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return nil, param.Errorf("features.templates", "an empty template, expected such as w[0]")
	}
	if len(fields) == 1 && fields[0] == bias {
		return []value{{}}, nil
	}
	values := make([]value, len(fields))
	for k, field := range fields {
		v, ok := parseValue(field)
		if !ok {
			return nil, param.Errorf("features.templates", "%q in %q, expected a column with a place, such as w[-1] or w[0], as it is or as lower(w[0]), shape(w[0]), prefix3(w[0]), suffix3(w[0]); or bias alone", field, text)
		}
		if _, known := columns[v.column]; !known {
			return nil, param.Errorf("features.templates", "%q in %q: no column %q%s", field, text, v.column, suggest.DidYouMean(v.column, sortedNames(columns)))
		}
		if v.column == target && (v.offset >= 0 || v.offset < -sequence.Lookback || v.function != "") {
			return nil, param.Errorf("features.templates", "%q in %q: %s is predicted, and can be looked at as %s[-1] to %[3]s[-%[5]d] only", field, text, target, target, sequence.Lookback)
		}
		values[k] = v
	}
	return values, nil
}

func parseValue(text string) (v value, ok bool) {
	if inner, found := strings.CutSuffix(text, ")"); found {
		if v.function, text, ok = strings.Cut(inner, "("); !ok || v.function == "" || transformByName(v.function) == nil {
			return v, false
		}
	}
	inner, closed := strings.CutSuffix(text, "]")
	column, place, found := strings.Cut(inner, "[")
	offset, err := strconv.Atoi(place)
	v.column, v.offset = column, offset
	return v, closed && found && column != "" && err == nil && -farthest <= offset && offset <= farthest
}

// transformByName returns the function of a name; nil when there is none.
func transformByName(name string) func(string) string {
	switch name {
	case "":
		return func(text string) string { return text }
	case "lower":
		return strings.ToLower
	case "shape":
		return wordShape
	}
	stem, digit := name[:len(name)-1], int(name[len(name)-1])-'0'
	if digit < 1 || digit > 9 {
		return nil
	}
	switch stem {
	case "prefix":
		return func(text string) string {
			letters := []rune(text)
			return string(letters[:min(digit, len(letters))])
		}
	case "suffix":
		return func(text string) string {
			letters := []rune(text)
			return string(letters[max(0, len(letters)-digit):])
		}
	}
	return nil
}

// wordShape writes X for a run of upper-case letters, x for one of other letters, 0 for one of digits; the rest stays, once
// where it repeats.
func wordShape(text string) string {
	out := []rune{}
	for _, r := range text {
		switch {
		case unicode.IsUpper(r):
			r = 'X'
		case unicode.IsLetter(r):
			r = 'x'
		case unicode.IsDigit(r):
			r = '0'
		}
		if len(out) == 0 || out[len(out)-1] != r {
			out = append(out, r)
		}
	}
	return string(out)
}
