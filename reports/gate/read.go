package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/kind"
	"tenfold/io/results"
	"tenfold/io/yamlerr"
	"tenfold/reports/paired"
)

// Read a baseline file. The error is fs.ErrNotExist where there is none, and yamlerr.Mistakes where it is not as it should be.
func Read(path string) (*Baseline, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, content)
}

// Parse the content of a baseline file; name is for messages. It is strict: unknown and duplicate keys, values of another
// type, numbers that are not finite and means that are not those of their values are yamlerr.Mistakes, all told at once.
func Parse(name string, content []byte) (*Baseline, error) {
	r := reader{file: name, lines: strings.Split(string(content), "\n")}
	b := &Baseline{}
	if root := r.document(content); root != nil {
		r.baseline(root, b)
	}
	if len(r.found) > 0 {
		r.found.Sort()
		return nil, r.found
	}
	return b, nil
}

// reader decodes nodes and collects what is wrong with them.
type reader struct {
	file  string
	lines []string
	found yamlerr.Mistakes
}

func (r *reader) bad(n *yaml.Node, format string, args ...any) {
	line := max(n.Line, 1)
	r.found = append(r.found, yamlerr.Mistake{File: r.file, Line: line, Column: max(n.Column, 1),
		Source: strings.TrimRight(r.lines[min(line, len(r.lines))-1], "\r"), Msg: fmt.Sprintf(format, args...)})
}

var yamlPlace = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// document is the root of the only document, nil where there is none.
func (r *reader) document(content []byte) *yaml.Node {
	var doc, more yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(content))
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		r.bad(&yaml.Node{}, "the file is empty, expected a baseline; tenfold accept writes one")
		return nil
	case err != nil:
		place := yamlPlace.FindStringSubmatch(err.Error())
		at := &yaml.Node{}
		if len(place) > 1 {
			at.Line, _ = strconv.Atoi(place[1])
		}
		r.bad(at, "not YAML: %s", yamlerr.Words(yamlPlace.ReplaceAllString(err.Error(), "")))
		return nil
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		r.bad(&more, "a second document starts after the first, a baseline file has one")
	}
	return doc.Content[0]
}

func (r *reader) baseline(n *yaml.Node, b *Baseline) {
	known := []string{keyVersion, keyExperiment, keyTolerance, keyDatasets, keyResults}
	var results *yaml.Node
	versioned := false
	r.fields(n, "the baseline", known, func(key, v *yaml.Node) bool {
		switch key.Value {
		case keyVersion:
			versioned = true
			if x, ok := r.number(v, keyVersion); ok && x != version {
				r.bad(v, "%s: version %v, this tenfold reads version %d", keyVersion, x, version)
			}
		case keyExperiment:
			b.Experiment = r.text(v, keyExperiment)
		case keyTolerance:
			b.Tolerance = map[string]paired.Margin{}
			r.named(v, keyTolerance, func(metric, v *yaml.Node) {
				b.Tolerance[metric.Value] = r.margin(v, keyTolerance+" of "+metric.Value)
			})
		case keyDatasets:
			b.Datasets = map[string]Dataset{}
			r.named(v, keyDatasets, func(label, v *yaml.Node) { b.Datasets[label.Value] = r.dataset(v, "data set "+label.Value) })
		case keyResults:
			results = v
		default:
			return false
		}
		return true
	})
	if n.Kind == yaml.MappingNode && len(r.found) == 0 {
		switch {
		case !versioned:
			r.bad(n, "%s is missing, expected %s: %d", keyVersion, keyVersion, version)
		case b.Experiment == "":
			r.bad(n, "%s is missing, expected the experiment's name", keyExperiment)
		}
	}
	if results == nil {
		return
	}
	b.Results = map[string]map[string]Entry{}
	r.named(results, keyResults, func(label, v *yaml.Node) {
		algorithms := map[string]Entry{}
		b.Results[label.Value] = algorithms
		dataset, measured := b.Datasets[label.Value]
		r.named(v, "results of "+label.Value, func(algorithm, v *yaml.Node) {
			algorithms[algorithm.Value] = r.entry(v, algorithm.Value+" on "+label.Value, dataset, measured)
		})
	})
}

