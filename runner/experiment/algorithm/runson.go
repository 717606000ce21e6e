package algorithm

import (
	"path"
	"slices"
	"strings"
)

// Where lists the data sets that an algorithm runs on: globs on their names, with or without a grid point. An empty list means all.
type Where []string

// OneOrMore lets a single glob be written in place of the list.
func (Where) OneOrMore() {}

// Named is a data set with the names by which algorithms choose it: with the point of its grid, and without.
type Named interface {
	Names() (name, label string)
}

// Matches reports whether a glob matches a data set.
func (w Where) Matches(s Named) bool {
	name, label := s.Names()
	return slices.ContainsFunc(w, Pattern(name)) || slices.ContainsFunc(w, Pattern(label))
}

// RunsOn reports whether the file has the algorithm run on a data set.
func (a *Algorithm) RunsOn(s Named) bool { return len(a.Where) == 0 || a.Where.Matches(s) }

// Pattern returns a function that reports whether a pattern matches the name; * matches slashes, too.
func Pattern(name string) func(pattern string) bool {
	flat := strings.NewReplacer("/", "\x00")
	return func(pattern string) bool {
		ok, err := path.Match(flat.Replace(pattern), flat.Replace(name))
		return ok && err == nil
	}
}
