// Package progress tells a person how a run goes: one live line on a terminal, a plain line now and then elsewhere.
package progress

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tenfold/io/results"
	"tenfold/runner"
)

// Meter watches a run. It implements runner.Observer.
type Meter struct {
	display
	total   int
	done    int
	failed  int
	told    map[string]int // failures, by algorithm and the data set of the file
	running []*runner.Unit
	begun   time.Time
}

// New meter for a number of units, writing to out. Call Close at the end.
func New(out io.Writer, total int) *Meter {
	m := &Meter{total: total, told: map[string]int{}, begun: time.Now()}
	m.open(out, m.line)
	return m
}

// Begin of a unit.
func (m *Meter) Begin(u *runner.Unit) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running = append(m.running, u)
}

// End of a unit; a failure is told at once, and one that was abandoned (without an outcome) is not counted.
func (m *Meter) End(u *runner.Unit, o *results.Outcome) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running = slices.DeleteFunc(m.running, func(r *runner.Unit) bool { return r == u })
	if o == nil {
		return
	}
	m.done++
	if o.Status != results.OK {
		m.failed++
		m.tell(u, o)
	}
}

// mostTold is how many failures of an algorithm on a data set, all tasks of a family together, are told one by one.
const mostTold = 10

func (m *Meter) tell(u *runner.Unit, o *results.Outcome) {
	of := cmp.Or(u.Label.Family, u.Label.Dataset) + " × " + u.Label.Algorithm
	m.told[of]++
	if m.told[of] > mostTold+1 {
		return
	}
	m.clear()
	if m.told[of] > mostTold {
		fmt.Fprintf(m.out, "further failures of %s are only counted\n", of)
		return
	}
	first, _, _ := strings.Cut(o.Error, "\n")
	fmt.Fprintf(m.out, "%s: %s: %s\n", o.Status, u.Label.Name(), first)
}

// Close ends the display with one last line.
func (m *Meter) Close() {
	m.end()
	if m.total > 0 {
		fmt.Fprintln(m.out, m.line())
	}
}

func (m *Meter) line() string {
	spent := time.Since(m.begun)
	var b strings.Builder
	if m.width > 0 && m.done < m.total {
		b.WriteString(bar(float64(m.done) / float64(max(1, m.total))))
	}
	fmt.Fprintf(&b, "%d/%d fits", m.done, m.total)
	if m.failed > 0 {
		fmt.Fprintf(&b, ", %d failed", m.failed)
	}
	fmt.Fprintf(&b, ", %s", spent.Round(100*time.Millisecond))
	if m.done > 0 && m.done < m.total {
		rate := float64(m.done) / spent.Seconds()
		left := time.Duration(float64(m.total-m.done) / rate * float64(time.Second))
		fmt.Fprintf(&b, ", %.3g/s, about %s left", rate, left.Round(time.Second))
	}
	if len(m.running) > 0 && m.done < m.total {
		b.WriteString("; running ")
		for i, u := range m.running[:min(2, len(m.running))] {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(u.Label.Name())
		}
		if more := len(m.running) - 2; more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
	}
	return b.String()
}
