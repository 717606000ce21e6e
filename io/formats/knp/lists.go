package knp

import (
	"fmt"
	"strings"

	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// lists divides the documents by lists of their names, a name a line. A nil value leaves the division to the files.
type lists struct {
	entries map[string]*entry
	order   []*entry
	left    int // documents in no list
}

type entry struct {
	document, place string // place: file and line of the list
	part            int8
	found           bool
}

func readLists(in source.Input) (*lists, error) {
	if !in.Has(trainIDs) {
		return nil, nil
	}
	l := &lists{entries: map[string]*entry{}}
	for part, role := range []string{trainIDs, testIDs} {
		if !in.Has(role) {
			continue
		}
		if err := l.readRole(in, role, int8(part)); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *lists) readRole(in source.Input, role string, part int8) error {
	content, file, err := in.Bytes(role)
	if err != nil {
		return err
	}
	if content, err = rawtext.Decode(content, "", file); err != nil {
		return err
	}
	for lines := rawtext.LinesOf(content, file); lines.Next(); {
		document := strings.TrimSpace(string(lines.Line))
		if document == "" {
			continue
		}
		e := &entry{document: document, place: fmt.Sprintf("%s:%d", file, lines.Number), part: part}
		if other := l.entries[document]; other != nil {
			return fmt.Errorf("%s: document %s is listed already, at %s", e.place, document, other.place)
		}
		l.entries[document] = e
		l.order = append(l.order, e)
	}
	return nil
}

// partOf returns the part of a document; without lists, that of its file.
func (l *lists) partOf(document string, ofFile int8) (part int8, listed bool) {
	if l == nil {
		return ofFile, true
	}
	e := l.entries[document]
	if e == nil {
		l.left++
		return 0, false
	}
	e.found = true
	return e.part, true
}

// checkFound refuses lists that name documents which were not found.
func (l *lists) checkFound() error {
	if l == nil {
		return nil
	}
	for _, e := range l.order {
		if !e.found {
			return fmt.Errorf("%s: the corpus has no document %q: the names of its files without .knp are expected", e.place, e.document)
		}
	}
	return nil
}
