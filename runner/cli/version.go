package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"tenfold/io/results"
	"tenfold/runner/cli/app"
	"tenfold/runner/execute"
)

func versionCommand(a *app.App) *cobra.Command {
	format := app.AsText
	check := false
	cmd := &cobra.Command{
		Use: "version [RUN...]", Short: "Print the version, and what it was built from",
		Long: "With --check it says which version made each run: those that are named, or all in runs/. Nothing is asked over the network.",
		Args: app.CheckArguments(cobra.ArbitraryArgs),
		RunE: func(_ *cobra.Command, args []string) error {
			b := execute.ThisBuild()
			if err := app.CheckFormat(format, app.AsText, app.AsJSON); err != nil {
				return err
			}
			if len(args) > 0 && !check {
				return app.Invalid(fmt.Errorf("%s: runs are compared with --check", args[0]))
			}
			if check {
				return checkVersions(a, b, args)
			}
			if format == app.AsJSON {
				return json.NewEncoder(a.Raw).Encode(b)
			}
			a.Printf("tenfold %s\ncommit   %s\ngo       %s\nplatform %s\n", b.Version, buildCommit(b), b.Go, b.Platform)
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "of what is printed: text or json")
	cmd.Flags().BoolVar(&check, "check", false, "say which version made each run, from what stands in its files")
	return cmd
}

// checkVersions says of each run whether this program made it.
func checkVersions(a *app.App, b execute.Build, runs []string) error {
	if err := app.CheckFolders(runs); err != nil {
		return err
	}
	if len(runs) == 0 {
		runs = app.RunsHere()
	}
	a.Printf("tenfold %s, commit %s\n", b.Version, buildCommit(b))
	for _, dir := range runs {
		made, err := results.ReadFooter(filepath.Join(dir, results.ResultsFile))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			a.Printf("%s: has no results yet\n", dir)
		case err != nil:
			return app.Invalid(err)
		case made.Provenance.Version == b.Version:
			a.Printf("%s: made by this version\n", dir)
		default:
			a.Printf("%s: made by %s; tenfold why says which fits would run again\n", dir, made.Provenance.Version)
		}
	}
	return nil
}

func buildCommit(b execute.Build) string {
	text := cmp.Or(b.Commit, "unknown")
	if b.Date != "" {
		text += " of " + b.Date
	}
	if b.Dirty {
		text += ", with changes that were not committed"
	}
	return text
}
