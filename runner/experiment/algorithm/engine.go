package algorithm

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/param"
	"tenfold/engines/registry"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/reading"
)

// The way from an entry to the engine of a point. The parameters of a point are those of the engine with the sections and words
// that stand beside params in the file, so that a grid can vary the keys of these, too, as combinations.threshold. Each makes
// another engine of the one inside it:
//
//	wrapped    the engine by its own parameters, and each wrapper of the list around it
//	tuned      chooses parameters in each fit                tune.go
//	           and each wrapper around all of that
//	twoParts   is two of these, such as select and refit     pair.go

// parametersOf returns the parameters of an algorithm, or of a part of one at n, with the sections beside params added to them.
func (d *Reader) parametersOf(n, params *yaml.Node, beside map[string]*yaml.Node) *yaml.Node {
	if params == nil {
		params = strictyaml.EmptyMapping(n)
	}
	for _, w := range d.Wrappers.sections() {
		params = d.addBeside(w.Key(), beside[w.Key()], params)
	}
	return params
}

// addBeside adds a section or word that stands beside the parameters of an algorithm to these, own.
func (d *Reader) addBeside(name string, node, params *yaml.Node) *yaml.Node {
	if key, _ := strictyaml.Entry(params, name); key != nil {
		d.Add(key, "%s stands beside params, not in it", name)
		params = strictyaml.WithoutKey(params, name)
	}
	if node == nil {
		return params
	}
	return strictyaml.WithValue(params, name, node, node)
}

// configuredEngine is an engine with its parameters, and the same engine with its defaults.
type configuredEngine struct {
	engine, defaults engines.Engine
	canonical        string // JSON of the parameters that determine results and differ from their defaults: part of keys
	resolved         string // JSON of all parameters
	tuned            Tuned
}

// engineBuilder makes the engine of a point from its parameters.
type engineBuilder func(params *yaml.Node) (configuredEngine, bool)

// buildEngine makes one engine, with tune and its wrappers, at one point.
func (d *Reader) buildEngine(in inner, params *yaml.Node) (configuredEngine, bool) {
	inside := params
	for _, w := range d.Wrappers.whole() {
		inside = strictyaml.WithoutKey(inside, w.Key())
	}
	c, ok := d.buildTuned(inside, in.set, in.path, func(params *yaml.Node) (configuredEngine, bool) { return d.buildWrapped(in, params) })
	p := wrapperChain{Reader: d, in: in, params: params, engine: c.engine, defaults: c.defaults, ok: ok, revisions: rawObject{}, words: rawObject{}}
	for _, w := range d.Wrappers.whole() {
		p.applyWrapper(w)
	}
	c.engine, c.defaults = p.engine, p.defaults
	if p.ok && len(p.revisions) > 0 {
		c.canonical = withJSON(withJSON(c.canonical, p.optionsIn(registry.Canonical(p.engine, p.defaults))), p.revisions)
		c.resolved = withJSON(c.resolved, p.optionsIn(registry.Resolved(p.engine)))
	}
	return c, p.ok
}

// optionsIn returns, of the JSON of parameters, those of the wrappers applied.
func (p *wrapperChain) optionsIn(params string) rawObject {
	all := rawObject{}
	if json.Unmarshal([]byte(params), &all) != nil { // it is an object
		return nil
	}
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool {
		key, _, nested := strings.Cut(name, ".")
		return !nested || p.revisions[key] == nil
	})
	return all
}

// inner holds what the engine of a point is made from, except the parameters of the point.
type inner struct {
	kind     engines.Kind
	set      engines.Set
	path     *yaml.Node // the section
	over     *yaml.Node // parameters that it sets
	defaults *yaml.Node // parameters of all algorithms
	joined   []inner    // where kind joins several engines
}

// wrapperChain makes the engine of one point: first from its own parameters, then wrapped as the keys beside them ask.
type wrapperChain struct {
	*Reader
	in               inner
	params           *yaml.Node     // with the keys beside them
	engine, defaults engines.Engine // as wrapped so far; engine is nil if its parameters could not be read
	ok               bool
	revisions, words rawObject // of the applied wrappers, by key
	tuned            Tuned     // by engines of a list
}

