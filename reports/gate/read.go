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
	"tenfold/io/yamlerr"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// maxBaselineSize bounds the size of a baseline that is read, in bytes: tens of thousands of cells.
const maxBaselineSize = 256 << 20

// Read reads a baseline file. The error is fs.ErrNotExist if there is none, and yamlerr.Mistakes if its content is wrong.
func Read(path string, metrics results.Metrics) (*Baseline, error) {
	content, err := files.ReadRegular(path, maxBaselineSize)
	if err != nil {
		return nil, err
	}
	return Parse(path, content, metrics)
}

// Parse parses the content of a baseline file; name is for messages, metrics are the properties of those recorded. It is
// strict and reports all mistakes at once, as yamlerr.Mistakes: unknown and duplicate keys, values of another type, numbers
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
	version1 bool // the file is of version 1
	mistakes yamlerr.Mistakes
}

func (r *reader) addMistake(n *yaml.Node, format string, args ...any) {
	line := max(n.Line, 1)
	r.mistakes = append(r.mistakes, yamlerr.Mistake{File: r.file, Line: line, Column: max(n.Column, 1),
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
		r.addMistake(at, "not YAML: %s", yamlerr.Words(yamlPlace.ReplaceAllString(err.Error(), "")))
		return nil
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		r.addMistake(&more, "a second document starts after the first, a baseline file has one")
	}
	return doc.Content[0]
}

func (r *reader) readBaseline(n *yaml.Node, b *Baseline) {
	known := []string{keyVersion, keyExperiment, keyRules, keyRulesSum, keyDatasets, keyResults}
	if _, v := findField(n, keyVersion); v != nil && v.Value == "1" {
		r.version1 = true
		known = append(known, keyTolerance)
	}
	var results, rules, sum *yaml.Node
	versioned := false
	r.readFields(n, "the baseline", known, func(key, v *yaml.Node) bool {
		switch key.Value {
		case keyVersion:
			versioned = true
			if x, ok := r.readNumber(v, keyVersion); ok && x != baselineVersion && x != 1 {
				r.addMistake(v, "%s: version %v, this tenfold reads versions 1 and %d", keyVersion, x, baselineVersion)
			}
		case keyExperiment:
			b.Experiment = r.readText(v, keyExperiment)
		case keyTolerance: // margins by metric, which are not enough to compare rules
			if !r.version1 {
				return false
			}
			r.readNamed(v, keyTolerance, func(metric, v *yaml.Node) { r.readMargin(v, keyTolerance+" of "+metric.Value) })
		case keyRules:
			rules = v
			r.readList(v, keyRules, func(v *yaml.Node) { b.Rules = append(b.Rules, r.readRule(v)) })
		case keyRulesSum:
			sum = v
		case keyDatasets:
			b.Datasets = map[string]Dataset{}
			r.readNamed(v, keyDatasets, func(label, v *yaml.Node) { b.Datasets[label.Value] = r.readDataset(v, "data set "+label.Value) })
		case keyResults:
			results = v
		default:
			return false
		}
		return true
	})
	if n.Kind == yaml.MappingNode && len(r.mistakes) == 0 {
		switch {
		case !versioned:
			r.addMistake(n, "%s is missing, expected %s: %d", keyVersion, keyVersion, baselineVersion)
		case b.Experiment == "":
			r.addMistake(n, "%s is missing, expected the experiment's name", keyExperiment)
		case r.version1 && rules != nil:
			r.addMistake(rules, "a file of version 1 has no %s", keyRules)
		case !r.version1 && len(b.Rules) == 0:
			r.addMistake(cmp.Or(rules, n), "%s are missing, expected those of the gate", keyRules)
		case !r.version1:
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
			algorithms[algorithm.Value] = e
			_, sum := findField(v, keySum)
			if want := b.entryChecksum(label.Value, algorithm.Value); len(r.mistakes) == before && (want != "" || sum != nil) {
				r.checkSum(cmp.Or(sum, v), sum, what, want)
			}
		})
	})
}

