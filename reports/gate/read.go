package gate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/kind"
	"tenfold/io/files"
	"tenfold/io/plain"
	"tenfold/io/results"
	"tenfold/io/yamlerr"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// largest baseline that is read: of ten thousands of cells.
const largest = 256 << 20

// Read a baseline file. The error is fs.ErrNotExist where there is none, and yamlerr.Mistakes where it is not as it should be.
func Read(path string, metrics results.Metrics) (*Baseline, error) {
	content, err := files.ReadRegular(path, largest)
	if err != nil {
		return nil, err
	}
	return Parse(path, content, metrics)
}

// Parse the content of a baseline file; name is for messages, metrics are what is known of those recorded. It is strict: unknown and duplicate keys, values of another
// type, numbers that are not finite or contradict each other, and content without its checksum are yamlerr.Mistakes, all told at once.
func Parse(name string, content []byte, metrics results.Metrics) (*Baseline, error) {
	r := reader{file: name, metrics: metrics, lines: strings.Split(string(content), "\n")}
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
	file    string
	lines   []string
	metrics results.Metrics
	old     bool // of version 1
	found   yamlerr.Mistakes
}

func (r *reader) bad(n *yaml.Node, format string, args ...any) {
	line := max(n.Line, 1)
	r.found = append(r.found, yamlerr.Mistake{File: r.file, Line: line, Column: max(n.Column, 1),
		Source: strings.TrimRight(r.lines[min(line, len(r.lines))-1], "\r"), Msg: plain.Line(fmt.Sprintf(format, args...))})
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
	known := []string{keyVersion, keyExperiment, keyRules, keyRulesSum, keyDatasets, keyResults}
	if _, v := field(n, keyVersion); v != nil && v.Value == "1" {
		r.old = true
		known = append(known, keyTolerance)
	}
	var results, rules, sum *yaml.Node
	versioned := false
	r.fields(n, "the baseline", known, func(key, v *yaml.Node) bool {
		switch key.Value {
		case keyVersion:
			versioned = true
			if x, ok := r.number(v, keyVersion); ok && x != version && x != 1 {
				r.bad(v, "%s: version %v, this tenfold reads versions 1 and %d", keyVersion, x, version)
			}
		case keyExperiment:
			b.Experiment = r.text(v, keyExperiment)
		case keyTolerance: // a margin for each metric, which says too little to compare with
			if !r.old {
				return false
			}
			r.named(v, keyTolerance, func(metric, v *yaml.Node) { r.margin(v, keyTolerance+" of "+metric.Value) })
		case keyRules:
			rules = v
			r.list(v, keyRules, func(v *yaml.Node) { b.Rules = append(b.Rules, r.rule(v)) })
		case keyRulesSum:
			sum = v
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
		case r.old && rules != nil:
			r.bad(rules, "a file of version 1 has no %s", keyRules)
		case !r.old && len(b.Rules) == 0:
			r.bad(cmp.Or(rules, n), "%s are missing, expected those of the gate", keyRules)
		case !r.old:
			r.sum(cmp.Or(sum, rules), sum, "the "+keyRules, rulesSum(b.Rules))
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
			before, what := len(r.found), algorithm.Value+" on "+label.Value
			e := r.entry(v, what, dataset, measured)
			algorithms[algorithm.Value] = e
			_, sum := field(v, keySum)
			if want := b.sum(label.Value, algorithm.Value); len(r.found) == before && (want != "" || sum != nil) {
				r.sum(cmp.Or(sum, v), sum, what, want)
			}
		})
	})
}

func (r *reader) dataset(n *yaml.Node, what string) Dataset {
	var d Dataset
	before, label := len(r.found), strings.TrimPrefix(what, "data set ")
	var sum *yaml.Node
	r.fields(n, what, []string{keyDigest, keyFolds, keyBlocks, keySum}, func(key, v *yaml.Node) bool {
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
		case keySum:
			sum = v
		default:
			return false
		}
		return true
	})
	switch {
	case len(d.Folds) == 0 || d.Digest == "":
		r.bad(n, "%s: expected a %s and %s", what, keyDigest, keyFolds)
	case len(d.Blocks) > 0 && len(d.Folds) > 1:
		r.bad(n, "%s: it has %d %s; %s are of the rows of one", what, len(d.Folds), keyFolds, keyBlocks)
	case len(r.found) == before:
		r.sum(cmp.Or(sum, n), sum, what, d.sum(label))
	}
	return d
}

func (r *reader) entry(n *yaml.Node, what string, d Dataset, measured bool) Entry {
	e := Entry{Metrics: map[string]Record{}}
	r.named(n, what, func(key, v *yaml.Node) {
		switch name := key.Value; {
		case name == keySum: // of what is read here; compared when it is
		case name == keyOptimistic:
			e.Optimistic = r.flag(v, what+": "+name)
		case name == keyExpected:
			e.ExpectedFailure = r.text(v, what+": "+name)
		case v.Kind != yaml.MappingNode && kind.Nearest(name, []string{keyOptimistic, keyExpected, keySum}) != "":
			r.bad(key, "unknown key %q of %s%s", name, what, kind.DidYouMean(name, []string{keyOptimistic, keyExpected}))
		default:
			rec := r.record(v, name, name+" of "+what, d)
			if rec.Mean != nil && !measured {
				r.bad(key, "%s of %s has numbers, but %s does not have the data set", name, what, keyDatasets)
			}
			e.Metrics[name] = rec
		}
	})
	return e
}

