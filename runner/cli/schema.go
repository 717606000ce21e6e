package cli

import (
	"github.com/spf13/cobra"

	"tenfold/runner/cli/app"
	"tenfold/runner/experiment"
)

func schemaCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "schema [FILE]", Short: "Print the JSON Schema of experiment files, for editors", Args: app.CheckArguments(cobra.MaximumNArgs(1)),
		Long: "Editors that know it complete keys and values, explain them, and mark mistakes while a file is written: see docs/editors.md.\n\n" +
			"  tenfold schema > .tenfold.schema.json\n\n" +
			"With a file, its methods are engines of the schema, with their parameters.",
		RunE: func(_ *cobra.Command, args []string) error {
			o := a.ExperimentOptions(nil)
			if len(args) > 0 {
				file, _, err := a.LoadFile(args[0], nil)
				if err != nil {
					return app.Invalid(err)
				}
				o.Engines = file.Engines
			}
			schema, err := experiment.Schema(o)
			if err != nil {
				return err
			}
			_, err = a.Raw.Write(schema)
			return err
		},
	}
}
