package results

import (
	"encoding/json"
	"io"
	"math"
	"strings"
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
	Cell    string             `json:"cell"`
	Folds   int                `json:"folds"` // all that were started, repeats included
	OK      int                `json:"ok"`
	Metrics map[string]MeanSum `json:"metrics"`

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
				if m := mean(values); !math.IsInf(m.Mean, 0) { // a sum can overflow where no value does, and JSON has no infinity
					c.Metrics[name] = m
				}
			}
		}
	}
	return s
}

func (s *Summary) cell(r *Row) *CellSum {
	dataset, algorithm := r.Dataset, r.Algorithm
	for _, p := range r.Grid {
		if name, ok := strings.CutPrefix(p.Name, dataPrefix); ok {
			dataset += " " + name + "=" + plain(p.Value)
		} else {
			algorithm += " " + name + "=" + plain(p.Value)
		}
	}
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
	for _, s := range r.Scores {
		if s.overall() && !math.IsNaN(s.Value) && !math.IsInf(s.Value, 0) {
			c.values[s.Metric] = append(c.values[s.Metric], s.Value)
		}
	}
}

func mean(values []float64) MeanSum {
	n := float64(len(values))
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
	}
	m := MeanSum{Mean: sum / n, N: len(values)}
	for _, v := range values {
		squares += float64((v - m.Mean) * (v - m.Mean))
	}
	if se := math.Sqrt(squares / (n - 1) / n); len(values) > 1 && !math.IsInf(se, 0) && !math.IsNaN(se) {
		m.SE = &se
	}
	return m
}

func (s *Summary) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(s)
}
