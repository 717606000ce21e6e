package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/reports"
	"tenfold/reports/cells"
	"tenfold/reports/diff"
	"tenfold/runner/cli/app"
	"tenfold/runner/plan"
)

// DiffCommand returns the command diff.
func DiffCommand(a *app.App) *cobra.Command {
	var c comparison
	var metrics, format string
	raw := false
	cmd := &cobra.Command{
		Use: "diff RUN_A RUN_B", Short: "Compare two runs cell by cell, on the folds they share", Args: app.CheckArguments(cobra.ExactArgs(2)),
		Long: "Cells are matched by data set, algorithm and point of the grid, and paired by the digests of their folds.\n" +
			"Exit code 4: nothing could be compared.",
		RunE: func(cmd *cobra.Command, args []string) error {
			err := app.CheckFormat(format, app.TableFormats...)
			if err == nil {
				format, err = app.RawFormat(format, raw)
			}
			if err != nil {
				return err
			}
			for i, dir := range args {
				if c.plan[i], err = a.ReadPlan(dir); err != nil {
					return err
				}
				c.dir[i] = dir
			}
			if c.metrics, err = parseMetrics(metrics, c.plan[0].Defined); err != nil {
				return app.Invalid(err)
			}
			some, err := c.write(a.Output(format), format)
			if err != nil {
				return app.Invalid(err)
			}
			if !some {
				return app.WithExit(app.ExitIncomplete, fmt.Errorf("%s and %s: nothing can be compared", args[0], args[1]))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&metrics, "metric", "", "metrics to compare, by commas (default: those of RUN_A's experiment)")
	cmd.Flags().StringVar(&format, "format", app.AsMarkdown, "of the tables: "+strings.Join(app.TableFormats, ", "))
	app.AddRawFlag(cmd, &raw)
	cmd.Flags().BoolVar(&c.all, "all", false, "show cells that are equal, too, and list all that one run alone has")
	return cmd
}

// comparison is two runs that are compared.
type comparison struct {
	dir     [2]string
	plan    [2]*plan.Frozen
	metrics []string // none means those of the first
	all     bool     // also what is equal
}

// write writes the tables of the comparison; some reports whether anything could be compared.
func (c comparison) write(w io.Writer, format string) (some bool, err error) {
	metrics := c.metrics
	if len(metrics) == 0 {
		metrics = c.plan[0].Metrics
	}
	err = WithResults(c.dir[0], c.plan[0], func(_ reports.Sections, a reports.Input) error {
		return WithResults(c.dir[1], c.plan[1], func(_ reports.Sections, b reports.Input) error {
			result := diff.Compare(diff.Input{
				A:       diff.Run{Name: c.dir[0], Cells: cells.AcrossTasks(a.Cells()), Source: a.Source},
				B:       diff.Run{Name: c.dir[1], Cells: cells.AcrossTasks(b.Cells()), Source: b.Source},
				Metrics: metrics, All: c.all,
			})
			some = result.Compared > 0
			return reports.WriteGrids(w, format, c.dir[0]+" against "+c.dir[1], result.Grids, c.notes(result))
		})
	})
	return some, err
}

// maxListed is the maximum number of listed cells that only one run has.
const maxListed = 10

// notes returns what a comparison reports besides its tables.
func (c comparison) notes(r diff.Result) []string {
	notes := r.Notes
	for i, cells := range [][]string{r.OnlyA, r.OnlyB} {
		if len(cells) > 0 {
			listed, more := cells, ""
			if n := len(listed); n > maxListed && !c.all {
				listed, more = listed[:maxListed], fmt.Sprintf("; and %d more (--all lists them)", n-maxListed)
			}
			notes = append(notes, fmt.Sprintf("only in %s: %s%s", c.dir[i], strings.Join(listed, "; "), more))
		}
	}
	return notes
}
