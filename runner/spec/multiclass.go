package spec

import (
	"encoding/json"
	"strconv"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/onevsrest"
)

// multiclass is the key of that name among the parameters of a point, so that a grid can vary it.
const multiclass = "multiclass"

// Words of the key. Keys of results have the second; should the package onevsrest ever make other models of the same engine,
// they need another one.
const (
	ownWay    = "own"
	oneVsRest = "one-vs-rest"
)

// OneVsRest tells whether the algorithm could be one for classes of any number of levels, with multiclass: one-vs-rest.
func (a *Algorithm) OneVsRest() bool {
	return len(a.Path) == 0 && onevsrest.Engine{Base: a.Engine}.Validate() == nil
}

// engineAt is the engine of one point, for classes of any number of levels where the point says so.
func (d *decoder) engineAt(k engines.Kind, over, params, defaults *yaml.Node) (configured, bool) {
	_, at := get(params, multiclass)
	c, ok := d.across(k, over, without(params, multiclass), defaults)
	_, across := c.engine.(engines.Across) // which is one model a level by itself
	if at == nil || at.Kind == yaml.ScalarNode && (at.Value == ownWay || at.Value == oneVsRest && across) {
		return c, ok
	}
	before := d.count
	_, products := get(params, combinations)
	switch {
	case at.Kind != yaml.ScalarNode || at.Value != oneVsRest:
		d.add(at, "multiclass: expected %s or %s, found %s", ownWay, oneVsRest, found(at))
	case over != nil:
		d.add(at, "multiclass: %s does not go together with path: each level has features of its own, so no step has models of one size", oneVsRest)
	case products != nil:
		d.add(at, "multiclass: %s does not go together with combinations, which are those of one model of all levels", oneVsRest)
	case ok:
		said := json.RawMessage(strconv.Quote(oneVsRest))
		c = configured{
			onevsrest.Engine{Base: c.engine}, onevsrest.Engine{Base: c.defaults}, added(c.canonical, multiclass, said), added(c.resolved, multiclass, said),
		}
		d.invalid(params, c.engine.Validate())
	}
	return c, ok && d.count == before
}