func (d *Reader) buildWrapped(in inner, params *yaml.Node) (configuredEngine, bool) {
	inside, over := params, in.over
	for _, w := range d.Wrappers.Around {
		inside, over = strictyaml.WithoutKey(inside, w.Key()), strictyaml.WithoutKey(over, w.Key())
	}
	p := wrapperChain{Reader: d, in: in, params: params, defaults: in.kind.Defaults(), revisions: rawObject{}, words: rawObject{}}
	if in.joined == nil {
		p.engine, p.ok = reading.Configure(d.Decoder, in.kind, strictyaml.MergeUnder(strictyaml.MergeUnder(over, inside), in.defaults), strictyaml.Owner{Noun: "parameter", Of: "engine " + in.kind.Name})
	} else {
		options := strictyaml.WithoutKey(strictyaml.MergeUnder(over, inside), in.kind.Name)
		p.engine, p.ok = reading.Configure(d.Decoder, in.kind, options, strictyaml.Owner{Noun: "key", Of: in.kind.Name})
		p.buildJoint(inside)
	}
	for _, w := range d.Wrappers.Around {
		if !w.Whole {
			p.applyWrapper(w)
		}
	}
	if !p.ok {
		return configuredEngine{engine: p.engine, defaults: p.defaults}, false
	}
	return configuredEngine{
		p.engine, p.defaults,
		d.withIdentity(withJSON(withJSON(registry.Canonical(p.engine, p.defaults), p.revisions), p.words), in.kind), withJSON(registry.Resolved(p.engine), p.words),
		p.tuned,
	}, true
}

// mergedParameters returns params with the settings of the path over them and the file's defaults under them.
func (p *wrapperChain) mergedParameters(params *yaml.Node) *yaml.Node {
	return strictyaml.MergeUnder(strictyaml.MergeUnder(p.in.over, params), p.in.defaults)
}

func (p *wrapperChain) applyWrapper(w engines.Wrapper) {
	_, node := strictyaml.Entry(p.params, w.Key())
	if node != nil && !w.Section() && !p.isRequested(w, node) {
		return
	}
	needless := w.Idle != nil && p.engine != nil && w.Idle(p.engine)
	implied := p.engine != nil && w.Takes(p.defaults) && w.When.Of(p.engine)
	if node == nil && !implied || needless {
		return
	}
	before := p.Count
	accepted := p.isAccepted(w, node, implied)
	if excluded := p.addExcluded(w, node, p.params, p.in.path); excluded || !accepted {
		p.ok = false
		return
	}
	options := w.Kind.Defaults()
	if node != nil && w.On == "" {
		_, sized := strictyaml.Entry(p.in.over, w.Key())
		node = strictyaml.MergeUnder(sized, node)
		options, _ = reading.Configure(p.Decoder, w.Kind, node, strictyaml.Owner{Noun: "key", Of: w.Key()})
	}
	p.checkInnerMetric(w, node, options)
	options = p.withCosts(node, options)
	if p.ok = p.ok && p.Count == before; !p.ok {
		return
	}
	p.engine, p.defaults = w.Wrap(p.engine, options), w.Wrap(p.defaults, w.Kind.Defaults())
	if !p.partial {
		p.WithoutIdle(func() { p.AddInvalid(p.mergedParameters(p.params), p.engine.Validate()) }) // each part is sound by itself
	}
	p.ok = p.Count == before
	switch revision := json.RawMessage(strconv.Itoa(w.Kind.Rev)); {
	case w.On != "":
		p.words[w.Key()] = quotedJSON(w.On)
	case w.Section():
		p.revisions[w.Key()] = revision
	default: // the key itself is a parameter
		p.revisions[w.Key()+".revision"] = revision
	}
}

// checkInnerMetric reports a metric by which models cannot be compared on inner folds. Unknown names are reported with all others.
func (p *wrapperChain) checkInnerMetric(w engines.Wrapper, node *yaml.Node, options param.Validator) {
	by, ok := options.(interface{ ComparedBy() (key, metric string) })
	if !ok {
		return
	}
	key, name := by.ComparedBy()
	if m, known := p.Defined.Find(name); known && !m.OfPredictions() {
		p.Add(strictyaml.Find(node, key), "%s.%s: %s is no metric of predictions for rows that were not fitted", w.Key(), key, m.Name)
	} else if rows, ok := options.(interface{ ComparesRows() bool }); ok && known && rows.ComparesRows() && !m.RowMean() {
		p.Add(strictyaml.Find(node, key), "%s.%s: %s is no mean over rows, which pairs need; leave pairs out, or take one such as test_mse, mae, accuracy or log_loss", w.Key(), key, m.Name)
	}
}

// decider is implemented by options that decide by the costs of a metric.
type decider interface {
	DecidedBy() (metric string)
	WithMatrix(costs func(levels []string) [][]float64) param.Validator
}

// withCosts gives options that decide by a metric its costs.
func (p *wrapperChain) withCosts(node *yaml.Node, options param.Validator) param.Validator {
	by, ok := options.(decider)
	if !ok {
		return options
	}
	m, known := p.Defined.Find(by.DecidedBy())
	if _, defined := p.Defined[m.Name]; known && !defined {
		p.Add(node, "decide: %s has no costs; define a metric of the file's own, as in metrics: [{name: cost, matrix: {yes: {no: 5}, no: {yes: 1}}}]", m.Name)
	}
	return by.WithMatrix(m.Costs.Matrix)
}

