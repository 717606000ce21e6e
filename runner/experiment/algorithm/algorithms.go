// Package algorithm reads the sections of experiment files that algorithms come from: from nodes to configured engines, a point of a grid
// each, with what wraps them, what chooses their parameters, and the programs that serve as engines. It knows nothing of data sets but
// their names. Reader.Expand is the place to begin; engine.go says in which order an engine is put together.
package algorithm

import (
	"encoding/json"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/registry"
	"tenfold/engines/suggest"
	"tenfold/io/results"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/grid"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/imported"
	"tenfold/runner/method/declaration"
	"tenfold/runner/metric"
)

// Algorithm is one algorithm of the file at one point of its grid.
type Algorithm struct {
	Name      string // the label in tables
	Kind      string // name of the engine
	Rev       int    // of the engine
	Engine    engines.Engine
	Defaults  engines.Engine  // the engine without any parameters, of the same type
	Grid      []results.Param // in the order of the file
	Params    string          // JSON of all parameters, defaults included
	Canonical string          // JSON of the parameters that determine results and differ from their defaults: part of keys
	Path      Path            // sizes at which each fit also returns a model
	AnyLevels string          // the key that extends an engine for few levels to any number, "multiclass: one-vs-rest"; "" if there is none
	Limits    Limits
	Where     Where // data sets that it runs on; not part of keys
	Tuned     Tuned
	Import    *imported.Files // in place of an engine; nil if one fits
	Entry     reading.Entry
}

// Reader reads the sections of a file that algorithms come from.
type Reader struct {
	*reading.Decoder
	Wrappers   Wrappers
	Seed       int64                      // of the file
	Defined    metric.Set                 // metrics that the file defines
	partial    bool                       // do not validate engines yet: more parameters follow
	declared   []*declaration.Declaration // methods without mistakes
	identities map[string]json.RawMessage // of methods, by name; nil if the declaration has mistakes
	// mistakenMethods is true if the name of some method is unknown, because its file could not be read.
	mistakenMethods bool
}

// NewReader returns a reader of the algorithms of a file.
func NewReader(d *reading.Decoder, wrappers engines.Wrappers) *Reader {
	return &Reader{Decoder: d, Wrappers: Wrappers(wrappers)}
}

// algorithmEntry holds the keys of an algorithm, except those of wrappers.
type algorithmEntry struct {
	Name     string     `yaml:"name" read:"required" doc:"label in tables"`
	Engine   string     `yaml:"engine" doc:"what is fitted: tenfold describe engine"`
	Params   *yaml.Node `yaml:"params" doc:"parameters of the engine"`
	Datasets Where      `yaml:"datasets" doc:"data sets that it runs on: names, with or without a grid point; * and ? match. All by default"`
	Grid     *yaml.Node `yaml:"grid" doc:"parameters that vary, by dotted path; every point is an algorithm of its own"`
	Limits   *yaml.Node `yaml:"limits" doc:"time and memory of a fit"`
	Path     *yaml.Node `yaml:"path" doc:"sizes at which models are taken from each fit"`
	Import   *yaml.Node `yaml:"import" is:"mapping" doc:"files of predictions made elsewhere, in place of an engine"`
}

// Inherited holds what algorithms inherit from the sections defaults and limits.
type Inherited struct {
	Params *yaml.Node `yaml:"params" doc:"parameters of every algorithm that does not give them itself"`
	Limits *yaml.Node `yaml:"limits" doc:"time and memory of a fit"`
}

// Expand expands one entry over its grid.
func (d *Reader) Expand(n *yaml.Node, from Inherited, set engines.Set) []Algorithm {
	entry, beside, ok := decodeEntry[algorithmEntry](d, n, d.Wrappers.ofAlgorithm(), strictyaml.Owner{Noun: "key", Of: "algorithm"})
	if n.Kind != yaml.MappingNode {
		return nil
	}
	if entry.Import != nil {
		if a, sound := d.importedAlgorithm(n, entry); ok && sound {
			return []Algorithm{a}
		}
		return nil
	}
	var engine engines.Kind
	var parameters *yaml.Node
	var path Path
	var points []grid.Point
	limits := d.DecodeLimits(strictyaml.MergeUnder(entry.Limits, from.Limits))
	build, known := engineBuilder(nil), false
	if keys := d.Wrappers.Pair.Keys; beside[keys[0]] != nil || beside[keys[1]] != nil {
		var first *inner
		if engine, parameters, first, build, known = d.twoParts(n, beside, from, set); known {
			parameters = d.addBeside(Tuning, beside[Tuning], parameters)
			parts := build
			build = func(params *yaml.Node) (configuredEngine, bool) { return d.buildTuned(params, set, entry.Path, parts) }
			points = grid.Expand(&d.Problems, entry.Grid, parameters)
			_, selects := strictyaml.Entry(parameters, keys[0])
			first.path = entry.Path
			path, first.over = d.decodePath(entry.Path, first.kind, set, selects, points, keys[0]+".")
		}
	} else {
		engine, known = set[entry.Engine]
		if key, node := strictyaml.Entry(n, "engine"); key != nil && entry.Engine != "" && !known && d.mistaken(entry.Engine) {
			return nil
		} else if key != nil && entry.Engine != "" && !known {
			d.Add(node, "unknown engine %q%s", entry.Engine, suggest.Choices(entry.Engine, set.Names()))
		} else if key == nil {
			d.Add(n, "algorithm: engine is missing")
		} else if known && !d.checkSelectOnly(node, engine) {
			return nil
		}
		parameters = d.parametersOf(n, entry.Params, beside)
		points = grid.Expand(&d.Problems, entry.Grid, parameters)
		in := inner{kind: engine, set: set, path: entry.Path, defaults: from.Params}
		path, in.over = d.decodePath(entry.Path, engine, set, parameters, points, "")
		build = func(params *yaml.Node) (configuredEngine, bool) { return d.buildEngine(in, params) }
	}
	if !ok || !known {
		return nil
	}
	if len(points) == 0 { // the grid is wrong; still check the rest of the entry
		build(parameters)
	}
	var out []Algorithm
	twin := map[string]int{} // the point that made each cell
	d.OverPoints(len(points), func(k int) bool {
		p := points[k]
		params := parameters
		for _, s := range p {
			params = strictyaml.WithValue(params, s.Key.Value, s.Key, s.Value)
		}
		c, ok := build(params)
		if !ok {
			return true
		}
		a := Algorithm{
			Name: entry.Name, Kind: engine.Name, Rev: engine.Rev, Engine: c.engine, Defaults: c.defaults,
			Grid: p.Params("", registry.Params(c.engine, c.defaults)), Params: path.addToParams(c.resolved),
			Canonical: d.withDefinitions(c.canonical), Path: path, AnyLevels: d.anyLevels(c.engine, entry.Path), Limits: limits, Where: entry.Datasets, Tuned: c.tuned, Entry: reading.Entry{Node: n},
		}
		if k, again := twin[a.Canonical]; again {
			grid.AddTwins(&d.Problems, p, a.Grid, out[k].Grid)
		}
		twin[a.Canonical] = len(out)
		out = append(out, a)
		return true
	})
	return out
}
