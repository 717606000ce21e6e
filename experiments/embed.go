// Package experiments holds the experiment that tenfold demo writes where there is no checkout of the sources.
package experiments

import _ "embed"

// Quickstart returns the content of quickstart.yaml, an experiment on data that tenfold generates.
func Quickstart() []byte { return []byte(quickstart) }

//go:embed quickstart.yaml
var quickstart string
