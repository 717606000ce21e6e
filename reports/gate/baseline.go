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
const baselineVersion = 2

// Baseline is the recorded state of an experiment: a small YAML file in git, beside the experiment's. Data sets and
// algorithms are keyed by their labels, with the exact points of their grids ("stagewise epsilon=0.01"), as in metrics.json.
type Baseline struct {
	Experiment string
	Rules      []Rule                      // of the gate when this was accepted
	Datasets   map[string]Dataset          // by label
	Results    map[string]map[string]Entry // by label of the data set, then of the algorithm
}

// Dataset identifies the data and folds of recorded numbers, and how they are measured.
type Dataset struct {
	Digest   string            // of the data
	Folds    []string          // digests, in order of repeat and fold
	Protocol map[string]string // as in labels (results.Label)
	Blocks   []float64         // rows in each block of the only fold, if numbers have block sums
}

// Entry is a recorded cell. It has no numbers if rules compare none with the baseline, or if the cell failed.
type Entry struct {
	Optimistic      bool              // test rows took part in the fit
	Imported        bool              // predictions were made elsewhere
	Sizes           string            // of the models along a path, if a rule's metric is measured along it
	ExpectedFailure string            // why no metric of the cell has to pass: of accept, or written by hand
	Failed          bool              // accept found it failing, and had no numbers to keep
	Metrics         map[string]Record // by name
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
	Mean, SE        *float64       // SE is nil if there is none
	Higher          bool           // more is better
	Values          []float64      // by the folds' digests; nil for a metric of all folds together
	Blocks          []float64      // sums of the row losses of each block, for a bootstrap of the only fold
	Tolerance       *paired.Margin // written by hand: replaces the rule's margin
	ExpectedFailure string         // written by hand: why the metric need not pass
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

// Keys of the file.
const (
	keyVersion    = "tenfold_baseline"
	keyExperiment = "experiment"
	keyTolerance  = "tolerance"
	keyRules      = "rules"
	keyRulesSum   = "rules_sum"
	keySum        = "sum"
	keyDatasets   = "datasets"
	keyResults    = "results"
	keyDigest     = "digest"
	keyFolds      = "folds"
	keyBlocks     = "blocks"
	keyProtocol   = "protocol"
	keyOptimistic = "optimistic"
	keyImported   = "imported"
	keySizes      = "sizes"
	keyExpected   = "expected_failure"
	keyMean       = "mean"
	keySE         = "se"
	keyHigher     = "higher"
	keyValues     = "values"
	keyRelative   = "relative"
	keyAbsolute   = "absolute"
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
		parts = append(parts, keyImported)
	}
	if e.Sizes != "" {
		parts = append(parts, keySizes, e.Sizes)
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
