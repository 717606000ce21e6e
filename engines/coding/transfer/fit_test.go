package transfer

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

func TestPeers(t *testing.T) {
	of, word := []int{0, 0, 1, 0, -1, 1, -1}, []int32{7, 8, 9, 7, 7, 9, 3}
	for point, want := range [][]int{{1}, {0, 3}, nil, {1}, nil, nil, nil} {
		if got := peers(of, word, point); !slices.Equal(got, want) {
			t.Errorf("peers of %d: %v, want %v", point, got, want)
		}
	}
}

// Which levels are donors, and what of them counts, by hand.
func TestDonors(t *testing.T) {
	t.Parallel()
	p, err := newPool(pooled{Tasks: []pooledTask{
		handTask("a", hand("large", 30, "tp_1 w_1 w_2", "tp_1 w_2", "w_3"), hand("no model", 1, "", "", "")),
		handTask("b", hand("small", 10, "tp_1 w_1", "w_1", "w_4")),
		handTask("here"),
		handTask("m", hand("topic", 20, "tp_1 w_7 w_8 w_9", "tp_1", "")),
		handTask("n", hand("other", 20, "tp_5 w_5", "tp_5", ""), hand("words", 20, "tp_6 w_1 w_2", "tp_6", "")),
	}})
	if err != nil {
		t.Fatal(err)
	}
	here := handTask("", hand("target", 10, "tp_1 w_1 w_2 w_own", "", ""), hand("sibling", 10, "tp_1 w_1 w_2 w_own", "", ""), hand("rare", 1, "", "", "")).left
	for name, c := range map[string]struct {
		change func(*Engine)
		want   string // by donor, what counts
	}{
		"defaults":  {func(*Engine) {}, "tp_1 w_2, w_1, tp_6"},
		"larger":    {func(e *Engine) { e.Donors = largerDonors }, "tp_1 w_2, tp_6"},
		"any":       {func(e *Engine) { e.Count = countAny }, "tp_1 w_2 w_3, w_1 w_4, tp_6"},
		"simes":     {func(e *Engine) { e.Count = countSimes }, "tp_1 w_1 w_2, tp_1 w_1, tp_6 w_1 w_2"},
		"setting 2": {func(e *Engine) { e.Setting = 2 }, "tp_1 w_2, w_1, tp_6"},
		"semantic":  {func(e *Engine) { e.Setting = 3 }, "tp_1 w_2, w_1, tp_1"},
		"syntactic": {func(e *Engine) { e.Setting, e.Clustering.Similarity = 4, 0.5 }, "tp_1 w_2, w_1, tp_6"},
		"strict":    {func(e *Engine) { e.Clustering.Similarity = 0.8 }, "tp_1 w_2"},
		"idf":       {func(e *Engine) { e.Setting, e.Clustering.Weights, e.Semantic = 3, "idf", []string{"tp"} }, "tp_1 w_2, w_1, tp_1"},
	} {
		e := onTask(t, p, with(func(e *Engine) { e.Clustering.Share = 0; c.change(e) }), "here")
		of, facts, err := e.learn(here)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range of[0].donors {
			var names []string
			for _, f := range d.Selected {
				names = append(names, f.Name)
			}
			got = append(got, strings.Join(names, " "))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: got %q, want %q (%v)", name, text, c.want, facts)
		}
		if !of[2].background || len(of[1].donors) != len(of[0].donors) {
			t.Errorf("%s: %+v", name, of)
		}
	}
}

// A donor whose data lacks a feature counts as one that did not select it, or says nothing.
func TestAbsent(t *testing.T) {
	t.Parallel()
	a, b := handTask("a", hand("l", 30, "tp_1 w_1", "tp_1", "")), handTask("b", hand("l", 30, "tp_1 w_1", "w_1", ""))
	a.Columns, b.Columns = []string{"tp_1", "w_1", "w_2"}, []string{"tp_1", "w_1", "w_5"}
	p, err := newPool(pooled{Tasks: []pooledTask{a, b, handTask("here")}})
	if err != nil {
		t.Fatal(err)
	}
	here := handTask("", hand("l", 10, "tp_1 w_1", "", "")).left
	for absent, want := range map[string]string{
		"count": "map[tp_1:{1 1} w_1:{1 1}]",
		"skip":  "map[tp_1:{1 1} w_1:{1 1} w_2:{0 1} w_9:{0 0}]",
	} {
		e := onTask(t, p, with(func(e *Engine) { e.Clustering.Share, e.Absent = 0, absent }), "here")
		of, _, err := e.learn(here)
		if err != nil {
			t.Fatal(err)
		}
		prior := e.Prior(of[0].donors, classed([]string{"tp_1", "w_1", "w_2", "w_9"}))
		if got := fmt.Sprint(prior.Features); got != want || prior.Donors != 2 || prior.Classes["tp"] != (codes.Count{With: 1, Without: 1}) {
			t.Errorf("%s: got %s of %d donors, classes %v, want %s", absent, got, prior.Donors, prior.Classes, want)
		}
	}
}

// transferCase is a case of kind transfer that counts of donors can make, its response real.
type transferCase struct {
	X        [][]float64
	Y        []float64 `json:"y"`
	Classes  []int32
	CoefBits float64 `json:"coef_bits"`
	Prior    struct {
		Setting  int
		Variant  string
		Classes  [][3]int `json:"class_counts"`
		Features [][3]int `json:"feature_counts"`
	}
}

