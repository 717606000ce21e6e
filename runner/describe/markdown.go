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
	"tenfold/runner/folds"
	"tenfold/runner/metric"
	"tenfold/runner/spec"
	"tenfold/runner/tune"
)

// Markdown describes, as Write does, for documents: everything, as a reference of experiment files, or one family, or one
// member of it. file is what a file may have besides.
func (p Parts) Markdown(w io.Writer, file []spec.Section, words ...string) error {
	words = p.whole(words)
	if len(words) == 0 {
		p.reference(w, file)
		return nil
	}
	family, err := p.find(words)
	if err != nil {
		return err
	}
	if len(words) == 1 {
		p.table(w, family)
		return nil
	}
	p.member(w, family, words[1])
	if family == "engine" {
		p.beside(w, p.Engines[words[1]])
	}
	return nil
}

// beside an engine there are sections that it alone gives a meaning, and what it has to say about its parameters.
func (p Parts) beside(w io.Writer, k engines.Kind) {
	for _, around := range p.sectionsOf(k) {
		if p.common(around) {
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

// common tells whether a section goes with most engines: it has a page of its own.
func (p Parts) common(w engines.Wrapper) bool {
	n := 0
	for _, k := range p.Engines {
		if w.Takes(k.Defaults()) {
			n++
		}
	}
	return 2*n > len(p.Engines)
}

func (p Parts) reference(w io.Writer, file []spec.Section) {
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
	wrappers := slices.DeleteFunc(append([]engines.Wrapper{tune.Wrapper}, p.Wrappers.Around...), func(w engines.Wrapper) bool { return w.On != "" })
	for _, around := range wrappers {
		sections = append(sections, "`algorithms."+around.Key()+"`")
	}
	fmt.Fprintf(w, "\n### %s\n\nBeside the parameters that `tune` chooses:\n", strings.Join(sections, ", "))
	for _, around := range wrappers {
		options(w, around.Key()+".", around.Kind.Defaults())
	}
	for _, family := range []string{"fold", "metric", "engine", "format"} {
		fmt.Fprintf(w, "\n## %ss\n\n", strings.ToUpper(family[:1])+family[1:])
		p.table(w, family)
		if family == "fold" || family == "metric" { // there is no more to say
			continue
		}
		for _, name := range p.Names(family) {
			fmt.Fprintf(w, "\n### %s `%s`\n\n", family, name)
			p.member(w, family, name)
		}
	}
}

func keys(w io.Writer, keys []spec.Key) {
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

// options of a kind, as a table.
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

// table of a family.
func (p Parts) table(w io.Writer, family string) {
	switch family {
	case "engine":
		fmt.Fprint(w, "| engine | what | target | source |\n| --- | --- | --- | --- |\n")
	case "metric":
		fmt.Fprint(w, "| metric | what | target | better |\n| --- | --- | --- | --- |\n")
	default:
		fmt.Fprintf(w, "| %s | what |\n| --- | --- |\n", family)
	}
	for _, name := range p.Names(family) {
		switch family {
		case "engine":
			k := p.Engines[name]
			fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", name, escape(k.Doc), target(k.Defaults().Needs()), escape(k.Cite))
		case "format":
			fmt.Fprintf(w, "| `%s` | %s |\n", name, escape(p.Formats[name].Doc))
		case "metric":
			m, _ := metric.Find(name)
			better := "lower"
			if m.Better {
				better = "higher"
			}
			fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", name, escape(m.Doc), word(m.Target), better)
		case "fold":
			fmt.Fprintf(w, "| `%s` | %s |\n", name, escape(foldDoc(name)))
		}
	}
}

// member of a family: what it is, what it needs, and its parameters.
func (p Parts) member(w io.Writer, family, name string) {
	switch family {
	case "engine":
		p.engine(w, name)
	case "format":
		k := p.Formats[name]
		fmt.Fprintf(w, "%s.\n\n", sentence(k.Doc))
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
		options(w, "", k.Defaults())
	case "metric":
		m, _ := metric.Find(name)
		fmt.Fprintf(w, "%s.\n", sentence(m.Doc))
	case "fold":
		fmt.Fprintf(w, "%s.\n", sentence(foldDoc(name)))
		options(w, "", folds.Spec{Kind: name}.Normalised())
	}
}

func (p Parts) engine(w io.Writer, name string) {
	k := p.Engines[name]
	defaults := k.Defaults()
	needs := defaults.Needs()
	fmt.Fprintf(w, "%s.\n\n", sentence(k.Doc))
	fmt.Fprintf(w, "- target: %s\n", target(needs))
	switch {
	case needs.Binary:
		fmt.Fprint(w, "- columns: 0 and 1\n")
	case needs.Counts:
		fmt.Fprint(w, "- columns: counts, no value below 0\n")
	}
	if needs.FeatureClasses {
		fmt.Fprint(w, "- needs classes of features\n")
	}
	if needs.Truth {
		fmt.Fprint(w, "- needs data whose true coefficients are known\n")
	}
	if s := needs.Sizes; s.Refit != "" {
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

// target that an engine fits.
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

func word(t data.Type) string {
	if t == data.Any {
		return "any"
	}
	return t.String()
}

// value of a default: empty ones say nothing.
func value(v any) string {
	text, err := json.Marshal(v)
	if err != nil || slices.Contains([]string{`""`, "null", "[]", "{}"}, string(text)) {
		return ""
	}
	return "`" + strings.Trim(string(text), `"`) + "`"
}

func sentence(doc string) string { return escape(strings.ToUpper(doc[:1]) + doc[1:]) }

var escaper = strings.NewReplacer("|", `\|`, "*", `\*`, "<", "&lt;")

// escape what a document would read as markup.
func escape(text string) string { return escaper.Replace(text) }
