package cli

import (
	"github.com/spf13/cobra"

	"tenfold/runner/spec"
)

func (a *App) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of experiment files, for editors", Args: checkArguments(cobra.NoArgs),
		Long: "Editors that know it complete keys and values, explain them, and mark mistakes while a file is written: see docs/editors.md.\n\n" +
			"  tenfold schema > .tenfold.schema.json",
		RunE: func(*cobra.Command, []string) error {
			schema, err := spec.Schema(a.specOptions(nil))
			if err != nil {
				return err
			}
			_, err = a.Out.Write(schema)
			return err
		},
	}
}
