package planfile

import "tenfold/io/results"

// Planned is what an experiment file plans, as far as it is known before data is loaded: sections on tables, figures and the gate are
// compared with it.
type Planned struct {
	Parts                map[string]int  // test parts, repeats included, of the data sets that are no families, where their number is known
	Predictions          bool            // whether predictions are kept
	Families, Others     []string        // data sets that are families, whose tasks take the place of folds, and the others
	Varied, Fixed        []string        // parameters that grids vary (task and point included, if there are families and paths), and that they could vary
	Datasets, Algorithms [][2]string     // name, and label in results, at each point of their grids
	Metrics              results.Metrics // properties of the metrics; nil if these are unknown
	IsMetric             func(name string) bool
	Cells                []results.Label // with data set, algorithm and points of grids, a single one for a family; nil if all algorithms run on all data sets
}
