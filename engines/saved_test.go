package engines_test

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/sparse"
)

// kept are the kinds of models of this package.
var kept = engines.Models{engines.LinearKind: engines.RestoreLinear, engines.LinkedKind: engines.RestoreLinked}

// Numbers that JSON has no words for, or that another text could stand for, come back too.
func TestNumbersAreKept(t *testing.T) {
	negative := math.Copysign(0, -1)
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), negative, math.SmallestNonzeroFloat64, math.MaxFloat64, 0.1, 1e21, -1e-7}
	coefs := func() (out []engines.Coef) {
		for k, v := range odd {
			out = append(out, engines.Coef{Feature: k, Output: k % 2, Value: v, Rank: k - 1, Score: odd[(k+1)%len(odd)],
				Bits: &engines.Bits{Saved: v, Refined: v, Price: engines.Price{Class: v, Index: 1, Subset: negative, Coefficient: v}}})
		}
		return out
	}
	fitted := engines.Fitted{
		Stop: "why", Iterations: 3, Evaluated: 1 << 60, Best: -1, Optimistic: true, Notes: []string{"a note with <, \" and ü"},
		Facts: []data.Fact{{Name: "f", Value: "1"}}, Certificate: &engines.Certificate{Objective: math.NaN(), Dual: math.Inf(-1)},
		Description: &engines.Description{Null: math.Inf(1), Responses: negative, Model: 1},
	}
	x := enginetest.Random(1, 20, len(odd), 0.3, false)
	on := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", make([]float64, 20)...)), nil)
	bias := []float64{negative, math.MaxFloat64}
	for name, m := range map[string]engines.Model{
		"linear":              engines.NewLinear(len(odd), bias, coefs(), fitted),
		"biases alone":        engines.NewLinear(len(odd), []float64{math.NaN(), math.Inf(-1)}, nil, fitted),
		"plain coefficients":  engines.NewLinear(len(odd), bias, []engines.Coef{{Feature: 1, Value: 1, Rank: -1}}, engines.Fitted{}),
		"no score but -0":     engines.NewLinear(len(odd), bias, []engines.Coef{{Feature: 1, Value: 1, Rank: -1, Score: negative}}, engines.Fitted{}),
		"ranks alone":         engines.NewLinear(len(odd), bias, []engines.Coef{{Feature: 1, Value: 1}, {Feature: 2, Value: 1, Rank: 1}}, engines.Fitted{}),
		"one with a ledger":   engines.NewLinear(len(odd), bias, []engines.Coef{{Feature: 1, Value: 1}, {Feature: 2, Value: 1, Bits: &engines.Bits{}}}, engines.Fitted{}),
		"linked":              engines.NewLinked(engines.NewLinear(len(odd), bias, coefs(), fitted), engines.Links{{Logistic: true}, {Class: true}}),
		"linked, no features": engines.NewLinked(engines.NewLinear(0, []float64{1}, nil, fitted), engines.Links{{Class: true}}),
	} {
		rows := on
		if strings.Contains(name, "no features") {
			rows = on.Narrow([]int32{})
		}
		if _, err := enginetest.Kept(m, kept, rows); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What no coefficient says is not written.
func TestCoefsAreShort(t *testing.T) {
	for _, c := range []struct {
		coefs engines.Coefs
		want  string
	}{
		{nil, `{"feature":[],"value":[]}`},
		{engines.Coefs{{Feature: 3, Value: 0.5, Rank: -1}}, `{"feature":[3],"value":[0.5]}`},
		{engines.Coefs{{Value: 1, Rank: -1}, {Feature: 1, Output: 2, Value: 1, Rank: -1}}, `{"feature":[0,1],"output":[0,2],"value":[1,1]}`},
		{engines.Coefs{{Value: 1}, {Feature: 1, Value: 2, Rank: -1, Score: 7}}, `{"feature":[0,1],"value":[1,2],"rank":[0,-1],"score":[0,7]}`},
		{engines.Coefs{{Value: 1, Rank: -1, Bits: &engines.Bits{Saved: 1, Refined: 2, Price: engines.Price{Class: 3, Index: 4, Subset: 5, Coefficient: 6}}}},
			`{"feature":[0],"value":[1],"bits":[[1,2,3,4,5,6]]}`},
	} {
		text, err := json.Marshal(c.coefs)
		if err != nil || string(text) != c.want {
			t.Errorf("%v: %s (%v), want %s", c.coefs, text, err, c.want)
		}
		var back engines.Coefs
		if err := json.Unmarshal(text, &back); err != nil || len(back) != len(c.coefs) || len(back) > 0 && !reflect.DeepEqual(back, c.coefs) {
			t.Errorf("%s: %v (%v)", text, back, err)
		}
	}
}

func TestBadCoefs(t *testing.T) {
	for text, want := range map[string]string{
		`{"feature":[1,2],"value":[1]}`:                       "1 values for 2 coefficients",
		`{"feature":[],"value":[1]}`:                          "1 values for 0 coefficients",
		`{"feature":[1,2],"value":[1,1],"output":[0]}`:        "1 outputs for 2 coefficients",
		`{"feature":[1],"value":[1],"rank":[0,1]}`:            "2 ranks for 1 coefficients",
		`{"feature":[1],"value":[1],"score":[0,1]}`:           "2 scores for 1 coefficients",
		`{"feature":[1],"value":[1],"bits":[null,null]}`:      "2 ledgers for 1 coefficients",
		`{"feature":[1],"value":[1],"bits":[[1,2,3,4,5]]}`:    "found 5 numbers, expected 6",
		`{"feature":[1],"value":["one"]}`:                     `found "one"`,
		`{"feature":[1]}`:                                     `"value" is missing`,
		`{"value":[]}`:                                        `"feature" is missing`,
		`{"feature":[1],"value":[1],"colour":[1]}`:            `unknown field "colour"`,
		`{"feature":[1.5],"value":[1]}`:                       "cannot unmarshal",
		`null`:                                                `"feature" is missing`,
		`{"feature":[0],"value":[1],"score":["Infinity",""]}`: `found ""`,
	} {
		var got engines.Coefs
		if err := got.UnmarshalJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for _, c := range []struct {
		coefs   engines.Coefs
		outputs int
		want    string
	}{
		{engines.Coefs{{Feature: 0}, {Feature: 2}, {Feature: 0, Output: 1}}, 2, ""},
		{nil, 1, ""},
		{nil, 0, "it has no output"},
		{engines.Coefs{{Feature: 3}}, 1, "coefficient 0 is of column 3, and there are 3"},
		{engines.Coefs{{Feature: -1}}, 1, "coefficient 0 is of column -1, and there are 3"},
		{engines.Coefs{{Feature: 1}, {Feature: 2, Output: 1}}, 1, "coefficient 1 is of output 1, and there are 1"},
		{engines.Coefs{{Output: -1}}, 1, "coefficient 0 is of output -1, and there are 1"},
		{engines.Coefs{{Feature: 1}, {Feature: 1}}, 1, "coefficient 1 is out of order"},
		{engines.Coefs{{Feature: 1}, {Feature: 0}}, 1, "coefficient 1 is out of order"},
		{engines.Coefs{{Feature: 0, Output: 1}, {Feature: 1}}, 2, "coefficient 1 is out of order"},
	} {
		if err := c.coefs.Check(3, c.outputs); text(err) != c.want {
			t.Errorf("%v: %v, want %q", c.coefs, err, c.want)
		}
	}
}

// text of an error, "" of none.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestCheckPicked(t *testing.T) {
	for _, c := range []struct {
		picked []int32
		bad    bool
	}{
		{nil, false}, {[]int32{0, 2, 3}, false}, {[]int32{0, 4}, true}, {[]int32{-1, 0}, true}, {[]int32{1, 1}, true}, {[]int32{2, 1}, true},
	} {
		if err := engines.CheckPicked(c.picked, 4); (err != nil) != c.bad {
			t.Errorf("%v: %v", c.picked, err)
		}
	}
}

// A matrix comes back, also one that shares its entries with another.
func TestRowsAreKept(t *testing.T) {
	whole := enginetest.Matrix([]float64{1, 0, 2}, []float64{0, 0, 0}, []float64{0, 3, 1}, []float64{1, 1, 1})
	for name, m := range map[string]*sparse.Matrix{
		"whole": whole, "in the middle": whole.Range(1, 3), "picked": whole.Pick([]int32{3, 0}), "ones": enginetest.Random(2, 6, 5, 0.5, true), "none": enginetest.Matrix(),
	} {
		text, err := json.Marshal(engines.SaveRows(m))
		if err != nil {
			t.Fatal(err)
		}
		var r engines.Rows
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		rows, columns := m.Dims()
		back, err := r.Matrix(columns)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n, k := back.Dims(); n != rows || k != columns || back.Binary() != m.Binary() {
			t.Errorf("%s: %d × %d, of ones %v", name, n, k, back.Binary())
		}
		for i := range rows {
			if got, want := back.Row(i), m.Row(i); !slices.Equal(got.Idx, want.Idx) || !slices.Equal(got.Val, want.Val) {
				t.Errorf("%s, row %d: %v, want %v", name, i, got, want)
			}
		}
	}
}

func TestBadRows(t *testing.T) {
	for name, r := range map[string]engines.Rows{
		"an entry too many":   {End: []int{1, 2}, Column: []int32{0, 1, 2}},
		"an entry too few":    {End: []int{1, 3}, Column: []int32{0, 1}},
		"ends that fall":      {End: []int{2, 1}, Column: []int32{0}},
		"a column too large":  {End: []int{1}, Column: []int32{3}},
		"values too few":      {End: []int{2}, Column: []int32{0, 1}, Value: exact.Floats{1}},
		"columns that fall":   {End: []int{2}, Column: []int32{1, 0}},
		"no row, but entries": {Column: []int32{1}},
	} {
		if _, err := r.Matrix(3); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestDecode(t *testing.T) {
	type state struct {
		Name  string `json:"name"`
		Extra int    `json:"extra,omitempty"`
		own   int
	}
	for text, want := range map[string]string{
		`{"name":"a"}`:             "",
		`{"name":"a","extra":1}`:   "",
		`{"extra":1}`:              `"name" is missing`,
		`{"name":"a","other":1}`:   `unknown field "other"`,
		`{"name":"a"} {}`:          "something follows the state",
		`{"name":"a"}]`:            "something follows the state",
		`{"name":1}`:               "cannot unmarshal",
		`[]`:                       "cannot unmarshal",
		`null`:                     `"name" is missing`,
		``:                         "EOF",
		`{"name":"a","name":null}`: "",
	} {
		s := state{own: 1}
		if err := engines.Decode(json.RawMessage(text), &s); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// onlyModel cannot be kept.
type onlyModel struct{ engines.Model }

func TestSaveRefuses(t *testing.T) {
	if _, err := engines.Save(onlyModel{}); text(err) != "a model of type engines_test.onlyModel cannot be kept in a file" {
		t.Errorf("got %v", err)
	}
	if _, err := engines.SaveAs("strange", func() {}); err == nil || !strings.HasPrefix(err.Error(), "model of kind strange: ") {
		t.Errorf("got %v", err)
	}
}

func TestRestoreRefuses(t *testing.T) {
	const plain = `{"bias":[1],"coefs":{"feature":[],"value":[]},"fitted":{"best":-1}}`
	const two = `{"bias":[1,2],"coefs":{"feature":[],"value":[]},"fitted":{"best":-1}}`
	links := func(links, kind, state string) string {
		return `{"links":` + links + `,"scores":{"kind":"` + kind + `","state":` + state + `}}`
	}
	features := data.NewFeatures([]string{"a"})
	for _, c := range []struct{ kind, state, want string }{
		{"linear", plain, ""},
		{"linked", links(`[{}]`, "linear", plain), ""},
		{"linked", links(`[{"class":true}]`, "linear", plain), ""},
		{"linaer", plain, `a model of kind "linaer" is not known here: it is of a newer version, or damaged`},
		{"linear", `{"bias":[],"coefs":{"feature":[],"value":[]},"fitted":{"best":-1}}`, "model of kind linear: it has no output"},
		{"linear", `{"bias":[1],"coefs":{"feature":[1],"value":[1]},"fitted":{"best":-1}}`, "model of kind linear: coefficient 0 is of column 1, and there are 1"},
		{"linear", `{"bias":[1],"fitted":{"best":-1}}`, `model of kind linear: "coefs" is missing`},
		{"linked", `{"links":[]}`, `model of kind linked: "scores" is missing`},
		{"linked", links(`[]`, "linear", plain), "model of kind linked: 0 links of a model with 1 outputs, expected as many"},
		{"linked", links(`[{},{}]`, "linear", plain), "model of kind linked: 2 links of a model with 1 outputs, expected as many"},
		{"linked", links(`[{"class":true},{}]`, "linked", links(`[{"class":true},{}]`, "linear", two)), "model of kind linked: links of a model of kind \"linked\", expected linear"},
		{"linked", links(`[{}]`, "strange", `{}`), `model of kind linked: links of a model of kind "strange", expected linear`},
	} {
		if _, err := kept.Restore(engines.Saved{Kind: c.kind, State: json.RawMessage(c.state)}, features); text(err) != c.want {
			t.Errorf("%s %s: %v, want %q", c.kind, c.state, err, c.want)
		}
	}
}

// Models within one another end somewhere: sixteen are restored, more are not.
func TestModelsWithin(t *testing.T) {
	in := engines.Models{
		"one": func(json.RawMessage, *data.Features, engines.Part) (engines.Model, error) {
			return engines.NewLinear(0, []float64{1}, nil, engines.Fitted{}), nil
		},
		"within": func(state json.RawMessage, features *data.Features, part engines.Part) (engines.Model, error) {
			var inner engines.Saved
			if err := json.Unmarshal(state, &inner); err != nil {
				return nil, err
			}
			return part(inner, features)
		},
	}
	s := engines.Saved{Kind: "one", State: json.RawMessage(`{}`)}
	for depth := 2; depth <= 17; depth++ {
		state, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		s = engines.Saved{Kind: "within", State: state}
		switch _, err := in.Restore(s, data.NewFeatures(nil)); {
		case depth <= 16 && err != nil:
			t.Errorf("%d models: %v", depth, err)
		case depth == 17 && !strings.HasSuffix(text(err), "more than 16 models within one another"):
			t.Errorf("%d models: %v", depth, err)
		}
	}
}
