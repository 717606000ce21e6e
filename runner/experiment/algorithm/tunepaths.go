package algorithm

import (
	"reflect"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/registry"
	"tenfold/runner/experiment/grid"
	"tenfold/runner/tune"
)

// gatherPaths finds the candidates, of these points, that differ only in one parameter, along which their engine has a path: one fit
// then gives all of them.
func (t *tuner) gatherPaths(points []grid.Point) []tune.Path {
	for k, a := range t.axes {
		var paths []tune.Path
		index := map[string]int{} // path, by the other settings
		for i, c := range t.candidates {
			value, ok := placeOnPath(c.Engine, a.Key.Value)
			if !ok {
				paths = nil
				break
			}
			others := slices.Delete(slices.Clone(points[i]), k, k+1).Identity()
			place, known := index[others]
			if !known {
				place = len(paths)
				index[others] = place
				paths = append(paths, tune.Path{Engine: c.Engine.(engines.Pathed), Points: engines.PathPoints{Parameter: a.Key.Value}})
			}
			p := &paths[place]
			p.Of, p.Points.Values = append(p.Of, i), append(p.Points.Values, value)
		}
		paths = slices.DeleteFunc(paths, func(p tune.Path) bool { return len(p.Of) == 1 })
		if len(paths) > 0 {
			return paths
		}
	}
	return nil
}

// placeOnPath returns the value of a parameter along which the engine has a path. It reports false if the parameter does not decide
// (another one sets the same quantity), or if the number of features is limited.
func placeOnPath(e engines.Engine, name string) (value float64, ok bool) {
	pathed, ok := e.(engines.Pathed)
	if !ok || !slices.Contains(pathed.PathParameters(), name) {
		return 0, false
	}
	limit := e.Needs().Sizes.Limit
	for _, p := range registry.Params(e, e) {
		switch v := reflect.ValueOf(p.Value); {
		case p.Name == name:
			value = v.Convert(reflect.TypeFor[float64]()).Float() // sizes are whole numbers
		case strings.HasPrefix(p.Name, name+"_") && slices.Contains(pathed.PathParameters(), p.Name), p.Name == limit:
			ok = ok && v.IsZero()
		}
	}
	return value, ok && (value > 0 || !strings.HasSuffix(name, "_ratio")) // a share of 0 stands for none
}
