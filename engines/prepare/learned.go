package prepare

import (
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/data/texts"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/prepare/intervals"
	"tenfold/engines/prepare/labels"
	"tenfold/engines/prepare/topics"
)

// Learned holds, without the rows, what a recipe learned of columns and targets, so that it can be saved. Apply prepares new rows
// exactly as Fit prepares rows that it does not learn from, to the last bit. Columns are identified by their names.
type Learned struct {
	Columns []string `json:"columns"` // kept, in order, as they were read
	// Factors holds, for each column, the number of the categorical column that it is a level of, -1 for none; omitted if all are
	// -1.
	Factors []int32 `json:"factors,omitempty"`
	// Left lists what rows had but that are no columns: levels, such as rare ones, and columns that were pruned. They are not unseen.
	Left   []string `json:"left,omitempty"`
	Unseen string   `json:"unseen,omitempty"` // as in Recipe
	// Texts says which columns are made of texts in a table; omitted if there are no others beside them.
	Texts *texts.Columns `json:"texts,omitempty"`

	// Fill holds, by column, the value that replaces missing ones, NaN where these are refused or stay; empty: all do. Where a word is
	// missing, one of its levels is 1: that of missing words, or the commonest.
	Fill        exact.Floats `json:"fill,omitempty"`
	KeepNumbers bool         `json:"keep_numbers,omitempty"` // missing numbers stay missing
	KeepWords   bool         `json:"keep_words,omitempty"`   // likewise words
	// Indicators lists the columns of which 0/1 columns tell where the value is missing; these stand after all others.
	Indicators []int32 `json:"indicators,omitempty"`

	Cuts      []*intervals.Cuts `json:"cuts,omitempty"`  // by column, how it is discretised, after which the fields below count the new columns; null if it stays
	Scale     exact.Floats      `json:"scale,omitempty"` // factors of the columns, 0 for those that stay
	IDF       exact.Floats      `json:"idf,omitempty"`
	Normalize string            `json:"normalize,omitempty"` // as in Recipe
	Topics    *topics.Model     `json:"topics,omitempty"`    // the topics, whose columns come last

	Class   []int32  `json:"class,omitempty"` // by column, those of topics last; -1 for none
	Classes []string `json:"classes,omitempty"`

	// Static is the number of columns that do not look at previous labels, which come first; nil if no column does.
	Static *int `json:"static,omitempty"`
	Beam   int  `json:"beam,omitempty"` // as in Recipe

	Targets []labels.Target `json:"targets"`

	told   []told    // the columns with indicators
	words  []float64 // by column, 1 for the level that stands for missing words, 0 for other levels, -1 for numbers; nil if all are numbers
	unused []bool    // by column, true if no model uses it; nil if all are used
}

// For returns the Learned for a model that depends on some columns alone: new rows need these, and the columns that these are
// computed from. The others are neither required nor computed. O(columns).
func (l *Learned) For(used []int32) *Learned {
	out := *l
	lengths := l.Normalize != "" // the length of a row, or of a text in it, depends on all its columns
	all := lengths && l.Texts == nil && len(used) > 0
	factor, text := map[int32]bool{}, map[int32]bool{}
	unused := make([]bool, len(l.Columns))
	for j := range unused {
		unused[j] = true
	}
	from := data.Numbers(len(l.Columns))
	if l.Cuts != nil {
		from = intervals.Sources(l.Cuts)
	}
	from = append(slices.Clip(from), slices.Repeat([]int32{-1}, l.countTopics())...)
	from = append(from, l.Indicators...)
	for _, j := range used {
		if all = all || from[j] < 0; all { // a topic depends on all columns
			return &out
		}
		j = from[j]
		unused[j] = false
		if l.Factors != nil && l.Factors[j] >= 0 {
			factor[l.Factors[j]] = true
		}
		if lengths && l.Texts.Is(int(j)) {
			text[l.Texts.Of[j]] = true
		}
	}
	for j, f := range l.Factors {
		unused[j] = unused[j] && !factor[f] // the levels of one column stay together
	}
	for j := range unused {
		unused[j] = unused[j] && !(l.Texts.Is(j) && text[l.Texts.Of[j]])
	}
	if out.unused = unused; all {
		out.unused = nil
	}
	return &out
}

