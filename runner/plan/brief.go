package plan

import (
	"bytes"
	"errors"
	"io/fs"

	"tenfold/io/results"
)

// Brief is a plan without its cells and stages, of which only the numbers are known: of a large run they are nearly all of
// the file, and few readers need them.
type Brief struct {
	Frozen
	Cells, Units int
}

// ReadBrief reads the plan of a run without its cells; nil without error when there is none.
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
	f, err := parse(dir, head, sealed)
	if err != nil {
		return nil, err
	}
	out := &Brief{Frozen: *f, Cells: len(f.Cells)} // where it was written in another form, the cells are still in it
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

// cutList takes a list of objects out of a plan as Write writes it, where lines of the outermost object, and no others, begin
// with one blank: texts have no line breaks. The list is nil where it is not found.
func cutList(b []byte, name string) (rest, list []byte) {
	open, end := []byte("\n \""+name+"\": [\n"), []byte("\n  }\n ]")
	from := bytes.Index(b, open)
	if from < 0 {
		return b, nil
	}
	from += len(open) - 1
	to := from + bytes.Index(b[from:], end)
	if name == lastList {
		to = bytes.LastIndex(b, end) // which is near, while the list is long
	}
	if to < from {
		return b, nil
	}
	to += len(end) - len("\n ]")
	return append(bytes.Clone(b[:from]), b[to:]...), b[from:to]
}

// lastList is the last one of objects in a plan.
const lastList = "cells"

// Labels of all units of the cells, in order, as their rows have them.
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
