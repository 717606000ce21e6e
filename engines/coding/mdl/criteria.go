package mdl

import (
	"math"

	"tenfold/engines"
	"tenfold/engines/numeric/elementary"
)

// The criteria charge every coefficient the same, whatever else the model has (of bic: docs/engines/mdl.md#errata).

// aic is Akaike's: 1 nat.
func aic(codeTerms) coder { return perFeature(engines.Price{Coefficient: 1 / math.Ln2}) }

// bic is ½ lg n.
func bic(t codeTerms) coder {
	return perFeature(engines.Price{Coefficient: elementary.Log2(t.rows) / 2})
}

// ric is the risk inflation criterion's lg m, for which of the columns it is.
func ric(t codeTerms) coder { return perFeature(engines.Price{Index: elementary.Log2(t.columns)}) }

// ric2 is ric and the bits of the coefficient's value.
func ric2(t codeTerms) coder {
	return perFeature(engines.Price{Index: elementary.Log2(t.columns), Coefficient: t.coefBits})
}

// perFeature prices the features of one task alike.
func perFeature(p engines.Price) coder { return byTasks{1: p} }
