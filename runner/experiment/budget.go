package experiment

import (
	"cmp"

	"gopkg.in/yaml.v3"

	"tenfold/engines/param"
	"tenfold/io/strictyaml"
)

// Budget limits what each algorithm may spend on choosing parameters.
type Budget struct {
	Tuned int `yaml:"tuned" read:"required" doc:"points that an algorithm may tune over, at most: an error where its lists have more, or where it has path, which leaves their number to the engine"`
}

func (d *decoder) decodeBudget(n *yaml.Node) (b Budget) {
	if n != nil && d.decodeInto(n, &b, strictyaml.Owner{Noun: "key", Of: "budget"}) {
		d.addFrom(n, param.Require("tuned", b.Tuned >= 1, "%d, expected at least 1", b.Tuned))
	}
	return b
}

// addOverspent reports an algorithm that tunes over more points than the budget has.
func (d *decoder) addOverspent(a *Algorithm, b Budget) {
	switch t := a.Tuned; {
	case b.Tuned < 1: // there is none, or it has a mistake
	case t.path != nil:
		d.Add(t.path, "tune.%s: path leaves the number of points to the engine, and budget.tuned is %d: expected a list, or a range", t.path.Value, b.Tuned)
	case t.Points > b.Tuned:
		d.Add(d.tuneNode(a.Entry.node), "tune: %d points, and budget.tuned is %d", t.Points, b.Tuned)
	}
}

// tuneNode returns the first section tune of an algorithm, or the algorithm itself if it has none.
func (d *decoder) tuneNode(n *yaml.Node) *yaml.Node {
	_, own := strictyaml.Entry(n, tuning)
	for _, key := range d.wrappers.Pair.Keys {
		if _, part := strictyaml.Entry(n, key); part != nil && own == nil {
			_, own = strictyaml.Entry(part, tuning)
		}
	}
	return cmp.Or(own, n)
}
