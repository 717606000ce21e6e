package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"tenfold/io/files"
	"tenfold/io/planfile"
	"tenfold/io/results"
	"tenfold/io/status"
	"tenfold/reports"
	"tenfold/reports/cells"
)

// run is a run with what was read of it. It is read again when its files have changed.
type run struct {
	Run
	lastUse int // the server's clock at the last use

	mu      sync.Mutex
	name    string // by which it was requested
	stamp   fileStamps
	brief   *Brief
	err     error // why there is no brief
	view    *view // nil until it is needed
	summary *summary
	current *bool // whether the results are of the present plan; nil while unknown
}

// fileStamps report whether files have changed.
type fileStamps struct{ plan, results fileStamp }

type fileStamp struct {
	readTime time.Time
	size     int64
}

func (r *run) stampOf(name string) fileStamp {
	info, err := files.Root(r.Dir).Stat(name)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{info.ModTime(), info.Size()}
}

func (m fileStamp) exists() bool { return m.size > 0 }

func (r *run) filePath(name string) string { return filepath.Join(r.Dir, name) }

// withLock calls do with the run locked, after reading what has changed.
func (r *run) withLock(name string, do func() (*response, error)) (a *response, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.name = name
	defer func() {
		if p := recover(); p != nil { // a panic must not end the server
			err = fmt.Errorf("%s: %v", r.Dir, p)
		}
	}()
	r.refresh()
	return do()
}

// refresh drops what was read of files that have changed.
func (r *run) refresh() {
	now := fileStamps{r.stampOf(planfile.Name), r.stampOf(results.ResultsFile)}
	if now == r.stamp && (r.brief != nil || r.err != nil) {
		return
	}
	r.closeView()
	r.stamp, r.brief, r.err, r.summary, r.current = now, nil, nil, nil, nil
	if b, err := r.Brief(); err != nil {
		r.err = err
	} else {
		r.brief = &b
	}
}

// releaseMemory drops the results.
func (r *run) releaseMemory() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closeView()
}

func (r *run) closeView() {
	if r.view != nil && r.view.tables != nil {
		_ = r.view.tables.Close() // it was only read
	}
	r.view = nil
}

// hasResults reports whether the result files are those of the plan: older ones may belong to an earlier plan. If no
// outcomes are stored, they are all there is.
func (r *run) hasResults() bool {
	if !r.stamp.results.exists() {
		return false
	}
	if r.current == nil {
		_, err := files.Root(r.Dir).Stat("cells")
		same := errors.Is(err, fs.ErrNotExist) || !r.stamp.results.readTime.Before(r.stamp.plan.readTime) || r.samePlan()
		r.current = &same
	}
	return *r.current
}

// samePlan reports whether the results are of the plan whatever the dates of the files say, as after copying.
func (r *run) samePlan() bool {
	var plan bytes.Buffer
	text, err := planfile.Read(r.Dir)
	if err != nil || json.Compact(&plan, text) != nil {
		return false
	}
	footer, err := results.ReadFooter(r.filePath(results.ResultsFile))
	return err == nil && footer.Plan == plan.String()
}

// processStatuses returns the states of the processes that work on the run, or did.
func (r *run) processStatuses() []status.Status {
	all, err := status.Read(r.Dir)
	if err != nil {
		return nil // nothing depends on them
	}
	return all
}

// view is the results of a run as pages show them.
type view struct {
	*reports.View
	results.Meta
	Digest string
	Rows   int

	tables   *results.Tables // of a run with result files
	stored   *storedRows     // of a run without
	byKey    map[string][]*cells.Cell
	averaged map[string][]*cells.Cell
	shown    *cachedTable
}

// tableColumns returns the columns of results.parquet that lists and tables need; the others are read for the cells that are
// shown.
func (b *Brief) tableColumns() []string {
	out := []string{"dataset", "family", "task", "algorithm", "engine", "cell", "param_*", "data_*", "repeat", "fold", "fold_digest", "dataset_digest",
		"status", "error", "selected", "nonzero", "rows_train", "rows_test", "columns", "optimistic", "notes", "seconds_fit", "metric_selected"}
	for _, m := range b.Input.Metrics {
		out = append(out, "metric_"+m)
	}
	b.Config.EachMetric(func(_, name string) { out = append(out, "metric_"+name) })
	for _, p := range b.Input.Published {
		out = append(out, "metric_"+p.Metric)
	}
	return out
}

// loadView loads the results that there are.
func (r *run) loadView() (*view, error) {
	if r.err != nil {
		return nil, httpError{500, "The plan of this run cannot be read: " + r.err.Error()}
	}
	if r.view == nil {
		r.view = &view{}
		if err := r.readView(); err != nil {
			r.view = nil
			return nil, err
		}
	}
	if r.view.stored != nil {
		r.readStored()
	}
	return r.view, nil
}

// readView reads the result files, or prepares to follow stored outcomes.
func (r *run) readView() error {
	v := r.view
	if !r.hasResults() {
		labels, err := r.Planned()
		if err != nil {
			return err
		}
		v.stored = newStoredRows(r.Dir, labels, r.brief.Input.Known)
		return nil
	}
	var err error
	if v.tables, err = results.Read(r.Dir, r.brief.tableColumns()...); err != nil {
		return err
	}
	in := r.brief.Input
	v.tables.Metrics = v.tables.Metrics.Or(in.Known)
	in.Rows, in.Source, in.Digest, in.Clusterings = v.tables.Rows, v.tables, v.tables.Digest, v.tables.Clusterings
	v.Meta, v.Digest = v.tables.Meta, v.tables.Digest
	v.setRows(r.brief.Config, in)
	return nil
}

// readStored adds what was stored since the last call.
func (r *run) readStored() {
	v := r.view
	if !v.stored.readNew() && v.View != nil {
		return
	}
	in := r.brief.Input
	in.Rows, in.Source = v.stored.planRows(), v.stored
	v.setRows(r.brief.Config, in)
}

func (v *view) setRows(c reports.Config, in reports.Input) {
	v.View, v.Rows, v.byKey, v.averaged, v.shown = reports.NewView(c, in), len(in.Rows), nil, nil, nil
}

// indexByKey finds cells by their keys.
func indexByKey(cs []*cells.Cell) map[string][]*cells.Cell {
	out := make(map[string][]*cells.Cell, len(cs))
	for _, c := range cs {
		out[c.Key] = append(out[c.Key], c)
	}
	return out
}

// cellsOf returns all cells with a key: the same work under several names, or an average of tasks.
func (v *view) cellsOf(key string) []*cells.Cell {
	if key == "" {
		return nil
	}
	if v.byKey == nil {
		v.byKey = indexByKey(v.Cells())
		v.averaged = indexByKey(v.Averaged())
	}
	if found := v.byKey[key]; found != nil {
		return found
	}
	return v.averaged[key]
}

// completeRows reads the columns that the rows of a cell lack.
func (v *view) completeRows(c *cells.Cell) (*cells.Cell, error) {
	if v.tables == nil {
		return c, nil
	}
	fill := func(rows []*results.Row) error {
		for _, row := range rows {
			if err := v.tables.Complete(row); err != nil {
				return err
			}
		}
		return nil
	}
	if !c.Averaged {
		c.Params = ""
		if err := fill(c.Rows); err != nil {
			return nil, err
		}
		c.Params = c.Rows[0].Params
		return c, nil
	}
	for _, t := range c.Tasks {
		if err := fill(t.Rows); err != nil {
			return nil, err
		}
		t.Params = t.Rows[0].Params
	}
	again := cells.AcrossTasks(c.Tasks)[0]
	again.Folds = c.Folds
	return again, nil
}
