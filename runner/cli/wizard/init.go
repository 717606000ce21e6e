// Package wizard has the command init: it asks what runner/draft cannot find out from a data file, says what was decided
// and writes a checked experiment file. Each question has a suggestion and a flag that answers it. Begin with run
// in init.go; initask.go asks for the roles of columns, inittarget.go for the type of the target, initfiles.go for what
// is in other files or arrays, and initpaths.go names files.
package wizard

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/io/openml"
	"tenfold/io/sanitize"
	"tenfold/io/source"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/experiments"
	"tenfold/runner/draft"
	"tenfold/runner/draft/inspect"
)

// Command returns the command init.
func Command(a *app.App) *cobra.Command {
	var w wizard
	cmd := &cobra.Command{
		Use: "init [DATA]", Short: "Look at a data file and write an experiment file for it", Args: app.CheckArguments(cobra.MaximumNArgs(1)),
		Long: "Looks at DATA, a file or a folder or an archive of documents, or what OpenML has (openml:361, a task, with its folds; openml:data/31,\n" +
			"a data set), which is downloaded, tells its format, asks what is to be predicted and how the rows belong\n" +
			"together, each with a suggestion, and writes an experiment file with comments, which is then checked as validate does.\n" +
			"Nothing that a flag says is asked. Where standard input is no terminal its lines are the answers, an empty one taking the\n" +
			"suggestion, and so does the end of the input. What was decided is said: what is predicted, from which columns, on which folds,\n" +
			"and which columns are left out, such as those that count the rows. It can look at: " + strings.Join(inspect.Formats(), ", ") + ".",
		RunE: func(cmd *cobra.Command, args []string) error {
			w.App, w.isGiven = a, cmd.Flags().Changed
			w.in, w.asks = bufio.NewReader(cmd.InOrStdin()), !w.yes
			w.terminal = app.IsTerminal(cmd.InOrStdin())
			return w.run(cmd, args)
		},
	}
	cmd.Flags().StringVarP(&w.out, "out", "o", "", "the experiment file (default NAME.yaml)")
	cmd.Flags().StringVar(&w.Name, "name", "", "of the experiment; letters, digits and dashes")
	cmd.Flags().StringVar(&w.Format, "format", "", "of the data, where it cannot be told or is told wrongly")
	cmd.Flags().StringVar(&w.Labels, "labels", "", "second file, with the targets: an .npy of npz, a text of a label a line of mtx and nips, a .cls of gct, Mulan's list of labels (.xml) of arff; none to leave the latter alone")
	cmd.Flags().StringVar(&w.join, "join", "", "table of samples, such as clinical data, that joins the data: it has the target")
	cmd.Flags().StringVar(&w.Target, "target", "", "column that is to be predicted")
	cmd.Flags().StringVar(&w.kind, "type", "", "of the target: class, real or survival (times until an event, with a column of events)")
	cmd.Flags().StringVar(&w.ID, "id", "", "column that identifies rows; none for no such column")
	cmd.Flags().StringVar(&w.Group, "group", "", "column of what rows belong to, such as a customer: no such group is on both sides of a split; none for no such column")
	cmd.Flags().StringVar(&w.Time, "time", "", "column of dates or numbers: tests are on what comes later; none for no such column")
	cmd.Flags().StringSliceVar(&w.Keep, "keep", nil, "columns that are features although they look as if they numbered the rows, or had too many texts")
	cmd.Flags().StringSliceVar(&w.Text, "text", nil, "columns of texts, whose words are features; none for no such column")
	cmd.Flags().StringVar(&w.asked.Header, "header", "", "whether the first row of a table names the columns: yes or no")
	cmd.Flags().StringVar(&w.asked.Sheet, "sheet", "", "of a workbook that has the table; needed where several could")
	cmd.Flags().StringVar(&w.asked.Range, "range", "", "the cells of a sheet that are the table, such as A3:F120")
	cmd.Flags().StringSliceVar(&w.asked.Names, "names", nil, "of the columns of a table whose first row does not name them: a,b,...")
	cmd.Flags().StringVar(&w.asked.Encoding, "encoding", "", "of the characters of a table: utf-8, windows-1252, latin-1, macintosh, utf-16, ...")
	cmd.Flags().StringVar(&w.asked.Decimal, "decimal", "", "the sign before decimals: . or ,")
	cmd.Flags().StringVar(&w.asked.Thousands, "thousands", "", "the sign between groups of three digits, such as ,")
	cmd.Flags().StringVar(&w.asked.Units, "units", "", "signs before or after numbers that are left out, such as %$; none for no such signs")
	cmd.Flags().IntVar(&w.Folds, "folds", 5, "number of folds, at least 2")
	cmd.Flags().BoolVarP(&w.yes, "yes", "y", false, "ask nothing, take the suggestions")
	cmd.Flags().BoolVar(&w.force, "force", false, "replace an experiment file that is there")
	for flag, complete := range map[string]app.Completer{
		"out": app.CompleteExtension("yaml"), "format": app.CompleteWords(inspect.Formats()...), "type": app.CompleteWords("class", "real", "survival"), "target": completeColumns, "id": completeColumns,
		"group": completeColumns, "time": completeColumns, "keep": completeColumns, "text": completeColumns,
	} {
		_ = cmd.RegisterFlagCompletionFunc(flag, complete) // fails only if there is no such flag, which tests exclude
	}
	return cmd
}

