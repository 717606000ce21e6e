// Package ability says what fits of an engine give and cost. What an engine takes is in its engines.Needs.
package ability

// Gives says what a fit of an engine, with its defaults, gives and costs.
type Gives struct {
	Probabilities bool    // of the levels of a class; otherwise decision values
	Columns       Telling // what models tell of their columns
	Draws         bool    // the fit draws random numbers, from a seed of its own; otherwise no seed matters
	Cost          string  // work of a fit, as factors; those that grow with the data are rows, columns, cells (rows · columns) and entries (stored values)
}

// Telling is what models tell of the columns that they use.
type Telling string

// Models have a coefficient of each column, or an importance of each, or name the columns alone, or use none.
const (
	Coefficients Telling = "coefficients"
	Importances  Telling = "importances"
	Names        Telling = "names"
	Nothing      Telling = "–"
)
