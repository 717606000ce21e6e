package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"tenfold/engines/kind"
	"tenfold/io/files"
	"tenfold/io/source"
	"tenfold/runner/draft"
)

func (a *App) initCommand() *cobra.Command {
	var w wizard
	cmd := &cobra.Command{
		Use: "init [DATA]", Short: "Look at a data file and write an experiment file for it", Args: arguments(cobra.MaximumNArgs(1)),
		Long: "Looks at DATA, a file or a folder of documents, tells its format, asks what is to be predicted and how the rows belong\n" +
			"together, each with a suggestion, and writes an experiment file with comments, which is then checked as validate does.\n" +
			"Nothing that a flag says is asked. Where standard input is no terminal its lines are the answers, an empty one taking the\n" +
			"suggestion, and so does the end of the input. It can look at: " + strings.Join(draft.Formats(), ", ") + ".",
		RunE: func(cmd *cobra.Command, args []string) error {
			w.App, w.flags = a, cmd.Flags().Changed
			w.in, w.asks = bufio.NewReader(cmd.InOrStdin()), !w.yes
			w.terminal = isTerminal(cmd.InOrStdin())
			return w.run(cmd, args)
		},
	}
	cmd.Flags().StringVarP(&w.out, "out", "o", "", "the experiment file (default NAME.yaml)")
	cmd.Flags().StringVar(&w.Name, "name", "", "of the experiment; letters, digits and dashes")
	cmd.Flags().StringVar(&w.Format, "format", "", "of the data, where it cannot be told or is told wrongly")
	cmd.Flags().StringVar(&w.Labels, "labels", "", "second file, with the targets: an .npy of npz, a .cls of gct")
	cmd.Flags().StringVar(&w.Target, "target", "", "column that is to be predicted")
	cmd.Flags().StringVar(&w.kind, "type", "", "of the target: class or real")
	cmd.Flags().StringVar(&w.ID, "id", "", "column that identifies rows")
	cmd.Flags().StringVar(&w.Group, "group", "", "column of what rows belong to, such as a customer: no such group is on both sides of a split")
	cmd.Flags().StringVar(&w.Time, "time", "", "column of dates or numbers: tests are on what comes later")
	cmd.Flags().IntVar(&w.Folds, "folds", 5, "number of folds, at least 2")
	cmd.Flags().BoolVarP(&w.yes, "yes", "y", false, "ask nothing, take the suggestions")
	cmd.Flags().BoolVar(&w.force, "force", false, "replace an experiment file that is there")
	for flag, complete := range map[string]completer{
		"out": extension("yaml"), "format": words(draft.Formats()...), "type": words("class", "real"), "target": completeColumns, "id": completeColumns,
		"group": completeColumns, "time": completeColumns,
	} {
		_ = cmd.RegisterFlagCompletionFunc(flag, complete) // fails where there is no such flag: a test finds them all
	}
	return cmd
}

// wizard asks for what it cannot see.
type wizard struct {
	*App
	draft.Draft
	kind, out  string
	yes, force bool

	flags func(name string) bool // was it given
	in    *bufio.Reader
	asks  bool // until the input ends

	terminal bool
}

func (w *wizard) run(cmd *cobra.Command, args []string) error {
	if w.Folds < 2 {
		return invalid(fmt.Errorf("--folds %d: at least 2", w.Folds))
	}
	path := ""
	if len(args) > 0 {
		path = args[0]
	} else {
		path = w.ask(cmd.Context(), "Which data file?", "", nil)
	}
	if path == "" {
		return invalid(errors.New("init needs the path of a data file; usage: tenfold " + cmd.Use))
	}
	found, err := draft.Look(path, w.Format)
	if err != nil {
		return invalid(err)
	}
	w.Draft.Found = *found
	fmt.Fprintf(w.Errs, "%s: %s\n", path, seen(found))
	if err := w.roles(cmd.Context()); err != nil {
		return invalid(err)
	}
	w.Name = w.given("name", w.Name, func() string {
		return w.ask(cmd.Context(), "What is the experiment called?", draft.NameOf(path), nil)
	})
	if strings.ContainsFunc(w.Name, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return invalid(fmt.Errorf("--name %s: expected letters, digits and dashes (it names the folder of the run), such as %s", w.Name, draft.NameOf(w.Name)))
	}
	w.out = cmp.Or(w.out, draft.NameOf(w.Name)+".yaml")
	if _, err := os.Lstat(w.out); err == nil && !w.force {
		return invalid(fmt.Errorf("%s is there already; --force replaces it, -o names another file", w.out))
	}
	if w.File, err = beside(path, w.out); err != nil {
		return invalid(err)
	}
	if w.Labels != "" {
		if w.Labels, err = beside(w.Labels, w.out); err != nil {
			return invalid(err)
		}
	}
	text := w.YAML()
	if err := files.Replace(w.out, func(out io.Writer) error { _, err := out.Write(text); return err }); err != nil {
		return err
	}
	fmt.Fprintf(w.Errs, "wrote %s\n", w.out)
	if err := w.each(cmd, []string{w.out}, runFlags{}, w.sayGood); err != nil {
		return errors.Join(err, invalid(fmt.Errorf("%s was written, and needs your hand", w.out)))
	}
	fmt.Fprintf(w.Errs, "next: tenfold run %s\n", w.out)
	return nil
}

// given is what a flag says, or else what ask finds out.
func (w *wizard) given(flag, value string, ask func() string) string {
	if w.flags(flag) {
		return value
	}
	return ask()
}

// none is the answer that there is no such column.
const none = "none"

