package runner

import (
	"encoding/json"

	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/metric"
	"tenfold/runner/plan"
)

// WriteResults writes the result files of all that is stored and returns their digest. origin is the process that writes
// them.
func (s *Session) WriteResults(frozen *plan.Frozen, origin execute.Origin) (digest string, err error) {
	planned, err := json.Marshal(frozen)
	if err != nil {
		return "", err
	}
	meta := results.Meta{Experiment: s.File.Name, Plan: string(planned), Predictions: s.Predictions, Provenance: frozen.Provenance(), Metrics: metric.Described(s.File.Metrics)}
	origin.Sign(&meta.Provenance)
	if meta.Clusterings, err = s.Clusterings(); err != nil {
		return "", err
	}
	return results.Write(s.Dir, meta, s.Rows)
}
