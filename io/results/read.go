package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/sealed"
)

// Tables holds the result files of a run, open for reading. Facts, selections, paths, predictions and metrics in long form are read
// on demand, fastest in the order of Rows. Methods may be called from several goroutines.
type Tables struct {
	Meta
	Digest string   // the logical digest, "sha256:<hex>"
	Beside []string // names of the files that were written with results.parquet, where it was read
	Rows   []Row    // in order of the plan; without Selected, Path, Predictions and Facts, and with the Scores of the final model only

	only        []string // columns of results.parquet that are read; nil: all
	higher      map[string]bool
	plain       []string // metrics in columns of their own names
	whole       *parts[Row]
	facts       *parts[factLine]
	metrics     *parts[metricLine]
	selections  *parts[selectionLine]
	paths       *parts[pathLine]
	predictions *parts[predictionLine]
	curves      *parts[curveLine]
	inner       *parts[innerLine]
}

// Read opens the result files in a run's folder. Only results.parquet must exist. Files must match their checksums, have exactly
// the known columns, and belong to the same results. If columns are named, by patterns such as param_*, Rows have these only, all
// others are read as NULL, and the long tables are compared with their checksums when they are first asked for.
func Read(dir string, names ...string) (*Tables, error) {
	t := &Tables{only: names}
	file, err := t.readRows(filepath.Join(dir, ResultsFile))
	if err != nil {
		return nil, err
	}
	if err := checkLabels(t.Rows); t.only == nil && err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", filepath.Join(dir, ResultsFile), err), file.Close())
	}
	t.whole = newParts(file, slices.Concat(make([]sealed.Column[Row], len(keyColumns(func(*Row) *key { return nil }))), t.columnsOf(file)))
	t.facts = newParts(file, factColumns())
	var errs [8]error
	t.metrics, errs[0] = openParts(filepath.Join(dir, MetricsFile), t.Digest, metricColumns())
	t.selections, errs[1] = openParts(filepath.Join(dir, SelectionsFile), t.Digest, selectionColumns())
	t.paths, errs[2] = openParts(filepath.Join(dir, PathsFile), t.Digest, pathColumns())
	t.predictions, errs[3] = openParts(filepath.Join(dir, PredictionsFile), t.Digest, predictionColumns())
	t.Clusterings, errs[4] = readClusters(dir, t.Digest)
	t.Meta.Similar, errs[5] = readSimilar(dir, t.Digest)
	t.curves, errs[6] = openParts(filepath.Join(dir, CurvesFile), t.Digest, curveColumns())
	t.inner, errs[7] = openParts(filepath.Join(dir, InnerFile), t.Digest, innerColumns())
	err = errors.Join(errs[:]...)
	if err == nil && names == nil {
		err = t.verify()
	}
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	t.Meta.Predictions = t.predictions.table != nil
	return t, nil
}

// verify returns an error for each long table that does not match its checksum. O(bytes).
func (t *Tables) verify() error {
	return errors.Join(t.metrics.verify(), t.selections.verify(), t.paths.verify(), t.predictions.verify(), t.curves.verify(), t.inner.verify())
}

// Close closes the files.
func (t *Tables) Close() error {
	return errors.Join(t.facts.table.Close(), t.metrics.table.Close(), t.selections.table.Close(), t.paths.table.Close(), t.predictions.table.Close(), t.curves.table.Close(), t.inner.table.Close())
}

// ReadFooter reads the footer of one result file, which must match its checksums. Only Digest and Meta are set, and the result need
// not be closed.
func ReadFooter(path string) (*Tables, error) {
	file, err := sealed.Open(path)
	if err != nil {
		return nil, err
	}
	t := new(Tables)
	err = errors.Join(file.Protect(func() error { return cmp.Or(t.readFooter(file), file.VerifyChecksum()) }), file.Close())
	return t, err
}

// ReadRows reads one file of the form of results.parquet from any folder, without the long tables and facts.
func ReadRows(path string) (*Tables, error) { return ReadColumns(path) }

// ReadColumns reads the rows as ReadRows does, with the named columns, or all if none is named; the others are read as NULL.
func ReadColumns(path string, names ...string) (*Tables, error) {
	t := &Tables{only: names}
	file, err := t.readRows(path)
	return t, errors.Join(err, file.Close())
}

