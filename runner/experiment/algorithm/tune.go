package algorithm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/registry"
	"tenfold/engines/suggest"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/grid"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/tune"
)

// Tuning is the name of the section tune among the parameters of a point, so that a grid can vary its options as tune.choose.
const Tuning = "tune"

// buildTuned makes the engine of a point by calling build. If the point has a section tune, the engine chooses some of its
// parameters in every fit.
func (d *Reader) buildTuned(params *yaml.Node, set engines.Set, path *yaml.Node, build engineBuilder) (configuredEngine, bool) {
	_, section := strictyaml.Entry(params, Tuning)
	untuned := strictyaml.WithoutKey(params, Tuning)
	if section != nil {
		d.addExcluded(tune.Wrapper, section, untuned, path)
	}
	if section == nil {
		return build(untuned)
	}
	whole := d.partial
	d.partial = true // candidates are checked
	var base configuredEngine
	var ok bool
	d.WithoutIdle(func() { base, ok = build(untuned) })
	d.partial = whole
	if section.Kind != yaml.MappingNode {
		d.Add(section, "tune: expected parameters with lists of values, as in {lambda: [0.1, 1, 10]}, found %s", strictyaml.Describe(section))
		return base, false
	}
	if !ok {
		return base, false
	}
	t := tuner{Reader: d, build: build, fixed: untuned, set: set, open: map[listEnd]bool{}}
	before := d.Count
	t.readSection(section)
	configured, sound := reading.Configure(d.Decoder, tune.Kind, t.optionNodes, strictyaml.Owner{Noun: "key", Of: Tuning})
	options, read := configured.(tune.Options)
	if !read { // a section inside has mistakes
		return base, false
	}
	t.options = options
	t.checkThreshold(section)
	t.readAxes(registry.Params(base.engine, base.defaults))
	if !sound || d.Count > before {
		return base, false
	}
	points := t.points(section)
	if d.Count > before {
		return base, false
	}
	t.makeCandidates(points)
	if t.options.Search == tune.Halving && d.Count == before {
		t.divideResource(section, points, registry.Params(base.engine, base.defaults))
	}
	if d.Count > before {
		return base, false
	}
	e := tune.Engine{Base: base.engine, Options: t.options, Candidates: t.candidates, Along: t.along, Most: t.most, Defined: d.Defined}
	d.WithoutIdle(func() { d.Report(section, e.Validate()) }) // each candidate is sound by itself
	if d.Count > before {
		return base, false
	}
	none := tune.Engine{Base: base.defaults, Options: tune.Kind.Defaults().(tune.Options)}
	labels, err := json.Marshal(t.labels)
	if err != nil {
		d.Add(section, "tune: %v", err)
		return base, false
	}
	c := configuredEngine{
		e, none,
		withJSON(base.canonical, rawObject{
			Tuning: []byte(registry.Canonical(e.Options, none.Options)), "tune.of": labels, "tune.revision": []byte(strconv.Itoa(tune.Kind.Rev)),
		}),
		withJSON(base.resolved, rawObject{Tuning: []byte(registry.Resolved(e.Options)), "tune.of": labels}), t.tuned,
	}
	for _, a := range t.axes {
		c.resolved = withoutJSON(c.resolved, a.Key.Value)
	}
	if t.path != nil {
		c.resolved = withoutJSON(c.resolved, t.path.Value)
	}
	return c, true
}

// tuner decodes one section tune.
type tuner struct {
	*Reader
	build       engineBuilder
	fixed       *yaml.Node // parameters that are not tuned
	set         engines.Set
	optionNodes *yaml.Node // those of tune
	options     tune.Options
	over        []grid.Setting // parameters with their lists and ranges, as written
	axes        []grid.Axis
	path        *yaml.Node // name of the parameter that goes along a path; nil for none
	candidates  []tune.Candidate
	along       []tune.Path // candidates that are fitted together
	labels      []string    // canonical parameters of each candidate, and the word path with its parameter: part of keys
	open        map[listEnd]bool
	most        int // of the resource of halving, if that is a parameter
	tuned       Tuned
}

