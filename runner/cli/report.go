package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/engines/kind"
	"tenfold/runner/metric"
)

func (a *App) reportCommand() *cobra.Command {
	var o Override
	var filter []string
	cmd := &cobra.Command{
		Use: "report RUN", Short: "Render again from the Parquet files of a run", Args: arguments(cobra.ExactArgs(1)),
		Long: "Writes report.md, report.html and the figures into the run's folder again.\nWith flags on tables, prints what they ask for instead.",
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.Filter, err = keyValues(filter); err != nil {
				return invalid(err)
			}
			if err := wellFormed(o.Format, tableFormats...); err != nil {
				return err
			}
			if _, err := readMetrics(o.Metric); err != nil {
				return invalid(err)
			}
			return a.report(args[0], o, o.Narrows() || cmd.Flags().Changed("format"))
		},
	}
	cmd.Flags().StringVar(&o.Format, "format", asMarkdown, "of the tables: "+strings.Join(tableFormats, ", "))
	cmd.Flags().StringVar(&o.Rows, "rows", "", "dimensions of the rows: algorithm, dataset, metric, a grid parameter")
	cmd.Flags().StringVar(&o.Columns, "columns", "", "dimensions of the columns")
	cmd.Flags().StringVar(&o.Metric, "metric", "", "metrics, by commas")
	cmd.Flags().StringArrayVar(&filter, "filter", nil, "DIMENSION=VALUE; alternatives by commas, * and ? match")
	return cmd
}

func (a *App) report(dir string, o Override, tablesOnly bool) error {
	if os.Getenv("GOGC") == "" {
		// One short computation on a large heap: collecting less often saves a tenth of its time, for a third more memory.
		defer debug.SetGCPercent(debug.SetGCPercent(400))
	}
	frozen, err := a.readPlan(dir)
	if err != nil {
		return err
	}
	if tablesOnly {
		if err := a.Reporter.Tables(a.Out, dir, about(frozen), o); err != nil {
			return invalid(err)
		}
		return nil
	}
	text, err := a.render(dir, about(frozen))
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%s\n\nreport  %s\n", strings.TrimRight(text, "\n"), filepath.Join(dir, "report.md"))
	return nil
}

// readMetrics splits a list by commas; a name that no metric has is an error.
func readMetrics(list string) ([]string, error) {
	var out []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if _, ok := metric.Find(name); !ok {
			return nil, fmt.Errorf("--metric %s: no metric %q%s", list, name, kind.Choices(name, metric.Names()))
		}
		out = append(out, name)
	}
	return out, nil
}

func keyValues(list []string) (map[string]string, error) {
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
