package cli

import (
	"github.com/spf13/cobra"

	"tenfold/runner/experiment"
)

func schemaCommand(a *App) *cobra.Command {
	return &cobra.Command{
		Use: "schema [FILE]", Short: "Print the JSON Schema of experiment files, for editors", Args: checkArguments(cobra.MaximumNArgs(1)),
		Long: "Editors that know it complete keys and values, explain them, and mark mistakes while a file is written: see docs/editors.md.\n\n" +
			"  tenfold schema > .tenfold.schema.json\n\n" +
			"With a file, its methods are engines of the schema, with their parameters.",
		RunE: func(_ *cobra.Command, args []string) error {
			o := a.specOptions(nil)
			if len(args) > 0 {
				file, _, err := a.loadFile(args[0], nil)
				if err != nil {
					return invalidInput(err)
				}
				o.Engines = file.Engines
			}
			schema, err := experiment.Schema(o)
			if err != nil {
				return err
			}
			_, err = a.data.Write(schema)
			return err
		},
	}
}
