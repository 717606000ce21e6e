package draft

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/engines/prepare"
	"tenfold/io/rawtext"
	"tenfold/runner/draft/inspect"
)

// YAML returns the experiment file, with comments.
func (d *Draft) YAML() []byte {
	w := &lineWriter{}
	w.writeLine("# Which features predict %s, and which way of choosing them does best?", d.targetText())
	w.writeLine("# Written by tenfold init; go on from here. docs/experiment-file.md has everything that a file can say.")
	w.writeLine("#   tenfold run    this file: fit what is missing, and write tables and figures to runs/%s", d.Name)
	w.writeLine("#   tenfold accept this file: record the results as its baseline; from then on tenfold check fails if they get worse")
	w.writeLine("tenfold: 1")
	w.writeLine("name: %s", yamlScalar(d.Name))
	w.writeLine("seed: 1 # of everything random: the same seed, the same results")
	w.writeLine("")
	d.writeDataset(w)
	w.writeLine("")
	d.writeFolds(w)
	w.writeLine("")
	d.writeAlgorithms(w)
	w.writeLine("")
	d.writeReport(w)
	return []byte(w.String())
}

func (d *Draft) targetText() string {
	if d.Several() {
		return "the targets"
	}
	return cmp.Or(oneLine(d.Target), "the target")
}

// pathComment says where relative paths are looked up.
func (d *Draft) pathComment() string {
	if filepath.IsAbs(filepath.FromSlash(d.File)) {
		return ""
	}
	return " # relative to the data folders (--data), to this file or to the working directory"
}

func (d *Draft) writeDataset(w *lineWriter) {
	w.writeLine("datasets:")
	w.writeLine("  - name: %s", yamlScalar(d.Name))
	w.writeLine("    format: %s", d.Format)
	switch {
	case d.Format == inspect.Documents:
		w.writeLine("    files: {all: %s}%s", yamlScalar(d.File), d.pathComment())
		w.writeLine("    layout: %s # what the parts of a path mean", yamlQuoted(d.Layout))
		if len(d.Parts) > 0 {
			var parts []string
			for _, p := range d.Parts {
				parts = append(parts, yamlScalar(p[0])+": "+p[1])
			}
			w.writeLine("    parts: {%s}", strings.Join(parts, ", "))
		}
		if d.Elsewhere > 0 {
			w.writeLine("    unmatched: skip # files in other places: %d", d.Elsewhere)
		}
		w.writeLine("    encoding: replace # bytes that are no UTF-8 become U+FFFD")
		w.writeLine("    features: {cutoff: 2, values: tf-idf, normalize: l2} # words in at least two training documents")
		return
	case d.Format == inspect.MAT:
		w.writeLine("    files: {all: %s}%s", yamlScalar(d.File), d.pathComment())
		w.writeLine("    variables: {x: %s, y: %s%s}", yamlScalar(d.Matrix), yamlScalar(d.TargetArray), map[bool]string{true: ", names: " + yamlScalar(d.NameArray)}[d.NameArray != ""]+map[bool]string{true: ", groups: " + yamlScalar(d.Groups)}[d.Groups != ""])
	case d.Matrix != "":
		d.writeArrays(w)
	case d.Sample != nil && d.Sample.IDs != "":
		names := ""
		if d.Sample.Names != "" {
			names = ", names: " + yamlScalar(d.Sample.Names)
		}
		w.writeLine("    files: {all: %s, ids: %s%s}%s", yamlScalar(d.File), yamlScalar(d.Sample.IDs), names, d.pathComment())
	case d.Labels != "":
		role := map[string]string{inspect.NPZ: "all_y", inspect.MTX: "all_y", inspect.NIPS: "all_y", inspect.GCT: "labels", inspect.ARFF: "labels"}[d.Format]
		w.writeLine("    files: {all: %s, %s: %s%s}", yamlScalar(d.File), role, yamlScalar(d.Labels), map[bool]string{true: ", param: " + yamlScalar(d.Param)}[d.Param != ""])
	case d.Published.URL != "":
		ref := d.Published
		ref.Path = d.File
		w.writeLine("    # tenfold data fetch downloads it where it is missing")
		w.writeLine("    files: {all: %s}", yamlRef(ref))
	default:
		w.writeLine("    files: {all: %s}%s", yamlScalar(d.File), d.pathComment())
	}
	d.writeDialect(w)
	if d.SamplesInColumns {
		w.writeLine("    samples: columns # of the file")
	}
	switch {
	case d.Headless && len(d.Asked.Names) > 0:
		w.writeLine("    header: false")
		w.writeLine("    names: %s", yamlList(d.Asked.Names))
	case d.Named:
		w.writeLine("    header: false")
		w.writeLine("    names: %s # your names for the columns", yamlList(d.Names()))
	case d.Headless:
		w.writeLine("    header: false # the columns are called 1, 2, ...; init with --names a,b,... names them")
	}
	if d.Columns != nil {
		d.writeColumns(w)
	}
	d.writeJoin(w)
	if d.Gaps && d.Columns == nil {
		w.writeLine("    prepare: {missing: median} # of the training rows of each fold")
	}
	d.writeTarget(w)
	switch d.Format {
	case inspect.CoNLLU:
		w.writeLine("    features: {cutoff: 3} # patterns in at least three training rows")
	case inspect.SVMlight, inspect.VW:
		w.writeLine("    features: {cutoff: 2} # columns in at least two training rows")
	}
}

