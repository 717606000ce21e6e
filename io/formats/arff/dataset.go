package arff

import (
	"fmt"
	"slices"

	"tenfold/engines/data"
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
		first, number := len(names), int32(-1)
		if a.levels != nil && (len(a.levels) != 2 || r.absent[k] >= 0) {
			number = factors
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
			factor = append(factor, number)
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
	d.Account.Rows.Found, d.Account.Columns = r.rows, countColumns(r.attributes)
	for _, t := range r.targets {
		target, err := t.buildTarget(r.rows, r.asks)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		d.Targets = append(d.Targets, target)
	}
	return d, nil
}
