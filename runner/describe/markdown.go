package describe

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/registry"
	"tenfold/io/source"
	"tenfold/runner/experiment/schema"
)

// Markdown writes the same descriptions as Write in Markdown: everything, as a reference of experiment files, or one family, or one
// member of it. file lists the other keys of experiment files.
func (p Parts) Markdown(w io.Writer, file []schema.Section, words ...string) error {
	words = p.whole(words)
	if len(words) == 0 {
		p.reference(w, file)
		return nil
	}
	if len(words) == 1 && words[0] == Abilities {
		p.abilitiesMarkdown(w)
		return nil
	}
	f, err := p.find(words)
	if err != nil {
		return err
	}
	if len(words) == 1 {
		f.table(w)
		return nil
	}
	f.member(w, words[1])
	if f.name == "engine" {
		p.beside(w, p.Engines[words[1]])
	}
	return nil
}

// beside writes the sections that only few engines, including this one, accept, and the engine's explanation of its parameters.
func (p Parts) beside(w io.Writer, k engines.Kind) {
	for _, around := range p.sections() {
		if p.common(around) || !around.Takes(k.Defaults()) {
			continue
		}
		with := ""
		if when := around.When; when.Parameter != "" {
			with = fmt.Sprintf(" with `%s: %s`,", when.Parameter, when.Word)
		}
		fmt.Fprintf(w, "\nBeside it,%s `%s` has the keys\n", with, around.Key())
		options(w, "", around.Kind.Defaults())
	}
	if explained, ok := k.Defaults().(explainer); ok {
		fmt.Fprintf(w, "\n```text\n%s```\n", explained.Explain())
	}
}

// common reports whether most engines accept a section: it then has a page of its own.
func (p Parts) common(w engines.Wrapper) bool {
	n := 0
	for _, k := range p.Engines {
		if w.Takes(k.Defaults()) {
			n++
		}
	}
	return 2*n > len(p.Engines)
}

func (p Parts) reference(w io.Writer, file []schema.Section) {
	fmt.Fprint(w, "## Keys of the file\n\nPaths are from the outline of the file; keys of mappings below are joined by dots.\n")
	for _, s := range file {
		name := "The outline"
		if s.Name != "" {
			name = strings.ReplaceAll("`"+s.Name+"`", ", ", "`, `")
		}
		if s.List {
			name += ", a list"
		}
		fmt.Fprintf(w, "\n### %s\n\n", name)
		keys(w, s.Keys)
	}
	var sections []string
	wrappers := p.sections()
	for _, around := range wrappers {
		sections = append(sections, "`algorithms."+around.Key()+"`")
	}
	fmt.Fprintf(w, "\n### %s\n\nBeside the parameters that `tune` chooses:\n", strings.Join(sections, ", "))
	for _, around := range wrappers {
		options(w, around.Key()+".", around.Kind.Defaults())
	}
	for _, name := range []string{"fold", "metric", "engine", "format"} {
		f, _ := p.family(name)
		fmt.Fprintf(w, "\n## %ss\n\n", strings.ToUpper(name[:1])+name[1:])
		f.table(w)
		if name == "fold" || name == "metric" { // the sentence says it all
			continue
		}
		for _, member := range f.names() {
			fmt.Fprintf(w, "\n### %s `%s`\n\n", name, member)
			f.member(w, member)
		}
	}
}

func keys(w io.Writer, keys []schema.Key) {
	fmt.Fprint(w, "| key | type | default | |\n| --- | --- | --- | --- |\n")
	for _, k := range keys {
		byDefault := ""
		switch {
		case k.Required:
			byDefault = "required"
		case k.Default != nil:
			byDefault = value(k.Default)
		}
		fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", k.Name, k.Type, byDefault, escape(k.Doc))
	}
}

// options writes the options of a kind as a table.
func options(w io.Writer, prefix string, defaults any) {
	ps := registry.Params(defaults, defaults)
	if len(ps) == 0 {
		return
	}
	fmt.Fprint(w, "\n| parameter | type | default | |\n| --- | --- | --- | --- |\n")
	for _, p := range ps {
		fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", prefix+p.Name, p.Type, value(p.Default), escape(p.Doc))
	}
}

