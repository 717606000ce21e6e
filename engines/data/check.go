package data

import (
	"fmt"
	"math"
)

// Check verifies that the parts are consistent. Its errors name rows; those of readers, which check first, name files and lines.
func (d *Dataset) Check() error {
	rows, cols := d.X.Dims()
	if rows == 0 {
		return fmt.Errorf("no rows")
	}
	if d.Features.Len() != cols {
		return fmt.Errorf("%d feature names for %d columns", d.Features.Len(), cols)
	}
	if len(d.Targets) == 0 {
		return fmt.Errorf("no target")
	}
	if err := d.CheckIndices(); err != nil {
		return err
	}
	for t := range d.Targets {
		if err := d.checkTarget(&d.Targets[t], rows); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name string
		n    int
	}{{"times", len(d.Time)}, {"weights", len(d.Weight)}, {"exposures", len(d.Exposure)}, {"parts", len(d.Part)}} {
		if part.n != 0 && part.n != rows {
			return fmt.Errorf("%d %s for %d rows", part.n, part.name, rows)
		}
	}
	for i, w := range d.Weight {
		if !(w >= 0) || w-w != 0 {
			return fmt.Errorf("row %s: weight %v, expected a number of 0 or more", d.RowID(i), w)
		}
	}
	for i, t := range d.Exposure {
		if !(t > 0) || t-t != 0 {
			return fmt.Errorf("row %s: exposure %v, expected a number above 0", d.RowID(i), t)
		}
	}
	if d.Groups != nil && len(d.Groups.Of) != rows {
		return fmt.Errorf("%d group numbers for %d rows", len(d.Groups.Of), rows)
	}
	return d.checkAccount()
}

func (d *Dataset) checkTarget(t *Target, rows int) error {
	want := rows
	if t.Rows != nil {
		want = len(t.Rows)
	}
	if len(t.Values) != want && t.Pairs == nil {
		return fmt.Errorf("target %s: %d values for %d rows", t.Name, len(t.Values), want)
	}
	for k, y := range t.Values {
		i := t.RowOf(k)
		if y-y != 0 && !((t.Type == Real || t.Type == Count) && y != y) {
			return fmt.Errorf("target %s, row %s: value %v, expected a finite number", t.Name, d.RowID(i), y)
		}
		if t.Type == Class && (y < 0 || int(y) >= len(t.Levels) || y != float64(int(y))) {
			return fmt.Errorf("target %s, row %s: label %v outside 0..%d", t.Name, d.RowID(i), y, len(t.Levels)-1)
		}
		if t.Type == Count && (y < 0 || y != math.Floor(y) && y == y) {
			return fmt.Errorf("target %s, row %s: count %v, expected a whole number of 0 or more", t.Name, d.RowID(i), y)
		}
		if t.Type == Survival && y <= 0 {
			return fmt.Errorf("target %s, row %s: time %v, expected a number above 0", t.Name, d.RowID(i), y)
		}
	}
	return nil
}

// labels returns the number of levels of the only target, where that is a class on every row; else 0.
func (d *Dataset) labels() int {
	if len(d.Targets) != 1 || d.Targets[0].Type != Class || d.Targets[0].Rows != nil {
		return 0
	}
	return len(d.Targets[0].Levels)
}

// CheckIndices verifies that every index (of a row, a group, a class of columns) is in range. O(rows + columns).
func (d *Dataset) CheckIndices() error {
	rows, cols := d.X.Dims()
	if len(d.IDs) != 0 && len(d.IDs) != rows {
		return fmt.Errorf("%d ids for %d rows", len(d.IDs), rows)
	}
	for _, t := range d.Targets {
		if err := t.checkIndices(rows); err != nil {
			return fmt.Errorf("target %s: %w", t.Name, err)
		}
	}
	if d.Groups != nil {
		for i, g := range d.Groups.Of {
			if g < 0 || d.Groups.Key != nil && int(g) >= len(d.Groups.Key) {
				return fmt.Errorf("row %d: group %d, expected 0..%d", i, g, len(d.Groups.Key)-1)
			}
		}
	}
	if d.Sequences != nil {
		if err := d.Sequences.Check(rows, cols, d.labels(), d.X.Binary()); err != nil {
			return fmt.Errorf("sequences: %w", err)
		}
	}
	if d.Tasks != nil {
		if err := d.Tasks.check(rows); err != nil {
			return err
		}
	}
	if err := checkTruth(d.Truth, cols, len(d.Targets)); err != nil {
		return err
	}
	if err := d.Texts.Check(cols); err != nil {
		return err
	}
	if n := len(d.Factor); n != 0 && n != cols {
		return fmt.Errorf("%d factors for %d columns", n, cols)
	}
	if f := d.Features; f.class != nil && len(f.class) != len(f.offset)-1 {
		return fmt.Errorf("%d classes of columns for %d columns", len(f.class), len(f.offset)-1)
	}
	for j := range cols {
		if c := d.Features.Class(j); c < -1 || c >= len(d.Features.classes) {
			return fmt.Errorf("column %d: class %d, expected -1..%d", j, c, len(d.Features.classes)-1)
		}
	}
	return nil
}

func (t *Target) checkIndices(rows int) error {
	last := int32(-1)
	for k, i := range t.Rows {
		if i <= last || int(i) >= rows {
			return fmt.Errorf("entry %d is row %d, expected rising numbers below %d", k, i, rows)
		}
		last = i
	}
	if n := len(t.Numbers); n != 0 && (n != len(t.Values) || len(t.Levels) != 2) {
		return fmt.Errorf("%d numbers to cut into %d levels for %d values, expected one a value, and two levels", n, len(t.Levels), len(t.Values))
	}
	if n := len(t.Events); n != 0 && n != len(t.Values) || n == 0 && t.Type == Survival {
		return fmt.Errorf("%d events for %d values", n, len(t.Values))
	}
	for k, e := range t.Events {
		if e != 0 && e != 1 {
			return fmt.Errorf("entry %d is event %d, expected 0 or 1", k, e)
		}
	}
	p := t.Pairs
	if p == nil {
		return nil
	}
	if len(p.Left) != rows || len(p.Right) != rows || t.Rows != nil {
		return fmt.Errorf("%d left and %d right sides, expected one a row (%d)", len(p.Left), len(p.Right), rows)
	}
	if n := len(t.Values); n != 0 && n != rows {
		return fmt.Errorf("%d values for %d rows", n, rows)
	}
	return nil
}