// wizard asks for what it cannot find out from the data file.
type wizard struct {
	*app.App
	draft.Draft
	kind, out  string
	join       string // table of samples
	asked      inspect.Asked
	yes, force bool

	isGiven func(name string) bool // whether a flag was given
	in      *bufio.Reader
	asks    bool // questions are asked until the input ends

	given    string   // path of the data, as it was given
	folders  []string // of data
	terminal bool
	because  string // why the target has its type, for messages

	published string // the target, as whoever published the data says
}

func (w *wizard) run(cmd *cobra.Command, args []string) error {
	if w.Folds < 2 {
		return app.Invalid(fmt.Errorf("--folds %d: at least 2", w.Folds))
	}
	path := ""
	if len(args) > 0 {
		path = args[0]
	} else {
		path = w.ask(cmd.Context(), "Which data file?", "", nil)
	}
	if path == "" {
		return app.Invalid(errors.New("init needs the path of a data file; usage: tenfold " + cmd.Use))
	}
	tool, err := w.ToolSettings(cmd.Flags())
	if err != nil {
		return err
	}
	if strings.HasPrefix(path, openml.Prefix) {
		if path, err = w.fetchOpenML(cmd, path, tool); err != nil {
			return app.Invalid(err)
		}
	}
	w.given, w.folders = path, tool.Data
	path = w.findData(path, tool.Data)
	asked := w.asked
	if w.join != "" {
		asked.Header = cmp.Or(asked.Header, "yes") // it has the ids of samples, or the names of columns
	}
	found, err := inspect.Look(cmd.Context(), path, w.Format, asked)
	if sheets, likely := inspect.Sheets(err); sheets != nil {
		if w.asked.Sheet = w.ask(cmd.Context(), "Which sheet has the table?", likely, sheets); w.asked.Sheet == "" {
			return app.Invalid(fmt.Errorf("%w; --sheet names it", err))
		}
		asked.Sheet = w.asked.Sheet
		if found, err = inspect.Look(cmd.Context(), path, w.Format, asked); err == nil && asked.Sheet == likely {
			found.Evidence = append(found.Evidence, fmt.Sprintf("of the sheets %s, %s has by far the most values; --sheet names another", app.Abridge(sheets), likely))
		}
	}
	if err == nil {
		err = w.joinSamples(cmd.Context(), found)
	}
	if err != nil {
		return app.Invalid(err)
	}
	w.Draft.Found = *found
	defer found.Close() // arrays are read until the end
	w.Notef("%s: %s\n", path, describeFound(found))
	for _, evidence := range found.Evidence {
		w.Notef("guess    %s\n", evidence)
	}
	if err := w.askRoles(cmd.Context()); err != nil {
		return app.Invalid(err)
	}
	if err := w.decideRest(); err != nil {
		return app.Invalid(err)
	}
	w.Name = w.flagOrAsk("name", w.Name, func() string {
		return w.ask(cmd.Context(), "What is the experiment called?", cmp.Or(w.Name, draft.NameOf(path)), nil)
	})
	if strings.ContainsFunc(w.Name, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return app.Invalid(fmt.Errorf("--name %s: expected letters, digits and dashes (it names the folder of the run), such as %s", w.Name, draft.NameOf(w.Name)))
	}
	w.out = cmp.Or(w.out, draft.NameOf(w.Name)+".yaml")
	if _, err := os.Lstat(w.out); err == nil && !w.force {
		return app.Invalid(fmt.Errorf("%s is there already; --force replaces it, -o names another file", w.out))
	}
	if w.File, err = pathInFile(w.given, path, w.out, tool.Data); err != nil {
		return app.Invalid(err)
	}
	if w.Given.File.Path != "" {
		if w.Given.File.Path, err = pathInFile(w.Given.File.Path, w.findData(w.Given.File.Path, tool.Data), w.out, tool.Data); err != nil {
			return app.Invalid(err)
		}
	}
	if w.Labels != "" {
		if w.Labels, err = pathInFile(w.Labels, w.findData(w.Labels, tool.Data), w.out, tool.Data); err != nil {
			return app.Invalid(err)
		}
	}
	if s := w.Sample; s != nil {
		if s.Path, err = pathInFile(w.join, w.findData(w.join, tool.Data), w.out, tool.Data); err != nil {
			return app.Invalid(err)
		}
		for _, file := range []*string{&s.IDs, &s.Names} {
			if *file == "" {
				continue
			}
			beside := w.besideData(*file)
			if *file, err = pathInFile(beside, w.findData(beside, tool.Data), w.out, tool.Data); err != nil {
				return app.Invalid(err)
			}
		}
	}
	if w.Param != "" {
		param := w.besideData(w.Param)
		if w.Param, err = pathInFile(param, w.findData(param, tool.Data), w.out, tool.Data); err != nil {
			return app.Invalid(err)
		}
	}
	w.printDecisions()
	if err := w.writeChecked(cmd); err != nil {
		return err
	}
	w.Notef("wrote %s\n", w.out)
	if err := experiments.ForEach(w.App, cmd, []string{w.out}, experiments.Flags{}, func(_ context.Context, j experiments.Job) error { return j.PrintGood() }); err != nil {
		return err
	}
	w.Notef("next: tenfold run %s\n", w.out)
	return nil
}

