package reports

import "tenfold/runner/metric"

// known is what tenfold says of its metrics.
var known = metric.Described(nil)
