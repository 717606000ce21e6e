package prepare_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/texts"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/intervals"
	"tenfold/engines/prepare/labels"
	"tenfold/engines/prepare/pruning"
	"tenfold/engines/prepare/topics"
)

// people is a table with gaps, levels and counts. Rows 0 to 5 are learned from, 6 to 9 are new: row 7 has a level that is new. x6 says that
// the word of x0 to x2 is missing.
func people() *data.Dataset {
	d := enginetest.Dataset(enginetest.Matrix(
		[]float64{1, 0, 0, 3, 2, 0, 0},
		[]float64{0, 1, 0, nan, 1, 0, 0},
		[]float64{1, 0, 0, 5, 0, 4, 0},
		[]float64{0, 0, 0, 4, 1, 1, nan},
		[]float64{0, 1, 0, 0, 0, 2, 0},
		[]float64{1, 0, 0, 7, 3, 0, 0},
		[]float64{0, 1, 0, nan, 2, 5, 0},
		[]float64{0, 0, 1, 2, 0, 1, 0},
		[]float64{0, 0, 0, 9, 0, 0, nan},
		[]float64{1, 0, 0, 1, 1, 1, 0},
	), enginetest.Real("y", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
	d.Factor = []int32{0, 0, 0, -1, -1, -1, 0}
	return d
}

var oldRows, newRows = []int32{0, 1, 2, 3, 4, 5}, []int32{6, 7, 8, 9}

// encoded is what was learned after a way through JSON.
func encoded(t *testing.T, l *prepare.Learned) *prepare.Learned {
	t.Helper()
	text, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	var back prepare.Learned
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if err := back.Check(); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return &back
}

func TestLearnedIsAsFitted(t *testing.T) {
	for _, r := range []prepare.Recipe{
		{Missing: "mean"}, {Missing: "median", Scale: "sd"}, {Missing: "zero", Cutoff: 3}, {Missing: "mean", TFIDF: "smooth", Normalize: "l2"},
		{Missing: "median", Discretize: 2}, {Missing: "mean", Discretize: 3, Clusters: 2}, {Missing: "zero", Discretize: 4, Cutoff: 2, Scale: "sd"},
		{Missing: "mean", Topics: 2, TopicSeed: 4}, {Missing: "mean", Clusters: 2}, {Missing: "median", Cutoff: 2, Scale: "sd", Topics: 3, TFIDF: "plain"},
		{Missing: "mean", NearZero: pruning.NearZero{Rule: pruning.Caret, FreqRatio: 1.5, PercentUnique: 40}},
		{Missing: "median", Scale: "sd", Correlated: pruning.Correlated{Cutoff: 0.5, Rule: pruning.Mean}},
		{Missing: "zero", Discretize: 2, NearZero: pruning.NearZero{Rule: pruning.Share, Share: 0.6}, Correlated: pruning.Correlated{Cutoff: 0.7, Rule: pruning.First}},
		{Missing: "median", Words: prepare.Commonest}, {Missing: "mean", Words: prepare.Commonest, Cutoff: 3, Scale: "sd"},
		{Missing: prepare.Keep}, {Missing: prepare.Keep, Words: prepare.Level}, {Missing: "mean", Words: prepare.Keep}, {Missing: prepare.Keep, Words: prepare.Commonest, Cutoff: 2},
		{Missing: prepare.Indicator}, {Missing: prepare.Indicator, Words: prepare.Keep}, {Missing: prepare.Indicator, Scale: "sd", Topics: 2, TopicSeed: 4},
		{Missing: prepare.Indicator, Discretize: 3, Words: prepare.Commonest}, {Missing: prepare.Indicator, Correlated: pruning.Correlated{Cutoff: 0.5, Rule: pruning.Mean}},
		{Missing: prepare.Indicator, Clusters: 2}, {Missing: prepare.Indicator, Treatment: prepare.Treatment{Keep: "x3", Unit: prepare.Variable}},
	} {
		t.Run(fmt.Sprintf("%+v", r), func(t *testing.T) {
			d := people()
			p, err := r.Fit(d, oldRows)
			if err != nil {
				t.Fatal(err)
			}
			names, want := enginetest.Table(p.View(newRows))
			_, l, err := r.Learn(d.Select(oldRows))
			if err != nil {
				t.Fatal(err)
			}
			for _, other := range []*data.Dataset{d.Select(newRows), shuffled(d.Select(newRows)), wider(d.Select(newRows))} {
				q, met, err := encoded(t, l).Apply(other)
				if err != nil {
					t.Fatal(err)
				}
				again, got := enginetest.Table(q.View(nil))
				if !slices.Equal(again, names) {
					t.Errorf("columns %v, expected %v", again, names)
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("got %v, expected %v", got, want)
				}
				if !slices.Equal(met.Levels, []string{"x2"}) {
					t.Errorf("levels met: %v", met.Levels)
				}
				if f := p.View(nil).Features(); f.HasClasses() != q.View(nil).Features().HasClasses() || !slices.Equal(f.Classes(), q.View(nil).Features().Classes()) {
					t.Error("other classes")
				}
				if _, y := q.View(nil).Target(0); !slices.Equal(y, []float64{7, 8, 9, 10}) {
					t.Errorf("target %v", y)
				}
			}
		})
	}
}

// shuffled has the columns the other way round.
func shuffled(d *data.Dataset) *data.Dataset {
	n := d.Features.Len()
	names, factor := make([]string, n), make([]int32, n)
	for j := range n {
		names[n-1-j], factor[n-1-j] = d.Features.Name(j), d.Factor[j]
	}
	var b sparse.Builder
	for i := range d.Rows() {
		row := d.X.Row(i)
		var idx []int32
		var val []float64
		for q, j := range row.Idx {
			idx, val = append(idx, int32(n-1)-j), append(val, row.At(q))
		}
		if err := b.Add(idx, val); err != nil {
			panic(err)
		}
	}
	out := *d
	out.X, out.Features, out.Factor = b.Matrix(n), data.NewFeatures(names), factor
	return &out
}

// wider has another column before all.
func wider(d *data.Dataset) *data.Dataset {
	n := d.Features.Len()
	names, factor := []string{"other"}, []int32{-1}
	for j := range n {
		names, factor = append(names, d.Features.Name(j)), append(factor, d.Factor[j])
	}
	var b sparse.Builder
	for i := range d.Rows() {
		row := d.X.Row(i)
		idx, val := []int32{0}, []float64{5}
		for q, j := range row.Idx {
			idx, val = append(idx, j+1), append(val, row.At(q))
		}
		if err := b.Add(idx, val); err != nil {
			panic(err)
		}
	}
	out := *d
	out.X, out.Features, out.Factor = b.Matrix(n+1), data.NewFeatures(names), factor
	return &out
}

func TestApplyTells(t *testing.T) {
	d := people()
	_, l, err := prepare.Recipe{Missing: "mean", Cutoff: 4}.Learn(d.Select(oldRows))
	if err != nil {
		t.Fatal(err)
	}
	_, met, err := l.Apply(wider(d.Select(newRows)))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%+v", met); got != "{Unknown:[other x5] Levels:[x2] Absent:0 Filled:1 Labels:[]}" {
		t.Errorf("met %s, left %v", got, l.Left)
	}
	if _, l, err = (prepare.Recipe{}).Learn(d.Select([]int32{0, 2, 4})); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Apply(d.Select(newRows)); err == nil || !strings.Contains(err.Error(), "row 0 (from 0), column x3: the value is missing, and the model was fitted to rows without") {
		t.Errorf("gaps: %v", err)
	}
	if _, _, err := (prepare.Recipe{Missing: "mean", Unseen: "error"}).Learn(d.Select([]int32{0, 1, 2})); err != nil {
		t.Fatalf("of a level that no row has: %v", err)
	}
	l = &prepare.Learned{Columns: []string{"x0", "x1", "x3", "x4", "x5"}, Unseen: "error", Fill: []float64{0, 0, 0, 0, 0}, Targets: []labels.Target{{Name: "y"}}}
	if _, _, err := l.Apply(d.Select(newRows)); err == nil || !strings.Contains(err.Error(), `level "x2" occurs in none of the rows that the model was fitted to`) {
		t.Errorf("an unseen level: %v", err)
	}
}

func TestLabelsGoByName(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{2}, []float64{3}, []float64{4})
	class := func(levels string, values ...float64) data.Target {
		return data.Target{Name: "c", Type: data.Class, Levels: strings.Fields(levels), Values: values}
	}
	cut := class("0 1", 0, 0, 1, 1)
	cut.Numbers = []float64{1, 2, 3, 6}
	for _, c := range []struct {
		name     string
		old, new data.Target
		rest     string
		at       string
		want     string
	}{
		{"other order", class("a b", 0, 1, 0, 1), class("b a", 0, 0, 1, 1), "", "[]", "[1 1 0 0]"},
		{"unknown", class("a b", 0, 1, 0, 1), class("b c", 0, 1, 0, 1), "", "[0 2]", "[1 1]"},
		{"rest", class("rest a", 0, 1, 0, 1), class("a b", 0, 1, 0, 1), "rest", "[]", "[1 0 1 0]"},
		{"numbers", class("0 1", 0, 1, 0, 1), enginetest.Real("c", 1, 1, nan, 0), "", "[0 1 3]", "[1 1 0]"},
		{"written otherwise", class("+1 -1", 0, 1, 0, 1), class("-1.0 1", 0, 1, 0, 1), "", "[]", "[1 0 1 0]"},
		{"cut", cut, enginetest.Real("c", 2.9, 3, 3.1, nan), "", "[0 1 2]", "[0 1 1]"},
		{"another name", enginetest.Real("c", 1, 2, 3, 4), enginetest.Real("d", 5, 6, 7, 8), "", "[]", "[5 6 7 8]"},
	} {
		_, l, err := prepare.Recipe{}.Learn(enginetest.Dataset(x, c.old))
		if err != nil {
			t.Fatal(err)
		}
		l.Targets[0].Rest = c.rest
		p, met, err := encoded(t, l).Apply(enginetest.Dataset(x, c.new))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		at, y := p.View(nil).Target(0)
		if fmt.Sprint(at) != c.at || fmt.Sprint(y) != c.want {
			t.Errorf("%s: got %v on %v, expected %s on %s", c.name, y, at, c.want, c.at)
		}
		if (c.name == "unknown") != (len(met.Labels) == 1) {
			t.Errorf("%s: unknown labels %v", c.name, met.Labels)
		}
	}
	_, l, err := prepare.Recipe{}.Learn(enginetest.Dataset(x, enginetest.Real("c", 1, 2, 3, 4)))
	if err != nil {
		t.Fatal(err)
	}
	bare := enginetest.Dataset(x, enginetest.Real("c", 1, 2, 3, 4))
	bare.Targets = nil
	p, _, err := l.Apply(bare)
	if err != nil {
		t.Fatal(err)
	}
	if at, y := p.View(nil).Target(0); at == nil || len(y) != 0 {
		t.Errorf("rows without responses have %v on %v", y, at)
	}
}

