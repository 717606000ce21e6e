package source

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Lines iterates over the lines of a text:
//
//	for lines.Next() {
//		... lines.Line ...
//	}
type Lines struct {
	Line   []byte // without its end, which is LF or CR LF; a further CR before that is left out, too
	Number int    // of the line, from 1

	file string
	rest []byte
}

// LinesOf the content of a file; its name is for errors, "" where Input.Members puts it before them.
func LinesOf(content []byte, file string) *Lines { return &Lines{file: file, rest: content} }

// Next goes on to the next line. At the end it is false, and Line is empty.
func (l *Lines) Next() bool {
	if len(l.rest) == 0 {
		l.Line = nil
		return false
	}
	l.Line, l.rest, _ = bytes.Cut(l.rest, []byte{'\n'})
	l.Line = bytes.TrimRight(l.Line, "\r")
	l.Number++
	return true
}

// Errorf makes an error of the line.
func (l *Lines) Errorf(format string, args ...any) error {
	return l.withName(AtLine(l.Number, format, args...))
}

// ErrorAt makes an error of a byte of the line, from 0.
func (l *Lines) ErrorAt(at int, format string, args ...any) error {
	return l.withName(placed{l.Number, at + 1, fmt.Errorf(format, args...)})
}

func (l *Lines) withName(err error) error {
	if l.file == "" {
		return err
	}
	return Named(l.file, err)
}

// Blank tells what divides the fields of a line: blanks, tabs and carriage returns. Other spaces may be part of a word.
func Blank(c rune) bool { return c == ' ' || c == '\t' || c == '\r' }

// Beginning of a text, for a message.
func Beginning[T string | []byte](text T) string {
	const most = 60
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "") + "…"
	}
	return string(text)
}

// placed is an error in a file that does not know the file's name: Input.Members puts it before.
type placed struct {
	line, column int // from 1; column is 0 if the line is enough
	err          error
}

// AtLine makes an error of a line, from 1, for Input.Members to name the file of: `name:line: what is wrong`.
func AtLine(line int, format string, args ...any) error {
	return placed{line: line, err: fmt.Errorf(format, args...)}
}

// AtByte makes an error of a place in a content, by line and byte of the line: `name:line:column: what is wrong`.
func AtByte(content []byte, at int, format string, args ...any) error {
	before := content[:at]
	return placed{1 + bytes.Count(before, []byte{'\n'}), at - bytes.LastIndexByte(before, '\n'), fmt.Errorf(format, args...)}
}

func (e placed) Error() string {
	if e.column > 0 {
		return fmt.Sprintf("line %d, column %d: %v", e.line, e.column, e.err)
	}
	return fmt.Sprintf("line %d: %v", e.line, e.err)
}

func (e placed) Unwrap() error { return e.err }

// In names the file.
func (e placed) In(file string) error {
	if e.column > 0 {
		return fmt.Errorf("%s:%d:%d: %w", file, e.line, e.column, e.err)
	}
	return fmt.Errorf("%s:%d: %w", file, e.line, e.err)
}

// Named returns an error of the content of a file, which does not name it, with the name: what Input.Members returns. Of several
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
