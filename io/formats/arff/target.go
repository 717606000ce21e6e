package arff

import (
	"fmt"

	"tenfold/engines/data"
	"tenfold/io/source"
)

// target is a response that is being read: numbers, or numbers of levels.
type target struct {
	attribute
	values []float64    // of the rows that have one; a real one is NaN where it is missing
	labels source.Texts // in place of values, if the attribute is text
	gaps   []int32      // rows without a value
}

// buildTarget makes the target of all rows.
func (t *target) buildTarget(rows int, asks source.Response) (data.Target, error) {
	out := data.Target{Name: t.name, Type: data.Real, Values: t.values}
	switch {
	case len(t.gaps) == rows:
		return out, fmt.Errorf("target %s: every value is missing", t.name)
	case t.text && asks.TargetType() == data.Real:
		return out, fmt.Errorf("target %s is text, expected numbers for a target of type real", t.name)
	case t.text:
		var err error
		if out, err = t.labels.Class(t.name, asks.Positive); err != nil {
			return out, err
		}
	case t.levels != nil && asks.TargetType() == data.Real:
		return out, fmt.Errorf("target %s has the values %s, expected numbers for a target of type real", t.name, source.Abridge(t.levels))
	case t.levels == nil && asks.TargetType() != data.Class:
		return out, nil
	case t.levels == nil:
		var texts source.Texts
		for _, v := range t.values {
			if v == v {
				texts.Add(fmt.Sprint(v))
			}
		}
		var err error
		if out, err = texts.Class(t.name, asks.Positive); err != nil {
			return out, err
		}
	default:
		out.Type, out.Levels = data.Class, t.levels
		positive := asks.Positive
		if len(t.levels) == 2 && positive == "" {
			positive = t.levels[t.on]
		}
		var err error
		if out, err = source.Positive(out, positive); err != nil {
			return out, err
		}
	}
	out.Rows = t.definedRows(rows)
	return out, nil
}

// definedRows returns the rows that have a value; nil for all.
func (t *target) definedRows(rows int) []int32 {
	if len(t.gaps) == 0 {
		return nil
	}
	var out []int32
	for i, gaps := int32(0), t.gaps; int(i) < rows; i++ {
		if len(gaps) > 0 && gaps[0] == i {
			gaps = gaps[1:]
			continue
		}
		out = append(out, i)
	}
	return out
}
