// Package npz reads NumPy's files: sparse matrices as scipy.sparse.save_npz writes them, dense ones as .npy.
package npz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/io/formats/tabular"
	"tenfold/io/source"
)

// NPZ reads the columns from one file (CSR, CSC or COO .npz, or 2-d .npy) and the targets from another (.npy: one a row, or
// rows × targets). Targets are named y, or y0, y1, ... when there are several; columns by number from 0, or by the role names: the lines
// of a text file, or an .npy file of texts. A survival target is times with their events in a file of their own (all_event, ...: 1, or
// true, for an event, 0 for a censored time), or both as the columns of one array. The role groups is an .npy file of one integer or text a row (training rows, then test rows).
// Tables of samples, which have the targets then, know rows by the role ids: the lines of a text file, or an .npy file of texts or integers.
type NPZ struct {
	tabular.Described `yaml:",inline"`
}

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "npz",
	Doc:  "NumPy files: scipy.sparse.save_npz (CSR, CSC, COO) or a 2-d .npy, with targets in an .npy, or a table of samples",
	Cite: "NumPy Enhancement Proposal 1, versions 1 to 3; scipy.sparse.save_npz",
	Rev:  1,
}, NPZ{})

// Validate checks the options by themselves.
func (n NPZ) Validate() error {
	return n.Check("targets are files of their own (all_y, or train_y and test_y)")
}

// Declares returns what is known before loading.
func (n NPZ) Declares() source.Declares {
	return n.Declare(source.Declares{
		Targets:  []source.Declared{{Name: "y", Type: n.Type()}},
		Roles:    [][]string{{"all", "all_y"}, {"train", "train_y", "test", "test_y"}},
		Optional: []string{"groups", "names", "ids", "all" + events, "train" + events, "test" + events},
	})
}

// events ends the role of an array that says how times ended.
const events = "_event"

// Load reads the files. Arrays stored without compression are decoded from the file's own bytes.
func (n NPZ) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	d, err := n.loadParts(ctx, in, !n.HasTables())
	if err != nil {
		return nil, err
	}
	if err := readGroups(d, in); err != nil {
		return nil, err
	}
	if err := source.CheckEvents(d, ""); err != nil {
		return nil, err
	}
	return n.Finish(ctx, in, d)
}

// LoadNew reads rows to apply a model to: all_y is needed for responses alone.
func (n NPZ) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	n.Target.Positive = ""
	d, err := n.loadParts(ctx, in, a.Responses && !n.HasTables())
	if err != nil {
		return nil, err
	}
	return n.New(ctx, in, d, a)
}

func (n NPZ) loadParts(ctx context.Context, in source.Input, responses bool) (*data.Dataset, error) {
	var blocks []block
	var ys, endings []array
	var rows []int
	for _, role := range source.Parts(in) {
		b, err := openBlock(in, role)
		if err != nil {
			return nil, err
		}
		if err := b.checkColumns(blocks, source.MostColumns(in)); err != nil {
			return nil, err
		}
		blocks, rows = append(blocks, b), append(rows, b.rows)
		if !responses {
			continue
		}
		y, err := openArray(in, role+"_y")
		if err != nil {
			return nil, err
		}
		if err := y.checkTargets(b, ys); err != nil {
			return nil, err
		}
		ys = append(ys, y)
		switch {
		case in.Has(role+events) && n.Type() != data.Survival && responses:
			return nil, param.Errorf("files."+role+events, "events are of a survival target: say target: survival, or leave it out")
		case in.Has(role + events):
			e, err := openArray(in, role+events)
			if err != nil {
				return nil, err
			}
			if err := e.checkTargets(b, endings); err != nil {
				return nil, err
			}
			endings = append(endings, e)
		case n.Type() == data.Survival && y.columns() != 2:
			return nil, fmt.Errorf("%s: %d columns, expected times and events; or give the events as files: {%s%s: FILE}", y.file, y.columns(), role, events)
		}
	}
	x, err := joinBlocks(ctx, blocks, source.RoomIn(in))
	if err != nil {
		return nil, err
	}
	d := &data.Dataset{X: x, Part: source.PartOf(rows...)}
	added := 0
	for _, b := range blocks {
		added += b.added
	}
	if added > 0 {
		d.Facts = append(d.Facts, data.Fact{Name: "entries given again at one place, their values added", Value: strconv.Itoa(added)})
	}
	switch {
	case responses && n.Type() == data.Survival:
		err = readSurvival(d, ys, endings)
	case responses:
		err = n.readTargets(d, ys)
	}
	return d, errors.Join(err, readNames(d, in), readIDs(d, in))
}

