// Package cli is the command line: arguments in, exit codes out. What it cannot know (engines, formats, how reports
// look) main hands it.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/io/yamlerr"
	"tenfold/runner"
	"tenfold/runner/describe"
	"tenfold/runner/draft"
	"tenfold/runner/metric"
	"tenfold/runner/progress"
	"tenfold/runner/session"
	"tenfold/runner/settings"
	"tenfold/runner/spec"
)

// Exit codes, as users script against them.
const (
	ExitOK          = 0
	ExitTool        = 1   // the tool failed
	ExitInvalid     = 2   // the experiment, the arguments or the data are invalid
	ExitRegression  = 3   // the gate found one
	ExitIncomplete  = 4   // some cells failed or never ran
	ExitInterrupted = 130 // by Ctrl-C or a termination signal
)

// Reporter renders the files of a finished run.
type Reporter interface {
	// Sections points to a new struct for the sections of a file that reports and the gate are made by.
	Sections() any
	// Render writes report.md, report.html and figures into the run's folder from its Parquet files, and returns the
	// comparison tables as text.
	Render(dir string, a About) (tables string, err error)
	// Tables renders what an override asks for to a stream.
	Tables(w io.Writer, dir string, a About, o Override) error
	// Baseline is an error where there is such a file and it cannot be read as a baseline.
	Baseline(path string) error
	// Check compares a run with its baseline by the rules of its file.
	Check(g Gated) (Verdict, error)
	// Accept records a run as its baseline and sums up what changed.
	Accept(g Gated) (summary string, err error)
	// Verdicts writes what Check found of several experiments: as text, details (text with what passed), markdown, json (an
	// object an experiment), junit (with what is wrong in files) or github.
	Verdicts(w io.Writer, format string, found []Verdict, wrong yamlerr.Mistakes) error
	// Annotate writes, for GitHub's workflows, commands that show what is wrong in files at its places in them.
	Annotate(w io.Writer, wrong yamlerr.Mistakes) error
	// Diff compares two runs; it tells whether there was anything to compare.
	Diff(w io.Writer, c Compared) (some bool, err error)
	// Serve is a handler of pages on runs.
	Serve(s Served) http.Handler
}

// Partly is the error of a Reporter that could make all but some tables or figures.
type Partly struct{ Err error }

func (p Partly) Error() string { return p.Err.Error() }

// About is what a report needs besides the results.
type About struct {
	Name, Title string
	Spec        string // path of the experiment file
	Metrics     []string
	Sections    json.RawMessage // of the frozen plan
	Data        []SetFacts
	Cells       int // planned; 0 when unknown
}

// SetFacts describes one data set of a run.
type SetFacts struct {
	Name         string
	Family, Task string // "" where it is no task
	Folds        int    // planned, repeats included
	Facts        []data.Fact
}

// Override is what the command line says over the report section.
type Override struct {
	Format, Rows, Columns, Metric string
	Filter                        map[string]string
}

// Narrows tells whether it asks for other tables than the file's.
func (o Override) Narrows() bool { return o.Rows+o.Columns+o.Metric != "" || len(o.Filter) > 0 }

// App is the tool.
type App struct {
	describe.Parts
	Models    engines.Models // what restores models of files
	Reporter  Reporter
	Out, Errs io.Writer // results, and everything else

	warned map[string]bool
	voice  *progress.Voice // of the present command
}

// failure is an error with its exit code.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string { return f.err.Error() }
func (f failure) Unwrap() error { return f.err }

func invalid(err error) error { return failure{ExitInvalid, err} }

// Invalid marks an error of a Reporter as one of what it was given rather than of the tool.
func Invalid(err error) error { return invalid(err) }

// Incomplete marks an error of a Reporter as one of results that are not there or cannot be compared.
func Incomplete(err error) error { return failure{ExitIncomplete, err} }

// output remembers the first error of writing results, such as a full disk.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil && err != nil {
		o.err = fmt.Errorf("writing the output: %w", err)
	}
	return n, err
}

// Run executes a command line and returns the exit code.
func (a *App) Run(ctx context.Context, args []string) int {
	out := &output{Writer: shown(a.Out)}
	a.Out = out
	root := a.commands()
	root.SetArgs(args)
	root.SetOut(a.Out)
	root.SetErr(a.Errs)
	err := guarded(func() error { return root.ExecuteContext(ctx) })
	if err == nil {
		err = out.err
	}
	if err == nil {
		return ExitOK
	}
	if ctx.Err() != nil {
		err = failure{ExitInterrupted, errors.New("interrupted; the same command goes on from here")}
	}
	code := exitCode(err)
	a.fail(err, code)
	return code
}

// exitCode of an error; of several that were joined, the lowest: that the tool failed goes before what the gate found.
func exitCode(err error) int {
	switch e := err.(type) {
	case failure:
		if errors.As(e.err, new(files.Unreadable)) { // what the system refuses says nothing of an experiment
			return ExitTool
		}
		return e.code
	case spec.Errors:
		return ExitInvalid
	case interface{ Unwrap() []error }:
		code := ExitIncomplete
		for _, one := range e.Unwrap() {
			code = min(code, exitCode(one))
		}
		return code
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return exitCode(inner)
		}
	}
	return ExitTool
}