// table writes the table of a family.
func (f family) table(w io.Writer) {
	row := func(cells ...string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	row(slices.Concat([]string{f.name, "what"}, f.columns)...)
	row(slices.Repeat([]string{"---"}, 2+len(f.columns))...)
	for _, name := range f.names() {
		cells := []string{"`" + name + "`", escape(f.doc(name))}
		if f.cells != nil {
			cells = append(cells, f.cells(name)...)
		}
		row(cells...)
	}
}

// member writes what a member of a family is, what it needs, and its parameters.
func (f family) member(w io.Writer, name string) {
	fmt.Fprintf(w, "%s.\n", sentence(f.doc(name)))
	f.markdown(w, name)
}

func (p Parts) engineMarkdown(w io.Writer, k engines.Kind) {
	defaults := k.Defaults()
	fmt.Fprintln(w)
	for _, n := range append(needs(defaults), p.takes(k)...) {
		fmt.Fprintf(w, "- %s\n", n)
	}
	if s := defaults.Needs().Sizes; s.Refit != "" {
		fmt.Fprintf(w, "- `path: {at: [sizes], refit: ...}` stands for `%s` and `%s`\n", s.Limit, s.Refit)
	} else if s.Limit != "" {
		fmt.Fprintf(w, "- `path: {at: [sizes]}` stands for `%s`\n", s.Limit)
	}
	if pathed, ok := defaults.(engines.Pathed); ok {
		fmt.Fprintf(w, "- `tune: {%s: path}` tries the values of its own path; lists of `%s` go along it as well\n", pathed.PathParameters()[0], strings.Join(pathed.PathParameters(), "` and `"))
	}
	if k.Cite != "" {
		fmt.Fprintf(w, "- source: %s\n", escape(k.Cite))
	}
	fmt.Fprintf(w, "- revision: %d\n", k.Rev)
	options(w, "", defaults)
}

func formatMarkdown(w io.Writer, k source.Kind) {
	fmt.Fprintln(w)
	d := k.Defaults().Declares()
	for _, roles := range d.Roles {
		if len(roles) > 0 {
			fmt.Fprintf(w, "- files: `%s`\n", strings.Join(roles, "`, `"))
		}
	}
	if len(d.Optional) > 0 {
		fmt.Fprintf(w, "- if wanted: `%s`\n", strings.Join(d.Optional, "`, `"))
	}
	for _, t := range d.Targets {
		fmt.Fprintf(w, "- target: `%s` (%s)\n", t.Name, word(t.Type))
	}
	for _, t := range d.Others {
		fmt.Fprintf(w, "- or target: `%s` (%s)\n", t.Name, word(t.Type))
	}
	options(w, "", k.Defaults())
}

// needs returns the requirements of an engine, one per line.
func needs(e engines.Engine) []string {
	n := e.Needs()
	lines := []string{"target: " + target(n)}
	switch {
	case n.Binary:
		lines = append(lines, "columns: 0 and 1")
	case n.Counts:
		lines = append(lines, "columns: counts, no value below 0")
	}
	if n.FeatureClasses {
		lines = append(lines, "needs classes of features")
	}
	if n.Truth {
		lines = append(lines, "needs data whose true coefficients are known")
	}
	return lines
}

// target describes the target that an engine fits.
func target(n engines.Needs) string {
	what := n.Targets()
	if n.Target == data.Class && n.Levels > 0 {
		what = fmt.Sprintf("class of %d levels", n.Levels)
	}
	if n.Tasks {
		what += "; several"
	}
	return what
}

// words describes the types of target that something applies to.
func words(types []data.Type) string {
	if len(types) == 0 {
		return "any"
	}
	var out []string
	for _, t := range types {
		out = append(out, word(t))
	}
	return strings.Join(out, ", ")
}

func word(t data.Type) string {
	if t == data.Any {
		return "any"
	}
	return t.String()
}

// value formats a default; empty ones give "".
func value(v any) string {
	text, err := json.Marshal(v)
	if err != nil || slices.Contains([]string{`""`, "null", "[]", "{}"}, string(text)) {
		return ""
	}
	return "`" + strings.Trim(string(text), `"`) + "`"
}

func sentence(doc string) string { return escape(strings.ToUpper(doc[:1]) + doc[1:]) }

var escaper = strings.NewReplacer("|", `\|`, "*", `\*`, "<", "&lt;")

// escape escapes what a document would read as markup.
func escape(text string) string { return escaper.Replace(text) }
