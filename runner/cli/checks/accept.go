package checks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/io/sanitize"
	"tenfold/reports/gate"
	"tenfold/reports/gate/render"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/experiments"
)

// AcceptCommand returns the command accept.
func AcceptCommand(a *app.App) *cobra.Command {
	var f experiments.Flags
	var baseline, expected string
	cmd := &cobra.Command{
		Use: "accept FILE...", Short: "Record the present results as the baseline that check compares with", Args: app.CheckArguments(cobra.MinimumNArgs(1)),
		Long: "Runs what is missing, and writes x.baseline.yaml beside the experiment file x.yaml, for git. What was written into it by hand\n" +
			"(tolerance, expected_failure) is kept.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if baseline != "" && len(args) > 1 {
				return app.Invalid(errors.New("--baseline is for one experiment file"))
			}
			return experiments.ForEach(a, cmd, args, f, func(ctx context.Context, j experiments.Job) error {
				path := j.BaselinePath(baseline)
				if _, err := experiments.ReadBaseline(path, j.File.Defined); err != nil {
					return err
				}
				frozen, err := j.RunAndRefresh(ctx)
				if err != nil {
					return err
				}
				return withGate(j, frozen, path, func(in gate.Input) error {
					in.Expected = strings.TrimSpace(expected)
					summary, err := record(in)
					if err != nil {
						return err
					}
					return a.PrintText(summary + sanitize.Sprintf("\nbaseline %s\n", path))
				})
			})
		},
	}
	f.RegisterRun(cmd)
	f.AddFreshFlag(cmd)
	cmd.Flags().StringVar(&expected, "expected-failure", "", "record cells that failed as expected to fail, for this reason")
	cmd.Flags().StringVar(&baseline, "baseline", "", "file to write (default x.baseline.yaml beside x.yaml)")
	return cmd
}

// record writes the results as the baseline, and sums up what changed. The summary begins with the table of a check against the
// baseline before, if there was one.
func record(in gate.Input) (summary string, err error) {
	b, changes, err := gate.Accept(in)
	if err != nil {
		return "", app.WithExit(app.ExitIncomplete, err)
	}
	var text strings.Builder
	if in.Baseline != nil {
		o := gate.Check(in)
		if err := render.Changes(&text, &o); err != nil {
			return "", err
		}
	}
	fmt.Fprintf(&text, "%s: accepted: %s\n%s", in.Experiment, changes, changes.Fits)
	for _, n := range changes.Notes {
		text.WriteString("\nnote: " + sanitize.Line(n))
	}
	for _, n := range changes.Lost {
		text.WriteString("\nwarning: no longer in the file: " + sanitize.Line(n))
	}
	return text.String(), files.Replace(in.File, b.Write)
}
