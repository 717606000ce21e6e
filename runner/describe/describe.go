// Package describe prints what experiment files can name: engines, sections beside them, formats, metrics and kinds of folds, with their
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
	"tenfold/engines/ability"
	"tenfold/engines/registry"
	"tenfold/engines/suggest"
	"tenfold/io/source"
	"tenfold/runner/tune"
)

// Parts holds everything that can be described.
type Parts struct {
	Engines  engines.Set
	Wrappers engines.Wrappers
	Formats  source.Set
	Gives    map[string]ability.Gives // by engine
}

// Write describes everything (no words), a family (one word), or one member of it (two words, or its name alone). The error
// suggests the nearest name.
func (p Parts) Write(w io.Writer, words ...string) error {
	words = p.whole(words)
	if len(words) == 0 {
		for _, f := range p.families() {
			fmt.Fprintf(w, "%ss:\n", f.name)
			f.list(w)
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, "More about one: tenfold describe engine stagewise\nWhat each engine takes, gives and costs: tenfold describe "+Abilities)
		return nil
	}
	if len(words) == 1 && words[0] == Abilities {
		return p.abilitiesText(w)
	}
	f, err := p.find(words)
	if err != nil {
		return err
	}
	if len(words) == 1 {
		f.list(w)
		return nil
	}
	fmt.Fprintf(w, "%s: %s\n", words[1], f.doc(words[1]))
	return f.text(w, words[1])
}

func (p Parts) engineText(w io.Writer, k engines.Kind) error {
	defaults := k.Defaults()
	cite(w, k.Cite)
	for _, n := range append(needs(defaults), p.takes(k)...) {
		fmt.Fprintln(w, n)
	}
	if s := defaults.Needs().Sizes; s.Refit != "" {
		fmt.Fprintf(w, "path: {at: [sizes], refit: ...}, in place of %s and %s\n", s.Limit, s.Refit)
	} else if s.Limit != "" {
		fmt.Fprintf(w, "path: {at: [sizes]}, in place of %s\n", s.Limit)
	}
	if p, ok := defaults.(engines.Pathed); ok {
		fmt.Fprintf(w, "tune: {%s: path} tries the values of its own path; lists of %s go along it as well\n", p.PathParameters()[0], strings.Join(p.PathParameters(), " and "))
	}
	if err := explained(w, defaults); err != nil {
		return err
	}
	var common []string
	for _, section := range p.sections() {
		if !section.Takes(defaults) {
			continue
		}
		if p.common(section) {
			common = append(common, section.Key())
			continue
		}
		what := section.Key()
		if when := section.When; when.Parameter != "" {
			what += ", with " + when.String()
		}
		if err := params(w, what, section.Kind.Defaults()); err != nil {
			return err
		}
	}
	if len(common) > 0 {
		fmt.Fprintf(w, "\nbeside these: %s (tenfold describe section %s)\n", strings.Join(common, ", "), common[0])
	}
	return nil
}

func formatText(w io.Writer, k source.Kind) error {
	cite(w, k.Cite)
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
	for _, t := range d.Others {
		fmt.Fprintf(w, "or target: %s (%s)\n", t.Name, t.Type)
	}
	return explained(w, k.Defaults())
}

// explained writes the parameters, followed by the engine's or format's explanation of them.
func explained(w io.Writer, defaults any) error {
	if err := params(w, "parameters", defaults); err != nil {
		return err
	}
	if e, ok := defaults.(explainer); ok {
		fmt.Fprintf(w, "\n%s", e.Explain())
	}
	return nil
}

func cite(w io.Writer, cite string) {
	if cite != "" {
		fmt.Fprintf(w, "source: %s\n", cite)
	}
}

// whole adds the family to a member that is named alone: the first family that has it.
func (p Parts) whole(words []string) []string {
	if len(words) != 1 {
		return words
	}
	if _, ok := p.family(words[0]); ok {
		return words
	}
	for _, f := range p.families() {
		if slices.Contains(f.names(), words[0]) {
			return []string{f.name, words[0]}
		}
	}
	return words
}

// find returns the family that words name, or an error if there is no such family or member.
func (p Parts) find(words []string) (family, error) {
	f, ok := p.family(words[0])
	switch {
	case !ok:
		if kind, near := p.nearest(words[0]); near != "" {
			return f, fmt.Errorf("no part %q; did you mean %s %s?", words[0], kind, near)
		}
		return f, known("part", words[0], Families())
	case len(words) == 1, f.has != nil && f.has(words[1]):
		return f, nil
	}
	return f, known(f.name, words[1], f.names())
}

// nearest returns the member that is nearest in spelling to a word that is neither a family nor near one; "" if none is near.
func (p Parts) nearest(word string) (family, member string) {
	if suggest.Nearest(word, Families()) != "" {
		return "", ""
	}
	for _, f := range p.families() {
		if near := suggest.Nearest(word, f.names()); near != "" {
			return f.name, near
		}
	}
	return "", ""
}

// sections returns the sections beside the parameters of an algorithm, tune first.
func (p Parts) sections() []engines.Wrapper {
	return slices.DeleteFunc(append([]engines.Wrapper{tune.Wrapper}, p.Wrappers.Around...), func(w engines.Wrapper) bool { return !w.Section() })
}

// enginesOf describes in words the engines that accept a section.
func (p Parts) enginesOf(w engines.Wrapper) string {
	names := slices.DeleteFunc(p.Engines.Names(), func(name string) bool { return !w.Takes(p.Engines[name].Defaults()) })
	if len(names) == len(p.Engines) {
		return "all engines"
	}
	return strings.Join(names, ", ")
}

// explainer is implemented by an engine or a format that explains its parameters, at their defaults, in whole lines of text.
type explainer interface{ Explain() string }

func known(what, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	return fmt.Errorf("no %s %q%s", what, name, suggest.Choices(name, names))
}

func (f family) list(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	defer t.Flush()
	for _, name := range f.names() {
		cells := []string{name}
		if i := slices.Index(f.columns, "target"); i >= 0 {
			cells = append(cells, f.cells(name)[i])
		}
		fmt.Fprintf(t, "  %s\n", strings.Join(append(cells, f.doc(name)), "\t"))
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
