package source

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
)

// survivalType is the word for a target of times and events.
const survivalType = "survival"

// Survival holds the options that name the two columns of a survival target, or those of several end points.
type Survival struct {
	Time       Endpoints `yaml:"time" doc:"of a survival target: the column of times, numbers above 0, until the event or until nothing more was observed (censoring); a list where there are several end points, each with its event"`
	Event      Endpoints `yaml:"event" doc:"of a survival target: the column that says how the time ended: 1 (or true) in the event, 0 (or false) censored; a list as that of time"`
	EventValue string    `yaml:"event_value" doc:"what the column of events says of an event, where that is not 1, such as dead, or 2; it must have just one other value, of censored rows"`
}

// Endpoints lists columns, one per end point; a single one may be written without the list.
type Endpoints []string

// OneOrMore lets a single column be written in place of the list.
func (Endpoints) OneOrMore() {}

// named returns the name of end point k: that of its column of times or, if several share it, that of its events.
func (s Survival) named(k int) string {
	for q, time := range s.Time {
		if q != k && time == s.Time[k] {
			return s.Event[k]
		}
	}
	return s.Time[k]
}

// IsSurvival reports whether times and events are asked for: by the type, or by columns of them without a type.
func (r Response) IsSurvival() bool {
	return r.Type == survivalType || r.Type == "" && (len(r.Time) > 0 || len(r.Event) > 0)
}

// validateSurvival checks that the columns are named for a survival target, and only for one.
func (r Response) validateSurvival() error {
	if !r.IsSurvival() {
		for _, one := range []struct{ key, value string }{{"time", strings.Join(r.Time, ", ")}, {"event", strings.Join(r.Event, ", ")}, {"event_value", r.EventValue}} {
			if one.value != "" {
				return param.Errorf("target."+one.key, "%q is of a survival target: say type: survival, or leave it out", one.value)
			}
		}
		return nil
	}
	switch {
	case len(r.Time) == 0 || slices.Contains(r.Time, ""):
		return param.Errorf("target.time", "missing; a survival target needs the columns time and event")
	case len(r.Event) == 0 || slices.Contains(r.Event, ""):
		return param.Errorf("target.event", "missing; a survival target needs the columns time and event")
	case len(r.Time) != len(r.Event):
		return param.Errorf("target.event", "%d columns of events for %d of times: each end point has one of both, in the same order", len(r.Event), len(r.Time))
	case len(r.Target.Responses()) > 0 || r.Positive != "":
		return param.Errorf("target.type", "a survival target has the columns time and event: leave name, column, columns and positive out")
	case r.Binarize != "":
		return param.Errorf("target.binarize", "times, some of them censored, cannot be cut by their mean")
	case r.Missing == "mean":
		return param.Errorf("target.missing", "a time that is not known has no mean: use drop-rows")
	}
	seen := map[string]bool{}
	for k := range r.Time {
		name := r.named(k)
		switch {
		case slices.Contains(r.Time, r.Event[k]):
			return param.Errorf("target.event", "%q is the column of times already", r.Event[k])
		case seen[name]:
			return param.Errorf("target.event", "the end point %q is there twice", name)
		}
		seen[name] = true
	}
	return nil
}

// Responses returns the columns of the responses that are asked for, or patterns; none if the options name none.
func (r Response) Responses() []string {
	if r.IsSurvival() {
		return slices.Concat(r.Time, r.Event)
	}
	return r.Target.Responses()
}

// Names returns the names of the targets, or patterns of them: those of the responses, or of the end points.
func (r Response) Names() (names []string) {
	if !r.IsSurvival() {
		return r.Target.Responses()
	}
	for k := range r.Time {
		names = append(names, r.named(k))
	}
	return names
}

// TargetType returns the type of target that the options ask for: Any if only the data or the format can tell.
func (r Response) TargetType() data.Type {
	if r.IsSurvival() {
		return data.Survival
	}
	return r.Target.TargetType()
}

// Endings collects the values of a column of events.
type Endings struct {
	Event string // value that means an event; "" for 1 or true
	Of    []int8 // 1 for an event, 0 for a censored time, -1 where missing

	censored string // the first value other than Event, if that is given
}

// AddMissing appends a row without a value.
func (e *Endings) AddMissing() { e.Of = append(e.Of, -1) }

// Add appends the value of the next row.
func (e *Endings) Add(text string) error {
	ending := int8(0)
	switch {
	case e.Event != "" && text == e.Event:
		ending = 1
	case e.Event != "" && (e.censored == "" || text == e.censored):
		e.censored = strings.Clone(text)
	case e.Event != "":
		return fmt.Errorf("found %q, expected %q for an event or %q, as in rows before, for a censored time: there are two values", text, e.Event, e.censored)
	default:
		switch strings.ToLower(text) {
		case "1", "1.0", "true":
			ending = 1
		case "0", "0.0", "false":
		default:
			return fmt.Errorf("found %q, expected 1 for an event or 0 for a censored time; say event_value: where events are called otherwise", text)
		}
	}
	e.Of = append(e.Of, ending)
	return nil
}

// CheckTime returns an error if a number is not a valid time until an event. NaN, for missing, is valid.
func CheckTime(x float64) error {
	if x <= 0 || math.IsInf(x, 0) {
		return fmt.Errorf("found %q, expected a time: a number above 0 (half a unit stands for the first day)", fmt.Sprint(x))
	}
	return nil
}

// Target returns the target of times with their endings; its time is NaN where either is missing.
func (e *Endings) Target(name string, times []float64) data.Target {
	t := data.Target{Name: name, Type: data.Survival, Values: slices.Clone(times), Events: make([]int8, len(e.Of))}
	for i, ending := range e.Of {
		if ending < 0 {
			t.Values[i] = math.NaN()
		}
		if t.Values[i] == t.Values[i] {
			t.Events[i] = ending
		}
	}
	return t
}

// checkEvents returns an error if nothing can be learned about times from the target: no event, or all times equal.
func (e *Endings) checkEvents(t *data.Target) error {
	if !slices.Contains(t.Events, 1) {
		event := `1 or "true"`
		if e.Event != "" {
			event = fmt.Sprintf("event_value: %s", e.Event)
		}
		return fmt.Errorf("target %s: no row is an event (%s), so that nothing can be learned about times", t.Name, event)
	}
	known := slices.DeleteFunc(slices.Clone(t.Values), math.IsNaN)
	if len(known) > 1 && slices.Min(known) == slices.Max(known) {
		return fmt.Errorf("target %s: all rows have the time %v, so that nothing can be learned about times", t.Name, known[0])
	}
	return nil
}

// CheckEvents returns an error if nothing can be learned from a survival target of the data. event is the value that means an
// event; "" for 1 or true.
func CheckEvents(d *data.Dataset, event string) error {
	for k := range d.Targets {
		if t := &d.Targets[k]; t.Type == data.Survival {
			if err := (&Endings{Event: event}).checkEvents(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// separateEndpoints restricts each of several end points to the rows where it is known. The rows of tasks may differ.
func separateEndpoints(d *data.Dataset) {
	for k := range d.Targets {
		t := &d.Targets[k]
		rows, values, events := []int32{}, []float64{}, []int8{}
		for i, x := range t.Values {
			if x == x {
				rows, values, events = append(rows, int32(i)), append(values, x), append(events, t.Events[i])
			}
		}
		if out := len(t.Values) - len(rows); out > 0 {
			t.Rows, t.Values, t.Events = rows, values, events
			d.Facts = append(d.Facts, data.Fact{Name: "rows left out of " + t.Name + ", with missing values", Value: fmt.Sprint(out)})
		}
	}
}