// tasks that select what the counts of a case ask for, with the columns that it counts. All have one level, alike.
func (c transferCase) tasks() []pooledTask {
	n := 0
	for _, counts := range [][][3]int{c.Prior.Classes, c.Prior.Features} {
		for _, k := range counts {
			n = max(n, k[1]+k[2])
		}
	}
	var out []pooledTask
	for d := range n {
		var selected, columns []string
		in := map[int32]bool{}
		for _, f := range c.Prior.Features {
			name := fmt.Sprintf("x%d", f[0])
			if columns = append(columns, name); d < f[1] {
				selected, in[c.Classes[f[0]]] = append(selected, name), true
			}
		}
		for _, k := range c.Prior.Classes {
			if d < k[1] && !in[int32(k[0])] {
				selected = append(selected, fmt.Sprintf("another%d", k[0]))
			}
		}
		t := handTask(fmt.Sprint("donor", d), hand("l", 5, "alike", strings.Join(selected, " "), ""))
		for k, f := range t.Features {
			var number int
			if _, err := fmt.Sscanf(f.Name, "x%d", &number); err == nil {
				t.Features[k].Class = fmt.Sprint("class", c.Classes[number])
			} else if _, err := fmt.Sscanf(f.Name, "another%d", &number); err == nil {
				t.Features[k].Class = fmt.Sprint("class", number)
			}
		}
		t.Columns = append(columns, "alike")
		out = append(out, t)
	}
	return append(out, handTask("here"))
}

// What the pipeline finds of donors makes the models of the reference cases.
func TestOracle(t *testing.T) {
	t.Parallel()
	cases := oracle.Cases(t, filepath.Join("testdata", "oracle"))
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		var in transferCase
		var want struct {
			Coef  []float64
			Steps []struct{ SM float64 }
		}
		c.Decode(t, c.Input, &in)
		c.Decode(t, c.Options, &in)
		c.Decode(t, c.Expected, &want)
		p, err := newPool(pooled{Tasks: in.tasks()})
		if err != nil {
			t.Fatal(err)
		}
		e := onTask(t, p, with(func(e *Engine) {
			e.Setting, e.Variant, e.CoefBits, e.Absent, e.Clustering.Share = in.Prior.Setting, in.Prior.Variant, in.CoefBits, "skip", 0
		}), "here")
		of, _, err := e.learn(handTask("", hand("l", 5, "alike", "", "")).left)
		if err != nil {
			t.Fatal(err)
		}
		set := enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Real("y", in.Y...))
		var classes []string
		for k := range slices.Max(in.Classes) + 1 {
			classes = append(classes, fmt.Sprint("class", k))
		}
		set.Features = set.Features.WithClasses(in.Classes, classes)
		m, err := e.tpc().WithPrior(e.Prior(of[0].donors, set.Features)).Fit(context.Background(), run(set, nil))
		if err != nil {
			t.Fatal(err)
		}
		coef, paid := make([]float64, len(want.Coef)), make([]float64, len(m.Coefs()))
		for _, f := range m.Coefs() {
			coef[f.Feature], paid[f.Rank] = f.Value, f.Bits.Paid()
		}
		var prices []float64
		for _, s := range want.Steps {
			prices = append(prices, s.SM)
		}
		oracle.NearAll(t, c.File+": coef", coef, want.Coef, 1e-7)
		oracle.NearAll(t, c.File+": SM", paid, prices, 1e-8)
		if donors := len(in.tasks()) - 1; len(of[0].donors) != donors {
			t.Errorf("%s: %d donors, want %d", c.File, len(of[0].donors), donors)
		}
	}
}

// A word of one sense has no model, neither as a donor nor as a task, and a sense of one row has none.
func TestFewRows(t *testing.T) {
	t.Parallel()
	e := with(func(e *Engine) { e.Clustering.Share = 0 })
	one, rare := word{"one", []string{"law"}, 20}, word{"rare", []string{"law", "food", "sea"}, 20}
	s := donors(t, e, append([]word{one}, words...))
	if got := fitted(t, s.on(t, e, "one"), s.sets["one"]); len(got.Coefs) > 0 || slices.ContainsFunc(got.Scores, func(v float64) bool { return v != 0 }) {
		t.Errorf("one sense: %+v", got)
	}
	set := rare.dataset(9)
	var rows []int32
	for i, y := range set.Targets[0].Values {
		if y < 2 || i == set.Rows()-1 {
			rows = append(rows, int32(i))
		}
	}
	known, err := e.Learn(s.pool(t, e).Artefact)
	if err != nil {
		t.Fatal(err)
	}
	m, err := onTask(t, known, e, "arrest").Fit(context.Background(), run(set, rows))
	if err != nil {
		t.Fatal(err)
	}
	r := result{Fitted: m.(engines.Reporter).Fitted()}
	if slices.ContainsFunc(m.Coefs(), func(c engines.Coef) bool { return c.Output == 2 }) || r.fact("l2 against the rest: donors") != "0" || r.fact("l0 against the rest: donors") == "0" {
		t.Errorf("a sense of one row: %v, %v", m.Coefs(), r.Fitted.Facts)
	}
	d, err := e.Donor().Fit(context.Background(), run(set, rows))
	if err != nil {
		t.Fatal(err)
	}
	text, err := d.(engines.Leaver).Artefact()
	if err != nil || !strings.HasSuffix(string(text), `{"name":"l2","positive":1,"rows":41}]}`) {
		t.Errorf("it leaves %s (%v)", text, err)
	}
}