// readRows reads the rows and leaves the file open, unless there is an error.
func (t *Tables) readRows(path string) (*sealed.Table, error) {
	file, err := sealed.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no results: %w", err)
	}
	if err != nil {
		return nil, err
	}
	if err := file.Protect(func() error { return t.decodeRows(file) }); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func (t *Tables) decodeRows(f *sealed.Table) error {
	if err := t.readFooter(f); err != nil {
		return err
	}
	if err := f.VerifyChecksum(); err != nil {
		return err
	}
	varying := t.storedColumns(f)
	if err := f.CheckColumns(sealed.Names(rowColumns(varying))); err != nil {
		return fmt.Errorf("not the %s of a run: %w", ResultsFile, err)
	}
	left := func(metric string) bool { return !t.wants(metricPrefix + metric) }
	varying.metrics, varying.plain = slices.DeleteFunc(varying.metrics, left), slices.DeleteFunc(varying.plain, left)
	columns := slices.DeleteFunc(rowColumns(varying), func(c sealed.Column[Row]) bool { return c.Name == factsColumn || !t.wants(c.Name) })
	columns = append(columns, varying.plainColumns()...)
	for g := range f.RowGroups() {
		rows, err := sealed.DecodeGroup(f, g, columns)
		if err != nil {
			return err
		}
		if t.Rows == nil {
			t.Rows = rows
		} else {
			t.Rows = append(t.Rows, rows...)
		}
	}
	return nil
}

// wants reports whether a column was asked for. The metrics without which selections would be counted otherwise always are.
func (t *Tables) wants(name string) bool {
	if slices.Contains([]string{metricPrefix + UnitsMetric, metricPrefix + KeptMetric, metricPrefix + ProbesMetric}, name) {
		return true
	}
	return t.only == nil || slices.ContainsFunc(t.only, func(pattern string) bool {
		ok, _ := path.Match(pattern, name)
		return ok
	})
}

// columnsOf returns the columns of results.parquet, without facts.
func (t *Tables) columnsOf(f *sealed.Table) []sealed.Column[Row] {
	varying := t.storedColumns(f)
	return append(slices.DeleteFunc(rowColumns(varying), func(c sealed.Column[Row]) bool { return c.Name == factsColumn }), varying.plainColumns()...)
}

// storedColumns returns the experiment's own columns in a file.
func (t *Tables) storedColumns(f *sealed.Table) ownColumns {
	varying := ownColumns{higher: t.higher, plain: slices.Clone(t.plain)}
	for _, c := range f.Root().Columns() {
		switch name := c.Name(); {
		case !c.Leaf():
		case strings.HasPrefix(name, metricPrefix):
			varying.metrics = append(varying.metrics, strings.TrimPrefix(name, metricPrefix))
		case strings.HasPrefix(name, paramPrefix), strings.HasPrefix(name, dataPrefix):
			varying.params = append(varying.params, paramColumn{name, c.Type().Kind()})
		}
	}
	return varying
}

// Footer entries, for what all rows have in common.
const (
	footerSchema     = "tenfold.schema_version"
	footerExperiment = "tenfold.experiment"
	footerDigest     = "tenfold.digest"
	footerHigher     = "tenfold.higher_is_better" // metrics, a JSON list
	footerPlain      = "tenfold.plain_metrics"    // metrics in columns of their own names, a JSON list
	footerMetrics    = "tenfold.metrics"          // their Properties by name, JSON; in results.parquet and metrics.parquet
	footerPlan       = "tenfold.plan"             // in results.parquet
	footerProvenance = "tenfold.provenance"       // JSON
	footerFiles      = "tenfold.files"            // in results.parquet, by blanks
)

func (t *Tables) readFooter(f *sealed.Table) error {
	if err := checkSchema(f); err != nil {
		return err
	}
	get := func(name string) string { s, _ := f.Lookup(name); return s }
	t.Experiment, t.Plan, t.Digest, t.Beside = get(footerExperiment), get(footerPlan), get(footerDigest), strings.Fields(get(footerFiles))
	if s := get(footerProvenance); s != "" {
		if err := json.Unmarshal([]byte(s), &t.Provenance); err != nil {
			return fmt.Errorf("footer entry %s: %w", footerProvenance, err)
		}
	}
	var names []string
	if s := get(footerHigher); s != "" {
		if err := json.Unmarshal([]byte(s), &names); err != nil {
			return fmt.Errorf("footer entry %s: %w", footerHigher, err)
		}
	}
	t.higher = map[string]bool{}
	for _, name := range names {
		t.higher[name] = true
	}
	if s := get(footerPlain); s != "" {
		if err := json.Unmarshal([]byte(s), &t.plain); err != nil {
			return fmt.Errorf("footer entry %s: %w", footerPlain, err)
		}
	}
	if s := get(footerMetrics); s != "" {
		if err := json.Unmarshal([]byte(s), &t.Metrics); err != nil {
			return fmt.Errorf("footer entry %s: %w", footerMetrics, err)
		}
	}
	for _, name := range t.plain {
		if _, known := plainMetrics[name]; !known {
			return fmt.Errorf("footer entry %s: there is no column of %q that is a metric", footerPlain, name)
		}
	}
	return nil
}