// writeChecked writes the experiment file under a temporary name, checks it as validate does, and renames it only if
// it is valid.
func (w *wizard) writeChecked(cmd *cobra.Command) error {
	unchecked := filepath.Join(filepath.Dir(w.out), ".begun-"+filepath.Base(w.out))
	text := w.YAML()
	if err := files.Replace(unchecked, func(out io.Writer) error { _, err := out.Write(text); return err }); err != nil {
		return err
	}
	if err := experiments.ForEach(w.App, cmd, []string{unchecked}, experiments.Flags{}, func(_ context.Context, j experiments.Job) error {
		for _, account := range experiments.Accounts(j.Sets) {
			for _, f := range data.AccountFacts(account) {
				w.Notef("%-8s %s\n", f.Name, f.Value)
			}
		}
		return nil
	}); err != nil {
		return errors.Join(os.Remove(unchecked), app.Invalid(sanitize.Lines{
			fmt.Errorf("%s was not written, for it would not be good: change the data, or say with a flag what they are", w.out), app.ReplacePath(err, unchecked, w.out),
		}))
	}
	return os.Rename(unchecked, w.out)
}

// describeFound describes in words what was found in the data.
func describeFound(f *inspect.Found) string {
	text := "format " + f.Format
	if f.Rows > 0 {
		text += ", " + app.Pluralize(f.Rows, "row")
	}
	switch {
	case f.Sample != nil:
		text = fmt.Sprintf("format %s, %s joined with %s", f.Format, app.Pluralize(f.Rows, "row"), f.Sample.Path)
	case len(f.Columns) > 0:
		text += ", " + app.Pluralize(len(f.Columns), "column") + ": " + source.Abridge(f.Names())
	case len(f.Classes) > 0:
		text += ", " + strconv.Itoa(len(f.Classes)) + " classes: " + source.Abridge(f.Classes)
	}
	return text
}

