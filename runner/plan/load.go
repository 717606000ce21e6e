package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare/probes"
	"tenfold/io/compiled"
	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/foldlist"
	"tenfold/runner/folds"
	"tenfold/runner/metric"
)

// loadAll reads the data sets and splits them. Data sets that differ only in their preparation are read once.
func (p *Plan) loadAll(ctx context.Context, env Env) error {
	var errs, absent []error
	opened := make([]*files.Set, len(p.File.Datasets))
	for i := range p.File.Datasets {
		s := &p.File.Datasets[i]
		in, err := files.Open(s.Files, env.Folders, env.Cache.Dir)
		opened[i] = in
		switch {
		case err == nil:
		case p.File.Failures.Unavailable == experiment.Skip && env.Folders.Lacks(s.Files):
			p.skipUnavailable(s, err)
			absent = append(absent, p.File.Blame(s.Entry, err))
		default:
			errs = append(errs, p.File.Blame(s.Entry, err))
		}
	}
	if n := len(absent); n > 0 && n == len(p.File.Datasets) { // nothing is left
		if errs = append(errs, absent[0]); n > 1 {
			errs = append(errs, fmt.Errorf("the files of none of the %d data sets are there (%s), of the first as follows", n, source.Abridge(p.Unavailable)))
		}
	}
	if err := joinErrors(errs); err != nil {
		return err
	}
	r := loader{cache: env.Cache, loaded: map[string]*Set{}, bytesLeft: env.Memory, folders: env.Folders, lists: map[files.Ref]*foldlist.List{}}
	for i := range p.File.Datasets {
		s := &p.File.Datasets[i]
		if opened[i] == nil {
			continue
		}
		sets, err := p.loadSets(ctx, s, opened[i], &r)
		if err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			errs = append(errs, p.File.Blame(s.Entry, fmt.Errorf("data set %s: %w", s.Name, err)))
			continue
		}
		p.Sets = append(p.Sets, sets...)
	}
	return joinErrors(errs)
}

// skipUnavailable leaves out the cells of a data set whose files are not there.
func (p *Plan) skipUnavailable(s *experiment.Dataset, err error) {
	why, _, _ := strings.Cut(err.Error(), "\n")
	for i := range p.File.Algorithms {
		if a := &p.File.Algorithms[i]; a.RunsOn(s) {
			p.skip(s, a, "the data cannot be had: "+why)
		}
	}
	p.Unavailable = append(p.Unavailable, s.Name)
}

// loader is the state that the data sets of a file share while they are loaded one after the other.
type loader struct {
	cache     compiled.Cache
	loaded    map[string]*Set // by digest of the input; only Data, Cached and Negative are set
	bytesLeft int64           // bytes left for lists of rows; 0 for no limit
	folders   files.Folders
	lists     map[files.Ref]*foldlist.List // files of folds that have been read
}

// loadOnce loads a data set, or returns the one loaded earlier from the same input.
func (r *loader) loadOnce(ctx context.Context, s *experiment.Dataset, in *files.Set) (*Set, error) {
	reader := compiled.Reader{Name: s.Format, Rev: s.Rev, Options: s.Options}
	digest, err := reader.Digest(in)
	if err != nil {
		return nil, err
	}
	if set := r.loaded[digest]; set != nil {
		set.Cached = true
		return set, nil
	}
	d, cached, err := r.cache.Load(ctx, reader, s.Source, in)
	if err != nil {
		return nil, files.Instead(in, err, in.Roles()...)
	}
	set := &Set{Data: d, Cached: cached}
	_, columns, values := d.X.Rows()
	if k := slices.IndexFunc(values, func(v float64) bool { return v < 0 }); k >= 0 {
		set.Negative = strconv.Quote(d.Features.Name(int(columns[k])))
	}
	r.loaded[digest] = set
	return set, nil
}

