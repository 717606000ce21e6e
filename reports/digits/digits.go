// Package digits formats numbers for people: those of one metric with the same decimals, a true minus sign, and a dash for missing
// ones.
package digits

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/results"
)

// Missing is the text for a missing number.
const Missing = "–"

// huge is the size from which numbers are written with an exponent.
const huge = 1e12

// Decimals is the number of decimals of all numbers of one metric, so that they can be compared down a column.
type Decimals int

// mostDecimals of a number; smaller ones have an exponent.
const mostDecimals Decimals = 6

// For returns the decimals that give the median of the numbers four significant digits; counts have none, and their means one.
func For(all []results.Stat) Decimals {
	var sizes []float64
	whole, folds, most := true, 0, 0.0
	for _, s := range all {
		if s.N == 0 {
			continue
		}
		whole = whole && s.Integers
		folds, most = max(folds, s.N), max(most, s.Max)
		if m := math.Abs(s.Mean); m > 0 && !math.IsInf(m, 0) {
			sizes = append(sizes, m)
		}
	}
	switch {
	case whole && folds <= 1 || len(sizes) == 0:
		return 0
	case whole && most > 1: // counts: 0 or 1 on every fold may be a share, of one test row
		return 1
	}
	slices.Sort(sizes)
	leading := int(math.Floor(math.Log10(sizes[len(sizes)/2])))
	return min(Decimals(max(3-leading, 0)), mostDecimals)
}

// Number formats x with these decimals; if that rounds it to zero, with two significant digits.
func (d Decimals) Number(x float64) string {
	switch {
	case math.IsNaN(x):
		return Missing
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "−∞"
	case math.Abs(x) >= huge:
		return minus(strconv.FormatFloat(x, 'g', 4, 64))
	case x != 0 && math.Abs(x) < 0.5*math.Pow10(-int(d)):
		return minus(strconv.FormatFloat(x, 'g', 2, 64))
	}
	return d.fixed(x)
}

// Spread formats x with these decimals, as for a standard error beside its mean. It rounds to zero where the mean has significant digits;
// with the most decimals the mean may have none, and x has two.
func (d Decimals) Spread(x float64) string {
	if !results.Finite(x) || math.Abs(x) >= huge || d == mostDecimals {
		return d.Number(x)
	}
	return d.fixed(x)
}

func (d Decimals) fixed(x float64) string {
	return minus(strconv.FormatFloat(x+0, 'f', int(d), 64)) // + 0: no sign of zero
}

// Signed formats a difference, with the sign always shown. Equal numbers that differ by rounding give 0.
func (d Decimals) Signed(x float64) string {
	if math.Abs(x) < 1e-8*math.Pow10(-int(d)) {
		x = 0
	}
	if x > 0 {
		return "+" + d.Number(x)
	}
	return d.Number(x)
}

// WithError formats a mean with its standard error, "0.95 ± 0.01", or alone without one.
func (d Decimals) WithError(mean, se float64) string {
	if !results.Finite(se) {
		return d.Number(mean)
	}
	return d.Number(mean) + " ± " + d.Number(se)
}

// Format formats x by a verb of package fmt, such as %.3g; NaN as a dash.
func Format(verb string, x float64) string {
	if math.IsNaN(x) {
		return Missing
	}
	return minus(fmt.Sprintf(verb, x))
}

// Exact returns a number with all its digits, for programs; "" for one that is not finite.
func Exact(x float64) string {
	if !results.Finite(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// P formats a p-value with three decimals, "0.012" or "<0.001".
func P(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return Format("%.3f", p)
}

// PIs formats a p-value in a sentence, "p = 0.012" or "p < 0.001".
func PIs(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return "p = " + P(p)
}

// Count formats n with its noun: "1 fold", "3 folds".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// minus sets a true minus sign before a number; that of an exponent stays as programs write it.
func minus(s string) string {
	if strings.HasPrefix(s, "-") {
		return "−" + s[1:]
	}
	return s
}
