package cells

import (
	"errors"
	"maps"
	"slices"

	"tenfold/engines/param"
	"tenfold/engines/suggest"
)

// always lists the dimensions that every cell has.
var always = []string{"dataset", "algorithm", "engine"}

// Parameters holds the grid parameters of an experiment file: those that vary, including task and point if it has families or
// paths, and those that could vary, which must be known too, since a grid may have been replaced by one value.
type Parameters struct{ Varied, Fixed []string }

// CheckDimension refuses, at a field of the file, a name that no dimension can have; besides lists further allowed names.
func (p Parameters) CheckDimension(field, name string, besides ...string) error {
	have := slices.Concat(always, besides, p.Varied)
	if slices.Contains(have, name) || slices.Contains(p.Fixed, name) {
		return nil
	}
	hint := suggest.DidYouMean(name, slices.Concat(have, p.Fixed))
	if hint == "" {
		hint = suggest.Choices(name, have)
	}
	return param.Errorf(field, "unknown dimension %q%s", name, hint)
}

// CheckPatterns calls CheckDimension for all keys of a field that has patterns by dimension.
func (p Parameters) CheckPatterns(field string, patterns map[string]string) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(patterns)) {
		errs = append(errs, p.CheckDimension(field+"."+name, name))
	}
	return errors.Join(errs...)
}
