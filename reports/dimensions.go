package reports

import (
	"errors"
	"fmt"
)

// ValidateDimensions refuses names that no dimension of a table or figure can have.
func (c Config) ValidateDimensions(varied, fixed []string) error {
	var errs []error
	for i, t := range c.Tables {
		errs = append(errs, below(fmt.Sprintf("tables.%d.", i), t.ValidateDimensions(varied, fixed)))
	}
	for i, f := range c.Figures {
		errs = append(errs, below(fmt.Sprintf("figures.%d.", i), f.ValidateDimensions(varied, fixed)))
	}
	return errors.Join(errs...)
}
