package runner

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"

	"tenfold/engines/prepare/similar"
	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/plan"
)

// WriteResults writes the result files of all that is stored and returns their digest. origin is the process that writes
// them.
func (s *Session) WriteResults(frozen *plan.Frozen, origin execute.Origin) (digest string, err error) {
	planned, err := json.Marshal(frozen)
	if err != nil {
		return "", err
	}
	meta := results.Meta{Experiment: s.File.Name, Plan: string(planned), Predictions: s.Predictions, Provenance: frozen.Provenance(), Metrics: s.File.Defined.Described(s.File.Metrics)}
	origin.Sign(&meta.Provenance)
	if meta.Clusterings, err = s.Clusterings(); err != nil {
		return "", err
	}
	if meta.Similar, err = s.similarColumns(); err != nil {
		return "", err
	}
	return results.Write(s.Dir, meta, s.Rows)
}

// similarColumns returns the similar columns of those data sets that define what similar means.
func (s *Session) similarColumns() (all []results.Similar, err error) {
	for _, set := range s.Sets {
		if set.Similar == 0 || slices.ContainsFunc(all, func(known results.Similar) bool { return known.Digest == set.Digest }) {
			continue
		}
		pairs, err := similar.Columns(set.Data.X, set.Similar, runtime.GOMAXPROCS(0))
		if err != nil {
			return nil, fmt.Errorf("similar columns of %s: %w", set.Name, err)
		}
		entry := results.Similar{Dataset: set.Name, Digest: set.Digest, Least: set.Similar, Columns: int32(set.Shape.Columns)}
		for _, p := range pairs {
			entry.Pairs = append(entry.Pairs, results.SimilarPair{A: set.Data.Features.Name(int(p.A)), B: set.Data.Features.Name(int(p.B)), Correlation: p.Correlation})
		}
		all = append(all, entry)
	}
	return all, nil
}
