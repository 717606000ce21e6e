// Package cli is the command line: it turns arguments into calls and errors into exit codes. main passes in what it
// cannot import: the engines, the formats and the reporter.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/reports"
	"tenfold/runner"
	"tenfold/runner/describe"
	"tenfold/runner/draft/inspect"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/metric"
	"tenfold/runner/progress"
	"tenfold/runner/settings"
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

// App is the command line tool: the parts it is built from, and its output streams.
type App struct {
	describe.Parts
	Models    engines.Models // restore models from files
	Out, Errs io.Writer      // results, and everything else

	data    io.Writer // results for programs
	live    io.Writer // standard error for the console, which escapes names itself
	warned  map[string]bool
	console *progress.Console // of the present command
}

// failure is an error with the exit code it ends the process with.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string { return f.err.Error() }
func (f failure) Unwrap() error { return f.err }

// invalidInput gives err the exit code of invalid files, arguments or data; nil stays nil.
func invalidInput(err error) error {
	if err == nil {
		return nil
	}
	return failure{ExitInvalid, err}
}

// errorKeepingWriter keeps the first error of writing results, such as a full disk.
type errorKeepingWriter struct {
	io.Writer
	err error
}

func (o *errorKeepingWriter) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil && err != nil {
		o.err = fmt.Errorf("writing the output: %w", err)
	}
	return n, err
}

// Run executes a command line and returns the exit code.
func (a *App) Run(ctx context.Context, args []string) int {
	out := a.escapeNames()
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(a.Out)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		root.SetOut(candidates{a.data})
	}
	root.SetErr(a.Errs)
	err := recoverPanics(func() error { return root.ExecuteContext(ctx) })
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
	a.printError(err, code)
	return code
}

// exitCode returns the exit code of err. Of joined errors the lowest code wins: that the tool failed matters more
// than what the gate found.
func exitCode(err error) int {
	switch e := err.(type) {
	case failure:
		if files.Fault(e.err) { // which does not make the experiment invalid
			return ExitTool
		}
		return e.code
	case reading.Errors:
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

// Commands returns the tree of commands, for manual pages.
func (a *App) Commands() *cobra.Command { return a.rootCommand() }

func (a *App) rootCommand() *cobra.Command {
	version := false
	root := &cobra.Command{
		Use: "tenfold", SilenceUsage: true, SilenceErrors: true,
		Short: "declarative experiments in feature selection",
		Long: "tenfold runs experiments in feature selection that one YAML file describes.\n\n" +
			"Start with:  tenfold init DATA, which looks at a table of yours and writes an experiment file for it;\n" +
			"or with      tenfold run experiments/quickstart.yaml, which a release and the sources have",
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				a.printf("%s\n", "tenfold "+execute.ThisBuild().Version)
				return nil
			}
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.Flags().BoolVar(&version, "version", false, "print the version; tenfold version says more")
	flags := root.PersistentFlags()
	flags.StringArray("data", nil, "data folders, where relative file names are looked up (TENFOLD_DATA)")
	flags.String("cache", "", "folder of compiled data sets (TENFOLD_CACHE)")
	groups := []commandGroup{
		{"Experiments", []*cobra.Command{a.initCommand(), a.validateCommand(), a.planCommand(), a.runCommand(), a.reportCommand(), a.exportCommand(), a.diffCommand()}},
		{"What can stand in a file", []*cobra.Command{a.describeCommand(), a.dataCommand(), a.schemaCommand(), a.methodCommand(), a.foldsCommand()}},
		{"The gate", []*cobra.Command{a.acceptCommand(), a.checkCommand()}},
		{"Models", []*cobra.Command{a.fitCommand(), a.predictCommand(), a.featuresCommand()}},
		{"Runs", []*cobra.Command{a.watchCommand(), a.serveCommand(), a.whyCommand(), a.verifyCommand(), a.reproduceCommand(), a.mergeCommand(), a.gcCommand()}},
		{"Clusters", []*cobra.Command{a.shardCommand(), a.cancelCommand()}},
		{"The tool", []*cobra.Command{a.versionCommand()}},
	}
	for _, g := range groups {
		root.AddCommand(g.commands...)
	}
	setGroupedHelp(root, groups)
	a.registerCompletions(root)
	refuseRepeated(root)
	return root
}

func (a *App) describeCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "describe [engine|section|format|metric|fold [NAME]]", Short: "Show every part with its parameters, defaults and source",
		Long: "Lists all parts, those of a kind, or tells everything about one: tenfold describe engine lasso, or just tenfold describe lasso.",
		Args: checkArguments(cobra.MaximumNArgs(2)), ValidArgsFunction: a.completeParts,
		RunE: func(_ *cobra.Command, args []string) error {
			err := checkFormat(format, asText, asMarkdown)
			switch {
			case err != nil:
			case format == asMarkdown:
				err = a.Markdown(a.Out, experiment.Reference(a.specOptions(nil)), args...)
			default:
				err = a.Write(a.Out, args...)
			}
			return invalidInput(err)
		},
	}
	cmd.Flags().StringVar(&format, "format", asText, "text, or markdown; of everything, that is the reference of experiment files")
	return cmd
}

