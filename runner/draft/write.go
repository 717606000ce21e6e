package draft

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// Draft holds the decisions that an experiment file is written from.
type Draft struct {
	Found
	Name   string
	File   string // path of the data in the experiment file
	Labels string // a second file, if the format has one
	Matrix string // of several arrays in the file, the one that has the columns
	Answer string // ... the targets, where no second file has them
	Headed string // ... the names of the columns; "" for none
	Across bool   // samples are the columns of the matrix
	Target string // column; "" if the format has one target, or all attributes that a list has are targets
	Class  bool   // the target is one
	// Survival, where the target is times until an event, has the two columns.
	Survival *Endpoint
	ID       string // columns; "" for none
	Group    string
	Time     string
	Keep     []string // columns to use as features in any case
	Folds    int
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// NameOf derives the name of an experiment from the path of its data.
func NameOf(path string) string {
	base := filepath.Base(path)
	for ext := filepath.Ext(base); ext != "" && ext != base; ext = filepath.Ext(base) {
		base = strings.TrimSuffix(base, ext)
	}
	return cmp.Or(strings.Trim(notInNames.ReplaceAllString(strings.ToLower(base), "-"), "-"), "experiment")
}

// targetLevels returns the levels of the target; nil if unknown.
func (d *Draft) targetLevels() []string {
	if c := d.Column(d.Target); d.Target != "" && c != nil && !c.More {
		return c.Levels
	}
	switch {
	case d.Found.Labels != nil:
		return d.Found.Labels.Levels
	case d.Classes != nil:
		return d.Classes
	}
	return nil
}

// Several reports whether there are several targets: all attributes that a list has, or the columns of an array.
func (d *Draft) Several() bool {
	return d.Found.Several || d.Target == "" && d.listed() != nil
}

// listed are the attributes that a list has, all of which are targets unless Target names one; none is a feature.
func (d *Draft) listed() []string {
	if d.Format == ARFF && d.Labels != "" {
		return d.Listed
	}
	return nil
}

// isBinary reports whether the target has two classes.
func (d *Draft) isBinary() bool { return d.Class && !d.Several() && len(d.targetLevels()) == 2 }

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

// oneLine replaces what a comment cannot hold by blanks.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
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
	case d.Format == Documents:
		w.writeLine("    files: {all: %s}%s", yamlScalar(d.File), d.pathComment())
		w.writeLine("    layout: \"%s{class}/**/{id}\" # what the parts of a path mean", map[bool]string{true: "{part}/"}[d.Parted])
		w.writeLine("    encoding: replace # bytes that are no UTF-8 become U+FFFD")
		w.writeLine("    features: {cutoff: 2, values: tf-idf, normalize: l2} # words in at least two training documents")
		return
	case d.Format == MAT:
		w.writeLine("    files: {all: %s}%s", yamlScalar(d.File), d.pathComment())
		w.writeLine("    variables: {x: %s, y: %s%s}", yamlScalar(d.Matrix), yamlScalar(d.Answer), map[bool]string{true: ", names: " + yamlScalar(d.Headed)}[d.Headed != ""])
	case d.Matrix != "":
		d.writeArrays(w)
	case d.Labels != "":
		role := map[string]string{NPZ: "all_y", MTX: "all_y", NIPS: "all_y", GCT: "labels", ARFF: "labels"}[d.Format]
		w.writeLine("    files: {all: %s, %s: %s%s}", yamlScalar(d.File), role, yamlScalar(d.Labels), map[bool]string{true: ", param: " + yamlScalar(d.Param)}[d.Param != ""])
	default:
		w.writeLine("    files: {all: %s}%s", yamlScalar(d.File), d.pathComment())
	}
	if d.Delimiter != "" {
		w.writeLine("    delimiter: %s", yamlScalar(d.Delimiter))
	}
	if d.Decimal != "" {
		w.writeLine("    decimal: %s", yamlScalar(d.Decimal))
	}
	if d.Across {
		w.writeLine("    samples: columns # of the matrix")
	}
	if d.Headless {
		w.writeLine("    header: false # the columns are called 1, 2, ...")
	}
	if d.Columns != nil {
		d.writeColumns(w)
	}
	d.writeTarget(w)
	switch d.Format {
	case CoNLLU:
		w.writeLine("    features: {cutoff: 3} # patterns in at least three training rows")
	case SVMlight, VW:
		w.writeLine("    features: {cutoff: 2} # columns in at least two training rows")
	}
}

