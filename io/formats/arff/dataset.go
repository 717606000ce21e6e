package arff

import (
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/io/source"
)

// buildDataset makes the data set of all rows.
func (r *reader) buildDataset(groups string, parts []int8) (*data.Dataset, error) {
	d := &data.Dataset{IDs: r.ids, Part: parts}
	var names []string
	var factors int32
	var factor []int32
	to := make([]int32, r.columns+len(r.extra)) // place of each column that was read
	for k, a := range r.attributes {
		if a.part != feature {
			continue
		}
		first, of := len(names), int32(-1)
		if a.levels != nil && (len(a.levels) != 2 || r.absent[k] >= 0) {
			of = factors
			factors++
		}
		switch {
		case a.levels == nil || len(a.levels) == 2 && meansYes(a.levels[a.on], a.levels[1-a.on]):
			names = append(names, a.name)
		case len(a.levels) == 2:
			names = append(names, a.name+"="+a.levels[a.on])
		default:
			for _, l := range a.levels {
				names = append(names, a.name+"="+l)
			}
		}
		for j := first; j < len(names); j++ {
			to[int(r.first[k])+j-first] = int32(j)
		}
		if int(r.absent[k]) >= r.columns {
			to[r.absent[k]] = int32(len(names))
			names = append(names, a.name+"="+data.Missing)
		}
		for len(factor) < len(names) {
			factor = append(factor, of)
		}
	}
	if factors > 0 {
		d.Factor = factor
	}
	d.X, d.Features = r.x.Matrix(len(to)), data.NewFeatures(names)
	if len(r.extra) > 0 {
		d.X = d.X.Place(len(to), to, to)
	}
	if d.Weight = r.weights; d.Weight != nil {
		for len(d.Weight) < r.rows {
			d.Weight = append(d.Weight, 1)
		}
		if !slices.ContainsFunc(d.Weight, func(w float64) bool { return w != d.Weight[0] }) {
			d.Weight = nil // equal ones say nothing
		}
	}
	if groups != "" {
		d.Groups = data.GroupBy(groups, r.groups)
	}
	for _, t := range r.targets {
		target, err := t.buildTarget(r.rows, r.asks)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		d.Targets = append(d.Targets, target)
	}
	return d, nil
}

// buildTarget makes the target of all rows.
func (t *target) buildTarget(rows int, asks source.Response) (data.Target, error) {
	out := data.Target{Name: t.name, Type: data.Real, Values: t.values}
	switch {
	case len(t.gaps) == rows:
		return out, fmt.Errorf("target %s: every value is missing", t.name)
	case t.text && asks.Asks() == data.Real:
		return out, fmt.Errorf("target %s is text, expected numbers for a target of type real", t.name)
	case t.text:
		var err error
		if out, err = t.labels.Class(t.name, asks.Positive); err != nil {
			return out, err
		}
	case t.levels != nil && asks.Asks() == data.Real:
		return out, fmt.Errorf("target %s has the values %s, expected numbers for a target of type real", t.name, source.Abridge(t.levels))
	case t.levels == nil && asks.Asks() != data.Class:
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
		if len(t.levels) == 2 {
			out.Positive = t.on
		}
		var err error
		if out, err = source.Positive(out, asks.Positive); err != nil {
			return out, err
		}
	}
	out.Rows = t.definedRows(rows)
	return out, nil
}

// definedRows are the rows that have a value; nil for all.
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
