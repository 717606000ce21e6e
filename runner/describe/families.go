package describe

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/runner/folds"
	"tenfold/runner/metric"
)

// family is a kind of parts, with the text about each member.
type family struct {
	name     string
	names    func() []string
	doc      func(name string) string             // one sentence
	text     func(w io.Writer, name string) error // writes what follows the sentence in a terminal
	markdown func(w io.Writer, name string)       // writes what follows it in a document
	columns  []string                             // columns of the table in a document, besides the name and the sentence
	cells    func(name string) []string           // cells of these columns
	has      func(name string) bool               // reports members that are not in names; nil for none
}

// families returns the families in the order in which they are listed; a name that several have means the first.
func (p Parts) families() []family {
	return []family{p.engineFamily(), p.sectionFamily(), p.formatFamily(), metricFamily(), foldFamily()}
}

// Families returns the words that may come first.
func Families() []string {
	var names []string
	for _, f := range (Parts{}).families() {
		names = append(names, f.name)
	}
	return names
}

// family returns the family of a name, in the singular or the plural.
func (p Parts) family(name string) (family, bool) {
	all := p.families()
	i := slices.IndexFunc(all, func(f family) bool { return f.name == strings.TrimSuffix(name, "s") })
	if i < 0 {
		return family{}, false
	}
	return all[i], true
}

// Names returns the names of a family's members; nil if word is not a family.
func (p Parts) Names(word string) []string {
	if f, ok := p.family(word); ok {
		return f.names()
	}
	return nil
}

func (p Parts) engineFamily() family {
	return family{
		name: "engine", names: p.Engines.Names,
		doc:      func(name string) string { return p.Engines[name].Doc },
		text:     func(w io.Writer, name string) error { return p.engineText(w, p.Engines[name]) },
		markdown: func(w io.Writer, name string) { p.engineMarkdown(w, p.Engines[name]) },
		columns:  []string{"target", "source"},
		cells: func(name string) []string {
			k := p.Engines[name]
			return []string{target(k.Defaults().Needs()), escape(k.Cite)}
		},
	}
}

// sectionFamily returns the family of the sections beside the parameters of an algorithm.
func (p Parts) sectionFamily() family {
	sections := p.sections()
	find := func(name string) engines.Wrapper {
		return sections[slices.IndexFunc(sections, func(w engines.Wrapper) bool { return w.Key() == name })]
	}
	return family{
		name: "section",
		names: func() (names []string) {
			for _, w := range sections {
				names = append(names, w.Key())
			}
			return names
		},
		doc: func(name string) string { return find(name).Kind.Doc },
		text: func(w io.Writer, name string) error {
			section := find(name)
			cite(w, section.Kind.Cite)
			fmt.Fprintf(w, "goes with: %s\n", p.enginesOf(section))
			return params(w, "options", section.Kind.Defaults())
		},
		markdown: func(w io.Writer, name string) {
			fmt.Fprintf(w, "\n- goes with: %s\n", p.enginesOf(find(name)))
			options(w, name+".", find(name).Kind.Defaults())
		},
	}
}

func (p Parts) formatFamily() family {
	return family{
		name: "format", names: p.Formats.Names,
		doc:      func(name string) string { return p.Formats[name].Doc },
		text:     func(w io.Writer, name string) error { return formatText(w, p.Formats[name]) },
		markdown: func(w io.Writer, name string) { formatMarkdown(w, p.Formats[name]) },
	}
}

func metricFamily() family {
	find := func(name string) metric.Metric {
		m, _ := metric.Find(name)
		return m
	}
	better := func(m metric.Metric) string {
		if m.Better {
			return "higher"
		}
		return "lower"
	}
	return family{
		name: "metric", names: metric.Names,
		has: func(name string) bool { // f:3
			_, ok := metric.Find(name)
			return ok
		},
		doc: func(name string) string { return find(name).Doc },
		text: func(w io.Writer, name string) error {
			_, err := fmt.Fprintf(w, "target: %s\n%s is better\n", words(find(name).Targets()), better(find(name)))
			return err
		},
		markdown: func(io.Writer, string) {},
		columns:  []string{"target", "better"},
		cells: func(name string) []string {
			m := find(name)
			return []string{words(m.Targets()), better(m)}
		},
	}
}

func foldFamily() family {
	var names []string
	doc := map[string]string{}
	for _, k := range folds.Kinds() {
		names, doc[k.Name] = append(names, k.Name), k.Doc
	}
	for _, k := range folds.Aliases() {
		names, doc[k.Name] = append(names, k.Name), k.Doc
	}
	return family{
		name:  "fold",
		names: func() []string { return names },
		doc:   func(name string) string { return doc[name] },
		text: func(w io.Writer, name string) error {
			return params(w, "parameters", folds.Spec{Kind: name}.Normalised())
		},
		markdown: func(w io.Writer, name string) { options(w, "", folds.Spec{Kind: name}.Normalised()) },
	}
}
