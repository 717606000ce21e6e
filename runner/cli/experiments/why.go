package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tenfold/runner"
	"tenfold/runner/cli/app"
	"tenfold/runner/plan"
)

// WhyCommand returns the command why.
func WhyCommand(a *app.App) *cobra.Command {
	var f Flags
	cmd := &cobra.Command{
		Use: "why CELL [FILE...]", Short: "Explain, field by field, why a cell would run or would not", Args: app.CheckArguments(cobra.MinimumNArgs(1)),
		Long: "CELL is the beginning of a key, as plan and the result files have it, or a name as for --only.\n" +
			"Without FILE, the experiments of all runs in " + app.RunsFolder + "/ are looked at.",
		RunE: func(cmd *cobra.Command, args []string) error {
			paths := args[1:]
			if len(paths) == 0 {
				var err error
				if paths, err = experimentsOfRuns(a); err != nil {
					return app.Invalid(err)
				}
			}
			found, skipped := false, ""
			err := ForEach(a, cmd, paths, f, func(_ context.Context, j Job) error {
				some, err := j.explainMatches(args[0])
				found, skipped = found || some, cmp.Or(skipped, j.WhySkipped(args[0]))
				return err
			})
			if err == nil && !found {
				err = app.Invalid(errors.New(cmp.Or(skipped, fmt.Sprintf("no cell %q in %s", args[0], strings.Join(paths, ", ")))))
			}
			return err
		},
	}
	app.AddSetFlag(cmd, &f.sets)
	cmd.Flags().StringVar(&f.out, "out", "", "folder of the run (default "+app.RunsFolder+"/NAME)")
	return cmd
}

// experimentsOfRuns returns the experiment files of the runs in the usual folder.
func experimentsOfRuns(a *app.App) ([]string, error) {
	var paths []string
	for _, dir := range app.RunsHere() {
		frozen, err := plan.ReadFrozen(dir)
		if err != nil {
			a.Warn(err)
			continue
		}
		if frozen == nil { // it went while the folder was listed, or is a link to nothing
			continue
		}
		if _, err := os.Stat(frozen.Path); err != nil {
			a.Warn(fmt.Errorf("%s: the experiment file of this run is not there now: %w", dir, err))
			continue
		}
		if !slices.Contains(paths, frozen.Path) {
			paths = append(paths, frozen.Path)
		}
	}
	if len(paths) == 0 {
		return nil, errors.New("no runs in " + app.RunsFolder + "/: name the experiment file, tenfold why CELL FILE")
	}
	return paths, nil
}

// explainMatches explains the cells that match a name now or, by key, in the run's plan. Tasks of a family are
// explained together.
func (j Job) explainMatches(name string) (found bool, err error) {
	for _, group := range j.Groups() {
		var fits []*plan.Cell
		for _, c := range group {
			ok, err := runner.Matches(name, c)
			if err != nil {
				return false, app.Invalid(err)
			}
			if ok || j.hadKey(name, c) {
				fits = append(fits, c)
			}
		}
		if len(fits) == 0 {
			continue
		}
		found = true
		if err := j.explainCells(fits); err != nil {
			return true, err
		}
	}
	if found || j.Before() == nil {
		return found, nil
	}
	for _, c := range slices.Concat(j.Before().Stages, j.Before().Cells) {
		if len(name) >= 6 && strings.HasPrefix(c.Key, name) {
			j.Printf("cell %s  %s × %s: no longer in %s\n", c.Key[:10], c.Dataset, c.Algorithm, j.File.Path)
			return true, nil
		}
	}
	return false, nil
}

// hadKey reports whether the cell had a key with that prefix in the run's plan.
func (j Job) hadKey(name string, c *plan.Cell) bool {
	if j.Before() == nil || len(name) < 6 {
		return false
	}
	return slices.ContainsFunc(slices.Concat(j.Before().Stages, j.Before().Cells), func(old plan.FrozenCell) bool {
		return strings.HasPrefix(old.Key, name) && old.Stands(c)
	})
}

