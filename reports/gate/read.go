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

	"tenfold/engines/suggest"
	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/io/strictyaml"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// maxBaselineSize bounds the size of a baseline that is read, in bytes: tens of thousands of cells.
const maxBaselineSize = 256 << 20

// Read reads a baseline file. The error is fs.ErrNotExist if there is none, and strictyaml.Mistakes if its content is wrong.
func Read(path string, metrics results.Metrics) (*Baseline, error) {
	content, err := files.ReadRegular(path, maxBaselineSize)
	if err != nil {
		return nil, err
	}
	return Parse(path, content, metrics)
}

// Parse parses the content of a baseline file; name is for messages, metrics are the properties of those recorded. It is
// strict and reports all mistakes at once, as strictyaml.Mistakes: unknown and duplicate keys, values of another type, numbers
// that are not finite or contradict each other, and content without its checksum.
func Parse(name string, content []byte, metrics results.Metrics) (*Baseline, error) {
	r := reader{file: name, metrics: metrics, lines: strings.Split(string(content), "\n")}
	b := &Baseline{}
	if root := r.readDocument(content); root != nil {
		r.readBaseline(root, b)
	}
	if len(r.mistakes) > 0 {
		r.mistakes.Sort()
		return nil, r.mistakes
	}
	return b, nil
}

// reader decodes nodes and collects mistakes.
type reader struct {
	file     string
	lines    []string
	metrics  results.Metrics
	mistakes strictyaml.Mistakes
}

func (r *reader) addMistake(n *yaml.Node, format string, args ...any) {
	line := max(n.Line, 1)
	r.mistakes = append(r.mistakes, strictyaml.Mistake{File: r.file, Line: line, Column: max(n.Column, 1),
		Source: strings.TrimRight(r.lines[min(line, len(r.lines))-1], "\r"), Msg: sanitize.Line(fmt.Sprintf(format, args...))})
}

var yamlPlace = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// readDocument returns the root of the only document, nil if there is none.
func (r *reader) readDocument(content []byte) *yaml.Node {
	var doc, more yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(content))
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		r.addMistake(&yaml.Node{}, "the file is empty, expected a baseline; tenfold accept writes one")
		return nil
	case err != nil:
		place := yamlPlace.FindStringSubmatch(err.Error())
		at := &yaml.Node{}
		if len(place) > 1 {
			at.Line, _ = strconv.Atoi(place[1])
		}
		r.addMistake(at, "not YAML: %s", strictyaml.Words(yamlPlace.ReplaceAllString(err.Error(), "")))
		return nil
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		r.addMistake(&more, "a second document starts after the first, a baseline file has one")
	}
	return doc.Content[0]
}

func (r *reader) readBaseline(n *yaml.Node, b *Baseline) {
	var results, rules, sum *yaml.Node
	versioned := false
	r.readFields(n, "the baseline", []field{
		{keyVersion, func(v *yaml.Node, _ string) {
			versioned = true
			if x, ok := r.readNumber(v, keyVersion); ok && x != baselineVersion {
				r.addMistake(v, "%s: version %v, this tenfold reads version %d", keyVersion, x, baselineVersion)
			}
		}},
		{keyExperiment, func(v *yaml.Node, _ string) { b.Experiment = r.readText(v, keyExperiment) }},
		{keyRules, func(v *yaml.Node, _ string) {
			rules = v
			r.readList(v, keyRules, func(v *yaml.Node) { b.Rules = append(b.Rules, r.readRule(v)) })
		}},
		node(keyRulesSum, &sum),
		{keyDatasets, func(v *yaml.Node, _ string) {
			b.Datasets = map[string]Dataset{}
			r.readNamed(v, keyDatasets, func(label, v *yaml.Node) { b.Datasets[label.Value] = r.readDataset(v, label.Value) })
		}},
		node(keyResults, &results),
	})
	if n.Kind == yaml.MappingNode && len(r.mistakes) == 0 {
		switch {
		case !versioned:
			r.addMistake(n, "%s is missing, expected %s: %d", keyVersion, keyVersion, baselineVersion)
		case b.Experiment == "":
			r.addMistake(n, "%s is missing, expected the experiment's name", keyExperiment)
		case len(b.Rules) == 0:
			r.addMistake(cmp.Or(rules, n), "%s are missing, expected those of the gate", keyRules)
		default:
			r.checkSum(cmp.Or(sum, rules), sum, "the "+keyRules, rulesChecksum(b.Rules))
		}
	}
	if results == nil {
		return
	}
	b.Results = map[string]map[string]Entry{}
	r.readNamed(results, keyResults, func(label, v *yaml.Node) {
		algorithms := map[string]Entry{}
		b.Results[label.Value] = algorithms
		dataset, measured := b.Datasets[label.Value]
		r.readNamed(v, "results of "+label.Value, func(algorithm, v *yaml.Node) {
			before, what := len(r.mistakes), algorithm.Value+" on "+label.Value
			e := r.readEntry(v, what, dataset, measured)
			sum := findValue(v, keySum)
			if !e.hasNumbers() && sum != nil { // its checksum tells whether it failed
				e.Failed = true
				algorithms[algorithm.Value] = e
				e.Failed = sum.Value == b.entryChecksum(label.Value, algorithm.Value)
			}
			algorithms[algorithm.Value] = e
			switch {
			case len(r.mistakes) > before:
			case sum == nil && !e.hasNumbers():
				r.addMistake(algorithm, "%s: it has neither numbers nor a %s: what was recorded is gone; take it from the file as it was, and of a cell that fails run tenfold accept --expected-failure REASON", what, keySum)
			default:
				r.checkSum(cmp.Or(sum, v), sum, what, b.entryChecksum(label.Value, algorithm.Value))
			}
		})
	})
}

