package spec

import (
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/param"
	"tenfold/io/files"
	"tenfold/io/sanitize"
	"tenfold/io/yamlerr"
)

// Error is one mistake in an experiment file, with its place: in the file, or the --set argument that it came from.
type Error = yamlerr.Mistake

// Errors lists all mistakes of a file in the order of their places; those of --set arguments come first.
type Errors = yamlerr.Mistakes

// problems collects the mistakes of one file. Nodes that came from the i-th --set argument have line -1-i.
type problems struct {
	file  string
	lines []string
	sets  []string
	found Errors
	fault error // of the system, which is no mistake of the file
	seen  map[Error]bool
	count int // mistakes reported, repetitions included
	// idle collects parameters that mean nothing at a point of a list; nil: they are mistakes.
	idle *idlePoints
}

// idlePoints are the parameters that mean nothing at points of a list, in the order in which they are found.
type idlePoints struct {
	point int
	found []*idleField
}

type idleField struct {
	at     *yaml.Node // the parameter's place, with the first point's values
	err    *param.FieldError
	points int // at which it means nothing
	last   int
}

func (i *idlePoints) add(at *yaml.Node, err *param.FieldError) {
	for _, f := range i.found {
		if f.err.Field == err.Field {
			if f.last != i.point {
				f.last = i.point
				f.points++
			}
			return
		}
	}
	i.found = append(i.found, &idleField{at, err, 1, i.point})
}

// overPoints calls do for the points of a list, until it returns false. A parameter that means nothing is a mistake if it does at all of them.
func (p *problems) overPoints(points int, do func(point int) bool) {
	outer, mine := p.idle, &idlePoints{}
	p.idle = mine
	for mine.point < points && do(mine.point) {
		mine.point++
	}
	p.idle = outer
	for _, f := range mine.found {
		if f.points == points {
			p.addFrom(f.at, f.err)
		}
	}
}

// withoutIdle calls do, of which parameters that mean nothing are no mistakes: they are checked elsewhere.
func (p *problems) withoutIdle(do func()) {
	outer := p.idle
	p.idle = &idlePoints{}
	do()
	p.idle = outer
}

func newProblems(file string, lines, sets []string) *problems {
	return &problems{file: file, lines: lines, sets: sets, seen: map[Error]bool{}}
}

// linesOf returns the lines of a file, for messages.
func linesOf(content []byte) []string {
	lines := strings.Split(string(content), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, "\r")
	}
	return lines
}

// add reports a mistake at a node, once: points of a grid repeat the mistakes in what they share.
func (p *problems) add(at *yaml.Node, format string, args ...any) {
	p.addAt(at.Line, at.Column, format, args...)
}

func (p *problems) addAt(line, column int, format string, args ...any) {
	p.count++
	for _, a := range args {
		if err, ok := a.(error); ok && p.fault == nil && files.Fault(err) {
			p.fault = fmt.Errorf("%s: %w", p.file, err)
		}
	}
	e := Error{File: p.file, Line: line, Column: column, Msg: sanitize.Line(sanitize.Message(fmt.Sprintf(format, args...)))}
	switch {
	case line < 0:
		e = Error{File: "--set " + p.sets[-1-line], Msg: e.Msg}
	case line >= 1 && line <= len(p.lines):
		e.Source = p.lines[line-1]
	}
	if !p.seen[e] {
		p.seen[e] = true
		p.found = append(p.found, e)
	}
}

// addFrom reports the errors of a Validate: that of a field at its place below the node, all others at the node.
func (p *problems) addFrom(at *yaml.Node, err error) {
	eachError(err, func(err error) {
		var field *param.FieldError
		if errors.As(err, &field) {
			if field.Idle && p.idle != nil {
				p.idle.add(at, field)
				return
			}
			p.add(findNode(at, field.Field), "%s", err)
			return
		}
		p.add(at, "%s", err)
	})
}

// Entry is the place of a data set or an algorithm in its file.
type Entry struct{ node *yaml.Node }

// Blame gives errors about an entry that are found later, such as a missing file, their places: a param.FieldError, which may be
// joined with others or wrapped, gets that of its field, any other error that of the entry. A fault of the system gets none.
func (f *File) Blame(e Entry, err error) error {
	p := newProblems(f.Path, f.lines, f.sets)
	if e.node == nil {
		e.node = &yaml.Node{}
	}
	p.addFrom(e.node, err)
	return p.err()
}

// eachError calls f for each error that errors.Join joined.
func eachError(err error, f func(error)) {
	if err == nil {
		return
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			eachError(e, f)
		}
		return
	}
	f(err)
}

// err returns all mistakes, sorted, nil if there are none; or the fault for which they are not known.
func (p *problems) err() error {
	switch {
	case p.fault != nil:
		return p.fault
	case len(p.found) == 0:
		return nil
	}
	p.found.Sort()
	return p.found
}
