package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"tenfold/engines/suggest"
	"tenfold/io/sanitize"
	"tenfold/io/strictyaml"
)

// Rewording of errors of libraries: those of the system and of JSON name functions and types of Go, those of flags its conversions.

// UserMessage returns the text of an error for users, with the wording of libraries and the system replaced. Joined errors, Lines and
// mistakes in files begin lines; what an error names does not.
func UserMessage(err error) string { return sanitize.Message(messageOf(err)) }

func messageOf(err error) string {
	switch e := err.(type) {
	case strictyaml.Mistakes:
		texts := make([]string, len(e))
		for i, m := range e {
			texts[i] = messageOf(m)
		}
		return strings.Join(texts, "\n")
	case strictyaml.Mistake:
		e.File, e.Msg = sanitize.Line(e.File), sanitize.Line(e.Msg)
		return e.Error()
	case shortenedError:
		return strings.ReplaceAll(messageOf(e.error), e.whole, e.given)
	}
	if better := rewordLibraryError(err); better != "" {
		return sanitize.Line(better)
	}
	inner, text := wrappedErrors(err), err.Error()
	if len(inner) > 0 && text == errors.Join(inner...).Error() {
		texts := make([]string, len(inner))
		for i, one := range inner {
			texts[i] = messageOf(one)
		}
		return strings.Join(texts, "\n")
	}
	var b strings.Builder
	for _, one := range inner {
		before, after, quoted := strings.Cut(text, one.Error())
		if !quoted { // err has words of its own
			continue
		}
		if place := (*fs.PathError)(nil); errors.As(one, &place) && strings.HasPrefix(one.Error(), place.Error()) {
			before = strings.TrimSuffix(before, place.Path+": ") // named twice
		}
		b.WriteString(sanitize.Line(before) + messageOf(one))
		text = after
	}
	return b.String() + sanitize.Line(text)
}

// wrappedErrors returns the errors that err wraps.
func wrappedErrors(err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return []error{inner}
		}
	}
	return nil
}

// rewordLibraryError returns a better text for an error of a library, or "".
func rewordLibraryError(err error) string {
	if err == path.ErrBadPattern || err == filepath.ErrBadPattern {
		return "no pattern: a pattern has * and ? for any text and character, and [a-z] for one of some"
	}
	switch e := err.(type) {
	case *fs.PathError:
		return e.Path + ": " + systemReason(e.Err)
	case *json.SyntaxError:
		if strings.HasPrefix(e.Error(), "unexpected end") {
			return "it is cut off"
		}
		return fmt.Sprintf("no JSON at byte %d", e.Offset)
	case *json.UnmarshalTypeError:
		return fmt.Sprintf("an unexpected %s at byte %d", e.Value, e.Offset)
	}
	return ""
}

// systemReason says why the system refused.
func systemReason(err error) string {
	switch {
	case errors.Is(err, syscall.EISDIR):
		return "it is a folder; a file was expected"
	case errors.Is(err, syscall.ENOTDIR):
		return "a file stands where a folder was expected"
	}
	return err.Error()
}

// CheckArguments turns a wrong number of arguments into invalid usage, with a message that names them.
func CheckArguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) == nil {
			return nil
		}
		_, names, _ := strings.Cut(cmd.Use, " ")
		found := Pluralize(len(args), "argument")
		if len(args) == 0 {
			found = "no argument"
		}
		return Invalid(fmt.Errorf("found %s; usage: %s", found, strings.TrimSpace(cmd.CommandPath()+" "+names)))
	}
}

// UnknownCommand checks the arguments of the root. Names of commands do not get here.
func UnknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	hint := suggest.DidYouMean(args[0], names)
	if hint == "" {
		hint = "; tenfold --help lists the commands"
	}
	return Invalid(fmt.Errorf("unknown command %q%s", args[0], hint))
}

// WithPath adds the path to an error that does not name it yet; errors of readers do. An absolute path becomes the
// one the user gave.
func WithPath(path string, err error) error {
	if whole, fail := filepath.Abs(path); fail == nil && whole != path && strings.Contains(err.Error(), whole) {
		return shortenedError{err, whole, path}
	}
	if strings.Contains(err.Error(), filepath.Clean(path)) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// ReplacePath returns err with a path in its text replaced by the one that the user gave.
func ReplacePath(err error, whole, given string) error { return shortenedError{err, whole, given} }

// shortenedError replaces the absolute path in an error's text by the path that the user gave.
type shortenedError struct {
	error
	whole, given string
}

func (s shortenedError) Error() string { return strings.ReplaceAll(s.error.Error(), s.whole, s.given) }
func (s shortenedError) Unwrap() error { return s.error }
