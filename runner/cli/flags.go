package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tenfold/runner/settings"
)

// Flags that several commands have.

// jobsFlag of commands that fit.
func jobsFlag(cmd *cobra.Command) {
	cmd.Flags().Int("jobs", 0, "fits at a time; 0 for one a processor (TENFOLD_JOBS)")
}

// workersFlag of commands with one thing to do.
func workersFlag(cmd *cobra.Command) {
	cmd.Flags().Int("jobs", 0, "processors to use; 0 for all (TENFOLD_JOBS)")
}

// setFlag of commands that read an experiment file.
func setFlag(cmd *cobra.Command, sets *[]string) {
	cmd.Flags().StringArrayVar(sets, "set", nil, "change the file before it is checked, such as algorithms.stagewise.params.epsilon=0.05")
}

// toolSettings is what the user has set of the tool: by flags, variables, or in its file.
func toolSettings(flags *pflag.FlagSet) (settings.Settings, error) {
	s, err := settings.Load(flags, ".")
	if err != nil {
		return s, invalid(err)
	}
	return s, nil
}

// Formats of what commands print.
const (
	asText     = "text"
	asJSON     = "json"
	asCSV      = "csv"
	asMarkdown = "markdown"
)

// tableFormats are those of comparison tables.
var tableFormats = []string{asMarkdown, "html", "latex", asCSV}

// wellFormed refuses a format that is none of those there are.
func wellFormed(format string, have ...string) error {
	if slices.Contains(have, format) {
		return nil
	}
	expected := "one of " + strings.Join(have, ", ")
	if len(have) == 2 {
		expected = have[0] + " or " + have[1]
	}
	return invalid(fmt.Errorf("--format %s: expected %s", format, expected))
}
