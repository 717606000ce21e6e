// Package cli is the tree of commands: it runs a command line and returns the exit code. Most commands are in the
// packages below it, one for each subject, and what they share in app; here are those that only print what the tool
// itself is or knows (version, describe, schema), folds, help, completion in shells, and errors of flags. main passes in
// what it cannot import: the engines and the formats. Begin with Run and rootCommand.
package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/runner/cli/app"
	"tenfold/runner/cli/checks"
	"tenfold/runner/cli/datafiles"
	"tenfold/runner/cli/experiments"
	"tenfold/runner/cli/methods"
	"tenfold/runner/cli/models"
	"tenfold/runner/cli/runs"
	"tenfold/runner/cli/show"
	"tenfold/runner/cli/wizard"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
)

// Run executes a command line and returns the exit code.
func Run(ctx context.Context, a *app.App, args []string) int {
	out := a.EscapeNames()
	root := rootCommand(a)
	root.SetArgs(args)
	root.SetOut(a.Out)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		root.SetOut(candidates{a.Raw})
	}
	root.SetErr(a.Errs)
	err := recoverPanics(func() error { return root.ExecuteContext(ctx) })
	if err == nil {
		err = out.Err
	}
	if err == nil {
		return app.ExitOK
	}
	if ctx.Err() != nil {
		err = app.WithExit(app.ExitInterrupted, errors.New("interrupted; the same command goes on from here"))
	}
	code := app.ExitCode(err)
	a.PrintError(err, code)
	return code
}

// Commands returns the tree of commands, for manual pages.
func Commands(a *app.App) *cobra.Command { return rootCommand(a) }

func rootCommand(a *app.App) *cobra.Command {
	version := false
	root := &cobra.Command{
		Use: "tenfold", SilenceUsage: true, SilenceErrors: true,
		Short: "declarative experiments in feature selection",
		Long: "tenfold runs experiments in feature selection that one YAML file describes.\n\n" +
			"Start with:  tenfold init DATA, which looks at a table of yours and writes an experiment file for it;\n" +
			"or with      tenfold demo, which runs a small experiment and opens its report",
		Args: app.UnknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				b := execute.ThisBuild()
				a.Printf("tenfold %s, commit %s, %s %s\n", b.Version, buildCommit(b), b.Go, b.Platform)
				return nil
			}
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.Flags().BoolVar(&version, "version", false, "print the version; tenfold version says more")
	flags := root.PersistentFlags()
	flags.StringArray("data", nil, "data folders, where relative file names are looked up (TENFOLD_DATA)")
	flags.String("cache", "", "folder of compiled data sets (TENFOLD_CACHE)")
	groups := []commandGroup{
		{"Experiments", []*cobra.Command{wizard.Command(a), experiments.DemoCommand(a), experiments.ValidateCommand(a), experiments.PlanCommand(a), experiments.RunCommand(a), show.ReportCommand(a), show.SupplementCommand(a), show.ExportCommand(a), show.DiffCommand(a)}},
		{"What can stand in a file", []*cobra.Command{describeCommand(a), datafiles.Command(a), schemaCommand(a), methods.Command(a), foldsCommand(a)}},
		{"The gate", []*cobra.Command{checks.AcceptCommand(a), checks.CheckCommand(a)}},
		{"Models", []*cobra.Command{models.FitCommand(a), models.PredictCommand(a), models.FeaturesCommand(a)}},
		{"Runs", []*cobra.Command{show.WatchCommand(a), show.ServeCommand(a), show.SiteCommand(a), experiments.WhyCommand(a), runs.VerifyCommand(a), runs.ReproduceCommand(a), runs.MergeCommand(a), runs.GcCommand(a)}},
		{"Clusters", []*cobra.Command{runs.ShardCommand(a), experiments.CancelCommand(a)}},
		{"The tool", []*cobra.Command{versionCommand(a)}},
	}
	for _, g := range groups {
		root.AddCommand(g.commands...)
	}
	setGroupedHelp(root, groups)
	completions{a}.registerCompletions(root)
	refuseRepeated(root)
	return root
}

func describeCommand(a *app.App) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "describe [engine|section|format|metric|fold [NAME]]", Short: "Show every part with its parameters, defaults and source",
		Long: "Lists all parts, those of a kind, or tells everything about one: tenfold describe engine lasso, or just tenfold describe lasso.",
		Args: app.CheckArguments(cobra.MaximumNArgs(2)), ValidArgsFunction: completions{a}.completeParts,
		RunE: func(_ *cobra.Command, args []string) error {
			err := app.CheckFormat(format, app.AsText, app.AsMarkdown)
			switch {
			case err != nil:
			case format == app.AsMarkdown:
				err = a.Markdown(a.Out, experiment.Reference(a.ExperimentOptions(nil)), args...)
			default:
				err = a.Write(a.Out, args...)
			}
			return app.Invalid(err)
		},
	}
	cmd.Flags().StringVar(&format, "format", app.AsText, "text, or markdown; of everything, that is the reference of experiment files")
	return cmd
}
