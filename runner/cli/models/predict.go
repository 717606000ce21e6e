package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/io/files"
	"tenfold/io/model"
	"tenfold/io/predictions"
	"tenfold/io/sanitize"
	"tenfold/io/source"
	"tenfold/runner/apply"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/methods"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/settings"
)

type predictFlags struct {
	format string
	sets   []string
	files  []string
	to     string
	score  bool
	times  []float64 // at which survival is predicted
	code   string    // folder with the code of the model's methods
	raw    bool      // CSV is for programs
}

// PredictCommand returns the command predict.
func PredictCommand(a *app.App) *cobra.Command {
	var f predictFlags
	cmd := &cobra.Command{
		Use: "predict MODEL DATA...", Short: "Apply a model to files of new rows", Args: app.CheckArguments(cobra.MinimumNArgs(2)),
		Long: "Reads files (or folders, where the format reads these) as the data set was read that the model was fitted to, and writes a row for\n" +
			"each of theirs: its id, the prediction and, for classes, a score or a probability of each level; for two levels also the margin\n" +
			"between them, which tells apart what rounds to a probability of 0 or 1. The files need no responses.",
		Example: "  tenfold predict churn.model.json customers.csv -o predictions.csv\n  tenfold predict churn.model.json last-year.parquet --score > /dev/null",
		RunE:    func(cmd *cobra.Command, args []string) error { return predictFiles(a, cmd, args[0], args[1:], f) },
	}
	cmd.Flags().StringVar(&f.format, "format", "", "how the files are read (default as the model's data set, or by an ending .csv, .tsv, .parquet, .xlsx or .jsonl where that is a table)")
	cmd.Flags().StringArrayVar(&f.sets, "set", nil, "change an option of how files are read, such as delimiter=;")
	cmd.Flags().StringArrayVar(&f.files, "file", nil, "a further file by its role, such as names=columns.txt")
	cmd.Flags().StringVarP(&f.to, "output", "o", "", "where predictions go: a file that ends in .csv or .parquet, or a pipe or device, as CSV (default CSV to the standard output)")
	cmd.Flags().Float64SliceVar(&f.times, "times", nil, "of a survival model: times at which to predict the probability to be without the event yet, in columns survival_TIME, such as 365,1825")
	cmd.Flags().BoolVar(&f.score, "score", false, "read responses, too, and print metrics of the predictions to the standard error")
	cmd.Flags().StringVar(&f.code, methodsFlag, "", "of a model that a method made: the folder that the paths of its code are relative to (default where it was declared)")
	app.AddRawFlag(cmd, &f.raw)
	app.AddWorkersFlag(cmd)
	methods.AddFlags(cmd)
	return cmd
}

// methodsFlag names the folder with the code of a model's methods.
const methodsFlag = "methods"

func predictFiles(a *app.App, cmd *cobra.Command, path string, paths []string, f predictFlags) (failed error) {
	tool, err := a.ToolSettings(cmd.Flags())
	if err != nil {
		return err
	}
	kept, err := model.Read(path)
	if err != nil {
		return app.Invalid(err)
	}
	m, restorer, err := openModel(cmd.Context(), a, path, kept)
	if err != nil {
		return err
	}
	done, err := startMethods(cmd.Context(), a, cmd.Flags(), path, f.code, restorer)
	if err != nil {
		return err
	}
	warnOtherFiles(a, path, kept.Fit.Facts, restorer.Restored)
	defer func() {
		m.Close()
		failed = errors.Join(failed, done())
	}()
	job := prediction{App: a, predictFlags: f, model: m, path: path, tool: tool, several: len(paths) > 1}
	job.namedFiles, err = m.Files(f.files)
	if err != nil {
		return app.Invalid(err)
	}
	write := func(w io.Writer) error { return job.predictAll(cmd.Context(), paths, w) }
	switch ending := strings.ToLower(filepath.Ext(f.to)); {
	case f.to == "":
		return write(a.Raw)
	case isDevice(f.to):
		return writeInto(f.to, write)
	case ending != ".csv" && ending != ".parquet":
		return app.Invalid(fmt.Errorf("-o %s: expected a name that ends in .csv or .parquet", f.to))
	default:
		if _, err := app.RawFormat(ending[1:], f.raw); err != nil {
			return err
		}
	}
	return files.Replace(f.to, write)
}

// isDevice reports whether a name is that of a pipe or a device, such as /dev/null, which is written into and not replaced.
func isDevice(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

func writeInto(name string, write func(io.Writer) error) error {
	to, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(to), to.Close())
}

