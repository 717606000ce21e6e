package cells

import (
	"cmp"
	"sync"

	"tenfold/engines/data"
	"tenfold/engines/searches"
	"tenfold/io/results"
)

// Source provides the bulky parts of rows on demand, and the properties of metrics.
type Source interface {
	Metric(name string) results.Properties
	Facts(r *results.Row) ([]data.Fact, error)
	Scores(r *results.Row) ([]results.Score, error) // including those of points of a path, which rows do not hold
	Path(r *results.Row) ([]results.Point, error)
	Searches(r *results.Row) ([]searches.Record, error)
	Selected(r *results.Row) ([]results.Selected, error)
	Predictions(r *results.Row) (results.Predictions, error)
	Alike(r *results.Row) *results.Similar // similar columns of its data set; nil if none are known
}

// InRows is the Source for rows that hold their parts themselves.
type InRows struct {
	Metrics results.Metrics
	Similar []results.Similar
}

// Metric returns the properties of a metric.
func (s InRows) Metric(name string) results.Properties { return s.Metrics[name] }

// Facts returns the facts of the row.
func (InRows) Facts(r *results.Row) ([]data.Fact, error) { return r.Outcome.Facts, nil }

// Scores returns the scores of the row.
func (InRows) Scores(r *results.Row) ([]results.Score, error) { return r.Outcome.Scores, nil }

// Path returns the path of the row.
func (InRows) Path(r *results.Row) ([]results.Point, error) { return r.Outcome.Path, nil }

// Searches returns what the fit of the row measured inside.
func (InRows) Searches(r *results.Row) ([]searches.Record, error) { return r.Outcome.Searches, nil }

// Selected returns the selected features of the row.
func (InRows) Selected(r *results.Row) ([]results.Selected, error) { return r.Outcome.Selected, nil }

// Predictions returns the predictions of the row.
func (InRows) Predictions(r *results.Row) (results.Predictions, error) {
	return r.Outcome.Predictions, nil
}

// Alike returns the similar columns of the row's data set.
func (s InRows) Alike(r *results.Row) *results.Similar {
	return (&results.Meta{Similar: s.Similar}).Alike(r)
}

// Cached is a Source that asks another one only once for each selection, as long as they are few: several tables, figures and
// sections need the same ones. Methods may be called from several goroutines.
type Cached struct {
	Source
	mu    sync.Mutex
	kept  map[*results.Row][]pick
	size  int // picks in kept
	ids   map[string]int32
	texts []string
	err   error

	graphs map[*results.Similar]*graph
}

// pick is a selected feature whose texts are kept once, by number.
type pick struct {
	feature, class, unit, output, rank int32
	kept                               bool
	coefficient, score                 float64
	bits                               *results.Bits
}

// MaxKept is the number of selected features of a row from which on they are not kept, but read as often as they are asked for: models
// that use all columns have so many.
const MaxKept = 1 << 16

// keep is the maximum number of selected features kept, 40 bytes each; those of further rows are read each time.
const keep = 1 << 22

// Cache returns a cache of a source.
func Cache(src Source) *Cached {
	return &Cached{Source: src, kept: map[*results.Row][]pick{}, ids: map[string]int32{}, graphs: map[*results.Similar]*graph{}}
}

// Selected returns the selected features of the row, which the caller may change.
func (c *Cached) Selected(r *results.Row) ([]results.Selected, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if picks, ok := c.kept[r]; ok {
		return c.unpack(picks), nil
	}
	selected, err := c.Source.Selected(r)
	if err != nil {
		c.err = err
		return nil, err
	}
	if len(selected) <= MaxKept && c.size+len(selected) <= keep {
		c.kept[r] = c.pack(selected)
		c.size += len(selected)
	}
	return selected, nil
}

// streamer is a source that need not hold all selected features of a row.
type streamer interface {
	EachSelected(r *results.Row, do func(results.Selected)) error
}

// EachSelected calls do for each selected feature of the row, in order. Those of a large model are not held in memory.
func (c *Cached) EachSelected(r *results.Row, do func(results.Selected)) error {
	if s, ok := c.Source.(streamer); ok && r.Features > MaxKept {
		err := s.EachSelected(r, do)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.err = cmp.Or(c.err, err)
		return err
	}
	selected, err := c.Selected(r)
	for _, one := range selected {
		do(one)
	}
	return err
}

// Err returns the last error from reading selections.
func (c *Cached) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *Cached) pack(selected []results.Selected) []pick {
	out := make([]pick, len(selected))
	for i, s := range selected {
		out[i] = pick{c.id(s.Feature), c.id(s.Class), c.id(s.Unit), c.id(s.Output), s.Rank, s.Kept, s.Coefficient, s.Score, s.Bits}
	}
	return out
}

func (c *Cached) unpack(picks []pick) []results.Selected {
	out := make([]results.Selected, len(picks))
	for i, p := range picks {
		out[i] = results.Selected{Rank: p.rank, Feature: c.texts[p.feature], Class: c.texts[p.class], Unit: c.texts[p.unit], Output: c.texts[p.output], Kept: p.kept,
			Coefficient: p.coefficient, Score: p.score, Bits: p.bits}
	}
	return out
}

func (c *Cached) id(text string) int32 {
	i, ok := c.ids[text]
	if !ok {
		i = int32(len(c.texts))
		c.texts = append(c.texts, text)
		c.ids[text] = i
	}
	return i
}

// SearchesOf returns the first search of each fit of a cell, or of one task of it.
func SearchesOf(source Source, cell *Cell) (all []searches.Record, err error) {
	rows := cell.Rows
	if cell.Averaged {
		rows = cell.Fits()
	}
	for _, r := range rows {
		found, err := source.Searches(r)
		if err != nil {
			return nil, err
		}
		if r.Status == results.OK && len(found) > 0 && r.Task == rows[0].Task {
			all = append(all, found[0])
		}
	}
	return all, nil
}
