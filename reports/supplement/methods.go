package supplement

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
)

// methods returns the description of the methods, a paragraph each, and the publications that it names, in the order of their keys.
func (s *supplement) methods() (text []string, refs []Reference, err error) {
	cited := citations{}
	algorithms, err := s.algorithms(cited)
	if err != nil {
		return nil, nil, err
	}
	compared, err := reports.Compared(s.Report, s.Input.Input)
	if err != nil {
		return nil, nil, err
	}
	for _, sentence := range compared {
		cited.addNamed(sentence)
	}
	text = append(s.data(), algorithms...)
	if words := s.measured(); words != "" {
		text = append(text, words)
		cited.addNamed(words)
	}
	if len(compared) > 0 {
		text = append(text, strings.Join(compared, " "))
	}
	text = append(text, s.software())
	for _, key := range slices.Sorted(maps.Keys(cited)) {
		refs = append(refs, cited[key])
	}
	return text, refs, nil
}

// citations holds references by their keys.
type citations map[string]Reference

// add adds the references of a citation and returns it as it stands in brackets in a text, "" for none.
func (c citations) add(citation string) string {
	found, _ := Cited(citation)
	for _, r := range found {
		c[r.Key] = r
	}
	return citation
}

// named says which words of the description of tests name which publication.
var named = map[string]string{
	"Nadeau": "Nadeau & Bengio 2003", "Wilcoxon": "Wilcoxon 1945", "McNemar": "McNemar 1947", "bootstrap": "Efron 1979", "Holm": "Holm 1979",
	"Friedman": "Friedman 1937", "Nemenyi": "Nemenyi 1963", "Bayesian signed-rank": "Benavoli et al. 2017", "stability": "Nogueira, Sechidis & Brown 2018",
}

// addNamed adds what a sentence on tests names.
func (c citations) addNamed(sentence string) {
	for word, citation := range named {
		if strings.Contains(sentence, word) {
			c.add(citation)
		}
	}
}

// data returns a paragraph for each data set, or family. Points of its grid share one if their rows are divided alike.
func (s *supplement) data() []string {
	var out []string
	for i := 0; i < len(s.Sets); {
		shape, prepared, n := s.describeSetAt(i)
		points := map[string][]string{prepared: {s.Sets[i].Point}}
		order := []string{prepared}
		for i += n; i < len(s.Sets); i += n {
			var next string
			if next, prepared, n = s.describeSetAt(i); next != shape || s.Sets[i].Point == "" {
				break
			}
			if points[prepared] == nil {
				order = append(order, prepared)
			}
			points[prepared] = append(points[prepared], s.Sets[i].Point)
		}
		for _, prepared := range order {
			if common := points[prepared]; common[0] != "" {
				shape += fmt.Sprintf(" At %s:%s", list(common), cmp.Or(prepared, " no preparation."))
			} else {
				shape += prepared
			}
		}
		out = append(out, shape)
	}
	return out
}

// describeSetAt describes the data set of number i, or the n tasks of a family from it on.
func (s *supplement) describeSetAt(i int) (shape, prepared string, n int) {
	first := s.Sets[i]
	for n = 1; first.Family != "" && i+n < len(s.Sets) && s.Sets[i+n].Family == first.Family && s.Sets[i+n].Point == first.Point; n++ {
	}
	shape, prepared = describeSet(s.Sets[i : i+n])
	return shape, prepared, n
}

