// Package stabilitypath writes what stability selection saw as a fact of its model, and reads it again for figures: how often each
// column was selected, for each number of columns that a half of the rows may select. It knows nothing of how they were selected.
package stabilitypath

import (
	"fmt"
	"strconv"
	"strings"

	"tenfold/engines/data"
)

// Path holds how many halves of the rows selected each column, or unit, for q = 1, 2, … columns selected on each half.
type Path struct {
	Halves int
	Least  int    // halves that a stable one has, at the largest q
	Lines  []Line // the most frequent first
}

// Line is the path of one column or unit.
type Line struct {
	Name   string
	Counts []int // by q
}

// factName ends the name of the fact of a stability path.
const factName = "halves that selected, by q"

// Fact encodes the path: a line for each column, with its name, a tab, and q:count for each change of the count.
func (p Path) Fact() data.Fact {
	var b strings.Builder
	fmt.Fprintf(&b, "of %d, stable from %d on", p.Halves, p.Least)
	for _, l := range p.Lines {
		fmt.Fprintf(&b, "\n%s\t", strings.ReplaceAll(l.Name, "\n", " "))
		last := 0
		for k, n := range l.Counts {
			if n != last || k == len(l.Counts)-1 {
				fmt.Fprintf(&b, " %d:%d", k+1, n)
				last = n
			}
		}
	}
	return data.Fact{Name: factName, Value: b.String()}
}

// Is reports whether a fact is a stability path, which figures draw. The name of a selection's has a word before it.
func Is(f data.Fact) bool { return strings.HasSuffix(f.Name, factName) }

// Read finds the path among facts; ok is false if there is none.
func Read(facts []data.Fact) (p Path, ok bool) {
	for _, f := range facts {
		if !Is(f) {
			continue
		}
		head, rest, _ := strings.Cut(f.Value, "\n")
		if _, err := fmt.Sscanf(head, "of %d, stable from %d on", &p.Halves, &p.Least); err != nil {
			return p, false
		}
		for line := range strings.Lines(rest) {
			p.Lines = append(p.Lines, readLine(strings.TrimSuffix(line, "\n")))
		}
		return p, true
	}
	return p, false
}

// readLine reads the line of a column.
func readLine(text string) (l Line) {
	tab := strings.LastIndexByte(text, '\t')
	if tab < 0 {
		return Line{Name: text}
	}
	l.Name = text[:tab]
	last := 0
	for _, step := range strings.Fields(text[tab:]) {
		before, after, _ := strings.Cut(step, ":")
		q, _ := strconv.Atoi(before)
		count, _ := strconv.Atoi(after)
		for len(l.Counts) < q-1 {
			l.Counts = append(l.Counts, last)
		}
		l.Counts, last = append(l.Counts, count), count
	}
	return l
}
