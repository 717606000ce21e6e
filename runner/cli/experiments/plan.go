package experiments

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/io/source"
	"tenfold/runner/cli/app"
	"tenfold/runner/execute"
	"tenfold/runner/plan"
	"tenfold/runner/progress"

	"github.com/spf13/cobra"
)

// printPlan prints what run would do: a line for each data set and for each cell with something to do. Tasks of a
// family share a line.
func (j Job) printPlan() error {
	if err := j.ReadBaseline(j.BaselinePath("")); err != nil {
		return err
	}
	for sets := range groupFamilies(j.Sets) {
		j.Printf("data set %s: %s\n", sets[0].Dataset.Name+gridText(sets[0].Grid), shapeText(sets))
	}
	byCell := map[string][]*plan.Unit{}
	for _, u := range slices.Concat(j.Stages, j.Todo) {
		byCell[u.Label.Cell] = append(byCell[u.Label.Cell], u)
	}
	refused := j.checkMemory() // decides which arrays go to disk, and so how much memory is needed
	t := tabwriter.NewWriter(j.Out, 0, 4, 2, ' ', 0)
	var total time.Duration
	unknown, innerFits := 0, 0
	for _, cells := range j.Groups() {
		var todo []*plan.Unit
		fits, left, largest := 0, 0, int64(0)
		for _, c := range cells {
			fits += len(c.Units)
			if some := byCell[c.Key]; len(some) > 0 {
				left++
				todo = append(todo, some...)
			}
		}
		if len(todo) == 0 {
			continue
		}
		spent, inside := time.Duration(0), 0
		for _, u := range todo {
			spent += u.Predicted
			inside += u.InnerFits
			if u.Predicted == 0 {
				unknown++
			}
			largest = max(largest, u.Need())
		}
		total += spent
		innerFits += inside
		title, tasks := cells[0].Key[:10], ""
		if cells[0].Set.Task != "" {
			title, tasks = "family", fmt.Sprintf("%d of %s, ", left, app.Pluralize(len(cells), "task"))
		}
		sanitize.Fprintf(t, "%s\t%s\t%s%d of %d fits%s\t%s\t%s\t%s\n", title, CellName(cells[0].Set.Dataset.Name, cells[0]), tasks, len(todo), fits, innerText(inside), spanText(spent),
			progress.Bytes(largest), reasonsText(todo))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if refused != nil {
		if err := j.PrintText("note: " + app.UserMessage(refused) + "\n"); err != nil {
			return err
		}
	}
	tally := j.Tally()
	j.Printf("%s, %s: %d cached, %d to run", app.Pluralize(tally.Cells, "cell"), app.Pluralize(tally.Units, "fit"), tally.Units-len(j.Todo), len(j.Todo))
	if len(j.Stages) > 0 {
		j.Printf(" after %s", app.Pluralize(len(j.Stages), "stage"))
	}
	j.Printf("%s", innerText(innerFits))
	if len(j.Todo) > 0 {
		guess := "time not known yet"
		if total > 0 {
			guess = "about " + spanText(total/time.Duration(max(1, min(j.Jobs, len(j.Todo)))))
			if unknown > 0 {
				guess += fmt.Sprintf(" without the %d of unknown length", unknown)
			}
		}
		j.Printf(", %s with %d workers and a memory budget of %s", guess, j.Jobs, progress.Bytes(app.MemoryOptions(j.Settings).Memory))
	}
	j.Printf("\n")
	for _, n := range skippedNotes(j.Skipped) {
		j.Printf("note: skipped: %s\n", n)
	}
	for _, c := range j.Cells {
		if c.Algorithm.Engine.Needs().Watch {
			j.Printf("note: %s chooses by the test rows: its numbers will be marked as optimistic\n", c.Algorithm.Name)
			break
		}
	}
	for _, s := range j.Sets {
		if slices.ContainsFunc(s.Targets, func(t data.Target) bool { return t.Pooled }) {
			j.Printf("note: the responses of %s are counted over test rows, too: its numbers will be marked as optimistic\n", s.Name)
			break
		}
	}
	return nil
}

// CellName names a cell of a data set in messages.
func CellName(dataset string, c *plan.Cell) string {
	if c.Stage != "" {
		return dataset + " × " + c.Algorithm.Name + ": " + c.Stage
	}
	return dataset + " × " + c.Algorithm.Name + gridText(c.Units[0].Label.Grid)
}

// groupFamilies yields the data sets of a plan, the tasks of a family together.
func groupFamilies(sets []*plan.Set) iter.Seq[[]*plan.Set] {
	return func(yield func([]*plan.Set) bool) {
		for from := 0; from < len(sets); {
			to := from + 1
			for to < len(sets) && sets[to].Dataset == sets[from].Dataset {
				to++
			}
			if !yield(sets[from:to]) {
				return
			}
			from = to
		}
	}
}

// Accounts yields the data sets with their accounts, points of a grid with the same account once.
func Accounts(sets []*plan.Set) iter.Seq2[string, account.Account] {
	return func(yield func(string, account.Account) bool) {
		seen := map[string]bool{}
		for family := range groupFamilies(sets) {
			s := family[0]
			line := s.Dataset.Name + ": " + s.Account.String()
			if !seen[line] && !yield(s.Dataset.Name, s.Account) {
				return
			}
			seen[line] = true
		}
	}
}

// sayUnused says what is used of data sets of which not everything has a use.
func sayUnused(a *app.App, sets []*plan.Set) {
	for name, account := range Accounts(sets) {
		if !account.Complete() {
			rows, columns := account.Rows, account.Columns
			a.Console().Say(slog.LevelInfo, "data", fmt.Sprintf("%s: %v", name, account), slog.String("dataset", name),
				slog.Int("rows", rows.Used), slog.Int("rows_found", rows.Found), slog.Int("columns", columns.Used), slog.Int("columns_found", columns.Found))
		}
	}
}

// countDatasets counts the data sets in words, with the tasks of families.
func countDatasets(sets []*plan.Set) string {
	n, tasks := 0, 0
	for family := range groupFamilies(sets) {
		n++
		if family[0].Task != "" {
			tasks += len(family)
		}
	}
	if tasks == 0 {
		return app.Pluralize(n, "data set")
	}
	return fmt.Sprintf("%s with %s", app.Pluralize(n, "data set"), app.Pluralize(tasks, "task"))
}

// shapeText gives the size of a data set, or the range of sizes of a family's tasks.
func shapeText(sets []*plan.Set) string {
	span := func(value func(*plan.Set) int) string {
		low, high := value(sets[0]), value(sets[0])
		for _, s := range sets {
			low, high = min(low, value(s)), max(high, value(s))
		}
		if low == high {
			return fmt.Sprint(low)
		}
		return fmt.Sprintf("%d … %d", low, high)
	}
	folds := span(func(s *plan.Set) int { return len(s.Splits) }) + " folds"
	if folds == "1 folds" {
		folds = "1 fold"
	}
	text := fmt.Sprintf("%s rows × %s columns, %s entries, %s",
		span(func(s *plan.Set) int { return s.Shape.Rows }), span(func(s *plan.Set) int { return s.Shape.Columns }),
		span(func(s *plan.Set) int { return s.Shape.Entries }), folds)
	if sets[0].Task == "" {
		return text
	}
	whole := execute.ShapeOf(sets[0].Data)
	return fmt.Sprintf("%s %s of %d rows × %d columns, each %s", app.Pluralize(len(sets), "task"), sets[0].Dataset.Family.Kind, whole.Rows, whole.Columns, text)
}

// gridText formats a point of a grid, each parameter after a blank.
func gridText(grid []results.Param) string {
	var b strings.Builder
	for _, p := range grid {
		fmt.Fprintf(&b, " %s=%v", p.Name, p.Value)
	}
	return b.String()
}

// innerText counts the fits inside fits that search; "" for none.
func innerText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" with up to %s inside", app.Pluralize(n, "fit"))
}

