package wizard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/suggest"
	"tenfold/io/source"
	"tenfold/runner/cli/app"
	"tenfold/runner/draft/inspect"
)

// flagOrAsk returns the value of a flag if it was given, and else asks.
func (w *wizard) flagOrAsk(flag, value string, ask func() string) string {
	if w.isGiven(flag) {
		if value == noColumn && flag != "target" && flag != "name" {
			return ""
		}
		return value
	}
	return ask()
}

// noColumn is the answer that there is no such column.
const noColumn = "none"

// askRoles sets the roles of the columns and the type of the target.
func (w *wizard) askRoles(ctx context.Context) error {
	named := len(w.Draft.Found.Names()) > 0
	if err := w.askArrays(ctx); err != nil {
		return err
	}
	if err := w.askLabels(ctx); err != nil {
		return err
	}
	if err := w.askListed(ctx); err != nil {
		return err
	}
	if named && !w.Several() {
		if err := w.askTarget(ctx); err != nil {
			return err
		}
	}
	if err := w.askTargetType(ctx); err != nil {
		return err
	}
	if !named {
		return w.askQueries()
	}
	if err := w.askID(ctx); err != nil {
		return err
	}
	w.askGroup(ctx)
	w.askRising(ctx)
	if w.Format != inspect.ARFF { // it has no times
		w.askTime(ctx)
	}
	return nil
}

// askQueries makes the queries of a file without names of columns its groups, and refuses flags that name columns.
func (w *wizard) askQueries() error {
	for _, flag := range []string{"target", "id", "group", "time", "keep", "text"} {
		if w.isGiven(flag) && !(flag == "group" && (w.Group == noColumn || w.Queries != nil && w.Group == w.Queries.Name)) {
			return fmt.Errorf("--%s: a file of format %s has no columns with names", flag, w.Format)
		}
	}
	if w.Queries != nil && w.Group == "" {
		w.Group = w.Queries.Name
	}
	w.Group = strings.TrimPrefix(w.Group, noColumn)
	return nil
}

// askLabels asks for the file of the targets, for formats that have a separate one.
func (w *wizard) askLabels(ctx context.Context) error {
	if len(w.Columns) > 0 && w.Format != inspect.ARFF { // a table of samples has them
		return nil
	}
	apart := w.Format == inspect.NPZ && w.TargetArray == "" || w.Format == inspect.MTX || w.Format == inspect.NIPS // a file of values
	if (apart || w.Format == inspect.GCT) && w.Labels == "" {
		if w.Labels = w.ask(ctx, "Which file has the targets?", w.besideData(w.Beside), nil); w.Labels == "" {
			or := ""
			if w.Format == inspect.GCT || w.Format == inspect.MTX {
				or = ", or a table of samples with --join"
			}
			return fmt.Errorf("format %s has the targets in another file: name it with --labels%s", w.Format, or)
		}
	}
	if !apart {
		return nil
	}
	if err := w.LookAtTargets(w.findData(w.Labels, w.folders)); err != nil {
		return err
	}
	w.askAcross()
	return nil
}

// askTarget asks for the column to predict, after checking that the columns named by flags exist.
func (w *wizard) askTarget(ctx context.Context) error {
	names := w.Draft.Found.Names()
	for _, flag := range slices.Concat([]string{w.Target, w.ID, w.Group, w.Time}, w.Keep, w.Text) {
		if flag != "" && flag != noColumn && !slices.Contains(names, flag) {
			return fmt.Errorf("no column %q%s (columns: %s)", flag, suggest.DidYouMean(flag, names), source.Abridge(names))
		}
	}
	if w.isGiven("text") && w.Format == inspect.ARFF {
		return fmt.Errorf("--text: columns of texts are read in csv, tsv and parquet, not in %s", w.Format)
	}
	suggested, byName := w.Suggested()
	suggested = cmp.Or(w.published, suggested)
	w.Target = w.flagOrAsk("target", w.Target, func() string {
		return w.ask(ctx, "Which column is to be predicted?", suggested, names)
	})
	if all := w.Candidates(); w.Target == "" && len(all) > 1 {
		return fmt.Errorf("several columns could be predicted: %s; name one with --target", source.Abridge(all))
	}
	if w.Target == "" {
		return fmt.Errorf("no column looks as if it could be predicted: name one with --target (columns: %s)", source.Abridge(names))
	}
	if why := w.Column(w.Target).Predictable(); why != "" {
		return fmt.Errorf("column %q cannot be predicted: %s", w.Target, why)
	}
	switch {
	case w.isGiven("target") || w.Target != suggested:
		w.because = ""
	case w.published != "":
		w.because = ", as OpenML says"
	case byName:
		w.because = ", by its name"
	default:
		w.because = ", the last that can be; --target names another"
	}
	return nil
}

