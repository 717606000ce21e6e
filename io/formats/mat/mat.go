// Package mat reads MATLAB's MAT-files of version 5 to 7.
//
// file.go finds the variables of a file and decompresses them, variable.go reads numbers and texts, matrix.go lays rows out, and look.go
// lists what a file has.
package mat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/formats/tabular"
	"tenfold/io/source"
)

// Mat reads one variable as the matrix, and another as the targets: a number, a text or a truth value for each sample, in a row or a
// column, or a column for each of several targets. Tables of samples, which have the targets then, know them by a variable of ids.
type Mat struct {
	Variables         Variables `yaml:"variables"`
	Samples           string    `yaml:"samples" doc:"what of the matrix is a sample: rows, columns"`
	tabular.Described `yaml:",inline"`
}

// Variables are the names of those that are read.
type Variables struct {
	X      string `yaml:"x" doc:"the matrix: full or sparse numbers"`
	Y      string `yaml:"y" doc:"the targets: numbers, truth values, a char array of a row each, or a cell array of texts"`
	Names  string `yaml:"names" doc:"names of the columns: a char array of a row each, or a cell array of texts; without it they are numbers from 1"`
	IDs    string `yaml:"ids" doc:"names of the samples, by which tables of samples know them: numbers or texts, all different"`
	Groups string `yaml:"groups" doc:"what each sample belongs to, for folds: numbers or texts"`
}

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "mat",
	Doc:  "MATLAB's MAT-files of version 5 to 7: a full or sparse matrix, and targets, names and groups in variables beside it",
	Cite: "MathWorks, MAT-File Format, chapter 1: level 5",
	Rev:  1,
}, Mat{Variables: Variables{X: "X", Y: "Y"}, Samples: byRows})

// Words of samples.
const (
	byRows    = "rows"
	byColumns = "columns"
)

// Validate checks the options by themselves.
func (m Mat) Validate() error {
	return errors.Join(
		param.Require("variables.x", m.Variables.X != "", "it has no name"),
		param.Require("variables.y", m.Variables.Y != "" || m.HasTables(), "it has no name"),
		param.OneOf("samples", m.Samples, byRows, byColumns),
		m.Check("targets are a variable of their own: variables: {y: NAME}"),
	)
}

// Declares returns what is known before loading.
func (m Mat) Declares() source.Declares {
	d := source.Declares{Targets: []source.Declared{{Name: m.Variables.Y, Type: m.Type()}}, Roles: source.PartRoles()}
	if m.Variables.Groups != "" {
		d.Groups = []string{m.Variables.Groups}
	}
	return m.Declare(d)
}

// Load reads the files.
func (m Mat) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	d, err := m.load(ctx, in, true)
	if err != nil {
		return nil, err
	}
	return m.Finish(ctx, in, d)
}

// LoadNew reads rows to apply a model to: targets are needed for responses alone, and groups not at all.
func (m Mat) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	m.Target.Positive, m.Variables.Groups = "", ""
	d, err := m.load(ctx, in, a.Responses)
	if err != nil {
		return nil, err
	}
	return m.New(ctx, in, d, a)
}

// part is one file.
type part struct {
	matrix  packed
	others  []packed
	file    string
	samples int
	columns int
}

