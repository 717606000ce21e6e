package prepare

import (
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/core/exact"
	"tenfold/engines/data"
)

// Learned is a prepared data set without its rows, as data: what a recipe learned of columns and targets. Apply makes of new rows
// what Fit makes of rows that it does not learn from, to the last bit. Columns go by their names.
type Learned struct {
	Columns []string `json:"columns"` // kept, in order, as they were read
	// Factors number, for each column, the categorical column that it is a level of, -1 for none; left out where none is.
	Factors []int32 `json:"factors,omitempty"`
	// Left are levels that rows had and that are no columns all the same, such as rare ones. They are not unseen.
	Left   []string `json:"left,omitempty"`
	Unseen string   `json:"unseen,omitempty"` // as in Recipe

	Fill      exact.Floats `json:"fill,omitempty"`  // of each column, what stands for a missing value; none: gaps are refused
	Cuts      []*Cuts      `json:"cuts,omitempty"`  // of each column that becomes others, of which the rest here is then; null where it stays
	Scale     exact.Floats `json:"scale,omitempty"` // factors of the columns, 0 where they stay
	IDF       exact.Floats `json:"idf,omitempty"`
	Normalize string       `json:"normalize,omitempty"` // as in Recipe
	Topics    *Topics      `json:"topics,omitempty"`    // whose columns follow

	Class   []int32  `json:"class,omitempty"` // of each column, those of topics last; -1 for none
	Classes []string `json:"classes,omitempty"`

	// Static, where columns look at previous labels, is the number of those before them, which do not.
	Static *int `json:"static,omitempty"`
	Beam   int  `json:"beam,omitempty"` // as in Recipe

	Targets []LearnedTarget `json:"targets"`

	unused []bool // by column, of those that nothing is asked of; nil where all are used
}

// For a model that depends on some columns alone: new rows need these, and what these are made of. Nothing is asked of the others,
// nor is anything made of them. O(columns).
func (l *Learned) For(used []int32) *Learned {
	out := *l
	all := l.Normalize != "" && len(used) > 0 // the length of a row is that of all columns
	factor := map[int32]bool{}
	unused := make([]bool, len(l.Columns))
	for j := range unused {
		unused[j] = true
	}
	from := data.Numbers(len(l.Columns))
	if l.Cuts != nil {
		from = cutFrom(l.Cuts)
	}
	for _, j := range used {
		if all = all || int(j) >= len(from); all { // a topic is found on all of them
			return &out
		}
		j = from[j]
		unused[j] = false
		if l.Factors != nil && l.Factors[j] >= 0 {
			factor[l.Factors[j]] = true
		}
	}
	for j, f := range l.Factors {
		unused[j] = unused[j] && !factor[f] // all levels of one column
	}
	if out.unused = unused; all {
		out.unused = nil
	}
	return &out
}

// Uses column j, or does nothing hang on it?
func (l *Learned) Uses(j int) bool { return l.unused == nil || !l.unused[j] }

// Used is how many columns are.
func (l *Learned) Used() (n int) {
	for j := range l.Columns {
		if l.Uses(j) {
			n++
		}
	}
	return n
}

// Learn is Fit on all rows, and what it learned.
func (r Recipe) Learn(d *data.Dataset) (*data.Prepared, *Learned, error) {
	l := &Learned{Unseen: r.Unseen, Normalize: r.Normalize, Beam: r.Beam}
	p, err := r.fitRecording(d, nil, l)
	if err != nil {
		return nil, nil, err
	}
	l.setColumns(p)
	if l.Fill == nil && r.Missing != "" && r.Missing != "error" { // these rows have no gaps, others may
		x := d.X
		if p.Kept != nil {
			x = x.Keep(p.Kept)
		}
		l.Fill = r.fillValues(x)
	}
	if s := p.Sequences; s != nil && len(s.Previous) > 0 {
		l.Static = &s.Static
	}
	for t := range p.Targets {
		l.Targets = append(l.Targets, learnTarget(p, &p.Targets[t]))
	}
	return p, l, nil
}

