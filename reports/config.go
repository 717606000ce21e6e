// Package reports renders a finished run: comparison tables, figures, what was selected, what failed and where it all
// comes from, as report.md, report.html and figures.
//
// Input has what a run left, Config the report section of its experiment file; reports.go makes a page.Document of both, and
// view.go the parts of one for pages that show a cell at a time. Each section of the document has a file and a value of its own,
// which takes the cells and what else it shows: featureSection (features.go, with overlap.go), ledgerSection, clusterBlocks,
// dataSets, fitSection and cellDetails. overview.go has the short ones, blocks.go the rows and lists that all of them use.
package reports

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/planfile"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/comparison"
	"tenfold/reports/figure"
	"tenfold/reports/gate"
)

// Config is the report section of an experiment file.
type Config struct {
	Tables   []comparison.Config `yaml:"tables" json:",omitempty" doc:"comparison tables (default: one a data set, algorithms by metrics)"`
	Figures  []figure.Config     `yaml:"figures" json:",omitempty" doc:"figures"`
	Features int                 `yaml:"features" doc:"selected features listed for each algorithm, 0 for none"`
	Kinds    map[string][]string `yaml:"kinds" json:",omitempty" doc:"kind of data: its data sets, for the dimension kind of tables and filters; no data set is of two kinds"`
	Labels   map[string]string   `yaml:"labels" json:",omitempty" doc:"name: what tables and figures show for it; names of algorithms and data sets, also with a grid point, and of metrics and grid parameters"`
}

// Default returns the report of a file without a report section.
func Default() Config { return Config{Features: 10} }

// Validate checks the section by itself.
func (c Config) Validate() error {
	var errs []error
	if c.Features < 0 {
		errs = append(errs, param.Errorf("features", "%d, expected at least 0", c.Features))
	}
	named := map[string]int{}
	for i, t := range c.Tables {
		errs = append(errs, prefixFields(fmt.Sprintf("tables.%d.", i), t.Validate()))
		if before, ok := named[strings.ToLower(t.Name)]; ok && t.Name != "" {
			errs = append(errs, param.Errorf(fmt.Sprintf("tables.%d.name", i), "%q is the name of table %d already", t.Name, before+1))
		}
		named[strings.ToLower(t.Name)] = i
	}
	for i, f := range c.Figures {
		errs = append(errs, prefixFields(fmt.Sprintf("figures.%d.", i), f.Validate()))
	}
	return errors.Join(errs...)
}

// checkTables checks each table; its errors name the fields of the section.
func (c Config) checkTables(check func(comparison.Config) error) error {
	var errs []error
	for i, t := range c.Tables {
		errs = append(errs, prefixFields(fmt.Sprintf("tables.%d.", i), check(t)))
	}
	return errors.Join(errs...)
}

// ValidateIn refuses what does not go together with the rest of the file.
func (c Config) ValidateIn(file planfile.Planned) error {
	errs := []error{c.ValidateDimensions(file.Varied, file.Fixed), c.ValidateNames(file.Datasets, file.Algorithms, slices.Concat(file.Varied, file.Fixed), file.IsMetric)}
	if file.Metrics != nil {
		errs = append(errs, c.ValidateMetrics(file.Metrics))
	}
	if len(file.Parts) > 0 {
		errs = append(errs, c.ValidateFolds(file.Parts, file.Predictions))
	}
	if len(file.Families) > 0 {
		errs = append(errs, c.ValidateFamilies(file.Families, file.Others))
	}
	return errors.Join(errs...)
}

// ValidateFolds refuses tests that no data set can support with its number of test parts, or without predictions.
func (c Config) ValidateFolds(parts map[string]int, predictions bool) error {
	return c.checkTables(func(t comparison.Config) error { return t.ValidateFolds(parts, predictions) })
}

// ValidateMetrics refuses what metrics of the tables do not have.
func (c Config) ValidateMetrics(known results.Metrics) error {
	return c.checkTables(func(t comparison.Config) error { return t.ValidateMetrics(known) })
}

// ValidateFamilies refuses tests that no data set can support, because all are families.
func (c Config) ValidateFamilies(families, others []string) error {
	return c.checkTables(func(t comparison.Config) error { return t.ValidateFamilies(families, others) })
}

