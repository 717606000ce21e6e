package inspect

import (
	"regexp"
	"slices"
	"strings"
)

// Endpoint is a column of times until an event, with the column of how they ended.
type Endpoint struct {
	Time, Event string
	Value       string // value that means an event; "" for 1
}

var (
	wordsOfNames = regexp.MustCompile(`[A-Za-z]+|[0-9]+`)
	timeWords    = []string{"time", "t", "days", "day", "months", "month", "years", "year", "weeks", "surv", "survival", "futime", "duration", "followup"}
	eventWords   = []string{"event", "e", "status", "fustat", "dead", "death", "died", "deceased"}
	eventText    = regexp.MustCompile(`(?i)(dead|deceased|died|death|event|relapse|recur|progress)`)
)

// Endpoints returns the pairs of columns that are times and events by their names and values, such as time and status, t.os and
// e.os, or os_months and os_status.
func (f *Found) Endpoints() []Endpoint {
	if f.endpoints == nil {
		f.endpoints = f.findEndpoints()
	}
	return f.endpoints
}

// findEndpoints takes time in proportion to the number of columns. The list is not nil.
func (f *Found) findEndpoints() []Endpoint {
	all := []Endpoint{}
	if f.Format == ARFF {
		return all
	}
	events := map[string][]int{} // columns of two values, by what their names are about
	for k := range f.Columns {
		about, isEvent := nameWithout(f.Columns[k].Name, eventWords)
		if _, two := f.Columns[k].eventValue(); two && (isEvent || about != "") {
			events[about] = append(events[about], k)
		}
	}
	for i := range f.Columns {
		t := &f.Columns[i]
		about, isTime := nameWithout(t.Name, timeWords)
		if !isTime || !t.IsNumber() || !(t.least > 0) || len(t.Levels) <= 2 {
			continue
		}
		for _, k := range events[about] {
			value, _ := f.Columns[k].eventValue()
			if k != i && !f.Columns[k].endsAll(t, value) {
				all = append(all, Endpoint{t.Name, f.Columns[k].Name, value})
				break
			}
		}
	}
	return all
}

// endsAll reports whether times are known of events alone, as those from a diagnosis to a death: they are no times of the others.
func (c *Column) endsAll(times *Column, value string) bool {
	events := c.levels[value]
	if value == "" {
		events = c.levels["1"] + c.levels["true"] + c.levels["True"] + c.levels["TRUE"]
	}
	return times.Missing > 0 && times.Known() <= events
}

// nameWithout returns a name in lower case without some words, and reports whether it has any of them.
func nameWithout(name string, words []string) (rest string, has bool) {
	var left []string
	for _, w := range wordsOfNames.FindAllString(name, -1) {
		if w = strings.ToLower(w); slices.Contains(words, w) {
			has = true
		} else {
			left = append(left, w)
		}
	}
	rest = strings.Join(left, " ")
	switch rest {
	case "vital", "to death", "overall", "overall survival", "death": // days_to_death and vital_status, as os_time and os_event
		rest = "os"
	}
	return rest, has
}

// eventValue returns the value that means an event in a column of two values, "" for 1 in a column of 0 and 1; ok is false for
// other columns.
func (c *Column) eventValue() (value string, ok bool) {
	if len(c.Levels) != 2 {
		return "", false
	}
	a, b := min(c.Levels[0], c.Levels[1]), max(c.Levels[0], c.Levels[1])
	switch {
	case a == "0" && b == "1", strings.EqualFold(a, "false") && strings.EqualFold(b, "true"):
		return "", true
	case a == "1" && b == "2": // as in R's survival: 2 is dead
		return b, true
	case eventText.MatchString(a) != eventText.MatchString(b):
		if eventText.MatchString(a) {
			return a, true
		}
		return b, true
	}
	return "", false
}

// EndpointOf returns the end point that has the column, of times or of events; nil if none has.
func (f *Found) EndpointOf(column string) *Endpoint {
	for _, e := range f.Endpoints() {
		if e.Time == column || e.Event == column {
			return &e
		}
	}
	return nil
}