func (r *reader) readDataset(n *yaml.Node, label string) Dataset {
	var d Dataset
	var sum *yaml.Node
	before, what := len(r.mistakes), "data set "+label
	r.readFields(n, what, []field{
		r.text(keyDigest, &d.Digest),
		{keyFolds, func(v *yaml.Node, path string) {
			r.readList(v, path, func(v *yaml.Node) { d.Folds = append(d.Folds, r.readText(v, what+": fold")) })
		}},
		{keyProtocol, func(v *yaml.Node, path string) {
			d.Protocol = map[string]string{}
			r.readNamed(v, path, func(name, v *yaml.Node) { d.Protocol[name.Value] = r.readText(v, path+": "+name.Value) })
		}},
		r.numbers(keyBlocks, &d.Blocks),
		node(keySum, &sum),
	})
	if slices.ContainsFunc(d.Blocks, func(rows float64) bool { return !(rows > 0) }) {
		r.addMistake(valueOr(n, keyBlocks), "%s: %s: expected numbers of rows, or the sums of their weights, above 0", what, keyBlocks)
	}
	switch {
	case len(d.Folds) == 0 || d.Digest == "":
		r.addMistake(n, "%s: expected a %s and %s", what, keyDigest, keyFolds)
	case len(d.Blocks) > 0 && len(d.Folds) > 1:
		r.addMistake(n, "%s: it has %d %s; %s are of the rows of one", what, len(d.Folds), keyFolds, keyBlocks)
	case len(r.mistakes) == before:
		r.checkSum(cmp.Or(sum, n), sum, what, d.checksumOf(label))
	}
	return d
}

func (r *reader) readEntry(n *yaml.Node, what string, d Dataset, measured bool) Entry {
	e := Entry{Metrics: map[string]Record{}}
	r.readNamed(n, what, func(key, v *yaml.Node) {
		switch name := key.Value; {
		case name == keySum: // compared after the whole entry is read
		case name == keyOptimistic:
			e.Optimistic = r.readFlag(v, what+": "+name)
		case name == keyImported:
			e.Imported = r.readFlag(v, what+": "+name)
		case name == keySizes:
			e.Sizes = r.readText(v, what+": "+name)
		case name == keyExpected:
			e.ExpectedFailure = r.readText(v, what+": "+name)
		case v.Kind != yaml.MappingNode && suggest.Nearest(name, []string{keyOptimistic, keyImported, keySizes, keyExpected, keySum}) != "":
			r.addMistake(key, "unknown key %q of %s%s", name, what, suggest.DidYouMean(name, []string{keyOptimistic, keyImported, keySizes, keyExpected}))
		default:
			rec := r.readRecord(v, name, name+" of "+what, d)
			if rec.Mean != nil && !measured {
				r.addMistake(key, "%s of %s has numbers, but %s does not have the data set", name, what, keyDatasets)
			}
			e.Metrics[name] = rec
		}
	})
	return e
}

func (r *reader) readRecord(n *yaml.Node, metric, what string, d Dataset) Record {
	var rec Record
	before := len(r.mistakes)
	r.readFields(n, what, []field{
		r.optional(keyMean, &rec.Mean), r.optional(keySE, &rec.SE), r.flag(keyHigher, &rec.Higher),
		r.numbers(keyValues, &rec.Values), r.numbers(keyBlocks, &rec.Blocks),
		{keyTolerance, func(v *yaml.Node, path string) {
			m := r.readMargin(v, path)
			rec.Tolerance = &m
		}},
		r.text(keyExpected, &rec.ExpectedFailure),
	})
	if rec.SE != nil && *rec.SE < 0 {
		r.addMistake(valueOr(n, keySE), "%s: %s: found %v, expected at least 0", what, keySE, *rec.SE)
	}
	if len(r.mistakes) == before {
		r.checkConsistent(n, metric, what, rec, d)
	}
	return rec
}