// kindOf returns the kind of a data set; "" if none is given.
func (c Config) kindOf(dataset string) string {
	for kind, datasets := range c.Kinds {
		if slices.Contains(datasets, dataset) {
			return kind
		}
	}
	return ""
}

// validateKinds refuses names of no data set, and data sets with two kinds.
func (c Config) validateKinds(datasets [][2]string) error {
	var errs []error
	var names []string
	for _, pair := range datasets {
		names = append(names, pair[0])
	}
	kind := map[string]string{}
	for _, k := range slices.Sorted(maps.Keys(c.Kinds)) {
		if strings.TrimSpace(k) == "" || strings.ContainsFunc(k, func(r rune) bool { return unicode.IsControl(r) || r == ',' }) {
			errs = append(errs, param.Errorf("kinds", "%q, expected words on one line, without commas", k))
		}
		for _, name := range c.Kinds[k] {
			other, taken := kind[name]
			switch {
			case !slices.Contains(names, name):
				errs = append(errs, param.Errorf("kinds."+k, "no data set is called %q%s", name, suggest.DidYouMean(name, names)))
			case taken:
				errs = append(errs, param.Errorf("kinds."+k, "%s is of the kind %q already", name, other))
			}
			kind[name] = k
		}
	}
	return errors.Join(errs...)
}

// ValidateDimensions refuses names that no dimension of a table or figure can have.
func (c Config) ValidateDimensions(varied, fixed []string) error {
	if len(c.Kinds) > 0 {
		varied = append(slices.Clone(varied), cells.KindDim)
	}
	errs := []error{c.checkTables(func(t comparison.Config) error { return t.ValidateDimensions(varied, fixed) })}
	for i, f := range c.Figures {
		errs = append(errs, prefixFields(fmt.Sprintf("figures.%d.", i), f.ValidateDimensions(varied, fixed)))
	}
	return errors.Join(errs...)
}

// ValidateNames refuses displayed names for what the file does not have, and those that make two things in a table look the same.
// It gets the names of data sets and algorithms with the labels of each point of their grids.
func (c Config) ValidateNames(datasets, algorithms [][2]string, parameters []string, metric func(string) bool) error {
	errs := []error{c.validateKinds(datasets)}
	known := slices.Clone(parameters)
	for _, pairs := range [][][2]string{datasets, algorithms} {
		type called struct{ name, label string }
		shown := map[string]called{} // by displayed name
		for _, pair := range pairs {
			known = append(known, pair[0], pair[1])
			for _, label := range slices.Compact([]string{pair[0], pair[1]}) {
				text := cells.Called(c.Labels, pair[0], label)
				other, taken := shown[text]
				if taken && (other.name != pair[0] || other.label != label && other.label != other.name && label != pair[0]) {
					errs = append(errs, param.Errorf("labels", "%q and %q would both be shown as %q", other.label, label, text))
				} else {
					shown[text] = called{pair[0], label}
				}
			}
		}
	}
	words := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(c.Labels)) {
		text := c.Labels[name]
		isMetric := metric(name)
		switch other, taken := words[text]; {
		case !isMetric && !slices.Contains(known, name):
			errs = append(errs, param.Errorf("labels."+name, "no algorithm, data set, metric or grid parameter is called %q%s", name, suggest.DidYouMean(name, known)))
		case strings.TrimSpace(text) == "" || strings.ContainsFunc(text, unicode.IsControl):
			errs = append(errs, param.Errorf("labels."+name, "%q, expected words on one line", text))
		case isMetric && taken:
			errs = append(errs, param.Errorf("labels."+name, "%q and %q would both be shown as %q", other, name, text))
		case isMetric:
			words[text] = name
			if metric(text) && text != name {
				errs = append(errs, param.Errorf("labels."+name, "%q is the name of another metric", text))
			}
		}
	}
	return errors.Join(errs...)
}

// prefixFields puts the path of an entry, such as "tables.0.", before the fields that its errors name.
func prefixFields(path string, err error) error {
	if err == nil {
		return nil
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var errs []error
		for _, e := range many.Unwrap() {
			errs = append(errs, prefixFields(path, e))
		}
		return errors.Join(errs...)
	}
	var field *param.FieldError
	if errors.As(err, &field) {
		return &param.FieldError{Field: path + field.Field, Msg: field.Msg}
	}
	return err
}

