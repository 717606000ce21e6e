// Package comparison makes the tables that compare algorithms: cells of an experiment arranged by rows and columns, with a text template for the slots,
// marks for the best and for what is not significantly worse, tests against a baseline, totals, ranks across data sets, and
// published values beside ours.
//
// How a table is made: a Config is completed to a layout; Build (build.go) selects and groups cells, and a builder puts each into
// its place. The builder measures every place and writes it by a template; a judge (package judge) compares cells, from which marks, records,
// totals, legend and warnings follow. The result is a table.Grid, which no longer refers to cells. The tests behind the marks
// (comparisons.go) and the ranks over data sets (standings.go, ranks.go) are further Grids.
package comparison

import (
	"errors"
	"slices"

	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
	"tenfold/reports/slots"
	"tenfold/reports/table"
)

// Config is one table of an experiment file. Rows and columns are dimensions: algorithm (with its grid point), dataset (with its
// own), engine, metric, a grid parameter, point, the size along a path, or task, of a family; several are separated by commas.
type Config struct {
	Title      string            `yaml:"title" json:",omitempty" doc:"heading of the table, and its caption in LaTeX"`
	Name       string            `yaml:"name" json:",omitempty" doc:"what references in LaTeX call it, tab:NAME (default: from the title): letters, digits and single dashes"`
	Rows       string            `yaml:"rows" read:"commas" json:",omitempty" doc:"dimensions of the rows: algorithm, dataset, engine, metric, a grid parameter, point (the sizes along a path), or task (those of families, which are averaged otherwise); several as a list, or with commas (default algorithm)"`
	Columns    string            `yaml:"columns" read:"commas" json:",omitempty" doc:"dimensions of the columns (default metric)"`
	By         string            `yaml:"by" read:"commas" json:",omitempty" doc:"a table for each value of these dimensions (default dataset, unless rows or columns have it)"`
	Over       string            `yaml:"over" read:"commas" json:",omitempty" doc:"grid parameters of data sets (data_NAME) whose points are averaged, as tasks of families are; several as a list"`
	Cells      string            `yaml:"cells" json:",omitempty" doc:"what stands in a slot: {METRIC}, {METRIC.se}, .sd, .low and .high (95 % interval), .median, .min, .max, .n; {METRIC.micro} with .se, .low and .high: over all test rows, each counting once; {value} is the metric of the row or column"`
	Metric     string            `yaml:"metric" read:"commas" json:",omitempty" doc:"metrics shown, as a list or with commas (default: the file's, and selected)"`
	Filter     map[string]string `yaml:"filter" read:"commas" json:",omitempty" doc:"dimension: value; alternatives as a list or with commas, * and ? match"`
	Baseline   string            `yaml:"baseline" json:",omitempty" ref:"label" doc:"label of the row or column that the others are tested against"`
	Test       string            `yaml:"test" json:",omitempty"`
	Alpha      float64           `yaml:"alpha" json:",omitempty" doc:"level of the tests, between 0 and 1 (default 0.05)"`
	Correction string            `yaml:"correction" json:",omitempty" doc:"of the p-values for how many comparisons the table makes: holm (default), none"`
	Margin     paired.Margin     `yaml:"margin" json:",omitzero" doc:"difference to the baseline that counts as none: tested for non-inferiority and for equivalence"`
	Interval   string            `yaml:"interval" json:",omitempty" doc:"standard errors and 95 % intervals over folds: corrected (default) for the training rows that folds share, or spread, those of independent values, which tell how far folds differ"`
	Ranks      string            `yaml:"ranks" json:",omitempty" doc:"ranks of the algorithms across data sets: nemenyi (all pairs; default where it is possible), holm (against the baseline), bayes (the Bayesian signed-rank test against the baseline, in which differences within the margin count as none), none"`
}

// Intervals.
const (
	Corrected = "corrected"
	Spread    = "spread"
)

// Corrections and ranks; None also stands for no test.
const (
	Holm    = "holm"
	Nemenyi = "nemenyi"
	Bayes   = "bayes"
	None    = paired.None
)

// Validate checks the table by itself.
func (c Config) Validate() error {
	errs := []error{
		param.OneOf("test", c.Test, append(paired.TestNames(), "")...),
		param.OneOf("correction", c.Correction, "", Holm, None),
		param.OneOf("interval", c.Interval, "", Corrected, Spread),
		param.OneOf("ranks", c.Ranks, "", Nemenyi, Holm, Bayes, None),
		c.Margin.Validate("margin"),
	}
	if c.Alpha != 0 && !(c.Alpha > 0 && c.Alpha < 1) {
		errs = append(errs, param.Errorf("alpha", "%v, expected a number between 0 and 1", c.Alpha))
	}
	if c.Margin.Given() && (c.Baseline == "" || c.Test == None) {
		errs = append(errs, param.Errorf("margin", "equivalence is tested against a baseline; name one, and a test other than none"))
	}
	if (c.Ranks == Holm || c.Ranks == Bayes) && c.Baseline == "" {
		errs = append(errs, param.Errorf("ranks", "%s compares with a baseline; name one, or use nemenyi", c.Ranks))
	}
	if c.Name != "" && !table.ValidName(c.Name) {
		errs = append(errs, param.Errorf("name", "%q, expected letters, digits and single dashes between them", c.Name))
	}
	_, err := slots.Parse(c.Cells)
	errs = append(errs, err)
	seen := map[string]string{}
	for _, axis := range []struct{ name, dims string }{{"rows", c.Rows}, {"columns", c.Columns}, {"by", c.By}, {"over", c.Over}} {
		for _, d := range cells.Split(axis.dims) {
			switch {
			case axis.name == "over" && !results.OfData(d):
				errs = append(errs, param.Errorf("over", "%q is no grid parameter of data sets, data_NAME", d))
			case axis.name == "by" && d == "metric":
				errs = append(errs, param.Errorf("by", "metrics stand in rows or columns; for a table of each, write several tables with one metric"))
			}
			if seen[d] != "" {
				errs = append(errs, param.Errorf(axis.name, "%s is already among %s", d, seen[d]))
			}
			seen[d] = axis.name
		}
	}
	return errors.Join(errs...)
}

// ValidateMetrics refuses micro averages of metrics that have none.
func (c Config) ValidateMetrics(known results.Metrics) error {
	return c.validatePools(func(name string) results.Properties { return known[name] }, known.Having(results.Properties.RowMean))
}

// validatePools does so given the properties of each metric; have lists metrics to suggest instead.
func (c Config) validatePools(metric func(string) results.Properties, have []string) error {
	t, _ := slots.Parse(c.Cells) // Validate reports what does not parse
	shown := cells.Split(c.Metric)
	if len(shown) == 0 && slices.ContainsFunc(t.Parts, func(p slots.Part) bool { return p.Micro && p.Metric == "value" }) {
		return param.Errorf("cells", "{value.%s} is of means over test rows alone: say which with metric%s", slots.Micro, slots.SuggestNames(have))
	}
	var errs []error
	t.PooledMetrics(shown, func(field, name string) { errs = append(errs, slots.CheckPoolable(field, name, metric(name), have)) })
	return errors.Join(errs...)
}

// EachMetric yields every metric that the table names, with its field, for checking them.
func (c Config) EachMetric(yield func(field, name string)) {
	for _, name := range cells.Split(c.Metric) {
		yield("metric", name)
	}
	t, _ := slots.Parse(c.Cells) // Validate reports what does not parse
	for _, p := range t.Parts {
		if p.Metric != "" && p.Metric != "value" {
			yield("cells", p.Metric)
		}
	}
}
