package cli

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
)

func exportCommand(a *App) *cobra.Command {
	names, raw := results.TableNames(), false
	cmd := &cobra.Command{
		Use: "export RUN [TABLE]", Short: "Print a table of a run's result files as CSV", Args: checkArguments(cobra.RangeArgs(1, 2)),
		Long: "For programs that read no Parquet. The tables are " + strings.Join(names, ", ") + "; the first one unless another is named.\nMissing values are empty cells.",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFolders(args[:1]); err != nil {
				return err
			}
			table := names[0]
			if len(args) > 1 {
				table = args[1]
			}
			if !slices.Contains(names, table) {
				return invalidInput(fmt.Errorf("unknown table %q%s", table, suggest.Choices(table, names)))
			}
			err := results.Export(sanitize.NewCSV(a.data, raw), args[0], table)
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%s has no %s.parquet", args[0], table)
			}
			return invalidInput(err)
		},
	}
	addRawFlag(cmd, &raw)
	return cmd
}