// prediction applies one model to files.
type prediction struct {
	*app.App
	predictFlags
	model      *apply.Model
	path       string // of the model
	tool       settings.Settings
	namedFiles map[string]files.Ref // further files, by role
	several    bool                 // there are several files, so rows name theirs
}

// predictAll predicts all files, one after the other, and writes them to w.
func (p *prediction) predictAll(ctx context.Context, paths []string, w io.Writer) error {
	out := predictions.NewCSV(w, p.raw)
	if strings.EqualFold(filepath.Ext(p.to), ".parquet") {
		out = predictions.NewParquet(w)
	}
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			return app.Invalid(err)
		}
		rows, err := p.readRows(ctx, path)
		if err != nil {
			return app.Invalid(app.WithPath(path, err))
		}
		found, err := rows.Predict(p.tool.Jobs)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := p.checkTimes(found); err != nil {
			return app.Invalid(err)
		}
		p.warnMismatches(path, rows)
		if p.score {
			if err := p.printScores(path, rows); err != nil {
				return app.Invalid(fmt.Errorf("%s: --score: %w", path, err))
			}
		}
		if err := out.Write(p.outputColumns(path, rows, found), rows.Len()); err != nil {
			return err
		}
	}
	return out.Close()
}

func (p *prediction) readRows(ctx context.Context, path string) (*apply.Rows, error) {
	src, err := p.sourceFor(path)
	if err != nil {
		return nil, err
	}
	refs := maps.Clone(p.namedFiles)
	absolute, err := filepath.Abs(path) // absolute, so that data folders are not searched
	if err != nil {
		return nil, err
	}
	refs["all"] = files.Ref{Path: absolute}
	in, err := files.Open(refs, files.Folders{Data: p.tool.Data, Memory: app.ReadingMemory(p.tool)}, p.tool.Cache)
	if err != nil {
		return nil, err
	}
	rows, err := p.model.Read(ctx, src, in, p.score)
	return rows, files.Instead(in, err, "all")
}

