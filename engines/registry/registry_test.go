package registry

import (
	"errors"
	"math"
	"strings"
	"testing"

	"tenfold/engines/param"
)

type shape interface {
	param.Validator
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
		errs = append(errs, param.Errorf("side", "%v, expected more than 0", s.Side))
	}
	return errors.Join(append(errs, param.OneOf("colour", s.Colour, "red", "green"))...)
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
	var field *param.FieldError
	if !errors.As(err, &field) || field.Field != "side" || !strings.Contains(err.Error(), `colour: "gren" is not one of red, green; did you mean "green"?`) {
		t.Errorf("validation: got %v", err)
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
