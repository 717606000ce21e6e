package prepare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare/intervals"
	"tenfold/engines/prepare/naming"
	"tenfold/engines/suggest"
)

// What is a unit, besides each single column.
const (
	Variable = "variable" // the levels of a categorical column
	Together = "together" // these, and they are selected together
)

// Treatment says how engines treat columns, apart from their values (data.Treatment). Names of columns may have * for any text, and
// that of a categorical column stands for all its levels, that of a text for all its columns. The zero value treats all alike.
type Treatment struct {
	Keep    string `json:",omitempty"` // names of columns that are in every model, one a line
	Penalty string `json:",omitempty"` // a name, a tab and the factor of the penalty, one a line; the last that matches counts
	Unit    string `json:",omitempty"` // "", Variable, Together
}

func (t Treatment) String() string {
	text := "keep " + strconv.Quote(t.Keep) + ", penalty " + strconv.Quote(t.Penalty)
	if t.Keep != "" {
		text += ", not counted as selected"
	}
	if t.Unit != "" {
		text += ", unit " + t.Unit
	}
	return text
}

// Keeps and Penalises report what engines must support.
func (t Treatment) Keeps() bool     { return t.Keep != "" }
func (t Treatment) Penalises() bool { return t.Penalty != "" }

// acceptsTreatment returns an error for units that the data does not have.
func (r Recipe) acceptsTreatment(d *data.Dataset) error {
	if r.Treatment.Unit != "" && d.Factor == nil && r.Missing != Indicator {
		return param.Errorf("features.unit", "%s, and no column of the data is categorical, so that each counts as one", r.Treatment.Unit)
	}
	return nil // droppedColumns finds names without a column
}

// factors returns the factors of the penalty, by column of the data set; nil for 1 each.
func (t Treatment) factors(d *data.Dataset) ([]float64, error) {
	if t.Keep == "" && t.Penalty == "" {
		return nil, nil
	}
	factor := slices.Repeat([]float64{1}, d.Features.Len())
	set := func(field, pattern string, value float64) error {
		columns := naming.Match(d, pattern)
		if len(columns) == 0 {
			return param.Errorf(field, "no column %q%s", pattern, suggest.DidYouMean(pattern, naming.Names(d)))
		}
		for _, j := range columns {
			if value == 0 && field == "features.keep" && math.IsInf(factor[j], 1) {
				return param.Errorf(field, "column %q is to be in every model, and by its penalty, .inf, in none", d.Features.Name(int(j)))
			}
			factor[j] = value
		}
		return nil
	}
	for line := range strings.Lines(t.Penalty) {
		pattern, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("features.penalty: %w", err)
		}
		if err := set("features.penalty", pattern, value); err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(factor, func(f float64) bool { return !math.IsInf(f, 1) }) {
		return nil, param.Errorf("features.penalty", "the penalty of every column is .inf, so that no model has any")
	}
	for line := range strings.Lines(t.Keep) {
		if err := set("features.keep", strings.TrimSuffix(line, "\n"), 0); err != nil {
			return nil, err
		}
	}
	return factor, nil
}

// treatColumns applies the treatment to the prepared columns, each of which is treated as the column it was made from; topics are
// made from none. An indicator is one unit with the column that it tells of.
func (r Recipe) treatColumns(p *data.Prepared, l *Learned) error {
	if r.Treatment == (Treatment{}) {
		return nil
	}
	d := p.Set
	factor, err := r.Treatment.factors(d)
	if err != nil {
		return err
	}
	from := p.Kept
	if from == nil {
		from = data.Numbers(d.Features.Len())
	}
	read := from
	if l.Cuts != nil {
		from = data.ValuesAt(from, intervals.Sources(l.Cuts))
	}
	from = append(slices.Clip(from), slices.Repeat([]int32{-1}, l.countTopics())...)
	told := len(from)
	from = append(from, data.ValuesAt(read, l.Indicators)...)
	t := data.Treatment{Together: r.Treatment.Unit == Together}
	columns := p.Columns()
	for k := range columns {
		made := from[k] < 0
		if factor != nil {
			f := 1.0
			if !made {
				f = factor[from[k]]
			}
			t.Factor = append(t.Factor, f)
		}
		if r.Treatment.Unit != "" {
			unit := int32(k)
			switch {
			case made:
			case isLevel(d, int(from[k])):
				unit = int32(columns) + d.Factor[from[k]]
			case k >= told:
				unit = int32(slices.Index(from, from[k]))
			}
			t.Unit = append(t.Unit, unit)
		}
	}
	if t.Unit = data.Numbered(t.Unit); t.Unit != nil {
		t.Name = make([]string, columns)
		for k, j := range from {
			if j >= 0 && (isLevel(d, int(j)) || k >= told) {
				t.Name[t.Unit[k]] = d.ColumnOf(int(j))
			}
		}
	}
	p.Treatment = t
	r.Treatment.noteUnfit(p)
	return nil
}

// noteUnfit notes names that match a column of the data and none of the fold.
func (t Treatment) noteUnfit(p *data.Prepared) {
	kept := data.Numbers(p.Set.Features.Len())
	if p.Kept != nil {
		kept = p.Kept
	}
	has := data.PlacesOf(kept, p.Set.Features.Len())
	for line := range strings.Lines(t.Keep + "\n" + t.Penalty + "\n") {
		pattern, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if pattern != "" && !strings.HasSuffix(line, "\t+Inf\n") && !slices.ContainsFunc(naming.Match(p.Set, pattern), func(j int32) bool { return has[j] >= 0 }) {
			p.Warnings = append(p.Warnings, fmt.Sprintf("features: no column that %q names is left in the training rows", pattern))
		}
	}
}
