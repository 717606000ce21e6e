package describe

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"tenfold/engines"
	"tenfold/engines/ability"
	"tenfold/engines/data"
)

// Abilities is the word for the table of what each engine takes, gives and costs.
const Abilities = "abilities"

// property is a column of that table.
type property struct {
	name  string
	value func(k engines.Kind) string
}

const (
	able   = "yes"
	unable = "–"
)

// abilities returns the columns of the table: what engines take with their defaults, which other parameters may change.
func (p Parts) abilities() []property {
	needs := func(name string, has func(n engines.Needs) bool) property {
		return property{name, func(k engines.Kind) string { return yes(has(k.Defaults().Needs())) }}
	}
	target := func(name string, t data.Type) property {
		return property{name, func(k engines.Kind) string {
			n := k.Defaults().Needs()
			if n.Takes(t) && t == data.Class && n.Levels > 0 {
				return fmt.Sprint(n.Levels)
			}
			return yes(n.Takes(t))
		}}
	}
	all := []property{
		target("numbers", data.Real), target("classes", data.Class), target("times", data.Survival), target("counts", data.Count),
		needs("several", func(n engines.Needs) bool { return n.Tasks }),
		{"weights", func(k engines.Kind) string {
			n := k.Defaults().Needs()
			if n.WholeWeights && !n.Unweighted {
				return "whole"
			}
			return yes(!n.Unweighted)
		}},
	}
	for _, w := range p.Wrappers.Around {
		if w.Off != "" && w.On == "" { // a value beside params: class weights
			all = append(all, property{strings.ReplaceAll(w.Key(), "_", " "), func(k engines.Kind) string { return yes(w.Takes(k.Defaults())) }})
		}
	}
	return append(all,
		property{"missing", func(k engines.Kind) string {
			n := k.Defaults().Needs()
			if n.ChoosesMissing && !n.Missing {
				return "selects"
			}
			return yes(n.Missing)
		}},
		needs("keep", func(n engines.Needs) bool { return n.Keeps }),
		needs("penalty", func(n engines.Needs) bool { return n.Factors }),
		needs("units", func(n engines.Needs) bool { return n.Together }),
		property{"probabilities", func(k engines.Kind) string {
			return yes(p.Gives[k.Name].Probabilities && k.Defaults().Needs().Takes(data.Class))
		}},
		property{"tells", func(k engines.Kind) string { return string(p.Gives[k.Name].Columns) }},
		property{"draws", func(k engines.Kind) string { return yes(p.Gives[k.Name].Draws) }},
		property{"cost", func(k engines.Kind) string { return p.Gives[k.Name].Cost }},
	)
}

func yes(is bool) string {
	if is {
		return able
	}
	return unable
}

// tableOfAbilities returns the table, a line for each engine, after that of the names of the columns.
func (p Parts) tableOfAbilities() (lines [][]string) {
	columns := p.abilities()
	head := []string{"engine"}
	for _, a := range columns {
		head = append(head, a.name)
	}
	lines = append(lines, head)
	for _, name := range p.Engines.Names() {
		line := []string{name}
		for _, a := range columns {
			line = append(line, a.value(p.Engines[name]))
		}
		lines = append(lines, line)
	}
	return lines
}

func (p Parts) abilitiesText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, line := range p.tableOfAbilities() {
		fmt.Fprintln(t, strings.Join(line, "\t"))
	}
	return t.Flush()
}

func (p Parts) abilitiesMarkdown(w io.Writer) {
	for i, line := range p.tableOfAbilities() {
		if i > 0 {
			line[0] = "`" + line[0] + "`"
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(line, " | "))
		if i == 0 {
			fmt.Fprintf(w, "|%s\n", strings.Repeat(" --- |", len(line)))
		}
	}
}

// takes returns what an engine takes beside targets and columns, what its models give, and what a fit costs, one a line.
func (p Parts) takes(k engines.Kind) (lines []string) {
	n, gives := k.Defaults().Needs(), p.Gives[k.Name]
	taken, refused := []string{}, []string{}
	for _, a := range p.abilities() {
		name, asked := map[string]string{
			"weights": "weights of rows", "class weight": "class_weight", "missing": "missing values", "keep": "keep", "penalty": "penalty", "units": "unit: together",
		}[a.name]
		if !asked || a.name == "class weight" && !n.Takes(data.Class) {
			continue
		}
		switch can := a.value(k); can {
		case unable:
			refused = append(refused, name)
		case able:
			taken = append(taken, name)
		default:
			taken = append(taken, name+" ("+can+")")
		}
	}
	if len(taken) > 0 {
		lines = append(lines, "takes: "+strings.Join(taken, ", "))
	}
	if len(refused) > 0 {
		lines = append(lines, "refuses: "+strings.Join(refused, ", "))
	}
	if gives.Cost == "" { // a method
		return lines
	}
	given := []string{}
	if n.Takes(data.Class) {
		given = append(given, map[bool]string{true: "probabilities", false: "decision values"}[gives.Probabilities])
	}
	if gives.Columns != ability.Nothing {
		given = append(given, string(gives.Columns)+" of columns")
	}
	if len(given) > 0 {
		lines = append(lines, "gives: "+strings.Join(given, ", "))
	}
	cost := "cost: " + gives.Cost
	if gives.Draws {
		cost += "; draws random numbers"
	}
	return append(lines, cost)
}
