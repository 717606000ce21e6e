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

// Draft is what is decided of an experiment file.
type Draft struct {
	Found
	Name   string
	File   string // the data, as the experiment file names it
	Labels string // a second file, where the format has one
	Target string // column; "" where the format has one target
	Class  bool   // the target is one
	ID     string // columns, "" for none
	Group  string
	Time   string
	Keep   []string // columns that are features whatever they look like
	Folds  int
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// NameOf data, as experiments are called.
func NameOf(path string) string {
	base := filepath.Base(path)
	for ext := filepath.Ext(base); ext != "" && ext != base; ext = filepath.Ext(base) {
		base = strings.TrimSuffix(base, ext)
	}
	return cmp.Or(strings.Trim(notInNames.ReplaceAllString(strings.ToLower(base), "-"), "-"), "experiment")
}

// levels of the target; nil where they are not known.
func (d *Draft) levels() []string {
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

// two tells whether the target has two classes.
func (d *Draft) two() bool { return d.Class && len(d.levels()) == 2 }

// YAML of the experiment, with comments.
func (d *Draft) YAML() []byte {
	w := &writer{}
	w.line("# Which features predict %s, and which way of choosing them does best?", d.what())
	w.line("# Written by tenfold init; go on from here. docs/experiment-file.md has everything that a file can say.")
	w.line("#   tenfold run    this file: fit what is missing, and write tables and figures to runs/%s", d.Name)
	w.line("#   tenfold accept this file: record the results as its baseline; from then on tenfold check fails if they get worse")
	w.line("tenfold: 1")
	w.line("name: %s", scalar(d.Name))
	w.line("seed: 1 # of everything random: the same seed, the same results")
	w.line("")
	d.dataset(w)
	w.line("")
	d.folds(w)
	w.line("")
	d.algorithms(w)
	w.line("")
	d.report(w)
	return []byte(w.String())
}

func (d *Draft) what() string { return cmp.Or(oneLine(d.Target), "the target") }

// oneLine is a text as a comment can have it.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// where files are looked up, as a comment.
func (d *Draft) where() string {
	if filepath.IsAbs(filepath.FromSlash(d.File)) {
		return ""
	}
	return " # relative to the data folders (--data), to this file or to the working directory"
}

func (d *Draft) dataset(w *writer) {
	w.line("datasets:")
	w.line("  - name: %s", scalar(d.Name))
	w.line("    format: %s", d.Format)
	switch {
	case d.Format == Documents:
		w.line("    files: {all: %s}%s", scalar(d.File), d.where())
		w.line("    layout: \"{class}/**/{id}\" # what the parts of a path mean")
		w.line("    encoding: replace # bytes that are no UTF-8 become U+FFFD")
		w.line("    features: {cutoff: 2, values: tf-idf, normalize: l2} # words in at least two training documents")
		return
	case d.Labels != "":
		w.line("    files: {all: %s, %s: %s}", scalar(d.File), map[string]string{NPZ: "all_y", GCT: "labels"}[d.Format], scalar(d.Labels))
	default:
		w.line("    files: {all: %s}%s", scalar(d.File), d.where())
	}
	if d.Delimiter != "" {
		w.line("    delimiter: %s", scalar(d.Delimiter))
	}
	if d.Decimal != "" {
		w.line("    decimal: %s", scalar(d.Decimal))
	}
	if d.Headless {
		w.line("    header: false # the columns are called 1, 2, ...")
	}
	if d.Columns != nil {
		d.columns(w)
	}
	d.target(w)
	switch d.Format {
	case CoNLLU:
		w.line("    features: {cutoff: 3} # patterns in at least three training rows")
	case SVMlight, VW:
		w.line("    features: {cutoff: 2} # columns in at least two training rows")
	}
}

// Dropped is a column that is left out.
type Dropped struct{ Name, Why string }

// Features are the columns to predict from, and those that are left out.
func (d *Draft) Features() (numbers, categorical []string, dropped []Dropped) {
	for i := range d.Columns {
		c := &d.Columns[i]
		if c.Name != "" && slices.Contains([]string{d.Target, d.ID, d.Group, d.Time}, c.Name) {
			continue
		}
		why := d.leaveOut(c)
		switch {
		case why != "":
			dropped = append(dropped, Dropped{c.Name, why})
		case c.IsNumber():
			numbers = append(numbers, c.Name)
		default:
			categorical = append(categorical, c.Name)
		}
	}
	numbers = slices.DeleteFunc(numbers, func(name string) bool { // a level of another column has the name
		column, level, is := strings.Cut(name, "=")
		is = is && slices.Contains(categorical, column) && slices.Contains(d.Column(column).Levels, level)
		if is {
			dropped = append(dropped, Dropped{name, "a level of " + column + " has that name"})
		}
		return is
	})
	return numbers, categorical, dropped
}

// leaveOut says why a column is no feature, "" where it is one.
func (d *Draft) leaveOut(c *Column) string {
	switch {
	case c.Name == "" && c.IsCounter():
		return "it has no name, and counts the rows"
	case c.Name == "":
		return "it has no name"
	case c.Known() == 0:
		return "no values"
	case slices.Contains(d.Keep, c.Name):
		return ""
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

// columns says what those of a table are for.
func (d *Draft) columns(w *writer) {
	var roles, why, drop []string
	for _, r := range [][2]string{{"id", d.ID}, {"group", d.Group}, {"time", d.Time}} {
		if r[1] != "" {
			roles = append(roles, r[0]+": "+scalar(r[1]))
		}
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
	if d.Format == ARFF { // whose file says which are categorical
		categorical = nil
	}
	if len(drop) > 0 {
		roles = append(roles, "drop: "+list(drop))
	}
	if len(categorical) > 0 {
		roles = append(roles, "categorical: "+list(categorical))
	}
	if len(roles) > 0 {
		w.line("    columns: # those that are not named here are features, of numbers")
		for _, r := range roles {
			w.line("      %s", r)
		}
		if len(why) > 0 {
			w.comment("      # dropped: ", why)
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
		w.line("    prepare: {%s} # fitted on the training rows of each fold", strings.Join(prepare, ", "))
	}
}

func (d *Draft) target(w *writer) {
	var parts []string
	if d.Target != "" {
		parts = append(parts, "column: "+scalar(d.Target))
	}
	column := d.Column(d.Target)
	natural := column != nil && !column.IsNumber() // a class without being told so
	switch {
	case d.Format == CoNLLU, d.Format == GCT:
	case d.Class && !natural:
		parts = append(parts, "type: class")
	}
	note := ""
	if d.two() {
		parts = append(parts, "positive: "+quoted(d.positive()))
		note = " # the class whose precision, recall and ranking count"
	}
	if column != nil && column.Missing > 0 && d.Format != ARFF {
		parts = append(parts, "missing: drop-rows")
	}
	if len(parts) > 0 {
		w.line("    target: {%s}%s", strings.Join(parts, ", "), note)
	}
}

// positive is the class of two that is likely to be asked about: yes rather than no, 1 rather than 0; else the rarer one is not
// known, so the later one.
func (d *Draft) positive() string {
	levels := slices.Clone(d.levels())
	slices.Sort(levels)
	for _, l := range levels {
		if slices.Contains([]string{"yes", "true", "1", "+1", "positive", "pos", "y", "t"}, strings.ToLower(l)) {
			return l
		}
	}
	return levels[len(levels)-1]
}

// Usable is how many rows have a value to be predicted; 0 where that is not known.
func (d *Draft) Usable() int {
	c := d.Column(d.Target)
	switch {
	case d.Partly || d.Format == ARFF:
		return 0
	case c == nil || d.Target == "":
		return d.Rows
	}
	return c.Known()
}

func (d *Draft) folds(w *writer) {
	text, why := d.Divided()
	w.line("# %s", oneLine(why))
	w.line("folds: %s", text)
}

// Divided is how rows are divided into folds, in YAML and in words.
func (d *Draft) Divided() (text, why string) {
	by := ""
	if d.Group != "" {
		by = ", by: " + scalar(d.Group)
	}
	switch {
	case d.Time != "":
		test := min(0.1, 0.5/float64(d.Folds)) // a share
		if n := d.Usable(); n > 0 && test*float64(n) < 1 {
			test = 1 // a row
		}
		return fmt.Sprintf("{kind: time, column: %s, k: %d, test: %.2g%s}", scalar(d.Time), d.Folds, test, by),
			fmt.Sprintf("The last rows in time are tested, in %d blocks; training is on what came before each.", d.Folds)
	case d.Group != "":
		return fmt.Sprintf("{kind: kfold, k: %d%s}", d.Folds, by), fmt.Sprintf("Every row is tested once, and rows of the same %s are never on both sides.", d.Group)
	case d.Class:
		return fmt.Sprintf("{kind: kfold, k: %d, stratify: true}", d.Folds), "Every row is tested once; the classes have the same shares in every fold."
	}
	return fmt.Sprintf("{kind: kfold, k: %d}", d.Folds), "Every row is tested once."
}

func (d *Draft) algorithms(w *writer) {
	w.line("algorithms: # tenfold describe engine lists all engines; tenfold describe engine NAME the parameters of one")
	if !d.Class {
		w.line("  - {name: mean, engine: mean} # the floor: it looks at no feature")
		w.line("  - name: lasso")
		w.line("    engine: lasso")
		w.line("    params: {standardize: true}")
		w.line("    tune: {lambda_ratio: path, k: 3, choose: one-se} # on inner folds of the training rows")
		w.line("  - {name: ridge, engine: ridge, tune: {lambda: [1, 10, 100, 1000], k: 3}} # all features")
		w.line("  - {name: stepwise BIC, engine: mdl, params: {code: bic}}")
		return
	}
	w.line("  - {name: majority, engine: majority} # the floor: it looks at no feature")
	w.line("  - name: L1")
	w.line("    engine: l1")
	w.line("    tune: {c1_ratio: path, k: 3, metric: log_loss, choose: one-se} # on inner folds of the training rows")
	w.line("  - {name: L2, engine: logistic, tune: {c2: [0.1, 1, 10, 100], k: 3, metric: log_loss}} # all features")
	if d.two() {
		w.line("  - {name: stepwise BIC, engine: mdl, params: {code: bic}}")
	}
}

func (d *Draft) report(w *writer) {
	main := "test_mse"
	metrics := []string{main, "test_r2", "selected"}
	if d.Class {
		main, metrics = "accuracy", []string{"accuracy", "macro_f1", "log_loss", "selected"}
	}
	if d.two() {
		metrics = slices.Insert(metrics, 1, "roc_auc")
	}
	w.line("metrics: [%s]", strings.Join(metrics, ", "))
	w.line("")
	w.line("report:")
	w.line("  tables:")
	w.line("    - {rows: algorithm, columns: metric}")
	w.line("    - {rows: algorithm, columns: dataset, cells: \"{%s} ± {%s.se} ({selected})\", baseline: %s}", main, main, map[bool]string{true: "L2", false: "ridge"}[d.Class])
	w.line("")
	w.line("# For tenfold check, after tenfold accept: how much worse than the recorded baseline is too much.")
	w.line("gate:")
	if d.Class {
		w.line("  - {metric: accuracy, margin: {absolute: 0.01}} # one point")
	} else {
		w.line("  - {metric: test_mse, margin: {relative: 0.02}} # two per cent")
	}
}

// writer of lines.
type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// comment lists things, as many as are of use.
func (w *writer) comment(begin string, things []string) {
	const most = 6
	more := len(things) - most
	if more > 0 {
		things = append(things[:most:most], fmt.Sprintf("%d more", more))
	}
	w.line("%s%s", begin, oneLine(strings.Join(things, "; ")))
}

// scalar is a text in YAML, quoted where that is needed, also inside brackets.
func scalar(text string) string {
	b, err := yaml.Marshal([]string{text})
	plain := strings.TrimSuffix(strings.TrimPrefix(string(b), "- "), "\n")
	if err != nil || strings.ContainsAny(plain, ",[]{}\n#") && !strings.HasPrefix(plain, `"`) && !strings.HasPrefix(plain, "'") || strings.Contains(plain, "\n") {
		return quoted(text)
	}
	return plain
}

// quoted is a text in double quotes.
func quoted(text string) string {
	n := yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: text}
	b, err := yaml.Marshal(&n)
	if err != nil || strings.Count(string(b), "\n") > 1 { // yaml.v3 folds long ones
		return fmt.Sprintf("%q", text)
	}
	return strings.TrimSuffix(string(b), "\n")
}

func list(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, scalar(n))
	}
	return "[" + strings.Join(out, ", ") + "]"
}
