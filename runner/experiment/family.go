package experiment

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/algorithm"
)

// Kinds of families: what the tasks of a data set are.
const (
	OneVsOne  = "one-vs-one"  // a task for each pair of levels of the target, with the rows of these only
	OneVsRest = "one-vs-rest" // a task for each level of the target, against all others
	ByFolder  = "folder"      // a task for each folder that the data come in
	ByTarget  = "target"      // a task for each of several targets (end points, responses), with the rows that have it
)

// Family divides a data set into tasks, which are data sets of their own; tables average over them. The zero value makes none.
type Family struct {
	Kind string   `yaml:"kind" read:"required,scalar" doc:"one-vs-one, one-vs-rest, folder, target"`
	Only []string `yaml:"only" doc:"names of tasks; * and ? match. All by default"`
}

// likeFolder and likeTarget are words tried in place of these kinds; messages then suggest the kind.
var (
	likeFolder = []string{"word", "task", "dataset", "lexelt", "lemma", "group"}
	likeTarget = []string{"endpoint", "end-point", "response", "column", "outcome", "time"}
)

// Validate checks the family without the data.
func (f Family) Validate() error {
	errs := []error{param.OneOf("kind", f.Kind, OneVsOne, OneVsRest, ByFolder, ByTarget)}
	switch like := strings.TrimSuffix(f.Kind, "s"); {
	case slices.Contains(likeFolder, like):
		errs[0] = param.Errorf("kind", "%q is not one of %s, %s, %s, %s; did you mean %q? It makes a task of each word, or of each folder", f.Kind, OneVsOne, OneVsRest, ByFolder, ByTarget, ByFolder)
	case slices.Contains(likeTarget, like):
		errs[0] = param.Errorf("kind", "%q is not one of %s, %s, %s, %s; did you mean %q? It makes a task of each of several targets, such as end points", f.Kind, OneVsOne, OneVsRest, ByFolder, ByTarget, ByTarget)
	}
	for i, pattern := range f.Only {
		if _, err := path.Match(pattern, ""); err != nil {
			errs = append(errs, param.Errorf(fmt.Sprintf("only.%d", i), "%q is no pattern: expected text with * and ? for any text and character, and [a-z] for one of some", pattern))
		}
	}
	return errors.Join(errs...)
}

// IncludesTask reports whether the family includes a task.
func (f Family) IncludesTask(task string) bool {
	return len(f.Only) == 0 || slices.ContainsFunc(f.Only, algorithm.Pattern(task))
}

// checkFamily compares a family with what the format declares.
func (d *decoder) checkFamily(s Dataset) {
	_, node := strictyaml.Entry(s.Entry.Node, "family")
	switch {
	case node == nil:
	case (s.Family.Kind == OneVsOne || s.Family.Kind == OneVsRest) && targetType(s) == data.Real:
		d.Add(node, "family: %s needs %s; data set %s has %s", s.Family.Kind, wording[data.Class], s.Name, wording[data.Real])
	case s.Family.Kind == ByTarget && len(s.Source.Declares().Targets) == 1 && !strings.Contains(s.Source.Declares().Targets[0].Name, "*"):
		d.Add(node, "family: %s needs several targets; data set %s has one, %s", s.Family.Kind, s.Name, s.Source.Declares().Targets[0].Name)
	case (s.Family.Kind == OneVsOne || s.Family.Kind == OneVsRest) && len(s.Source.Declares().Targets) > 1:
		d.Add(node, "family: %s needs one target; data set %s has %d", s.Family.Kind, s.Name, len(s.Source.Declares().Targets))
	}
}