// loadSets returns a data set of the file, or its tasks.
func (p *Plan) loadSets(ctx context.Context, s *experiment.Dataset, in *files.Set, r *loader) ([]*Set, error) {
	read, err := r.loadOnce(ctx, s, in)
	if err != nil {
		return nil, err
	}
	if err := s.Recipe().Check(read.Data); err != nil {
		return nil, err
	}
	if err := checkWeights(s, read.Data); err != nil {
		return nil, err
	}
	tasks, err := tasksOf(s.Family, read.Data)
	if err != nil {
		return nil, err
	}
	account := s.Recipe().Account(read.Data)
	var sets []*Set
	for _, t := range tasks {
		set := &Set{Dataset: s, Name: s.Name, Data: read.Data, Account: account, Cached: read.Cached, Negative: read.Negative}
		if err := set.makeFolds(ctx, t, p.File.Seed, r); err != nil {
			return nil, err
		}
		set.Protocol = set.protocol(p.File.Seed, p.File.Defined)
		sets = append(sets, set)
	}
	return sets, ctx.Err()
}

// reserveRows subtracts the memory that the lists of rows of a set's folds will take from the bytes left. Errors are
// param.FieldError.
func (r *loader) reserveRows(f folds.Spec, rows int) error {
	const bytesPerRow = 4 // bytes a row and fold
	parts, _ := f.Tests()
	bytes := int64(parts) * int64(rows) * bytesPerRow // both are below 2⁴⁰
	if r.bytesLeft == 0 {
		return nil
	}
	if bytes >= r.bytesLeft {
		return param.Errorf("folds", "the lists of rows of %d test parts of %d rows take %s, and with those before them that is more than the memory there is", parts, rows, source.Size(bytes))
	}
	r.bytesLeft -= bytes
	return nil
}

// makeFolds makes the folds of a data set, or of one of its tasks.
func (set *Set) makeFolds(ctx context.Context, t task, seed int64, r *loader) error {
	d := set.Data
	var within *execute.Task
	if t.name != "" {
		d = t.Of(set.Data)
		within = &execute.Task{Subset: t.Subset, Shape: execute.ShapeOf(d)}
		set.Name, set.Task = set.Name+"/"+t.name, t.name
	}
	set.weight = d.Weight
	set.Digest, set.TrainingDigest, set.Shape, set.Targets = d.Digest, d.TrainingDigest, execute.ShapeOf(d), slices.Clone(d.Targets)
	for i := range set.Targets { // not needed here, and large if there are many tasks
		set.Targets[i].Values, set.Targets[i].Events = nil, nil
	}
	if err := r.reserveRows(set.Folds.Normalised(), d.Rows()); err != nil {
		return set.withTask(err)
	}
	division, err := r.divide(ctx, set, d, seed)
	if err != nil {
		return set.withTask(err)
	}
	rows := *set.Data
	if set.Folds.Kind == "given" && set.Folds.Column != "" { // its values name folds, and are no groups inside one
		rows.Groups = nil
	}
	for _, f := range division {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f = f.Reduce(d, set.TrainFraction, set.Folds.By, seed)
		if len(f.Train) == 0 {
			return set.withTask(param.Errorf("train_fraction", "%v leaves no training rows in fold %d of repeat %d", set.TrainFraction, f.ID, f.Repeat))
		}
		if f = f.LeaveOut(d.Weight); len(f.Train) == 0 {
			return set.withTask(fmt.Errorf("folds: all training rows of fold %d of repeat %d have the weight 0, expected rows that count", f.ID, f.Repeat))
		}
		if err := set.checkTraining(d, f); err != nil {
			return set.withTask(err)
		}
		recipe := set.Recipe()
		if err := recipe.CheckFold(d, f.Train); err != nil {
			return set.withTask(err)
		}
		set.Splits = append(set.Splits, &execute.Split{Set: &rows, Task: within, Recipe: recipe, Fold: f,
			Seed: probeSeed(cmp.Or(recipe.Probes.Seed, seed), set.TrainingDigest, f.Repeat, f.ID)})
	}
	return nil
}

// divide makes the folds of a data set, or of one of its tasks, or takes those that a file lists.
func (r *loader) divide(ctx context.Context, set *Set, d *data.Dataset, seed int64) ([]folds.Fold, error) {
	ref := set.Folds.File
	if ref.Path == "" {
		return set.Folds.Split(ctx, d, seed)
	}
	list, read := r.lists[ref]
	if !read {
		in, err := files.Open(map[string]files.Ref{foldlist.Role: ref}, r.folders, r.cache.Dir)
		if err != nil {
			return nil, inFile(err)
		}
		defer in.Close()
		if list, err = foldlist.Read(ctx, in); err != nil {
			return nil, inFile(err)
		}
		r.lists[ref] = list
	}
	out, err := list.Folds(set.Name, d)
	return out, inFile(err)
}

