package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// commandGroup is a section of the root's help.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

// setGroupedHelp lists the commands of root in groups. The help of the commands themselves stays as it is.
func setGroupedHelp(root *cobra.Command, groups []commandGroup) {
	usual := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd != root {
			usual(cmd, args)
			return
		}
		w := tabwriter.NewWriter(root.OutOrStdout(), 0, 4, 2, ' ', 0)
		fmt.Fprintf(w, "%s\n\nUsage: tenfold COMMAND ...\n", root.Long)
		for _, g := range groups {
			fmt.Fprintf(w, "\n%s\n", g.title)
			for _, c := range g.commands {
				fmt.Fprintf(w, "  %s\t%s\n", c.Name(), c.Short)
			}
		}
		for _, c := range root.Commands() {
			if c.Name() == "completion" { // which the library adds
				fmt.Fprintf(w, "  %s\t%s\n", c.Name(), "Print a script that completes commands, cells and columns in a shell")
			}
		}
		fmt.Fprintf(w, "\nFlags\n")
		w.Flush()
		fmt.Fprintf(root.OutOrStdout(), "%s\n\ntenfold COMMAND --help says more about one.\n", strings.TrimRight(root.Flags().FlagUsages(), "\n"))
	})
}
