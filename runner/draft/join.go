package draft

import (
	"slices"

	"tenfold/io/rawtext"
	"tenfold/runner/draft/inspect"
)

// isNamed reports whether the experiment names a column of a table of samples.
func (d *Draft) isNamed(name string) bool {
	return slices.Contains([]string{d.Target, d.Group, d.Time}, name) || slices.Contains(d.Keep, name) ||
		d.Survival != nil && (name == d.Survival.Time || name == d.Survival.Event)
}

// writeJoin writes the table of samples.
func (d *Draft) writeJoin(w *lineWriter) {
	var features, others []string
	for _, c := range d.Columns {
		switch {
		case !c.Joined:
		case slices.Contains(d.Keep, c.Name):
			features = append(features, c.Name)
		case !d.isNamed(c.Name) && d.dropReason(&c) == "" && d.EndpointOf(c.Name) == nil:
			others = append(others, c.Name)
		}
	}
	j := d.Sample
	switch {
	case j == nil && len(features) > 0: // lines about samples
		w.writeLine("    metadata: %s # features", yamlList(features))
		return
	case j == nil:
		return
	}
	w.writeLine("    join: # a table of samples; target and columns name what is taken from it")
	w.writeLine("      file: %s", yamlScalar(j.Path))
	if j.By != "" { // by its first column
		w.writeLine("      by: %s", yamlScalar(j.By))
	}
	usual := rawtext.Commas
	if j.Format == inspect.TSV {
		usual = rawtext.Tabs
	}
	for _, key := range []struct{ name, is, usually string }{
		{"encoding", j.Encoding, usual.Encoding}, {"delimiter", j.Delimiter, usual.Delimiter}, {"quote", j.Quote, usual.Quote},
		{"comment", j.Comment, ""}, {"decimal", j.Decimal, usual.Decimal}, {"thousands", j.Thousands, ""}, {"units", j.Units, ""},
	} {
		if j.Format != inspect.Parquet && key.is != key.usually {
			w.writeLine("      %s: %s", key.name, yamlScalar(key.is))
		}
	}
	if j.Skip > 0 {
		w.writeLine("      skip: %d # lines before the first row", j.Skip)
	}
	if len(features) > 0 {
		w.writeLine("      features: %s # beside those of the data", yamlList(features))
	} else if len(others) > 0 {
		w.writeComment("      # features: [...] lists columns of it to predict from, beside those of the data; it could be ", others)
	}
	switch {
	case j.Alone > 0:
		w.writeLine("      unmatched: drop # without a partner are %d of the data's samples, and %d of the table's", j.Alone, j.Others)
	case j.Others > 0:
		w.writeLine("      unmatched: drop-joined # without data are %d of the table's samples", j.Others)
	}
}
