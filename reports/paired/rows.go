package paired

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/io/results"
)

// FoldsOf returns the scores of rows of one cell in a metric. It is an error if some row has no finite value.
func FoldsOf(rows []*results.Row, metric string) ([]Fold, error) {
	out := make([]Fold, len(rows))
	absent := 0
	for i, r := range rows {
		v, ok := r.Metric(metric)
		switch {
		case !ok:
			absent++
		case math.IsInf(v, 0):
			return nil, fmt.Errorf("%s is infinite on repeat %d, fold %d", metric, r.Repeat, r.Fold)
		}
		out[i] = Fold{Digest: r.FoldDigest, Train: r.RowsTrain, Test: r.RowsTest, Score: v}
	}
	switch {
	case absent == len(rows):
		return nil, fmt.Errorf("%s has no value", metric)
	case absent > 0:
		return nil, fmt.Errorf("%s has no value on %d of %d folds", metric, absent, len(rows))
	}
	return out, nil
}

// Predictions provides the predictions of rows, and the properties of metrics.
type Predictions interface {
	Metric(name string) results.Properties
	Predictions(*results.Row) (results.Predictions, error)
}

// LossReader computes the row losses of rows and caches them: each is read once.
type LossReader struct {
	source Predictions
	read   map[lossKey]*Losses
	last   *arrangement // of the rows read last
}

type lossKey struct {
	row    *results.Row
	metric string
}

// ReadLosses returns a LossReader that reads from a source.
func ReadLosses(source Predictions) LossReader {
	return LossReader{source, map[lossKey]*Losses{}, new(arrangement)}
}

// Of returns the row losses of one row in a metric, from its predictions.
func (l LossReader) Of(r *results.Row, metric string) (*Losses, error) {
	key := lossKey{r, metric}
	if known := l.read[key]; known != nil {
		return known, nil
	}
	score, ok := r.Metric(metric)
	properties := l.source.Metric(metric)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s has no value", metric)
	case !RowWise(properties):
		return nil, noRows(metric)
	}
	p, err := l.source.Predictions(r)
	if err != nil {
		return nil, err
	}
	if infinite := func(x float64) bool { return !results.Finite(x) }; infinite(score) || slices.ContainsFunc(p.Truth, infinite) || slices.ContainsFunc(p.Prediction, infinite) {
		return nil, errors.New("some predictions are not finite")
	}
	losses, err := newLosses(metric, properties, p, score, l.last)
	if err == nil {
		l.read[key] = losses
	}
	return losses, err
}
