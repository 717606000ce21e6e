package tabular

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/source"
)

// frame collects the columns of all files.
type frame struct {
	file   string   // that named the columns
	header []string // in its order
	sinks  map[string]sink

	joined             bool // the file has further columns of rows that others have
	firstIsID          bool // the first column is columns.id, where that is not given
	featuresElsewhere  bool // the file is one of responses alone
	responsesElsewhere bool // the file has none
	sharedIDs          bool // rows may have the same id

	model *model // that the rows are for; nil where they are to be fitted to

	features []feature
	targets  []*response
	survival *survival // nil where times and events are not asked for
	id       *identities
	group    *groups
	time     *times
	weight   *weights
}

// bindHeader makes the sinks from the first file's header, and checks that later files have the same columns.
func (f *frame) bindHeader(file string, header []string, o Options) error {
	if name, twice := firstRepeated(header); twice {
		return fmt.Errorf("two columns are named %q; say columns: {repeated: number} to keep both", name)
	}
	if f.sinks != nil {
		return f.checkHeader(header)
	}
	if f.firstIsID && o.Columns.ID == "" {
		o.Columns.ID = header[0]
	}
	if len(o.Target.Responses()) == 0 && !f.responsesElsewhere {
		return param.Errorf("target", "none is given, expected {column: NAME} with one of the columns %s", source.Abridge(header))
	}
	if f.model != nil {
		o = f.model.narrowOptions(o, header)
	}
	roles, err := o.assignRoles(header, !f.responsesElsewhere)
	if err != nil {
		return err
	}
	if f.model != nil {
		f.model.dropUnknown(header, roles)
	}
	f.file, f.header, f.sinks = file, slices.Clone(header), make(map[string]sink)
	for k, name := range header {
		f.sinks[name] = f.newSink(name, roles[k], o)
		if texts := o.Columns.Missing.In(name, o.usual); f.sinks[name] != nil && len(texts) > 0 {
			f.sinks[name] = newDeclared(f.sinks[name], texts)
		}
	}
	if len(f.features) == 0 && !f.featuresElsewhere && f.model == nil {
		return errors.New("no columns are left for features")
	}
	if len(f.targets) == 0 && f.survival == nil && f.featuresElsewhere {
		return errors.New("no columns are left for responses, only the ids of the rows")
	}
	return nil
}

// checkKnown refuses a file that lacks columns of the model, and suggests the names in the file that may have been meant.
func (f *frame) checkKnown(d *data.Dataset) error {
	return f.model.All(d, f.header, f.file)
}

// readFiles makes the data set of the files of some roles.
func (f *frame) readFiles(ctx context.Context, in source.Input, o Options, scan scan, roles ...string) (*data.Dataset, error) {
	var rows []int
	for _, role := range roles {
		content, file, err := in.Bytes(role)
		if err != nil {
			return nil, err
		}
		n, err := scan(ctx, file, content, func(header []string) ([]sink, error) {
			header = o.Columns.distinctNames(header)
			if err := f.bindHeader(file, header, o); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			return f.sinksInOrder(header), nil
		})
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return nil, fmt.Errorf("%s: no rows, only the names of columns", file)
		}
		rows = append(rows, n)
	}
	return f.buildDataset(o, rows)
}

func (f *frame) newSink(name, role string, o Options) sink {
	switch role {
	case "columns.drop":
		return nil
	case "columns.id":
		f.id = &identities{shared: f.sharedIDs}
		return f.id
	case "columns.group":
		f.group = &groups{}
		return f.group
	case "columns.time":
		f.time = &times{name: name}
		return f.time
	case "columns.weight":
		f.weight = &weights{}
		return f.weight
	case "target":
		asked, gaps := o.Target.Asks(), o.Target.Gap()
		if f.model != nil {
			asked, gaps = f.model.Asks(name), true
		}
		r := &response{name: name, positive: o.Target.Positive, asked: asked, texts: asked == data.Class, gaps: gaps}
		f.targets = append(f.targets, r)
		return r
	case "target.time":
		return f.endpoints(o).timesOf(name)
	case "target.event":
		return f.endpoints(o).endingsOf(name, o.Target.EventValue)
	case "columns.categorical":
		c := &categories{name: name}
		if f.model != nil {
			c.words.Know(f.model.levelsOf(name)...)
		}
		f.features = append(f.features, c)
		return c
	}
	n := &numbers{name: name, codes: o.Columns.Codes, texts: textsInData}
	switch {
	case f.model != nil:
		n.texts = textsInNew
	case f.joined:
		n.texts = textsInJoined
	}
	f.features = append(f.features, n)
	return n
}

