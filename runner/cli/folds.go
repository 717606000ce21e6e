package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/spf13/cobra"

	"tenfold/engines/data"
	"tenfold/engines/suggest"
	"tenfold/io/compiled"
	"tenfold/io/files"
	"tenfold/io/flat"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/runner/cli/app"
	"tenfold/runner/experiment"
	"tenfold/runner/folds"
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
		Memory:  places.Most,
	}
	sets, err := plan.Divide(cmd.Context(), file, env, wanted)
	if err != nil {
		return app.Invalid(err)
	}
	write := map[string]func(io.Writer, string, []*plan.Set) error{app.AsJSON: writeFoldsJSON, app.AsCSV: writeFoldsCSV, asParquet: writeFoldsParquet}[format]
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

// foldsOfSet holds all folds of a data set for JSON: row numbers are indices into ids and groups.
type foldsOfSet struct {
	Dataset string         `json:"dataset"`
	Digest  string         `json:"dataset_digest"`
	Grid    map[string]any `json:"grid,omitempty"` // options of the data set that vary
	Rows    int            `json:"rows"`
	IDs     []string       `json:"ids,omitempty"`
	Groups  *foldsGroups   `json:"groups,omitempty"`
}

type foldsGroups struct {
	Name string  `json:"name"`
	Of   []int32 `json:"of"`
}

// foldSides is a fold in the form for JSON.
type foldSides struct {
	Repeat int     `json:"repeat"`
	Fold   int     `json:"fold"`
	Digest string  `json:"fold_digest"`
	Train  []int32 `json:"train"`
	Test   []int32 `json:"test"`
}

// writeFoldsJSON writes one object, with one line per fold.
func writeFoldsJSON(to io.Writer, experiment string, sets []*plan.Set) error {
	w := bufio.NewWriterSize(to, 1<<16)
	name, err := json.Marshal(experiment)
	fmt.Fprintf(w, "{\"experiment\": %s, \"datasets\": [", name)
	for k, s := range sets {
		rows := s.RowsOf()
		about := foldsOfSet{Dataset: s.Name, Digest: s.Digest, Rows: rows.Rows(), IDs: rows.IDs, Grid: map[string]any{}}
		for _, p := range s.Grid {
			about.Grid[p.Name] = p.Value
		}
		if g := rows.Groups; g != nil {
			about.Groups = &foldsGroups{g.Name, g.Of}
		}
		text, fail := json.Marshal(about)
		if fail != nil {
			err = fail
			break
		}
		fmt.Fprintf(w, "%s\n%s, \"folds\": [", separator(k), text[:len(text)-1])
		for i, split := range s.Splits {
			text, fail := json.Marshal(foldSides{split.Fold.Repeat, split.Fold.ID, split.Fold.Digest, split.Fold.Train, split.Fold.Test})
			if fail != nil {
				return fail
			}
			fmt.Fprintf(w, "%s\n%s", separator(i), text)
		}
		fmt.Fprint(w, "\n]}")
	}
	fmt.Fprint(w, "\n]}\n")
	if err != nil {
		return err
	}
	return w.Flush()
}

func separator(k int) string {
	if k == 0 {
		return ""
	}
	return ","
}

// foldLine is a row on one side of a fold.
type foldLine struct {
	set  *plan.Set
	rows *data.Dataset
	fold *folds.Fold
	test bool
	row  int32
}

// foldColumns returns the columns of the folds as a table. Options that vary over data sets, and groups, are included if some data
// set has them.
func foldColumns(sets []*plan.Set) []flat.Column[foldLine] {
	text := func(name string, value func(l *foldLine) string) flat.Column[foldLine] {
		return flat.Column[foldLine]{Name: name, Node: flat.Text(), Get: func(l *foldLine) parquet.Value { return flat.TextValue(value(l)) }}
	}
	integer := func(name string, value func(l *foldLine) int32) flat.Column[foldLine] {
		return flat.Column[foldLine]{Name: name, Node: parquet.Int(32), Get: func(l *foldLine) parquet.Value { return parquet.Int32Value(value(l)) }}
	}
	all := []flat.Column[foldLine]{text("dataset", func(l *foldLine) string { return l.set.Name })}
	varied, grouped := []string{}, false
	for _, s := range sets {
		grouped = grouped || s.Data.Groups != nil
		for _, p := range s.Grid {
			if name := p.Name; !slices.Contains(varied, name) {
				varied = append(varied, name)
				c := text(name, func(l *foldLine) string {
					if k := slices.IndexFunc(l.set.Grid, func(p results.Param) bool { return p.Name == name }); k >= 0 {
						return results.Exact(l.set.Grid[k].Value)
					}
					return ""
				})
				all = append(all, c)
			}
		}
	}
	all = append(all,
		integer("repeat", func(l *foldLine) int32 { return int32(l.fold.Repeat) }),
		integer("fold", func(l *foldLine) int32 { return int32(l.fold.ID) }),
		text("fold_digest", func(l *foldLine) string { return l.fold.Digest }),
		text("side", func(l *foldLine) string {
			if l.test {
				return "test"
			}
			return "train"
		}),
		integer("row", func(l *foldLine) int32 { return l.row }),
		text("id", func(l *foldLine) string { return l.rows.RowID(int(l.row)) }),
	)
	if grouped {
		all = append(all, flat.Column[foldLine]{Name: "group", Node: parquet.Optional(parquet.Int(32)), Get: func(l *foldLine) parquet.Value {
			if l.rows.Groups == nil {
				return parquet.NullValue()
			}
			return parquet.Int32Value(l.rows.Groups.Of[l.row])
		}})
	}
	return all
}

// eachFoldLine calls add for the training and the test rows of each fold.
func eachFoldLine(sets []*plan.Set, add func(foldLine) error) error {
	for _, s := range sets {
		rows := s.RowsOf()
		for _, split := range s.Splits {
			l := foldLine{set: s, rows: rows, fold: &split.Fold}
			for _, side := range [][]int32{split.Fold.Train, split.Fold.Test} {
				for _, l.row = range side {
					if err := add(l); err != nil {
						return err
					}
				}
				l.test = true
			}
		}
	}
	return nil
}

func writeFoldsCSV(to io.Writer, _ string, sets []*plan.Set) error {
	w := sanitize.NewCSV(to, true)
	columns := foldColumns(sets)
	record := make([]string, len(columns))
	for k, c := range columns {
		record[k] = c.Name
	}
	if err := w.Write(record); err != nil {
		return err
	}
	err := eachFoldLine(sets, func(l foldLine) error {
		for k, c := range columns {
			record[k] = ""
			if v := c.Get(&l); !v.IsNull() {
				record[k] = v.String()
			}
		}
		return w.Write(record)
	})
	return errors.Join(err, w.Flush())
}

func writeFoldsParquet(to io.Writer, experiment string, sets []*plan.Set) error {
	buffer := bufio.NewWriterSize(to, 1<<16)
	w := flat.NewWriter(buffer, "folds", foldColumns(sets))
	w.Stamp("tenfold.experiment", experiment)
	err := eachFoldLine(sets, w.Add)
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = buffer.Flush()
	}
	return err
}
