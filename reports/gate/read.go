package gate

import (
	"cmp"
	"math"
	"slices"

	"gopkg.in/yaml.v3"

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

// Parse parses the content of a baseline file; name is for messages, metrics are the properties of those recorded. The error is
// strictyaml.Mistakes: what the strict reader refuses, numbers that contradict each other, and content without its checksum.
func Parse(name string, content []byte, metrics results.Metrics) (*Baseline, error) {
	problems := strictyaml.NewProblems(name, content, nil)
	r, b := reader{&problems, metrics}, &Baseline{}
	decoder := strictyaml.Decoder{Problems: &problems}
	if root := r.Parse(content); root != nil && r.checkVersion(root) {
		decoder.Decode(root, b, strictyaml.Owner{Noun: "key", Of: "the baseline"})
		if len(r.Found) == 0 {
			r.checkBaseline(root, b)
		}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return b, nil
}

// reader checks what a baseline file says, beside its nodes.
type reader struct {
	*strictyaml.Problems
	metrics results.Metrics
}

// checkVersion reports whether the file is a baseline of the version that is read.
func (r *reader) checkVersion(root *yaml.Node) bool {
	if root.Kind != yaml.MappingNode {
		return true // the decoder says so
	}
	key, value := strictyaml.Entry(root, keyVersion)
	if key == nil {
		r.Add(root, "%s is missing: no baseline, as tenfold accept writes one", keyVersion)
		return false
	}
	version, ok := strictyaml.Integer(value)
	if ok = ok && version == baselineVersion; !ok {
		r.Add(value, "%s: expected %d, the version that this tenfold reads, found %s; tenfold accept writes the file anew", keyVersion, baselineVersion, strictyaml.Describe(value))
	}
	return ok
}

// valueAt returns the value of the last of the keys, each in the mapping of the one before, or the last that there is.
func valueAt(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		_, value := strictyaml.Entry(n, key)
		n = cmp.Or(value, n)
	}
	return n
}

func (r *reader) checkBaseline(root *yaml.Node, b *Baseline) {
	rules := valueAt(root, keyRules)
	for i, rule := range b.Rules {
		if err := rule.Validate(); err != nil {
			r.Add(rules.Content[i], "a rule of %s: %s", rule.Metric, err)
		}
	}
	if len(b.Rules) == 0 {
		r.Add(rules, "%s are missing, expected those of the gate", keyRules)
	}
	r.checkSum(valueAt(root, "rules_sum"), b.RulesSum, "the "+keyRules, rulesChecksum(b.Rules))
	for label, d := range b.Datasets {
		r.checkDataset(valueAt(root, "datasets", label), label, d)
	}
	for dataset, algorithms := range b.Results {
		r.checkName(valueAt(root, "results", dataset), dataset)
		for algorithm, e := range algorithms {
			r.checkName(valueAt(root, "results", dataset, algorithm), algorithm)
			r.checkEntry(valueAt(root, "results", dataset, algorithm), b, dataset, algorithm, e)
		}
	}
}

// checkName refuses names that messages cannot show.
func (r *reader) checkName(node *yaml.Node, name string) {
	if name == "" || sanitize.Line(name) != name {
		r.Add(node, "found a name that is empty or has characters that cannot be seen, %q", name)
	}
}

func (r *reader) checkDataset(n *yaml.Node, label string, d Dataset) {
	what := "data set " + label
	r.checkName(n, label)
	switch {
	case len(d.Folds) == 0:
		r.Add(valueAt(n, keyFolds), "%s: it has no %s", what, keyFolds)
	case slices.ContainsFunc(d.Blocks, func(rows float64) bool { return !(rows > 0) }):
		r.Add(valueAt(n, keyBlocks), "%s: %s: expected numbers of rows, or the sums of their weights, above 0", what, keyBlocks)
	case len(d.Blocks) > 0 && len(d.Folds) > 1:
		r.Add(valueAt(n, keyBlocks), "%s: it has %d %s; %s are of the rows of one", what, len(d.Folds), keyFolds, keyBlocks)
	default:
		r.checkSum(valueAt(n, keySum), d.Sum, what, d.checksumOf(label))
	}
}

// checkEntry checks a cell. Whether one without numbers failed when it was accepted its checksum tells.
func (r *reader) checkEntry(n *yaml.Node, b *Baseline, dataset, algorithm string, e Entry) {
	what := algorithm + " on " + dataset
	before := r.Count
	for metric, record := range e.Metrics {
		node := valueAt(n, "metrics", metric)
		r.checkName(node, metric)
		if _, measured := b.Datasets[dataset]; record.Mean != nil && !measured {
			r.Add(node, "%s of %s has numbers, but datasets does not have the data set", metric, what)
		} else {
			r.checkRecord(node, metric, metric+" of "+what, record, b.Datasets[dataset])
		}
	}
	switch {
	case r.Count > before:
		return
	case e.hasNumbers():
	case e.Sum == "":
		r.Add(n, "%s: it has neither numbers nor a %s: what was recorded is gone; take it from the file as it was, and of a cell that fails run tenfold accept --expected-failure REASON", what, keySum)
		return
	default:
		e.Failed = true
		b.Results[dataset][algorithm] = e
		e.Failed = e.Sum == b.entryChecksum(dataset, algorithm)
		b.Results[dataset][algorithm] = e
	}
	r.checkSum(valueAt(n, keySum), e.Sum, what, b.entryChecksum(dataset, algorithm))
}

// checkRecord refuses numbers that contradict each other: the mean, its error and the sums of blocks follow from the values.
func (r *reader) checkRecord(n *yaml.Node, metric, what string, rec Record, d Dataset) {
	s := results.Summarise(rec.Values)
	value := func(key string) *yaml.Node { return valueAt(n, key) }
	if rec.Tolerance != nil {
		if err := rec.Tolerance.Validate(keyTolerance); err != nil {
			r.Add(value(keyTolerance), "%s: %s", what, err)
		} else if !rec.Tolerance.Given() {
			r.Add(value(keyTolerance), "%s: %s: expected relative or absolute", what, keyTolerance)
		}
	}
	switch {
	case rec.Mean == nil && (rec.SE != nil || len(rec.Values)+len(rec.Blocks) > 0):
		r.Add(n, "%s: %s is missing", what, keyMean)
	case rec.Mean == nil:
	case rec.SE != nil && *rec.SE < 0:
		r.Add(value(keySE), "%s: %s: found %v, expected at least 0", what, keySE, *rec.SE)
	case len(rec.Values) > 0 && len(rec.Values) != len(d.Folds):
		r.Add(value(keyValues), "%s: found %d %s, expected one for each of the data set's %d %s", what, len(rec.Values), keyValues, len(d.Folds), keyFolds)
	case len(rec.Blocks) > 0 && len(rec.Blocks) != len(d.Blocks):
		r.Add(value(keyBlocks), "%s: found %d %s, expected one for each of the data set's %d", what, len(rec.Blocks), keyBlocks, len(d.Blocks))
	case cells.OfCell(metric):
	case len(rec.Values) == 0:
		r.Add(n, "%s: %s are missing", what, keyValues)
	case !nearlyEqual(*rec.Mean, s.Mean, 0):
		r.Add(value(keyMean), "%s: found the %s %v, expected that of the %s, %v", what, keyMean, *rec.Mean, keyValues, s.Mean)
	case (rec.SE != nil) != results.Finite(s.SE):
		r.Add(value(keySE), "%s: %s is for two or more %s, and there are %d", what, keySE, keyValues, len(rec.Values))
	case rec.SE != nil && *rec.SE < s.SE && !nearlyEqual(*rec.SE, s.SE, s.Mean): // it is larger where folds share training rows
		r.Add(value(keySE), "%s: found the %s %v, expected at least that of independent %s, %v", what, keySE, *rec.SE, keyValues, s.SE)
	case len(rec.Blocks) > 0:
		l, err := paired.Stored(metric, r.metrics[metric], rec.Blocks, d.Blocks)
		if err != nil {
			r.Add(value(keyBlocks), "%s: %s: %s", what, keyBlocks, err)
		} else if !l.Gives(*rec.Mean) {
			r.Add(value(keyBlocks), "%s: the %s do not give the %s %v", what, keyBlocks, keyMean, *rec.Mean)
		}
	}
}

// nearlyEqual forgives rounding by another order of summation; scale is the size of the summands if that is larger.
func nearlyEqual(a, b, scale float64) bool {
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), math.Abs(scale))
}

// checkSum compares a checksum with that of what was read.
func (r *reader) checkSum(node *yaml.Node, sum, what, want string) {
	switch sum {
	case want:
	case "":
		r.Add(node, "%s: %s is missing: the file was edited or badly merged; take either side and run tenfold accept", what, keySum)
	default:
		r.Add(node, "%s: found %q, which is not the checksum of what is recorded: the file was edited or badly merged; take either side and run tenfold accept", what, sum)
	}
}
