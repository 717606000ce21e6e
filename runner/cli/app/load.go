package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/engines/data"
	"tenfold/reports"
	"tenfold/runner"
	"tenfold/runner/draft/inspect"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method"
	"tenfold/runner/metric"
	"tenfold/runner/settings"
)

// LoadFile reads an experiment file and decodes the sections that belong to reports and the gate.
func (a *App) LoadFile(path string, sets []string) (f *experiment.File, sections any, err error) {
	o := a.ExperimentOptions(sets)
	if f, err = experiment.Load(path, o); err != nil && inspect.IsData(path) {
		err = Invalid(fmt.Errorf("%s holds data, and an experiment file was expected; tenfold init %s writes one for it", path, path))
	}
	return f, o.Sections, err
}

// LoadAgain reads the text of a file again, with what its methods need.
func (a *App) LoadAgain(file *experiment.File, sets []string, methods algorithm.Methods) (f *experiment.File, sections any, err error) {
	o := a.ExperimentOptions(sets)
	o.Methods = methods
	f, err = file.Again(o)
	return f, o.Sections, err
}

// ParseStored reads the text of an experiment file that was stored with results. Messages name where it is stored;
// path is where the file itself was.
func (a *App) ParseStored(where, path, text string, methods algorithm.Methods) (f *experiment.File, sections any, err error) {
	o := a.ExperimentOptions(nil)
	o.Methods = methods
	if f, err = experiment.Parse(path, []byte(text), o); err != nil {
		return nil, nil, Invalid(fmt.Errorf("%s: the experiment file in it is not good for this tenfold: %w", where, err))
	}
	a.markStored(f)
	return f, o.Sections, nil
}

// markStored marks methods of a text stored with results if the file that they name does not declare them in the same way: consent
// to the folder of that file does not cover them.
func (a *App) markStored(f *experiment.File) {
	declared := map[string]bool{}
	if len(f.Methods) > 0 {
		if there, _, err := a.LoadFile(f.Path, nil); err == nil {
			for _, d := range there.Methods {
				declared[d.Digest()] = true
			}
		}
	}
	for _, d := range f.Methods {
		d.Stored = d.File == f.Path && !declared[d.Digest()]
	}
}

// ExperimentOptions lists what experiment files may refer to.
func (a *App) ExperimentOptions(sets []string) experiment.Options {
	sections := reports.DefaultSections()
	return experiment.Options{
		Engines: a.Engines, Wrappers: a.Wrappers, Formats: a.Formats, Sections: &sections, Sets: sets, MetricNames: metric.Names(),
		Described: metric.Described(nil), Methods: algorithm.Methods{Kind: method.Describe},
		Metrics: func(name string) ([]data.Type, bool) {
			m, ok := metric.Find(name)
			return m.Targets(), ok
		},
	}
}

// Places returns the folders and memory limits of a session, and the tool's settings.
func (a *App) Places(cmd *cobra.Command, name, out string) (runner.Places, settings.Settings, error) {
	s, err := a.ToolSettings(cmd.Flags())
	if err != nil {
		return runner.Places{}, s, err
	}
	return runner.Places{Run: runFolder(name, out), Cache: s.Cache, Data: s.Data, Memory: ReadingMemory(s), MemoryLimit: MemoryOptions(s).Memory}, s, nil
}

// BaselineSuffix replaces the extension of an experiment file in the name of its baseline.
const BaselineSuffix = ".baseline.yaml"

// IsExperiment reports whether path is an experiment file and not a baseline, which may be beside it.
func IsExperiment(path string) bool { return !strings.HasSuffix(path, BaselineSuffix) }

// LoadFiles reads experiment files, each with its sections for reports. It reports all mistakes of all files at once.
func (a *App) LoadFiles(paths, sets []string) (files []*experiment.File, sections []any, err error) {
	if !slices.ContainsFunc(paths, IsExperiment) {
		return nil, nil, Invalid(fmt.Errorf("%s: the baseline of an experiment; name the experiment file", paths[0]))
	}
	var errs []error
	for _, path := range paths {
		if !IsExperiment(path) {
			continue // a shell's *.yaml finds baselines beside their experiments
		}
		file, decoded, err := a.LoadFile(path, sets)
		errs = append(errs, err)
		files, sections = append(files, file), append(sections, decoded)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, Invalid(err)
	}
	return files, sections, nil
}
