package gate

import (
	"encoding/json"
	"strings"

	"tenfold/io/results"
)

// MarshalJSON writes the outcome for programs. Numbers that do not exist are null.
func (o Outcome) MarshalJSON() ([]byte, error) {
	type value struct {
		Mean  *float64 `json:"mean"`
		SE    *float64 `json:"se"`
		Marks string   `json:"marks,omitempty"` // as in tables
	}
	type verdict struct {
		Rule       *int     `json:"rule"` // from 0; null without one
		Dataset    string   `json:"dataset"`
		Algorithm  string   `json:"algorithm"`
		Metric     string   `json:"metric"`
		Status     Status   `json:"status"`
		Fails      bool     `json:"fails"`
		Present    value    `json:"present"`
		Reference  value    `json:"reference"`
		Against    string   `json:"against,omitempty"`
		Higher     bool     `json:"higher_is_better"`
		Difference *float64 `json:"difference"`
		Margin     *float64 `json:"margin"`
		Test       string   `json:"test,omitempty"`
		Alpha      float64  `json:"alpha"`
		PWorse     *float64 `json:"p_worse"`
		PBetter    *float64 `json:"p_better"`
		PWithin    *float64 `json:"p_within"`
		Detectable *float64 `json:"detectable"`
		Words      string   `json:"words"`
		Notes      []string `json:"notes,omitempty"`
		Reason     string   `json:"expected_failure,omitempty"`
	}
	optional := func(x float64) *float64 {
		if !results.Finite(x) {
			return nil
		}
		return &x
	}
	doc := struct {
		Experiment string         `json:"experiment"`
		Status     Status         `json:"status"`
		Counts     map[Status]int `json:"counts"`
		Notes      []string       `json:"notes,omitempty"`
		Warnings   []string       `json:"warnings,omitempty"` // ways in which the rules became weaker
		Fits       Fits           `json:"fits"`
		Verdicts   []verdict      `json:"verdicts"`
	}{o.Experiment, o.Worst(), o.Count(), o.Notes, o.Warnings, o.Fits, []verdict{}}
	for i := range o.Verdicts {
		v := &o.Verdicts[i]
		one := verdict{
			Dataset: v.Dataset, Algorithm: v.Algorithm, Metric: v.Metric, Status: v.Status, Fails: v.Fails(),
			Present:   value{optional(v.Present.Mean), optional(v.Present.SE), strings.TrimSpace(v.Present.Marks)},
			Reference: value{optional(v.Reference.Mean), optional(v.Reference.SE), strings.TrimSpace(v.Reference.Marks)},
			Against:   v.Against, Higher: v.Higher, Difference: optional(v.Difference), Margin: optional(v.Margin), Test: v.Test, Alpha: v.Alpha,
			PWorse: optional(v.PWorse), PBetter: optional(v.PBetter), PWithin: optional(v.PWithin), Detectable: optional(v.Detectable),
			Words: v.Words, Notes: v.Notes, Reason: v.Reason,
		}
		if v.Rule >= 0 {
			one.Rule = &v.Rule
		}
		doc.Verdicts = append(doc.Verdicts, one)
	}
	return json.Marshal(doc)
}
