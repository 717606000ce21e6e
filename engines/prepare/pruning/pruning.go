// Package pruning finds the columns of training rows that no selector needs to see: those that hardly vary (NearZero), and those that
// say the same as others (Correlated), as R's caret does before it fits. It knows nothing of targets.
package pruning

// Dropped is a column that is left out.
type Dropped struct {
	Column int32
	With   int32  // the column that it says the same as, -1 for none
	Why    string // in words, with its numbers
}
