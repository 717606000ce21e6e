// Package rawtext reads the text of files before it means anything: bytes become text by an encoding (encoding.go), text becomes lines
// (line.go, whose errors know their places) or the cells of a dialect (dialect.go), and cells become numbers or nothing (number.go,
// missing.go). A Guess finds the dialect of a file that is not described (guess.go). What rows and columns are good for is package
// source's, and the formats'.
package rawtext

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
	Line   []byte // without its end, LF or CR LF; a further CR before it is cut, too
	Number int    // of the line, from 1

	file string
	rest []byte
}

// LinesOf iterates over the content of a file; its name is for errors, "" if Input.Members puts it before them.
func LinesOf(content []byte, file string) *Lines { return &Lines{file: file, rest: content} }

// Next moves to the next line. At the end it returns false, and Line is empty.
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

// Errorf returns an error in the current line.
func (l *Lines) Errorf(format string, args ...any) error {
	return l.withName(AtLine(l.Number, format, args...))
}

// ErrorAt returns an error at a byte of the line, counted from 0.
func (l *Lines) ErrorAt(offset int, format string, args ...any) error {
	return l.withName(placed{l.Number, offset + 1, fmt.Errorf(format, args...)})
}

func (l *Lines) withName(err error) error {
	if l.file == "" {
		return err
	}
	return Named(l.file, err)
}

// Blank reports whether c separates the fields of a line: blank, tab or carriage return. Other spaces may be part of a word.
func Blank(c rune) bool { return c == ' ' || c == '\t' || c == '\r' }

// Beginning abbreviates a text for a message.
func Beginning[T string | []byte](text T) string {
	const most = 60
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "") + "…"
	}
	return string(text)
}

// placed is an error at a place in a file whose name it does not know: Input.Members adds it.
type placed struct {
	line, column int // from 1; column is 0 if only the line is known
	err          error
}

// AtLine returns an error in a line, counted from 1, to which Input.Members adds the file: `name:line: what is wrong`.
func AtLine(line int, format string, args ...any) error {
	return placed{line: line, err: fmt.Errorf(format, args...)}
}

// AtByte returns an error at a byte of the content, to which Input.Members adds the file: `name:line:column: what is wrong`.
func AtByte(content []byte, offset int, format string, args ...any) error {
	before := content[:offset]
	return placed{1 + bytes.Count(before, []byte{'\n'}), offset - bytes.LastIndexByte(before, '\n'), fmt.Errorf(format, args...)}
}

func (e placed) Error() string {
	if e.column > 0 {
		return fmt.Sprintf("line %d, column %d: %v", e.line, e.column, e.err)
	}
	return fmt.Sprintf("line %d: %v", e.line, e.err)
}

func (e placed) Unwrap() error { return e.err }

// In adds the name of the file.
func (e placed) In(file string) error {
	if e.column > 0 {
		return fmt.Errorf("%s:%d:%d: %w", file, e.line, e.column, e.err)
	}
	return fmt.Errorf("%s:%d: %w", file, e.line, e.err)
}

// Named adds the name of the file to an error in its content, as Input.Members does; each of several joined errors gets the name.
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
