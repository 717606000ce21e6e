package source

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/labels"
	"tenfold/engines/suggest"
)

// Application describes rows that a model is applied to. They come in the form of the rows that the model was fitted to, except
// that responses and fold columns are optional, and that columns unknown to the model are ignored.
type Application struct {
	*prepare.Learned
	Responses bool // whether to read responses, to compare predictions with them
}

// Applicable is implemented by a Source that can read rows to apply a model to. For other sources, Load reads them as training
// rows.
type Applicable interface {
	Source
	// LoadNew reads the files; those of the role all have the rows. It returns all rows, in order, except those that the options
	// leave out.
	LoadNew(ctx context.Context, in Input, a Application) (*data.Dataset, error)
}

// LoadNew reads rows to apply a model to.
func LoadNew(ctx context.Context, src Source, in Input, a Application) (d *data.Dataset, err error) {
	if able, ok := src.(Applicable); ok {
		d, err = able.LoadNew(ctx, in, a)
	} else {
		d, err = src.Load(ctx, in)
	}
	if err != nil {
		return nil, err
	}
	if !a.Responses {
		d.Targets = nil
	}
	return d, nil
}

// Target returns what the model learned about the target of that name, or about its only target.
func (a Application) Target(name string) (t labels.Target, known bool) {
	for _, t := range a.Targets {
		if t.Name == name || len(a.Targets) == 1 {
			return t, true
		}
	}
	return t, false
}

// TargetType returns the type as which responses are read.
func (a Application) TargetType(name string) data.Type {
	switch t, known := a.Target(name); {
	case !known:
		return data.Any
	case t.Class && t.Cut == nil:
		return data.Class
	case t.Survival:
		return data.Survival
	case t.Count:
		return data.Count
	}
	return data.Real
}

// Each calls do for each column that the model uses, except those made of texts, with the name to look it up by: classes that overlap have
// copies of a column, named column@class. factor is the number of the categorical column that it is a level of, -1 for none.
func (a Application) Each(do func(column, read string, factor int32)) {
	for j, name := range a.Columns {
		if !a.Uses(j) || a.Texts.Is(j) {
			continue
		}
		factor := int32(-1)
		if a.Factors != nil {
			factor = a.Factors[j]
		}
		do(name, a.originalName(j, name), factor)
	}
}

// UsedTexts returns the names of the texts that columns which the model uses are made of.
func (a Application) UsedTexts() (names []string) {
	for j := range a.Columns {
		if name := a.Texts.NameOf(j); a.Uses(j) && a.Texts.Is(j) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (a Application) originalName(j int, name string) string {
	if a.Class != nil && a.Class[j] >= 0 {
		if base, is := strings.CutSuffix(name, "@"+a.Classes[a.Class[j]]); is {
			return base
		}
	}
	return name
}

// Copies adds to the rows the copies of columns that overlapping classes made.
func (a Application) Copies(d *data.Dataset) *data.Dataset {
	copies := map[string][]string{}
	for j, name := range a.Columns {
		if base := a.originalName(j, name); base != name {
			copies[base] = append(copies[base], name)
		}
	}
	if len(copies) == 0 {
		return d
	}
	var from []int32
	var names []string
	for j := range d.Features.Len() {
		name := d.Features.Name(j)
		for _, copy := range append([]string{name}, copies[name]...) {
			from, names = append(from, int32(j)), append(names, copy)
		}
	}
	return d.Spread(from, data.NewFeatures(names))
}

// Matrix gives the rows of a matrix, which has to have all columns that are used, those copies.
func (a Application) Matrix(d *data.Dataset, gaps Gaps) (*data.Dataset, error) {
	if err := a.All(d, nil, "the matrix"); err != nil {
		return nil, err
	}
	return a.CompleteRows(a.Copies(d), gaps)
}

// All returns an error if a column that the model uses is missing, for formats that know their columns; of a categorical column one
// level is enough. have lists the columns of the file, for the suggestion; file is "" if the caller adds the name of the file.
func (a Application) All(d *data.Dataset, have []string, file string) error {
	var missing []string
	levels := map[int32]string{} // of categorical columns without any level so far, the first known one
	a.Each(func(column, read string, factor int32) {
		_, whole := d.Features.Lookup(column)
		_, base := d.Features.Lookup(read)
		switch first, seen := levels[factor]; {
		case factor < 0 && !whole && !base && !slices.Contains(missing, read):
			missing = append(missing, read)
		case factor < 0:
		case whole || base:
			levels[factor] = ""
		case !seen || first != "":
			levels[factor] = cmp.Or(first, read)
		}
	})
	for _, factor := range slices.Sorted(maps.Keys(levels)) {
		if name, _, _ := strings.Cut(levels[factor], "="); name != "" {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	others := ""
	if len(missing) > 1 {
		others = fmt.Sprintf("; nor are there %s", Abridge(missing[1:]))
	}
	err := fmt.Errorf("no column %q, which the model uses%s%s", missing[0], suggest.DidYouMean(missing[0], have), others)
	if file != "" {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return err
}

// dropUnused returns a data set without the columns that the model knows and does not use.
func (a Application) dropUnused(d *data.Dataset) *data.Dataset {
	unused := map[string]bool{}
	for j, name := range a.Columns {
		unused[name] = !a.Uses(j)
	}
	var from []int32
	var names []string
	for j := range d.Features.Len() {
		if name := d.Features.Name(j); !unused[name] {
			from, names = append(from, int32(j)), append(names, name)
		}
	}
	return d.Spread(from, data.NewFeatures(names))
}

// CompleteRows returns the rows that have a value in every column used, if the options drop incomplete rows. Rows keep their numbers.
func (a Application) CompleteRows(d *data.Dataset, gaps Gaps) (*data.Dataset, error) {
	if !gaps.dropsRows() {
		return d, nil
	}
	whole := a.dropUnused(d).Complete(true, false)
	out := d.Rows() - len(whole)
	if out == 0 {
		return d, nil
	}
	if len(whole) == 0 {
		return nil, fmt.Errorf("all %d rows have a missing value, and rows with one are left out (prepare: {missing: drop-rows})", out)
	}
	if len(d.IDs) == 0 {
		d.IDs = make([]string, d.Rows())
		for i := range d.IDs {
			d.IDs[i] = strconv.Itoa(i)
		}
	}
	d.LeaveRows(withGap, data.Difference(data.Numbers(d.Rows()), whole))
	return d.Select(whole), nil
}
