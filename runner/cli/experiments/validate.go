package experiments

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"tenfold/runner/cli/app"
	"tenfold/runner/settings"
)

// ValidateCommand returns the command validate.
func ValidateCommand(a *app.App) *cobra.Command {
	var f Flags
	var noData bool
	cmd := &cobra.Command{
		Use: "validate FILE...", Short: "Check the file and the data it names; fit nothing", Args: app.CheckArguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !noData {
				return ForEach(a, cmd, args, f, func(_ context.Context, j Job) error { return j.printValid() })
			}
			files, _, err := a.LoadFiles(args, f.sets)
			if err != nil {
				return err
			}
			for _, file := range files {
				a.Printf("%s: good: %s, %s; data not looked at\n", file.Path, app.Pluralize(len(file.Datasets), "data set"), app.Pluralize(len(file.Algorithms), "algorithm"))
			}
			return nil
		},
	}
	app.AddSetFlag(cmd, &f.sets)
	app.AddMemoryFlag(cmd)
	cmd.Flags().BoolVar(&noData, "no-data", false, "check the file alone, without looking for its data: for a hook before each commit")
	return cmd
}

// printValid sums up a file that passed all checks, and what is used of its data.
func (j Job) printValid() error {
	if err := j.PrintGood(); err != nil {
		return err
	}
	for name, account := range Accounts(j.Sets) {
		j.Printf("data set %s: %v\n", name, account)
	}
	return nil
}

// PrintGood sums up a file that passed all checks, and warns of features that give the target away.
func (j Job) PrintGood() error {
	for _, s := range j.Sets {
		if names := s.GivesAway(); len(names) > 0 {
			j.Warn(fmt.Errorf("%s: data set %s: %s give%s the target away: each value goes with one class alone. If it is not known before the target is, leave it out with features: {drop: [...]}", j.File.Path, s.Name, app.Abridge(names), map[bool]string{true: "s"}[len(names) == 1]))
		}
	}
	if j.Settings.Executor != settings.Slurm {
		if err := j.checkMemory(); err != nil {
			j.Warn(err)
		}
	}
	j.Printf("%s: good: %s, %s, %s%s\n", j.File.Path, countDatasets(j.Sets), app.Pluralize(len(j.Cells), "cell"), app.Pluralize(j.Tally().Units, "fit"), skippedText(j.Skipped))
	return nil
}
