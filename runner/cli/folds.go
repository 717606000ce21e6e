package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/engines/suggest"
	"tenfold/io/compiled"
	"tenfold/io/files"
	"tenfold/runner/cli/app"
	"tenfold/runner/experiment"
	"tenfold/runner/foldfile"
	"tenfold/runner/plan"
)

const asParquet = "parquet"

// foldsFlags holds the flags of the command folds.
type foldsFlags struct {
	sets    []string
	dataset string
	format  string
	to      string
}

func foldsCommand(a *app.App) *cobra.Command {
	var f foldsFlags
	cmd := &cobra.Command{
		Use: "folds FILE", Short: "Write the folds of an experiment, for other programs to use", Args: app.CheckArguments(cobra.ExactArgs(1)),
		Long: "Writes, for each data set, task of a family, and fold: repeat and fold, the digest of the fold, and the rows on either side, by number\n" +
			"from 0 and by id, with their groups where there are any. Nothing is fitted. What another program predicts for the test rows comes\n" +
			"back by import: (docs/methods.md).",
		Example: "  tenfold folds churn.yaml > folds.json\n  tenfold folds churn.yaml --dataset contracts -o folds.parquet",
		RunE:    func(cmd *cobra.Command, args []string) error { return writeFolds(a, cmd, args[0], f) },
	}
	app.AddSetFlag(cmd, &f.sets)
	cmd.Flags().StringVar(&f.dataset, "dataset", "", "write those of one data set alone")
	cmd.Flags().StringVar(&f.format, "format", "", "json, csv or parquet (default by the ending of -o, or json)")
	cmd.Flags().StringVarP(&f.to, "output", "o", "", "the file to write (default the standard output, which takes no parquet)")
	return cmd
}

// writing returns the format that the flags ask for.
func (f foldsFlags) writing() (string, error) {
	known := []string{app.AsJSON, app.AsCSV, asParquet}
	format := f.format
	if ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.to)), "."); format == "" && slices.Contains(known, ending) {
		format = ending
	}
	switch {
	case format == "":
		format = app.AsJSON
	case format == asParquet && f.to == "":
		return "", app.Invalid(fmt.Errorf("--format parquet: expected the name of a file as well (-o folds.parquet)"))
	}
	return format, app.CheckFormat(format, known...)
}

func writeFolds(a *app.App, cmd *cobra.Command, path string, f foldsFlags) error {
	format, err := f.writing()
	if err != nil {
		return err
	}
	file, _, err := a.LoadFile(path, f.sets)
	if err != nil {
		return app.Invalid(err)
	}
	places, _, err := a.Places(cmd, file.Name, "")
	if err != nil {
		return err
	}
	wanted, err := f.wanted(file)
	if err != nil {
		return app.Invalid(err)
	}
	env := plan.Env{
		Cache:   compiled.Cache{Dir: places.Cache, Warn: a.Warn, Memory: places.Memory},
		Folders: files.Folders{Data: places.Data, Spec: filepath.Dir(file.Path), Memory: places.Memory},
		Memory:  places.MemoryLimit,
	}
	sets, err := plan.Divide(cmd.Context(), file, env, wanted)
	if err != nil {
		return app.Invalid(err)
	}
	write := map[string]func(io.Writer, string, []*plan.Set) error{app.AsJSON: foldfile.WriteJSON, app.AsCSV: foldfile.WriteCSV, asParquet: foldfile.WriteParquet}[format]
	if f.to == "" {
		return write(a.Raw, file.Name, sets)
	}
	return files.Replace(f.to, func(w io.Writer) error { return write(w, file.Name, sets) })
}

// wanted returns the function that reports whether a data set of the file is asked for.
func (f foldsFlags) wanted(file *experiment.File) (func(*experiment.Dataset) bool, error) {
	is := func(d *experiment.Dataset) bool { return f.dataset == "" || d.Name == f.dataset }
	var names []string
	for i := range file.Datasets {
		if is(&file.Datasets[i]) {
			return is, nil
		}
		names = append(names, file.Datasets[i].Name)
	}
	return nil, fmt.Errorf("--dataset: %s has no data set %q%s", file.Path, f.dataset, suggest.Choices(f.dataset, slices.Compact(names)))
}
