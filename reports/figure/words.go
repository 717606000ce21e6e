package figure

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenfold/io/results"
)

// words names dimensions, if there are better words than their names.
var words = map[string]string{
	results.PointDim: "number of features on the path", "data_train_fraction": "share of the training rows", "lambda": "penalty λ", "epsilon": "step size ε",
}

// axisWords returns the name of a metric or a parameter on an axis: the label of the file, else words of its own.
func (in Input) axisWords(name string) string { return cmp.Or(in.Labels[name], in.ownWords(name)) }

func (in Input) ownWords(name string) string {
	parameter := strings.NewReplacer("_", " ", ".", " ").Replace(strings.TrimPrefix(name, "data_"))
	return cmp.Or(in.Source.Metric(name).Axis, words[name], parameter)
}

// capitalise returns the text with its first letter as a capital.
func capitalise(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// fileName returns a file name made from a label.
func fileName(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_', r == '.':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-.")
}

// allFinite reports whether all numbers are finite.
func allFinite(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return !results.Finite(x) })
}