// checkConsistent refuses numbers that contradict each other: the mean, its error and the sums of blocks follow from the
// values.
func (r *reader) checkConsistent(n *yaml.Node, metric, what string, rec Record, d Dataset) {
	s := results.Summarise(rec.Values)
	at := func(key string) *yaml.Node { return valueOr(n, key) }
	switch {
	case rec.Mean == nil && (rec.SE != nil || len(rec.Values)+len(rec.Blocks) > 0):
		r.addMistake(n, "%s: %s is missing", what, keyMean)
	case rec.Mean == nil:
	case len(rec.Values) > 0 && len(rec.Values) != len(d.Folds):
		r.addMistake(at(keyValues), "%s: found %d %s, expected one for each of the data set's %d %s", what, len(rec.Values), keyValues, len(d.Folds), keyFolds)
	case len(rec.Blocks) > 0 && len(rec.Blocks) != len(d.Blocks):
		r.addMistake(at(keyBlocks), "%s: found %d %s, expected one for each of the data set's %d", what, len(rec.Blocks), keyBlocks, len(d.Blocks))
	case cells.OfCell(metric):
	case len(rec.Values) == 0:
		r.addMistake(n, "%s: %s are missing", what, keyValues)
	case !nearlyEqual(*rec.Mean, s.Mean, 0):
		r.addMistake(at(keyMean), "%s: found the %s %v, expected that of the %s, %v", what, keyMean, *rec.Mean, keyValues, s.Mean)
	case (rec.SE != nil) != results.Finite(s.SE):
		r.addMistake(at(keySE), "%s: %s is for two or more %s, and there are %d", what, keySE, keyValues, len(rec.Values))
	case rec.SE != nil && *rec.SE < s.SE && !nearlyEqual(*rec.SE, s.SE, s.Mean): // it is larger where folds share training rows
		r.addMistake(at(keySE), "%s: found the %s %v, expected at least that of independent %s, %v", what, keySE, *rec.SE, keyValues, s.SE)
	case len(rec.Blocks) > 0:
		l, err := paired.Stored(metric, r.metrics[metric], rec.Blocks, d.Blocks)
		if err != nil {
			r.addMistake(at(keyBlocks), "%s: %s: %s", what, keyBlocks, err)
		} else if !l.Gives(*rec.Mean) {
			r.addMistake(at(keyBlocks), "%s: the %s do not give the %s %v", what, keyBlocks, keyMean, *rec.Mean)
		}
	}
}

// nearlyEqual forgives rounding by another order of summation; scale is the size of the summands if that is larger.
func nearlyEqual(a, b, scale float64) bool {
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), math.Abs(scale))
}

// checkSum compares a checksum with that of what was read.
func (r *reader) checkSum(at, sum *yaml.Node, what, want string) {
	switch {
	case sum == nil:
		r.addMistake(at, "%s: %s is missing: the file was edited or badly merged; take either side and run tenfold accept", what, keySum)
	case sum.Kind != yaml.ScalarNode || sum.Value != want:
		r.addMistake(at, "%s: found %s, which is not the checksum of what is recorded: the file was edited or badly merged; take either side and run tenfold accept", what, nodeText(sum))
	}
}

// readRule reads a rule of the gate at the time of the baseline.
func (r *reader) readRule(n *yaml.Node) Rule {
	var rule Rule
	rule.SetDefaults()
	before := len(r.mistakes)
	r.readFields(n, "a rule", []field{
		r.text("metric", &rule.Metric),
		{"margin", func(v *yaml.Node, what string) { rule.Margin = r.readMargin(v, what) }},
		r.text("test", &rule.Test), r.number("alpha", &rule.Alpha), r.text("inconclusive", &rule.Inconclusive),
		r.texts("datasets", &rule.Datasets), r.texts("algorithms", &rule.Algorithms), r.text("against", &rule.Against),
		r.optional("min", &rule.Min), r.optional("max", &rule.Max),
	})
	switch err := rule.Validate(); {
	case len(r.mistakes) > before:
	case rule.Metric == "":
		r.addMistake(n, "a rule: metric is missing")
	case err != nil:
		r.addMistake(n, "a rule of %s: %s", rule.Metric, err)
	}
	return rule
}
