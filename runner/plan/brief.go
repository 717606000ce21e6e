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
		// A quotation mark inside a text has a backslash before it: these are keys, and no others end like them. What begins with
		// a rarer character is found several times as fast.
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

// Labels returns the labels of all units of the cells, in order.
func (f *Frozen) Labels() []results.Label {
	sets := map[string]*FrozenSet{}
	for i := range f.Datasets {
		sets[f.Datasets[i].Name] = &f.Datasets[i]
	}
	var out []results.Label
	for _, c := range f.Cells {
		l := results.Label{
			Experiment: f.Name, Dataset: c.Dataset, Algorithm: c.Algorithm, Engine: c.Engine, Revision: int32(c.Revision), Stage: c.Stage,
			Cell: c.Key, Params: c.Params, DatasetDigest: c.DatasetDigest,
		}
		if s := sets[c.Dataset]; s != nil {
			l.Family, l.Task = s.Family, s.Task
		}
		for _, g := range c.Grid {
			l.Grid = append(l.Grid, results.Param(g))
		}
		for _, u := range c.Units {
			l.Unit, l.Repeat, l.Fold, l.FoldDigest, l.Seed = u.Unit, int32(u.Repeat), int32(u.Fold), u.FoldDigest, u.Seed
			out = append(out, l)
		}
	}
	return out
}
