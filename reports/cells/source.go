package cells

import (
	"sync"

	"tenfold/engines/data"
	"tenfold/io/results"
)

// Source hands out the bulky parts of a row when they are asked for, and what is known of metrics.
type Source interface {
	Metric(name string) results.Properties
	Facts(r *results.Row) ([]data.Fact, error)
	Scores(r *results.Row) ([]results.Score, error) // those of points of a path too, which rows do not carry
	Path(r *results.Row) ([]results.Point, error)
	Selected(r *results.Row) ([]results.Selected, error)
	Predictions(r *results.Row) (results.Predictions, error)
	Alike(r *results.Row) *results.Similar // columns of its data set; nil where none are known
}

// InRows is the Source for rows that carry their parts themselves.
type InRows struct {
	Metrics results.Metrics
	Similar []results.Similar
}

// Metric by its name.
func (s InRows) Metric(name string) results.Properties { return s.Metrics[name] }

// Facts of the row.
func (InRows) Facts(r *results.Row) ([]data.Fact, error) { return r.Outcome.Facts, nil }

// Scores of the row.
func (InRows) Scores(r *results.Row) ([]results.Score, error) { return r.Outcome.Scores, nil }

// Path of the row.
func (InRows) Path(r *results.Row) ([]results.Point, error) { return r.Outcome.Path, nil }

// Selected features of the row.
func (InRows) Selected(r *results.Row) ([]results.Selected, error) { return r.Outcome.Selected, nil }

// Predictions of the row.
func (InRows) Predictions(r *results.Row) (results.Predictions, error) {
	return r.Outcome.Predictions, nil
}

// Alike are the similar columns of the row's data set.
func (s InRows) Alike(r *results.Row) *results.Similar {
	return (&results.Meta{Similar: s.Similar}).Alike(r)
}

// Cached is a Source that asks another one for each selection once, as long as they are few: several tables, figures and
// sections want the same. Methods may be called from several goroutines.
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
	coefficient, score                 float64
	bits                               *results.Bits
}

// keep is how many selected features are kept in all, 40 bytes each; those of further rows are read each time.
const keep = 1 << 22

// Cache wraps a source.
func Cache(src Source) *Cached {
	return &Cached{Source: src, kept: map[*results.Row][]pick{}, ids: map[string]int32{}, graphs: map[*results.Similar]*graph{}}
}

// Selected features of the row; the caller's to change.
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
	if c.size+len(selected) <= keep {
		c.kept[r] = c.pack(selected)
		c.size += len(selected)
	}
	return selected, nil
}

// Err is why selections could not be read the last time that happened.
func (c *Cached) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *Cached) pack(selected []results.Selected) []pick {
	out := make([]pick, len(selected))
	for i, s := range selected {
		out[i] = pick{c.id(s.Feature), c.id(s.Class), c.id(s.Unit), c.id(s.Output), s.Rank, s.Coefficient, s.Score, s.Bits}
	}
	return out
}

func (c *Cached) unpack(picks []pick) []results.Selected {
	out := make([]results.Selected, len(picks))
	for i, p := range picks {
		out[i] = results.Selected{Rank: p.rank, Feature: c.texts[p.feature], Class: c.texts[p.class], Unit: c.texts[p.unit], Output: c.texts[p.output],
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