// decideRest drops doubtful columns and chooses as many folds as there are rows for.
func (w *wizard) decideRest() error {
	if maxFolds := w.Usable(); maxFolds > 0 {
		unit := "row"
		target := w.Column(w.Target)
		if target == nil && !w.Several() {
			target = w.Draft.Found.Labels
		}
		groups := w.Column(w.Group)
		if groups == nil {
			groups = w.Queries
		}
		switch c := groups; {
		case w.Group != "" && c != nil:
			maxFolds, unit = len(c.Levels), "group"
		case w.Time != "":
			times := w.Column(w.Time)
			maxFolds, unit = min(len(times.Levels)-1, maxFolds/times.Most()-1), "block of times after the first"
		case w.Class && target != nil && target.Most() < maxFolds:
			maxFolds, unit = target.Most(), "row of the most frequent class"
		}
		if maxFolds < 2 {
			return fmt.Errorf("too few to test on some and train on others: there is one %s, expected two or more", unit)
		}
		if w.Folds > maxFolds && w.isGiven("folds") {
			return fmt.Errorf("--folds %d: more than there are of what they divide, which is %d (each a %s)", w.Folds, maxFolds, unit)
		}
		w.Folds = min(w.Folds, maxFolds)
	}
	if numbers, categorical, dropped := w.Draft.Features(); w.Columns != nil && w.Width() == 0 && len(numbers)+len(categorical)+len(w.Texts()) == 0 {
		names := make([]string, len(dropped))
		for k, c := range dropped {
			names[k] = fmt.Sprintf("%s (%s)", c.Name, c.Why)
		}
		for _, role := range [][2]string{{w.ID, "the ids"}, {w.Group, "the groups"}, {w.Time, "the times"}} {
			if role[0] != "" {
				names = append(names, fmt.Sprintf("%s (%s)", role[0], role[1]))
			}
		}
		if len(names) == 0 {
			return fmt.Errorf("no column is left to predict %s from: the table has no other", w.Target)
		}
		return fmt.Errorf("no column is left to predict %s from: %s; --keep NAME takes one all the same, --text NAME the words of one, --time none leaves times out", w.Target, source.Abridge(names))
	}
	return nil
}

func (w *wizard) printDecisions() {
	what := "a number"
	switch separator := w.Separator(); {
	case separator != "":
		what = fmt.Sprintf("labels, of which some cells have several, apart by %q: each is a target", separator)
	case w.Class:
		what = "a class"
	}
	if s := w.Survival; s != nil {
		w.Notef("predicts %s until %s is %s%s\n", s.Time, s.Event, cmp.Or(s.Value, "1"), w.because)
	} else if targets := w.Listed; w.Several() && len(targets) > 0 {
		w.Notef("predicts %s: %s\n", app.Pluralize(len(targets), "label"), app.Abridge(targets))
	} else {
		w.Notef("predicts %s, %s%s\n", cmp.Or(w.Target, "the target"), what, w.because)
	}
	if w.Columns != nil {
		numbers, categorical, dropped := w.Draft.Features()
		from := []string{}
		if w.Width() > 0 {
			from = append(from, fmt.Sprintf("%s of %s", app.Pluralize(w.Width(), "column"), filepath.Base(w.given)))
		}
		if len(numbers) > 0 {
			from = append(from, app.Pluralize(len(numbers), "column")+" of numbers: "+app.Abridge(numbers))
		}
		if len(categorical) > 0 {
			from = append(from, fmt.Sprintf("%d of categories: %s", len(categorical), app.Abridge(categorical)))
		}
		if texts := w.Texts(); len(texts) > 0 {
			from = append(from, fmt.Sprintf("the words of %d of texts: %s", len(texts), app.Abridge(texts)))
		}
		w.Notef("from     %s\n", strings.Join(from, "; "))
		for _, role := range [][2]string{{"ids", w.ID}, {"groups", w.Group}, {"times", w.Time}} {
			if role[1] != "" {
				w.Notef("%-8s %s\n", role[0], role[1])
			}
		}
		var out []string
		for _, c := range dropped {
			out = append(out, fmt.Sprintf("%s (%s)", cmp.Or(c.Name, "the first without a name"), c.Why))
		}
		if len(out) > 0 {
			w.Notef("without  %s; --keep takes one all the same\n", app.Abridge(out))
		}
	}
	if w.Matrix != "" {
		w.Notef("from     %s of %s in %s; the targets are %s\n", app.Pluralize(w.Width(), "column"), w.Matrix, app.Pluralize(w.Rows, "row"), cmp.Or(w.TargetArray, w.Labels))
		if w.Draft.Groups != "" {
			w.Notef("groups   %s\n", w.Draft.Groups)
		}
		if tests := w.TestArrays; tests[0] != "" {
			w.Notef("tests on %s and %s\n", tests[0], tests[1])
		}
	}
	folds, why := w.Divided()
	if w.Given.File.Path != "" {
		folds = "given by " + w.Given.File.Path
	}
	w.Notef("folds    %s: %s\n", folds, why)
}

// completeColumns offers the columns of the data file on the line.
func completeColumns(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	found, err := inspect.Look(cmd.Context(), args[0], "", inspect.Asked{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return app.WithPrefix(found.Names(), toComplete), cobra.ShellCompDirectiveNoFileComp
}