// readSection divides the section into options and parameters: a parameter has a list of values, a range, or the word path.
func (t *tuner) readSection(section *yaml.Node) {
	options, before := *section, t.Count
	options.Content = nil
	var names []string
	for _, p := range registry.Params(tune.Kind.Defaults(), tune.Kind.Defaults()) {
		names = append(names, p.Name)
	}
	for i := 0; i+1 < len(section.Content); i += 2 {
		key, value := section.Content[i], section.Content[i+1]
		isOption := slices.Contains(names, key.Value)
		name, marked := strings.CutPrefix(key.Value, tune.EnginePrefix)
		if marked {
			plain := *key
			plain.Value = name
			key = &plain
		}
		if isSection := slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, name+".") }); isSection && !marked && value.Kind == yaml.MappingNode {
			options.Content = append(options.Content, key, value)
			continue
		}
		switch scalar := value.Kind == yaml.ScalarNode; {
		case scalar && value.Value == tune.AlongPath && !isOption:
			if t.path != nil {
				t.Add(value, "tune: one parameter goes along a path, there are two: %s and %s", t.path.Value, key.Value)
			}
			t.path = key
		case scalar && isOption:
			options.Content = append(options.Content, key, value)
		case scalar:
			t.Add(value, "tune.%s: expected a list of values, {log: [from, to, count]} or path, found %s (of tune itself there are %s)%s",
				key.Value, strictyaml.Describe(value), strings.Join(names, ", "), suggest.DidYouMean(key.Value, names))
		default:
			if first, _, nested := strings.Cut(key.Value, "."); nested && slices.ContainsFunc(t.Wrappers.whole(), func(w engines.Wrapper) bool { return w.Key() == first }) {
				t.Add(key, "tune.%s: %s goes around what is tuned; vary it in grid", key.Value, first)
			}
			if slices.ContainsFunc(t.over, func(s grid.Setting) bool { return s.Key.Value == key.Value }) {
				t.Add(key, "tune: %s stands there twice", key.Value)
			}
			t.over = append(t.over, grid.Setting{Key: key, Value: value})
		}
		if !(isOption && value.Kind == yaml.ScalarNode) && strictyaml.IsSet(t.fixed, key.Value) {
			t.Add(key, "%s stands both in tune and outside it", key.Value)
		}
	}
	t.optionNodes = &options
	if _, cut := strictyaml.Entry(&options, "threshold"); t.Count == before && len(t.over) == 0 && t.path == nil && cut == nil {
		t.Add(section, "tune: it names no parameter to choose, as in {lambda: [0.1, 1, 10]}, nor a threshold")
	}
}

// checkThreshold reports a threshold beside another rule of decisions.
func (t *tuner) checkThreshold(section *yaml.Node) {
	if t.options.Threshold.Metric == "" {
		return
	}
	node := strictyaml.Find(section, "threshold.metric")
	for _, w := range t.Wrappers.Around {
		_, decides := w.Kind.Defaults().(decider)
		for _, key := range []string{w.Key(), t.Wrappers.Pair.Keys[1] + "." + w.Key()} {
			if decides && strictyaml.IsSet(t.fixed, key) {
				t.Add(node, "tune.threshold: a cut decides, and %s as well: leave one of them out", key)
			}
		}
	}
}

// readAxes reads the lists of the parameters, and if points are drawn their ranges. known are the parameters of the engine.
func (t *tuner) readAxes(known []registry.Param) {
	for _, s := range t.over {
		name := "tune." + s.Key.Value
		if !t.options.Drawn() {
			if !grid.IsDrawn(s.Value) {
				t.axes = append(t.axes, grid.Axis{Key: s.Key, Values: grid.Values(&t.Problems, name, s.Value)})
			} else if t.options.Search == tune.Grid {
				t.Add(s.Value, "%s: values are drawn from it, and search: grid draws none: expected a list or {log: [from, to, count]}, or search: random with draws", name)
			}
			continue
		}
		a := grid.DrawnAxis(&t.Problems, name, s.Key, s.Value)
		if a.Range != nil && !a.Range.Whole() && slices.ContainsFunc(known, func(p registry.Param) bool { return p.Name == s.Key.Value && p.Type == "integer" }) {
			t.Add(s.Value, "%s: %s draws fractions, and the parameter is an integer: expected integer or log-integer", name, a.Range.Distribution)
		}
		t.axes = append(t.axes, a)
	}
}

