package source

import (
	"errors"
	"strconv"
	"strings"

	"tenfold/engines/param"
	"tenfold/engines/prepare"
)

// Treatment holds the options for how engines treat columns, apart from their values. Every format has them, under features.
type Treatment struct {
	Keep    []string `yaml:"keep" key:"-" doc:"columns that are in every model, by name; a categorical column's name stands for all its levels, * matches any text. Engines select among the others"`
	Penalty Factors  `yaml:"penalty" key:"-" doc:"name, with * for any text: factor of the penalty of these columns, 0 or more, .inf for no model at all. The last name that fits a column counts; the others have 1"`
	Unit    string   `yaml:"unit" key:"-" doc:"what counts as one: column; variable, the levels of a categorical column; together, these and they are selected as one"`
	Probes  Probes   `yaml:"probes"`
}

// Factors lists factors of the penalty, in the order of the file.
type Factors []Factor

// Factor is the factor of the columns that match a pattern.
type Factor struct {
	Pattern string
	Value   float64
}

// MarshalText writes the factor as in the file; infinity as +Inf.
func (f Factor) MarshalText() ([]byte, error) {
	return []byte(f.Pattern + ": " + factorText(f.Value)), nil
}

func factorText(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }

// Validate checks the options without the data.
func (t Treatment) Validate() error {
	errs := []error{t.Probes.Validate(), param.OneOf("features.unit", t.Unit, "", "column", prepare.Variable, prepare.Together)}
	for k, pattern := range t.Keep {
		if strings.ContainsAny(pattern, "\n\t") || pattern == "" {
			errs = append(errs, param.Errorf("features.keep["+strconv.Itoa(k)+"]", "%q, expected the name of a column", pattern))
		}
	}
	for _, f := range t.Penalty {
		if strings.ContainsAny(f.Pattern, "\n\t") || f.Pattern == "" {
			errs = append(errs, param.Errorf("features.penalty", "%q, expected the name of a column", f.Pattern))
		}
		if !(f.Value >= 0) {
			errs = append(errs, param.Errorf("features.penalty", "%q: %v, expected a factor of 0 or more, or .inf", f.Pattern, f.Value))
		}
	}
	return errors.Join(errs...)
}

// Into adds the options to a recipe.
func (t Treatment) Into(r prepare.Recipe) prepare.Recipe {
	r.Treatment.Keep = strings.Join(t.Keep, "\n")
	var lines []string
	for _, f := range t.Penalty {
		lines = append(lines, f.Pattern+"\t"+factorText(f.Value))
	}
	r.Treatment.Penalty = strings.Join(lines, "\n")
	if t.Unit != "column" {
		r.Treatment.Unit = t.Unit
	}
	return t.Probes.Into(r)
}