// writeDialect writes how a text table is written, where that is not usual for its format.
func (d *Draft) writeDialect(w *lineWriter) {
	usual := rawtext.Commas
	switch d.Format {
	case inspect.CSV:
	case inspect.TSV:
		usual = rawtext.Tabs
	case inspect.JSONL:
		usual.Delimiter = d.Delimiter
	case inspect.XLSX:
		usual.Delimiter = d.Delimiter
		if d.Sheet != "" {
			w.writeLine("    sheet: %s", yamlScalar(d.Sheet))
		}
		if d.Range != "" {
			w.writeLine("    range: %s # the cells of the table", d.Range)
		}
	default:
		return
	}
	for _, key := range []struct{ name, is, usually string }{
		{"encoding", d.Encoding, usual.Encoding}, {"delimiter", d.Delimiter, usual.Delimiter}, {"quote", d.Quote, usual.Quote},
		{"comment", d.Comment, ""}, {"decimal", d.Decimal, usual.Decimal}, {"thousands", d.Thousands, ""}, {"units", d.Units, ""},
	} {
		if key.is != key.usually {
			w.writeLine("    %s: %s", key.name, yamlScalar(key.is))
		}
	}
	if d.Skip > 0 {
		w.writeLine("    skip: %d # %s before the first of the table", d.Skip, map[bool]string{true: "rows", false: "lines"}[d.Format == inspect.XLSX])
	}
}

// manyMissing is the share of rows without a number from which on a column of its own that says so is proposed.
const manyMissing = 0.05

// fillOf returns what is proposed for missing values, given the columns of numbers: their median, with a column that tells of them where many
// are missing; a level of their own if words alone are.
func (d *Draft) fillOf(numbers []string) string {
	fill := prepare.Level
	for _, name := range numbers {
		c := d.Column(name)
		switch {
		case c.Missing == 0:
		case float64(c.Missing) >= manyMissing*float64(c.Rows):
			return prepare.Indicator
		default:
			fill = "median"
		}
	}
	if d.Gaps {
		return "median"
	}
	return fill
}

