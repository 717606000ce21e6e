// Package param has the checks that a configured value makes of its parameters, and the error that names a bad one.
package param

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tenfold/engines/suggest"
)

// Validator is what every configured value can do: check its own parameters, without data.
// It reports bad parameters as FieldError (several with errors.Join), so that the caller can point at them.
type Validator interface{ Validate() error }

// FieldError is one bad parameter.
type FieldError struct {
	Field string   // the name in the experiment file; nested names are joined by dots
	Msg   string   // what was found and what was expected
	Words []string // those that the parameter allows, of OneOf
	Idle  bool     // the value is sound, and means nothing beside the other parameters
}

func (e *FieldError) Error() string { return position.ReplaceAllString(e.Field, "[$1]") + ": " + e.Msg }

// position is an index in a list, in the name of a field.
var position = regexp.MustCompile(`\.(\d+)\b`)

// Errorf makes a FieldError.
func Errorf(field, format string, args ...any) error {
	return &FieldError{Field: field, Msg: fmt.Sprintf(format, args...)}
}

// Require returns a FieldError unless ok: the message says what was found and what was expected.
func Require(field string, ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return Errorf(field, format, args...)
}

// Idle returns a FieldError if a value that is not the standard one has no effect with the other parameters: why says with what it has
// one. Among points of a list, such as those of tune, it is a mistake where it means nothing at all of them.
func Idle[T comparable](field string, value, standard T, used bool, why string) error {
	if used || value == standard {
		return nil
	}
	return &FieldError{Field: field, Msg: fmt.Sprintf("%v means nothing here: %s", value, why), Idle: true}
}

// OneOf returns a FieldError unless value is among the words allowed.
func OneOf(field, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	words := slices.DeleteFunc(slices.Clone(allowed), func(w string) bool { return w == "" }) // empty: it may be left out
	if len(words) == 1 {
		return &FieldError{Field: field, Msg: fmt.Sprintf("%q, expected %s", value, words[0]), Words: allowed}
	}
	return &FieldError{Field: field, Msg: fmt.Sprintf("%q is not one of %s%s", value, strings.Join(words, ", "), suggest.DidYouMean(value, words)), Words: allowed}
}
