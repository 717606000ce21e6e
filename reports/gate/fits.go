package gate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports/cells"
)

// Fits says where the fits come from that an outcome rests on. What stored ones say of themselves is not proved.
type Fits struct {
	Now      int       `json:"now"`                // run by this command
	Stored   int       `json:"stored"`             // taken from the run's folder
	Versions []string  `json:"versions,omitempty"` // of the stored ones, in order of appearance
	Machines []string  `json:"machines,omitempty"`
	Commits  []string  `json:"commits,omitempty"` // with "+" if there were uncommitted changes, or it is not shown that there were none
	First    time.Time `json:"first,omitzero"`    // when the stored ones began
	Last     time.Time `json:"last,omitzero"`
}

// fitsOf counts the fits of cells, and those of the stages that they build on.
func (in Input) fitsOf(cs []*cells.Cell) Fits {
	var f Fits
	seen := map[string]bool{} // two algorithms may share a fit
	count := func(rows []*results.Row) {
		for _, r := range rows {
			switch {
			case seen[r.Unit]:
			case in.RanNow != nil && in.RanNow(r.Unit):
				f.Now++
			default:
				f.addStored(r)
			}
			seen[r.Unit] = true
		}
	}
	for _, c := range cs {
		if c.Averaged {
			for _, task := range c.Tasks {
				count(task.Rows)
			}
			continue
		}
		count(c.Rows)
	}
	count(in.Stages)
	return f
}

func (f *Fits) addStored(r *results.Row) {
	f.Stored++
	commit := r.Commit[:min(12, len(r.Commit))]
	if r.Dirty {
		commit += "+"
	}
	for _, to := range []struct {
		list *[]string
		text string
	}{{&f.Versions, r.Version}, {&f.Machines, r.Machine}, {&f.Commits, commit}} {
		if text := sanitize.Line(to.text); text != "" && !slices.Contains(*to.list, text) {
			*to.list = append(*to.list, text)
		}
	}
	if f.First.IsZero() || r.Started.Before(f.First) {
		f.First = r.Started
	}
	if r.Started.After(f.Last) {
		f.Last = r.Started
	}
}

// maxOrigins is how many versions, machines or commits are listed.
const maxOrigins = 3

// String says in one line how many fits were run now, and by what the others; "" without any.
func (f Fits) String() string {
	if f.Now+f.Stored == 0 {
		return ""
	}
	text := fmt.Sprintf("fits: %d run now", f.Now)
	if f.Stored == 0 {
		return text
	}
	text += fmt.Sprintf(", %d stored", f.Stored)
	for _, part := range []struct {
		word string
		list []string
	}{{"by tenfold", f.Versions}, {"on", f.Machines}, {"at commit", f.Commits}} {
		if list := part.list; len(list) > 0 {
			text += fmt.Sprintf(" %s %s", part.word, strings.Join(list[:min(maxOrigins, len(list))], ", "))
			if more := len(list) - maxOrigins; more > 0 {
				text += fmt.Sprintf(" and %d more", more)
			}
		}
	}
	if f.First.IsZero() {
		return text
	}
	const layout = "2006-01-02 15:04"
	first, last := f.First.UTC().Format(layout), f.Last.UTC().Format(layout)
	if first != last {
		first += " to " + last
	}
	return text + ", " + first + " UTC"
}
