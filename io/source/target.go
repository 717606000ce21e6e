package source

import (
	"cmp"
	"errors"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
)

// Target is the target of a data set as a file says it: a word (what the format offers), or a mapping.
type Target struct {
	Name     string   `yaml:"name" read:"scalar" doc:"what the format offers: mutual-information, relation, class, ..."`
	Column   string   `yaml:"column" doc:"the column that holds the response"`
	Columns  []string `yaml:"columns" doc:"several responses; * matches any text"`
	Positive string   `yaml:"positive" doc:"the level that counts as positive, for two classes"`
	Type     string   `yaml:"type" doc:"real, class or, in tables and matrices, survival or count (whole numbers of 0 or more); by default the format's"`
}

// Validate checks the target without the data.
func (t Target) Validate() error {
	if t.Column != "" && len(t.Columns) > 0 {
		return param.Errorf("target.columns", "give column or columns, not both")
	}
	if t.Type == "real" && t.Positive != "" {
		return param.Errorf("target.positive", "a level is positive only where type is class; here it is real")
	}
	if t.Type != "" {
		return param.OneOf("target.type", t.Type, "real", "class")
	}
	return nil
}

// Responses returns the names of the responses that are asked for, or patterns; none if the options name none.
func (t Target) Responses() []string {
	for _, name := range []string{t.Name, t.Column} {
		if name != "" {
			return []string{name}
		}
	}
	return t.Columns
}

// TargetType returns the type of target that the options ask for: Any if only the data or the format can tell.
func (t Target) TargetType() data.Type {
	switch {
	case t.Type == "class" || t.Positive != "":
		return data.Class
	case t.Type == "real":
		return data.Real
	case t.Type == countType:
		return data.Count
	}
	return data.Any
}

// Prepare holds the options for a table's columns, which are prepared on the training rows of each fold.
type Prepare struct {
	Encode  string `yaml:"encode" key:"-" doc:"one-hot: categorical columns become one column a level"`
	Unseen  string `yaml:"unseen" key:"-" doc:"a level that no training row has: ignore (no level is set), error"`
	Gaps    `yaml:",inline"`
	Scaling `yaml:",inline"`
}

// Gaps says what happens to missing values. Rows are dropped when the data is loaded, before any fold is made; all else belongs to
// the recipe.
type Gaps struct {
	Missing Fill `yaml:"missing"`
}

// Fill says what replaces missing values: one word for all of them, which those for numbers and for words may change.
type Fill struct {
	All     string `yaml:"all" read:"scalar" key:"drop-rows" doc:"a feature without a value: error, drop-rows (leave out its row), keep (stay missing, for trees), or what replaces a number: mean, median, zero (of the training rows), indicator (the median, and a column x:missing of 0 and 1), level (the median); a missing word is then a level of its own, (missing)"`
	Numbers string `yaml:"numbers" key:"-" doc:"in place of all: error, keep, mean, median, zero, indicator"`
	Words   string `yaml:"words" key:"-" doc:"in place of all: error, keep, level (of its own; the commonest if no training row lacks it), commonest (level of the training rows)"`
}

// numbers returns what becomes of numbers, "" for an error.
func (f Fill) numbers() string {
	switch n := cmp.Or(f.Numbers, f.All); n {
	case "error", dropRows:
		return ""
	case prepare.Level:
		return "median"
	default:
		return n
	}
}

// words returns what becomes of words, "" for what goes with the numbers.
func (f Fill) words() string {
	numbers := f.numbers()
	switch fills := numbers != "" && numbers != prepare.Keep; {
	case f.Words == "error" && numbers == "", f.Words == prepare.Keep && numbers == prepare.Keep, f.Words == prepare.Level && fills:
		return ""
	}
	return f.Words
}

func (f Fill) validate() error {
	return errors.Join(param.OneOf("prepare.missing", f.All, "", "error", dropRows, prepare.Keep, "mean", "median", "zero", prepare.Indicator, prepare.Level),
		param.OneOf("prepare.missing.numbers", f.Numbers, "", "error", prepare.Keep, "mean", "median", "zero", prepare.Indicator),
		param.OneOf("prepare.missing.words", f.Words, "", "error", prepare.Keep, prepare.Level, prepare.Commonest))
}

func (g Gaps) dropsRows() bool { return g.Missing.All == dropRows }

// dropRows is the policy that drops rows with a missing value.
const dropRows = "drop-rows"

// Validate checks the words.
func (p Prepare) Validate() error {
	for _, c := range []error{
		param.OneOf("prepare.encode", p.Encode, "", "one-hot"),
		param.OneOf("prepare.unseen", p.Unseen, "", "ignore", "error"),
		p.Missing.validate(),
		p.Scaling.Validate(),
	} {
		if c != nil {
			return c
		}
	}
	return nil
}

// Recipe returns the recipe, with a cutoff on the number of training rows in which a column occurs.
func (p Prepare) Recipe(cutoff int) prepare.Recipe {
	r := prepare.Recipe{Cutoff: cutoff, Missing: p.Missing.numbers(), Words: p.Missing.words(), Scale: p.Scale, Unseen: p.Unseen, Discretize: p.Discretize}
	if r.Missing != "" || r.Words != "" {
		r.Gaps = prepare.GapsRevision
	}
	p.Pruning.into(&r)
	return r
}

// Numeric holds the options of data whose columns are all numbers.
type Numeric struct {
	Gaps    `yaml:",inline"`
	Scaling `yaml:",inline"`
}

