package comparison

import (
	"tenfold/reports/cells"
	"tenfold/runner/metric"
)

// described is the source of rows that carry their parts, with what tenfold knows of its metrics.
var described = cells.InRows{Metrics: metric.Described(nil)}