func (r *reader) dataset(n *yaml.Node, what string) Dataset {
	var d Dataset
	r.fields(n, what, []string{keyDigest, keyFolds, keyBlocks}, func(key, v *yaml.Node) bool {
		switch key.Value {
		case keyDigest:
			d.Digest = r.text(v, what+": "+key.Value)
		case keyFolds:
			r.list(v, what+": "+key.Value, func(v *yaml.Node) { d.Folds = append(d.Folds, r.text(v, what+": fold")) })
		case keyBlocks:
			d.Blocks = r.numbers(v, what+": "+key.Value)
			if slices.ContainsFunc(d.Blocks, func(rows float64) bool { return !(rows > 0) }) {
				r.bad(v, "%s: %s: expected numbers of rows, or the sums of their weights, above 0", what, keyBlocks)
			}
		default:
			return false
		}
		return true
	})
	if len(d.Folds) == 0 || d.Digest == "" {
		r.bad(n, "%s: expected a %s and %s", what, keyDigest, keyFolds)
	}
	return d
}

func (r *reader) entry(n *yaml.Node, what string, d Dataset, measured bool) Entry {
	e := Entry{Metrics: map[string]Record{}}
	r.named(n, what, func(key, v *yaml.Node) {
		switch name := key.Value; {
		case name == keyOptimistic:
			e.Optimistic = r.flag(v, what+": "+name)
		case name == keyExpected:
			e.ExpectedFailure = r.text(v, what+": "+name)
		case v.Kind != yaml.MappingNode && kind.Nearest(name, []string{keyOptimistic, keyExpected}) != "":
			r.bad(key, "unknown key %q of %s%s", name, what, kind.DidYouMean(name, []string{keyOptimistic, keyExpected}))
		default:
			rec := r.record(v, name+" of "+what, d)
			if rec.Mean != nil && !measured {
				r.bad(key, "%s of %s has numbers, but %s does not have the data set", name, what, keyDatasets)
			}
			e.Metrics[name] = rec
		}
	})
	return e
}

func (r *reader) record(n *yaml.Node, what string, d Dataset) Record {
	var rec Record
	known := []string{keyMean, keySE, keyHigher, keyValues, keyBlocks, keyTolerance, keyExpected}
	before := len(r.found)
	r.fields(n, what, known, func(key, v *yaml.Node) bool {
		path := what + ": " + key.Value
		switch key.Value {
		case keyMean:
			rec.Mean = r.optional(v, path)
		case keySE:
			if rec.SE = r.optional(v, path); rec.SE != nil && *rec.SE < 0 {
				r.bad(v, "%s: found %v, expected at least 0", path, *rec.SE)
			}
		case keyHigher:
			rec.Higher = r.flag(v, path)
		case keyValues:
			rec.Values = r.numbers(v, path)
		case keyBlocks:
			rec.Blocks = r.numbers(v, path)
		case keyTolerance:
			m := r.margin(v, path)
			rec.Tolerance = &m
		case keyExpected:
			rec.ExpectedFailure = r.text(v, path)
		default:
			return false
		}
		return true
	})
	if len(r.found) == before {
		r.consistent(n, what, rec, d)
	}
	return rec
}

// consistent refuses numbers that contradict each other, as after a merge that was resolved line by line.
func (r *reader) consistent(n *yaml.Node, what string, rec Record, d Dataset) {
	s := results.Summarise(rec.Values)
	switch {
	case rec.Mean == nil && (rec.SE != nil || len(rec.Values)+len(rec.Blocks) > 0):
		r.bad(n, "%s: %s is missing", what, keyMean)
	case len(rec.Values) > 0 && len(rec.Values) != len(d.Folds):
		r.bad(n, "%s: found %d %s, expected one for each of the data set's %d %s", what, len(rec.Values), keyValues, len(d.Folds), keyFolds)
	case len(rec.Blocks) > 0 && len(rec.Blocks) != len(d.Blocks):
		r.bad(n, "%s: found %d %s, expected one for each of the data set's %d", what, len(rec.Blocks), keyBlocks, len(d.Blocks))
	case len(rec.Values) > 0 && !near(*rec.Mean, s.Mean):
		r.bad(n, "%s: found the %s %v, expected that of the %s, %v", what, keyMean, *rec.Mean, keyValues, s.Mean)
	case rec.SE != nil && len(rec.Values) > 0 && !near(*rec.SE, s.SE):
		r.bad(n, "%s: found the %s %v, expected that of the %s, %v", what, keySE, *rec.SE, keyValues, s.SE)
	}
}

// near forgives rounding by hand.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-4*max(math.Abs(a), math.Abs(b)) }
