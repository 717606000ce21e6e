package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/runner/cli/app"
	"tenfold/runner/describe"
	"tenfold/runner/experiment"
	"tenfold/runner/metric"
	"tenfold/runner/plan"
)

// Completions of shells. They read names from folders and experiment files, never data, and ignore what they cannot read.

// maxOfferedCells limits completion: above it, cells are offered only after DATASET/ was typed.
const maxOfferedCells = 100

// completions offers what the parts of the program, and experiment files, have.
type completions struct{ *app.App }

// candidates passes the lines of a shell's request on, but drops words that a shell could run: scripts put what all candidates begin
// with into the command line as it is, and evaluate that line at the next request.
type candidates struct{ io.Writer }

// Write writes one line, a word with its description or the directive.
func (c candidates) Write(line []byte) (int, error) {
	word, _, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), "\t")
	if strings.ContainsAny(strings.ReplaceAll(word, string(filepath.Separator), ""), "$`\\\"';&|<>") || sanitize.Line(word) != word {
		return len(line), nil
	}
	return c.Writer.Write(line)
}

// registerCompletions registers completions for a command and its subcommands: of flags by their names, of arguments
// by the words of the usage line.
func (a completions) registerCompletions(cmd *cobra.Command) {
	arguments := map[string]app.Completer{
		"FILE": a.completeFiles, "CELL": a.completeRanCells, "RUN": completeRuns, "RUN_A": completeRuns, "RUN_B": completeRuns,
		"RESULTS.parquet": app.CompleteExtension("parquet"),
	}
	flags := map[string]app.Completer{
		"only": a.completeCells, "cell": a.completeCells, "best": completeMetrics, "run": app.CompleteFolders, "set": a.completeSets, "metric": completeMetrics, "dataset": a.completeDatasets,
		"out": app.CompleteFolders, "data": app.CompleteFolders, "cache": app.CompleteFolders, "baseline": app.CompleteExtension("yaml"), "junit": app.CompleteExtension("xml"),
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if complete, ok := flags[f.Name]; ok {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // fails if the command has its own
		}
	})
	if words := strings.Fields(cmd.Use)[1:]; cmd.ValidArgsFunction == nil && len(words) > 0 {
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
			i := len(args)
			if last := len(words) - 1; i > last && strings.Contains(words[last], "...") {
				i = last
			}
			if i >= len(words) {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			complete, ok := arguments[strings.TrimSuffix(strings.Trim(words[i], "[]"), "...")]
			if !ok {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return complete(cmd, args, toComplete)
		}
	}
	for _, below := range cmd.Commands() {
		a.registerCompletions(below)
	}
}

// completeFiles offers experiment files and the folders on the way to them.
func (a completions) completeFiles(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	dir, _ := filepath.Split(toComplete)
	entries, _ := os.ReadDir(cmp.Or(dir, "."))
	var out []string
	directive := cobra.ShellCompDirectiveNoFileComp
	for _, e := range entries {
		name, path := e.Name(), dir+e.Name()
		ext := filepath.Ext(name)
		switch {
		case !strings.HasPrefix(path, toComplete) || strings.HasPrefix(name, ".") || slices.Contains(args, path):
		case e.IsDir():
			out = append(out, path+string(filepath.Separator))
			directive |= cobra.ShellCompDirectiveNoSpace
		case (ext == ".yaml" || ext == ".yml") && app.IsExperiment(path):
			out = append(out, path)
		}
	}
	return out, directive
}

