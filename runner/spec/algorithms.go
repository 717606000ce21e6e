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
	Grid      []results.Param // in the order of the file
	Params    string          // JSON of all parameters, defaults included
	Canonical string          // JSON of the parameters that determine results and differ from their defaults: part of keys
	Path      Path            // sizes at which models are taken from each fit
	Limits    runner.Limits
	Entry     Entry
}

type algorithmEntry struct {
	Name         string      `yaml:"name,required"`
	Engine       string      `yaml:"engine"`
	Params       *yaml.Node  `yaml:"params"`
	Grid         *yaml.Node  `yaml:"grid"`
	Limits       *yaml.Node  `yaml:"limits"`
	Path         *yaml.Node  `yaml:"path"`
	Combinations *yaml.Node  `yaml:"combinations"`
	Tune         unavailable `yaml:"tune"`
	Select       unavailable `yaml:"select"`
	Refit        unavailable `yaml:"refit"`
}

// inherited is what algorithms get from elsewhere in the file.
type inherited struct {
	Params *yaml.Node `yaml:"params"`
	Limits *yaml.Node `yaml:"limits"`
}

// algorithm expands one entry over its grid.
func (d *decoder) algorithm(n *yaml.Node, from inherited, set engines.Set) []Algorithm {
	var entry algorithmEntry
	ok := d.into(n, &entry, owner{noun: "key", of: "algorithm"})
	if n.Kind != yaml.MappingNode {
		return nil
	}
	engine, known := set[entry.Engine]
	if key, at := get(n, "engine"); key != nil && entry.Engine != "" && !known {
		d.add(at, "unknown engine %q%s", entry.Engine, choices(entry.Engine, set.Names()))
	} else if selects, _ := get(n, "select"); key == nil && selects == nil {
		d.add(n, "algorithm: engine is missing")
	}
	own := entry.Params
	if own == nil {
		own = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: n.Line, Column: n.Column}
	}
	own = d.combinable(entry, engine, set, own)
	limits := d.limits(under(entry.Limits, from.Limits))
	points := d.grid(entry.Grid, own)
	at, over := d.path(entry.Path, engine, set, own, points)
	if !ok || !known {
		return nil
	}
	if len(points) == 0 { // the grid is wrong; what stands beside it may be as well
		d.engine(engine, nil, own, from.Params)
	}
	var out []Algorithm
	twin := map[string]int{} // the point that made each cell
	for _, p := range points {
		params := own
		for _, s := range p {
			params = with(params, s.key.Value, s.key, s.value)
		}
		c, ok := d.engine(engine, over, params, from.Params)
		if !ok {
			continue
		}
		a := Algorithm{
			Name: entry.Name, Kind: engine.Name, Rev: engine.Rev, Engine: c.engine,
			Grid: p.label("", kind.Params(c.engine, c.defaults)), Params: at.resolved(kind.Resolved(c.engine)),
			Canonical: c.canonical(), Path: at, Limits: limits, Entry: Entry{n},
		}
		if k, again := twin[a.Canonical]; again {
			d.twins(p, a.Grid, out[k].Grid)
		}
		twin[a.Canonical] = len(out)
		out = append(out, a)
	}
	return out
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

func (d *decoder) limits(n *yaml.Node) runner.Limits {
	if n == nil {
		return runner.Limits{}
	}
	var l struct {
		Time   time.Duration `yaml:"time"`
		Memory Size          `yaml:"memory"`
	}
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
