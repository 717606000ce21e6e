package spec

import (
	"time"

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
	Multiclass   *yaml.Node `yaml:"multiclass" doc:"own: the engine's way with many classes; one-vs-rest: a model for each"`
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
			d.add(at, "unknown engine %q%s", entry.Engine, choices(entry.Engine, set.Names()))
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

// parameters of an algorithm, or of a part of one, with what stands beside them.
func (d *decoder) parameters(n *yaml.Node, entry algorithmEntry, engine engines.Kind, set engines.Set) *yaml.Node {
	own := entry.Params
	if own == nil {
		own = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: n.Line, Column: n.Column}
	}
	own = d.combinable(entry, engine, set, own)
	own = d.beside(transferring, entry.Transfer, own)
	own = d.beside(multiclass, entry.Multiclass, own)
	return d.beside(tuning, entry.Tune, own)
}

// single is the engine of one name, at one point.
func (d *decoder) single(k engines.Kind, set engines.Set, over, params *yaml.Node, from inherited) (configured, bool) {
	return d.tuned(params, set, func(params *yaml.Node) (configured, bool) { return d.engineAt(k, over, params, from.Params) })
}

// under is a mapping with what it lacks taken from another one; mappings inside are merged likewise.
func under(m, from *yaml.Node) *yaml.Node {
	if m == nil {
		return from
	}
	if from == nil || m.Kind != yaml.MappingNode || from.Kind != yaml.MappingNode {
		return m
	}
	out := *m
	out.Content = append([]*yaml.Node(nil), m.Content...)
	for i := 0; i+1 < len(from.Content); i += 2 {
		key, val := from.Content[i], from.Content[i+1]
		if k, own := get(m, key.Value); k == nil {
			out.Content = append(out.Content, key, val)
		} else if merged := under(own, val); merged != own {
			for j := range out.Content {
				if out.Content[j] == k {
					out.Content[j+1] = merged
				}
			}
		}
	}
	return &out
}

// limitsEntry is what one fit may take.
type limitsEntry struct {
	Time   time.Duration `yaml:"time" doc:"of one fit, such as 10m"`
	Memory Size          `yaml:"memory" doc:"of one fit, such as 4GiB"`
}

func (d *decoder) limits(n *yaml.Node) runner.Limits {
	if n == nil {
		return runner.Limits{}
	}
	var l limitsEntry
	if d.into(n, &l, owner{noun: "key", of: "limits"}) {
		if _, at := get(n, "time"); at != nil && l.Time <= 0 {
			d.add(at, "time: %v, expected a duration above 0", l.Time)
		}
		if _, at := get(n, "memory"); at != nil && l.Memory <= 0 {
			d.add(at, "memory: expected a size above 0")
		}
	}
	return runner.Limits{Time: l.Time, Memory: int64(l.Memory)}
}
