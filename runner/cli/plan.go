package cli

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"tenfold/io/results"
	"tenfold/runner"
	"tenfold/runner/plan"
)

// showPlan prints what run would do, a line for each data set and for each cell with something to do.
func (a *App) showPlan(_ context.Context, j job) error {
	for _, s := range j.Sets {
		rows, columns := s.Data.X.Dims()
		fmt.Fprintf(a.Out, "data set %s: %d rows × %d columns, %d entries, %d folds\n", s.Name+coordinates(s.Grid), rows, columns, s.Data.X.NNZ(), len(s.Splits))
	}
	byCell := map[string][]*plan.Unit{}
	for _, u := range j.Todo {
		byCell[u.Label.Cell] = append(byCell[u.Label.Cell], u)
	}
	t := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', 0)
	var total time.Duration
	unknown := 0
	for _, c := range j.Cells {
		todo := byCell[c.Key]
		if len(todo) == 0 {
			continue
		}
		spent := time.Duration(0)
		for _, u := range todo {
			spent += u.Predicted
			if u.Predicted == 0 {
				unknown++
			}
		}
		total += spent
		fmt.Fprintf(t, "%s\t%s\t%d of %d fits\t%s\t%d MiB\t%s\n", c.Key[:10], name(c), len(todo), len(c.Units), duration(spent),
			(todo[0].Bytes+todo[0].Split.Bytes())>>20, reasons(todo))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	tally := j.Tally()
	fmt.Fprintf(a.Out, "%s, %s: %d cached, %d to run", count(tally.Cells, "cell"), count(tally.Units, "fit"), tally.Units-len(j.Todo), len(j.Todo))
	if len(j.Todo) > 0 {
		guess := "time not known yet"
		if total > 0 {
			guess = "about " + duration(total/time.Duration(max(1, min(j.jobs, len(j.Todo)))))
			if unknown > 0 {
				guess += fmt.Sprintf(" without the %d of unknown length", unknown)
			}
		}
		fmt.Fprintf(a.Out, ", %s with %d workers and a memory budget of %d MiB", guess, j.jobs, runner.MemoryBudget()>>20)
	}
	fmt.Fprintln(a.Out)
	for _, c := range j.Cells {
		if c.Algorithm.Engine.Needs().Watch {
			fmt.Fprintf(a.Out, "note: %s chooses by the test rows: its numbers will be marked as optimistic\n", c.Algorithm.Name)
			break
		}
	}
	return nil
}

func name(c *plan.Cell) string {
	return c.Set.Name + " × " + c.Algorithm.Name + coordinates(c.Units[0].Label.Grid)
}

// coordinates of a point of a grid, each after a blank.
func coordinates(grid []results.Param) string {
	var b strings.Builder
	for _, p := range grid {
		fmt.Fprintf(&b, " %s=%v", p.Name, p.Value)
	}
	return b.String()
}

func duration(d time.Duration) string {
	switch {
	case d == 0:
		return "?"
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// reasons of a cell's units, each once.
func reasons(units []*plan.Unit) string {
	var out []string
	seen := map[string]bool{}
	for _, u := range units {
		if !seen[u.Reason] {
			seen[u.Reason] = true
			out = append(out, u.Reason)
		}
	}
	return strings.Join(out, "; ")
}