// completeRuns offers the runs in the usual folder; for any other path the shell offers folders.
func completeRuns(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, dir := range app.RunsHere() {
		if strings.HasPrefix(dir, toComplete) && !slices.Contains(args, dir) {
			out = append(out, dir)
		}
	}
	if len(out) == 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeCells offers values of --only, from the experiment files on the line.
func (a completions) completeCells(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	return a.cellNames(cmd, args, toComplete), cobra.ShellCompDirectiveNoFileComp
}

// completeRanCells offers cells of all runs in the usual folder, for why.
func (a completions) completeRanCells(cmd *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	var files []string
	for _, dir := range app.RunsHere() {
		if path := experimentPath(dir); path != "" && !slices.Contains(files, path) {
			files = append(files, path)
		}
	}
	return a.cellNames(cmd, files, toComplete), cobra.ShellCompDirectiveNoFileComp
}

// experimentPath returns the path of a run's experiment file, or "" if it cannot be read. It reads only the beginning
// of the plan, which can be long.
func experimentPath(dir string) string {
	f, err := files.Root(dir).Open(plan.FileName)
	if err != nil {
		return ""
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, 1<<20))
	for key := ""; ; {
		token, err := d.Token()
		text, _ := token.(string)
		switch {
		case err != nil || key == "name": // it comes after the path
			return ""
		case key == "path":
			return text
		}
		key = text
	}
}

// cellNames returns the names of algorithms, data sets and cells that begin with toComplete.
func (a completions) cellNames(cmd *cobra.Command, files []string, toComplete string) []string {
	var names, cells []string
	for _, f := range a.loadReadable(cmd, files) {
		for _, set := range f.Datasets {
			for _, alg := range f.Algorithms {
				names = append(names, alg.Name, set.Name)
				if !alg.RunsOn(&set) {
					continue
				}
				cells = append(cells, set.Name+"/"+alg.Name)
				for _, p := range slices.Concat(set.Grid, alg.Grid) {
					cells = append(cells, pointName(set.Name+"/"+alg.Name, p))
				}
			}
		}
	}
	slices.Sort(names)
	slices.Sort(cells)
	names, cells = slices.Compact(names), slices.Compact(cells)
	if len(cells) <= maxOfferedCells || strings.Contains(toComplete, "/") {
		names = append(names, cells...)
	}
	return app.WithPrefix(names, toComplete)
}

func pointName(cell string, p results.Param) string {
	return fmt.Sprintf("%s/%s=%v", cell, p.Name, p.Value)
}

// loadReadable loads those experiment files that can be loaded, with the --set arguments on the line, and ignores errors.
func (a completions) loadReadable(cmd *cobra.Command, paths []string) []*experiment.File {
	sets, _ := cmd.Flags().GetStringArray("set")
	var out []*experiment.File
	for _, path := range paths {
		f, _, err := a.LoadFile(path, sets)
		if err != nil {
			f, _, err = a.LoadFile(path, nil) // the last argument may be unfinished
		}
		if err == nil {
			out = append(out, f)
		}
	}
	return out
}

// completeSets offers paths for --set, one key at a time.
func (a completions) completeSets(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, f := range a.loadReadable(cmd, args) {
		for _, path := range f.Settable() {
			rest, ok := strings.CutPrefix(path, toComplete)
			if !ok {
				continue
			}
			if i := strings.IndexByte(rest, '.'); i >= 0 {
				path = toComplete + rest[:i+1]
			} else {
				path += "="
			}
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeDatasets offers the data sets of the files on the command line.
func (a completions) completeDatasets(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, f := range a.loadReadable(cmd, args) {
		for i := range f.Datasets {
			out = append(out, f.Datasets[i].Name)
		}
	}
	slices.Sort(out)
	return app.WithPrefix(slices.Compact(out), toComplete), cobra.ShellCompDirectiveNoFileComp
}

// completeParts offers the parts that describe knows: a family, then its members.
func (a completions) completeParts(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	var words []string
	switch len(args) {
	case 0:
		if words = append(describe.Families(), describe.Abilities); toComplete != "" { // names alone will do
			for _, family := range describe.Families() {
				words = append(words, a.Names(family)...)
			}
		}
	case 1:
		words = a.Names(strings.TrimSuffix(args[0], "s"))
	}
	return app.WithPrefix(words, toComplete), cobra.ShellCompDirectiveNoFileComp
}

// completeMetrics offers metrics with their descriptions, after the last comma.
func completeMetrics(_ *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	before := toComplete[:strings.LastIndexByte(toComplete, ',')+1]
	var out []string
	for _, name := range metric.Names() {
		if m, _ := metric.Find(name); strings.HasPrefix(before+name, toComplete) {
			out = append(out, cobra.CompletionWithDesc(before+name, m.Doc))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