// roles of the columns, and the kind of the target.
func (w *wizard) roles(ctx context.Context) error {
	names := w.Draft.Found.Names()
	if (w.Format == draft.NPZ || w.Format == draft.GCT) && w.Labels == "" {
		if w.Labels = w.ask(ctx, "Which file has the targets?", "", nil); w.Labels == "" {
			return fmt.Errorf("format %s has the targets in another file: name it with --labels", w.Format)
		}
	}
	if len(names) > 0 {
		for _, flag := range []string{w.Target, w.ID, w.Group, w.Time} {
			if flag != "" && !slices.Contains(names, flag) {
				return fmt.Errorf("no column %q%s (columns: %s)", flag, kind.DidYouMean(flag, names), source.Abridge(names))
			}
		}
		w.Target = w.given("target", w.Target, func() string {
			return w.ask(ctx, "Which column is to be predicted?", w.Suggested(), names)
		})
	}
	if err := w.targetType(ctx); err != nil {
		return err
	}
	if len(names) == 0 {
		return nil
	}
	used := func(c draft.Column) bool { return slices.Contains([]string{w.Target, w.ID, w.Group, w.Time}, c.Name) }
	w.ID = w.given("id", w.ID, func() string {
		i := slices.IndexFunc(w.Columns, func(c draft.Column) bool { return !used(c) && c.IsID() })
		if i < 0 {
			return ""
		}
		return w.column(ctx, "Which column identifies rows?", names[i])
	})
	if c := w.Column(w.ID); c != nil && c.Repeats() {
		return fmt.Errorf("column %q does not identify rows: several have the same value; it may be a group", w.ID)
	}
	w.Group = w.given("group", w.Group, func() string {
		suggested := none
		if i := slices.IndexFunc(w.Columns, func(c draft.Column) bool { return !used(c) && c.IsGroup() }); i >= 0 {
			suggested = names[i]
		}
		return w.column(ctx, "Do rows belong together, by a column such as a customer or a patient?", suggested)
	})
	if w.Format == draft.ARFF { // which has no times
		return nil
	}
	w.Time = w.given("time", w.Time, func() string {
		i := slices.IndexFunc(w.Columns, func(c draft.Column) bool { return !used(c) && c.IsDate() })
		if i < 0 {
			return ""
		}
		return w.column(ctx, "Test on what comes later, by the time in a column?", names[i])
	})
	return nil
}

// targetType decides whether the target is a class.
func (w *wizard) targetType(ctx context.Context) error {
	c := w.Column(w.Target)
	if c == nil {
		c = w.Draft.Found.Labels
	}
	suggested := "class"
	switch {
	case w.Format == draft.NPZ:
		suggested = "real"
	case c != nil && !c.IsClass():
		suggested = "real"
	}
	switch {
	case w.flags("type"):
	case w.Format == draft.CoNLLU || w.Format == draft.Documents || w.Format == draft.GCT || c != nil && !c.IsNumber():
		w.kind = suggested
	default:
		w.kind = w.ask(ctx, fmt.Sprintf("Is %s a class or a number (real)?", cmp.Or(w.Target, "the target")), suggested, []string{"class", "real"})
	}
	if w.kind != "class" && w.kind != "real" {
		return fmt.Errorf("--type %s: expected class or real", w.kind)
	}
	if w.Class = w.kind == "class"; !w.Class && c != nil && !c.IsNumber() {
		return fmt.Errorf("--type real: not all values of %s are numbers", cmp.Or(w.Target, "the target"))
	}
	return nil
}

func (w *wizard) column(ctx context.Context, question, suggested string) string {
	if name := w.ask(ctx, question, suggested, append(w.Draft.Found.Names(), none)); name != none {
		return name
	}
	return ""
}

// ask a question; an empty answer, and the end of the input, is the suggestion. Where there are choices, it is asked until one
// of them is the answer.
func (w *wizard) ask(ctx context.Context, question, suggested string, choices []string) string {
	for w.asks {
		prompt := question
		if suggested != "" {
			prompt += " [" + suggested + "]"
		}
		fmt.Fprint(w.Errs, prompt+" ")
		line, more := lineOf(ctx, w.in)
		w.asks = more
		answer := strings.TrimSpace(line)
		if !w.terminal { // where nobody typed it
			fmt.Fprintln(w.Errs, answer)
		}
		switch {
		case answer == "":
			return suggested
		case len(choices) == 0 || slices.Contains(choices, answer):
			return answer
		}
		fmt.Fprintf(w.Errs, "no %q%s (have %s)\n", answer, kind.DidYouMean(answer, choices), source.Abridge(choices))
	}
	return suggested
}

// seen is what was found of the data, for people.
func seen(f *draft.Found) string {
	text := "format " + f.Format
	if f.Rows > 0 {
		text += ", " + count(f.Rows, "row")
		if f.Partly {
			text += " looked at, and more"
		}
	}
	switch {
	case len(f.Columns) > 0:
		text += ", " + count(len(f.Columns), "column") + ": " + source.Abridge(f.Names())
	case len(f.Classes) > 0:
		text += ", " + strconv.Itoa(len(f.Classes)) + " classes: " + source.Abridge(f.Classes)
	}
	return text
}

// beside is a path as an experiment file names it: relative to the file where both are below each other, or near.
func beside(path, file string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.ToSlash(path), nil
	}
	from, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	near, err := filepath.Rel(from, to)
	return filepath.ToSlash(near), err
}

// words are the completions of a flag.
func words(all ...string) completer {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return beginning(slices.Clone(all), begun), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeColumns offers those of the data file on the line.
func completeColumns(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	found, err := draft.Look(args[0], "")
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return beginning(found.Names(), begun), cobra.ShellCompDirectiveNoFileComp
}
