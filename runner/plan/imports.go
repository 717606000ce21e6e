package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/files"
	"tenfold/runner/execute"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/imported"
	"tenfold/runner/score"
)

// readImports reads predictions made elsewhere, and returns an error if they do not fit the experiment.
func (p *Plan) readImports(ctx context.Context, env Env) error {
	var errs []error
	for i := range p.File.Algorithms {
		a := &p.File.Algorithms[i]
		if a.Import == nil || !slices.ContainsFunc(p.Sets, func(s *Set) bool { return a.RunsOn(s.Dataset) }) {
			continue
		}
		m, err := p.readImport(ctx, a, env)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			if !errors.As(err, new(*param.FieldError)) && !files.Fault(err) {
				err = param.Errorf("import", "%v", err)
			}
			errs = append(errs, p.File.Blame(a.Entry, err))
			continue
		}
		if p.imports == nil {
			p.imports = map[*algorithm.Algorithm]*imported.Import{}
		}
		p.imports[a] = m
	}
	return joinErrors(errs)
}

func (p *Plan) readImport(ctx context.Context, a *algorithm.Algorithm, env Env) (*imported.Import, error) {
	in, err := files.Open(a.Import.Refs(), env.Folders, env.Cache.Dir)
	if err != nil {
		return nil, inSection(err)
	}
	defer in.Close()
	var all []imported.Fold
	var levels, others []string
	classes, numbers := false, false
	for _, set := range p.Sets {
		if !a.RunsOn(set.Dataset) {
			others = append(others, set.Name)
		}
		for _, split := range set.Splits {
			if a.RunsOn(set.Dataset) {
				all = append(all, foldOf(set, split))
			}
		}
		for _, t := range set.Targets {
			classes, numbers = classes || t.Type == data.Class, numbers || t.Type != data.Class
			levels = append(levels, t.Levels...)
		}
	}
	slices.Sort(levels)
	m, err := imported.Read(ctx, in, all, others, classes, numbers)
	if err != nil {
		return nil, err
	}
	if err := m.CheckLevels(slices.Compact(levels)); err != nil {
		return nil, err
	}
	for _, set := range p.Sets {
		if !a.RunsOn(set.Dataset) {
			continue
		}
		if err := m.CheckTargets(set.Name, set.Targets); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// inSection changes the fields of errors about files from those of a data set (files.…) to those of the section import.
func inSection(err error) error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var out []error
		for _, one := range many.Unwrap() {
			out = append(out, inSection(one))
		}
		return errors.Join(out...)
	}
	var field *param.FieldError
	if errors.As(err, &field) {
		return param.Errorf("import."+strings.TrimPrefix(field.Field, "files."), "%s", field.Msg)
	}
	return err
}

// foldOf identifies a fold of a data set as files of predictions do.
func foldOf(set *Set, split *execute.Split) imported.Fold {
	f := &split.Fold
	return imported.Fold{Dataset: set.Name, Repeat: f.Repeat, Fold: f.ID, Digest: f.Digest, Test: f.Test}
}

// importParams returns the parameters that enter keys: the digests of the files, and the name that they use for the data set.
func importParams(m *imported.Import, dataset string) string {
	params := maps.Clone(m.Digests())
	params["dataset"] = dataset
	text, err := json.Marshal(params)
	if err != nil { // texts always encode
		panic(fmt.Sprintf("digests of imported files: %v", err))
	}
	return string(text)
}

// takeImport makes a unit evaluate imported predictions of a fold in place of a fit.
func (u *Unit) takeImport(m *imported.Import, f imported.Fold) {
	u.Imported = func(request score.Request) (*score.Imported, error) {
		given, err := m.Predictions(f, request)
		if err == nil {
			given.Selected, err = m.Selected(f)
		}
		return given, err
	}
}
