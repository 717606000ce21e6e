package plan

import (
	"bytes"
	"errors"
	"io/fs"

	"tenfold/io/planfile"
)

// ReadBrief reads the plan of a run without the lists of its cells and stages, of which it has the numbers: in a large run they are
// nearly all of the file, and few readers need them. It returns nil, without an error, if there is none.
func ReadBrief(dir string) (*Frozen, error) {
	b, err := planfile.Read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := parseFile(dir, cutList(cutList(b, lastList), "stages"))
	if err != nil {
		return nil, err
	}
	f.Cells, f.Stages = nil, nil
	return f, nil
}

// cutList removes the objects of the list of that name from the text of a plan. It relies on the indentation by Write: only keys of
// the outermost object follow a line break and one blank. A text without the list stays as it is.
func cutList(b []byte, name string) []byte {
	open, end := []byte("\n \""+name+"\": [\n"), []byte("\n  }\n ]")
	from := bytes.Index(b, open)
	if from < 0 {
		return b
	}
	from += len(open) - 1
	to := from + bytes.Index(b[from:], end)
	if name == lastList {
		to = bytes.LastIndex(b, end) // from the back: the list is long, and its end near
	}
	if to < from {
		return b
	}
	return append(bytes.Clone(b[:from]), b[to+len(end)-len("\n ]"):]...)
}

// lastList is the key of the last list of objects in a plan.
const lastList = "cells"
