package kind

import (
	"errors"
	"math"
	"strings"
	"testing"
)

type shape interface {
	Validator
	Area() float64
}

type common struct {
	Colour string `yaml:"colour" doc:"what it looks like" key:"-"`
}

type inner struct {
	Depth int `yaml:"depth"`
}

type square struct {
	Side    float64        `yaml:"side" doc:"metres, > 0"`
	Round   bool           `yaml:"round"`
	Corners []float64      `yaml:"corners"`
	Names   map[string]int `yaml:"names"`
	Limit   *float64       `yaml:"limit"`
	In      inner          `yaml:"in"`
	Hidden  inner          `yaml:"hidden" key:"-"`
	common  `yaml:",inline"`
	Note    string
	Skip    int `yaml:"-"`
}

func (s square) Area() float64 { return s.Side * s.Side }
func (s square) Validate() error {
	var errs []error
	if s.Side <= 0 {
		errs = append(errs, Errorf("side", "%v, expected more than 0", s.Side))
	}
	return errors.Join(append(errs, OneOf("colour", s.Colour, "red", "green"))...)
}

type circle struct{}

func (circle) Validate() error { return nil }
func (circle) Area() float64   { return 3 }

var squares = Define[shape](Kind[shape]{Name: "square", Doc: "a square", Rev: 1}, square{Side: 2, common: common{Colour: "red"}})

func TestDefine(t *testing.T) {
	got, err := squares.New(func(p any) error { p.(*square).Side = 3; return nil })
	if err != nil || got.Area() != 9 {
		t.Errorf("got %v, %v", got, err)
	}
	if squares.Defaults().Area() != 4 {
		t.Error("decoding changed the defaults")
	}
	if again, err := squares.New(func(any) error { return nil }); err != nil || again.Area() != 4 {
		t.Errorf("defaults: got %v, %v", again, err)
	}
	wrong := errors.New("not a number")
	if _, err := squares.New(func(any) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("decoder's error: got %v", err)
	}
	_, err = squares.New(func(p any) error { p.(*square).Side = -1; p.(*square).Colour = "gren"; return nil })
	var field *FieldError
	if !errors.As(err, &field) || field.Field != "side" || !strings.Contains(err.Error(), `colour: "gren" is not one of red, green; did you mean "green"?`) {
		t.Errorf("validation: got %v", err)
	}
}

func TestOneOf(t *testing.T) {
	if err := OneOf("colour", "", "red", ""); err != nil {
		t.Errorf("a word that may be left out: %v", err)
	}
	var field *FieldError
	if err := OneOf("colour", "blue", "red", ""); !errors.As(err, &field) || strings.Join(field.Words, ",") != "red," {
		t.Errorf("got %v with the words %q", err, field.Words)
	}
}

