package experiments

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/runner/cli/app"
	"tenfold/runner/slurm"
)

// CancelCommand returns the command cancel.
func CancelCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "cancel RUN...", Short: "End the jobs of runs on a cluster; what is stored stays", Args: app.CheckArguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.CheckFolders(args); err != nil {
				return err
			}
			cluster, err := slurm.New(a.Warn)
			if err != nil {
				return app.Invalid(err)
			}
			var errs []error
			for _, dir := range args {
				jobs, err := slurm.JobsOf(dir)
				if err != nil {
					err = app.Invalid(err)
				} else {
					err = cluster.Cancel(cmd.Context(), jobs)
				}
				if err == nil && len(jobs) > 0 {
					err = slurm.Over(dir)
				}
				if errs = append(errs, err); err == nil {
					a.Printf("%s: %s\n", dir, cancelledText(jobs))
				}
			}
			return errors.Join(errs...)
		},
	}
}

func cancelledText(jobs []string) string {
	if len(jobs) == 0 {
		return "no jobs"
	}
	return "cancelled " + strings.Join(jobs, ", ")
}
