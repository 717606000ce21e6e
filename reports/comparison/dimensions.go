package comparison

import (
	"errors"

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
	return errors.Join(append(errs, p.CheckPatterns("filter", c.Filter))...)
}

// ValidateDimensions refuses names that no dimension can have.
func (v Published) ValidateDimensions(varied, fixed []string) error {
	return cells.Parameters{Varied: varied, Fixed: fixed}.CheckPatterns("where", v.Where)
}
