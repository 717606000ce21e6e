package plan

import (
	"bytes"
	"errors"
	"io/fs"

	"tenfold/io/results"
)

// Brief is a plan with the numbers of its cells and units instead of their lists. In a large run the lists are nearly all
// of the file, and few readers need them.
type Brief struct {
	Frozen
	Cells, Units int
}

// ReadBrief reads the plan of a run without its cells. It returns nil, without an error, if there is none.
func ReadBrief(dir string) (*Brief, error) {
	b, sealed, err := results.ReadPlan(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	head, cells := cutList(b, lastList)
	head, _ = cutList(head, "stages")
	f, err := parseFile(dir, head, sealed)
	if err != nil {
		return nil, err
	}
	out := &Brief{Frozen: *f, Cells: len(f.Cells)} // a plan in another layout still has its cells
	for _, c := range f.Cells {
		out.Units += len(c.Units)
	}
	if cells != nil {
		// These patterns match keys only, and no other keys: a quotation mark inside a text follows a backslash. They leave out the
		// first quotation mark, since a search for a rarer first character is several times as fast.
		out.Cells, out.Units = bytes.Count(cells, []byte(`units": [`)), bytes.Count(cells, []byte(`unit": "`))
	}
	out.Frozen.Cells, out.Stages = nil, nil
	return out, nil
}

// cutList removes the list of that name from the text of a plan and returns both. It relies on the indentation by Write:
// only keys of the outermost object follow a line break and one blank. list is nil if the name is not found.
func cutList(b []byte, name string) (rest, list []byte) {
	open, end := []byte("\n \""+name+"\": [\n"), []byte("\n  }\n ]")
	from := bytes.Index(b, open)
	if from < 0 {
		return b, nil
	}
	from += len(open) - 1
	to := from + bytes.Index(b[from:], end)
	if name == lastList {
		to = bytes.LastIndex(b, end) // from the back: the list is long, and its end near
	}
	if to < from {
		return b, nil
	}
	to += len(end) - len("\n ]")
	return append(bytes.Clone(b[:from]), b[to:]...), b[from:to]
}

// lastList is the key of the last list of objects in a plan.
const lastList = "cells"