// Validate checks the words.
func (n Numeric) Validate() error {
	return errors.Join(n.Missing.validate(), n.Scaling.Validate(),
		param.Require("prepare.missing.words", n.Missing.Words == "", "all columns of the format are numbers"))
}

// Recipe returns the recipe.
func (n Numeric) Recipe(cutoff int) prepare.Recipe {
	return Prepare{Gaps: n.Gaps, Scaling: n.Scaling}.Recipe(cutoff)
}

// Scaling holds the options of data whose columns are all numbers with none missing.
type Scaling struct {
	Discretize int    `yaml:"discretize" key:"-" doc:"0/1 columns of numbers: intervals of equal frequency of the training rows. 2 cuts each column at its median (x>median), 4 at its quartiles (x>q25, x>median, x>q75); 0 leaves numbers. Columns of 0 and 1 stay"`
	Scale      string `yaml:"scale" key:"-" doc:"none, sd"`
	Pruning    `yaml:",inline"`
}

// maxIntervals limits the intervals of a column: data for engines that need 0/1 columns grows with them.
const maxIntervals = 100

// Validate checks the values.
func (s Scaling) Validate() error {
	if s.Discretize < 0 || s.Discretize == 1 || s.Discretize > maxIntervals {
		return param.Errorf("prepare.discretize", "%d intervals, expected 2 to %d, or 0 for numbers as they are", s.Discretize, maxIntervals)
	}
	return errors.Join(param.OneOf("prepare.scale", s.Scale, "", "none", "sd"), s.Pruning.Validate())
}

// Recipe returns the recipe.
func (s Scaling) Recipe(cutoff int) prepare.Recipe { return Prepare{Scaling: s}.Recipe(cutoff) }

// Features holds the options of columns that the format itself names; the columns are those that occur in training rows.
type Features struct {
	Cutoff    int `yaml:"cutoff" doc:"keep columns that occur in at least this many training rows, at least 1"`
	Treatment `yaml:",inline"`
}

// Validate checks the range.
func (f Features) Validate() error {
	if f.Cutoff < 0 {
		return param.Errorf("features.cutoff", "%d, expected 0 or more", f.Cutoff)
	}
	return f.Treatment.Validate()
}

// Columns holds the options of columns that have names in the file.
type Columns struct {
	Cutoff    int      `yaml:"cutoff" key:"-" doc:"keep columns that occur in at least this many training rows; 0 keeps all columns of a table; in formats whose columns are what occurs, it is 1"`
	Drop      []string `yaml:"drop" key:"-" doc:"columns that no model is given; a categorical column's name stands for all its levels, * matches any text. The data set stays the same, so results with and without them are compared"`
	Classes   Classes  `yaml:"classes"`
	Treatment `yaml:",inline"`
}

// Validate checks the options without the data.
func (c Columns) Validate() error {
	return errors.Join(Features{c.Cutoff, c.Treatment}.Validate(), c.Classes.Validate())
}

// Into adds the options for the preparation of folds to a recipe.
func (c Columns) Into(r *prepare.Recipe) {
	r.Cutoff, r.Drop = c.Cutoff, strings.Join(c.Drop, "\n")
	c.Classes.Into(r)
	*r = c.Treatment.Into(*r)
}

// Plain holds the options of formats whose columns are all numbers and whose targets stand apart from them.
type Plain struct {
	Target   Target  `yaml:"target" doc:"real, class or survival; by default real, or class where a positive level is named"`
	Prepare  Numeric `yaml:"prepare"`
	Features Columns `yaml:"features"`
}

// Check checks the options by themselves; apart says, for messages, where the format has its targets instead of a column.
func (p Plain) Check(apart string) error {
	target := p.Target
	if target.Type != "real" { // with another type, some options are invalid
		target.Type = ""
	}
	errs := []error{target.Validate(), p.Prepare.Validate(), p.Features.Validate(),
		param.OneOf("target", p.Target.Name, "", "real", "class", survivalType), param.OneOf("target.type", p.Target.Type, "", "real", "class", survivalType)}
	if p.TargetType() == data.Survival && p.Target.Positive != "" {
		errs = append(errs, param.Errorf("target.positive", "a level is positive only where type is class; here it is survival"))
	}
	if p.Target.Column != "" || len(p.Target.Columns) > 0 {
		errs = append(errs, param.Errorf("target.column", "%s; leave column and columns out", apart))
	}
	return errors.Join(errs...)
}

// TargetType returns the type of the targets.
func (p Plain) TargetType() data.Type {
	switch {
	case p.Target.Name == survivalType || p.Target.Type == survivalType:
		return data.Survival
	case p.Target.Name == "class" || p.Target.TargetType() == data.Class:
		return data.Class
	}
	return data.Real
}

// Recipe returns the recipe for a matrix whose columns exist whether or not rows have them.
func (p Plain) Recipe() prepare.Recipe {
	r := p.Prepare.Recipe(0)
	p.Features.Into(&r)
	return r
}

// Finish leaves out rows with missing values, if the options say so, and gives columns their classes.
func (p Plain) Finish(in Input, d *data.Dataset) (*data.Dataset, error) {
	d, err := Response{}.dropIncomplete(d, p.Prepare.dropsRows(), false)
	if err != nil {
		return nil, err
	}
	return p.Features.Classes.Apply(in, d, nil)
}

// Named returns the files that the options name.
func (p Plain) Named() map[string]Ref { return p.Features.Classes.Named() }

// Declare adds what these options say to the declaration.
func (p Plain) Declare(d Declares) Declares { return p.Features.Classes.Declare(d) }
