package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// row is a line of the table: a workload with one peer, or none.
type row [7]string

var header = row{"workload", "tenfold: CPU, wall, peak", "answer", "peer", "CPU, wall, peak", "answer", "CPU, peak: ours / theirs"}

// rows returns the rows of a workload; the first outcome is ours.
func rows(w workload, outcomes []*outcome) []row {
	ours := outcomes[0]
	if len(ours.runs) == 0 {
		return []row{{w.name, ours.said}}
	}
	if len(outcomes) == 1 {
		q := ours.qualities
		wall := spreadOf(ours.runs, usage.wall)
		return []row{{w.name, times(ours), fmt.Sprintf("%s %.5g; %.2f s of fits, %.2f s beside them by the clock", w.metric, q[w.metric],
			q["seconds_of_fits"], wall.median-q["seconds_of_fits"])}}
	}
	var all []row
	for _, theirs := range outcomes[1:] {
		r := row{w.name, times(ours), answer(w, ours, theirs), theirs.label, theirs.said, "", ""}
		if len(theirs.runs) > 0 {
			r[4], r[5], r[6] = times(theirs), answer(w, theirs, ours), ratios(ours, theirs)
			if theirs.said != "" {
				r[5] += "; " + theirs.said
			}
		}
		all = append(all, r)
	}
	return all
}

func (u usage) wall() float64   { return u.Wall }
func (u usage) cpu() float64    { return u.CPU }
func (u usage) memory() float64 { return float64(u.Memory) / 1e6 }

func times(o *outcome) string {
	s := fmt.Sprintf("%s s, %.2f s", spreadOf(o.runs, usage.cpu), spreadOf(o.runs, usage.wall).median)
	if m := spreadOf(o.runs, usage.memory).median; m > 0 {
		s += fmt.Sprintf(", %.0f MB", m)
	}
	return s
}

// ratios returns ours / theirs in CPU time, and the median in memory where it is known. Each pair is of one round, so that both ran
// at about the same time.
func ratios(ours, theirs *outcome) string {
	var cpu, memory []float64
	for k := range min(len(ours.runs), len(theirs.runs)) {
		cpu = append(cpu, ours.runs[k].CPU/theirs.runs[k].CPU)
		memory = append(memory, ours.runs[k].memory()/theirs.runs[k].memory())
	}
	s := newSpread(cpu).String()
	if m := newSpread(memory).median; m > 0 && !math.IsInf(m, 0) {
		s += ", " + digits(m)
	}
	return s
}

// short is by how much an objective may be above the other's, as a share of it, before the program is said to have stopped early.
const short = 1e-4

// answer returns the metric, and what it lacks beside the other's.
func answer(w workload, o, other *outcome) string {
	value := o.qualities[w.metric]
	s := fmt.Sprintf("%s %.7g", w.metric, value)
	least, known := other.qualities[w.metric]
	if w.metric == "objective" && known && value > least*(1+short) {
		s += fmt.Sprintf(", %.2g %% above the other: stops early", 100*(value/least-1))
	}
	if penalties, some := o.qualities["penalties"]; some && penalties < float64(w.penalties) {
		s += fmt.Sprintf(", %.0f penalties of %d", penalties, w.penalties)
	}
	return s
}

// spread is the median of some numbers, the least and the largest.
type spread struct{ median, least, most float64 }

func newSpread(values []float64) spread {
	v := slices.Sorted(slices.Values(values))
	if len(v) == 0 {
		return spread{}
	}
	n := len(v)
	return spread{(v[(n-1)/2] + v[n/2]) / 2, v[0], v[n-1]}
}

func spreadOf(runs []usage, cost func(usage) float64) spread {
	var values []float64
	for _, u := range runs {
		values = append(values, cost(u))
	}
	return newSpread(values)
}

func (s spread) String() string {
	if s.least == s.most {
		return digits(s.median)
	}
	return fmt.Sprintf("%s (%s … %s)", digits(s.median), digits(s.least), digits(s.most))
}

// digits returns a number to two places, or where these say little to two digits.
func digits(v float64) string {
	if v < 0.1 {
		return fmt.Sprintf("%.2g", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// writeTable writes rows for a page, or aligned for a terminal.
func writeTable(w io.Writer, markdown bool, all []row) {
	if markdown {
		fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(header[:], " | "), strings.Repeat(" --- |", len(header)))
		for _, r := range all {
			fmt.Fprintf(w, "| %s |\n", strings.Join(r[:], " | "))
		}
		return
	}
	var width [len(header)]int
	all = append([]row{header}, all...)
	for _, r := range all {
		for k, cell := range r {
			width[k] = max(width[k], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range all {
		line := ""
		for k, cell := range r {
			line += cell + strings.Repeat(" ", width[k]-utf8.RuneCountInString(cell)+2)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}
