// Package labelled reads text in which a line is a row: a label, then named features or words, apart by blanks.
package labelled

import (
	"context"
	"fmt"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Target is the label of each line.
type Target struct {
	Name     string `yaml:"name" read:"scalar" doc:"class: the label of each row"`
	Positive string `yaml:"positive" doc:"the level that counts as positive, for two classes; by default the last"`
}

// label is the name of the only target.
const label = "class"

// Validate checks the name.
func (t Target) Validate() error { return param.OneOf("target", t.Name, label) }

// rows collects rows of named features. Columns are in order of first appearance.
type rows struct {
	class   source.Texts
	weight  []float64
	names   []string
	number  map[string]int32
	x       sparse.Builder
	parts   []int8
	idx     []int32 // of the row being read
	val     []float64
	last    []int32 // row, from 1, in which each column stood last
	repeats int     // features given again in one row
}

func newRows() *rows { return &rows{number: map[string]int32{}} }

// beginRow begins a row of a class.
func (r *rows) beginRow(class string) {
	r.class.Add(class)
	r.idx, r.val = r.idx[:0], r.val[:0]
}

func (r *rows) len() int { return len(r.class.Of) }

// seenInRow reports whether the row being read has the feature already, and counts it.
func (r *rows) seenInRow(name string) (column int32, again bool) {
	column, known := r.number[name]
	if !known {
		column = int32(len(r.names))
		name = strings.Clone(name)
		r.number[name] = column
		r.names, r.last = append(r.names, name), append(r.last, 0)
	}
	row := int32(r.len())
	if again = r.last[column] == row; again {
		r.repeats++
	}
	r.last[column] = row
	return column, again
}

// setFeature gives the row a 0/1 feature; one given twice counts once.
func (r *rows) setFeature(name string) {
	if column, again := r.seenInRow(name); !again {
		r.idx = append(r.idx, column)
	}
}

// endRow ends the row: val holds the values where there are any.
func (r *rows) endRow(part int8) error {
	r.parts = append(r.parts, part)
	if len(r.val) > 0 {
		return r.x.Add(r.idx, r.val)
	}
	return r.x.Add(r.idx, nil)
}

// buildDataset makes the data set of the rows.
func (r *rows) buildDataset(t Target) (*data.Dataset, error) {
	target, err := r.class.Class(label, t.Positive)
	if err != nil {
		return nil, err
	}
	d := &data.Dataset{
		X: r.x.Matrix(len(r.names)), Features: data.NewFeatures(r.names), Targets: []data.Target{target}, Weight: r.weight,
	}
	for _, p := range r.parts {
		if p != 0 {
			d.Part = r.parts
		}
	}
	d.Facts = []data.Fact{{Name: "features given again in one row, counted once", Value: fmt.Sprint(r.repeats)}}
	return d, nil
}

// eachLine calls f with the fields of every line that has any, file after file, and with the number of the file.
func eachLine(ctx context.Context, in source.Input, encoding string, f func(part int8, fields []string) error) error {
	for part, role := range source.Parts(in) {
		content, file, err := in.Bytes(role)
		if err != nil {
			return err
		}
		if content, err = rawtext.Decode(content, encoding, file); err != nil {
			return err
		}
		found := false
		for lines := rawtext.LinesOf(content, file); lines.Next(); {
			if lines.Number%(1<<14) == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			fields := strings.FieldsFunc(string(lines.Line), rawtext.Blank)
			if len(fields) == 0 {
				continue
			}
			found = true
			if err := f(int8(part), fields); err != nil {
				return lines.Errorf("%w", err)
			}
		}
		if !found {
			return fmt.Errorf("%s: no rows, expected lines of a label and what follows it", file)
		}
	}
	return ctx.Err()
}
