package bylevel

import (
	"cmp"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
)

// join merges the reports of the fits of the levels, with a note of Fit's own for each level ("" for none). It adds up work, and
// certificates and descriptions if all models have them: they then refer to the sum of the levels' objectives and bits. A note or
// fact of a single level is preceded by its name.
func join(levels []string, parts []engines.Model, notes []string) engines.Fitted {
	out := engines.Fitted{Best: -1, Probabilities: true}
	var stops []string
	var certificates []*engines.Certificate
	var descriptions []*engines.Description
	for level, part := range parts {
		prefix := about(levels[level])
		if notes[level] != "" {
			out.Notes = append(out.Notes, prefix+notes[level])
		}
		if part == nil {
			continue
		}
		f := fitted(part)
		if f.Stop != "" && !slices.Contains(stops, f.Stop) {
			stops = append(stops, f.Stop)
		}
		out.Iterations += f.Iterations
		if f.Best >= 0 { // the model is that of an earlier step than the last
			out.Iterations += f.Best - f.Iterations
		}
		out.Evaluated += f.Evaluated
		out.Optimistic = out.Optimistic || f.Optimistic
		out.Probabilities = out.Probabilities && f.Probabilities
		certificates, descriptions = append(certificates, f.Certificate), append(descriptions, f.Description)
		for _, n := range f.Notes {
			out.Notes = append(out.Notes, prefix+n)
		}
		for _, fact := range f.Facts {
			out.Facts = append(out.Facts, data.Fact{Name: prefix + fact.Name, Value: fact.Value})
		}
	}
	out.Stop = cmp.Or(strings.Join(stops, ", "), "no_model")
	out.Certificate = total(certificates, func(sum, c *engines.Certificate) {
		sum.Objective, sum.Dual = sum.Objective+c.Objective, sum.Dual+c.Dual
	})
	out.Description = total(descriptions, func(sum, d *engines.Description) {
		sum.Null, sum.Responses, sum.Model = sum.Null+d.Null, sum.Responses+d.Responses, sum.Model+d.Model
	})
	return out
}

// about returns the prefix of what is reported of one level.
func about(level string) string { return level + " against the rest: " }

// fitted returns the report of a fit; a model without one promises nothing.
func fitted(m engines.Model) engines.Fitted {
	if r, ok := m.(engines.Reporter); ok {
		return r.Fitted()
	}
	return engines.Fitted{Best: -1}
}

// total returns the sum of all; nil if one is missing, or there are none.
func total[T any](parts []*T, add func(sum, part *T)) *T {
	if len(parts) == 0 || slices.Contains(parts, nil) {
		return nil
	}
	sum := new(T)
	for _, p := range parts {
		add(sum, p)
	}
	return sum
}

// joinCoefs collects the coefficients of the levels' models. Features that only models have are renumbered, one number a name.
func (m *Model) joinCoefs() {
	columns, number := m.features.Len(), map[string]int{}
	for level, part := range m.parts {
		if part == nil {
			continue
		}
		for _, c := range oneSided(part.Coefs()) {
			c.Output = level
			if named, ok := part.(engines.Namer); ok && c.Feature >= columns {
				name := named.FeatureName(c.Feature)
				if _, known := number[name]; !known {
					number[name] = columns + len(m.names)
					m.names = append(m.names, name)
				}
				c.Feature = number[name]
			}
			m.coefs = append(m.coefs, c)
		}
	}
	slices.SortFunc(m.coefs, func(a, b engines.Coef) int {
		return cmp.Or(cmp.Compare(a.Output, b.Output), cmp.Compare(a.Feature, b.Feature))
	})
}

// oneSided returns the coefficients of two outputs as those of the second against the first. If a feature has both, the one that
// entered first is kept for its entry.
func oneSided(coefs []engines.Coef) []engines.Coef {
	both := slices.Clone(coefs)
	for k := range both {
		if both[k].Output == 0 {
			both[k].Value = -both[k].Value
		}
	}
	slices.SortStableFunc(both, func(a, b engines.Coef) int { return cmp.Compare(a.Feature, b.Feature) })
	var out []engines.Coef
	for _, c := range both {
		last := len(out) - 1
		if last < 0 || out[last].Feature != c.Feature {
			out = append(out, c)
			continue
		}
		sum := out[last].Value + c.Value
		if c.Rank >= 0 && (out[last].Rank < 0 || c.Rank < out[last].Rank) {
			out[last] = c
		}
		out[last].Value = sum
	}
	return slices.DeleteFunc(out, func(c engines.Coef) bool { return c.Value == 0 })
}
