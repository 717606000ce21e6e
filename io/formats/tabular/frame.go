package tabular

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/engines/data/texts"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// frame collects the columns of all files.
type frame struct {
	in      source.Input
	implied *source.Implied // memory that levels ask for

	file   string   // that named the columns
	header []string // in its order
	sinks  map[string]tablefile.Sink

	table  *table   // that is read; nil for the data
	kept   []bool   // rows of the table that count
	tables []*table // that are joined to the data

	firstIsID          bool // the first column is columns.id, where that is not given
	featuresElsewhere  bool // the file has none
	responsesElsewhere bool // no file need have one
	sharedIDs          bool // rows may have the same id

	model *model // that the rows are for; nil where they are to be fitted to

	features []feature
	words    []*words // those features that are of texts
	equal    equalTexts
	targets  []*response
	labels   *labelSets // in place of targets where cells have several labels; else nil
	survival *survival  // nil where times and events are not asked for
	columns  account.Tally
	id       *identities
	keys     map[string]*identities // of the columns by which tables are joined
	anyID    bool                   // the ids are a column by which tables are joined: several rows may share one
	group    *groups
	time     *times
	weight   *weights
	exposure *exposures
}

// bindHeader makes the sinks from the first file's header, and checks that later files have the same columns.
func (f *frame) bindHeader(file string, header []string, o Options) error {
	if name, twice := tablefile.FirstRepeated(header); twice {
		return fmt.Errorf("two columns are named %q; say columns: {repeated: number} to keep both", name)
	}
	if f.sinks != nil {
		return f.checkHeader(header)
	}
	roles, o, err := f.assignRoles(header, o)
	if err != nil {
		return err
	}
	f.file, f.header, f.sinks, f.columns.Found = file, slices.Clone(header), make(map[string]tablefile.Sink), len(header)
	for k, name := range header {
		if roles[k] == "columns.text" {
			if f.sinks[name], err = f.newText(name, o); err != nil {
				return err
			}
		} else {
			f.sinks[name] = f.newSink(name, roles[k], o)
		}
		f.countColumn(name, roles[k])
		switch s := f.sinks[name]; {
		case !f.isKey(name) || s == f.keys[name]:
		case s == nil:
			f.sinks[name] = f.keyOf(name)
		default:
			f.sinks[name] = both{s, f.keyOf(name)}
		}
		if texts := o.Columns.Missing.In(name, o.usual); f.sinks[name] != nil && len(texts) > 0 {
			f.sinks[name] = tablefile.DeclareMissing(f.sinks[name], texts)
		}
		if f.sinks[name] != nil && f.kept != nil {
			f.sinks[name] = &partial{f.sinks[name], f.kept}
		}
	}
	if len(f.features) == 0 && f.model == nil {
		f.featuresElsewhere = f.featuresElsewhere || slices.ContainsFunc(f.tables, (*table).hasFeatures)
		if !f.featuresElsewhere {
			return errors.New("no columns are left for features")
		}
	}
	return nil
}

// assignRoles returns what each column is for, and the options as far as they are about the file.
func (f *frame) assignRoles(header []string, o Options) ([]string, Options, error) {
	if f.table != nil {
		return f.table.roles, o, nil
	}
	if o.Columns.ID == "" {
		switch by, field := o.Join.by(); {
		case f.firstIsID:
			o.Columns.ID = header[0]
		case slices.Contains(header, by):
			o.Columns.ID, f.anyID = by, true
		case by != "" && f.model == nil:
			return nil, o, param.Errorf(field, "the data has no column %q%s; name that of its ids in columns.id (columns: %s)", by, suggest.DidYouMean(by, header), source.Abridge(header))
		}
	}
	if len(o.Target.Responses()) == 0 && !f.responsesElsewhere {
		all := header
		for _, t := range f.tables {
			all = slices.Concat(t.header, all)
		}
		return nil, o, param.Errorf("target", "none is given, expected {column: NAME} with one of the columns %s", source.Abridge(all))
	}
	if f.model != nil {
		o = f.model.narrowOptions(o, header)
	}
	claims := unclaimed(o.claims(), f.tables)
	if f.responsesElsewhere {
		claims = slices.DeleteFunc(claims, func(c claim) bool { return strings.HasPrefix(c.option, "target") && c.option != exposure })
	}
	if f.anyID && slices.ContainsFunc(claims, func(c claim) bool { return c.pattern == o.Columns.ID && c.option != "columns.id" }) { // it has another role
		o.Columns.ID, f.anyID = "", false
		claims = slices.DeleteFunc(claims, func(c claim) bool { return c.option == "columns.id" })
	}
	roles, err := assignRoles(header, claims)
	if err != nil {
		for _, t := range f.tables {
			err = fmt.Errorf("%w; nor is there one in %s (columns: %s)", err, t.file, source.Abridge(t.header))
		}
		return nil, o, err
	}
	for k, name := range header {
		if roles[k] == "" && f.isKey(name) {
			roles[k] = joinKey
		}
	}
	for _, t := range f.tables {
		for _, c := range t.took {
			if k := slices.Index(header, c.pattern); k >= 0 && f.model == nil {
				return nil, o, param.Errorf(c.option, "column %q is in %s as well: rename one of the two", c.pattern, t.file)
			}
		}
	}
	if f.model != nil {
		f.model.dropUnknown(header, roles)
	}
	return roles, o, nil
}

