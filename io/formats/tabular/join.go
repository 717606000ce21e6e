package tabular

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/source"
)

// Roles of the files that are joined to the rows.
const (
	moreFeatures = "features"
	responses    = "responses"
)

// Join matches files of further features and of responses with the rows of data: by the ids of the rows, where they have
// any, else row by row.
type Join struct {
	ID        string `yaml:"id" doc:"column of a joined file that has the ids of the rows; by default its first"`
	Delimiter string `yaml:"delimiter" doc:"what is between cells of a joined file, as in delimiter; by default what its name and content say"`
	Header    bool   `yaml:"header" doc:"the first row of a joined file names its columns (a # before the first is left out)"`
	Unmatched string `yaml:"unmatched" doc:"a row of data that a joined file does not have: error, skip (leave it out)"`
}

// DefaultJoin is by the first column, and complete.
var DefaultJoin = Join{Header: true, Unmatched: "error"}

// Validate checks the options by themselves.
func (j Join) Validate() error {
	delimiter := source.Tabs
	delimiter.Delimiter = cmp.Or(j.Delimiter, delimiter.Delimiter)
	err := delimiter.Validate()
	if err != nil {
		err = param.Errorf("join.delimiter", "%q, expected one character, or %s", j.Delimiter, source.Blanks)
	}
	return errors.Join(err, param.OneOf("join.unmatched", j.Unmatched, "error", "skip"))
}

// joinFiles adds what files of further features and of responses have.
func (o Options) joinFiles(ctx context.Context, in source.Input, d *data.Dataset, read scan, m *model) (*data.Dataset, error) {
	if in.Has(moreFeatures) {
		side := o
		side.Columns = Columns{Codes: o.Columns.Codes, Missing: o.Columns.Missing, Repeated: o.Columns.Repeated}
		f := frame{joined: true, responsesElsewhere: true, model: m}
		other, err := o.Join.readJoined(ctx, in, &f, side, read, moreFeatures, d.IDs != nil)
		if err != nil {
			return nil, err
		}
		var rows *data.Dataset
		if d, rows, err = o.Join.matchRows(d, other, f.file); err != nil {
			return nil, err
		}
		if err := appendColumns(d, rows, f.file); err != nil {
			return nil, err
		}
		d.AddColumns(rows.Account.Columns)
	}
	if !in.Has(responses) || m != nil && !m.Responses {
		return d, nil
	}
	return o.Join.joinResponses(ctx, in, d, o.Target, Columns{Missing: o.Columns.Missing, Repeated: o.Columns.Repeated}, read, m)
}

// Responses gives a data set the targets in a tab-separated file of the role responses, which names its rows in its first
// column.
func (j Join) Responses(ctx context.Context, in source.Input, d *data.Dataset, target source.Response) (*data.Dataset, error) {
	return j.joinResponses(ctx, in, d, target, Columns{}, Text{Dialect: source.Tabs, Header: j.Header, Options: Options{Join: j}, own: true}.scanRows, nil)
}

// NewResponses is Responses of rows to apply a model to.
func (j Join) NewResponses(ctx context.Context, in source.Input, d *data.Dataset, target source.Response, a source.Application) (*data.Dataset, error) {
	return j.joinResponses(ctx, in, d, target, Columns{}, Text{Dialect: source.Tabs, Header: j.Header, Options: Options{Join: j}, own: true}.scanRows, knownColumns(&a))
}

func (j Join) joinResponses(ctx context.Context, in source.Input, d *data.Dataset, target source.Response, columns Columns, read scan, m *model) (*data.Dataset, error) {
	side := Options{Target: target, Columns: columns, usual: source.Usual}
	if len(side.Target.Responses()) == 0 {
		side.Target.Columns = []string{"*"}
	}
	f := frame{featuresElsewhere: true, model: m}
	other, err := j.readJoined(ctx, in, &f, side, read, responses, d.IDs != nil)
	if err != nil {
		return nil, err
	}
	d, rows, err := j.matchRows(d, other, f.file)
	if err != nil {
		return nil, err
	}
	d.Targets = rows.Targets
	d.AddColumns(rows.Account.Columns)
	return d, nil
}