// Of several targets, values go by the names; one that new rows lack has none.
func TestTargetsGoByName(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{2})
	_, l, err := prepare.Recipe{}.Learn(enginetest.Dataset(x, enginetest.Real("a", 0, 1), enginetest.Real("b", 2, 3), enginetest.Real("c", 4, 5)))
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := l.Apply(enginetest.Dataset(x, enginetest.Real("c", 10, 11), enginetest.Real("a", 20, 21)))
	if err != nil {
		t.Fatal(err)
	}
	v := p.View(nil)
	for k, want := range []string{"a [20 21]", "b []", "c [10 11]"} {
		if _, y := v.Target(k); fmt.Sprint(v.TargetInfo(k).Name, " ", y) != want {
			t.Errorf("target %d: %s %v, want %s", k, v.TargetInfo(k).Name, y, want)
		}
	}
}

func TestDamagedLearned(t *testing.T) {
	for _, text := range []string{
		`{"columns":["a"],"targets":[]}`, `{"columns":["a","a"],"targets":[{"name":"y","class":false}]}`,
		`{"columns":["a"],"fill":[1,2],"targets":[{"name":"y","class":false}]}`, `{"columns":["a"],"class":[1],"classes":["k"],"targets":[{"name":"y","class":false}]}`,
		`{"columns":["a"],"targets":[{"name":"y","class":true}]}`, `{"columns":["a"],"targets":[{"name":"y","class":true,"levels":["a"],"positive":1}]}`,
		`{"columns":["a"],"static":2,"targets":[{"name":"y","class":false}]}`,
		`{"columns":["a"],"topics":{"names":["t"],"columns":[1],"idf":[1],"k":1,"centroids":[1],"norm2":[1],"to":[0]},"targets":[{"name":"y","class":false}]}`,
		`{"columns":["a"],"topics":{"names":["t"],"columns":[0],"idf":[1],"k":1,"centroids":[1],"norm2":[1],"to":[1]},"targets":[{"name":"y","class":false}]}`,
		`{"columns":["a"],"topics":{"names":["t"],"columns":[0],"idf":[1],"k":2,"centroids":[1],"norm2":[1],"to":[1]},"targets":[{"name":"y","class":false}]}`,
	} {
		var l prepare.Learned
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		if l.Check() == nil {
			t.Errorf("accepted: %s", text)
		}
	}
}

