package experiment

import (
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/suggest"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/algorithm"
)

// countRuns counts, for each data set, the algorithms that run on it, at each point of their grids.
func (f *File) countRuns() []int {
	out := make([]int, len(f.Datasets))
	for from := 0; from < len(f.Algorithms); {
		a, to := &f.Algorithms[from], from+1
		for to < len(f.Algorithms) && f.Algorithms[to].Entry == a.Entry { // points of one entry run on the same data sets
			to++
		}
		for i := range f.Datasets {
			if a.RunsOn(&f.Datasets[i]) {
				out[i] += to - from
			}
		}
		from = to
	}
	return out
}

// checkWhere reports globs in datasets: of algorithms that match no data set. names are the names of the data sets.
func (d *decoder) checkWhere(algorithms []*yaml.Node, names []string, f *File) {
	for _, n := range algorithms {
		_, node := strictyaml.Entry(n, "datasets")
		if node == nil {
			continue
		}
		globs := []*yaml.Node{node}
		if node.Kind == yaml.SequenceNode {
			if globs = node.Content; len(globs) == 0 {
				d.Add(node, "datasets: the list is empty, expected names of data sets; without the key the algorithm runs on all")
			}
		}
		for i, g := range globs {
			if g.Kind != yaml.ScalarNode || g.Tag == "!!null" {
				continue // reported
			}
			if slices.ContainsFunc(globs[:i], func(before *yaml.Node) bool { return before.Value == g.Value }) {
				d.Add(g, "datasets: %q stands here twice", g.Value)
			} else if _, err := path.Match(g.Value, ""); err != nil {
				d.Add(g, "datasets: %q is no pattern: expected text with * and ? for any text and character, and [a-z] for one of some", g.Value)
			} else if !f.hasDataset(g.Value, names) {
				d.Add(g, "datasets: no data set matches %q%s", g.Value, f.otherGlob(g.Value, names))
			}
		}
	}
}

// hasDataset reports whether a glob matches a data set. If an entry has mistakes, its grid is unknown, and any point of it matches.
func (f *File) hasDataset(glob string, names []string) bool {
	named := func(name string) bool { return algorithm.Pattern(name)(glob) }
	unread := func(name string) bool {
		return strings.HasPrefix(glob, name+" ") && !slices.ContainsFunc(f.Datasets, func(s Dataset) bool { return s.Name == name })
	}
	return slices.ContainsFunc(names, named) || slices.ContainsFunc(names, unread) ||
		slices.ContainsFunc(f.Datasets, func(s Dataset) bool { return algorithm.Where{glob}.Matches(&s) })
}

// otherGlob suggests a glob in place of one that matches nothing.
func (f *File) otherGlob(glob string, names []string) string {
	if strings.Contains(glob, ",") {
		return "; several stand in a list, [" + glob + "]"
	}
	if strings.HasPrefix(glob, "!") {
		return "; none can be excluded: name those that the algorithm runs on"
	}
	if family, _, ok := strings.Cut(glob, "/"); ok && slices.ContainsFunc(f.Datasets, func(s Dataset) bool { return s.Family.Kind != "" && s.Name == family }) {
		return "; an algorithm runs on all tasks of family " + family
	}
	return suggest.Choices(glob, names)
}
