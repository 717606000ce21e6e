package results

import (
	"cmp"
	"encoding/json"
	"io"
	"math"

	"tenfold/io/results/stability"
)

// Summary is metrics.json: the means over folds, for tools that track single numbers. A number's place is
//
//	results → data set → algorithm → metrics → metric → mean
//
// where the names of data set and algorithm carry their points in the grid, "stagewise epsilon=0.01". Only folds that
// ended well count. The standard error of the mean is null for a single fold. The tasks of a family are one data set: each
// counts as a fold does, with its mean. A metric that another cell of the data set has is never absent: its state says so.
type Summary struct {
	SchemaVersion int                            `json:"schema_version"`
	Experiment    string                         `json:"experiment"`
	Digest        string                         `json:"digest"`
	Results       map[string]map[string]*CellSum `json:"results"`
}

// CellSum summarises a cell.
type CellSum struct {
	Cell  string `json:"cell,omitempty"`  // of a family, each task has its own
	Tasks int    `json:"tasks,omitempty"` // of a family
	Folds int    `json:"folds"`           // all that were started, repeats included; of a family those of all tasks
	OK    int    `json:"ok"`
	// Optimistic is true if test rows took part in choosing some of the models, which makes metrics on them too good.
	Optimistic bool               `json:"optimistic,omitempty"`
	Metrics    map[string]MeanSum `json:"metrics"`

	fits      [][]Score // of the folds that ended well
	ratio     float64   // sum of test rows / training rows of these; 0 for tasks
	selected  Sets      // until the cell is complete
	stability []stability.Estimate
	tasks     []*CellSum
}

// MeanSum summarises a metric over folds.
type MeanSum struct {
	Mean  *float64 `json:"mean"`  // null where there is none, or it is infinite
	SE    *float64 `json:"se"`    // Stat.SE
	N     int      `json:"n"`     // folds, or tasks, that have a value
	State State    `json:"state"` // of those that ended well
	// Low and High are the 95 % interval of stability, whose values are not means; it and the standard error are Nogueira's.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// summaryWriter makes a Summary as rows come. It keeps features for one cell at a time.
type summaryWriter struct {
	Summary
	tasks map[[2]string]*CellSum // by the labels of task and algorithm
	last  *CellSum
}

func newSummaryWriter() *summaryWriter {
	return &summaryWriter{Summary: Summary{Results: map[string]map[string]*CellSum{}}, tasks: map[[2]string]*CellSum{}}
}

// addRow adds a row; overall holds its scores of the final model over all outputs, which the writer keeps.
func (w *summaryWriter) addRow(r *Row, overall []Score) {
	c := w.cellOf(r)
	if w.last != c {
		w.completeCell()
		w.last = c
	}
	c.addRow(r, overall)
}

// completeCell computes the stability of the last cell, after all of its folds. A cell whose rows are not adjacent gets none.
func (w *summaryWriter) completeCell() {
	c := w.last
	if c == nil {
		return
	}
	c.stability = nil
	if s, err := c.selected.Stability(); err == nil && s.Folds == c.OK {
		c.stability = []stability.Estimate{s}
	}
	c.selected = Sets{}
}

// finish returns the Summary of all rows added.
func (w *summaryWriter) finish(meta Meta, digest string) *Summary {
	w.completeCell()
	w.SchemaVersion, w.Experiment, w.Digest = Schema, meta.Experiment, digest
	for _, algorithms := range w.Results {
		known := map[string]bool{} // metrics that some cell of the data set has
		for _, c := range algorithms {
			c.foldsFromTasks()
			c.summarise()
			for name := range c.Metrics {
				known[name] = true
			}
		}
		for _, c := range algorithms {
			if c.OK == 0 {
				continue
			}
			for name := range known {
				if _, ok := c.Metrics[name]; !ok {
					c.Metrics[name] = MeanSum{State: Absent}
				}
			}
		}
	}
	return &w.Summary
}

// cellOf returns the cell that a row belongs to; for a task it is the task's own, which is part of its family's.
func (w *summaryWriter) cellOf(r *Row) *CellSum {
	dataset, algorithm := Labels(cmp.Or(r.Family, r.Dataset), r.Algorithm, r.Grid, Exact)
	if w.Results[dataset] == nil {
		w.Results[dataset] = map[string]*CellSum{}
	}
	c := w.Results[dataset][algorithm]
	if c != nil && r.Task == "" && c.Cell != r.Cell { // cells are identified by key; equal labels are rejected when files are read
		algorithm += " " + r.Cell
		c = w.Results[dataset][algorithm]
	}
	if c == nil {
		c = &CellSum{Cell: r.Cell, Metrics: map[string]MeanSum{}}
		w.Results[dataset][algorithm] = c
	}
	if r.Task == "" {
		return c
	}
	task, _ := Labels(r.Dataset, r.Algorithm, r.Grid, Exact)
	t := w.tasks[[2]string{task, algorithm}]
	if t == nil {
		t = &CellSum{}
		w.tasks[[2]string{task, algorithm}] = t
		c.tasks, c.Cell = append(c.tasks, t), ""
	}
	return t
}

func (c *CellSum) addRow(r *Row, overall []Score) {
	c.Folds++
	if r.Status != OK {
		return
	}
	c.OK++
	c.Optimistic = c.Optimistic || r.Optimistic
	c.selected.Add(&r.Outcome, r.Outcome.Selected)
	c.fits = append(c.fits, overall)
	if r.RowsTrain > 0 {
		c.ratio += float64(r.RowsTest) / float64(r.RowsTrain)
	}
}

// foldsFromTasks makes each task count as a fold.
func (c *CellSum) foldsFromTasks() {
	for _, t := range c.tasks {
		c.Tasks++
		c.Folds, c.OK, c.Optimistic = c.Folds+t.Folds, c.OK+t.OK, c.Optimistic || t.Optimistic
		c.fits = append(c.fits, MeanScores(t.fits))
		c.stability = append(c.stability, t.stability...)
	}
}

// summarise computes the means over the folds.
func (c *CellSum) summarise() {
	values := map[string][]float64{}
	for _, scores := range c.fits {
		for _, s := range scores {
			if !math.IsNaN(s.Value) {
				values[s.Metric] = append(values[s.Metric], s.Value)
			}
		}
	}
	for name, folds := range values {
		s := SummariseFolds(folds, c.ratio/float64(len(c.fits)))
		s.Of = len(c.fits)
		c.Metrics[name] = meanSum(s)
	}
	s := MeanStability(c.stability)
	if c.Tasks > 0 {
		s = StabilityOfTasks(c.stability)
	}
	if s.N > 0 {
		m := meanSum(s)
		m.Low, m.High = orNull(s.Low), orNull(s.High)
		c.Metrics[StabilityMetric] = m
	}
}

func meanSum(s Stat) MeanSum {
	return MeanSum{Mean: orNull(s.Mean), N: s.N, SE: orNull(s.SE), State: s.State()} // JSON has no infinity
}

func orNull(x float64) *float64 {
	if !Finite(x) {
		return nil
	}
	return &x
}

func (s *Summary) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(s)
}
