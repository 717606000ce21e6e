package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/all"
	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/engines/registry"
	"tenfold/io/planfile"
	"tenfold/io/source"
	"tenfold/reports/comparison"
	"tenfold/reports/gate"
)

// step is an engine for real targets.
type step struct {
	Epsilon  float64 `yaml:"epsilon" simpler:"larger" doc:"size of a step, above 0"`
	Patience int     `yaml:"patience" doc:"steps"`
	Choose   string  `yaml:"choose" doc:"last, test"`
	Verbose  bool    `yaml:"verbose" key:"-"`
	Stop     struct {
		After int     `yaml:"after"`
		Gain  float64 `yaml:"gain"`
	} `yaml:"stop"`
}

func (s step) Validate() error {
	var errs []error
	if !(s.Epsilon > 0) {
		errs = append(errs, param.Errorf("epsilon", "%v, expected a number above 0", s.Epsilon))
	}
	if s.Patience < 1 {
		errs = append(errs, param.Errorf("patience", "%d, expected at least 1", s.Patience))
	}
	return errors.Join(append(errs, param.OneOf("choose", s.Choose, "last", "test"))...)
}
func (step) Needs() engines.Needs { return engines.Needs{Target: data.Real} }
func (step) Fit(context.Context, engines.Run) (engines.Model, error) {
	return nil, errors.New("not called")
}

// bits is an engine that may need feature classes.
type bits struct {
	Code  string `yaml:"code"`
	Sigma string `yaml:"sigma"`
}

func (b bits) Validate() error {
	return errors.Join(param.OneOf("code", b.Code, "ric", "tpc"), param.OneOf("sigma", b.Sigma, "null", "own"))
}
func (b bits) Needs() engines.Needs {
	return engines.Needs{FeatureClasses: b.Code == "tpc", Tasks: true}
}
func (bits) Fit(context.Context, engines.Run) (engines.Model, error) {
	return nil, errors.New("not called")
}

// classy is an engine for class targets.
type classy struct{ bits }

func (classy) Needs() engines.Needs { return engines.Needs{Target: data.Class, Tasks: true} }

// growing is an engine that makes models of several sizes from one fit.
type growing struct {
	Features int  `yaml:"features"`
	Whole    bool `yaml:"whole"`
}

func (g growing) Validate() error {
	if g.Features > 1_000_000 {
		return param.Errorf("features", "%d, expected at most a million", g.Features)
	}
	return nil
}
func (growing) Needs() engines.Needs {
	return engines.Needs{Sizes: engines.Sizes{Limit: "features", Refit: "whole"}}
}
func (growing) Fit(context.Context, engines.Run) (engines.Model, error) {
	return nil, errors.New("not called")
}

// counting is one whose weights are always estimated.
type counting struct {
	growing `yaml:",inline"`
}

func (counting) Needs() engines.Needs { return engines.Needs{Sizes: engines.Sizes{Limit: "features"}} }

// text is a format with templates, as conllu-joins.
type text struct {
	Target   source.Target `yaml:"target"`
	Features struct {
		Templates source.Templates `yaml:"templates"`
		Cutoff    int              `yaml:"cutoff" key:"-"`
	} `yaml:"features"`
	Kappa float64 `yaml:"kappa"`
}

func (t text) Validate() error {
	for _, x := range t.Features.Templates {
		if len(x) != 10 {
			return param.Errorf("features.templates", "%q has %d characters, expected 10", x, len(x))
		}
	}
	return t.Target.Validate()
}
func (t text) Declares() source.Declares {
	typ := data.Real
	if t.Target.Name == "relation" {
		typ = data.Class
	}
	return source.Declares{Targets: []source.Declared{{Name: t.Target.Name, Type: typ}}, Groups: []string{"pattern"},
		Roles: [][]string{{"all"}, {"train", "test"}}, Optional: []string{"lexicon"}, Binary: true}
}
func (t text) Recipe() prepare.Recipe { return prepare.Recipe{Cutoff: t.Features.Cutoff} }
func (text) Load(context.Context, source.Input) (*data.Dataset, error) {
	return nil, errors.New("not called")
}

// rows is a table.
type rows struct {
	Target  source.Target `yaml:"target"`
	Columns struct {
		ID          string   `yaml:"id"`
		Drop        []string `yaml:"drop"`
		Group       string   `yaml:"group"`
		Time        string   `yaml:"time"`
		Weight      string   `yaml:"weight"`
		Categorical []string `yaml:"categorical"`
	} `yaml:"columns"`
	Prepare source.Prepare `yaml:"prepare" key:"-"`
	Cut     map[string]int `yaml:"cut"`
	Skip    []int          `yaml:"skip"`
}

func (r rows) Validate() error { return errors.Join(r.Target.Validate(), r.Prepare.Validate()) }
func (r rows) Declares() source.Declares {
	d := source.Declares{Roles: [][]string{{"all"}}}
	for _, c := range append(slices.Clone(r.Target.Columns), r.Target.Column) {
		if c != "" {
			d.Targets = append(d.Targets, source.Declared{Name: c})
		}
	}
	return d
}
func (rows) Recipe() prepare.Recipe { return prepare.Recipe{} }
func (rows) Load(context.Context, source.Input) (*data.Dataset, error) {
	return nil, errors.New("not called")
}