// EachMetric yields every metric named inside a text of the section, with its field, for checking them.
func (c Config) EachMetric(yield func(field, name string)) {
	for i, t := range c.Tables {
		t.EachMetric(func(field, name string) { yield(fmt.Sprintf("tables.%d.%s", i, field), name) })
	}
	for i, f := range c.Figures {
		f.EachMetric(func(field, name string) { yield(fmt.Sprintf("figures.%d.%s", i, field), name) })
	}
}

// Override holds the settings of the command line, which take precedence over those of the file. Empty fields change nothing.
type Override struct {
	Table                 string // the name of one of the file's
	Rows, Columns, Metric string
	Filter                map[string]string
}

// Narrows reports whether any setting asks for tables other than those of the file.
func (o Override) Narrows() bool { return o.Table+o.Rows+o.Columns+o.Metric != "" || len(o.Filter) > 0 }

// WithFormats returns the report with figures in these formats in place of those of the file; as it is without any.
func (c Config) WithFormats(formats []string) Config {
	if len(formats) == 0 {
		return c
	}
	c.Figures = slices.Clone(c.Figures)
	for i := range c.Figures {
		c.Figures[i].Format = formats
	}
	return c
}

// Pick returns the report with one table alone, by its name; with all of them for "". A name that no table has is an error.
func (c Config) Pick(name string) (Config, error) {
	if name == "" {
		return c, nil
	}
	var names []string
	for _, t := range c.Tables {
		if t.Name == name {
			c.Tables = []comparison.Config{t}
			return c, nil
		}
		if t.Name != "" {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return c, fmt.Errorf("--table %s: no table of the experiment file has a name (the key name of report.tables)", name)
	}
	return c, fmt.Errorf("--table %s: no table is called so%s", name, suggest.Choices(name, names))
}

// With applies an override. A filter narrows every table and figure; any other setting asks for one table in place of the file's,
// which keeps the first one's baseline and test.
func (c Config) With(o Override) Config {
	if o.Rows != "" || o.Columns != "" || o.Metric != "" {
		var t comparison.Config
		if len(c.Tables) > 0 {
			t = c.Tables[0]
		}
		t = comparison.Config{Rows: t.Rows, Columns: t.Columns, Metric: t.Metric, Cells: t.Cells, Filter: t.Filter,
			Baseline: t.Baseline, Test: t.Test, Alpha: t.Alpha, Correction: t.Correction, Margin: t.Margin, Ranks: t.Ranks}
		if o.Rows != "" || o.Columns != "" {
			t.Rows, t.Columns = o.Rows, o.Columns
		}
		if t.Ranks != comparison.None {
			t.Ranks = "" // automatic for the new table
		}
		if o.Metric != "" {
			t.Metric, t.Cells = o.Metric, ""
		}
		if strings.Contains(t.Rows+t.Columns, "metric") != strings.Contains(t.Cells, "{value") {
			t.Cells = "" // it was written for other axes
		}
		c.Tables = []comparison.Config{t}
	}
	if len(o.Filter) > 0 {
		if len(c.Tables) == 0 {
			c.Tables = []comparison.Config{{}}
		}
		c.Tables, c.Figures = slices.Clone(c.Tables), slices.Clone(c.Figures)
		for i := range c.Tables {
			c.Tables[i].Filter = mergeFilters(c.Tables[i].Filter, o.Filter)
		}
		for i := range c.Figures {
			c.Figures[i].Where = mergeFilters(c.Figures[i].Where, o.Filter)
		}
	}
	return c
}

// mergeFilters returns the entries of both filters; b wins.
func mergeFilters(a, b map[string]string) map[string]string {
	out := make(map[string]string, len(a)+len(b))
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// Sections holds the sections of an experiment file that configure reports and the gate.
type Sections struct {
	Report    Config                 `yaml:"report" json:"report"`
	Published []comparison.Published `yaml:"published" json:"published,omitempty"`
	Gate      []gate.Rule            `yaml:"gate" json:"gate,omitempty"`
}

// DefaultSections returns the sections of a file that has none.
func DefaultSections() Sections { return Sections{Report: Default()} }
