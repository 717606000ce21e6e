package paired

import (
	"fmt"
	"math"

	"tenfold/io/results"
)

// FoldsOf are the scores of rows of one cell in a metric. It is an error when some row has no finite value.
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

// LossesOf are the row losses of one row in a metric, from its predictions.
func LossesOf(source interface {
	Predictions(*results.Row) (results.Predictions, error)
}, r *results.Row, metric string) (*Losses, error) {
	score, ok := r.Metric(metric)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s has no value", metric)
	case !RowWise(metric):
		return nil, fmt.Errorf("%s is not a mean over rows, which a test of rows needs", metric)
	}
	p, err := source.Predictions(r)
	if err != nil {
		return nil, err
	}
	return NewLosses(metric, p, score)
}
