package methods

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/adapters"
	"tenfold/io/files"
	"tenfold/runner/cli/app"
	"tenfold/runner/method/declaration"
)

// Command returns the command method.
func Command(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "method", Short: "Begin or check a method: a program in any language as an engine", Args: app.UnknownCommand,
		Long: "Programs that experiment files declare under methods are engines like any other: docs/methods.md.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(methodInitCommand(a), methodCheckCommand(a))
	return cmd
}

func methodInitCommand(a *app.App) *cobra.Command {
	dir := "."
	chosen := map[string]*bool{}
	cmd := &cobra.Command{
		Use: "init NAME", Short: "Write a first method, and an experiment file that runs it on generated data", Args: app.CheckArguments(cobra.ExactArgs(1)),
		Long: "Writes methods/NAME.yaml, which declares the method, the program beside it, the adapter that this uses, and NAME.yaml, an\n" +
			"experiment on generated data that runs as it is. Nothing that is there is replaced.",
		RunE: func(cmd *cobra.Command, args []string) error {
			var languages []string
			for _, l := range adapters.Languages() {
				if *chosen[l] {
					languages = append(languages, l)
				}
			}
			if len(languages) != 1 {
				return app.Invalid(fmt.Errorf("found %d languages, expected one of --%s", len(languages), strings.Join(adapters.Languages(), ", --")))
			}
			return beginMethod(a, languages[0], args[0], dir)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", dir, "folder of the experiment file")
	for _, l := range adapters.Languages() {
		chosen[l] = cmd.Flags().Bool(l, false, map[string]string{"python": "in Python, with NumPy and SciPy", "r": "in R, with Matrix", "shell": "in sh and awk"}[l])
	}
	_ = cmd.RegisterFlagCompletionFunc("dir", app.CompleteFolders) // fails only if there is no such flag
	return cmd
}

// beginMethod writes the files of a first method, and prints what to do next.
func beginMethod(a *app.App, language, name, dir string) error {
	if err := declaration.CheckName(name); err != nil {
		return app.Invalid(fmt.Errorf("NAME: %w", err))
	}
	if _, taken := a.Engines[name]; taken {
		return app.Invalid(fmt.Errorf("NAME: %s is an engine of tenfold; a method has a name of its own", name))
	}
	all, err := adapters.Experiment(language, name)
	if err != nil {
		return err
	}
	missing := all[:0:0]
	for _, f := range all {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		switch content, err := os.ReadFile(path); {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, f)
		case err != nil:
			return app.Invalid(err)
		case !f.Shared:
			return app.Invalid(fmt.Errorf("%s is there already; nothing was written", path))
		case string(content) != f.Content:
			return app.Invalid(fmt.Errorf("%s is there already, and is not the adapter of this tenfold: remove it, or take another --dir; nothing was written", path))
		}
	}
	for _, f := range missing {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return app.Invalid(err)
		}
		if err := files.Replace(path, func(out io.Writer) error { _, err := io.WriteString(out, f.Content); return err }); err != nil {
			return err
		}
		a.Notef("wrote %s\n", path)
	}
	spec := filepath.Join(dir, all[0].Path)
	if _, _, err := a.LoadFile(spec, nil); err != nil {
		return err
	}
	a.Notef("next: tenfold method check %s --%[2]s, and tenfold run %[1]s --%[2]s\n", spec, AllowFlag)
	return nil
}