// isUsed reports whether a column has a role.
func (w *wizard) isUsed(c *inspect.Column) bool {
	return w.Survival != nil && (c.Name == w.Survival.Time || c.Name == w.Survival.Event) || slices.Contains([]string{w.Target, w.ID, w.Group, w.Time}, c.Name)
}

// firstUnused returns the name of the first column without a role for which is returns true, or otherwise if there is none.
func (w *wizard) firstUnused(otherwise string, is func(*inspect.Column) bool) string {
	for i := range w.Columns {
		if c := &w.Columns[i]; !w.isUsed(c) && is(c) {
			return c.Name
		}
	}
	return otherwise
}

// askID asks for the column that identifies rows, after checking that columns of ids, groups and times named by flags have a value
// in every row.
func (w *wizard) askID(ctx context.Context) error {
	w.ID = w.flagOrAsk("id", w.ID, func() string {
		if s := w.Sample; s != nil && !s.Shared || w.Format == inspect.GCT {
			if s == nil || w.Width() > 0 {
				return ""
			}
			return cmp.Or(s.ID, s.By)
		}
		suggested := w.firstUnused("", func(c *inspect.Column) bool {
			return c.IsID() && !slices.Contains(slices.Concat(w.Keep, w.Text), c.Name)
		})
		if suggested == "" {
			return ""
		}
		return w.askColumn(ctx, "Which column identifies rows?", suggested)
	})
	for _, role := range [][2]string{{"id", w.ID}, {"group", w.Group}, {"time", w.Time}} {
		if c := w.Column(role[1]); c != nil && role[1] != "" && c.Missing > 0 {
			return fmt.Errorf("--%s %s: %s of %d have no value there", role[0], role[1], app.Pluralize(c.Missing, "row"), c.Rows)
		}
	}
	if c := w.Column(w.ID); w.ID != "" && c != nil && c.Repeats() {
		return fmt.Errorf("column %q does not identify rows: several have the same value; it may be a group", w.ID)
	}
	return nil
}

func (w *wizard) askGroup(ctx context.Context) {
	w.Group = w.flagOrAsk("group", w.Group, func() string {
		return w.askColumn(ctx, "Do rows belong together, by a column such as a customer or a patient?", w.firstUnused(noColumn, (*inspect.Column).IsGroup))
	})
}

// askRising asks about columns that may number the rows.
func (w *wizard) askRising(ctx context.Context) {
	if !w.terminal {
		return
	}
	for i := range w.Columns {
		if c := &w.Columns[i]; w.asks && !w.isUsed(c) && !c.IsCounter() && !c.IsID() && c.Rises() && !slices.Contains(w.Keep, c.Name) &&
			w.ask(ctx, fmt.Sprintf("%s rises from row to row. Is it something to predict from, rather than a number of the row?", c.Name), "no", []string{"yes", "no"}) == "yes" {
			w.Keep = append(w.Keep, c.Name)
		}
	}
}

func (w *wizard) askTime(ctx context.Context) {
	w.Time = w.flagOrAsk("time", w.Time, func() string {
		suggested := w.firstUnused("", (*inspect.Column).IsTime)
		if suggested == "" {
			return ""
		}
		return w.askColumn(ctx, "Test on what comes later, by the time in a column?", suggested)
	})
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
		w.Notef("%s ", prompt)
		line, more := app.ReadLine(ctx, w.in)
		w.asks = more
		answer := strings.TrimSpace(line)
		if !w.terminal { // echo it: no user typed it
			w.Notef("%s\n", answer)
		}
		switch {
		case answer == "":
			return suggested
		case len(choices) == 0 || slices.Contains(choices, answer):
			return answer
		}
		w.Notef("no %q%s (have %s)\n", answer, suggest.DidYouMean(answer, choices), source.Abridge(choices))
	}
	return suggested
}
