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

	values map[string][]float64
}

// MeanSum sums up a metric over folds.
type MeanSum struct {
	Mean float64  `json:"mean"`
	SE   *float64 `json:"se"` // standard deviation / √n
	N    int      `json:"n"`  // folds to which the metric applies
}

// summarise makes a Summary from the rows of results.parquet.
func summarise(meta Meta, digest string, rows []Row) *Summary {
	s := &Summary{SchemaVersion: Schema, Experiment: meta.Experiment, Digest: digest, Results: map[string]map[string]*CellSum{}}
	for i := range rows {
		s.cell(&rows[i]).add(&rows[i])
	}
	for _, algorithms := range s.Results {
		for _, c := range algorithms {
			for name, values := range c.values {
				if s := Summarise(values); finite(s.Mean) { // JSON has no infinity
					c.Metrics[name] = meanSum(s)
				}
			}
		}
	}
	return s
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
	for _, s := range r.Scores {
		if s.overall() && !math.IsNaN(s.Value) {
			c.values[s.Metric] = append(c.values[s.Metric], s.Value)
		}
	}
}

func meanSum(s Stat) MeanSum {
	m := MeanSum{Mean: s.Mean, N: s.N}
	if finite(s.SE) {
		m.SE = &s.SE
	}
	return m
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func (s *Summary) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(s)
}