// spanText formats a predicted duration; 0 means unknown.
func spanText(d time.Duration) string {
	if d == 0 {
		return "?"
	}
	return progress.Span(d)
}

// reasonsText lists the distinct reasons of units, with counts if there are several.
func reasonsText(units []*plan.Unit) string {
	var out []string
	n := map[string]int{}
	for _, u := range units {
		if n[u.Reason]++; n[u.Reason] == 1 {
			out = append(out, u.Reason)
		}
	}
	if len(out) > 1 {
		for i, r := range out {
			out[i] = fmt.Sprintf("%s (%d)", r, n[r])
		}
	}
	return strings.Join(out, "; ")
}

// PlanCommand returns the command plan.
func PlanCommand(a *app.App) *cobra.Command {
	var f Flags
	var d shardFlags
	cmd := &cobra.Command{
		Use: "plan FILE...", Short: "Say what run would do and why; run nothing", Args: app.CheckArguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			do := func(_ context.Context, j Job) error { return j.printPlan() }
			if cmd.Flags().Changed("shards") {
				do = func(_ context.Context, j Job) error { return j.writeShards(d) }
			}
			return ForEach(a, cmd, args, f, do)
		},
	}
	f.register(cmd)
	f.AddOnlyFlag(cmd, "run")
	d.register(cmd)
	cmd.Flags().Int("jobs", 0, "fits at a time, for the predicted time (TENFOLD_JOBS)")
	app.AddMemoryFlag(cmd)
	return cmd
}

// skippedText counts the cells of the file that are not fitted; "" if there are none.
func skippedText(skipped []plan.Skipped) string {
	if len(skipped) == 0 {
		return ""
	}
	others := 0
	for _, s := range skipped {
		if s.Where != nil {
			others++
		}
	}
	text := ""
	if n := len(skipped) - others; n > 0 {
		text = fmt.Sprintf("; %s skipped, as the engine cannot use the data set, or one of them is not there", app.Pluralize(n, "cell"))
	}
	if others > 0 {
		text += fmt.Sprintf("; %s left out by datasets of algorithms", app.Pluralize(others, "cell"))
	}
	return text
}

// skippedNotes says why cells of the file are not fitted: one line per cell, but a single one for all cells that datasets: of an
// algorithm leaves out.
func skippedNotes(skipped []plan.Skipped) (notes []string) {
	note := map[string]int{} // by algorithm
	var names [][]string     // of the data sets in each note
	for _, s := range skipped {
		dataset, algorithm := results.Labels(s.Dataset, s.Algorithm, s.Grid, results.Exact)
		i, known := note[s.Algorithm]
		if s.Where == nil || !known {
			i = len(notes)
			notes, names = append(notes, ""), append(names, nil)
		}
		if s.Where != nil {
			note[s.Algorithm], algorithm = i, s.Algorithm
		}
		if !slices.Contains(names[i], dataset) {
			names[i] = append(names[i], dataset)
		}
		notes[i] = fmt.Sprintf("%s, %s: %s", source.Abridge(names[i]), algorithm, s.Why)
	}
	return notes
}