// setColumns records the columns that were read, then the classes of these and of the topics.
func (l *Learned) setColumns(p *data.Prepared) {
	f, n := p.Features, p.Features.Len()
	for j := range n {
		if f.HasClasses() {
			l.Class = append(l.Class, int32(f.Class(j)))
		}
	}
	l.Classes = f.Classes()
	if f = p.Set.Features; p.Kept != nil {
		f = f.Keep(p.Kept)
	}
	l.Columns = make([]string, f.Len())
	for j := range l.Columns {
		l.Columns[j] = f.Name(j)
	}
	if p.Set.Factor == nil {
		return
	}
	if l.Factors = p.Set.Factor; p.Kept != nil {
		l.Factors = data.ValuesAt(p.Set.Factor, p.Kept)
		l.Left = levelsLeft(p)
	}
}

// levelsLeft are the names of levels that rows have and that are no columns.
func levelsLeft(p *data.Prepared) (names []string) {
	d := p.Set
	kept, has := data.PlacesOf(p.Kept, d.Features.Len()), make([]bool, d.Features.Len())
	for i := range d.Rows() {
		row := d.X.Row(i)
		for q, j := range row.Idx {
			has[j] = has[j] || row.At(q) == row.At(q)
		}
	}
	for j, k := range kept {
		if k < 0 && has[j] && isLevel(d, j) {
			names = append(names, d.Features.Name(j))
		}
	}
	return names
}

// Features of the columns that a model has, those of topics among them.
func (l *Learned) Features() *data.Features {
	names := l.Columns
	if l.Cuts != nil {
		f := cutFeatures(data.NewFeatures(names), l.Cuts)
		names = make([]string, f.Len())
		for j := range names {
			names[j] = f.Name(j)
		}
	}
	if l.Topics != nil {
		names = slices.Concat(names, l.Topics.Names)
	}
	f := data.NewFeatures(names)
	if l.Class == nil {
		return f
	}
	return f.WithClasses(l.Class, l.Classes)
}

// Check that the parts fit together, as those of a damaged file may not. O(columns).
func (l *Learned) Check() error {
	read := len(l.Columns)
	if len(l.Cuts) != 0 && len(l.Cuts) != read {
		return fmt.Errorf("cuts of %d columns for %d columns", len(l.Cuts), read)
	}
	n := read
	for j, c := range l.Cuts {
		if n += c.countColumns() - 1; c != nil && (c.Above == nil || len(c.Above) != len(c.Names)) {
			return fmt.Errorf("column %d: %d cuts with %d names", j, len(c.Above), len(c.Names))
		}
	}
	all := n
	if l.Topics != nil {
		all += len(l.Topics.Names)
	}
	for _, part := range []struct {
		name    string
		n, want int
	}{
		{"factors", len(l.Factors), read}, {"values to fill in", len(l.Fill), read}, {"scales", len(l.Scale), n},
		{"document frequencies", len(l.IDF), n}, {"classes", len(l.Class), all},
	} {
		if part.n != 0 && part.n != part.want {
			return fmt.Errorf("%d %s for %d columns", part.n, part.name, part.want)
		}
	}
	for j, c := range l.Class {
		if c < -1 || int(c) >= len(l.Classes) {
			return fmt.Errorf("column %d is of class %d, and there are %d", j, c, len(l.Classes))
		}
	}
	names := make(map[string]bool, all)
	f := l.Features()
	for j := range all {
		if names[f.Name(j)] {
			return fmt.Errorf("two columns are named %q", f.Name(j))
		}
		names[f.Name(j)] = true
	}
	if l.Static != nil && (*l.Static < 0 || *l.Static > n) {
		return fmt.Errorf("%d of %d columns look at no label", *l.Static, n)
	}
	if l.Topics != nil {
		if err := l.Topics.check(n); err != nil {
			return err
		}
	}
	if len(l.Targets) == 0 {
		return errors.New("no target")
	}
	for _, t := range l.Targets {
		if err := t.check(); err != nil {
			return fmt.Errorf("target %s: %w", t.Name, err)
		}
	}
	return nil
}