// checkColumns checks that the columns of a part match those of the parts before.
func (b block) checkColumns(blocks []block, columns int) error {
	switch {
	case b.rows == 0 || b.cols == 0:
		return fmt.Errorf("%s: shape %d × %d, expected at least one row and one column", b.file, b.rows, b.cols)
	case b.cols > columns:
		return fmt.Errorf("%s: %d columns, expected at most %d, the most that a file of its size may have here", b.file, b.cols, columns)
	case len(blocks) > 0 && b.cols != blocks[0].cols:
		return fmt.Errorf("%s: %d columns, expected %d as in %s", b.file, b.cols, blocks[0].cols, blocks[0].file)
	}
	return nil
}

// checkTargets checks that the targets of a part match its rows, and the targets of the parts before.
func (y array) checkTargets(b block, ys []array) error {
	switch {
	case len(y.shape) != 1 && len(y.shape) != 2 || y.columns() == 0:
		return fmt.Errorf("%s: shape %v, expected one value a row, or rows × targets", y.file, y.shape)
	case y.shape[0] != b.rows:
		return fmt.Errorf("%s: %d rows, expected %d as in %s", y.file, y.shape[0], b.rows, b.file)
	case len(ys) > 0 && y.columns() != ys[0].columns():
		return fmt.Errorf("%s: %d targets, expected %d as in %s", y.file, y.columns(), ys[0].columns(), ys[0].file)
	}
	return nil
}

// readTargets reads one target from each column of y, part after part.
func (n NPZ) readTargets(d *data.Dataset, ys []array) error {
	for t := range ys[0].columns() {
		name := "y"
		if ys[0].columns() > 1 {
			name += strconv.Itoa(t)
		}
		var labels source.Texts
		values := make([]float64, 0, d.Rows())
		for _, y := range ys {
			for i := range y.shape[0] {
				if y.isText() {
					label, err := y.textAt(y.indexOf(i, t))
					if err != nil {
						return err
					}
					labels.Add(label)
					continue
				}
				v := y.floatAt(y.indexOf(i, t))
				if v-v != 0 {
					return fmt.Errorf("%s: row %d (from 0): target %s is %v, expected a finite number", y.file, i, name, v)
				}
				values = append(values, v)
				if n.Type() == data.Class {
					labels.Add(strconv.FormatFloat(v, 'g', -1, 64))
				}
			}
			if y.isText() && n.Type() != data.Class {
				return fmt.Errorf("%s: texts (type %s), expected numbers; target: class reads them as classes", y.file, y.dtype)
			}
		}
		target := data.Target{Name: name, Type: data.Real, Values: values}
		if n.Type() == data.Class {
			var err error
			if target, err = labels.Class(name, n.Target.Positive); err != nil {
				return err
			}
		}
		d.Targets = append(d.Targets, target)
	}
	return nil
}

// readSurvival reads times and how they ended, part after part: from an array each, or the two columns of one.
func readSurvival(d *data.Dataset, ys, events []array) error {
	var e source.Endings
	var times []float64
	for p, y := range ys {
		ends, column := y, 1
		if len(events) > 0 {
			if ends, column = events[p], 0; y.columns() != 1 || ends.columns() != 1 {
				return fmt.Errorf("%s: %d columns, and %s has %d; expected one of times, and one of events", y.file, y.columns(), ends.file, ends.columns())
			}
		}
		if y.isText() {
			return fmt.Errorf("%s: texts (type %s), expected times: numbers above 0", y.file, y.dtype)
		}
		for i := range y.shape[0] {
			x := y.floatAt(y.indexOf(i, 0))
			if err := source.CheckTime(x); err != nil || x != x {
				return fmt.Errorf("%s: row %d (from 0): found %v, expected a time: a number above 0 (half a unit stands for the first day)", y.file, i, x)
			}
			times = append(times, x)
			text := ""
			var err error
			if ends.isText() {
				text, err = ends.textAt(ends.indexOf(i, column))
			} else {
				text = strconv.FormatFloat(ends.floatAt(ends.indexOf(i, column)), 'g', -1, 64)
			}
			if err == nil && e.Add(text) != nil {
				err = fmt.Errorf("%s: row %d (from 0): found %q, expected 1 for an event or 0 for a censored time", ends.file, i, text)
			}
			if err != nil {
				return err
			}
		}
	}
	d.Targets = append(d.Targets, e.Target("y", times))
	return nil
}

