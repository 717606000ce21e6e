package figure

import "tenfold/reports/cells"

// ValidateDimensions refuses names that no dimension can have.
func (c Config) ValidateDimensions(varied, fixed []string) error {
	return cells.Parameters{Varied: varied, Fixed: fixed}.CheckPatterns("where", c.Where)
}