// sections are those that others own.
type sections struct {
	Report    page                   `yaml:"report"`
	Published []comparison.Published `yaml:"published"`
	Gate      []gate.Rule            `yaml:"gate"`
}

// page is a report section.
type page struct {
	Tables []struct {
		Rows     string `yaml:"rows"`
		Columns  string `yaml:"columns"`
		Cells    string `yaml:"cells"`
		Baseline string `yaml:"baseline" ref:"label"`
		Test     string `yaml:"test"`
	} `yaml:"tables"`
	Figures []struct {
		Kind      string `yaml:"kind" read:"required"`
		X         string `yaml:"x" ref:"parameter"`
		Y         string `yaml:"y" ref:"metric"`
		Algorithm string `yaml:"algorithm" ref:"algorithm"`
	} `yaml:"figures"`
}

func (p *page) Validate() error {
	for _, f := range p.Figures {
		if f.Kind == "pie" {
			return param.Errorf("figures.0.kind", "no pies")
		}
	}
	return nil
}

// ValidateIn compares tables with folds and dimensions.
func (p *page) ValidateIn(file planfile.Planned) error {
	return errors.Join(p.validateDimensions(file.Varied, file.Fixed), p.validateFolds(file.Parts))
}

func (p *page) EachMetric(func(field, name string)) {}

func (p *page) validateFolds(parts map[string]int) error {
	if len(parts) > 0 && parts["ewt"] < 2 && len(p.Tables) > 0 && p.Tables[0].Test == "paired-t" {
		return param.Errorf("tables.0.test", "needs several folds")
	}
	return nil
}

// validateDimensions knows data sets and algorithms, and what grids vary or could vary.
func (p *page) validateDimensions(varied, fixed []string) error {
	var errs []error
	for i, t := range p.Tables {
		for field, name := range map[string]string{"rows": t.Rows, "columns": t.Columns} {
			if known := slices.Concat([]string{"", "algorithm", "dataset"}, varied, fixed); !slices.Contains(known, name) {
				errs = append(errs, param.Errorf(fmt.Sprintf("tables.%d.%s", i, field), "unknown dimension %q, vary %v, fixed are %v", name, varied, fixed))
			}
		}
	}
	return errors.Join(errs...)
}

func options(t testing.TB) Options {
	t.Helper()
	es, err := registry.NewSet(
		engines.Define(engines.Kind{Name: "stagewise", Doc: "d", Rev: 3}, step{Epsilon: 0.01, Patience: 1000, Choose: "last"}),
		engines.Define(engines.Kind{Name: "mdl", Doc: "d", Rev: 1}, bits{Code: "ric", Sigma: "own"}),
		engines.Define(engines.Kind{Name: "growing", Doc: "d", Rev: 1}, growing{Features: 7, Whole: true}),
		engines.Define(engines.Kind{Name: "counting", Doc: "d", Rev: 1}, counting{growing{Features: 7}}),
		engines.Define(engines.Kind{Name: "logistic", Doc: "d", Rev: 1}, classy{bits{Code: "ric", Sigma: "own"}}))
	if err != nil {
		t.Fatal(err)
	}
	fs, err := registry.NewSet(
		source.Define(source.Kind{Name: "joins", Doc: "d", Rev: 2}, text{Target: source.Target{Name: "mutual-information"}}),
		source.Define(source.Kind{Name: "csv", Doc: "d", Rev: 1}, rows{Cut: map[string]int{"a": 1}}))
	if err != nil {
		t.Fatal(err)
	}
	needs := map[string][]data.Type{"test_mse": {data.Real}, "train_r2": {data.Real}, "accuracy": {data.Class}, "nonzero": nil}
	return Options{
		Engines: es, Wrappers: all.Wrappers(), Formats: fs, Sections: &sections{}, MetricNames: []string{"accuracy", "nonzero", "test_mse", "train_r2"},
		Metrics: func(name string) ([]data.Type, bool) {
			typ, ok := needs[name]
			return typ, ok || strings.HasPrefix(name, "f:")
		},
	}
}

// small is a sound file; tests replace parts of it.
const small = `tenfold: 1
name: small
datasets:
  - {name: ewt, format: joins, files: {all: a.conllu}}
folds: {kind: holdout, test: 0.1}
algorithms:
  - {name: sw, engine: stagewise}
`

func parse(t testing.TB, file string, sets ...string) (*File, error) {
	t.Helper()
	o := options(t)
	o.Sets = sets
	f, err := Parse("x.yaml", []byte(file), o)
	if err == nil && len(sets) == 0 {
		if refused := fakes(t).Refusal(t, []byte(file)); refused != nil {
			t.Errorf("the schema refuses what Parse accepts: %v\n%s", refused, file)
		}
	}
	return f, err
}

func mustParse(t testing.TB, file string, sets ...string) *File {
	t.Helper()
	f, err := parse(t, file, sets...)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, file)
	}
	return f
}
