package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/files"
	"tenfold/io/sealed"
)

// Meta describes a run as a whole.
type Meta struct {
	Experiment  string // its name
	Plan        string // the frozen plan as JSON; in results.parquet only, since it can be large
	Provenance  Provenance
	Metrics     Metrics // of the metrics that the rows have
	Predictions bool    // keep predictions.parquet
	Clusterings []Clustering
	Similar     []Similar // similar columns, of data sets that define what similar means
}

// Provenance is in the footer of every file and says where results come from: enough to run the experiment again.
type Provenance struct {
	Spec     string `json:"spec"`      // the experiment file after --set
	SpecPath string `json:"spec_path"` // where it was, as it was given
	Data     []Set  `json:"data"`      // in the order of the file
	Version  string `json:"version"`   // of tenfold, when the files were written; each row has that of its fit
	Commit   string `json:"commit,omitempty"`
	Dirty    bool   `json:"dirty,omitempty"` // files of its work tree had changes, or were not shown to have none
	Machine  string `json:"machine"`
}

// CommitText names a commit for people; a dirty one is marked. It returns "" for none.
func CommitText(commit string, dirty bool) string {
	if commit == "" || !dirty {
		return commit
	}
	return commit + " (with uncommitted changes, or not shown to be without)"
}

// Set identifies a data set by name and digest.
type Set struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// All iterates over rows in memory, in the form that Write takes.
func All(rows []Row) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	}
}

// Write writes all result files into a folder, which it makes if needed, and returns the logical digest of the results. Rows come
// in order of the plan, and are iterated over once; their bulky parts (scores of outputs and points, selections, paths,
// predictions) are not kept in memory. Without predictions, an earlier predictions.parquet is removed. Each file is replaced
// atomically, after all are complete; results.parquet is the last.
func Write(dir string, meta Meta, rows iter.Seq2[*Row, error]) (digest string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	w := &runWriter{dir: dir, meta: meta, written: map[key]bool{}, means: newSummaryWriter()}
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing results: %w", errors.Join(err, w.abort()))
		}
	}()
	if err := w.createTables(); err != nil {
		return "", err
	}
	for r, err := range rows {
		if err == nil {
			err = w.addRow(r)
		}
		if err != nil {
			return "", err
		}
	}
	return w.finish()
}

// runWriter writes the long tables as rows come, and at the end the files that depend on all rows.
type runWriter struct {
	dir     string
	meta    Meta
	outputs []*files.Output // to be committed

	rows    []Row // without their parts
	varying ownColumns
	digest  digester
	means   *summaryWriter
	written map[key]bool // cells with two names have their parts in the long tables once

	metrics     *sealed.Writer[metricLine]
	selections  *sealed.Writer[selectionLine]
	paths       *sealed.Writer[pathLine]
	predictions *sealed.Writer[predictionLine] // nil when they are not kept
	curves      *sealed.Writer[curveLine]      // nil when there are none
	inner       *sealed.Writer[innerLine]      // nil when there is none
}

// newTable creates a file of the run.
func newTable[R any](w *runWriter, name string, columns []sealed.Column[R]) (*sealed.Writer[R], error) {
	out, err := w.createFile(name)
	if err != nil {
		return nil, err
	}
	return sealed.NewWriter(out.File, name, columns), nil
}

func (w *runWriter) createFile(name string) (*files.Output, error) {
	out, err := files.Create(filepath.Join(w.dir, name))
	if err == nil {
		w.outputs = append(w.outputs, out)
	}
	return out, err
}

func (w *runWriter) createTables() error {
	var errs [4]error
	w.metrics, errs[0] = newTable(w, MetricsFile, metricColumns())
	w.selections, errs[1] = newTable(w, SelectionsFile, selectionColumns())
	w.paths, errs[2] = newTable(w, PathsFile, pathColumns())
	if w.meta.Predictions {
		w.predictions, errs[3] = newTable(w, PredictionsFile, predictionColumns())
	}
	return errors.Join(errs[:]...)
}

func (w *runWriter) addRow(r *Row) error {
	w.digest.addRow(r)
	w.varying.addRow(r)
	light := *r
	light.Outcome.Selected, light.Outcome.Path, light.Outcome.Predictions, light.Outcome.Searches = nil, nil, Predictions{}, nil
	light.Scores = slices.DeleteFunc(slices.Clone(r.Scores), func(s Score) bool { return !s.isOverall() })
	w.means.addRow(r, light.Scores)
	w.rows = append(w.rows, light)
	if w.written[r.key()] {
		return nil
	}
	w.written[r.key()] = true
	return w.addParts(r)
}

func (w *runWriter) addParts(r *Row) error {
	k := r.key()
	for _, s := range r.Scores {
		if err := w.metrics.Add(metricLine{k, s}); err != nil {
			return err
		}
	}
	for _, s := range r.Outcome.Selected {
		if err := w.selections.Add(selectionLine{k, s}); err != nil {
			return err
		}
	}
	for _, p := range r.Outcome.Path {
		if err := w.paths.Add(pathLine{k, p}); err != nil {
			return err
		}
	}
	if err := w.addSearches(k, r.Outcome.Searches); err != nil || w.predictions == nil {
		return err
	}
	p := &r.Outcome.Predictions
	positive := map[string]string{} // by output
	for _, one := range p.Positives {
		positive[one.Output] = one.Level
	}
	for i := range p.Row {
		line := p.lineOf(k, i)
		line.positive = positive[line.output]
		if err := w.predictions.Add(line); err != nil {
			return err
		}
	}
	return w.addCurves(k, p.Curves)
}

