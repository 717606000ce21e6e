// Package foldlist reads the folds that a file lists: those that tenfold folds wrote, that another program drew, or that belong to a
// published task. A line is a row on one side of a fold.
package foldlist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/suggest"
	"tenfold/io/files"
	"tenfold/io/formats/arff"
	"tenfold/io/tablefile"
	"tenfold/runner/folds"
)

// Role is that of the file in the set that Read takes.
const Role = "folds"

// List holds the lines of a file, column by column; columns that it lacks are empty. Lines are records, counted from 1 without the header.
type List struct {
	file              string
	lines             int
	dataset, digest   tablefile.Words
	repeat, fold, row tablefile.WholeNumbers
	id                []string
	train             []bool // nil if the file has no column of sides: all lines are of test rows
}

// takers returns what takes the cells of the columns that count, by name. Other columns, such as groups, are passed over.
func (l *List) takers() map[string]func(tablefile.Value) error {
	side := func(v tablefile.Value) error {
		text := strings.ToLower(strings.TrimSpace(v.Text()))
		if text != "train" && text != "test" {
			return fmt.Errorf("found %q, expected train or test", v.Text())
		}
		l.train = append(l.train, text == "train")
		return nil
	}
	return map[string]func(tablefile.Value) error{
		"dataset": l.dataset.Take, "fold_digest": l.digest.Take, "repeat": l.repeat.Take, "fold": l.fold.Take,
		"row": l.row.Take, "rowid": l.row.Take, "side": side, "type": side,
		"id": func(v tablefile.Value) error { l.id = append(l.id, strings.Clone(v.Text())); return nil },
	}
}

// check returns an error if the columns named do not say which row is on which side.
func check(names []string) error {
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(name string) bool { return slices.Contains(names, name) })
	}
	found := strings.Join(names, ", ")
	switch {
	case !has("row", "rowid", "id"):
		return fmt.Errorf("there is no column row (numbers from 0) and no column id, expected one of them beside fold, side (train, test), repeat and dataset; found %s", found)
	case has("row") && has("rowid") || has("side") && has("type"):
		return fmt.Errorf("row and rowid, side and type mean the same, expected one of the two; found %s", found)
	case !has("fold") && !has("side", "type"):
		return fmt.Errorf("there is no column fold and no column side (train, test), expected one of them; found %s", found)
	}
	return nil
}

// Read reads the file of Role: CSV, TSV, Parquet, JSON Lines or a workbook as its name ends, or ARFF, as OpenML has the splits of tasks.
func Read(ctx context.Context, in *files.Set) (*List, error) {
	content, file, err := in.Bytes(Role)
	if err != nil {
		return nil, err
	}
	l := &List{file: file}
	takers := l.takers()
	bind := func(header []string) ([]func(tablefile.Value) error, error) {
		if err := check(header); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out := make([]func(tablefile.Value) error, len(header))
		for k, name := range header {
			out[k] = takers[name]
		}
		return out, nil
	}
	if strings.ToLower(path.Ext(strings.TrimSuffix(file, ".gz"))) == ".arff" {
		l.lines, err = scanARFF(content, file, bind)
	} else {
		l.lines, err = tablefile.Scan(ctx, in, Role, bind)
	}
	return l, err
}

// scanARFF reads an ARFF file as tablefile.Scan does others.
func scanARFF(content []byte, file string, bind tablefile.Columns) (rows int, err error) {
	var names []string
	var takers []func(tablefile.Value) error
	var wrong error
	line := 0
	rows, _, err = arff.Look(content, file, func(attributes []arff.Declared) {
		for _, a := range attributes {
			names = append(names, a.Name)
		}
		takers, wrong = bind(names)
	}, func(attribute int, text string, _ bool) {
		if attribute == 0 {
			line++
		}
		if wrong != nil || takers[attribute] == nil {
			return
		}
		if err := takers[attribute](tablefile.TextValue(text)); err != nil {
			wrong = fmt.Errorf("%s, record %d, column %s: %w", file, line, names[attribute], err)
		}
	})
	return rows, cmp.Or(err, wrong)
}

// foldNumber identifies a fold as the file numbers it.
type foldNumber struct{ repeat, fold int }

// sides holds the rows that a file lists for a fold.
type sides struct {
	train, test []int32
	digest      string // "" if the file has none
}