// missingByColumn returns what stands for missing values in columns, in YAML.
func (d *Draft) missingByColumn() string {
	var parts []string
	for _, c := range d.Columns {
		if len(c.Markers) > 0 && (!c.Joined || d.isNamed(c.Name)) {
			parts = append(parts, yamlScalar(c.Name)+": "+yamlList(slices.Concat(c.Markers, rawtext.Usual)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// writeArrays writes the roles of the arrays in the file.
func (d *Draft) writeArrays(w *lineWriter) {
	w.writeLine("    files:%s", d.pathComment())
	arrays := [][2]string{{"all", d.Matrix}, {"all_y", d.TargetArray}, {"names", d.NameArray}, {"groups", d.Groups}}
	if d.TestArrays[0] != "" {
		arrays = [][2]string{{"train", d.Matrix}, {"train_y", d.TargetArray}, {"test", d.TestArrays[0]}, {"test_y", d.TestArrays[1]}, {"names", d.NameArray}}
	}
	for _, a := range arrays {
		if a[1] != "" {
			w.writeLine("      %s: {path: %s, member: %s}", a[0], yamlScalar(d.File), yamlScalar(a[1]))
		}
	}
	if d.TargetArray == "" {
		w.writeLine("      all_y: %s", yamlScalar(d.Labels))
	}
}

// writeColumns writes the roles of a table's columns.
func (d *Draft) writeColumns(w *lineWriter) {
	var roles, why, drop []string
	id := d.ID
	if d.Sample != nil {
		if !d.Sample.Shared {
			id = d.Sample.ID
		}
		if len(d.Sample.Annotations) > 0 {
			roles = append(roles, "annotations: "+yamlList(d.Sample.Annotations)+" # columns that are no samples")
		}
		if d.Sample.Unnamed {
			drop, why = append(drop, ""), append(why, "rows without a name")
		}
	}
	for _, r := range [][2]string{{"id", id}, {"group", d.Group}, {"time", d.Time}} {
		if r[1] != "" {
			roles = append(roles, r[0]+": "+yamlScalar(r[1]))
		}
	}
	if missing := d.missingByColumn(); missing != "" {
		roles = append(roles, "missing: "+missing+" # what stands for a missing value, besides empty cells")
	}
	if d.Repeated {
		roles = append(roles, "repeated: number # the second column of a name is called name#2")
	}
	numbers, categorical, dropped := d.Features()
	lacks := func(name string) bool { return d.Column(name).Missing > 0 }
	words := slices.ContainsFunc(categorical, lacks)
	missing := d.Gaps || words || slices.ContainsFunc(numbers, lacks)
	for _, c := range dropped {
		drop = append(drop, c.Name)
		why = append(why, strings.TrimSpace(c.Name+": "+c.Why))
	}
	several := slices.ContainsFunc(categorical, func(name string) bool { return lacks(name) || len(d.Column(name).Levels) > 2 })
	encoded := len(categorical) > 0 && d.Format != inspect.GCT && d.Format != inspect.MTX
	if d.Format == inspect.ARFF { // the data file declares which columns are categorical
		categorical = nil
	}
	if len(drop) > 0 {
		roles = append(roles, "drop: "+yamlList(drop))
	}
	if len(categorical) > 0 {
		roles = append(roles, "categorical: "+yamlList(categorical))
	}
	texts := d.Texts()
	if len(texts) > 0 {
		roles = append(roles, "text: "+yamlList(texts)+" # their words become columns")
	}
	if len(roles) > 0 {
		w.writeLine("    columns:%s", map[bool]string{true: " # those that are not named here are features, of numbers"}[!d.IsDescribed()])
		for _, r := range roles {
			w.writeLine("      %s", r)
		}
		if len(why) > 0 {
			w.writeComment("      # dropped: ", why)
		}
	}
	var steps []string
	if encoded || d.Format == inspect.ARFF {
		steps = append(steps, "encode: one-hot", "unseen: ignore")
	}
	fill := d.fillOf(numbers)
	if missing {
		steps = append(steps, "missing: "+fill)
	}
	if len(numbers) > 0 || d.Width() > 0 && d.Format != inspect.MTX {
		steps = append(steps, "scale: sd")
	}
	if len(steps) > 0 {
		also := ""
		if missing && fill == prepare.Indicator {
			also = "; columns x:missing tell which rows lack x"
		}
		if words {
			also += "; a missing word is a level of its own, (missing)"
		}
		w.writeLine("    prepare: {%s} # fitted on the training rows of each fold%s", strings.Join(steps, ", "), also)
	}
	switch options, why := d.textOptions(); {
	case len(texts) > 0 && several:
		w.writeLine("    features: {%s, unit: variable} # %s; all levels of a categorical column count as one in selected and stability", options, why)
	case len(texts) > 0:
		w.writeLine("    features: {%s} # %s", options, why)
	case several:
		w.writeLine("    features: {unit: variable} # all levels of a categorical column count as one in selected and stability")
	}
}

// tablesOfCounts are the formats whose targets may be counts.
var tablesOfCounts = []string{inspect.CSV, inspect.TSV, inspect.Parquet, inspect.XLSX, inspect.JSONL}

func (d *Draft) writeTarget(w *lineWriter) {
	if s := d.Survival; s != nil {
		parts := []string{"type: survival", "time: " + yamlScalar(s.Time), "event: " + yamlScalar(s.Event)}
		if s.Value != "" {
			parts = append(parts, "event_value: "+yamlQuoted(s.Value))
		}
		if d.Column(s.Time).Missing+d.Column(s.Event).Missing > 0 {
			parts = append(parts, "missing: drop-rows")
		}
		w.writeLine("    target: {%s} # times until the event, or until nothing more was observed", strings.Join(parts, ", "))
		return
	}
	var parts []string
	if d.Target != "" {
		parts = append(parts, "column: "+yamlScalar(d.Target))
	}
	column := d.Column(d.Target)
	if separator := d.Separator(); separator != "" {
		w.writeLine("    target: {column: %s, separator: %s} # each label is a target, 1 in the rows that have it", yamlScalar(d.Target), yamlQuoted(separator))
		w.writeLine("    family: target # and a task")
		return
	}
	natural := column != nil && !column.IsNumber() // read as a class without an option
	switch {
	case d.Format == inspect.CoNLLU, d.Format == inspect.GCT && d.Columns == nil:
	case d.Class && !natural:
		parts = append(parts, "type: class")
	}
	note := ""
	if d.isBinary() {
		parts = append(parts, "positive: "+yamlQuoted(d.positiveLevel()))
		note = " # the class whose precision, recall and ranking count"
	}
	if column != nil && column.Missing > 0 {
		parts = append(parts, "missing: drop-rows")
	}
	if column != nil && !d.Class && column.MayCount() && slices.Contains(tablesOfCounts, d.Format) {
		note = " # whole numbers of 0 and above: if they count something, add type: count, and exposure: COLUMN where rows count for different times or sizes; metrics are then poisson_deviance and d2, and ridge, lasso, boosted-trees and mean fit them"
	}
	if len(parts) > 0 {
		w.writeLine("    target: {%s}%s", strings.Join(parts, ", "), note)
	}
}

func (d *Draft) writeFolds(w *lineWriter) {
	text, why := d.Divided()
	w.writeLine("# %s", oneLine(why))
	w.writeLine("folds: %s", text)
}

func (d *Draft) writeReport(w *lineWriter) {
	if d.Survival != nil {
		d.writeSurvivalReport(w)
		return
	}
	main := "test_mse"
	metrics := []string{main, "test_r2", "selected"}
	if d.Class {
		main, metrics = "accuracy", []string{"accuracy", "macro_f1", "log_loss", "selected"}
	}
	baseline, rule := "ridge", "  - {metric: test_mse, margin: {relative: 0.02}} # two per cent"
	switch {
	case d.Class && d.Several():
		main, metrics = "error", []string{"error", "f1", "selected"}
		baseline, rule = "majority", "  - {metric: error, margin: {absolute: 0.005}} # half a point"
	case d.isBinary():
		metrics = slices.Insert(metrics, 1, "roc_auc")
		fallthrough
	case d.Class:
		baseline, rule = "L2", "  - {metric: accuracy, margin: {absolute: 0.01}} # one point"
	}
	w.writeLine("metrics: [%s]", strings.Join(metrics, ", "))
	w.writeLine("")
	w.writeLine("report:")
	w.writeLine("  tables:")
	w.writeLine("    - {rows: algorithm, columns: metric}")
	w.writeLine("    - {rows: algorithm, columns: dataset, cells: \"{%s} ± {%s.se} ({selected})\", baseline: %s}", main, main, baseline)
	w.writeLine("  figures:")
	w.writeLine("    - {kind: frontier, y: %s} # against the number of features", main)
	w.writeLine("")
	w.writeLine("# For tenfold check, after tenfold accept: how much worse than the recorded baseline is too much.")
	w.writeLine("gate:")
	w.writeLine("%s", rule)
}

// writeSurvivalReport writes metrics, figures and the rule for such a target.
func (d *Draft) writeSurvivalReport(w *lineWriter) {
	w.writeLine("metrics: [concordance, integrated_brier, integrated_auc, selected] # auc:365 is the AUC at the time 365")
	w.writeLine("")
	w.writeLine("report:")
	w.writeLine("  tables:")
	w.writeLine("    - {rows: algorithm, columns: metric}")
	w.writeLine("  figures:")
	w.writeLine("    - {kind: kaplan-meier, algorithm: lasso} # survival of the test rows by predicted risk")
	w.writeLine("    - {kind: calibration} # predicted survival against what happened")
	w.writeLine("")
	w.writeLine("# For tenfold check, after tenfold accept: how much worse than the recorded baseline is too much.")
	w.writeLine("gate:")
	w.writeLine("  - {metric: integrated_brier, margin: {absolute: 0.01}}")
}
