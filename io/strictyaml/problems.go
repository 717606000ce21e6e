package strictyaml

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/param"
	"tenfold/io/files"
	"tenfold/io/sanitize"
)

// Problems collects the mistakes of one file. Nodes that came from the i-th text beside the file, such as an argument, have line -1-i.
type Problems struct {
	File   string
	Lines  []string
	Beside []string // what the texts beside the file are called
	Found  Mistakes
	Fault  error // of the system, which is no mistake of the file
	Count  int   // mistakes reported, repetitions included
	seen   map[Mistake]bool
}

// NewProblems returns the problems of a file, none so far.
func NewProblems(file string, content []byte, beside []string) Problems {
	return Problems{File: file, Lines: linesOf(content), Beside: beside, seen: map[Mistake]bool{}}
}

// AddFrom reports the errors of a Validate: that of a field at its place below the node, all others at the node. If skip is set, fields for
// which it returns true are left out.
func (p *Problems) AddFrom(node *yaml.Node, err error, skip func(*param.FieldError) bool) {
	EachError(err, func(err error) {
		var field *param.FieldError
		switch isField := errors.As(err, &field); {
		case isField && skip != nil && skip(field):
		case isField:
			p.Add(Find(node, field.Field), "%s", err)
		default:
			p.Add(node, "%s", err)
		}
	})
}

// EachError calls f for each error that errors.Join joined.
func EachError(err error, f func(error)) {
	if err == nil {
		return
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			EachError(e, f)
		}
		return
	}
	f(err)
}

// Try calls do, and forgets the mistakes that it reports.
func (p *Problems) Try(do func()) {
	before := *p
	p.seen = map[Mistake]bool{}
	do()
	*p = before
}

// Take adds the mistakes of another file.
func (p *Problems) Take(other *Problems) {
	p.Found, p.Count, p.Fault = append(p.Found, other.Found...), p.Count+other.Count, cmp.Or(p.Fault, other.Fault)
}

// linesOf returns the lines of a file, for messages.
func linesOf(content []byte) []string {
	lines := strings.Split(string(content), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, "\r")
	}
	return lines
}

// Add reports a mistake at a node, once: points of a grid repeat the mistakes in what they share.
func (p *Problems) Add(node *yaml.Node, format string, args ...any) {
	p.AddAt(node.Line, node.Column, format, args...)
}

// AddAt reports a mistake at a place, once.
func (p *Problems) AddAt(line, column int, format string, args ...any) {
	p.Count++
	for _, a := range args {
		if err, ok := a.(error); ok && p.Fault == nil && files.Fault(err) {
			p.Fault = fmt.Errorf("%s: %w", p.File, err)
		}
	}
	e := Mistake{File: p.File, Line: line, Column: column, Msg: sanitize.Line(sanitize.Message(fmt.Sprintf(format, args...)))}
	switch {
	case line < 0:
		e = Mistake{File: p.Beside[-1-line], Msg: e.Msg}
	case line >= 1 && line <= len(p.Lines):
		e.Source = p.Lines[line-1]
	}
	if !p.seen[e] {
		p.seen[e] = true
		p.Found = append(p.Found, e)
	}
}

// Err returns all mistakes, sorted, nil if there are none; or the fault for which they are not known.
func (p *Problems) Err() error {
	switch {
	case p.Fault != nil:
		return p.Fault
	case len(p.Found) == 0:
		return nil
	}
	p.Found.Sort()
	return p.Found
}