// Of a model that uses some columns nothing else is asked or made; the length of a row, and a topic, hang on all.
func TestColumnsUsed(t *testing.T) {
	learned := func(change func(*prepare.Learned)) *prepare.Learned {
		l := &prepare.Learned{Columns: []string{"a", "b=x", "b=y", "c"}, Factors: []int32{-1, 0, 0, -1}, Targets: []labels.Target{{Name: "t"}}}
		change(l)
		return l
	}
	for name, c := range map[string]struct {
		l    *prepare.Learned
		used []int32
		want string
	}{
		"a number": {learned(func(*prepare.Learned) {}), []int32{3}, "c"},
		"a level":  {learned(func(*prepare.Learned) {}), []int32{2}, "b=x b=y"},
		"an interval": {learned(func(l *prepare.Learned) {
			l.Cuts = []*intervals.Cuts{{Above: exact.Floats{1, 2}, Names: []string{"a>q33", "a>q67"}}, nil, nil, {Above: exact.Floats{0}, Names: []string{"c>median"}}}
		}), []int32{1, 4}, "a c"},
		"none":       {learned(func(l *prepare.Learned) { l.Normalize = "l2" }), nil, ""},
		"lengths":    {learned(func(l *prepare.Learned) { l.Normalize = "l2" }), []int32{0}, "a b=x b=y c"},
		"a topic":    {learned(func(l *prepare.Learned) { l.Topics = &topics.Model{Names: []string{"t1"}} }), []int32{4}, "a b=x b=y c"},
		"not topics": {learned(func(l *prepare.Learned) { l.Topics = &topics.Model{Names: []string{"t1"}} }), []int32{0}, "a"},
	} {
		l, got := c.l.For(c.used), []string{}
		for j, column := range l.Columns {
			if l.Uses(j) {
				got = append(got, column)
			}
		}
		if strings.Join(got, " ") != c.want || l.Used() != len(got) || c.l.Used() != 4 {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
	d := enginetest.Dataset(enginetest.Matrix([]float64{math.NaN(), 2, 5}), enginetest.Real("t", 1))
	d.Features = data.NewFeatures([]string{"a", "c", "new"})
	p, met, err := learned(func(*prepare.Learned) {}).For([]int32{3}).Apply(d)
	if err != nil || met.Absent != 0 || !slices.Equal(met.Unknown, []string{"new"}) || p.View(nil).Matrix().NNZ() != 1 {
		t.Errorf("met %+v, %v", met, err)
	}
}

// The length of a text depends on all its columns, and on those of no other.
func TestForTexts(t *testing.T) {
	l := &prepare.Learned{Columns: []string{"a:x", "a:y", "n", "b:x"}, Normalize: "l2", Texts: &texts.Columns{Names: []string{"a", "b"}, Of: []int32{0, 0, -1, 1}}}
	for _, c := range []struct {
		used []int32
		want string
	}{{[]int32{0}, "a:x a:y"}, {[]int32{2, 3}, "n b:x"}, {[]int32{2}, "n"}} {
		of, uses := l.For(c.used), []string{}
		for j, name := range of.Columns {
			if of.Uses(j) {
				uses = append(uses, name)
			}
		}
		if got := strings.Join(uses, " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.used, got, c.want)
		}
	}
}