// Folds returns the folds that the file lists for the data set of that name, by rising numbers of repeats and of folds in these, which
// then count from 0. Where no training rows of a fold are listed, all rows that it does not test train. Errors name the record.
func (l *List) Folds(name string, d *data.Dataset) ([]folds.Fold, error) {
	listed, err := l.collect(name, d)
	if err != nil {
		return nil, err
	}
	numbers := slices.SortedFunc(maps.Keys(listed), func(a, b foldNumber) int {
		return cmp.Or(cmp.Compare(a.repeat, b.repeat), cmp.Compare(a.fold, b.fold))
	})
	out := make([]folds.Fold, 0, len(numbers))
	repeat, id := -1, 0
	for k, n := range numbers {
		if id++; k == 0 || n.repeat != numbers[k-1].repeat {
			repeat, id = repeat+1, 0
		}
		s := listed[n]
		f := folds.Of(repeat, id, s.train, s.test, d.Rows())
		switch {
		case len(f.Test) == 0 || len(f.Train) == 0:
			return nil, fmt.Errorf("%s: fold %d of repeat %d has %d training and %d test rows; no side may be empty", l.file, n.fold, n.repeat, len(f.Train), len(f.Test))
		case s.digest != "" && s.digest != f.Digest:
			return nil, fmt.Errorf("%s: fold %d of repeat %d has the digest %s, and its rows have %s: the file is not what was written", l.file, n.fold, n.repeat, s.digest, f.Digest)
		}
		out = append(out, f)
	}
	return out, nil
}

// collect returns the rows of each fold of a data set, in order of the file.
func (l *List) collect(name string, d *data.Dataset) (map[foldNumber]*sides, error) {
	wanted := slices.Index(l.dataset.List, name)
	if l.dataset.Numbers != nil && wanted < 0 {
		return nil, fmt.Errorf("%s: no line is of data set %q%s", l.file, name, suggest.Choices(name, l.dataset.List))
	}
	rowOf, err := l.rows(d)
	if err != nil {
		return nil, err
	}
	type place struct {
		fold foldNumber
		row  int32
	}
	found, first := map[foldNumber]*sides{}, map[place]int{}
	for k := range l.lines {
		if l.dataset.Numbers != nil && int(l.dataset.Numbers[k]) != wanted {
			continue
		}
		row, err := rowOf(k)
		if err != nil {
			return nil, fmt.Errorf("%s, record %d: %w", l.file, k+1, err)
		}
		n := foldNumber{number(l.repeat, k), number(l.fold, k)}
		if n.repeat < 0 || n.fold < 0 {
			return nil, fmt.Errorf("%s, record %d: no number of the fold or the repeat, expected whole numbers from 0", l.file, k+1)
		}
		if was, twice := first[place{n, row}]; twice {
			return nil, fmt.Errorf("%s, record %d: row %d in fold %d of repeat %d again, first in record %d", l.file, k+1, row, n.fold, n.repeat, was)
		}
		first[place{n, row}] = k + 1
		s := found[n]
		if s == nil {
			s = &sides{digest: l.digest.Text(int32(k))}
			found[n] = s
		}
		if l.train != nil && l.train[k] {
			s.train = append(s.train, row)
		} else {
			s.test = append(s.test, row)
		}
	}
	return found, nil
}

// number returns the number in line k: 0 where the file has no such column, -1 where the cell is empty.
func number(column tablefile.WholeNumbers, k int) int {
	if column == nil {
		return 0
	}
	return int(column[k])
}

// rows returns a function that returns the row of the data that a line means.
func (l *List) rows(d *data.Dataset) (func(line int) (int32, error), error) {
	if l.row != nil {
		return func(k int) (int32, error) {
			switch row := int(l.row[k]); {
			case row < 0:
				return 0, errors.New("no number of the row, expected a whole number from 0")
			case row >= d.Rows():
				return 0, fmt.Errorf("row %d, expected one of the %d of the data, which are counted from 0 without those that are left out", row, d.Rows())
			case l.id != nil && l.id[k] != "" && l.id[k] != d.RowID(row):
				return 0, fmt.Errorf("row %d has the id %q in the data, and %q here: the rows are others, or in another order", row, d.RowID(row), l.id[k])
			default:
				return int32(row), nil
			}
		}, nil
	}
	byID := make(map[string]int32, d.Rows())
	for i := range d.Rows() {
		id := d.RowID(i)
		if other, twice := byID[id]; twice {
			return nil, fmt.Errorf("%s: rows are named by id, and rows %d and %d of the data have the same, %q; expected a column row, numbers from 0", l.file, other, i, id)
		}
		byID[id] = int32(i)
	}
	return func(k int) (int32, error) {
		row, known := byID[l.id[k]]
		if !known {
			return 0, fmt.Errorf("no row of the data has the id %q", l.id[k])
		}
		return row, nil
	}, nil
}
