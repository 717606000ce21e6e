package spec

import (
	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/kind"
	"tenfold/io/results"
	"tenfold/runner"
)

// Algorithm is one algorithm of the file at one point of its grid.
type Algorithm struct {
	Name      string // the label in tables
	Kind      string // name of the engine
	Rev       int    // of the engine
	Engine    engines.Engine
	Defaults  engines.Engine  // of the same type, as it is when no parameter is given
	Grid      []results.Param // in the order of the file
	Params    string          // JSON of all parameters, defaults included
	Canonical string          // JSON of the parameters that determine results and differ from their defaults: part of keys
	Path      Path            // sizes at which models are taken from each fit
	Limits    runner.Limits
	Entry     Entry
}

type algorithmEntry struct {
	Name         string     `yaml:"name,required" doc:"label in tables"`
	Engine       string     `yaml:"engine" doc:"what is fitted: tenfold describe engine"`
	Params       *yaml.Node `yaml:"params" doc:"parameters of the engine"`
	Grid         *yaml.Node `yaml:"grid" doc:"parameters that vary, by dotted path; every point is an algorithm of its own"`
	Limits       *yaml.Node `yaml:"limits" doc:"time and memory of a fit"`
	Path         *yaml.Node `yaml:"path" doc:"sizes at which models are taken from each fit"`
	Combinations *yaml.Node `yaml:"combinations" doc:"products of features, looked for while training"`
	Transfer     *yaml.Node `yaml:"transfer" doc:"how it learns from other tasks of a family"`
	Multiclass   *yaml.Node `yaml:"multiclass" is:"word" doc:"own: the engine's way with many classes; one-vs-rest: a model for each"`
	Tune         *yaml.Node `yaml:"tune" doc:"parameters that are chosen in each fit, inside its training rows: lists of values, ranges, or path"`
	Select       *yaml.Node `yaml:"select" doc:"an engine whose selected features the one under refit is fitted to"`
	Refit        *yaml.Node `yaml:"refit" doc:"the engine that is fitted to the features that the one under select selects"`
}

// inherited is what algorithms get from elsewhere in the file.
type inherited struct {
	Params *yaml.Node `yaml:"params" doc:"parameters of every algorithm that does not give them itself"`
	Limits *yaml.Node `yaml:"limits" doc:"time and memory of a fit"`
}

// algorithm expands one entry over its grid.
func (d *decoder) algorithm(n *yaml.Node, from inherited, set engines.Set) []Algorithm {
	var entry algorithmEntry
	ok := d.into(n, &entry, owner{noun: "key", of: "algorithm"})
	if n.Kind != yaml.MappingNode {
		return nil
	}
	var engine engines.Kind
	var own, over *yaml.Node
	var at Path
	var points []point
	limits := d.limits(under(entry.Limits, from.Limits))
	build, known := builder(nil), false
	if entry.Select != nil || entry.Refit != nil {
		if engine, own, build, known = d.twoParts(n, entry, from, set); known {
			own = d.beside(tuning, entry.Tune, own)
			points = d.grid(entry.Grid, own)
		}
	} else {
		engine, known = set[entry.Engine]
		if key, at := get(n, "engine"); key != nil && entry.Engine != "" && !known {
			d.add(at, "unknown engine %q%s", entry.Engine, kind.Choices(entry.Engine, set.Names()))
		} else if key == nil {
			d.add(n, "algorithm: engine is missing")
		}
		own = d.parameters(n, entry, engine, set)
		points = d.grid(entry.Grid, own)
		at, over = d.path(entry.Path, engine, set, own, points)
		build = func(params *yaml.Node) (configured, bool) { return d.engineAt(engine, over, params, from.Params) }
	}
	if !ok || !known {
		return nil
	}
	if entry.Tune != nil && entry.Path != nil {
		d.add(entry.Path, "path: it does not go together with tune, which chooses one model")
	}
	if len(points) == 0 { // the grid is wrong; what stands beside it may be as well
		d.tuned(own, set, build)
	}
	var out []Algorithm
	twin := map[string]int{} // the point that made each cell
	for _, p := range points {
		params := own
		for _, s := range p {
			params = with(params, s.key.Value, s.key, s.value)
		}
		c, ok := d.tuned(params, set, build)
		if !ok {
			continue
		}
		a := Algorithm{
			Name: entry.Name, Kind: engine.Name, Rev: engine.Rev, Engine: c.engine, Defaults: c.defaults,
			Grid: p.label("", kind.Params(c.engine, c.defaults)), Params: at.resolved(c.resolved),
			Canonical: c.canonical, Path: at, Limits: limits, Entry: Entry{n},
		}
		if k, again := twin[a.Canonical]; again {
			d.twins(p, a.Grid, out[k].Grid)
		}
		twin[a.Canonical] = len(out)
		out = append(out, a)
	}
	return out
}
