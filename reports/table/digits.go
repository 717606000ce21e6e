package table

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/results"
)

// missing stands for a number that does not exist.
const missing = "–"

// huge numbers are written with an exponent.
const huge = 1e12

// digits writes numbers of one metric with the same number of decimals, so that they can be compared down a column.
type digits struct{ decimals int }

// digitsFor gives four significant digits to the median of the numbers.
func digitsFor(all []results.Stat) digits {
	var sizes []float64
	whole, folds, most := true, 0, 0.0
	for _, s := range all {
		if s.N == 0 {
			continue
		}
		whole = whole && s.Whole
		folds, most = max(folds, s.N), max(most, s.Max)
		if m := math.Abs(s.Mean); m > 0 && !math.IsInf(m, 0) {
			sizes = append(sizes, m)
		}
	}
	switch {
	case whole && folds <= 1 || len(sizes) == 0:
		return digits{0}
	case whole && most > 1: // counts: what is 0 or 1 on every fold may be a share, of one test row
		return digits{1}
	}
	slices.Sort(sizes)
	leading := int(math.Floor(math.Log10(sizes[len(sizes)/2])))
	return digits{min(max(3-leading, 0), 6)}
}

// number is x with these decimals; where that would leave nothing of it, two significant digits.
func (d digits) number(x float64) string {
	switch {
	case math.IsNaN(x):
		return missing
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "−∞"
	case math.Abs(x) >= huge:
		return minus(strconv.FormatFloat(x, 'g', 4, 64))
	case x != 0 && math.Abs(x) < 0.5*math.Pow10(-d.decimals):
		return minus(strconv.FormatFloat(x, 'g', 2, 64))
	}
	return d.spread(x)
}

// spread is x with these decimals, even where nothing of it is left, as of a standard error beside its mean.
func (d digits) spread(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) >= huge {
		return d.number(x)
	}
	return minus(strconv.FormatFloat(x+0, 'f', d.decimals, 64)) // + 0: no sign of zero
}

// signed is a difference, with the sign always shown. What is left of equal numbers after rounding is 0.
func (d digits) signed(x float64) string {
	if math.Abs(x) < 1e-8*math.Pow10(-d.decimals) {
		x = 0
	}
	if x > 0 {
		return "+" + d.number(x)
	}
	return d.number(x)
}

// minus sets a true minus sign before a number.
func minus(s string) string {
	if strings.HasPrefix(s, "-") {
		return "−" + s[1:]
	}
	return s
}