// writeArrays writes which array of the file is what.
func (d *Draft) writeArrays(w *lineWriter) {
	w.writeLine("    files:%s", d.pathComment())
	for _, a := range [][2]string{{"all", d.Matrix}, {"all_y", d.Answer}, {"names", d.Headed}} {
		if a[1] != "" {
			w.writeLine("      %s: {path: %s, member: %s}", a[0], yamlScalar(d.File), yamlScalar(a[1]))
		}
	}
	if d.Answer == "" {
		w.writeLine("      all_y: %s", yamlScalar(d.Labels))
	}
}

// Dropped is a column that is left out.
type Dropped struct{ Name, Why string }

// Features returns the columns to predict from, and those that are left out.
func (d *Draft) Features() (numbers, categorical []string, dropped []Dropped) {
	for i := range d.Columns {
		c := &d.Columns[i]
		if c.Name != "" && (slices.Contains([]string{d.Target, d.ID, d.Group, d.Time}, c.Name) || slices.Contains(d.listed(), c.Name)) {
			continue
		}
		if d.Survival != nil && (c.Name == d.Survival.Time || c.Name == d.Survival.Event) {
			continue
		}
		why := d.dropReason(c)
		switch {
		case why != "":
			dropped = append(dropped, Dropped{c.Name, why})
		case c.IsNumber():
			numbers = append(numbers, c.Name)
		default:
			categorical = append(categorical, c.Name)
		}
	}
	numbers = slices.DeleteFunc(numbers, func(name string) bool { // the name of another column's level
		column, level, is := strings.Cut(name, "=")
		is = is && slices.Contains(categorical, column) && slices.Contains(d.Column(column).Levels, level)
		if is {
			dropped = append(dropped, Dropped{name, "a level of " + column + " has that name"})
		}
		return is
	})
	return numbers, categorical, dropped
}

// dropReason says why a column is no feature, "" if it is one.
func (d *Draft) dropReason(c *Column) string {
	switch {
	case c.Name == "" && c.IsCounter():
		return "it has no name, and counts the rows"
	case c.Name == "":
		return "it has no name"
	case c.Known() == 0:
		return "no values"
	case slices.Contains(d.Keep, c.Name):
		return ""
	case d.ofEndpoint(c.Name):
		return "of another end point"
	case c.IsCounter():
		return "it counts the rows"
	case c.IsDate():
		return "dates"
	case c.IsID():
		return "another value in every row"
	case c.Rises():
		return "it rises from row to row"
	case c.Unwieldy() && c.Numbers > 0:
		return fmt.Sprintf("numbers, but for such as %q", c.odd)
	case c.Unwieldy() && c.More:
		return "too many texts"
	case c.Unwieldy():
		return fmt.Sprintf("%d different texts", len(c.Levels))
	}
	return ""
}

// writeColumns writes the roles of a table's columns.
func (d *Draft) writeColumns(w *lineWriter) {
	var roles, why, drop []string
	for _, r := range [][2]string{{"id", d.ID}, {"group", d.Group}, {"time", d.Time}} {
		if r[1] != "" {
			roles = append(roles, r[0]+": "+yamlScalar(r[1]))
		}
	}
	if d.Markers != nil {
		roles = append(roles, "missing: "+yamlList(d.Markers)+" # what stands for a missing value")
	}
	if d.Repeated {
		roles = append(roles, "repeated: number # the second column of a name is called name#2")
	}
	numbers, categorical, dropped := d.Features()
	missing := false
	for _, name := range slices.Concat(numbers, categorical) {
		missing = missing || d.Column(name).Missing > 0
	}
	for _, c := range dropped {
		drop = append(drop, c.Name)
		why = append(why, strings.TrimSpace(c.Name+": "+c.Why))
	}
	several := slices.ContainsFunc(categorical, func(name string) bool { return len(d.Column(name).Levels) > 2 })
	if d.Format == ARFF { // its file declares which are categorical
		categorical = nil
	}
	if len(drop) > 0 {
		roles = append(roles, "drop: "+yamlList(drop))
	}
	if len(categorical) > 0 {
		roles = append(roles, "categorical: "+yamlList(categorical))
	}
	if len(roles) > 0 {
		w.writeLine("    columns: # those that are not named here are features, of numbers")
		for _, r := range roles {
			w.writeLine("      %s", r)
		}
		if len(why) > 0 {
			w.writeComment("      # dropped: ", why)
		}
	}
	var prepare []string
	if len(categorical) > 0 || d.Format == ARFF {
		prepare = append(prepare, "encode: one-hot", "unseen: ignore")
	}
	if missing || d.Partly {
		prepare = append(prepare, "missing: median")
	}
	if len(numbers) > 0 {
		prepare = append(prepare, "scale: sd")
	}
	if len(prepare) > 0 {
		w.writeLine("    prepare: {%s} # fitted on the training rows of each fold", strings.Join(prepare, ", "))
	}
	if several {
		w.writeLine("    features: {unit: variable} # all levels of a categorical column count as one in selected and stability")
	}
}

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
	natural := column != nil && !column.IsNumber() // a class without being told so
	switch {
	case d.Format == CoNLLU, d.Format == GCT:
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
	if len(parts) > 0 {
		w.writeLine("    target: {%s}%s", strings.Join(parts, ", "), note)
	}
}

