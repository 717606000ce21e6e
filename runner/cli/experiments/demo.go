package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tenfold/experiments"
	"tenfold/io/files"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/methods"
	"tenfold/runner/cli/show"
)

// DemoCommand returns the command demo.
func DemoCommand(a *app.App) *cobra.Command {
	var f Flags
	open := true
	cmd := &cobra.Command{
		Use: "demo [FOLDER]", Short: "Write a first experiment, run it, and open its report", Args: app.CheckArguments(cobra.MaximumNArgs(1)),
		Long: "Writes FOLDER/quickstart.yaml (default tenfold-demo/), an experiment on data that tenfold generates, and runs it: some seconds.\n" +
			"At a terminal it then opens the report in your browser. A file of that name that is not the same stays as it is.",
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := "tenfold-demo"
			if len(args) > 0 {
				folder = args[0]
			}
			file := filepath.Join(folder, "quickstart.yaml")
			if err := writeDemo(file); err != nil {
				return app.Invalid(err)
			}
			f.out, f.announces = filepath.Join(folder, app.RunsFolder, "quickstart"), true
			err := runFiles(a, cmd, []string{file}, f, func(e Summary) error { return printSummaryText(a, e) })
			if err != nil {
				return err
			}
			a.Notef("the experiment is %s: change it, and tenfold run %s --out %s fits what is new; tenfold init DATA begins with a table of yours\n", file, file, f.out)
			if !open || !app.IsTerminal(a.Raw) {
				return nil
			}
			page, err := filepath.Abs(filepath.Join(f.out, "report.html"))
			if err != nil {
				return err
			}
			address := url.URL{Scheme: "file", Path: filepath.ToSlash(page)}
			if err := show.OpenBrowser(cmd.Context(), address.String()); err != nil {
				a.Warn(fmt.Errorf("no browser could be opened: %w", err))
			}
			return nil
		},
	}
	methods.AddJobsFlag(cmd)
	app.AddProgressFlags(cmd, &f.Mode)
	cmd.Flags().BoolVar(&open, "open", true, "open the report in a browser, at a terminal")
	return cmd
}

// writeDemo writes the experiment to path. It is an error if another file is there.
func writeDemo(path string) error {
	content := experiments.Quickstart()
	switch there, err := os.ReadFile(path); {
	case err == nil && bytes.Equal(there, content):
		return nil
	case err == nil:
		return fmt.Errorf("%s is there and is another file; it runs with tenfold run %s, and tenfold demo FOLDER writes into another folder", path, path)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return files.Replace(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}