// explainCells prints what is stored of a cell, or of the tasks of a family, and what differs for fits that would
// run. Similar fits share an entry.
func (j Job) explainCells(cells []*plan.Cell) error {
	c := cells[0]
	if len(cells) == 1 {
		j.Printf("cell %s  %s\n", c.Key[:10], CellName(c.Set.Name, c))
	} else {
		j.Printf("%s of %s\n", app.Pluralize(len(cells), "task"), CellName(c.Set.Family(), c))
	}
	todo := map[string]string{}
	for _, u := range slices.Concat(j.Stages, j.Todo) {
		todo[u.Label.Unit] = u.Reason
	}
	var order []string
	alike := map[string][]*plan.Unit{}
	for _, c := range cells {
		for _, u := range c.Units {
			reason := todo[u.Label.Unit]
			if reason == "" && u.Stored == nil {
				reason = "not needed: what builds on it is stored"
			}
			if alike[reason] == nil {
				order = append(order, reason)
			}
			alike[reason] = append(alike[reason], u)
		}
	}
	for _, reason := range order {
		units := alike[reason]
		was, fields := j.Before().Explain(units[0])
		if reason == "" {
			reason = "cached: the stored result is used"
			_, fields = (&plan.Frozen{}).Explain(units[0]) // whatever the folder's last plan was about
			was = units[0].Label.Unit
			for k, f := range fields {
				fields[k].Was, fields[k].Same = f.Is, true
			}
		}
		j.Printf("%s: %s\n", foldsText(units), reason)
		if err := printFields(j.App, units[0], was, fields); err != nil {
			return err
		}
	}
	return nil
}

// foldsText names the units of a cell, or of the cells of several tasks.
func foldsText(units []*plan.Unit) string {
	first, last := &units[0].Label, &units[len(units)-1].Label
	one := fmt.Sprintf("repeat %d fold %d", first.Repeat, first.Fold)
	if first.Stage != "" {
		one = first.Stage
	}
	if first.Task != last.Task {
		one += " of " + first.Task
	}
	if len(units) == 1 {
		return one
	}
	return fmt.Sprintf("%d fits (fields of %s)", len(units), one)
}

// printFields prints the fields of the unit's key beside those of the stored one, whose key was that; "" for none.
func printFields(a *app.App, u *plan.Unit, was string, fields []plan.Field) error {
	t := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', 0)
	if was == "" {
		app.WriteCells(t, "  ", "field", "now")
	} else {
		app.WriteCells(t, "  ", "field", "stored", "now")
	}
	line := func(changed bool, texts ...string) {
		mark := " "
		if changed {
			mark = "≠"
		}
		app.WriteCells(t, append([]string{mark + " "}, texts...)...)
	}
	for _, f := range fields {
		switch {
		case was == "":
			line(false, f.Name, abbreviate(f.Is))
		case f.Same:
			line(false, f.Name, abbreviate(f.Was), abbreviate(f.Is))
		default:
			line(true, f.Name, shortDigest(f.Was), shortDigest(f.Is))
		}
	}
	if was == "" {
		line(false, "key", u.Label.Unit)
	} else {
		line(was != u.Label.Unit, "key", shortDigest(was), shortDigest(u.Label.Unit))
	}
	return t.Flush()
}

// abbreviate shortens a value to 60 characters.
func abbreviate(s string) string {
	const enough = 60
	if text := []rune(shortDigest(s)); len(text) > enough {
		return string(text[:enough]) + "…"
	}
	return shortDigest(s)
}

// shortDigest shortens a digest and leaves other texts alone.
func shortDigest(s string) string {
	if len(s) >= 32 && strings.Trim(strings.TrimPrefix(s, "sha256:"), "0123456789abcdef") == "" {
		return s[:20] + "…"
	}
	return s
}
