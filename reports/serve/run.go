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
	"tenfold/io/results"
	"tenfold/io/status"
	"tenfold/reports"
	"tenfold/reports/cells"
)

// run is a run with what was read of it, which is read again when its files have changed.
type run struct {
	Run
	used int // of the server

	mu    sync.Mutex
	name  string // by which it was asked for
	stamp stamp
	brief *Brief
	err   error // why there is no brief
	view  *view // nil where it was not asked for
	sum   *summary
	same  *bool // whether the results are of the plan
}

// stamp tells whether files have changed.
type stamp struct{ plan, results mark }

type mark struct {
	at   time.Time
	size int64
}

func (r *run) mark(name string) mark {
	info, err := files.Root(r.Dir).Stat(name)
	if err != nil {
		return mark{}
	}
	return mark{info.ModTime(), info.Size()}
}

func (m mark) there() bool { return m.size > 0 }

func (r *run) file(name string) string { return filepath.Join(r.Dir, name) }

// with does something with the run while nobody else does.
func (r *run) with(name string, do func() (*answer, error)) (a *answer, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.name = name
	defer func() {
		if p := recover(); p != nil { // one page must not take the others with it
			err = fmt.Errorf("%s: %v", r.Dir, p)
		}
	}()
	r.refresh()
	return do()
}

// refresh forgets what is of files that have changed.
func (r *run) refresh() {
	now := stamp{r.mark(results.PlanFile), r.mark(results.ResultsFile)}
	if now == r.stamp && (r.brief != nil || r.err != nil) {
		return
	}
	r.close()
	r.stamp, r.brief, r.err, r.sum, r.same = now, nil, nil, nil, nil
	if b, err := r.Brief(); err != nil {
		r.err = err
	} else {
		r.brief = &b
	}
}

// forget what takes memory.
func (r *run) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.close()
}

func (r *run) close() {
	if r.view != nil && r.view.tables != nil {
		_ = r.view.tables.Close() // it was only read
	}
	r.view = nil
}

// written tells whether the result files are those of the plan: older ones may be of a run before, with another plan. Where no
// outcomes are stored they are all there is.
func (r *run) written() bool {
	if !r.stamp.results.there() {
		return false
	}
	if r.same == nil {
		_, err := files.Root(r.Dir).Stat("cells")
		same := errors.Is(err, fs.ErrNotExist) || !r.stamp.results.at.Before(r.stamp.plan.at) || r.samePlan()
		r.same = &same
	}
	return *r.same
}

// samePlan tells whether the results are of the plan whatever the dates say, as after copying.
func (r *run) samePlan() bool {
	var plan bytes.Buffer
	text, _, err := results.ReadPlan(r.Dir)
	if err != nil || json.Compact(&plan, text) != nil {
		return false
	}
	footer, err := results.ReadFooter(r.file(results.ResultsFile))
	return err == nil && footer.Plan == plan.String()
}

// statuses of the processes at work on the run, or that were.
func (r *run) statuses() []status.Status {
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

	tables   *results.Tables // of a run that is written
	stored   *stored         // of one that is not
	byKey    map[string][]*cells.Cell
	averaged map[string][]*cells.Cell
	shown    *shown
}

// columns of results.parquet that lists and tables need; the others are read for the cells that are looked at.
func (b *Brief) columns() []string {
	out := []string{"dataset", "family", "task", "algorithm", "engine", "cell", "param_*", "data_*", "repeat", "fold", "fold_digest", "dataset_digest",
		"status", "error", "selected", "nonzero", "rows_train", "rows_test", "columns", "optimistic", "notes", "seconds_fit", "metric_selected"}
	for _, m := range b.Input.Metrics {
		out = append(out, "metric_"+m)
	}
	b.Config.EachMetric(func(_, name string) { out = append(out, "metric_"+name) })
	return out
}

// load the results, those that there are.
func (r *run) load() (*view, error) {
	if r.err != nil {
		return nil, problem{500, "The plan of this run cannot be read: " + r.err.Error()}
	}
	if r.view == nil {
		r.view = &view{}
		if err := r.read(); err != nil {
			r.view = nil
			return nil, err
		}
	}
	if r.view.stored != nil {
		r.catchUp()
	}
	return r.view, nil
}

// read the result files, or prepare to follow what is stored.
func (r *run) read() error {
	v := r.view
	if !r.written() {
		labels, err := r.Planned()
		if err != nil {
			return err
		}
		v.stored = follow(r.Dir, labels, r.brief.Input.Known)
		return nil
	}
	var err error
	if v.tables, err = results.Read(r.Dir, r.brief.columns()...); err != nil {
		return err
	}
	in := r.brief.Input
	v.tables.Metrics = v.tables.Metrics.Or(in.Known)
	in.Rows, in.Source, in.Digest, in.Clusterings = v.tables.Rows, v.tables, v.tables.Digest, v.tables.Clusterings
	v.Meta, v.Digest = v.tables.Meta, v.tables.Digest
	v.show(r.brief.Config, in)
	return nil
}

// catchUp takes in what was stored since.
func (r *run) catchUp() {
	v := r.view
	if !v.stored.catchUp() && v.View != nil {
		return
	}
	in := r.brief.Input
	in.Rows, in.Source = v.stored.rows(), v.stored
	v.show(r.brief.Config, in)
}

func (v *view) show(c reports.Config, in reports.Input) {
	v.View, v.Rows, v.byKey, v.averaged, v.shown = reports.NewView(c, in), len(in.Rows), nil, nil, nil
}

// index finds cells by their keys.
func index(cs []*cells.Cell) map[string][]*cells.Cell {
	out := make(map[string][]*cells.Cell, len(cs))
	for _, c := range cs {
		out[c.Key] = append(out[c.Key], c)
	}
	return out
}

// of a key, all cells: the same work under several names, or an average of tasks.
func (v *view) of(key string) []*cells.Cell {
	if key == "" {
		return nil
	}
	if v.byKey == nil {
		v.byKey = index(v.Cells())
		v.averaged = index(v.Averaged())
	}
	if found := v.byKey[key]; found != nil {
		return found
	}
	return v.averaged[key]
}

// complete reads what the rows of a cell lack.
func (v *view) complete(c *cells.Cell) (*cells.Cell, error) {
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