func (r *reader) readDataset(n *yaml.Node, what string) Dataset {
	var d Dataset
	before, label := len(r.mistakes), strings.TrimPrefix(what, "data set ")
	var sum *yaml.Node
	r.readFields(n, what, []string{keyDigest, keyFolds, keyBlocks, keySum}, func(key, v *yaml.Node) bool {
		switch key.Value {
		case keyDigest:
			d.Digest = r.readText(v, what+": "+key.Value)
		case keyFolds:
			r.readList(v, what+": "+key.Value, func(v *yaml.Node) { d.Folds = append(d.Folds, r.readText(v, what+": fold")) })
		case keyBlocks:
			d.Blocks = r.readNumbers(v, what+": "+key.Value)
			if slices.ContainsFunc(d.Blocks, func(rows float64) bool { return !(rows > 0) }) {
				r.addMistake(v, "%s: %s: expected numbers of rows, or the sums of their weights, above 0", what, keyBlocks)
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
		case name == keyExpected:
			e.ExpectedFailure = r.readText(v, what+": "+name)
		case v.Kind != yaml.MappingNode && suggest.Nearest(name, []string{keyOptimistic, keyExpected, keySum}) != "":
			r.addMistake(key, "unknown key %q of %s%s", name, what, suggest.DidYouMean(name, []string{keyOptimistic, keyExpected}))
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
	known := []string{keyMean, keySE, keyHigher, keyValues, keyBlocks, keyTolerance, keyExpected}
	before := len(r.mistakes)
	r.readFields(n, what, known, func(key, v *yaml.Node) bool {
		path := what + ": " + key.Value
		switch key.Value {
		case keyMean:
			rec.Mean = r.readOptional(v, path)
		case keySE:
			if rec.SE = r.readOptional(v, path); rec.SE != nil && *rec.SE < 0 {
				r.addMistake(v, "%s: found %v, expected at least 0", path, *rec.SE)
			}
		case keyHigher:
			rec.Higher = r.readFlag(v, path)
		case keyValues:
			rec.Values = r.readNumbers(v, path)
		case keyBlocks:
			rec.Blocks = r.readNumbers(v, path)
		case keyTolerance:
			m := r.readMargin(v, path)
			rec.Tolerance = &m
		case keyExpected:
			rec.ExpectedFailure = r.readText(v, path)
		default:
			return false
		}
		return true
	})
	if len(r.mistakes) == before {
		r.checkConsistent(n, metric, what, rec, d)
	}
	return rec
}

// checkConsistent refuses numbers that contradict each other: the mean, its error and the sums of blocks follow from the
// values.
func (r *reader) checkConsistent(n *yaml.Node, metric, what string, rec Record, d Dataset) {
	s := results.Summarise(rec.Values)
	at := func(key string) *yaml.Node {
		if _, v := findField(n, key); v != nil {
			return v
		}
		return n
	}
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
	case rec.SE != nil && !nearlyEqual(*rec.SE, s.SE, s.Mean):
		r.addMistake(at(keySE), "%s: found the %s %v, expected that of the %s, %v", what, keySE, *rec.SE, keyValues, s.SE)
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

// checkSum compares a checksum with that of what was read. Files of version 1 have none.
func (r *reader) checkSum(at, sum *yaml.Node, what, want string) {
	switch {
	case r.version1 && sum == nil:
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
	texts := func(v *yaml.Node, what string) (out []string) {
		r.readList(v, what, func(v *yaml.Node) { out = append(out, r.readText(v, what)) })
		return out
	}
	known := []string{"metric", "margin", "test", "alpha", "inconclusive", "datasets", "algorithms", "against", "min", "max"}
	r.readFields(n, "a rule", known, func(key, v *yaml.Node) bool {
		what := "a rule: " + key.Value
		switch key.Value {
		case "metric":
			rule.Metric = r.readText(v, what)
		case "margin":
			rule.Margin = r.readMargin(v, what)
		case "test":
			rule.Test = r.readText(v, what)
		case "alpha":
			rule.Alpha, _ = r.readNumber(v, what)
		case "inconclusive":
			rule.Inconclusive = r.readText(v, what)
		case "datasets":
			rule.Datasets = texts(v, what)
		case "algorithms":
			rule.Algorithms = texts(v, what)
		case "against":
			rule.Against = r.readText(v, what)
		case "min":
			rule.Min = r.readOptional(v, what)
		case "max":
			rule.Max = r.readOptional(v, what)
		default:
			return false
		}
		return true
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