func (a *App) commands() *cobra.Command {
	version := false
	root := &cobra.Command{
		Use: "tenfold", SilenceUsage: true, SilenceErrors: true,
		Short: "declarative experiments in feature selection",
		Long: "tenfold runs experiments in feature selection that one YAML file describes.\n\n" +
			"Start with:  tenfold init DATA, which looks at a table of yours and writes an experiment file for it;\n" +
			"or with      tenfold run experiments/quickstart.yaml, which a release and the sources have",
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				fmt.Fprintln(a.Out, "tenfold "+runner.ThisBuild().Version)
				return nil
			}
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(flagged)
	root.Flags().BoolVar(&version, "version", false, "print the version; tenfold version says more")
	flags := root.PersistentFlags()
	flags.StringArray("data", nil, "data folders, where relative file names are looked up (TENFOLD_DATA)")
	flags.String("cache", "", "folder of compiled data sets (TENFOLD_CACHE)")
	groups := []group{
		{"Experiments", []*cobra.Command{a.initCommand(), a.validateCommand(), a.planCommand(), a.runCommand(), a.reportCommand(), a.diffCommand()}},
		{"What can stand in a file", []*cobra.Command{a.describeCommand(), a.dataCommand(), a.schemaCommand()}},
		{"The gate", []*cobra.Command{a.acceptCommand(), a.checkCommand()}},
		{"Models", []*cobra.Command{a.fitCommand(), a.predictCommand(), a.featuresCommand()}},
		{"Runs", []*cobra.Command{a.watchCommand(), a.serveCommand(), a.whyCommand(), a.verifyCommand(), a.reproduceCommand(), a.mergeCommand(), a.gcCommand()}},
		{"Clusters", []*cobra.Command{a.shardCommand(), a.cancelCommand()}},
		{"The tool", []*cobra.Command{a.versionCommand()}},
	}
	for _, g := range groups {
		root.AddCommand(g.commands...)
	}
	grouped(root, groups)
	a.completions(root)
	return root
}

func (a *App) describeCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "describe [engine|format|metric|fold [NAME]]", Short: "Show every part with its parameters, defaults and source",
		Long: "Lists all parts, those of a kind, or tells everything about one: tenfold describe engine lasso, or just tenfold describe lasso.",
		Args: arguments(cobra.MaximumNArgs(2)), ValidArgsFunction: a.completeParts,
		RunE: func(_ *cobra.Command, args []string) error {
			err := wellFormed(format, asText, asMarkdown)
			switch {
			case err != nil:
			case format == asMarkdown:
				err = a.Markdown(a.Out, spec.Reference(a.options(nil)), args...)
			default:
				err = a.Write(a.Out, args...)
			}
			if err != nil {
				return invalid(err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", asText, "text, or markdown; of everything, that is the reference of experiment files")
	return cmd
}

// load reads an experiment file with the sections that others own.
func (a *App) load(path string, sets []string) (f *spec.File, sections any, err error) {
	o := a.options(sets)
	if f, err = spec.Load(path, o); err != nil && draft.IsData(path) {
		err = invalid(fmt.Errorf("%s holds data, and an experiment file was expected; tenfold init %s writes one for it", path, path))
	}
	return f, o.Sections, err
}

// parse reads an experiment file that is kept somewhere else: where, for messages. path is where the file itself was.
func (a *App) parse(where, path, text string) (f *spec.File, sections any, err error) {
	o := a.options(nil)
	if f, err = spec.Parse(path, []byte(text), o); err != nil {
		return nil, nil, invalid(fmt.Errorf("%s: the experiment file in it is not good for this tenfold: %w", where, err))
	}
	return f, o.Sections, nil
}

// options are what experiment files may refer to.
func (a *App) options(sets []string) spec.Options {
	return spec.Options{
		Engines: a.Engines, Wrappers: a.Wrappers, Formats: a.Formats, Sections: a.Reporter.Sections(), Sets: sets, MetricNames: metric.Names(),
		Described: metric.Described(nil),
		Metrics: func(name string) (data.Type, bool) {
			m, ok := metric.Find(name)
			return m.Target, ok
		},
	}
}

// places are a session's folders.
func places(cmd *cobra.Command, name, out string) (session.Places, settings.Settings, error) {
	s, err := toolSettings(cmd.Flags())
	if err != nil {
		return session.Places{}, s, err
	}
	return session.Places{Run: runFolder(name, out), Cache: s.Cache, Data: s.Data, Memory: reading(s), Most: within(s).Memory}, s, nil
}

// render writes the report; parts that could not be made are a warning.
func (a *App) render(dir string, about About) (tables string, err error) {
	tables, err = a.Reporter.Render(dir, about)
	if partly := (Partly{}); errors.As(err, &partly) {
		a.warn(fmt.Errorf("not everything could be shown: %w", partly.Err))
		err = nil
	}
	return tables, err
}
