package transfer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/mdl"
	"tenfold/engines/data"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/model/bylevel"
)

// donor is the first stage: what one task, on all of its rows, can tell others. It has no parameter that matters later on
// alone, so that the points of a grid share donors.
type donor struct {
	mdl.MDL `yaml:",inline"` // code tpc
	Simes   univariate.Simes `yaml:"simes"`
	Columns bool             `yaml:"columns"` // whether the names of all columns are left as well
}

// left is what a donor leaves.
type left struct {
	Features []codes.Feature `json:"features"`          // those that levels have, by name
	Columns  []string        `json:"columns,omitempty"` // all of the data, by name; where they were asked for
	Levels   []level         `json:"levels"`
}

// level of a task, against the rest. Without a model it has rows alone.
type level struct {
	Name     string  `json:"name"`
	Positive int     `json:"positive"`          // rows that have it
	Rows     int     `json:"rows"`              // all of the task
	Simes    []int32 `json:"simes,omitempty"`   // features that go with it: their numbers, rising
	For      []int32 `json:"for,omitempty"`     // features of its model with a weight above 0
	Against  []int32 `json:"against,omitempty"` // and below
}

// Validate checks the parameters.
func (d donor) Validate() error { return errors.Join(d.MDL.Validate(), d.Simes.Validate()) }

// Needs returns those of the engine.
func (d donor) Needs() engines.Needs { return needs(d.Simes) }

// Fit fits the models of the levels. They predict, as those of any engine, and are Leavers.
func (d donor) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	found, err := read(ctx, d.Simes, run.Train)
	if err != nil {
		return nil, err
	}
	m, err := bylevel.Fit(ctx, run, func(int, *data.View) (engines.Engine, error) { return d.MDL, nil })
	if err != nil {
		return nil, err
	}
	for _, c := range m.Coefs() {
		if l := &found[c.Output]; c.Value > 0 {
			l.For = append(l.For, int32(c.Feature))
		} else {
			l.Against = append(l.Against, int32(c.Feature))
		}
	}
	text, err := json.Marshal(leave(run.Train.Features(), found, d.Columns))
	if err != nil {
		return nil, err
	}
	return donated{m.(levels), text}, nil
}

// levels is what the models of levels, of engine mdl, are together.
type levels interface {
	engines.Keeper
	engines.Scorer
	engines.Reporter
}

// donated is a donor's model. It is kept as the models of its levels: what it leaves is the stage's.
type donated struct {
	levels
	text []byte
}

// Artefact returns the JSON of what the donor leaves.
func (d donated) Artefact() ([]byte, error) { return d.text, nil }

// read reads the levels of a task: of those that have a model, the columns that go with them.
func read(ctx context.Context, s univariate.Simes, v *data.View) ([]level, error) {
	target := v.TargetInfo(0)
	switch {
	case target.Type != data.Class:
		return nil, fmt.Errorf("target %s is %s; code %s is for classes", target.Name, target.Type, codes.TransferTPC)
	case v.Weights() != nil:
		return nil, errors.New("tests of features count every row once, but the rows have weights")
	}
	if rows, _ := v.Target(0); rows != nil {
		v = v.Sub(rows)
	}
	out := make([]level, len(target.Levels))
	for k, name := range target.Levels {
		x, y := univariate.Task(v, 0, k)
		out[k] = level{Name: name, Rows: len(y)}
		for _, one := range y {
			out[k].Positive += int(one)
		}
		if out[k].Positive < bylevel.Fewest || out[k].Rows-out[k].Positive < bylevel.Fewest {
			continue
		}
		var err error
		if out[k].Simes, _, err = s.Select(ctx, x, y); err != nil {
			return nil, fmt.Errorf("%s against the rest: %w", name, err)
		}
	}
	return out, nil
}

// leave returns the levels, with features in place of columns, and where asked for the names of all columns. Columns of one name are
// one feature, with the class of the first.
func leave(f *data.Features, levels []level, columns bool) left {
	var used []int
	for _, l := range levels {
		for _, list := range [][]int32{l.Simes, l.For, l.Against} {
			for _, j := range list {
				used = append(used, int(j))
			}
		}
	}
	slices.Sort(used)
	out := left{Features: codes.NewDonor(f, slices.Compact(used)).Selected, Levels: slices.Clone(levels)}
	slices.SortStableFunc(out.Features, byName)
	out.Features = slices.CompactFunc(out.Features, func(a, b codes.Feature) bool { return a.Name == b.Name })
	numbers := func(columns []int32) []int32 {
		list := make([]int32, len(columns))
		for k, j := range columns {
			place, _ := slices.BinarySearchFunc(out.Features, codes.Feature{Name: f.Name(int(j))}, byName)
			list[k] = int32(place)
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	for k := range out.Levels {
		l := &out.Levels[k]
		l.Simes, l.For, l.Against = numbers(l.Simes), numbers(l.For), numbers(l.Against)
	}
	if columns {
		for j := range f.Len() {
			out.Columns = append(out.Columns, f.Name(j))
		}
		slices.Sort(out.Columns)
		out.Columns = slices.Compact(out.Columns)
	}
	return out
}

func byName(a, b codes.Feature) int { return cmp.Compare(a.Name, b.Name) }