func (m Mat) load(ctx context.Context, in source.Input, responses bool) (*data.Dataset, error) {
	var parts []part
	var rows []int
	var x sparse.Builder
	if err := source.RoomIn(in).Hold(&x); err != nil {
		return nil, err
	}
	for _, role := range source.Parts(in) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p, err := m.open(in, role)
		if err != nil {
			return nil, err
		}
		if len(parts) > 0 && p.columns != parts[0].columns {
			return nil, fmt.Errorf("%s: variable %s: %d columns, expected %d as in %s", p.file, p.matrix.name, p.columns, parts[0].columns, parts[0].file)
		}
		if err := p.matrix.addRows(in, &x, m.Samples == byColumns); err != nil {
			return nil, err
		}
		parts, rows = append(parts, p), append(rows, p.samples)
	}
	matrix, err := x.Build(parts[0].columns)
	if err != nil {
		return nil, err
	}
	d := &data.Dataset{X: matrix, Part: source.PartOf(rows...)}
	if responses && !m.HasTables() {
		if d.Targets, err = m.targets(in, parts); err != nil {
			return nil, err
		}
	}
	if m.Variables.Groups != "" {
		groups, err := m.groups(in, parts)
		if err != nil {
			return nil, err
		}
		d.Groups = groups.Groups(m.Variables.Groups)
	}
	if d.IDs, err = m.ids(in, parts); err != nil {
		return nil, err
	}
	d.Features, err = m.names(in, parts)
	return d, err
}

// open finds the matrix of a file.
func (m Mat) open(in source.Input, role string) (p part, err error) {
	content, file, err := in.Bytes(role)
	if err != nil {
		return p, err
	}
	p.file = file
	if p.others, err = readVariables(content, file); err != nil {
		return p, err
	}
	if p.matrix, err = p.find(m.Variables.X, "variables.x"); err != nil {
		return p, err
	}
	v := p.matrix.variable
	switch {
	case !v.isMatrix() || v.complex || len(v.shape) != 2:
		return p, fmt.Errorf("%s: variable %s: %v, expected a matrix of real numbers, rows × columns", file, v.name, v)
	case v.shape[0] == 0 || v.shape[1] == 0:
		return p, fmt.Errorf("%s: variable %s: %v, expected at least one row and one column", file, v.name, v)
	}
	if p.samples, p.columns = v.shape[0], v.shape[1]; m.Samples == byColumns {
		p.samples, p.columns = p.columns, p.samples
	}
	if most := source.MostColumns(in); p.columns > most {
		return p, fmt.Errorf("%s: variable %s: %d columns, expected at most %d, the most that a file of its size may have here", file, v.name, p.columns, most)
	}
	return p, source.Allow(in, 32*int64(p.samples), file, "%d rows", p.samples)
}

// find returns a variable of a file, the last of its name; option is where its name is given.
func (p part) find(name, option string) (packed, error) {
	for _, v := range slices.Backward(p.others) {
		if v.name == name {
			return v, nil
		}
	}
	var have, described []string
	for _, v := range p.others {
		have, described = append(have, v.name), append(described, v.name+" ("+v.String()+")")
	}
	if len(have) == 0 {
		return packed{}, fmt.Errorf("%s: no variables, expected %q (%s)", p.file, name, option)
	}
	return packed{}, fmt.Errorf("%s: no variable %q%s (variables: %s); %s names another", p.file, name, suggest.DidYouMean(name, have), source.Abridge(described), option)
}

// column is what one of the targets, or the groups, say of each sample of a file.
type column struct {
	texts   []string // nil of numbers
	numbers []float64
}

// valuesOf reads a variable that has a value for each sample: a list, in a row or a column, or a matrix with a column each where several
// may be.
func (p part) valuesOf(in source.Input, name, option string, several bool) ([]column, error) {
	v, err := p.find(name, option)
	if err != nil {
		return nil, err
	}
	if v.isText() {
		texts, err := v.texts(in)
		if err != nil {
			return nil, err
		}
		if len(texts) != p.samples {
			return nil, p.unequal(v, len(texts))
		}
		return []column{{texts: texts}}, nil
	}
	if !v.isMatrix() || v.complex || len(v.shape) != 2 {
		return nil, fmt.Errorf("%s: variable %s: %v, expected a number or a text for each of %d samples", p.file, v.name, v, p.samples)
	}
	rows, columns := v.shape[0], v.shape[1]
	if rows == 1 && columns == p.samples { // a list as a row
		rows, columns = columns, rows
	}
	switch {
	case rows != p.samples:
		if rows == 1 {
			rows = columns
		}
		return nil, p.unequal(v, rows)
	case columns == 0 || columns > 1 && !several:
		return nil, fmt.Errorf("%s: variable %s: %v, expected one value for each of %d samples", p.file, v.name, v, p.samples)
	}
	values, err := v.full(in)
	if err != nil {
		return nil, err
	}
	out := make([]column, columns)
	for t := range out {
		out[t].numbers = values[t*rows : (t+1)*rows]
		for i, y := range out[t].numbers {
			if y-y != 0 {
				return nil, fmt.Errorf("%s: variable %s: row %d, column %d: value %v, expected a finite number", p.file, v.name, i+1, t+1, y)
			}
		}
	}
	return out, nil
}