func TestSet(t *testing.T) {
	circles := Define[shape](Kind[shape]{Name: "circle", Doc: "a circle", Rev: 1}, circle{})
	set, err := NewSet(squares, circles)
	if err != nil || strings.Join(set.Names(), " ") != "circle square" {
		t.Fatalf("got %v, %v", set.Names(), err)
	}
	if k, err := set.Lookup("circle"); err != nil || k.Defaults().Area() != 3 {
		t.Errorf("circle: %v", err)
	}
	if _, err := set.Lookup("cirlce"); err == nil || err.Error() != `"cirlce"; did you mean "circle"?` {
		t.Errorf("got %v", err)
	}
	for name, kinds := range map[string][]Kind[shape]{
		"twice":            {squares, squares},
		"no defaults":      {{Name: "x", Doc: "x", Rev: 1}},
		"no documentation": {Define[shape](Kind[shape]{Name: "x", Rev: 1}, circle{})},
		"no revision":      {Define[shape](Kind[shape]{Name: "x", Doc: "x"}, circle{})},
		"no name":          {Define[shape](Kind[shape]{Doc: "x", Rev: 1}, circle{})},
	} {
		if _, err := NewSet(kinds...); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestCanonical(t *testing.T) {
	limit := 0.5
	d := squares.Defaults()
	with := func(change func(*square)) square { s := d.(square); change(&s); return s }
	for _, c := range []struct {
		name  string
		value square
		want  string
	}{
		{"defaults", with(func(*square) {}), `{}`},
		{"a default written out", with(func(s *square) { s.Side = 2; s.Corners = []float64{}; s.Names = map[string]int{} }), `{}`},
		{"what is not in the key", with(func(s *square) { s.Colour = "green"; s.Hidden.Depth = 3; s.Note = "x"; s.Skip = 4 }), `{}`},
		{"sorted", with(func(s *square) { s.Side = 3; s.In.Depth = 1; s.Round = true }), `{"in.depth":1,"round":true,"side":3}`},
		{"lists, maps and pointers", with(func(s *square) {
			s.Corners, s.Names, s.Limit = []float64{1, 0.25}, map[string]int{"b": 1, "a": 2}, &limit
		}), `{"corners":[1,0.25],"limit":0.5,"names":{"a":2,"b":1}}`},
		{"no number", with(func(s *square) { s.Side = math.NaN() }), `{"side":"NaN"}`},
		{"infinite", with(func(s *square) { s.Side = math.Inf(-1) }), `{"side":"-Inf"}`},
	} {
		if got := Canonical(c.value, d); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	if got := Resolved(circle{}); got != "{}" {
		t.Errorf("no parameters: %s", got)
	}
	if got := Resolved(with(func(s *square) { s.Corners = []float64{1}; s.Names = map[string]int{} })); got !=
		`{"colour":"red","corners":[1],"hidden.depth":0,"in.depth":0,"limit":null,"names":{},"round":false,"side":2}` {
		t.Errorf("resolved: %s", got)
	}
}

func TestParams(t *testing.T) {
	ps := Params(squares.Defaults(), squares.Defaults())
	var got []string
	for _, p := range ps {
		got = append(got, p.Name+":"+p.Type)
	}
	if want := "side:number round:yes/no corners:list names:map limit:number in.depth:integer hidden.depth:integer colour:word"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if ps[0].Doc != "metres, > 0" || ps[0].Default != 2.0 || !ps[0].InKey || ps[6].InKey || ps[7].InKey {
		t.Errorf("got %+v", ps)
	}
}

// Optimal string alignment: insertions, deletions, replacements and exchanges of neighbours, none of which is edited again.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"abc", "abc", 0}, {"abc", "ab", 1}, {"abc", "bc", 1}, {"abc", "abd", 1}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2},
		{"abc", "acb", 1}, {"abc", "bac", 1}, {"abdcfe", "abcdef", 2}, {"ca", "abc", 3}, {"aab", "aba", 1}, {"abcd", "badc", 2},
	} {
		if got, back := distance(c.a, c.b), distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q, %q: %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestChoices(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, " (there are none)"}, {[]string{"scale", "step"}, " (have scale, step)"}, {[]string{"step", "epsilon"}, `; did you mean "epsilon"?`},
	} {
		if got := Choices("epsilom", c.names); got != c.want {
			t.Errorf("among %v: %s, want %s", c.names, got, c.want)
		}
	}
}

func TestRequire(t *testing.T) {
	if err := Require("side", true, "%v", 1); err != nil {
		t.Errorf("all is well, but %v", err)
	}
	var field *FieldError
	if err := Require("corners.2.x", false, "%v, expected %d", -1, 0); !errors.As(err, &field) || field.Field != "corners.2.x" || err.Error() != "corners[2].x: -1, expected 0" {
		t.Errorf("got %v", err)
	}
}

// A parameter that counts for one of its words alone is in keys where it has that word.
func TestWordsOfKeys(t *testing.T) {
	type policy struct {
		Missing string `yaml:"missing" key:"drop-rows"`
		Rows    int    `yaml:"rows" key:"many"`
	}
	for value, want := range map[policy]string{
		{}: "{}", {Missing: "mean"}: "{}", {Missing: "drop-rows"}: `{"missing":"drop-rows"}`, {Rows: 3}: "{}",
	} {
		if got := Canonical(value, policy{}); got != want {
			t.Errorf("%+v: %s, want %s", value, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"epsilon", "patience", "max_iter", "scale"}
	for name, want := range map[string]string{
		"epsilom": "epsilon", "espilon": "epsilon", "maxiter": "max_iter", "pateince": "patience", "scal": "scale",
		"x": "", "": "", "completely": "", "epsilon": "epsilon", "EPSILON": "epsilon", "iter": "max_iter", "er": "",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	engines := []string{"anova", "chi2", "elastic-net", "l1", "lasso", "logistic", "mean", "naive-bayes", "svm"}
	for name, want := range map[string]string{
		"elastic": "elastic-net", "LogisticRegression": "logistic", "LogisticRegressionCV": "logistic", "sklearn.linear_model.Lasso": "lasso", "LassoCV": "lasso",
		"SelectKBest": "anova", "SelectKBest(chi2)": "chi2", "SelectKBest(score_func=chi2, k=10)": "chi2", "SelectKBest(f_classif, k=10)": "anova",
		"MultinomialNB": "naive-bayes", "LinearSVC": "svm", "RandomForestClassifier": "", "()": "", ".": "",
	} {
		if got := Nearest(name, engines); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	metrics := []string{"brier_score", "ece", "f1", "log_likelihood", "log_loss", "macro_f1", "pr_auc", "rmse", "roc_auc", "test_mse", "test_r2"}
	for name, want := range map[string]string{
		"auc": "roc_auc", "f1_macro": "macro_f1", "neg_log_loss": "log_loss", "r2": "test_r2", "neg_mean_squared_error": "test_mse", "log": "", "AUC": "roc_auc",
		"neg_root_mean_squared_error": "rmse", "average_precision": "pr_auc", "neg_brier_score": "brier_score", "brier_score_loss": "brier_score", "calibration_error": "ece",
	} {
		if got := Nearest(name, metrics); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"cv": "k", "folds": "k", "n_splits": "k", "scoring": "metric", "neg_": "", "KFold": ""} {
		if got := Nearest(name, []string{"k", "repeats", "metric", "choose"}); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for _, name := range names {
		if got := DidYouMean(name, names); got != "" {
			t.Errorf("%s is one of the names: %q", name, got)
		}
	}
	if got := Nearest("ab", []string{"ac", "ad"}); got != "ac" {
		t.Errorf("tie: got %q, want the first", got)
	}
	if got := Nearest("mse", []string{"mae", "rmse", "test_mse", "train_mse"}); got != "test_mse" {
		t.Errorf("mse: got %q", got)
	}
}