// loadFile reads an experiment file and decodes the sections that belong to reports and the gate.
func (a *App) loadFile(path string, sets []string) (f *experiment.File, sections any, err error) {
	o := a.specOptions(sets)
	if f, err = experiment.Load(path, o); err != nil && inspect.IsData(path) {
		err = invalidInput(fmt.Errorf("%s holds data, and an experiment file was expected; tenfold init %s writes one for it", path, path))
	}
	return f, o.Sections, err
}

// loadAgain reads the text of a file again, with what runs its methods.
func (a *App) loadAgain(file *experiment.File, sets []string, methods algorithm.Methods) (f *experiment.File, sections any, err error) {
	o := a.specOptions(sets)
	o.Methods = methods
	f, err = file.Again(o)
	return f, o.Sections, err
}

// parseStored reads the text of an experiment file that was stored with results. Messages name where it is stored;
// path is where the file itself was.
func (a *App) parseStored(where, path, text string, methods algorithm.Methods) (f *experiment.File, sections any, err error) {
	o := a.specOptions(nil)
	o.Methods = methods
	if f, err = experiment.Parse(path, []byte(text), o); err != nil {
		return nil, nil, invalidInput(fmt.Errorf("%s: the experiment file in it is not good for this tenfold: %w", where, err))
	}
	a.markStored(f)
	return f, o.Sections, nil
}

// markStored marks methods of a text stored with results if the file that they name does not declare them in the same way: consent
// to the folder of that file does not cover them.
func (a *App) markStored(f *experiment.File) {
	declared := map[string]bool{}
	if len(f.Methods) > 0 {
		if there, _, err := a.loadFile(f.Path, nil); err == nil {
			for _, d := range there.Methods {
				declared[d.Digest()] = true
			}
		}
	}
	for _, d := range f.Methods {
		d.Stored = d.File == f.Path && !declared[d.Digest()]
	}
}

// specOptions lists what experiment files may refer to.
func (a *App) specOptions(sets []string) experiment.Options {
	sections := reports.DefaultSections()
	return experiment.Options{
		Engines: a.Engines, Wrappers: a.Wrappers, Formats: a.Formats, Sections: &sections, Sets: sets, MetricNames: metric.Names(),
		Described: metric.Described(nil),
		Metrics: func(name string) (data.Type, bool) {
			m, ok := metric.Find(name)
			return m.Target, ok
		},
	}
}

// sessionPlaces returns the folders and memory limits of a session, and the tool's settings.
func (a *App) sessionPlaces(cmd *cobra.Command, name, out string) (runner.Places, settings.Settings, error) {
	s, err := a.toolSettings(cmd.Flags())
	if err != nil {
		return runner.Places{}, s, err
	}
	return runner.Places{Run: runFolder(name, out), Cache: s.Cache, Data: s.Data, Memory: readingMemory(s), Most: memoryOptions(s).Memory}, s, nil
}