// unequal returns the error of a list of another length than there are samples.
func (p part) unequal(v packed, n int) error {
	hint := ""
	if n == p.columns && n > 1 {
		hint = "; where samples are columns of the matrix, say samples: columns"
	}
	return fmt.Errorf("%s: variable %s: %v, expected a value for each of %d samples of %s (%v)%s", p.file, v.name, v, p.samples, p.matrix.name, p.matrix, hint)
}

// full returns the numbers of a variable, column after column, of which few are expected.
func (p packed) full(in source.Input) ([]float64, error) {
	const most = 1 << 31 // of any array that is no sparse one
	n := p.elements()
	if n > most {
		return nil, fmt.Errorf("%s: variable %s: %v, expected few numbers", p.file, p.name, p.variable)
	}
	if err := allow(in, 8*int64(n), p.file, p.name); err != nil {
		return nil, err
	}
	out := make([]float64, n)
	if p.class != sparseClass {
		values, err := p.array(in)
		for k := range out {
			if err == nil {
				out[k] = values.value(k)
			}
		}
		return out, err
	}
	c, err := p.readColumns(in)
	if err != nil {
		return nil, fmt.Errorf("%s: variable %s: %w", p.file, p.name, err)
	}
	for j := range p.shape[1] {
		for k := int(c.begin.value(j)); k < int(c.begin.value(j+1)); k++ {
			out[j*p.shape[0]+int(c.row.value(k))] = c.value.value(k)
		}
	}
	return out, nil
}

// targets returns the targets of all parts: one of the variable's name, or several, with the number of their column behind it.
func (m Mat) targets(in source.Input, parts []part) ([]data.Target, error) {
	var targets []data.Target
	var byPart [][]column // by part
	for _, p := range parts {
		columns, err := p.valuesOf(in, m.Variables.Y, "variables.y", true)
		if err != nil {
			return nil, err
		}
		if len(byPart) > 0 && len(columns) != len(byPart[0]) {
			return nil, fmt.Errorf("%s: variable %s: %d targets, expected %d as in %s", p.file, m.Variables.Y, len(columns), len(byPart[0]), parts[0].file)
		}
		byPart = append(byPart, columns)
	}
	if m.Type() == data.Survival {
		t, err := m.survival(parts, byPart)
		return []data.Target{t}, err
	}
	for t := range byPart[0] {
		name := m.Variables.Y
		if len(byPart[0]) > 1 {
			name += strconv.Itoa(t + 1)
		}
		target := data.Target{Name: name, Type: data.Real}
		var labels source.Texts
		for k, columns := range byPart {
			if m.Type() != data.Class {
				if columns[t].texts != nil {
					return nil, fmt.Errorf("%s: variable %s: texts, expected numbers; target: class reads them as classes", parts[k].file, m.Variables.Y)
				}
				target.Values = append(target.Values, columns[t].numbers...)
				continue
			}
			columns[t].addTo(&labels)
		}
		if m.Type() == data.Class {
			var err error
			if target, err = labels.Class(name, m.Target.Positive); err != nil {
				return nil, err
			}
		}
		targets = append(targets, target)
	}
	return targets, nil
}

