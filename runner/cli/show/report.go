package show

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/sanitize"
	"tenfold/reports"
	"tenfold/reports/drawing"
	"tenfold/runner/cli/app"
	"tenfold/runner/metric"
)

// ReportCommand returns the command report.
func ReportCommand(a *app.App) *cobra.Command {
	var o reports.Override
	var format string
	var filter, figures []string
	raw := false
	cmd := &cobra.Command{
		Use: "report RUN", Short: "Render again from the Parquet files of a run", Args: app.CheckArguments(cobra.ExactArgs(1)),
		Long: "Writes report.md, report.html and the figures into the run's folder again.\nWith flags on tables, prints what they ask for instead.",
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.Filter, err = parseFilter(filter); err != nil {
				return app.Invalid(err)
			}
			if err := app.CheckFormat(format, app.TableFormats...); err != nil {
				return err
			}
			if format, err = app.RawFormat(format, raw); err != nil {
				return err
			}
			for _, f := range figures {
				if err := param.OneOf("--figures", f, drawing.SVG, drawing.PNG, drawing.PDF, drawing.CSV); err != nil {
					return app.Invalid(err)
				}
			}
			tablesOnly := o.Narrows() || cmd.Flags().Changed("format")
			if tablesOnly && len(figures) > 0 {
				return app.Invalid(errors.New("--figures is for the files of the report, which flags on tables do not write"))
			}
			tool, err := a.ToolSettings(cmd.Flags())
			if err != nil {
				return err
			}
			return printReport(a, args[0], format, o, tablesOnly, figures, app.MemoryOptions(tool).Memory)
		},
	}
	cmd.Flags().StringVar(&format, "format", app.AsMarkdown, "of the tables: "+strings.Join(app.TableFormats, ", "))
	cmd.Flags().StringVar(&o.Table, "table", "", "the table of this name alone")
	cmd.Flags().StringSliceVar(&figures, "figures", nil, "formats of the figures, by commas: svg, png, pdf, csv (the numbers shown); by default those of the file")
	cmd.Flags().StringVar(&o.Rows, "rows", "", "dimensions of the rows: algorithm, dataset, metric, a grid parameter")
	cmd.Flags().StringVar(&o.Columns, "columns", "", "dimensions of the columns")
	cmd.Flags().StringVar(&o.Metric, "metric", "", "metrics, by commas")
	app.AddRawFlag(cmd, &raw)
	app.AddMemoryFlag(cmd)
	cmd.Flags().StringArrayVar(&filter, "filter", nil, "DIMENSION=VALUE; alternatives by commas, * and ? match")
	return cmd
}

func printReport(a *app.App, dir, format string, o reports.Override, tablesOnly bool, figures []string, memory int64) error {
	if os.Getenv("GOGC") == "" {
		// One short computation on a large heap: collecting less often saves a tenth of its time, for a third more memory, if there is any.
		defer debug.SetGCPercent(debug.SetGCPercent(400))
	}
	if memory > 0 && os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory))
	}
	frozen, err := a.ReadPlan(dir)
	if err != nil {
		return err
	}
	if _, err := parseMetrics(o.Metric, frozen.Defined); err != nil {
		return app.Invalid(err)
	}
	if tablesOnly {
		return app.Invalid(writeTables(a.Output(format), dir, format, frozen, o))
	}
	text, err := RenderReport(a, dir, frozen, figures...)
	if err != nil {
		return err
	}
	return a.PrintText(strings.TrimRight(text, "\n") + "\n\n" + ReportLines(dir))
}

// parseMetrics splits a list at commas and refuses metrics that are neither known nor defined by the experiment file.
func parseMetrics(list string, defined metric.Set) ([]string, error) {
	var out []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if _, ok := defined.Find(name); !ok {
			return nil, fmt.Errorf("--metric %s: no metric %q%s", list, name, suggest.Choices(name, defined.Names()))
		}
		out = append(out, name)
	}
	return out, nil
}

func parseFilter(list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, s := range list {
		key, value, ok := strings.Cut(s, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("--filter %s: expected DIMENSION=VALUE", s)
		}
		out[key] = value
	}
	return out, nil
}

// ReportLines returns the lines that name the two forms of the report in a run's folder.
func ReportLines(dir string) string {
	return sanitize.Sprintf("report  %s\npage    %s\n", filepath.Join(dir, "report.md"), filepath.Join(dir, "report.html"))
}

// ResultLines returns the lines that name the file of results and their digest.
func ResultLines(path, digest string) string {
	return sanitize.Sprintf("results %s\ndigest %s\n", path, digest)
}