// endpoints is where times and events go.
func (f *frame) endpoints(o Options) *survival {
	if f.survival == nil {
		f.survival = &survival{f.model != nil || o.Target.Gap(), map[string]*timesUntil{}, map[string]*endings{}}
	}
	return f.survival
}

// sinksInOrder are the sinks in the order of a file's columns.
func (f *frame) sinksInOrder(header []string) []sink {
	sinks := make([]sink, len(header))
	for k, name := range header {
		sinks[k] = f.sinks[name]
	}
	return sinks
}

func (f *frame) checkHeader(header []string) error {
	here := make(map[string]bool, len(header))
	for _, name := range header {
		here[name] = true
		if _, ok := f.sinks[name]; !ok {
			return fmt.Errorf("column %q is not in %s%s", name, f.file, suggest.DidYouMean(name, f.header))
		}
	}
	for _, name := range f.header {
		if !here[name] {
			return fmt.Errorf("no column %q, which %s has", name, f.file)
		}
	}
	return nil
}

// buildDataset puts the columns together, given the number of rows of each file.
func (f *frame) buildDataset(o Options, rows []int) (*data.Dataset, error) {
	d := &data.Dataset{Part: source.PartOf(rows...)}
	for _, r := range f.targets {
		t, err := r.buildTarget()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.file, err)
		}
		d.Targets = append(d.Targets, t)
	}
	if f.survival != nil {
		d.Targets = append(d.Targets, f.survival.targets(o.Target)...)
	}
	if f.model == nil { // of new rows none need have an event
		if err := source.CheckEvents(d, o.Target.EventValue); err != nil {
			return nil, fmt.Errorf("%s: %w", f.file, err)
		}
	}
	if f.id != nil {
		d.IDs = f.id.ids
	}
	if f.group != nil {
		d.Groups = f.group.Groups(o.Columns.Group)
	}
	if f.time != nil {
		var err error
		if d.Time, err = f.time.finish(); err != nil {
			return nil, fmt.Errorf("%s: %w", f.file, err)
		}
	}
	if f.weight != nil {
		d.Weight = f.weight.w
	}
	total := 0
	for _, n := range rows {
		total += n
	}
	return d, f.buildMatrix(d, total)
}

// buildMatrix lays the features out in rows: zeros are not stored, missing values are NaN.
func (f *frame) buildMatrix(d *data.Dataset, rows int) error {
	if f.featuresElsewhere {
		d.X, d.Features = sparse.New(0, make([]int, rows+1), nil, nil), data.NewFeatures(nil)
		return nil
	}
	var names []string
	var factor []int32
	var factors int32
	first := make([]int32, len(f.features))
	known := f.model != nil
	for k, feature := range f.features {
		first[k] = int32(len(names))
		columns, number := feature.columns(), int32(-1)
		if words, ok := feature.(*categories); ok {
			known = known || len(words.words.Words) > 0
			number = factors
			factors++
		} else {
			known = true
		}
		names = append(names, columns...)
		for range columns {
			factor = append(factor, number)
		}
	}
	if !known {
		return fmt.Errorf("%s: every feature is missing in every row", f.file)
	}
	if name, twice := firstRepeated(names); twice {
		return fmt.Errorf("%s: a level of a categorical column and another column are both named %q", f.file, name)
	}
	d.Features = data.NewFeatures(names)
	if factors > 0 {
		d.Factor = factor
	}
	var b sparse.Builder
	var idx []int32
	var val []float64
	for i := range rows {
		idx, val = idx[:0], val[:0]
		for k, feature := range f.features {
			idx, val = feature.appendRow(i, first[k], idx, val)
		}
		if err := b.Add(idx, val); err != nil {
			return fmt.Errorf("%s: row %d: %w", f.file, i+1, err)
		}
	}
	d.X = b.Matrix(len(names))
	return nil
}
