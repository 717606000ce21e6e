package tabular

import (
	"errors"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// Target is the target of a table.
type Target struct {
	source.Response `yaml:",inline"`
	Separator       string `yaml:"separator" doc:"what is between the labels of a cell, such as \",\" of \"2,27\": each label is then a target, 1 in the rows that have it and 0 in the others; an empty cell has none"`
}

// Validate checks the options by themselves.
func (t Target) Validate() error {
	errs := []error{t.Response.Validate()}
	if t.Separator != "" {
		errs = append(errs,
			param.Require("target.separator", t.Column != "", "%q, but target.column does not say which column has several labels in a cell", t.Separator),
			param.Require("target.separator", t.Type == "" && t.Positive == "" && t.Binarize == "" && t.Missing != "mean",
				"%q: labels are classes of 0 and 1, of which 1 is positive: leave type, positive, binarize and missing: mean out", t.Separator))
	}
	return errors.Join(errs...)
}

// Names returns the names of the targets; nil if the labels in the cells are their names.
func (t Target) Names() []string {
	if t.Separator != "" {
		return nil
	}
	return t.Response.Names()
}

// labelSets is a column with several labels in a cell.
type labelSets struct {
	separator string
	missing   string       // what an empty cell is: "" (none of the labels), error, drop-rows
	labels    source.Texts // of all rows, one after the other
	row       []int32      // of each
	rows      int
	known     []int32 // rows that have a cell
}

func newLabelSets(t Target, m *model) *labelSets {
	l := &labelSets{separator: t.Separator, missing: t.Missing}
	if m != nil {
		l.missing = ""
		for _, target := range m.Targets {
			l.labels.Know(target.Name)
		}
	}
	return l
}

func (l *labelSets) AddCell(c tablefile.Cell) error {
	row := int32(l.rows)
	l.rows++
	if c.Missing() {
		if l.missing == "error" {
			return errMissing
		}
		return nil
	}
	l.known = append(l.known, row)
	for label := range strings.SplitSeq(c.Text(), l.separator) {
		if label = strings.TrimSpace(label); label != "" {
			l.labels.Add(label)
			l.row = append(l.row, row)
		}
	}
	return nil
}

// targets returns a target of two levels for each label, in order of the labels.
func (l *labelSets) targets() ([]data.Target, error) {
	names, place := l.labels.Levels()
	if len(names) == 0 {
		return nil, errors.New("target: no row has a label")
	}
	targets := make([]data.Target, len(names))
	for t, name := range names {
		targets[t] = data.Target{Name: name, Type: data.Class, Levels: []string{"0", "1"}, Positive: 1, Values: make([]float64, l.rows)}
	}
	for q, k := range l.labels.Of {
		targets[place[k]].Values[l.row[q]] = 1
	}
	for t := range targets {
		if l.missing != "" && len(l.known) < l.rows {
			targets[t].Rows, targets[t].Values = l.known, data.ValuesAt(targets[t].Values, l.known)
		}
	}
	return targets, nil
}
