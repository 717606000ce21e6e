package table

import (
	"errors"
	"maps"
	"slices"

	"tenfold/reports/cells"
)

// ValidateDimensions refuses names that no dimension can have.
func (c Config) ValidateDimensions(varied, fixed []string) error {
	p := cells.Parameters{Varied: varied, Fixed: fixed}
	var errs []error
	for _, axis := range []struct{ field, names string }{{"rows", c.Rows}, {"columns", c.Columns}, {"by", c.By}, {"over", c.Over}} {
		for _, name := range cells.Split(axis.names) {
			errs = append(errs, p.CheckDimension(axis.field, name, "metric"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Filter)) {
		errs = append(errs, p.CheckDimension("filter."+name, name))
	}
	return errors.Join(errs...)
}

// ValidateDimensions refuses names that no dimension can have.
func (v Published) ValidateDimensions(varied, fixed []string) error {
	p := cells.Parameters{Varied: varied, Fixed: fixed}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(v.Where)) {
		errs = append(errs, p.CheckDimension("where."+name, name))
	}
	return errors.Join(errs...)
}