// inFile returns an error about the file of folds as one of folds.file.
func inFile(err error) error {
	var field *param.FieldError
	switch {
	case err == nil || files.Fault(err):
		return err
	case errors.As(err, &field):
		return param.Errorf("folds.file", "%s", field.Msg)
	}
	return param.Errorf("folds.file", "%v", err)
}

// protocol returns what decides how the numbers of the set are measured, apart from its data and folds; nil if nothing differs from
// the defaults. What is learned of the columns (prepare) and asked of the engines (keep, penalty) is not part of it: it is among what
// is measured. seed is the file's.
func (set *Set) protocol(seed int64, defined metric.Set) map[string]string {
	recipe, out := set.Recipe(), map[string]string{}
	if p := recipe.Probes; p != (probes.Rule{}) {
		p.Seed = cmp.Or(p.Seed, seed)
		out["probes"] = p.String()
	}
	if set.Similar > 0 {
		out["similar"] = strconv.FormatFloat(set.Similar, 'g', -1, 64)
	}
	if unit := recipe.Treatment.Unit; unit != "" {
		out["unit"] = unit
	}
	if recipe.Constant != "" {
		out["constant responses"] = recipe.Constant
	}
	for _, name := range defined.DefinedNames() {
		out[results.DefinitionOf+name] = defined.Identity(name)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// checkTraining refuses training rows that teach nothing about the target: none has an event, or no row has another level. Where
// they have one value, the fold is noted. Of several responses, and of the tasks of a family, some may be constant:
// target: {constant: …} says what becomes of these.
func (set *Set) checkTraining(d *data.Dataset, f folds.Fold) error {
	for k := range d.Targets {
		target := &d.Targets[k]
		if target.Type == data.Survival {
			if !target.HasEvent(f.Train) {
				return fmt.Errorf("folds: no training row of fold %d of repeat %d has an event of target %s, so that nothing can be learned%s",
					f.ID, f.Repeat, target.Name, set.suggestStrata("events"))
			}
			continue
		}
		if set.Task != "" || len(d.Targets) > 1 || target.Pairs != nil || target.Numbers != nil {
			continue
		}
		value, ok := target.OnlyValue(f.Train)
		if !ok {
			continue
		}
		if _, everywhere := target.OnlyValue(folds.AllRows(d.Rows()).Train); everywhere && target.Type == data.Class {
			return fmt.Errorf("target %s is %s in all rows, so that nothing can be learned: expected a target that varies", target.Name, target.Show(value))
		}
		set.oneSided = append(set.oneSided, fmt.Sprintf("fold %d of repeat %d (%s = %s)", f.ID, f.Repeat, target.Name, target.Show(value)))
	}
	return nil
}

// OneSided returns a warning of training parts in which the target has one value, "" if there are none.
func (set *Set) OneSided() string {
	if len(set.oneSided) == 0 {
		return ""
	}
	return fmt.Sprintf("the training rows of %s have one value of the target, so that engines fail there or predict it%s", source.Abridge(set.oneSided), set.suggestStrata("levels"))
}

// suggestStrata suggests folds whose training rows would have events, or levels.
func (set *Set) suggestStrata(what string) string {
	switch f := set.Folds; {
	case f.Kind == "kfold" && !f.Stratify && set.Targets[0].Strata() > 0:
		return "; stratify: true spreads " + what + " over folds"
	case f.By != "":
		return fmt.Sprintf("; groups of %s stay together, and one has what the others lack: expected fewer folds, another seed, or finer groups", f.By)
	case f.Kind == "time":
		return "; expected fewer blocks, or smaller ones, so that training begins later"
	}
	return ""
}

// withTask adds the task's name to an error.
func (set *Set) withTask(err error) error {
	if set.Task == "" {
		return err
	}
	return fmt.Errorf("task %s: %w", set.Task, err)
}