// Uses reports whether anything depends on column j.
func (l *Learned) Uses(j int) bool { return l.unused == nil || !l.unused[j] }

// Used returns the number of used columns.
func (l *Learned) Used() (n int) {
	for j := range l.Columns {
		if l.Uses(j) {
			n++
		}
	}
	return n
}

// Learn fits to all rows, as Fit does, and also returns what it learned.
func (r Recipe) Learn(d *data.Dataset) (*data.Prepared, *Learned, error) {
	l := &Learned{Unseen: r.Unseen, Normalize: r.Normalize, Beam: r.Beam}
	p, err := r.fitRecording(d, nil, l)
	if err != nil {
		return nil, nil, err
	}
	l.setColumns(p)
	if l.Fill == nil && r.Fills() { // these rows have no gaps, but others may
		x := d.X
		if p.Kept != nil {
			x = x.Keep(p.Kept)
		}
		l.Fill = r.fillValues(x, l.words)
	}
	if s := p.Sequences; s != nil && len(s.Previous) > 0 {
		l.Static = &s.Static
	}
	for t := range p.Targets {
		target, cut := &p.Targets[t], (*exact.Float)(nil)
		if target.Numbers != nil {
			mean := exact.Float(trainingSampleOf(p, target, nil).mean(target.Numbers))
			cut = &mean
		}
		l.Targets = append(l.Targets, labels.Learn(target, cut, p.Set.Exposure != nil))
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
		l.Left = append(l.Left, levelsLeft(p)...)
	}
}

// levelsLeft returns the names of levels that rows have and that are no columns.
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

// preparedTexts returns the texts of the columns after discretising.
func (l *Learned) preparedTexts() *texts.Columns {
	if l.Cuts == nil {
		return l.Texts
	}
	return l.Texts.At(intervals.Sources(l.Cuts))
}

// countTopics returns the number of columns of topics, which stand after those that are read.
func (l *Learned) countTopics() int {
	if l.Topics == nil {
		return 0
	}
	return len(l.Topics.Names)
}

// Features returns the features of a model's columns, including those of topics.
func (l *Learned) Features() *data.Features {
	names := l.Columns
	if l.Cuts != nil {
		f := intervals.Features(data.NewFeatures(names), l.Cuts)
		names = make([]string, f.Len())
		for j := range names {
			names[j] = f.Name(j)
		}
	}
	if l.Topics != nil {
		names = slices.Concat(names, l.Topics.Names)
	}
	names = slices.Clip(names)
	for _, j := range l.Indicators {
		names = append(names, indicatorOf(l.Columns[j]))
	}
	f := data.NewFeatures(names)
	if l.Class == nil {
		return f
	}
	return f.WithClasses(l.Class, l.Classes)
}

// Check verifies that the parts fit together, which those of a damaged file may not. O(columns).
func (l *Learned) Check() error {
	read := len(l.Columns)
	if len(l.Cuts) != 0 && len(l.Cuts) != read {
		return fmt.Errorf("cuts of %d columns for %d columns", len(l.Cuts), read)
	}
	if err := l.Texts.Check(read); err != nil {
		return err
	}
	n := read
	for j, c := range l.Cuts {
		if n += c.CountColumns() - 1; c != nil && (c.Above == nil || len(c.Above) != len(c.Names)) {
			return fmt.Errorf("column %d: %d cuts with %d names", j, len(c.Above), len(c.Names))
		}
	}
	all := n + l.countTopics() + len(l.Indicators)
	for k, j := range l.Indicators {
		if j < 0 || int(j) >= read || k > 0 && j <= l.Indicators[k-1] {
			return fmt.Errorf("an indicator tells of column %d of %d", j, read)
		}
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
		if err := l.Topics.Check(n); err != nil {
			return err
		}
	}
	if len(l.Targets) == 0 {
		return errors.New("no target")
	}
	for _, t := range l.Targets {
		if err := t.Check(); err != nil {
			return fmt.Errorf("target %s: %w", t.Name, err)
		}
	}
	return nil
}