// readNames reads the names of the columns, one a line, where they are given.
func readNames(d *data.Dataset, in source.Input) error {
	_, cols := d.X.Dims()
	if !in.Has("names") {
		d.Features = data.NumberedFeatures(0, cols)
		return nil
	}
	content, file, err := in.Bytes("names")
	if err != nil {
		return err
	}
	if bytes.HasPrefix(content, []byte("\x93NUMPY")) {
		return namesOfArray(d, file, content)
	}
	d.Features, err = source.ReadNames(in, "names", cols, false)
	return err
}

// readIDs reads the ids of the rows, training rows first, where they are given.
func readIDs(d *data.Dataset, in source.Input) (err error) {
	if !in.Has("ids") {
		return nil
	}
	content, file, err := in.Bytes("ids")
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(content, []byte("\x93NUMPY")) {
		d.IDs, err = source.ReadIDs(in, "ids", d.Rows())
		return err
	}
	a, err := numbersOrTexts(file, content)
	switch {
	case err != nil:
		return err
	case !a.isText() && !a.isInteger() || len(a.shape) != 1 || a.shape[0] != d.Rows():
		return fmt.Errorf("%s: type %s, shape %v, expected an integer or a text for each of %d rows", file, a.dtype, a.shape, d.Rows())
	}
	d.IDs = make([]string, d.Rows())
	seen := make(map[string]int, d.Rows())
	for i := range d.IDs {
		if !a.isText() {
			d.IDs[i] = strconv.FormatInt(a.integerAt(i), 10)
		} else if d.IDs[i], err = a.textAt(i); err != nil {
			return err
		}
		if first, again := seen[d.IDs[i]]; again {
			return fmt.Errorf("%s: the id %q is that of rows %d and %d (from 0)", file, d.IDs[i], first, i)
		}
		seen[d.IDs[i]] = i
	}
	return nil
}

// namesOfArray reads the names of the columns from an array of texts.
func namesOfArray(d *data.Dataset, file string, content []byte) error {
	_, cols := d.X.Dims()
	a, err := numbersOrTexts(file, content)
	switch {
	case err != nil:
		return err
	case !a.isText() || len(a.shape) != 1 || a.shape[0] != cols:
		return fmt.Errorf("%s: type %s, shape %v, expected a text for each of %d columns", file, a.dtype, a.shape, cols)
	}
	all, seen := make([]string, cols), make(map[string]int, cols)
	for j := range all {
		if all[j], err = a.textAt(j); err != nil {
			return err
		}
		if first, again := seen[all[j]]; again {
			return fmt.Errorf("%s: the name %q is that of columns %d and %d (from 0)", file, all[j], first, j)
		}
		seen[all[j]] = j
	}
	d.Features = data.NewFeatures(all)
	return nil
}

// readGroups reads a number or a text for each row, where they are given.
func readGroups(d *data.Dataset, in source.Input) error {
	if !in.Has("groups") {
		return nil
	}
	g, err := openArray(in, "groups")
	if err != nil {
		return err
	}
	if len(g.shape) != 1 || g.shape[0] != d.Rows() || !g.isInteger() && !g.isText() {
		return fmt.Errorf("%s: type %s, shape %v, expected an integer or a text for each of %d rows", g.file, g.dtype, g.shape, d.Rows())
	}
	var names source.Texts
	for i := range g.shape[0] {
		name := ""
		if g.isText() {
			if name, err = g.textAt(i); err != nil {
				return err
			}
		} else {
			name = strconv.FormatInt(g.integerAt(i), 10)
		}
		names.Add(name)
	}
	d.Groups = names.Groups("groups")
	return nil
}

// joinBlocks lays the parts out one after the other in arrays of the right size, on disk where there is room for what would
// not fit in memory; ones are not stored.
func joinBlocks(ctx context.Context, blocks []block, room *source.Room) (*sparse.Matrix, error) {
	rows, entries, ones := 0, 0, true
	for _, b := range blocks {
		rows += b.rows
		entries += b.countEntries()
		ones = ones && b.allOnes()
	}
	l := newLayout(blocks[0].cols, rows, entries, ones, room)
	for _, b := range blocks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := b.appendTo(&l); err != nil {
			return nil, fmt.Errorf("%s: %w", b.file, err)
		}
	}
	return sparse.New(l.cols, l.ptr, l.idx, l.val), nil
}
