package figure

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
	for _, name := range slices.Sorted(maps.Keys(c.Where)) {
		errs = append(errs, p.CheckDimension("where."+name, name))
	}
	return errors.Join(errs...)
}