func (r *reader) record(n *yaml.Node, metric, what string, d Dataset) Record {
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
		r.consistent(n, metric, what, rec, d)
	}
	return rec
}

// consistent refuses numbers that contradict each other: the mean, its error and the sums of blocks repeat what the values say.
func (r *reader) consistent(n *yaml.Node, metric, what string, rec Record, d Dataset) {
	s := results.Summarise(rec.Values)
	at := func(key string) *yaml.Node {
		if _, v := field(n, key); v != nil {
			return v
		}
		return n
	}
	switch {
	case rec.Mean == nil && (rec.SE != nil || len(rec.Values)+len(rec.Blocks) > 0):
		r.bad(n, "%s: %s is missing", what, keyMean)
	case rec.Mean == nil:
	case len(rec.Values) > 0 && len(rec.Values) != len(d.Folds):
		r.bad(at(keyValues), "%s: found %d %s, expected one for each of the data set's %d %s", what, len(rec.Values), keyValues, len(d.Folds), keyFolds)
	case len(rec.Blocks) > 0 && len(rec.Blocks) != len(d.Blocks):
		r.bad(at(keyBlocks), "%s: found %d %s, expected one for each of the data set's %d", what, len(rec.Blocks), keyBlocks, len(d.Blocks))
	case cells.OfCell(metric):
	case len(rec.Values) == 0:
		r.bad(n, "%s: %s are missing", what, keyValues)
	case !near(*rec.Mean, s.Mean, 0):
		r.bad(at(keyMean), "%s: found the %s %v, expected that of the %s, %v", what, keyMean, *rec.Mean, keyValues, s.Mean)
	case (rec.SE != nil) != results.Finite(s.SE):
		r.bad(at(keySE), "%s: %s is for two or more %s, and there are %d", what, keySE, keyValues, len(rec.Values))
	case rec.SE != nil && !near(*rec.SE, s.SE, s.Mean):
		r.bad(at(keySE), "%s: found the %s %v, expected that of the %s, %v", what, keySE, *rec.SE, keyValues, s.SE)
	case len(rec.Blocks) > 0:
		l, err := paired.Stored(metric, r.metrics[metric], rec.Blocks, d.Blocks)
		if err != nil {
			r.bad(at(keyBlocks), "%s: %s: %s", what, keyBlocks, err)
		} else if !l.Gives(*rec.Mean) {
			r.bad(at(keyBlocks), "%s: the %s do not give the %s %v", what, keyBlocks, keyMean, *rec.Mean)
		}
	}
}

// near forgives the rounding of another order of sums; scale is the size of what was summed, where that is more.
func near(a, b, scale float64) bool {
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), math.Abs(scale))
}

// sum compares a checksum with that of what was read. Files of version 1 have none.
func (r *reader) sum(at, sum *yaml.Node, what, want string) {
	switch {
	case r.old && sum == nil:
	case sum == nil:
		r.bad(at, "%s: %s is missing: the file was edited or badly merged; take either side and run tenfold accept", what, keySum)
	case sum.Kind != yaml.ScalarNode || sum.Value != want:
		r.bad(at, "%s: found %s, which is not the checksum of what is recorded: the file was edited or badly merged; take either side and run tenfold accept", what, found(sum))
	}
}

// rule is a rule of the gate as it was.
func (r *reader) rule(n *yaml.Node) Rule {
	var rule Rule
	rule.SetDefaults()
	before := len(r.found)
	texts := func(v *yaml.Node, what string) (out []string) {
		r.list(v, what, func(v *yaml.Node) { out = append(out, r.text(v, what)) })
		return out
	}
	known := []string{"metric", "margin", "test", "alpha", "inconclusive", "datasets", "algorithms", "against", "min", "max"}
	r.fields(n, "a rule", known, func(key, v *yaml.Node) bool {
		what := "a rule: " + key.Value
		switch key.Value {
		case "metric":
			rule.Metric = r.text(v, what)
		case "margin":
			rule.Margin = r.margin(v, what)
		case "test":
			rule.Test = r.text(v, what)
		case "alpha":
			rule.Alpha, _ = r.number(v, what)
		case "inconclusive":
			rule.Inconclusive = r.text(v, what)
		case "datasets":
			rule.Datasets = texts(v, what)
		case "algorithms":
			rule.Algorithms = texts(v, what)
		case "against":
			rule.Against = r.text(v, what)
		case "min":
			rule.Min = r.optional(v, what)
		case "max":
			rule.Max = r.optional(v, what)
		default:
			return false
		}
		return true
	})
	switch err := rule.Validate(); {
	case len(r.found) > before:
	case rule.Metric == "":
		r.bad(n, "a rule: metric is missing")
	case err != nil:
		r.bad(n, "a rule of %s: %s", rule.Metric, err)
	}
	return rule
}
