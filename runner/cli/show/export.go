package show

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/engines/suggest"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/runner/cli/app"
)

// ExportCommand returns the command export.
func ExportCommand(a *app.App) *cobra.Command {
	names, raw := results.TableNames(), false
	cmd := &cobra.Command{
		Use: "export RUN [TABLE]", Short: "Print a table of a run's result files as CSV", Args: app.CheckArguments(cobra.RangeArgs(1, 2)),
		Long: "For programs that read no Parquet. The tables are " + strings.Join(names, ", ") + "; the first one unless another is named.\nMissing values are empty cells.",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := app.CheckFolders(args[:1]); err != nil {
				return err
			}
			table := names[0]
			if len(args) > 1 {
				table = args[1]
			}
			if !slices.Contains(names, table) {
				return app.Invalid(fmt.Errorf("unknown table %q%s", table, suggest.Choices(table, names)))
			}
			err := results.Export(sanitize.NewCSV(a.Raw, raw), args[0], table)
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%s has no %s.parquet", args[0], table)
			}
			return app.Invalid(err)
		},
	}
	app.AddRawFlag(cmd, &raw)
	return cmd
}