// readJoined reads a joined file; its columns that the options do not mention are features, or nothing.
func (j Join) readJoined(ctx context.Context, in source.Input, f *frame, o Options, read scan, role string, named bool) (*data.Dataset, error) {
	f.firstIsID, o.Columns.ID = named && j.ID == "", j.ID
	if j.ID != "" && !named {
		return nil, param.Errorf("join.id", "the rows of data have no ids to join %q with; name their column in columns.id", j.ID)
	}
	if f.featuresElsewhere {
		o.Columns.Drop = []string{"*"}
	}
	return f.readFiles(ctx, in, o, plainHeader(read, f.firstIsID), role)
}

// plainHeader leaves out a # before the name of the first column. Where it names rows, it need have no name itself.
func plainHeader(read scan, ids bool) scan {
	return func(ctx context.Context, file string, content []byte, bind func([]string) ([]sink, error)) (int, error) {
		return read(ctx, file, content, func(header []string) ([]sink, error) {
			header = slices.Clone(header)
			header[0] = strings.TrimSpace(strings.TrimPrefix(header[0], "#"))
			if ids && header[0] == "" {
				header[0] = "id"
			}
			return bind(header)
		})
	}
}

// matchRows returns the rows of data that a joined file has, and the same rows of that file.
func (j Join) matchRows(d, other *data.Dataset, file string) (left, right *data.Dataset, err error) {
	if d.IDs == nil {
		if d.Rows() != other.Rows() {
			return nil, nil, fmt.Errorf("%s: %d rows, expected %d, one for each row of data (name the ids of rows in columns.id to join by them)", file, other.Rows(), d.Rows())
		}
		return d, other, nil
	}
	place := make(map[string]int32, len(other.IDs))
	for i, id := range other.IDs {
		place[id] = int32(i)
	}
	var here, there []int32
	var missing []string
	for i, id := range d.IDs {
		at, ok := place[id]
		if !ok {
			missing = append(missing, id)
			continue
		}
		here, there = append(here, int32(i)), append(there, at)
	}
	switch {
	case len(here) == 0:
		return nil, nil, fmt.Errorf("%s: it has none of the rows of data: its ids are such as %q, theirs such as %q (join: {id: COLUMN} names the column of its ids, if not the first)", file, other.IDs[0], d.IDs[0])
	case len(missing) > 0 && j.Unmatched != "skip":
		return nil, nil, fmt.Errorf("%s: it does not have %d of the %d rows of data: %s (join: {unmatched: skip} leaves them out)", file, len(missing), len(d.IDs), source.Abridge(missing))
	case len(missing) > 0:
		d.LeaveRows("without a partner in "+file, data.Difference(data.Numbers(d.Rows()), here))
		d = d.Select(here)
	}
	if n := len(other.IDs) - len(here); n > 0 || len(missing) > 0 {
		d.Facts = append(d.Facts, data.Fact{
			Name:  "joined with " + file,
			Value: fmt.Sprintf("%d rows; left out %d rows of data and %d of the file, without the other", len(here), len(missing), n),
		})
	}
	return d, other.Select(there), nil
}

// appendColumns appends the columns of another data set with the same rows.
func appendColumns(d, other *data.Dataset, file string) error {
	width, more := d.Features.Len(), other.Features.Len()
	names := make([]string, 0, width+more)
	for _, f := range []*data.Features{d.Features, other.Features} {
		for j := range f.Len() {
			names = append(names, f.Name(j))
		}
	}
	if name, twice := firstRepeated(names); twice {
		return fmt.Errorf("%s: column %q is in the data as well: rename one of the two, or leave that of the data out with columns: {drop: [%s]}", file, name, name)
	}
	var b sparse.Builder
	var idx []int32
	var val []float64
	for i := range d.Rows() {
		idx, val = idx[:0], val[:0]
		for k, x := range []*sparse.Matrix{d.X, other.X} {
			row := x.Row(i)
			for q, j := range row.Idx {
				idx, val = append(idx, j+int32(k*width)), append(val, row.At(q))
			}
		}
		if err := b.Add(idx, val); err != nil {
			return fmt.Errorf("%s: row %d: %w", file, i, err)
		}
	}
	if d.Factor != nil {
		for range more {
			d.Factor = append(d.Factor, -1)
		}
	}
	d.X, d.Features = b.Matrix(width+more), data.NewFeatures(names)
	return nil
}
