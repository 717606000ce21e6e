package source

import (
	"tenfold/engines/data"
	"tenfold/engines/param"
)

// survivalType is the word for a target of times and events.
const survivalType = "survival"

// Survival names the two columns of a survival target.
type Survival struct {
	Time       string `yaml:"time" doc:"of a survival target: the column of times, numbers above 0, until the event or until nothing more was observed (censoring)"`
	Event      string `yaml:"event" doc:"of a survival target: the column that says how the time ended: 1 (or true) in the event, 0 (or false) censored"`
	EventValue string `yaml:"event_value" doc:"what the column of events says of an event, where that is not 1, such as dead, or 2; it must have just one other value, of censored rows"`
}

// IsSurvival tells whether times and events are asked for.
func (r Response) IsSurvival() bool { return r.Type == survivalType }

// validateSurvival checks that the columns are named where, and only where, they have a meaning.
func (r Response) validateSurvival() error {
	if !r.IsSurvival() {
		for _, one := range []struct{ key, value string }{{"time", r.Time}, {"event", r.Event}, {"event_value", r.EventValue}} {
			if one.value != "" {
				return param.Errorf("target."+one.key, "%q is of a survival target: say type: survival, or leave it out", one.value)
			}
		}
		return nil
	}
	switch {
	case r.Time == "":
		return param.Errorf("target.time", "missing; a survival target needs the columns time and event")
	case r.Event == "":
		return param.Errorf("target.event", "missing; a survival target needs the columns time and event")
	case r.Time == r.Event:
		return param.Errorf("target.event", "%q is the column of times already", r.Event)
	case len(r.Target.Responses()) > 0 || r.Positive != "":
		return param.Errorf("target.type", "a survival target has the columns time and event: leave name, column, columns and positive out")
	case r.Binarize != "":
		return param.Errorf("target.binarize", "times, some of them censored, cannot be cut by their mean")
	case r.Missing == "mean":
		return param.Errorf("target.missing", "a time that is not known has no mean: use drop-rows")
	}
	return nil
}

// Responses are the columns of the responses that are asked for, or patterns; none where the options name none.
func (r Response) Responses() []string {
	if r.IsSurvival() {
		return []string{r.Time, r.Event}
	}
	return r.Target.Responses()
}

// Names are the names of the targets, or patterns of them: those of the responses; of survival that of the times.
func (r Response) Names() []string {
	if r.IsSurvival() {
		return []string{r.Time}
	}
	return r.Target.Responses()
}

// Asks is the type of target that the options ask for: Any when only the data or the format can tell.
func (r Response) Asks() data.Type {
	if r.IsSurvival() {
		return data.Survival
	}
	return r.Target.Asks()
}
