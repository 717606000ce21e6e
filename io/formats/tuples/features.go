package tuples

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/source"
)

// Tuple is a record of a join.
type Tuple [10]int32

// The two sides of a join: the positions of each constituent.
var (
	leftSide  = []int{0, 1, 2, 3, 8}
	rightSide = []int{4, 5, 6, 7, 9}
	whole     = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
)

// NewTuples returns a table of ten-tuples.
func NewTuples() *Table { return NewTable("0", "1", "2", "3", "4", "5", "6", "7", "8", "9") }

// Tuple returns record i in a table of ten-tuples.
func (t *Table) Tuple(i int) (tuple Tuple) {
	for p := range tuple {
		tuple[p] = t.values[p][i]
	}
	return tuple
}

// defaultTemplates is the list named default. Hooker & Weng used 28 templates and do not list them; these are ours.
var defaultTemplates = source.Templates{
	"0200020000", "2000020000", "0200200000", "2000200000", "2200220000", "0200020020", "0200020002",
	"0200020022", "0202020000", "0200020200", "0202020200", "0202020222", "0000000022", "2000000000",
	"0200000000", "0000200000", "0000020000", "0211020000", "0200021100", "0211021100", "2000020020",
	"0200200002", "2200000020", "0000220002", "0020020000", "0200002000", "0222000020", "0000022202",
}

// DefaultTemplates returns the list named default.
func DefaultTemplates() []string { return defaultTemplates }

// Features are the options of formats that expand templates over ten-tuples.
type Features struct {
	Templates        source.Templates `yaml:"templates" doc:"templates of ten characters: 2 takes the value at its position, 1 asks for a leaf there, 0 ignores it; a list, or the name of one; default names 28 of our own"`
	Cutoff           int              `yaml:"cutoff" key:"-" doc:"keep patterns seen in at least this many training rows, at least 1"`
	source.Treatment `yaml:",inline"`
}

// DefaultFeatures are the 28 default templates, with Hooker & Weng's cutoff.
var DefaultFeatures = Features{Templates: source.Templates{"default"}, Cutoff: 5}

// Validate checks the cutoff and the form of the templates.
func (f Features) Validate() error {
	if err := errors.Join(CheckCutoff(f.Cutoff), f.Treatment.Validate()); err != nil {
		return err
	}
	_, err := f.parseTemplates()
	return err
}

// CheckCutoff refuses a cutoff below 1.
func CheckCutoff(cutoff int) error {
	if cutoff < 1 {
		return param.Errorf("features.cutoff", "%d, expected at least 1", cutoff)
	}
	return nil
}

func (f Features) parseTemplates() ([]Template, error) {
	list := f.Templates
	if len(list) == 1 && list[0] == "default" {
		list = defaultTemplates
	}
	if len(list) == 0 {
		return nil, param.Errorf("features.templates", "no templates, expected a list or the name of one")
	}
	parsed := make([]Template, len(list))
	for k, text := range list {
		var err error
		if parsed[k], err = parseTemplate(text); err != nil {
			return nil, err
		}
	}
	return parsed, nil
}

func parseTemplate(text string) (Template, error) {
	t := Template{}
	if len(text) != len(whole) {
		return t, param.Errorf("features.templates", "%q has %d characters, expected %d of 0, 1 and 2", text, len(text), len(whole))
	}
	for p, c := range []byte(text) {
		switch c {
		case '0':
		case '1':
			t.Positions, t.Leaves = append(t.Positions, p), append(t.Leaves, p)
		case '2':
			t.Positions = append(t.Positions, p)
		default:
			return t, param.Errorf("features.templates", "%q has %q at position %d, expected 0, 1 or 2", text, text[p:p+1], p)
		}
	}
	return t, nil
}

// Dataset returns that of a table of ten-tuples: its patterns as in Table.Expand, and the group pattern, of rows that are equal tuples.
func (f Features) Dataset(ctx context.Context, t *Table) (*data.Dataset, error) {
	return f.buildDataset(ctx, newOrder(t))
}

func (f Features) buildDataset(ctx context.Context, o *order) (*data.Dataset, error) {
	templates, err := f.parseTemplates()
	if err != nil {
		return nil, err
	}
	set, err := o.buildDataset(ctx, templates, everything)
	if err != nil {
		return nil, err
	}
	set.Groups = o.groupTuples()
	set.Facts = append(set.Facts, data.Fact{Name: "distinct ten-tuples", Value: fmt.Sprint(len(set.Groups.Key))})
	return set, nil
}

// groupTuples numbers the distinct tuples in the order of their values' bytes.
func (o *order) groupTuples() *data.Groups {
	group, representatives := o.numberCombinations(whole)
	key := make([]uint64, len(representatives))
	for g, i := range representatives {
		var values [len(Tuple{})]string
		for p, v := range o.table.Tuple(int(i)) {
			values[p] = o.text[v]
		}
		key[g] = data.Key(values[:]...)
	}
	return &data.Groups{Name: "pattern", Of: group, Key: key}
}
