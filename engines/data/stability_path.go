package data

import (
	"fmt"
	"strconv"
	"strings"
)

// StabilityPath holds how many halves of the rows selected each column, or unit, for q = 1, 2, … columns selected on each half.
type StabilityPath struct {
	Halves int
	Least  int             // halves that a stable one has, at the largest q
	Lines  []StabilityLine // the most frequent first
}

// StabilityLine is the path of one column or unit.
type StabilityLine struct {
	Name   string
	Counts []int // by q
}

// stabilityFact ends the name of the fact of a stability path.
const stabilityFact = "halves that selected, by q"

// Fact encodes the path: a line for each column, with its name, a tab, and q:count for each change of the count.
func (p StabilityPath) Fact() Fact {
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
	return Fact{Name: stabilityFact, Value: b.String()}
}

// HoldsStabilityPath reports whether a fact is a stability path, which figures draw. The name of a selection's has a word before it.
func HoldsStabilityPath(f Fact) bool { return strings.HasSuffix(f.Name, stabilityFact) }

// ReadStabilityPath finds the path among facts; ok is false if there is none.
func ReadStabilityPath(facts []Fact) (p StabilityPath, ok bool) {
	for _, f := range facts {
		if !HoldsStabilityPath(f) {
			continue
		}
		head, rest, _ := strings.Cut(f.Value, "\n")
		if _, err := fmt.Sscanf(head, "of %d, stable from %d on", &p.Halves, &p.Least); err != nil {
			return p, false
		}
		for line := range strings.Lines(rest) {
			p.Lines = append(p.Lines, readStabilityLine(strings.TrimSuffix(line, "\n")))
		}
		return p, true
	}
	return p, false
}

// readStabilityLine reads the line of a column.
func readStabilityLine(text string) (l StabilityLine) {
	tab := strings.LastIndexByte(text, '\t')
	if tab < 0 {
		return StabilityLine{Name: text}
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
