package wizard

import (
	"cmp"
	"context"
	"fmt"

	"tenfold/runner/draft/inspect"
)

// askTargetType decides whether the target is a class, a number, or times until an event.
func (w *wizard) askTargetType(ctx context.Context) error {
	c := w.Column(w.Target)
	if c == nil {
		c = w.Draft.Found.Labels
	}
	if endpoint := w.EndpointOf(w.Target); w.Target != "" && endpoint != nil || w.kind == "survival" {
		if !w.isGiven("type") {
			w.kind = w.ask(ctx, fmt.Sprintf("Are %s times until an event, which %s tells (survival), a class or a number (real)?", endpoint.Time, endpoint.Event), "survival", []string{"survival", "class", "real"})
		}
		switch {
		case w.kind == "survival" && endpoint == nil:
			return fmt.Errorf("--type survival: no column of two values goes with %s by its name, such as time with status, or os_months with os_status; write target: {type: survival, time: …, event: …} yourself", cmp.Or(w.Target, "the target"))
		case w.kind == "survival":
			w.Survival = endpoint
			w.Target = endpoint.Time
			return nil
		}
	}
	suggested := "class"
	switch {
	case w.Format == inspect.NPZ && c == nil:
		suggested = "real"
	case c != nil && !c.IsClass():
		suggested = "real"
	}
	switch {
	case w.kind != "":
	case w.Format == inspect.ARFF && w.Several():
		w.kind = "class"
	case w.Format == inspect.CoNLLU || w.Format == inspect.Documents || w.Format == inspect.GCT || c != nil && !c.IsNumber():
		w.kind = suggested
	default:
		w.kind = w.ask(ctx, fmt.Sprintf("Is %s a class or a number (real)?", cmp.Or(w.Target, "the target")), suggested, []string{"class", "real"})
	}
	if w.kind != "class" && w.kind != "real" {
		return fmt.Errorf("--type %s: expected class, real or survival", w.kind)
	}
	if w.Class = w.kind == "class"; !w.Class && w.Format == inspect.ARFF && w.Several() {
		return fmt.Errorf("--type real: %s lists labels, which are classes; --labels none leaves it alone", w.Labels)
	}
	if !w.Class && c != nil && !c.IsNumber() {
		return fmt.Errorf("--type real: not all values of %s are numbers", cmp.Or(w.Target, "the target"))
	}
	return nil
}
