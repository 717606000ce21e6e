package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tenfold/runner/plan"
)

const runsFolder = "runs"

// runFolder returns the folder of an experiment's run: the one that was asked for, or the usual one.
func runFolder(name, out string) string {
	if out != "" {
		return out
	}
	return filepath.Join(runsFolder, name)
}

// runsHere returns the run folders in the usual folder.
func runsHere() []string { return runsIn(runsFolder) }

// runsIn returns the folders in dir that have a plan.
func runsIn(dir string) []string {
	plans, _ := filepath.Glob(filepath.Join(dir, "*", plan.FileName)) // the pattern is valid
	for i, path := range plans {
		plans[i] = filepath.Dir(path)
	}
	return plans
}

// checkFolders returns an error for arguments that are not folders.
func checkFolders(args []string) error {
	var errs []error
	for _, dir := range args {
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, os.ErrNotExist):
			errs = append(errs, fmt.Errorf("%s: no such folder%s", dir, suggestRun(dir)))
		case err != nil:
			errs = append(errs, err)
		case !info.IsDir():
			errs = append(errs, notFolderError(dir))
		}
	}
	return invalidInput(errors.Join(errs...))
}

// notFolderError returns the error for a file named in place of a run's folder.
func notFolderError(path string) error {
	near := suggestRun(path)
	if near == "" {
		near = ", such as " + filepath.Join(runsFolder, "NAME")
	}
	return fmt.Errorf("%s is a file; the folder of a run was expected%s", path, near)
}

// suggestRun asks whether a run of that name, or of the experiment file of that name, was meant.
func suggestRun(dir string) string {
	run := filepath.Join(runsFolder, strings.TrimSuffix(filepath.Base(dir), ".yaml"))
	if info, err := os.Stat(run); err != nil || !info.IsDir() {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", run)
}

// checkEmpty returns an error unless the folder is empty or missing; flag is what named it.
func checkEmpty(flag, dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return invalidInput(fmt.Errorf("%s %s: the folder is not empty", flag, dir))
	}
	return nil
}

// readPlan reads the plan of a run's folder and fails if there is none.
func (a *App) readPlan(dir string) (*plan.Frozen, error) {
	if err := checkFolders([]string{dir}); err != nil {
		return nil, err
	}
	frozen, err := plan.ReadFrozen(dir)
	if err == nil && frozen == nil {
		err = fmt.Errorf("%s has no %s: it is not the folder of a run", dir, plan.FileName)
	}
	if err != nil {
		return nil, invalidInput(err)
	}
	return frozen, nil
}
