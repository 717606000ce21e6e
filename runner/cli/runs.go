package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tenfold/runner/plan"
)

// runsFolder holds the runs' folders.
const runsFolder = "runs"

// runFolder is the folder of an experiment's run: the one that was asked for, or the usual one.
func runFolder(name, out string) string {
	if out != "" {
		return out
	}
	return filepath.Join(runsFolder, name)
}

// runsHere are the folders of runs in the usual folder.
func runsHere() []string { return runsIn(runsFolder) }

// runsIn are the folders of runs in a folder.
func runsIn(dir string) []string {
	plans, _ := filepath.Glob(filepath.Join(dir, "*", plan.FileName)) // the pattern is sound
	for i, path := range plans {
		plans[i] = filepath.Dir(path)
	}
	return plans
}

// areFolders refuses what is no folder.
func areFolders(args []string) error {
	var errs []error
	for _, dir := range args {
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, os.ErrNotExist):
			errs = append(errs, fmt.Errorf("%s: no such folder%s", dir, asRun(dir)))
		case err != nil:
			errs = append(errs, err)
		case !info.IsDir():
			errs = append(errs, isFile(dir))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return invalid(err)
	}
	return nil
}

// isFile is the error of a file in the place of a run's folder.
func isFile(path string) error {
	near := asRun(path)
	if near == "" {
		near = ", such as " + filepath.Join(runsFolder, "NAME")
	}
	return fmt.Errorf("%s is a file; the folder of a run was expected%s", path, near)
}

// asRun asks whether a run of that name, or of the experiment file of that name, was meant.
func asRun(dir string) string {
	run := filepath.Join(runsFolder, strings.TrimSuffix(filepath.Base(dir), ".yaml"))
	if info, err := os.Stat(run); err != nil || !info.IsDir() {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", run)
}

// mayHold is an error unless a folder is empty, or not there; flag is what named it.
func mayHold(flag, dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return invalid(fmt.Errorf("%s %s: the folder is not empty", flag, dir))
	}
	return nil
}

// readPlan reads the plan of a run's folder, which must have one.
func (a *App) readPlan(dir string) (*plan.Frozen, error) {
	if err := areFolders([]string{dir}); err != nil {
		return nil, err
	}
	frozen, err := plan.ReadFrozen(dir)
	if err == nil && frozen == nil {
		err = fmt.Errorf("%s has no %s: it is not the folder of a run", dir, plan.FileName)
	}
	if err != nil {
		return nil, invalid(err)
	}
	if frozen.Unsealed {
		a.warn(fmt.Errorf("%s: written by an older tenfold, without checksums: damage would not be noticed; tenfold run writes the files anew, and fits nothing again", dir))
	}
	return frozen, nil
}
