package enginetest

import (
	"errors"
	"strings"

	"tenfold/engines/param"
)

// Fields returns the names of the parameters that an error of Validate is about, in its order, with spaces between; an error about none is
// "?".
func Fields(err error) string {
	var names []string
	var visit func(err error)
	visit = func(err error) {
		var field *param.FieldError
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range joined.Unwrap() {
				visit(one)
			}
		} else if errors.As(err, &field) {
			names = append(names, field.Field)
		} else if err != nil {
			names = append(names, "?")
		}
	}
	visit(err)
	return strings.Join(names, " ")
}
