package cli

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"tenfold/runner/execute"
)

func (a *App) versionCommand() *cobra.Command {
	format := asText
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version, and what it was built from", Args: checkArguments(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			b := execute.ThisBuild()
			if err := checkFormat(format, asText, asJSON); err != nil {
				return err
			}
			if format == asJSON {
				return json.NewEncoder(a.Out).Encode(b)
			}
			fmt.Fprintf(a.Out, "tenfold %s\ncommit   %s\ngo       %s\nplatform %s\n", b.Version, buildCommit(b), b.Go, b.Platform)
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "of what is printed: text or json")
	return cmd
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
