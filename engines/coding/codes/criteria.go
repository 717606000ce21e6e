package codes

import (
	"math"

	"tenfold/engines"
	"tenfold/engines/numeric/elementary"
)

// The criteria charge every coefficient the same, whatever else the model has (of bic: docs/engines/mdl.md#errata).

// aic returns Akaike's code: 1 nat.
func aic(Terms) Coder { return perFeature(engines.Price{Coefficient: 1 / math.Ln2}) }

// bic returns ½ lg n.
func bic(t Terms) Coder {
	return perFeature(engines.Price{Coefficient: elementary.Log2(t.Rows) / 2})
}

// ric returns the risk inflation criterion's lg m, for which of the columns it is.
func ric(t Terms) Coder { return perFeature(engines.Price{Index: elementary.Log2(t.Columns)}) }

// ric2 returns ric and the bits of the coefficient's value.
func ric2(t Terms) Coder {
	return perFeature(engines.Price{Index: elementary.Log2(t.Columns), Coefficient: t.CoefBits})
}

// perFeature prices the features of one task alike.
func perFeature(p engines.Price) Coder { return byTasks{1: p} }
