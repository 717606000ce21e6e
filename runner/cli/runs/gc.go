package runs

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"tenfold/io/journal"
	"tenfold/io/source"
	"tenfold/runner"
	"tenfold/runner/cli/app"
	"tenfold/runner/execute"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
)

// GcCommand returns the command gc.
func GcCommand(a *app.App) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "gc [RUN...]", Short: "Remove stored results that no experiment file reaches any more",
		Long: "Looks at the folders of runs, by default all in " + app.RunsFolder + "/. Kept is what the present experiment file plans and what the\n" +
			"run's last plan has; the rest, such as earlier parameters, is counted, and removed with --yes: outcomes of fits, and the logs of\n" +
			"what was fitted inside fits on folds that are no more.",
		RunE: func(cmd *cobra.Command, args []string) error { return collectGarbage(a, cmd, args, yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "remove them")
	return cmd
}

func collectGarbage(a *app.App, cmd *cobra.Command, dirs []string, yes bool) error {
	if len(dirs) == 0 {
		if dirs = app.RunsHere(); len(dirs) == 0 {
			return app.Invalid(errors.New("no runs in " + app.RunsFolder + "/: name their folders"))
		}
	}
	var errs []error
	removed, bytes := 0, int64(0)
	for _, dir := range dirs {
		n, size, err := collectRun(a, cmd, dir, yes)
		if err != nil { // nothing is removed if it is not clear what is reachable
			errs = append(errs, fmt.Errorf("nothing removed: %w", app.WithPath(dir, err)))
			continue
		}
		removed, bytes = removed+n, bytes+size
		a.Printf("%s: %d unreachable, %s\n", dir, n, progress.Bytes(size))
	}
	switch {
	case removed == 0:
	case yes:
		a.Printf("removed %s, %s\n", app.Pluralize(removed, "stored result"), progress.Bytes(bytes))
	default:
		a.Printf("%s, %s; tenfold gc --yes removes them\n", app.Pluralize(removed, "stored result"), progress.Bytes(bytes))
	}
	return app.Invalid(errors.Join(errs...))
}

// collectRun counts, and with remove deletes, the stored outcomes, and the logs of parts of the run, that neither the present
// experiment file nor the run's plan reaches.
func collectRun(a *app.App, cmd *cobra.Command, dir string, remove bool) (n int, bytes int64, err error) {
	frozen, err := a.ReadPlan(dir)
	if err != nil {
		return 0, 0, err
	}
	units, parts, err := reachable(a, cmd, dir, frozen)
	if err != nil {
		return 0, 0, err
	}
	store, err := journal.Open(dir)
	if err != nil {
		return 0, 0, err
	}
	keys, err := store.Keys()
	if err != nil {
		return 0, 0, err
	}
	for _, key := range keys {
		if units[key] {
			continue
		}
		size, err := store.Size(key)
		if err == nil && remove {
			err = store.Remove(key)
		}
		if err != nil {
			return n, bytes, err
		}
		n, bytes = n+1, bytes+size
	}
	inner, err := store.InnerParts()
	if err != nil {
		return n, bytes, err
	}
	for _, part := range slices.Sorted(maps.Keys(inner)) {
		if parts[part] {
			continue
		}
		if remove {
			if err := store.RemoveInner(part); err != nil {
				return n, bytes, err
			}
		}
		n, bytes = n+1, bytes+inner[part]
	}
	return n, bytes, nil
}

// reachable returns the units of the run's plan and of the experiment file as it is now, and the parts of a run that these are on.
func reachable(a *app.App, cmd *cobra.Command, dir string, frozen *plan.Frozen) (units, parts map[string]bool, err error) {
	units, parts = map[string]bool{}, map[string]bool{}
	for _, c := range slices.Concat(frozen.Stages, frozen.Cells) {
		for _, u := range c.Units {
			units[u.Unit], parts[execute.InnerPart(c.DatasetDigest, u.FoldDigest)] = true, true
		}
	}
	for _, m := range frozen.Methods {
		if m.Lacks != "" {
			return nil, nil, fmt.Errorf("method %s could not run at the last run, so what its results are reached by is not known: %s", m.Name, m.Lacks)
		}
	}
	if _, err := os.Stat(frozen.Path); err != nil {
		return nil, nil, fmt.Errorf("its experiment file is not there, so what it reaches is not known: %w", err)
	}
	file, _, err := a.LoadFile(frozen.Path, nil)
	if err != nil {
		return nil, nil, err
	}
	places, _, err := a.Places(cmd, file.Name, dir)
	if err != nil {
		return nil, nil, err
	}
	s, err := runner.Open(cmd.Context(), file, places, runner.Choice{}, a.Warn)
	if err != nil {
		return nil, nil, err
	}
	if len(s.Unavailable) > 0 {
		return nil, nil, fmt.Errorf("the data of %s cannot be had, so its results are not known", source.Abridge(s.Unavailable))
	}
	for u := range s.All {
		units[u.Label.Unit], parts[execute.InnerPart(u.Label.DatasetDigest, u.Label.FoldDigest)] = true, true
	}
	return units, parts, nil
}