// withDefinitions adds to canonical parameters what the file defines of the metrics that they name.
func (d *Reader) withDefinitions(canonical string) string {
	all, more := rawObject{}, rawObject{}
	if len(d.Defined) == 0 || json.Unmarshal([]byte(canonical), &all) != nil {
		return canonical
	}
	for name, value := range all {
		var metric string
		switch isName := json.Unmarshal(value, &metric) == nil; {
		case !isName && value[0] == '{':
			if inside := d.withDefinitions(string(value)); inside != string(value) {
				more[name] = json.RawMessage(inside)
			}
		case name == "metric" || strings.HasSuffix(name, ".metric"):
			if identity := d.Defined.Identity(metric); identity != "" {
				more[name+".of"] = json.RawMessage(identity)
			}
		}
	}
	return withJSON(canonical, more)
}

// isRequested reports whether a word asks for the wrapper, and reports a word that is neither on nor off.
func (p *wrapperChain) isRequested(w engines.Wrapper, node *yaml.Node) bool {
	switch {
	case node.Kind == yaml.ScalarNode && node.Value == w.Off:
		p.params = strictyaml.WithoutKey(p.params, w.Key())
	case w.On == "" || node.Kind == yaml.ScalarNode && node.Value == w.On:
		return true
	default:
		p.Add(node, "%s: expected %s or %s, found %s", w.Key(), w.Off, w.On, strictyaml.Describe(node))
		p.ok = false
	}
	return false
}

// isAccepted reports whether a wrapper can go around the engine made so far, and reports a mistake if not.
func (p *wrapperChain) isAccepted(w engines.Wrapper, node *yaml.Node, implied bool) bool {
	if takes := w.Takes(p.defaults); takes && (implied || w.When == engines.Setting{}) {
		return true
	} else if takes && !p.ok { // with valid parameters, the engine might have had the setting
		return false
	}
	is := p.in.kind.Name
	if w.Takes(p.in.kind.Defaults()) {
		is += ", as set here,"
	}
	p.Add(node, "%s: engine %s %s%s", w.Key(), is, w.Lacks, acceptingEngines(w, p.in.set))
	return false
}

// acceptingEngines lists, for messages, the engines that the wrapper accepts; "" if there are none.
func acceptingEngines(w engines.Wrapper, set engines.Set) string {
	var names []string
	for _, name := range set.Names() {
		if w.Takes(set[name].Defaults()) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	with := ""
	if w.When.Parameter != "" {
		with = " with " + w.When.String()
	}
	return " (these do: " + strings.Join(names, ", ") + with + ")"
}

// addExcluded reports keys of a point, or a path, that cannot be combined with a wrapper: at the other key if the wrapper is a
// section, at the wrapper's if it is a word.
func (d *Reader) addExcluded(w engines.Wrapper, node, params, path *yaml.Node) bool {
	before := d.Count
	for _, e := range w.Excludes {
		_, other := strictyaml.Entry(params, e.Key)
		if e.Key == "path" {
			other = path
		}
		switch {
		case other == nil:
		case w.On != "":
			d.Add(node, "%s: %s does not go together with %s%s", w.Key(), w.On, e.Key, e.Why)
		default:
			d.Add(other, "%s: it does not go together with %s%s", e.Key, w.Key(), e.Why)
		}
	}
	return d.Count > before
}

// anyLevels returns the key and word that extend an engine for few levels to any number; "" if there is none.
func (d *Reader) anyLevels(e engines.Engine, path *yaml.Node) string {
	for _, w := range d.Wrappers.Around {
		if w.On == "" || e.Needs().Levels == 0 || path != nil && slices.ContainsFunc(w.Excludes, func(e engines.Exclusion) bool { return e.Key == "path" }) {
			continue
		}
		if all := w.Wrap(e, w.Kind.Defaults()); all.Validate() == nil && all.Needs().Levels == 0 {
			return w.Key() + ": " + w.On
		}
	}
	return ""
}

// rawObject is a JSON object.
type rawObject = map[string]json.RawMessage

// quotedJSON returns a text as a JSON string.
func quotedJSON(text string) json.RawMessage { return json.RawMessage(strconv.Quote(text)) }

// withJSON adds entries to the JSON object of parameters.
func withJSON(params string, more rawObject) string {
	all := rawObject{}
	if len(more) == 0 || json.Unmarshal([]byte(params), &all) != nil { // it is an object
		return params
	}
	maps.Copy(all, more)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(all) != nil { // texts and numbers always encode
		return params
	}
	return strings.TrimSpace(out.String())
}

// withoutJSON removes a parameter from the JSON object of parameters; in an algorithm of two parts, select.c1 is the c1 inside
// select.
func withoutJSON(params, name string) string {
	all := rawObject{}
	if json.Unmarshal([]byte(params), &all) != nil {
		return params
	}
	delete(all, name)
	if part, rest, nested := strings.Cut(name, "."); nested && all[part] != nil {
		all[part] = json.RawMessage(withoutJSON(string(all[part]), rest))
	}
	b, err := json.Marshal(all)
	if err != nil {
		return params
	}
	return string(b)
}
