package sanitize

import "errors"

// Lines is an error of several lines that belong together, such as a heading and what it announces. No other error has line feeds of
// its own, except joined ones: a line feed in an error's text is part of a name.
type Lines []error

// NewLines returns an error with a line for each text.
func NewLines(texts ...string) Lines {
	l := make(Lines, len(texts))
	for i, t := range texts {
		l[i] = errors.New(t)
	}
	return l
}

func (l Lines) Error() string   { return errors.Join(l...).Error() }
func (l Lines) Unwrap() []error { return l }