// survival reads times, and beside them 1 for an event or 0 for a censored time.
func (m Mat) survival(parts []part, outcomes [][]column) (data.Target, error) {
	var e source.Endings
	var times []float64
	for k, columns := range outcomes {
		if len(columns) != 2 {
			return data.Target{}, fmt.Errorf("%s: variable %s: expected two columns of numbers, times and whether each ended in the event (1) or is censored (0)", parts[k].file, m.Variables.Y)
		}
		for i, x := range columns[0].numbers {
			if err := source.CheckTime(x); err != nil {
				return data.Target{}, fmt.Errorf("%s: variable %s: row %d: found %v, expected a time: a number above 0 (half a unit stands for the first day)", parts[k].file, m.Variables.Y, i+1, x)
			}
			if text := strconv.FormatFloat(columns[1].numbers[i], 'g', -1, 64); e.Add(text) != nil {
				return data.Target{}, fmt.Errorf("%s: variable %s: row %d: found %s, expected 1 for an event or 0 for a censored time", parts[k].file, m.Variables.Y, i+1, text)
			}
			times = append(times, x)
		}
	}
	return e.Target(m.Variables.Y, times), nil
}

// addTo adds the values as texts.
func (c column) addTo(to *source.Texts) {
	for _, text := range c.texts {
		to.Add(text)
	}
	for _, v := range c.numbers {
		to.Add(strconv.FormatFloat(v, 'g', -1, 64))
	}
}

// ids returns the ids of the samples; nil if no variable has them.
func (m Mat) ids(in source.Input, parts []part) (ids []string, err error) {
	if m.Variables.IDs == "" {
		return nil, nil
	}
	var texts source.Texts
	for _, p := range parts {
		columns, err := p.valuesOf(in, m.Variables.IDs, "variables.ids", false)
		if err != nil {
			return nil, err
		}
		columns[0].addTo(&texts)
	}
	if len(texts.Words) < len(texts.Of) {
		return nil, param.Errorf("variables.ids", "%s has %d different ids of %d samples", m.Variables.IDs, len(texts.Words), len(texts.Of))
	}
	return texts.Words, nil
}

func (m Mat) groups(in source.Input, parts []part) (names source.Texts, err error) {
	for _, p := range parts {
		columns, err := p.valuesOf(in, m.Variables.Groups, "variables.groups", false)
		if err != nil {
			return names, err
		}
		columns[0].addTo(&names)
	}
	return names, nil
}

// names returns the names of the columns; all parts have to have the same.
func (m Mat) names(in source.Input, parts []part) (*data.Features, error) {
	if m.Variables.Names == "" {
		return data.NumberedFeatures(1, parts[0].columns), nil
	}
	var first []string
	for _, p := range parts {
		v, err := p.find(m.Variables.Names, "variables.names")
		if err != nil {
			return nil, err
		}
		if !v.isText() {
			return nil, fmt.Errorf("%s: variable %s: %v, expected a char array of a row each, or a cell array of texts", p.file, v.name, v)
		}
		names, err := v.texts(in)
		if err != nil {
			return nil, err
		}
		if len(names) != p.columns {
			return nil, fmt.Errorf("%s: variable %s: %d names, expected one for each of %d columns", p.file, v.name, len(names), p.columns)
		}
		seen := make(map[string]int, len(names))
		for j, name := range names {
			if before, again := seen[name]; again {
				return nil, fmt.Errorf("%s: variable %s: the name %q is that of columns %d and %d", p.file, v.name, name, before+1, j+1)
			}
			seen[name] = j
			if first != nil && name != first[j] {
				return nil, fmt.Errorf("%s: variable %s: column %d is %q, expected %q as in %s", p.file, v.name, j+1, name, first[j], parts[0].file)
			}
		}
		first = names
	}
	return data.NewFeatures(first), nil
}
