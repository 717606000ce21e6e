package source

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/io/rawtext"
)

// Labels collects the labels of formats with one label per row, which is their only target: numbers, or levels.
type Labels struct {
	Type data.Type // Any: labels are not read

	numbers []float64
	levels  Texts
	endings Endings
}

// labelTarget is the name of the target.
const labelTarget = "label"

// Add appends the label of the next row.
func (l *Labels) Add(label []byte) error {
	if l.Type == data.Class {
		if !utf8.Valid(label) {
			return fmt.Errorf("label %q, expected UTF-8 text", rawtext.Beginning(label))
		}
		return l.levels.AddLevel(string(label))
	}
	y, ok := rawtext.ParseNumber(string(label))
	switch {
	case l.Type == data.Survival && (!ok || y == 0):
		return fmt.Errorf("label %q, expected the time of an event, or that of a censored row with a minus before it", rawtext.Beginning(label))
	case l.Type == data.Survival:
		l.numbers = append(l.numbers, math.Abs(y))
		l.endings.Of = append(l.endings.Of, map[bool]int8{true: 1}[y > 0])
		return nil
	case !ok:
		return fmt.Errorf("label %q, expected a finite number; if labels are names, say target: class", rawtext.Beginning(label))
	}
	l.numbers = append(l.numbers, y)
	return nil
}

// Texts returns the labels of a class.
func (l *Labels) Texts() *Texts { return &l.levels }

// Append adds the labels of further rows.
func (l *Labels) Append(next *Labels) {
	l.numbers = append(l.numbers, next.numbers...)
	l.levels.Append(&next.levels)
	l.endings.Of = append(l.endings.Of, next.endings.Of...)
}

// Grow makes room for the labels of so many further rows.
func (l *Labels) Grow(rows int) {
	switch l.Type {
	case data.Any:
	case data.Class:
		l.levels.Of = slices.Grow(l.levels.Of, rows)
	default:
		l.numbers = slices.Grow(l.numbers, rows)
	}
}

// Targets returns the target of all rows; none if no labels were read. The positive level may be "".
func (l *Labels) Targets(positive string) ([]data.Target, error) {
	switch l.Type {
	case data.Any:
		return nil, nil
	case data.Class:
		t, err := l.levels.Class(labelTarget, positive)
		return []data.Target{t}, err
	}
	if l.Type == data.Survival {
		return []data.Target{l.endings.Target(labelTarget, l.numbers)}, nil
	}
	return []data.Target{{Name: labelTarget, Type: data.Real, Values: l.numbers}}, nil
}

// OccurringRecipe returns the recipe for data whose columns are what rows have: the columns that occur in training rows.
func (p Plain) OccurringRecipe() prepare.Recipe {
	r := p.Recipe()
	r.Cutoff = max(1, r.Cutoff)
	return r
}

// CheckLabelled checks the options by themselves, for a format with labels.
func (p Plain) CheckLabelled() error {
	return p.Check("the format has one target, the label of each row")
}

// DeclareLabelled declares the target and roles of a format with labels before it is loaded.
func (p Plain) DeclareLabelled() Declares {
	return p.Declare(Declares{Targets: []Declared{{Name: labelTarget, Type: p.TargetType()}}, Roles: PartRoles()})
}

// AsksLabel returns the type as which labels of new rows are read, Any if responses are not asked for.
func (a Application) AsksLabel() data.Type {
	if !a.Responses {
		return data.Any
	}
	return a.TargetType(labelTarget)
}