// describeSet describes a data set, or the tasks of a family, and how it is prepared.
func describeSet(tasks []Set) (shape, prepared string) {
	first := tasks[0]
	name := strings.TrimSuffix(first.Name, " "+first.Point)
	if first.Family != "" {
		name = first.Family
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The data set %s (format %s)", name, first.Format)
	if first.Family != "" {
		fmt.Fprintf(&b, " was divided into %s, with", digits.Count(len(tasks), "task"))
	} else {
		b.WriteString(" has")
	}
	fmt.Fprintf(&b, " %s and %s before preparation", between(tasks, func(t Set) int { return t.Rows }, "row"), between(tasks, func(t Set) int { return t.Columns }, "column"))
	if first.Family == "" {
		response := "response is"
		if len(first.Targets) > 1 {
			response = "responses are"
		}
		fmt.Fprintf(&b, "; the %s %s", response, list(first.Targets))
	}
	var folds []Fold
	for _, t := range tasks {
		folds = append(folds, t.Folds...)
	}
	fmt.Fprintf(&b, ". Algorithms were compared by %s: %s", first.Divided, digits.Count(len(folds)/len(tasks), "fold"))
	if first.Family != "" {
		b.WriteString(" of each task")
	}
	fmt.Fprintf(&b, ", with %s for training and %s for testing.", between(folds, func(f Fold) int { return f.Train }, "row"), between(folds, func(f Fold) int { return f.Test }, "row"))
	if first.Share < 1 {
		prepared = fmt.Sprintf(" Of the training rows %g %% were used.", 100*first.Share)
	}
	if steps := preparation(first.Recipe); len(steps) > 0 {
		prepared += fmt.Sprintf(" Learned from the training rows of each fold alone: %s.", strings.Join(steps, "; "))
	}
	return b.String(), prepared
}

// between returns the numbers of things as "5 rows" or "3 to 5 rows".
func between[T any](items []T, number func(T) int, noun string) string {
	if len(items) == 0 {
		return "no " + noun + "s"
	}
	low, high := number(items[0]), number(items[0])
	for _, item := range items {
		low, high = min(low, number(item)), max(high, number(item))
	}
	if low == high {
		return digits.Count(low, noun)
	}
	return fmt.Sprintf("%d to %d %ss", low, high, noun)
}

// algorithms returns a paragraph with a sentence for each algorithm: engines, parameters that differ from the defaults, what was tuned.
func (s *supplement) algorithms(cited citations) ([]string, error) {
	var sentences []string
	var names []string
	points := map[string][]*cells.Cell{}
	for _, c := range s.points() {
		if points[c.Algorithm] == nil {
			names = append(names, c.Algorithm)
		}
		points[c.Algorithm] = append(points[c.Algorithm], c)
	}
	for _, name := range names {
		sentence, err := s.describeAlgorithm(points[name], cited)
		if err != nil {
			return nil, err
		}
		sentences = append(sentences, sentence)
	}
	if len(sentences) == 0 {
		return nil, nil
	}
	return []string{strings.Join(sentences, " ")}, nil
}

// describeAlgorithm describes an algorithm by the points of its grid; what an engine is, it says once.
func (s *supplement) describeAlgorithm(points []*cells.Cell, cited citations) (string, error) {
	c := points[0]
	if c.Rows[0].Imported() {
		return fmt.Sprintf("The predictions of %s were made elsewhere and imported.", c.Algorithm), nil
	}
	var tree map[string]any
	if c.Params != "" {
		if err := json.Unmarshal([]byte(c.Params), &tree); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s is ", c.Algorithm)
	for i, engine := range strings.Split(c.Engine, "+") {
		if i > 0 {
			b.WriteString(", on whose columns is fitted ")
		}
		b.WriteString(s.nameEngine(engine, cited))
	}
	with, err := s.settings(points)
	if err != nil {
		return "", err
	}
	if len(with) > 0 {
		fmt.Fprintf(&b, ", with %s", list(with))
	}
	b.WriteString(".")
	for _, key := range slices.Sorted(maps.Keys(s.Sections)) {
		switch value := tree[key]; {
		case key == "tune" || !hasSection(tree, key):
		case key == "class_weight" && value == "balanced":
			b.WriteString(" In its fits all levels of the response weighed the same.")
		case key == "class_weight" && value != nil:
			fmt.Fprintf(&b, " In its fits the rows of levels had the weights %v.", value)
		case key == "decide":
			fmt.Fprintf(&b, " It predicts the level of the least expected %v by its probabilities.", cmp.Or(tree["decide.metric"], any("cost")))
		default:
			fmt.Fprintf(&b, " Around it is %s.", s.describePart(key, s.Sections[key], cited))
		}
	}
	return b.String() + s.tuning(c, tree, cited), nil
}

// nameEngine names an engine.
func (s *supplement) nameEngine(name string, cited citations) string {
	if part, known := s.Parts[name]; known {
		return "the engine " + s.describePart(name, part, cited)
	}
	return "the method " + name
}

// describePart names an engine or a section, with what it does where it is named first.
func (s *supplement) describePart(name string, part Part, cited citations) string {
	if s.described[name] {
		return name
	}
	s.described[name] = true
	if part.Cite == "" {
		return fmt.Sprintf("%s (%s)", name, part.Doc)
	}
	return fmt.Sprintf("%s (%s; %s)", name, part.Doc, cited.add(part.Cite))
}

// settings lists the parameters that differ from their defaults, and the values of those of the grid.
func (s *supplement) settings(points []*cells.Cell) ([]string, error) {
	var out []string
	inGrid := map[string]bool{}
	for _, p := range points[0].Grid {
		if !results.OfData(p.Name) {
			out = append(out, p.Name+" of "+list(values(points, p.Name)))
			inGrid[p.Name] = true
		}
	}
	changed, err := flatParameters(s.Changed[points[0].Key])
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		last := name[strings.LastIndexByte(name, '.')+1:]
		_, section := s.Sections[last]
		switch {
		case inGrid[name] || section || last == "engine" || last == "revision" || strings.Contains(name, "tune.") || strings.Contains(name, "(method)"):
		case strings.Contains(name, "class_weight.") || strings.Contains(name, "decide."): // sentences of their own
		default:
			out = append(out, name+" "+changed[name])
		}
	}
	return out, nil
}

// values returns the distinct values of a grid parameter of the points, in their order.
func values(points []*cells.Cell, parameter string) []string {
	var out []string
	for _, c := range points {
		if v, ok := c.Dim(parameter); ok && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// hasSection reports whether parameters, also those of a part, have a section of options.
func hasSection(tree map[string]any, key string) bool {
	for name, below := range tree {
		if name == key || strings.HasPrefix(name, key+".") {
			return true
		}
		if part, ok := below.(map[string]any); ok && name != "tune" && hasSection(part, key) {
			return true
		}
	}
	return false
}

// tuneOptions are those options of tuning that the description names.
type tuneOptions struct {
	K, Repeats             int
	Choose, Search, Metric string
	Draws                  int
	Cut                    string `json:"threshold.metric"`
}

// tuning describes how parameters were tuned; "" if none were.
func (s *supplement) tuning(c *cells.Cell, tree map[string]any, cited citations) string {
	var out strings.Builder
	if options, ok := tree["tune"]; ok {
		var o tuneOptions
		text, _ := json.Marshal(options) // it comes from JSON
		if json.Unmarshal(text, &o) == nil {
			what, by, among := s.tuned(c)
			if o.Cut != "" {
				fmt.Fprintf(&out, " In each training part the cut above which it predicts the positive level was chosen by cross-validation inside it, by %s.", o.Cut)
			}
			if o.Cut == "" || what != "" {
				out.WriteString(describeTuning(o, what, by, among, cited))
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		if part, ok := tree[key].(map[string]any); ok && key != "tune" {
			out.WriteString(s.tuning(c, part, cited))
		}
	}
	return out.String()
}

// describeTuning returns the sentence on what was chosen, by which metric unless the options name one, among how many candidates.
func describeTuning(o tuneOptions, what, by, among string, cited citations) string {
	var out strings.Builder
	fmt.Fprintf(&out, " In each training part %s chosen by %d-fold cross-validation inside it", cmp.Or(what, "parameters were"), o.K)
	if o.Repeats > 1 {
		fmt.Fprintf(&out, ", repeated %d times", o.Repeats)
	}
	if metric := cmp.Or(o.Metric, by); metric != "" {
		fmt.Fprintf(&out, ", by %s", metric)
	}
	if among != "" {
		fmt.Fprintf(&out, ", among %s", among)
	}
	switch o.Search {
	case "random":
		fmt.Fprintf(&out, " that were drawn (%s)", cited.add("Bergstra & Bengio 2012"))
	case "halving":
		fmt.Fprintf(&out, ", by successive halving (%s)", cited.add("Jamieson & Talwalkar 2016"))
	}
	if o.Choose == "one-se" {
		fmt.Fprintf(&out, "; of those within a standard error of the best, the simplest was taken (%s)", cited.add("Breiman et al. 1984"))
	}
	out.WriteString(".")
	return out.String()
}

// tuned returns what the fits of a cell say of their tuning: which parameters, the metric, and the number of candidates.
func (s *supplement) tuned(c *cells.Cell) (what, metric, among string) {
	var names []string
	for _, r := range c.Finished() {
		facts, err := s.Source.Facts(r)
		if err != nil {
			continue
		}
		for _, f := range facts {
			if strings.HasSuffix(f.Name, tunedFact) {
				for one := range strings.SplitSeq(f.Value, ", ") {
					if name, _, ok := strings.Cut(one, "="); ok && !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
			if m, ok := strings.CutPrefix(f.Name, innerPrefix); ok {
				metric = m
			}
			if n, _, ok := strings.Cut(f.Value, " on "); ok && strings.HasSuffix(f.Name, "tuned among") {
				among = n
			}
		}
	}
	if len(names) == 0 {
		return "", metric, among
	}
	was := " was"
	if len(names) > 1 {
		was = " were"
	}
	return list(names) + was, metric, among
}

// measured names the metrics of the experiment file, with what they are.
func (s *supplement) measured() string {
	var out []string
	for _, name := range s.Metrics {
		if words := s.Source.Metric(name).Axis; words != "" && words != name {
			name += " (" + words + ")"
		}
		out = append(out, name)
	}
	if len(out) == 0 {
		return ""
	}
	return "Measured were " + list(out) + "."
}

// software returns the paragraph on what computed the results, and how to cite it.
func (s *supplement) software() string {
	versions, platforms := map[string]bool{}, map[string]bool{}
	failed := 0
	for i := range s.Rows {
		r := &s.Rows[i]
		versions[r.Version] = true
		_, platform, _ := strings.Cut(r.Machine, " ")
		platforms[platform] = true
		if r.Status != "ok" {
			failed++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "All numbers were computed with tenfold %s (%s), from the experiment file %s with the seed %d: %s", list(slices.Sorted(maps.Keys(versions))),
		list(slices.Sorted(maps.Keys(platforms))), s.Name, s.Seed, digits.Count(len(s.Rows), "fit"))
	if failed > 0 {
		fmt.Fprintf(&b, ", of which %d did not end well", failed)
	}
	fmt.Fprintf(&b, ". The same file gives the same numbers with any number of workers; the digest of the results is %s, those of the data are in versions.%s. ", s.Digest, s.format)
	b.WriteString("To cite: tenfold, with its version and this digest, and the publications in references.bib.")
	return b.String()
}
