package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/suggest"
	"tenfold/io/source"
	"tenfold/runner/draft"
)

// flagOrAsk returns the value of a flag if it was given, and else asks.
func (w *wizard) flagOrAsk(flag, value string, ask func() string) string {
	if w.isGiven(flag) {
		return value
	}
	return ask()
}

// noColumn is the answer that there is no such column.
const noColumn = "none"

// askRoles sets the roles of the columns and the type of the target.
func (w *wizard) askRoles(ctx context.Context) error {
	names := w.Draft.Found.Names()
	if err := w.askArrays(ctx); err != nil {
		return err
	}
	apart := w.Format == draft.NPZ && w.Answer == "" || w.Format == draft.MTX || w.Format == draft.NIPS // targets are in a file of values
	if (apart || w.Format == draft.GCT) && w.Labels == "" {
		if w.Labels = w.ask(ctx, "Which file has the targets?", w.besideData(w.Beside), nil); w.Labels == "" {
			return fmt.Errorf("format %s has the targets in another file: name it with --labels", w.Format)
		}
	}
	if apart {
		if err := w.LookAtTargets(w.findData(w.Labels, w.folders)); err != nil {
			return err
		}
		w.askAcross()
	}
	if err := w.askListed(ctx); err != nil {
		return err
	}
	if len(names) > 0 && !w.Several() {
		for _, flag := range append([]string{w.Target, w.ID, w.Group, w.Time}, w.Keep...) {
			if flag != "" && !slices.Contains(names, flag) {
				return fmt.Errorf("no column %q%s (columns: %s)", flag, suggest.DidYouMean(flag, names), source.Abridge(names))
			}
		}
		suggested, byName := w.Suggested()
		w.Target = w.flagOrAsk("target", w.Target, func() string {
			return w.ask(ctx, "Which column is to be predicted?", suggested, names)
		})
		if w.Target == "" {
			return fmt.Errorf("no column looks as if it could be predicted: name one with --target (columns: %s)", source.Abridge(names))
		}
		if why := w.Column(w.Target).Predictable(); why != "" {
			return fmt.Errorf("column %q cannot be predicted: %s", w.Target, why)
		}
		switch {
		case w.isGiven("target") || w.Target != suggested:
			w.because = ""
		case byName:
			w.because = ", by its name"
		default:
			w.because = ", the last that can be; --target names another"
		}
	}
	if err := w.askTargetType(ctx); err != nil {
		return err
	}
	if len(names) == 0 {
		return nil
	}
	used := func(c draft.Column) bool {
		return w.Survival != nil && (c.Name == w.Survival.Time || c.Name == w.Survival.Event) || slices.Contains([]string{w.Target, w.ID, w.Group, w.Time}, c.Name)
	}
	w.ID = w.flagOrAsk("id", w.ID, func() string {
		i := slices.IndexFunc(w.Columns, func(c draft.Column) bool {
			return !used(c) && c.IsID() && !w.Partly && !slices.Contains(w.Keep, c.Name)
		})
		if i < 0 {
			return ""
		}
		return w.askColumn(ctx, "Which column identifies rows?", names[i])
	})
	for _, role := range [][2]string{{"id", w.ID}, {"group", w.Group}, {"time", w.Time}} {
		if c := w.Column(role[1]); c != nil && role[1] != "" && c.Missing > 0 {
			return fmt.Errorf("--%s %s: %s of %d have no value there", role[0], role[1], pluralize(c.Missing, "row"), c.Rows)
		}
	}
	if c := w.Column(w.ID); c != nil && c.Repeats() {
		return fmt.Errorf("column %q does not identify rows: several have the same value; it may be a group", w.ID)
	}
	w.Group = w.flagOrAsk("group", w.Group, func() string {
		suggested := noColumn
		if i := slices.IndexFunc(w.Columns, func(c draft.Column) bool { return !used(c) && c.IsGroup() }); i >= 0 {
			suggested = names[i]
		}
		return w.askColumn(ctx, "Do rows belong together, by a column such as a customer or a patient?", suggested)
	})
	for i := range w.Columns {
		if c := &w.Columns[i]; w.terminal && w.asks && !used(*c) && !c.IsCounter() && !c.IsID() && c.Rises() && !slices.Contains(w.Keep, c.Name) &&
			w.ask(ctx, fmt.Sprintf("%s rises from row to row. Is it something to predict from, rather than a number of the row?", c.Name), "no", []string{"yes", "no"}) == "yes" {
			w.Keep = append(w.Keep, c.Name)
		}
	}
	if w.Format == draft.ARFF { // which has no times
		return nil
	}
	w.Time = w.flagOrAsk("time", w.Time, func() string {
		i := slices.IndexFunc(w.Columns, func(c draft.Column) bool { return !used(c) && c.IsDate() && c.Missing == 0 })
		if i < 0 {
			return ""
		}
		return w.askColumn(ctx, "Test on what comes later, by the time in a column?", names[i])
	})
	return nil
}

func (w *wizard) askColumn(ctx context.Context, question, suggested string) string {
	if name := w.ask(ctx, question, suggested, append(w.Draft.Found.Names(), noColumn)); name != noColumn {
		return name
	}
	return ""
}

// ask prints a question and reads the answer. An empty answer, and the end of the input, mean the suggestion. Where
// there are choices it repeats the question until the answer is one of them.
func (w *wizard) ask(ctx context.Context, question, suggested string, choices []string) string {
	for w.asks {
		prompt := question
		if suggested != "" {
			prompt += " [" + suggested + "]"
		}
		fmt.Fprint(w.Errs, prompt+" ")
		line, more := readLine(ctx, w.in)
		w.asks = more
		answer := strings.TrimSpace(line)
		if !w.terminal { // where nobody typed it
			fmt.Fprintln(w.Errs, answer)
		}
		switch {
		case answer == "":
			return suggested
		case len(choices) == 0 || slices.Contains(choices, answer):
			return answer
		}
		fmt.Fprintf(w.Errs, "no %q%s (have %s)\n", answer, suggest.DidYouMean(answer, choices), source.Abridge(choices))
	}
	return suggested
}
