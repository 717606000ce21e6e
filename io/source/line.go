package source

import (
	"errors"
	"fmt"
)

// lineError is an error of a line of a file that does not know the file's name: Input.Members puts it before.
type lineError struct {
	line int
	err  error
}

// AtLine makes an error of a line, from 1, for Input.Members to name the file of: `name:line: what is wrong`.
func AtLine(line int, format string, args ...any) error {
	return lineError{line, fmt.Errorf(format, args...)}
}

func (e lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }
func (e lineError) Unwrap() error { return e.err }

// Named is an error of the content of a file, which does not name it, with the name: what Input.Members returns. Of several
// that were joined, each gets the name.
func Named(file string, err error) error {
	switch e := err.(type) {
	case interface{ In(file string) error }:
		return e.In(file)
	case interface{ Unwrap() []error }:
		if each := e.Unwrap(); err.Error() == errors.Join(each...).Error() {
			named := make([]error, len(each))
			for i, one := range each {
				named[i] = Named(file, one)
			}
			return errors.Join(named...)
		}
	}
	return fmt.Errorf("%s: %w", file, err)
}

// In names the file.
func (e lineError) In(file string) error { return fmt.Errorf("%s:%d: %w", file, e.line, e.err) }
