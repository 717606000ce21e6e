package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tenfold/runner/plan"
)

// RunsFolder is the usual folder of runs.
const RunsFolder = "runs"

// runFolder returns the folder of an experiment's run: the one that was asked for, or the usual one.
func runFolder(name, out string) string {
	if out != "" {
		return out
	}
	return filepath.Join(RunsFolder, name)
}

// RunsHere returns the run folders in the usual folder.
func RunsHere() []string { return RunsIn(RunsFolder) }

// RunsIn returns the folders in dir that have a plan.
func RunsIn(dir string) []string {
	plans, _ := filepath.Glob(filepath.Join(dir, "*", plan.FileName)) // the pattern is valid
	for i, path := range plans {
		plans[i] = filepath.Dir(path)
	}
	return plans
}

// CheckFolders returns an error for arguments that are not folders.
func CheckFolders(args []string) error {
	var errs []error
	for _, dir := range args {
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, os.ErrNotExist):
			errs = append(errs, fmt.Errorf("%s: no such folder%s", dir, suggestRun(dir)))
		case err != nil:
			errs = append(errs, err)
		case !info.IsDir():
			errs = append(errs, NotFolderError(dir))
		}
	}
	return Invalid(errors.Join(errs...))
}

// NotFolderError returns the error for a file named in place of a run's folder.
func NotFolderError(path string) error {
	near := suggestRun(path)
	if near == "" {
		near = ", such as " + filepath.Join(RunsFolder, "NAME")
	}
	return fmt.Errorf("%s is a file; the folder of a run was expected%s", path, near)
}

// suggestRun asks whether a run of that name, or of the experiment file of that name, was meant.
func suggestRun(dir string) string {
	run := filepath.Join(RunsFolder, strings.TrimSuffix(filepath.Base(dir), ".yaml"))
	if info, err := os.Stat(run); err != nil || !info.IsDir() {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", run)
}

// CheckEmpty returns an error unless the folder is empty or missing; flag is what named it.
func CheckEmpty(flag, dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return Invalid(fmt.Errorf("%s %s: the folder is not empty", flag, dir))
	}
	return nil
}

// ReadPlan reads the plan of a run's folder and fails if there is none.
func (a *App) ReadPlan(dir string) (*plan.Frozen, error) {
	if err := CheckFolders([]string{dir}); err != nil {
		return nil, err
	}
	frozen, err := plan.ReadFrozen(dir)
	if err == nil && frozen == nil {
		err = fmt.Errorf("%s has no %s: it is not the folder of a run", dir, plan.FileName)
	}
	if err != nil {
		return nil, Invalid(err)
	}
	return frozen, nil
}