// points returns the points to try: all combinations of the lists, or those that are drawn.
func (t *tuner) points(section *yaml.Node) []grid.Point {
	if len(t.axes) == 0 {
		if t.options.Drawn() {
			t.Add(strictyaml.Find(section, "draws"), "tune.draws: there is no list or range to draw from beside the path")
		}
		return []grid.Point{nil}
	}
	if n := t.options.Draws; t.options.Drawn() {
		all := grid.Combinations(t.axes)
		switch draws := strictyaml.Find(section, "draws"); {
		case n > grid.MaxPoints:
			t.Add(draws, "tune.draws: %d, expected at most %d", n, grid.MaxPoints)
		case all > 0 && n > all:
			t.Add(draws, "tune.draws: %d of lists that have %d combinations: search: grid tries each of them once", n, all)
		default:
			return grid.Draw(t.axes, cmp.Or(t.options.Seed, t.Seed), n)
		}
		return nil
	}
	factors := make([][]int, len(t.axes))
	for i := range factors {
		factors[i] = []int{i}
	}
	if grid.TooMany(&t.Problems, Tuning, section, t.axes, factors) {
		return nil
	}
	return grid.Product(t.axes, factors)
}

// makeCandidates builds the engine of every point.
func (t *tuner) makeCandidates(points []grid.Point) {
	before := t.Count
	t.OverPoints(len(points), func(k int) bool { return t.makeCandidate(points[k]) })
	if t.Count > before {
		return
	}
	if t.path != nil {
		t.labels = append(t.labels, tune.AlongPath+" "+t.path.Value)
		return
	}
	t.along = t.gatherPaths(points)
}

// makeCandidate builds the engine of one combination, and reports whether it is sound.
func (t *tuner) makeCandidate(p grid.Point) bool {
	c, ok := t.build(t.withPoint(p))
	if !ok {
		return false
	}
	known := registry.Params(c.engine, c.defaults)
	candidate := tune.Candidate{Engine: c.engine, Label: inWords(p, known), Ends: t.endsAt(p, known)}
	candidate.Complexity, candidate.Fixed = t.complexity(known)
	if t.path != nil && !t.followPath(&candidate) {
		return false
	}
	t.candidates, t.labels = append(t.candidates, candidate), append(t.labels, c.canonical)
	t.tuned = t.tuned.and(Tuned{max(1, c.tuned.Points), cmp.Or(t.path, c.tuned.Path)})
	return true
}

// complexity returns what one-se compares of a candidate with these parameters: sizes before penalties, each in the engine's order, and
// the values of those that are neither.
func (t *tuner) complexity(known []registry.Param) (order []float64, fixed string) {
	var penalties []float64
	for _, p := range known {
		if !slices.ContainsFunc(t.axes, func(a grid.Axis) bool { return a.Key.Value == p.Name }) {
			continue
		}
		x, declared := p.Complexity()
		switch {
		case !declared:
			fixed += fmt.Sprintf("%s=%v\n", p.Name, p.Value)
		case strings.HasPrefix(p.Simpler, "larger"):
			penalties = append(penalties, x)
		default:
			order = append(order, x)
		}
	}
	return append(order, penalties...), fixed
}

// followPath expands a candidate to all values of the engine's own path.
func (t *tuner) followPath(c *tune.Candidate) bool {
	p, ok := c.Engine.(engines.Pathed)
	switch {
	case !ok:
		t.Add(t.path, "tune.%s: path: the engine, as set here, has no values of its own to try; give a list%s", t.path.Value, pathedEngines(t.set))
		return false
	case !slices.Contains(p.PathParameters(), t.path.Value):
		t.Add(t.path, "tune.%s: path: the engine's path goes along %s", t.path.Value, p.PathParameters()[0])
		return false
	}
	c.Path = p.PathParameters()[0]
	return true
}

// pathedEngines lists, for messages, the engines that have a path of values; "" if there are none.
func pathedEngines(set engines.Set) string {
	names := slices.DeleteFunc(set.Names(), func(name string) bool { _, ok := set[name].Defaults().(engines.Pathed); return !ok })
	if len(names) == 0 {
		return ""
	}
	return " (these have a path: " + strings.Join(names, ", ") + ")"
}

// inWords formats a point for messages: "c2=0.1, bias=none".
func inWords(p grid.Point, params []registry.Param) string {
	var out []string
	for _, l := range p.Params("", params) {
		out = append(out, fmt.Sprintf("%s=%v", l.Name, l.Value))
	}
	return strings.Join(out, ", ")
}

// Tuned counts the points that an algorithm tunes over.
type Tuned struct {
	Points int        // combinations of its lists: the sum over two parts; points tuned again at each point of a list count each time
	Path   *yaml.Node // name of a parameter tuned along the engine's own path, whose points are not counted; nil if there is none
}

// and adds the points of two parts that are tuned one after the other.
func (t Tuned) and(u Tuned) Tuned { return Tuned{t.Points + u.Points, cmp.Or(t.Path, u.Path)} }
