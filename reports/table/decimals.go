package table

import "tenfold/io/results"

// Decimals writes numbers of one metric alike, so that they can be compared: with the decimals that give the median of
// them four significant digits.
type Decimals struct{ digits }

// DecimalsFor chooses them.
func DecimalsFor(all []results.Stat) Decimals { return Decimals{digitsFor(all)} }

// Number is x, or a dash where it does not exist.
func (d Decimals) Number(x float64) string { return d.number(x) }

// Signed is x with its sign.
func (d Decimals) Signed(x float64) string { return d.signed(x) }