// positiveLevel guesses the positive one of two levels: yes rather than no, 1 rather than 0, what the column is named after, else the
// later one.
func (d *Draft) positiveLevel() string {
	levels := slices.Clone(d.targetLevels())
	slices.Sort(levels)
	for _, l := range levels {
		if slices.Contains([]string{"yes", "true", "1", "+1", "positive", "pos", "y", "t", strings.ToLower(d.Target)}, strings.ToLower(l)) {
			return l
		}
	}
	return levels[len(levels)-1]
}

// Usable returns the number of rows with a value of the target; 0 if unknown.
func (d *Draft) Usable() int {
	c := d.Column(d.Target)
	switch {
	case d.Partly:
		return 0
	case c == nil || d.Target == "":
		return d.Rows
	}
	return c.Known()
}

func (d *Draft) writeFolds(w *lineWriter) {
	text, why := d.Divided()
	w.writeLine("# %s", oneLine(why))
	w.writeLine("folds: %s", text)
}

// Divided returns the folds: section, and the reason for it in words.
func (d *Draft) Divided() (text, why string) {
	by := ""
	if d.Group != "" {
		by = ", by: " + yamlScalar(d.Group)
	}
	switch {
	case d.Parted:
		return "given", "The folders of training and of test documents are kept apart."
	case d.Time != "":
		test := min(0.1, 0.5/float64(d.Folds)) // a share
		if n := d.Usable(); n > 0 && test*float64(n) < 1 {
			test = 1 // a row
		}
		return fmt.Sprintf("{kind: time, column: %s, k: %d, test: %.2g%s}", yamlScalar(d.Time), d.Folds, test, by),
			fmt.Sprintf("The last rows in time are tested, in %d blocks; training is on what came before each.", d.Folds)
	case d.Group != "":
		return fmt.Sprintf("{kind: kfold, k: %d%s}", d.Folds, by), fmt.Sprintf("Every row is tested once, and rows of the same %s are never on both sides.", d.Group)
	case d.Survival != nil:
		return fmt.Sprintf("{kind: kfold, k: %d, stratify: true}", d.Folds), "Every row is tested once; events have the same share in every fold."
	case d.Class && !d.Several():
		return fmt.Sprintf("{kind: kfold, k: %d, stratify: true}", d.Folds), "Every row is tested once; the classes have the same shares in every fold."
	}
	return fmt.Sprintf("{kind: kfold, k: %d}", d.Folds), "Every row is tested once."
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
	w.writeLine("")
	w.writeLine("# For tenfold check, after tenfold accept: how much worse than the recorded baseline is too much.")
	w.writeLine("gate:")
	w.writeLine("%s", rule)
}

type lineWriter struct{ strings.Builder }

func (w *lineWriter) writeLine(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// writeComment writes a comment that lists at most six things.
func (w *lineWriter) writeComment(begin string, things []string) {
	const most = 6
	more := len(things) - most
	if more > 0 {
		things = append(things[:most:most], fmt.Sprintf("%d more", more))
	}
	w.writeLine("%s%s", begin, oneLine(strings.Join(things, "; ")))
}

// yamlScalar returns text as a YAML scalar, quoted if needed, also inside brackets.
func yamlScalar(text string) string {
	b, err := yaml.Marshal([]string{text})
	plain := strings.TrimSuffix(strings.TrimPrefix(string(b), "- "), "\n")
	if err != nil || strings.ContainsAny(plain, ",[]{}\n#") && !strings.HasPrefix(plain, `"`) && !strings.HasPrefix(plain, "'") || strings.Contains(plain, "\n") {
		return yamlQuoted(text)
	}
	return plain
}

// yamlQuoted returns text as a YAML scalar in double quotes.
func yamlQuoted(text string) string {
	n := yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: text}
	b, err := yaml.Marshal(&n)
	if err != nil || strings.Count(string(b), "\n") > 1 { // yaml.v3 folds long ones
		return fmt.Sprintf("%q", text)
	}
	return strings.TrimSuffix(string(b), "\n")
}

func yamlList(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, yamlScalar(n))
	}
	return "[" + strings.Join(out, ", ") + "]"
}
