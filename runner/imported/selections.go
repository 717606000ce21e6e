package imported

import (
	"context"
	"fmt"
	"math"

	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// selections holds a file of selected features, column by column.
type selections struct {
	records
	feature, output    tablefile.Words
	rank               tablefile.WholeNumbers
	score, coefficient []float64
}

func readSelections(ctx context.Context, in source.Input, folds foldList) (*selections, error) {
	_, file, err := in.Bytes(Selections)
	if err != nil {
		return nil, err
	}
	s := &selections{records: records{file: file, folds: folds}}
	columns := s.places.columns()
	columns["feature"], columns["output"], columns["rank"] = s.feature.Take, s.output.Take, s.rank.Take
	columns["score"], columns["coefficient"] = finiteNumber(&s.score), finiteNumber(&s.coefficient)
	b := binding{file: file, columns: columns}
	n, err := tablefile.Scan(ctx, in, Selections, func(header []string) ([]func(tablefile.Value) error, error) {
		for _, name := range header {
			s.places.has[name] = true
		}
		takers, err := b.bind(header)
		if err == nil {
			err = s.places.check(file, s.folds)
		}
		if err == nil && !s.places.has["feature"] {
			err = fmt.Errorf("%s: there is no column feature", file)
		}
		return takers, err
	})
	if err != nil {
		return nil, err
	}
	return s, s.divide(n)
}

// selected returns the features selected for a fold, in order of the file; a fold without records selected nothing.
func (s *selections) selected(f Fold) ([]results.Selected, error) {
	type pair struct{ feature, output string }
	first := map[pair]int32{}
	out := []results.Selected{}
	for _, k := range s.recordsOf(f) {
		one := results.Selected{Rank: -1, Feature: s.feature.Text(k), Output: s.output.Text(k), Coefficient: math.NaN(), Score: math.NaN()}
		if one.Feature == "" {
			return nil, fmt.Errorf("%s, record %d: feature: the value is missing", s.file, k+1)
		}
		if was, again := first[pair{one.Feature, one.Output}]; again {
			return nil, fmt.Errorf("%s, record %d: feature %q of %s again, first in record %d", s.file, k+1, one.Feature, f, was+1)
		}
		first[pair{one.Feature, one.Output}] = k
		if s.rank != nil {
			one.Rank = s.rank[k]
		}
		if s.score != nil {
			one.Score = s.score[k]
		}
		if s.coefficient != nil {
			one.Coefficient = s.coefficient[k]
		}
		out = append(out, one)
	}
	return out, nil
}
