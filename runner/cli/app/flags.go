package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tenfold/runner/settings"
)

// AddWorkersFlag adds --jobs to commands that do one thing on several processors.
func AddWorkersFlag(cmd *cobra.Command) {
	cmd.Flags().Int("jobs", 0, "processors to use; 0 for all (TENFOLD_JOBS)")
}

// AddSetFlag adds --set to commands that read an experiment file.
func AddSetFlag(cmd *cobra.Command, sets *[]string) {
	cmd.Flags().StringArrayVar(sets, "set", nil, "change the file before it is checked, such as algorithms.stagewise.params.epsilon=0.05")
}

// ToolSettings merges the tool's settings from flags, environment variables, tenfold.yaml and the user's settings.yaml. It warns of what
// tenfold.yaml says without being allowed to.
func (a *App) ToolSettings(flags *pflag.FlagSet) (settings.Settings, error) {
	s, err := settings.Load(flags, ".")
	if s.LeftOut != nil {
		a.Warn(s.LeftOut)
	}
	return s, Invalid(err)
}

// Formats of what commands print.
const (
	AsText     = "text"
	AsJSON     = "json"
	AsCSV      = "csv"
	AsTSV      = "tsv"
	AsMarkdown = "markdown"
)

// TableFormats are the formats of tables of reports.
var TableFormats = []string{AsMarkdown, "html", "latex", AsCSV, AsTSV}

// CheckFormat returns an error if format is not in have.
func CheckFormat(format string, have ...string) error {
	if slices.Contains(have, format) {
		return nil
	}
	expected := "one of " + strings.Join(have, ", ")
	if len(have) == 2 {
		expected = have[0] + " or " + have[1]
	}
	return Invalid(fmt.Errorf("--format %s: expected %s", format, expected))
}