// Complete reads the columns of a row that Read left out.
func (t *Tables) Complete(r *Row) error {
	lines, err := t.whole.linesOf(r.key())
	for i := range lines { // a cell that goes by two names has more lines
		if l := &lines[i]; l.Dataset == r.Dataset && l.Algorithm == r.Algorithm {
			*r = *l
		}
	}
	return err
}

// Metric returns the properties of a metric.
func (t *Tables) Metric(name string) Properties { return t.Metrics[name] }

// Facts returns the facts of a row.
func (t *Tables) Facts(r *Row) ([]data.Fact, error) {
	lines, err := t.facts.linesOf(r.key())
	if len(lines) == 0 {
		return nil, err
	}
	return lines[0].facts, err // a cell with two names has more lines, which are equal
}

// Scores returns the scores of a row in long form: every metric, output and point of the path.
func (t *Tables) Scores(r *Row) ([]Score, error) {
	lines, err := t.metrics.linesOf(r.key())
	var out []Score
	for _, l := range lines {
		l.Higher = t.higher[l.Metric]
		out = append(out, l.Score)
	}
	return out, err
}

// Selected returns the selected features of a row.
func (t *Tables) Selected(r *Row) ([]Selected, error) {
	lines, err := t.selections.linesOf(r.key())
	var out []Selected
	for _, l := range lines {
		out = append(out, l.Selected)
	}
	return out, err
}

// EachSelected calls do for each selected feature of a row, in order, without holding all of them. do must not read selections.
func (t *Tables) EachSelected(r *Row, do func(Selected)) error {
	const batch = 1 << 12
	return t.selections.eachBatch(r.key(), batch, func(lines []selectionLine) {
		for i := range lines {
			do(lines[i].Selected)
		}
	})
}

// Path returns the recorded path of a row.
func (t *Tables) Path(r *Row) ([]Point, error) {
	lines, err := t.paths.linesOf(r.key())
	var out []Point
	for _, l := range lines {
		out = append(out, l.Point)
	}
	return out, err
}

// Predictions returns the predictions of a row; empty if they were not kept.
func (t *Tables) Predictions(r *Row) (Predictions, error) {
	lines, err := t.predictions.linesOf(r.key())
	var p Predictions
	labels := slices.ContainsFunc(lines, func(l predictionLine) bool { return l.truthLabel != "" || l.predictionLabel != "" })
	weights := slices.ContainsFunc(lines, func(l predictionLine) bool { return l.weight > 0 })
	margins := slices.ContainsFunc(lines, func(l predictionLine) bool { return !math.IsNaN(l.margin) })
	probabilities := slices.ContainsFunc(lines, func(l predictionLine) bool { return !math.IsNaN(l.logProbability) })
	for _, l := range lines {
		p.Row, p.Group, p.Output = append(p.Row, l.row), append(p.Group, l.group), append(p.Output, l.output)
		p.Truth, p.Prediction, p.Score = append(p.Truth, l.truth), append(p.Prediction, l.prediction), append(p.Score, l.score)
		if labels {
			p.TruthLabel, p.PredictionLabel = append(p.TruthLabel, l.truthLabel), append(p.PredictionLabel, l.predictionLabel)
		}
		if weights {
			p.Weight = append(p.Weight, l.weight)
		}
		if margins {
			p.Margin = append(p.Margin, l.margin)
		}
		if probabilities {
			p.LogProbability = append(p.LogProbability, l.logProbability)
		}
		if n := len(p.Positives); l.positive != "" && (n == 0 || p.Positives[n-1].Output != l.output) {
			p.Positives = append(p.Positives, Positive{l.output, l.positive})
		}
	}
	if err == nil && len(lines) > 0 {
		p.Curves, err = t.curvesOf(r)
	}
	return p, err
}

// ReadAllParts returns a copy of a row with all its parts.
func (t *Tables) ReadAllParts(r *Row) (*Row, error) {
	var errs [6]error
	whole := *r
	whole.Outcome.Facts, errs[0] = t.Facts(r)
	if long, err := t.Scores(r); len(long) > 0 { // without metrics.parquet, the scores of the final model remain
		whole.Scores = long
	} else {
		errs[1] = err
	}
	whole.Outcome.Selected, errs[2] = t.Selected(r)
	whole.Outcome.Path, errs[3] = t.Path(r)
	whole.Outcome.Predictions, errs[4] = t.Predictions(r)
	whole.Outcome.Searches, errs[5] = t.Searches(r)
	return &whole, errors.Join(errs[:]...)
}
