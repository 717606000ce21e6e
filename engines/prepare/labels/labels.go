// Package labels keeps of targets what new rows are compared with: their types, levels and cuts.
package labels

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"tenfold/engines/data"
	"tenfold/engines/numeric/exact"
)

// Target describes a target without its values.
type Target struct {
	Name     string   `json:"name"`
	Group    string   `json:"group,omitempty"`
	Class    bool     `json:"class"` // else it is real
	Levels   []string `json:"levels,omitempty"`
	Positive int      `json:"positive,omitempty"`
	// Survival is true for times and events; then the target is neither real nor a class.
	Survival bool `json:"survival,omitempty"`
	// Count is true for counts; then the target is neither real nor a class. Exposed says that rows have exposures, which new ones need, too.
	Count   bool `json:"count,omitempty"`
	Exposed bool `json:"exposed,omitempty"`
	// Cut is the cut of responses that are numbers cut into two levels, else nil: level 1 is at or above it.
	Cut *exact.Float `json:"cut,omitempty"`
	// Counted is true if values are computed from counts of the rows themselves, so that new rows have none to compare with.
	Counted bool `json:"counted,omitempty"`
	// Rest is the level that stands for all labels that are no levels; "" if there is none.
	Rest string `json:"rest,omitempty"`
}

// Learn describes the target; cut is where its numbers are cut, nil for nowhere.
func Learn(t *data.Target, cut *exact.Float, exposed bool) Target {
	return Target{Name: t.Name, Group: t.Group, Class: t.Type == data.Class, Levels: t.Levels, Positive: t.Positive, Counted: t.Pairs != nil, Survival: t.Type == data.Survival, Count: t.Type == data.Count, Exposed: exposed && t.Type == data.Count, Cut: cut}
}

// Check returns an error if the description contradicts itself.
func (t *Target) Check() error {
	switch {
	case t.Class && t.Survival, t.Class && t.Count, t.Survival && t.Count:
		return errors.New("it is of two types")
	case !t.Class && (len(t.Levels) > 0 || t.Cut != nil):
		return errors.New("it is real, and has levels")
	case !t.Class:
		return nil
	case len(t.Levels) == 0 || t.Positive < 0 || t.Positive >= len(t.Levels):
		return fmt.Errorf("level %d of %d is the positive one", t.Positive, len(t.Levels))
	case t.Cut != nil && len(t.Levels) != 2:
		return fmt.Errorf("a cut into %d levels", len(t.Levels))
	case t.Rest != "" && !slices.Contains(t.Levels, t.Rest):
		return fmt.Errorf("%q stands for other labels, and is no level", t.Rest)
	}
	return nil
}

// Of returns the target with the values that a data set has for it, and the labels met that are no levels; only says that there is no
// other target.
func (t *Target) Of(d *data.Dataset, only bool) (out data.Target, unknown []string, err error) {
	out = data.Target{Name: t.Name, Group: t.Group, Type: data.Real, Levels: t.Levels, Positive: t.Positive, Rows: []int32{}, Values: []float64{}}
	switch {
	case t.Class:
		out.Type = data.Class
	case t.Survival:
		out.Type, out.Events = data.Survival, []int8{}
	case t.Count:
		out.Type = data.Count
	}
	if t.Exposed && d.Exposure == nil {
		return out, nil, errors.New("the model was fitted to counts with exposures, and the rows have none")
	}
	k := slices.IndexFunc(d.Targets, func(u data.Target) bool { return u.Name == t.Name })
	if k < 0 && only && len(d.Targets) == 1 {
		k = 0
	}
	if k < 0 || t.Counted || d.Targets[k].Pairs != nil {
		return out, nil, nil
	}
	from := &d.Targets[k]
	if (from.Type == data.Survival) != t.Survival || (from.Type == data.Count) != t.Count {
		return out, nil, fmt.Errorf("the rows have a %s target, the model one of %s", from.Type, out.Type)
	}
	value, err := t.valueReader(from, &unknown)
	if err != nil {
		return out, nil, err
	}
	values := from.Values
	if from.Numbers != nil {
		values = from.Numbers
	}
	for q, v := range values {
		if y, ok := value(v); ok {
			out.Rows, out.Values = append(out.Rows, int32(from.RowOf(q))), append(out.Values, y)
			if t.Survival {
				out.Events = append(out.Events, from.Events[q])
			}
		}
	}
	if len(out.Rows) == d.Rows() {
		out.Rows = nil
	}
	return out, unknown, nil
}

// valueReader returns the function that reads values of a target; its ok is false for a missing one.
func (t *Target) valueReader(from *data.Target, unknown *[]string) (func(v float64) (float64, bool), error) {
	numbers := from.Type != data.Class || from.Numbers != nil
	switch {
	case !t.Class && !numbers:
		return nil, fmt.Errorf("found labels such as %q, expected numbers", from.Levels[0])
	case !t.Class:
		return func(v float64) (float64, bool) { return v, v == v }, nil
	case t.Cut != nil && !numbers:
		return nil, fmt.Errorf("found labels such as %q, expected numbers, which the model cuts at %v", from.Levels[0], *t.Cut)
	case t.Cut != nil:
		return func(v float64) (float64, bool) {
			if v >= float64(*t.Cut) {
				return 1, true
			}
			return 0, v == v
		}, nil
	case numbers:
		known := map[float64]int{}
		return func(v float64) (float64, bool) {
			l, ok := known[v]
			if !ok && v == v {
				l = t.levelOf(strconv.FormatFloat(v, 'g', -1, 64), unknown)
				known[v] = l
			}
			return float64(l), v == v && l >= 0
		}, nil
	}
	to := make([]int, len(from.Levels))
	for l, label := range from.Levels {
		to[l] = -1
		if slices.Contains(from.Values, float64(l)) {
			to[l] = t.levelOf(label, unknown)
		}
	}
	return func(v float64) (float64, bool) { l := to[int(v)]; return float64(l), l >= 0 }, nil
}

// levelOf returns the level of a label, -1 for none, which is then unknown. Numbers that are equal are one label.
func (t *Target) levelOf(label string, unknown *[]string) int {
	if l := slices.Index(t.Levels, label); l >= 0 {
		return l
	}
	if x := parseLabel(label); x == x {
		if l := slices.IndexFunc(t.Levels, func(level string) bool { return parseLabel(level) == x }); l >= 0 {
			return l
		}
	}
	if t.Rest != "" {
		return slices.Index(t.Levels, t.Rest)
	}
	*unknown = append(*unknown, label)
	return -1
}

// parseLabel returns the number that a label stands for, NaN for none.
func parseLabel(label string) float64 {
	x, err := strconv.ParseFloat(label, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}
