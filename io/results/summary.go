package results

import (
	"encoding/json"
	"io"
	"math"
)

// Summary is metrics.json: the means over folds, for tools that track single numbers. A number's place is
//
//	results → data set → algorithm → metrics → metric → mean
//
// where the names of data set and algorithm carry their points in the grid, "stagewise epsilon=0.01". Only folds that
// ended well count. The standard error of the mean is null for a single fold.
type Summary struct {
	SchemaVersion int                            `json:"schema_version"`
	Experiment    string                         `json:"experiment"`
	Digest        string                         `json:"digest"`
	Results       map[string]map[string]*CellSum `json:"results"`
}

// CellSum sums up a cell.
type CellSum struct {
	Cell  string `json:"cell"`
	Folds int    `json:"folds"` // all that were started, repeats included
	OK    int    `json:"ok"`
	// Optimistic: test rows took part in choosing some of the models, so metrics on them flatter.
	Optimistic bool               `json:"optimistic,omitempty"`
	Metrics    map[string]MeanSum `json:"metrics"`

	values   map[string][]float64
	selected Sets // until the cell is complete
}

// MeanSum sums up a metric over folds.
type MeanSum struct {
	Mean float64  `json:"mean"`
	SE   *float64 `json:"se"` // standard deviation / √n
	N    int      `json:"n"`  // folds to which the metric applies
	// 95 % interval of stability, whose values are not means: it, and the standard error, are Nogueira's.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// summaryWriter makes a Summary as rows come. Features are held on to for one cell at a time.
type summaryWriter struct {
	Summary
	last *CellSum
}

func newSummaryWriter() *summaryWriter {
	return &summaryWriter{Summary: Summary{Results: map[string]map[string]*CellSum{}}}
}

func (w *summaryWriter) add(r *Row) {
	c := w.cell(r)
	if w.last != c {
		w.complete()
		w.last = c
	}
	c.add(r)
}

// complete measures what takes all folds of the last cell. A cell whose rows come apart is measured on none of them.
func (w *summaryWriter) complete() {
	c := w.last
	if c == nil {
		return
	}
	if s, err := c.selected.Stability(); err == nil && s.Folds == c.OK {
		m := meanSum(MeanStability([]Stability{s}))
		m.Low, m.High = orNull(s.Low), orNull(s.High)
		c.Metrics[StabilityMetric] = m
	} else {
		delete(c.Metrics, StabilityMetric)
	}
	c.selected = Sets{}
}

// finish is the Summary of all rows that came.
func (w *summaryWriter) finish(meta Meta, digest string) *Summary {
	w.complete()
	w.SchemaVersion, w.Experiment, w.Digest = Schema, meta.Experiment, digest
	for _, algorithms := range w.Results {
		for _, c := range algorithms {
			for name, values := range c.values {
				if s := Summarise(values); finite(s.Mean) { // JSON has no infinity
					c.Metrics[name] = meanSum(s)
				}
			}
		}
	}
	return &w.Summary
}

func (s *Summary) cell(r *Row) *CellSum {
	dataset, algorithm := Labels(r.Dataset, r.Algorithm, r.Grid, Exact)
	if s.Results[dataset] == nil {
		s.Results[dataset] = map[string]*CellSum{}
	}
	c := s.Results[dataset][algorithm]
	if c == nil {
		c = &CellSum{Cell: r.Cell, Metrics: map[string]MeanSum{}, values: map[string][]float64{}}
		s.Results[dataset][algorithm] = c
	}
	return c
}

func (c *CellSum) add(r *Row) {
	c.Folds++
	if r.Status != OK {
		return
	}
	c.OK++
	c.Optimistic = c.Optimistic || r.Optimistic
	c.selected.Add(&r.Outcome, r.Outcome.Selected)
	for _, s := range r.Scores {
		if s.overall() && !math.IsNaN(s.Value) {
			c.values[s.Metric] = append(c.values[s.Metric], s.Value)
		}
	}
}

func meanSum(s Stat) MeanSum {
	return MeanSum{Mean: s.Mean, N: s.N, SE: orNull(s.SE)}
}

func orNull(x float64) *float64 {
	if !finite(x) {
		return nil
	}
	return &x
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func (s *Summary) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(s)
}
