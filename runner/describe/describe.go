// Package describe prints what experiment files can name: engines, formats, metrics and kinds of folds, with their
// parameters, defaults and sources.
package describe

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"tenfold/engines"
	"tenfold/engines/registry"
	"tenfold/engines/suggest"
	"tenfold/io/source"
	"tenfold/runner/folds"
	"tenfold/runner/metric"
)

// Parts is everything there is to describe.
type Parts struct {
	Engines  engines.Set
	Wrappers engines.Wrappers
	Formats  source.Set
}

// Families are the words that may come first.
func Families() []string { return []string{"engine", "format", "metric", "fold"} }

// Names of a family's members.
func (p Parts) Names(family string) []string {
	switch family {
	case "engine":
		return p.Engines.Names()
	case "format":
		return p.Formats.Names()
	case "metric":
		return metric.Names()
	case "fold":
		var names []string
		for _, k := range folds.Kinds() {
			names = append(names, k.Name)
		}
		for _, k := range folds.Aliases() {
			names = append(names, k.Name)
		}
		return names
	}
	return nil
}

// Write describes everything (no words), a family (one), or one member of it (two, or its name alone). The error suggests the nearest name.
func (p Parts) Write(w io.Writer, words ...string) error {
	words = p.whole(words)
	if len(words) == 0 {
		for _, family := range Families() {
			fmt.Fprintf(w, "%ss:\n", family)
			p.list(w, family)
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, "More about one: tenfold describe engine stagewise")
		return nil
	}
	family, err := p.find(words)
	if err != nil {
		return err
	}
	if len(words) == 1 {
		p.list(w, family)
		return nil
	}
	switch family {
	case "engine":
		k := p.Engines[words[1]]
		head(w, k.Name, k.Doc, k.Cite)
		if s := k.Defaults().Needs().Sizes; s.Refit != "" {
			fmt.Fprintf(w, "path: {at: [sizes], refit: ...}, in place of %s and %s\n", s.Limit, s.Refit)
		} else if s.Limit != "" {
			fmt.Fprintf(w, "path: {at: [sizes]}, in place of %s\n", s.Limit)
		}
		if p, ok := k.Defaults().(engines.Pathed); ok {
			fmt.Fprintf(w, "tune: {%s: path} tries the values of its own path; lists of %s go along it as well\n", p.PathParameters()[0], strings.Join(p.PathParameters(), " and "))
		}
		if err := params(w, "parameters", k.Defaults()); err != nil {
			return err
		}
		if e, ok := k.Defaults().(explainer); ok {
			fmt.Fprintf(w, "\n%s", e.Explain())
		}
		for _, around := range p.sectionsOf(k) {
			what := around.Key()
			if when := around.When; when.Parameter != "" {
				what += ", with " + when.String()
			}
			if err := params(w, what, around.Kind.Defaults()); err != nil {
				return err
			}
		}
		return nil
	case "format":
		k := p.Formats[words[1]]
		head(w, k.Name, k.Doc, k.Cite)
		d := k.Defaults().Declares()
		for _, roles := range d.Roles {
			if len(roles) > 0 {
				fmt.Fprintf(w, "files: {%s}\n", strings.Join(roles, ": ..., ")+": ...")
			}
		}
		if len(d.Optional) > 0 {
			fmt.Fprintf(w, "files, if wanted: {%s}\n", strings.Join(d.Optional, ": ..., ")+": ...")
		}
		for _, t := range d.Targets {
			fmt.Fprintf(w, "target: %s (%s)\n", t.Name, t.Type)
		}
		if err := params(w, "parameters", k.Defaults()); err != nil {
			return err
		}
		if f, ok := k.Defaults().(explainer); ok {
			fmt.Fprintf(w, "\n%s", f.Explain())
		}
		return nil
	case "metric":
		m, _ := metric.Find(words[1])
		better := "lower is better"
		if m.Better {
			better = "higher is better"
		}
		head(w, words[1], m.Doc+"; "+better, "")
		return nil
	}
	head(w, words[1], foldDoc(words[1]), "")
	return params(w, "parameters", folds.Spec{Kind: words[1]}.Normalised())
}

// whole puts its family before a member that is named alone, the first that has one.
func (p Parts) whole(words []string) []string {
	if len(words) != 1 || slices.Contains(Families(), strings.TrimSuffix(words[0], "s")) {
		return words
	}
	for _, family := range Families() {
		if slices.Contains(p.Names(family), words[0]) {
			return []string{family, words[0]}
		}
	}
	return words
}

// find the family that words name, and see that their member is there.
func (p Parts) find(words []string) (family string, err error) {
	family = strings.TrimSuffix(words[0], "s")
	if err := known("part", family, Families()); err != nil || len(words) == 1 {
		if f, near := p.nearest(words[0]); err != nil && near != "" {
			err = fmt.Errorf("no part %q; did you mean %s %s?", words[0], f, near)
		}
		return family, err
	}
	if _, ok := metric.Find(words[1]); family == "metric" && ok { // metrics have names beyond the list: f:3
		return family, nil
	}
	return family, known(family, words[1], p.Names(family))
}

// nearest is the member that a word which is no family, nor near one, is near to.
func (p Parts) nearest(word string) (family, member string) {
	if suggest.Nearest(word, Families()) != "" {
		return "", ""
	}
	for _, family := range Families() {
		if near := suggest.Nearest(word, p.Names(family)); near != "" {
			return family, near
		}
	}
	return "", ""
}

// sectionsOf are the wrappers with options that this engine takes and others do not.
func (p Parts) sectionsOf(k engines.Kind) []engines.Wrapper {
	return slices.DeleteFunc(slices.Clone(p.Wrappers.Around), func(w engines.Wrapper) bool {
		return w.On != "" || w.Accepts == nil || !w.Accepts(k.Defaults())
	})
}

// explainer is an engine or a format that has more to say about its parameters, at their defaults: text of whole lines.
type explainer interface{ Explain() string }

// foldDoc is the sentence of a kind of folds.
func foldDoc(name string) string {
	for _, k := range folds.Kinds() {
		if k.Name == name {
			return k.Doc
		}
	}
	for _, k := range folds.Aliases() {
		if k.Name == name {
			return k.Doc
		}
	}
	return ""
}

func known(what, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	return fmt.Errorf("no %s %q%s", what, name, suggest.Choices(name, names))
}

func (p Parts) list(w io.Writer, family string) {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	defer t.Flush()
	for _, name := range p.Names(family) {
		doc := ""
		switch family {
		case "engine":
			doc = p.Engines[name].Doc
		case "format":
			doc = p.Formats[name].Doc
		case "metric":
			m, _ := metric.Find(name)
			doc = m.Doc
		case "fold":
			doc = foldDoc(name)
		}
		fmt.Fprintf(t, "  %s\t%s\n", name, doc)
	}
}

func head(w io.Writer, name, doc, cite string) {
	fmt.Fprintf(w, "%s: %s\n", name, doc)
	if cite != "" {
		fmt.Fprintf(w, "source: %s\n", cite)
	}
}

func params(w io.Writer, what string, defaults any) error {
	ps := registry.Params(defaults, defaults)
	if len(ps) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\n%s (default):\n", what)
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, p := range ps {
		def, err := json.Marshal(p.Default)
		if err != nil {
			return err
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", p.Name, p.Type, def, p.Doc)
	}
	return t.Flush()
}