// tableFormatOf maps file endings to the formats that share their options.
var tableFormatOf = map[string]string{".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".xlsx": "xlsx", ".xlsm": "xlsx", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}

// sourceFor returns a source that reads the file as the model's data set was read.
func (p *prediction) sourceFor(path string) (source.Source, error) {
	d := p.model.Data
	format := p.format
	if format == "" {
		format = d.Format
		ending := strings.ToLower(filepath.Ext(strings.TrimSuffix(path, ".gz")))
		if table, ok := tableFormatOf[ending]; ok && slices.Contains(slices.Collect(maps.Values(tableFormatOf)), d.Format) {
			format = table
		}
	}
	k, err := p.Formats.Lookup(format)
	if err != nil {
		return nil, fmt.Errorf("unknown format %w", err)
	}
	if len(k.Defaults().Declares().Roles) == 1 && len(k.Defaults().Declares().Roles[0]) == 0 {
		return nil, fmt.Errorf("the model's data set is of format %s, which makes its rows itself; say how these are read with --format", format)
	}
	options := []byte(sanitize.Text(string(d.Options))) // JSON may have characters that YAML takes only as escapes
	if format != d.Format {
		var left []string
		if options, left, err = experiment.Shared(k, options); err != nil {
			return nil, err
		}
		if len(left) > 0 {
			p.Console().Say(slog.LevelInfo, "options", fmt.Sprintf("%s: read as %s; of the options for %s it has no %s", path, format, d.Format, strings.Join(left, ", ")))
		}
	} else if k.Rev != d.Rev {
		p.Warn(fmt.Errorf("%s: format %s was revised since the model was fitted (%d, was %d): it may read rows differently", p.path, format, k.Rev, d.Rev))
	}
	return experiment.NewSource(k, options, p.sets, p.path+": data")
}

// warnMismatches warns of columns and values in a file that the model does not know or that it lacks.
func (p *prediction) warnMismatches(path string, r *apply.Rows) {
	some := func(names []string) string { return source.Abridge(names[:min(5, len(names))]) }
	more := func(names []string) string {
		if len(names) > 5 {
			return ", …"
		}
		return ""
	}
	if n := len(r.Levels); n > 0 {
		p.Warn(fmt.Errorf("%s: %s that the model was not fitted to: %s%s; rows with one have none of the known levels", path, app.Pluralize(n, "level"), some(r.Levels), more(r.Levels)))
	}
	switch used := p.model.Preparation.Used(); {
	case used > 0 && r.Absent == used:
		p.Warn(fmt.Errorf("%s: none of the %s that the model uses is in the file: the predictions are all the same", path, app.Pluralize(used, "column")))
	case len(r.Unknown) > 0 || r.Absent > 0:
		var met []string
		if n := len(r.Unknown); n > 0 {
			met = append(met, app.Pluralize(n, "column")+" that the model does not know, passed over")
		}
		if r.Absent > 0 {
			met = append(met, fmt.Sprintf("of the %s that the model uses %d in no row", app.Pluralize(used, "column"), r.Absent))
		}
		p.Console().Say(slog.LevelInfo, "columns", path+": "+strings.Join(met, "; "))
	}
	if r.Filled > 0 {
		p.Console().Say(slog.LevelInfo, "missing", fmt.Sprintf("%s: %s filled in as in the rows that the model was fitted to", path, app.Pluralize(r.Filled, "missing value")))
	}
	if len(r.Account.Rows.Unused) > 0 {
		p.Warn(fmt.Errorf("%s: rows: %s", path, r.Account.Rows))
	}
}

// printScores prints the metrics of a file that has responses.
func (p *prediction) printScores(path string, r *apply.Rows) error {
	scores, responses, err := r.Scores(p.tool.Jobs)
	if err != nil {
		return err
	}
	left := ""
	if len(r.Labels) > 0 {
		left = fmt.Sprintf(", rows with other labels left out (%s)", source.Abridge(r.Labels))
	}
	text := sanitize.Sprintf("%s: %s%s", path, app.Pluralize(responses, "response"), left)
	var values []slog.Attr
	for _, s := range scores {
		if s.Output == "" && !strings.HasPrefix(s.Metric, "train_") {
			text += sanitize.Sprintf("\n  %-20s %.6g", s.Metric, s.Value)
			values = append(values, slog.Float64(s.Metric, s.Value))
		}
	}
	p.Console().SayLines(slog.LevelWarn, "scores", text, values...) // printed also with --quiet: --score asks for it
	return nil
}

// checkTimes returns an error for times about which the model says nothing.
func (p *prediction) checkTimes(found []execute.Predicted) error {
	for _, t := range p.times {
		if !(t > 0) || math.IsInf(t, 0) {
			return fmt.Errorf("--times %v: expected times above 0", t)
		}
		for _, one := range found {
			switch {
			case one.Target.Type != data.Survival:
				return fmt.Errorf("--times: %s is not a model of survival: it predicts %s", p.path, one.Target.Name)
			case one.Baseline == nil:
				return fmt.Errorf("--times: engine %s estimates no baseline hazard, so that %s predicts risks alone", p.model.Engine, p.path)
			}
			if last := one.Baseline.Time[len(one.Baseline.Time)-1]; t > last {
				return fmt.Errorf("--times %v: the last event of the rows that %s was fitted to is at %v, and beyond it nothing is known", t, p.path, last)
			}
		}
	}
	return nil
}

// outputColumns returns the columns of the predictions: the file if there are several, the row's id, and for each target the
// prediction, for counts with exposures the rate, and for classes a column for each level. With several targets, column names end in the target's name.
func (p *prediction) outputColumns(path string, r *apply.Rows, found []execute.Predicted) []predictions.Column {
	var out []predictions.Column
	if p.several {
		out = append(out, predictions.Column{Name: "file", Text: func(int) string { return path }})
	}
	out = append(out, predictions.Column{Name: "row", Text: r.ID})
	for _, one := range found {
		suffix := ""
		if len(found) > 1 {
			suffix = "_" + one.Target.Name
		}
		if one.Target.Type != data.Class {
			out = append(out, predictions.Column{Name: "prediction" + suffix, Number: func(i int) float64 { return one.Value[i] }})
			if one.Rate != nil {
				out = append(out, predictions.Column{Name: "rate" + suffix, Number: func(i int) float64 { return one.Rate[i] }})
			}
			for _, t := range p.times {
				name := "survival" + suffix + "_" + strconv.FormatFloat(t, 'g', -1, 64)
				out = append(out, predictions.Column{Name: name, Number: func(i int) float64 { return one.Baseline.Survival(t, one.Value[i]) }})
			}
			continue
		}
		out = append(out, predictions.Column{Name: "prediction" + suffix, Text: func(i int) string { return one.Target.Levels[int(one.Value[i])] }})
		what, shown := "score", func(score float64) float64 { return score }
		if one.Probabilities {
			what, shown = "probability", elementary.Exp
		}
		n := len(one.Target.Levels)
		for l, level := range one.Target.Levels {
			out = append(out, predictions.Column{Name: what + suffix + "_" + level, Number: func(i int) float64 { return shown(one.Score[i*n+l]) }})
		}
		if n == 2 {
			l := one.Target.Positive
			out = append(out, predictions.Column{Name: "margin" + suffix, Number: func(i int) float64 { return one.Score[i*n+l] - one.Score[i*n+1-l] }})
		}
	}
	return out
}
