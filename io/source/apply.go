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
	"tenfold/engines/suggest"
)

// Application is rows that a model is applied to. They come as the rows came that the model was fitted to, with two differences:
// they need no responses, nor what divides rows into folds, and what the model does not know of is passed over.
type Application struct {
	*prepare.Learned
	Responses bool // they are to be read all the same, to compare predictions with them
}

// Applicable is a Source that reads rows to apply a model to. Others read them as those to fit a model to.
type Applicable interface {
	Source
	// LoadNew reads the files; the role all has the rows. Every row comes out, in order, but for those that the options leave out.
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

// Target is what the model learned of the target of a name, or of its only one.
func (a Application) Target(name string) (t prepare.LearnedTarget, known bool) {
	for _, t := range a.Targets {
		if t.Name == name || len(a.Targets) == 1 {
			return t, true
		}
	}
	return t, false
}

// Asks returns the type that responses are read as.
func (a Application) Asks(name string) data.Type {
	switch t, known := a.Target(name); {
	case !known:
		return data.Any
	case t.Class && t.Cut == nil:
		return data.Class
	case t.Survival:
		return data.Survival
	}
	return data.Real
}

// Each column that is used, and the name that it was read by: classes that overlap have copies of a column, named column@class. factor is
// the number of the categorical column that it is a level of, -1 for none.
func (a Application) Each(do func(column, read string, factor int32)) {
	for j, name := range a.Columns {
		if !a.Uses(j) {
			continue
		}
		factor := int32(-1)
		if a.Factors != nil {
			factor = a.Factors[j]
		}
		do(name, a.originalName(j, name), factor)
	}
}

func (a Application) originalName(j int, name string) string {
	if a.Class != nil && a.Class[j] >= 0 {
		if base, is := strings.CutSuffix(name, "@"+a.Classes[a.Class[j]]); is {
			return base
		}
	}
	return name
}

// Copies gives the rows the copies of columns that classes which overlap made.
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
func (a Application) Matrix(d *data.Dataset) (*data.Dataset, error) {
	if err := a.All(d, nil, "the matrix"); err != nil {
		return nil, err
	}
	return a.Copies(d), nil
}

// All columns that are used must be there, where a format says what columns there are; of a categorical column, some level. The
// columns that a file has, known or not, are for the message, as is its name, "" where who calls puts it before.
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

// Whole is the rows that lack no value in a column that is used, where the options leave others out of every data set. Rows keep their numbers.
func (a Application) Whole(d *data.Dataset, gaps Gaps) (*data.Dataset, error) {
	if gaps.Missing != dropRows {
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
	d = d.Select(whole)
	d.Facts = append(d.Facts, data.Fact{Name: "rows left out, with missing values", Value: strconv.Itoa(out)})
	return d, nil
}
