// Package models has the commands on models in files: fit makes one of a cell, chosen by name or by results (choose.go),
// predict applies it to new rows, features lists what it selected. Fitting is the task of runner/execute, applying that
// of runner/apply. Begin with fitModel and predictFiles.
package models

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"tenfold/engines"
	"tenfold/io/model"
	"tenfold/runner"
	"tenfold/runner/apply"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/experiments"
	"tenfold/runner/cli/methods"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
)

type fitFlags struct {
	sets       []string
	cell, best string
	point      int
	run, to    string
}

// FitCommand returns the command fit.
func FitCommand(a *app.App) *cobra.Command {
	var f fitFlags
	cmd := &cobra.Command{
		Use: "fit FILE", Short: "Fit one cell to all rows, and keep the model in a file", Args: app.CheckArguments(cobra.ExactArgs(1)),
		Long: "Fits the algorithm of one cell of an experiment to all rows of its data set, and writes a model file, which predict applies to\n" +
			"other files. What the folds of a run say of the cell is kept beside it: a model fitted to all rows has none held out to judge it by.",
		Example: "  tenfold fit churn.yaml --cell lasso -o churn.model.json\n  tenfold predict churn.model.json customers.csv -o predictions.csv",
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.to == "" {
				return app.Invalid(errors.New("where is the model to go? say -o FILE, such as -o model.json (.gz compresses it)"))
			}
			if err := model.CheckPlace(f.to); err != nil {
				return app.Invalid(err)
			}
			return fitModel(a, cmd, args[0], f)
		},
	}
	cmd.Flags().StringVar(&f.cell, "cell", "", "the cell: a glob on algorithm, data set, dataset/algorithm/parameter=value, or a key, as --only of run")
	cmd.Flags().StringVar(&f.best, "best", "", "of several cells, the one that is best by this metric in the run's results")
	cmd.Flags().IntVar(&f.point, "point", 0, "where the algorithm has path.at: the size of the model to keep (default the last)")
	app.AddSetFlag(cmd, &f.sets)
	cmd.Flags().StringVar(&f.run, "run", "", "folder of the run with the cell's results (default runs/NAME)")
	cmd.Flags().StringVarP(&f.to, "output", "o", "", "the model file, JSON; compressed where it ends in .gz")
	app.AddWorkersFlag(cmd)
	methods.AddFlags(cmd)
	return cmd
}

func fitModel(a *app.App, cmd *cobra.Command, path string, f fitFlags) (failed error) {
	file, sections, err := a.LoadFile(path, f.sets)
	if err != nil {
		return app.Invalid(err)
	}
	places, tool, err := a.Places(cmd, file.Name, f.run)
	if err != nil {
		return err
	}
	var host *method.Host
	if file, host, err = methods.Bind(cmd.Context(), a, cmd.Flags(), file, places.Run, func(m algorithm.Methods) (bound *experiment.File, err error) {
		bound, sections, err = a.LoadAgain(file, f.sets, m)
		return bound, err
	}); err != nil {
		return err
	}
	ctx := cmd.Context()
	if host != nil {
		host.Keep = true
	}
	choice := runner.Choice{}
	if f.cell != "" {
		choice.Only = []string{f.cell}
	}
	s, err := runner.Open(ctx, file, places, choice, a.Warn)
	if err != nil {
		return app.Invalid(renameOnlyFlag(err))
	}
	held := &model.Held{}
	cell, err := chooseCell(s, f, held)
	if err != nil {
		return err
	}
	if cell.Algorithm.Import != nil {
		return app.Invalid(fmt.Errorf("%s: its predictions are imported, so there is nothing to fit", experiments.CellName(cell.Set.Name, cell)))
	}
	if err := checkPoint(cell, f.point); err != nil {
		return app.Invalid(err)
	}
	if s, err = runner.Open(ctx, file, places, runner.Choice{Cells: func(c *plan.Cell) bool { return c.Key == cell.Key }}, a.Warn); err != nil {
		return app.Invalid(err)
	}
	cell = s.Cells[slices.IndexFunc(s.Cells, func(c *plan.Cell) bool { return c.Key == cell.Key })]
	done, err := methods.Open(a, host, file.Bound, "")
	if err != nil {
		return err
	}
	defer func() { failed = errors.Join(failed, done()) }()
	origin := execute.FindOrigin(ctx, filepath.Dir(file.Path))
	j := experiments.Job{App: a, Session: s, Host: host, Sections: sections, Jobs: tool.Jobs, Settings: tool}
	if err := runStages(ctx, j, origin); err != nil {
		return err
	}
	unit := s.UnitOnAllRows(cell)
	a.Console().Say(slog.LevelInfo, "fit", fmt.Sprintf("%s: fitting to %s%s", experiments.CellName(cell.Set.Name, cell), app.Pluralize(cell.Set.Shape.Rows, "row"), rowsNote(cell)))
	started := time.Now()
	whole, err := unit.FitFully(ctx, s.Outcome, tool.Jobs, f.point)
	if errors.Is(err, execute.ErrWatches) || errors.Is(err, execute.ErrProbes) {
		return app.Invalid(fmt.Errorf("%s: %w", experiments.CellName(cell.Set.Name, cell), err))
	} else if err != nil {
		return fmt.Errorf("%s: %w", experiments.CellName(cell.Set.Name, cell), err)
	}
	defer engines.Close(whole.Model)
	if err := s.Unchanged(); err != nil {
		return fmt.Errorf("%s: %w", experiments.CellName(cell.Set.Name, cell), err)
	}
	m, err := apply.FileOf(file.Name, a.Formats[cell.Set.Format], cell, unit, whole)
	if err != nil {
		return fmt.Errorf("%s: %w", experiments.CellName(cell.Set.Name, cell), err)
	}
	m.Fit.When, m.Fit.Spec, m.Fit.Commit, m.Fit.Dirty, m.Fit.Machine = started.UTC().Truncate(time.Second), file.Path, origin.Commit, origin.Dirty, origin.Machine
	m.Tool, m.Point = origin.Version, f.point
	if addHeldOutScores(s, cell, f.point, held) {
		m.Held = held
	}
	if err := model.Write(f.to, m); err != nil {
		return err
	}
	return printModel(a, f.to, m)
}

// rowsNote says in words how the rows fitted differ from those that the cell's folds train on.
func rowsNote(c *plan.Cell) string {
	text := ""
	if c.Set.Data.Part != nil {
		text += ", those given as test rows among them"
	}
	if c.Set.TrainFraction < 1 {
		text += fmt.Sprintf(" (the folds of the cell, to %v of their training rows)", c.Set.TrainFraction)
	}
	return text
}

// runStages runs the stages that the cell builds on and that are not stored. Their outcomes go to the run's folder.
func runStages(ctx context.Context, j experiments.Job, origin execute.Origin) error {
	if len(j.Stages) == 0 {
		return nil
	}
	j.Console().Say(slog.LevelInfo, "stages", fmt.Sprintf("%s: %s that the cell builds on, first", j.File.Name, app.Pluralize(len(j.Stages), "stage")))
	frozen, err := j.Freeze(j.Sections)
	if err != nil {
		return err
	}
	if err := j.Begin(frozen); err != nil {
		return err
	}
	j.Todo = nil
	meter := progress.New(j.Console(), nil, j.PendingUnits())
	defer meter.Close()
	opt := app.MemoryOptions(j.Settings)
	opt.Jobs, opt.Retries, opt.Observer, opt.Origin = j.Jobs, j.File.Failures.Retries, meter, origin
	return j.Run(ctx, opt)
}