func (p *Predictions) lineOf(k key, i int) predictionLine {
	optional := func(values []float64) float64 {
		if len(values) == len(p.Row) {
			return values[i]
		}
		return math.NaN()
	}
	return predictionLine{
		key: k, row: p.Row[i], group: p.Group[i], output: p.Output[i], truth: p.Truth[i], prediction: p.Prediction[i], score: p.Score[i],
		truthLabel: p.labelOf(p.TruthLabel, i), predictionLabel: p.labelOf(p.PredictionLabel, i),
		weight: optional(p.Weight), margin: optional(p.Margin), logProbability: optional(p.LogProbability),
	}
}

// labelOf returns the label of row i, "" if rows have no labels.
func (p *Predictions) labelOf(labels []string, i int) string {
	if len(labels) == len(p.Row) {
		return labels[i]
	}
	return ""
}

// finish writes the remaining tables, closes all files and gives them their names.
func (w *runWriter) finish() (string, error) {
	w.varying.splitPlain()
	w.digest.addClusterings(w.meta.Clusterings)
	digest := w.digest.hexSum()
	footer, err := w.footerEntries(digest)
	if err != nil {
		return "", err
	}
	described, err := w.metricEntry()
	if err != nil {
		return "", err
	}
	w.metrics.SetFooter(append(footer, described))
	w.selections.SetFooter(footer)
	w.paths.SetFooter(footer)
	w.predictions.SetFooter(footer)
	w.curves.SetFooter(footer)
	w.inner.SetFooter(footer)
	for _, step := range []func() error{
		w.metrics.Close, w.selections.Close, w.paths.Close, w.predictions.Close, w.curves.Close, w.inner.Close,
		func() error { return w.writeSummary(digest) },
		func() error { return w.writeClusters(footer) },
		func() error { return w.writeSimilar(footer) },
		func() error { return w.writeResults(append(footer, described)) },
		w.commit,
	} {
		if err := step(); err != nil {
			return "", err
		}
	}
	return digest, nil
}

func (w *runWriter) writeSummary(digest string) error {
	out, err := w.createFile(SummaryFile)
	if err != nil {
		return err
	}
	return w.means.finish(w.meta, digest).writeJSON(out)
}

func (w *runWriter) writeResults(footer [][2]string) error {
	t, err := newTable(w, ResultsFile, rowColumns(w.varying))
	if err != nil {
		return err
	}
	written := w.optional()
	maps.DeleteFunc(written, func(_ string, is bool) bool { return !is })
	beside := append(slices.Sorted(maps.Keys(written)), MetricsFile, SelectionsFile, PathsFile, SummaryFile)
	t.SetFooter(append(footer, [2]string{footerPlan, w.meta.Plan}, [2]string{footerFiles, strings.Join(beside, " ")}))
	for i := range w.rows {
		if err := t.Add(w.rows[i]); err != nil {
			return err
		}
	}
	return t.Close()
}

// footerEntries returns the entries in the footer of every file.
func (w *runWriter) footerEntries(digest string) ([][2]string, error) {
	higher, err := json.Marshal(slices.Sorted(maps.Keys(w.varying.higher)))
	if err != nil {
		return nil, err
	}
	plain, err := json.Marshal(slices.Sorted(slices.Values(w.varying.plain)))
	if err != nil {
		return nil, err
	}
	provenance, err := json.Marshal(w.meta.Provenance)
	return [][2]string{
		{footerSchema, strconv.Itoa(Schema)}, {footerExperiment, w.meta.Experiment}, {footerDigest, digest},
		{footerHigher, string(higher)}, {footerPlain, string(plain)}, {footerProvenance, string(provenance)},
	}, err
}

// metricEntry returns the footer entry with the properties of the metrics that the run has.
func (w *runWriter) metricEntry() ([2]string, error) {
	metrics := maps.Clone(w.meta.Metrics)
	maps.DeleteFunc(metrics, func(name string, _ Properties) bool {
		return !w.varying.scored[name] && !slices.Contains(CellMetrics, name)
	})
	text, err := json.Marshal(metrics)
	return [2]string{footerMetrics, string(text)}, err
}

// optional tells, by name, which of the files that a run may have it has.
func (w *runWriter) optional() map[string]bool {
	return map[string]bool{PredictionsFile: w.predictions != nil, CurvesFile: w.curves != nil, InnerFile: w.inner != nil, ClustersFile: len(w.meta.Clusterings) > 0, SimilarFile: len(w.meta.Similar) > 0}
}

func (w *runWriter) commit() error {
	for _, out := range w.outputs {
		if err := out.Close(); err != nil {
			return err
		}
	}
	for len(w.outputs) > 0 {
		if err := w.outputs[0].Commit(); err != nil {
			return err
		}
		w.outputs = w.outputs[1:]
	}
	for name, written := range w.optional() {
		if written {
			continue
		}
		if err := files.Root(w.dir).Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// abort removes the files that are not committed.
func (w *runWriter) abort() error {
	var errs []error
	for _, out := range w.outputs {
		errs = append(errs, out.Abort())
	}
	return errors.Join(errs...)
}