// partial is a sink that takes some of the rows.
type partial struct {
	tablefile.Sink
	kept []bool // of those that are left
}

func (p *partial) AddCell(c tablefile.Cell) error {
	kept := p.kept[0]
	if p.kept = p.kept[1:]; !kept {
		return nil
	}
	return p.Sink.AddCell(c)
}

// checkKnown refuses a file that lacks columns of the model, and suggests the names in the file that may have been meant.
func (f *frame) checkKnown(d *data.Dataset) error {
	for _, name := range f.model.UsedTexts() {
		if !slices.ContainsFunc(f.words, func(w *words) bool { return w.text() == name }) {
			return fmt.Errorf("%s: no column %q of texts, which the model uses%s", f.file, name, suggest.DidYouMean(name, f.header))
		}
	}
	return f.model.All(d, f.header, f.file)
}

// readFiles makes the data set of the files of some roles.
func (f *frame) readFiles(ctx context.Context, in source.Input, o Options, scan tablefile.Scanner, roles ...string) (*data.Dataset, error) {
	var rows []int
	f.implied = source.NewImplied(in)
	for _, role := range roles {
		content, file, err := in.Bytes(role)
		if err != nil {
			return nil, err
		}
		n, err := scan(ctx, file, content, func(header []string) ([]tablefile.Sink, error) {
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
		if f.kept != nil {
			n = 0
			for _, is := range f.kept {
				if is {
					n++
				}
			}
		}
		rows = append(rows, n)
	}
	return f.buildDataset(o, rows)
}

func (f *frame) newSink(name, role string, o Options) tablefile.Sink {
	switch role {
	case "columns.drop":
		return nil
	case "columns.id":
		if f.anyID {
			f.id = f.keyOf(name)
		} else {
			f.id = &identities{shared: f.sharedIDs}
		}
		return f.id
	case joinKey:
		return f.keyOf(name)
	case "columns.group":
		f.group = &groups{}
		return f.group
	case "columns.time":
		f.time = &times{name: name}
		return f.time
	case "columns.weight":
		f.weight = &weights{}
		return f.weight
	case exposure:
		f.exposure = &exposures{}
		return f.exposure
	case "target":
		if o.Target.Separator != "" {
			f.labels = newLabelSets(o.Target, f.model)
			return f.labels
		}
		kind, gaps := o.Target.TargetType(), o.Target.Gap()
		if f.model != nil {
			kind, gaps = f.model.TargetType(name), true
		}
		r := &response{name: name, positive: o.Target.Positive, kind: kind, texts: kind == data.Class, gaps: gaps}
		f.targets = append(f.targets, r)
		return r
	case "target.time":
		return f.endpoints(o).timesOf(name)
	case "target.event":
		return f.endpoints(o).endingsOf(name, o.Target.EventValue)
	case "columns.categorical":
		c := &categories{name: name, named: slices.Contains(o.Columns.Categorical, name), most: f.implied.MostNames()}
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
	case f.table != nil:
		n.texts = textsInJoined
	}
	f.features = append(f.features, n)
	return n
}

// countColumn accounts for a column, whose sink tells whether it is a feature.
func (f *frame) countColumn(name, role string) {
	_, used := f.sinks[name].(feature)
	switch {
	case used:
		f.columns.Used++
	case f.sinks[name] != nil:
		f.columns.Role(strings.TrimPrefix(role, "columns."), name)
	case f.table != nil:
		f.columns.Leave("not named", name)
	default:
		f.columns.Leave("dropped", name)
	}
}

// endpoints returns where times and events go.
func (f *frame) endpoints(o Options) *survival {
	if f.survival == nil {
		f.survival = &survival{f.model != nil || o.Target.Gap(), map[string]*timesUntil{}, map[string]*endings{}}
	}
	return f.survival
}

// sinksInOrder returns the sinks in the order of a file's columns.
func (f *frame) sinksInOrder(header []string) []tablefile.Sink {
	sinks := make([]tablefile.Sink, len(header))
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
	if f.labels != nil {
		var err error
		if d.Targets, err = f.labels.targets(); err != nil {
			return nil, fmt.Errorf("%s: %w", f.file, err)
		}
		d.Facts = append(d.Facts, source.LabelFacts(d.Targets, f.labels.rows)...)
		d.Facts = append(d.Facts, data.Fact{Name: "rows without a label", Value: fmt.Sprint(f.labels.rows - len(f.labels.known))})
	}
	if f.survival != nil {
		d.Targets = append(d.Targets, f.survival.targets(o.Target.Response)...)
	}
	if f.model == nil { // of new rows none need have an event
		if err := errors.Join(source.CheckEvents(d, o.Target.EventValue), source.CheckCounts(d)); err != nil {
			return nil, fmt.Errorf("%s: %w", f.file, err)
		}
	}
	if f.id != nil && (!f.anyID || f.sharedIDs || len(f.id.seen) == len(f.id.ids)) {
		d.IDs = f.id.ids
	}
	if f.group != nil {
		d.Groups = f.group.Groups(o.Columns.Group)
	} else if len(f.words) > 0 && f.table == nil { // of a joined table, with those of the data
		d.Groups = f.equal.groups()
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
	if f.exposure != nil {
		d.Exposure = f.exposure.x
	}
	total := 0
	for _, n := range rows {
		total += n
	}
	err := f.buildMatrix(d, total)
	d.Account.Rows.Found, d.Account.Columns = total, f.columns
	return d, err
}

// buildMatrix lays the features out in rows: zeros are not stored, missing values are NaN.
func (f *frame) buildMatrix(d *data.Dataset, rows int) error {
	if f.featuresElsewhere {
		d.X, d.Features = sparse.New(0, make([]int, rows+1), nil, nil), data.NewFeatures(nil)
		return nil
	}
	var names []string
	var factor, text []int32
	var factors int32
	textual := &texts.Columns{}
	first := make([]int32, len(f.features))
	entries, known := 0, f.model != nil
	for k, feature := range f.features {
		first[k] = int32(len(names))
		if c, ok := feature.(*categories); ok {
			if err := c.checkLevels(f.implied); err != nil {
				return fmt.Errorf("%s: column %q: %w", f.file, rawtext.Beginning(c.name), err)
			}
		}
		entries += feature.entries()
		columns, number, textNumber := feature.columns(), int32(-1), int32(-1)
		switch feature := feature.(type) {
		case *categories:
			if f.model == nil {
				warning, err := feature.checkRepeats()
				if err != nil {
					return fmt.Errorf("%s: %w", f.file, err)
				}
				d.Facts = append(d.Facts, warning...)
			}
			number = factors
			factors++
			if len(columns) == 0 {
				f.columns.Used--
				f.columns.Leave("without a value", feature.name)
			} else {
				known = true
			}
		case *words:
			textNumber, known = int32(len(textual.Names)), true
			textual.Names = append(textual.Names, feature.text())
			d.Facts = append(d.Facts, feature.facts()...)
		default:
			known = true
		}
		names = append(names, columns...)
		for range columns {
			factor, text = append(factor, number), append(text, textNumber)
		}
	}
	if !known {
		return fmt.Errorf("%s: every feature is missing in every row", f.file)
	}
	if name, twice := tablefile.FirstRepeated(names); twice {
		return fmt.Errorf("%s: a level of a categorical column, or a word of a text, and another column are both named %q", f.file, name)
	}
	d.Features = data.NewFeatures(names)
	if factors > 0 {
		d.Factor = factor
	}
	if len(f.words) > 0 {
		textual.Of, d.Texts = text, textual
	}
	var b sparse.Builder
	var idx []int32
	var val []float64
	b.Grow(rows, entries)
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
