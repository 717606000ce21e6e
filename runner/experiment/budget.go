package experiment

import (
	"cmp"

	"gopkg.in/yaml.v3"

	"tenfold/engines/param"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/algorithm"
)

// Budget limits what each algorithm may spend on choosing parameters.
type Budget struct {
	Tuned int `yaml:"tuned" read:"required" doc:"points that an algorithm may tune over, at most: an error where its lists have more, or where it has path, which leaves their number to the engine"`
}

func (d *decoder) decodeBudget(n *yaml.Node) (b Budget) {
	if n != nil && d.DecodeInto(n, &b, strictyaml.Owner{Noun: "key", Of: "budget"}) {
		d.Report(n, param.Require("tuned", b.Tuned >= 1, "%d, expected at least 1", b.Tuned))
	}
	return b
}

// addOverspent reports an algorithm that tunes over more points than the budget has.
func (d *decoder) addOverspent(a *algorithm.Algorithm, b Budget) {
	switch t := a.Tuned; {
	case b.Tuned < 1: // there is none, or it has a mistake
	case t.Path != nil:
		d.Add(t.Path, "tune.%s: path leaves the number of points to the engine, and budget.tuned is %d: expected a list, or a range", t.Path.Value, b.Tuned)
	case t.Points > b.Tuned:
		d.Add(d.tuneNode(a.Entry.Node), "tune: %d points, and budget.tuned is %d", t.Points, b.Tuned)
	}
}

// tuneNode returns the first section tune of an algorithm, or the algorithm itself if it has none.
func (d *decoder) tuneNode(n *yaml.Node) *yaml.Node {
	_, section := strictyaml.Entry(n, algorithm.Tuning)
	for _, key := range d.Wrappers.Pair.Keys {
		if _, part := strictyaml.Entry(n, key); part != nil && section == nil {
			_, section = strictyaml.Entry(part, algorithm.Tuning)
		}
	}
	return cmp.Or(section, n)
}
