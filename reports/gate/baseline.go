package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"tenfold/reports/paired"
)

// baselineVersion is the version of the baseline file.
const baselineVersion = 1

// Baseline is the recorded state of an experiment: a small YAML file in git, beside the experiment's. Data sets and
// algorithms are keyed by their labels, with the exact points of their grids ("stagewise epsilon=0.01"), as in metrics.json.
type Baseline struct {
	Version    int                         `yaml:"tenfold_baseline"`
	Experiment string                      `yaml:"experiment" read:"required"`
	Rules      []Rule                      `yaml:"rules" read:"required"` // of the gate when this was accepted
	RulesSum   string                      `yaml:"rules_sum"`
	Datasets   map[string]Dataset          `yaml:"datasets,omitempty"` // by label
	Results    map[string]map[string]Entry `yaml:"results,omitempty"`  // by label of the data set, then of the algorithm
}

// Dataset identifies the data and folds of recorded numbers, and how they are measured.
type Dataset struct {
	Digest   string            `yaml:"digest" read:"required"`  // of the data
	Folds    []string          `yaml:"folds" read:"required"`   // digests, in order of repeat and fold
	Protocol map[string]string `yaml:"protocol,flow,omitempty"` // as in labels (results.Label)
	Blocks   []float64         `yaml:"blocks,flow,omitempty"`   // rows in each block of the only fold, if numbers have block sums
	Sum      string            `yaml:"sum"`
}

// Entry is a recorded cell. It has no numbers if rules compare none with the baseline, or if the cell failed.
type Entry struct {
	Optimistic      bool              `yaml:"optimistic,omitempty"`       // test rows took part in the fit
	Imported        bool              `yaml:"imported,omitempty"`         // predictions were made elsewhere
	Sizes           string            `yaml:"sizes,omitempty"`            // of the models along a path, if a rule's metric is measured along it
	ExpectedFailure string            `yaml:"expected_failure,omitempty"` // why no metric of the cell has to pass: of accept, or written by hand
	Failed          bool              `yaml:"-"`                          // accept found it failing, and had no numbers to keep
	Metrics         map[string]Record `yaml:"metrics,omitempty"`          // by name
	Sum             string            `yaml:"sum"`
}

func (e Entry) hasNumbers() bool {
	for _, r := range e.Metrics {
		if r.Mean != nil {
			return true
		}
	}
	return false
}

// Record is a metric of a recorded cell. Without numbers it only carries what was written by hand.
type Record struct {
	Mean            *float64       `yaml:"mean,omitempty"`
	SE              *float64       `yaml:"se,omitempty"`               // nil if there is none
	Higher          bool           `yaml:"higher,omitempty"`           // more is better
	Values          []float64      `yaml:"values,flow,omitempty"`      // by the folds' digests; nil for a metric of all folds together
	Blocks          []float64      `yaml:"blocks,flow,omitempty"`      // sums of the row losses of each block, for a bootstrap of the only fold
	Tolerance       *paired.Margin `yaml:"tolerance,flow,omitempty"`   // written by hand: replaces the rule's margin
	ExpectedFailure string         `yaml:"expected_failure,omitempty"` // written by hand: why the metric need not pass
}

// entryOf returns the recorded cell, if there is one. A nil Baseline has none.
func (b *Baseline) entryOf(dataset, algorithm string) (Entry, bool) {
	if b == nil {
		return Entry{}, false
	}
	e, ok := b.Results[dataset][algorithm]
	return e, ok
}

// forEachEntry calls do for the entries in order of their labels; a nil Baseline has none.
func (b *Baseline) forEachEntry(do func(dataset, algorithm string, e Entry)) {
	if b == nil {
		return
	}
	for _, dataset := range slices.Sorted(maps.Keys(b.Results)) {
		for _, algorithm := range slices.Sorted(maps.Keys(b.Results[dataset])) {
			do(dataset, algorithm, b.Results[dataset][algorithm])
		}
	}
}

// metricsOf returns the names of recorded metrics, sorted.
func metricsOf(e Entry) []string { return slices.Sorted(maps.Keys(e.Metrics)) }

// Keys of the file that messages name.
const (
	keyVersion   = "tenfold_baseline"
	keyTolerance = "tolerance"
	keyRules     = "rules"
	keySum       = "sum"
	keyFolds     = "folds"
	keyBlocks    = "blocks"
	keyExpected  = "expected_failure"
	keyMean      = "mean"
	keySE        = "se"
	keyValues    = "values"
)

// Checksums detect a file that was edited, or merged line by line, after accept wrote it. They do not cover what may be written by
// hand, except the reason of a cell that failed and has no numbers. Each cell has its own, so that changes to different cells merge.

func checksum(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%q\n", p)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func (d Dataset) checksumOf(label string) string {
	parts := []string{label, d.Digest, fmt.Sprintf("%q", d.Folds), fmt.Sprint(d.Blocks)}
	if len(d.Protocol) > 0 {
		parts = append(parts, fmt.Sprintf("%q", d.Protocol))
	}
	return checksum(parts...)
}

// entryChecksum covers the numbers of a cell, or that it has none, and how and on what data they were measured.
func (b *Baseline) entryChecksum(dataset, algorithm string) string {
	e, parts := b.Results[dataset][algorithm], []string{}
	for _, metric := range metricsOf(e) {
		if r := e.Metrics[metric]; r.Mean != nil {
			se := ""
			if r.SE != nil {
				se = fmt.Sprint(*r.SE)
			}
			parts = append(parts, metric, fmt.Sprint(*r.Mean), se, fmt.Sprint(r.Higher), fmt.Sprint(r.Values), fmt.Sprint(r.Blocks))
		}
	}
	if e.Failed {
		parts = append(parts, keyExpected, e.ExpectedFailure)
	}
	parts = append(parts, b.Datasets[dataset].checksumOf(dataset), algorithm, fmt.Sprint(e.Optimistic))
	if e.Imported {
		parts = append(parts, "imported")
	}
	if e.Sizes != "" {
		parts = append(parts, "sizes", e.Sizes)
	}
	return checksum(parts...)
}

func rulesChecksum(rules []Rule) string {
	var parts []string
	for _, r := range rules {
		text, _ := json.Marshal(r) // its numbers are finite
		parts = append(parts, string(text))
	}
	return checksum(parts...)
}

// seal sets the version and all checksums.
func (b *Baseline) seal() {
	b.Version, b.RulesSum = baselineVersion, rulesChecksum(b.Rules)
	for label, d := range b.Datasets {
		d.Sum = d.checksumOf(label)
		b.Datasets[label] = d
	}
	b.forEachEntry(func(dataset, algorithm string, e Entry) {
		e.Sum = b.entryChecksum(dataset, algorithm)
		b.Results[dataset][algorithm] = e
	})
}
