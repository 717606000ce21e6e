package tabular

import (
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/tablefile"
)

// joinKey is the role of a column by which tables are joined, and nothing else.
const joinKey = "join"

// isKey reports whether tables find their rows by a column of the data.
func (f *frame) isKey(name string) bool {
	return f.table == nil && slices.ContainsFunc(f.tables, func(t *table) bool { return t.key == name })
}

// keyOf returns the sink of a column by which tables are joined.
func (f *frame) keyOf(name string) *identities {
	if f.keys == nil {
		f.keys = map[string]*identities{}
	}
	if f.keys[name] == nil {
		f.keys[name] = &identities{shared: true}
	}
	return f.keys[name]
}

// both is a column of the data that has a role, by which tables are joined as well.
type both struct{ role, key tablefile.Sink }

func (b both) AddCell(c tablefile.Cell) error {
	if err := b.role.AddCell(c); err != nil {
		return err
	}
	return b.key.AddCell(c)
}

// selectRows keeps, of what tables to come are joined by, some rows.
func (f *frame) selectRows(rows []int32) {
	for _, key := range f.keys {
		key.ids = data.ValuesAt(key.ids, rows)
	}
	if f.equal != nil {
		f.equal = data.ValuesAt(f.equal, rows)
	}
}

// addTexts adds the columns of texts of a joined table, whose rows are those in there. Rows then are equal if all of their texts are.
func (f *frame) addTexts(d *data.Dataset, joined *frame, there []int32, o Options) error {
	if len(joined.words) == 0 {
		return nil
	}
	if o.Features.Texts == together && len(f.words) > 0 {
		return param.Errorf("features.texts", "joined: columns of texts of several files are no one text; say apart")
	}
	f.words = append(f.words, joined.words...)
	if f.equal == nil {
		f.equal = make(equalTexts, d.Rows())
	}
	for i, r := range there {
		f.equal[i] += joined.equal[r]
	}
	if o.Columns.Group == "" {
		d.Groups = f.equal.groups()
	}
	return nil
}
