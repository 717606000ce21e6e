package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/enginetest"
	"tenfold/engines/registry"
	"tenfold/engines/wrappers/onevsrest"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	tiny := with(func(*Engine) {})
	known, err := newPool(pooled{Tasks: []pooledTask{
		handTask("far", hand("l0", 30, "x0 x2 x5", "x0 x5", "x2"), hand("l1", 10, "x3 x7", "x7", "")),
		handTask("here"),
		handTask("near", hand("l0", 20, "x0 x2 x5 x8", "x0", ""), hand("l1", 10, "x1", "x1", "x0")),
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("donor", func(t *testing.T) { enginetest.Suite(t, tiny.Donor()) })
	t.Run("task", func(t *testing.T) { enginetest.Suite(t, onTask(t, known, tiny, "here")) })
	t.Run("hypergeometric, tuned", func(t *testing.T) {
		e := with(func(e *Engine) { e.Test, e.Clusters, e.Alpha = "hypergeometric", 1, 0.5 })
		enginetest.Suite(t, onTask(t, known, e, "here"))
	})
}

// Without donors, of whichever reason, the models are those of code tpc, bit for bit.
func TestNoDonorsIsTPC(t *testing.T) {
	t.Parallel()
	alone := donors(t, with(func(*Engine) {}), words[:1])
	all := donors(t, with(func(*Engine) {}), words)
	selected := 0
	for _, likelihood := range []string{"gaussian", "logistic"} {
		for name, c := range map[string]struct {
			stages
			task   string
			change func(*Engine)
		}{
			"one task":           {alone, "arrest", func(*Engine) {}},
			"nothing left":       {stages{names: all.names, left: make([][]byte, len(all.names)), sets: all.sets}, "arrest", func(*Engine) {}},
			"background":         {all, "odd", func(*Engine) {}},
			"too far":            {all, "arrest", func(e *Engine) { e.Clustering.Similarity = 1 }},
			"siblings alone":     {all, "twins", func(e *Engine) { e.Clustering.Share = 0 }},
			"no donor is larger": {all, "sue", func(e *Engine) { e.Donors = largerDonors; e.Setting = 3; e.Clustering.Share = 0 }},
		} {
			e := with(func(e *Engine) { e.Likelihood = likelihood; c.change(e) })
			set := c.sets[c.task]
			if name == "no donor is larger" {
				set = word{"sue", []string{"law", "food"}, 40}.dataset(1)
			}
			got, want := fitted(t, c.on(t, e, c.task), set), fitted(t, onevsrest.Engine{Base: e.tpc()}, set)
			if selected += len(want.Coefs); !reflect.DeepEqual(got.Coefs, want.Coefs) || !reflect.DeepEqual(got.Scores, want.Scores) {
				t.Errorf("%s, %s: coefficients %v, tpc %v", name, likelihood, got.Coefs, want.Coefs)
			}
			if d := got.Fitted.Description; !reflect.DeepEqual(d, want.Fitted.Description) {
				t.Errorf("%s, %s: described by %+v, tpc %+v", name, likelihood, d, want.Fitted.Description)
			}
			switch name {
			case "siblings alone":
				if got.fact("levels in the foreground") != "2 of 4" || got.fact("levels among siblings alone") != "2 of 4" {
					t.Errorf("%s: %v", name, got.Fitted.Facts)
				}
			case "no donor is larger":
				if got.fact("levels in the foreground") == "0 of 2" || got.fact("levels without larger donors") != got.fact("levels in the foreground") {
					t.Errorf("%s: %v", name, got.Fitted.Facts)
				}
			case "background", "too far":
				if got.fact("levels in the foreground") != fmt.Sprintf("0 of %d", len(set.Targets[0].Levels)) {
					t.Errorf("%s: %v", name, got.Fitted.Facts)
				}
			}
		}
	}
	if selected < 40 {
		t.Errorf("only %d coefficients in all models: the test shows nothing", selected)
	}
}

// Senses of one theme learn from each other; what they share is cheaper.
func TestLearns(t *testing.T) {
	t.Parallel()
	e := with(func(e *Engine) { e.Clustering.Share = 0 })
	s := donors(t, e, words)
	got, plain := fitted(t, s.on(t, e, "judge"), s.sets["judge"]), fitted(t, onevsrest.Engine{Base: e.tpc()}, s.sets["judge"])
	for name, want := range map[string]string{
		"levels in the foreground": "2 of 2", "levels among siblings alone": "0 of 2", "l0 against the rest: donors": "2", "l1 against the rest: donors": "1",
	} {
		if got.fact(name) != want {
			t.Errorf("%s: %q, want %q", name, got.fact(name), want)
		}
	}
	cheap := 0
	for _, c := range got.Coefs {
		if c.Bits.Index < 4 { // of 16 and more columns
			cheap++
		}
	}
	if cheap == 0 || reflect.DeepEqual(got.Coefs, plain.Coefs) {
		t.Errorf("%d coefficients, %d of them cheaper for donors that have them; tpc has %v", len(got.Coefs), cheap, plain.Coefs)
	}
}

// What the pool has of the task itself does not matter: rubbish in its place changes no bit, tuned or not.
func TestCanary(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]Engine{
		"given": with(func(e *Engine) { e.Clustering.Share = 0 }),
		"tuned": with(func(e *Engine) { e.Clusters, e.Clustering.Weights = 3, "idf" }),
		"skip":  with(func(e *Engine) { e.Clustering.Share, e.Absent = 0, "skip" }),
	} {
		s := donors(t, e, words)
		at := slices.Index(s.names, "sail")
		want := fitted(t, s.on(t, e, "sail"), s.sets["sail"])
		if strings.HasPrefix(want.fact("levels in the foreground"), "0") {
			t.Fatalf("%s: no level has donors, the test shows nothing: %v", name, want.Fitted.Facts)
		}
		rubbish := handTask("", hand("a", 1000, "tp_law0 tp_law1 w_sea0 w_sail3 zzz", "zzz tp_sea0", "w_food0"), hand("b", 1, "pos_N1", "pos_N1", "")).left
		whole, err := json.Marshal(rubbish)
		if err != nil {
			t.Fatal(err)
		}
		for _, left := range []string{string(whole), "", `{"features":[],"levels":[]}`, string(s.left[slices.Index(s.names, "sue")])} {
			s.left[at] = []byte(left)
			if got := fitted(t, s.on(t, e, "sail"), s.sets["sail"]); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: with %.40q in its place\ngot  %+v\nwant %+v", name, left, got.Fitted.Facts, want.Fitted.Facts)
			}
		}
	}
}

// Artefacts and clusters depend neither on the order of tasks nor on that of keys, and repeat.
func TestArtefacts(t *testing.T) {
	t.Parallel()
	e := with(func(e *Engine) { e.Absent = "skip" })
	s, again := donors(t, e, words), donors(t, e, words)
	if !reflect.DeepEqual(s.left, again.left) {
		t.Error("donors leave something else the second time")
	}
	want := s.pool(t, e)
	slices.Reverse(s.names)
	slices.Reverse(s.left)
	for k := range s.left {
		var any map[string]any // whose keys are written in another order
		if err := json.Unmarshal(s.left[k], &any); err != nil {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(any, "", " ")
		if err != nil || bytes.Equal(text, s.left[k]) {
			t.Fatal("the order of keys is the same", err)
		}
		s.left[k] = text
	}
	if got := s.pool(t, e); !bytes.Equal(got.Artefact, want.Artefact) || !reflect.DeepEqual(got.Clusters, want.Clusters) {
		t.Errorf("got  %s\nwant %s", got.Artefact, want.Artefact)
	}
}

// A fit on all rows clusters as the pool does.
func TestClusters(t *testing.T) {
	t.Parallel()
	e := with(func(e *Engine) { e.Clustering.Share = 0 })
	s := donors(t, e, words)
	clusters := s.pool(t, e).Clusters
	var got []string
	for _, c := range clusters {
		text := fmt.Sprint(c.Background)
		for _, m := range c.Members {
			text += " " + m.Task + "." + m.Output
			if m.Rows == 0 || !c.Background && (m.Nearest < 0.3 || m.Features == 0) {
				t.Errorf("%+v", m)
			}
		}
		got = append(got, text)
	}
	want := []string{
		"false arrest.l0 judge.l0 sue.l0", "false cook.l0 sail.l1 sue.l1", "false judge.l1 sail.l0", "false twins.l0 twins.l1",
		"true arrest.l1 cook.l1 odd.l0 odd.l1 sail.l2 twins.l2 twins.l3",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	shared := clusters[0].Shared
	if len(shared) == 0 || shared[0].Members != 3 || !strings.Contains(shared[0].Name, "law") || clusters[len(clusters)-1].Shared != nil {
		t.Errorf("shared: %v", shared)
	}
	known, err := e.Learn(s.pool(t, e).Artefact)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clusters {
		for _, m := range c.Members {
			m2, err := onTask(t, known, e, m.Task).Fit(context.Background(), run(s.sets[m.Task], nil))
			if err != nil {
				t.Fatal(err)
			}
			peers := 0
			for _, other := range c.Members {
				if !c.Background && other.Task != m.Task {
					peers++
				}
			}
			r := result{Fitted: m2.(engines.Reporter).Fitted()}
			if got := r.fact(m.Output + " against the rest: donors"); got != fmt.Sprint(peers) {
				t.Errorf("%s.%s: %s donors, its cluster has %d others", m.Task, m.Output, got, peers)
			}
		}
	}
}

// Clusters by hand: without a background, where no level is in it; and one, where one is aimed at.
func TestFewClusters(t *testing.T) {
	t.Parallel()
	known, err := newPool(pooled{Tasks: []pooledTask{
		handTask("a", hand("x", 30, "w_1 w_2 w_3 w_9", "", ""), hand("y", 30, "w_5 w_6 w_7 w_9", "", "")),
		handTask("b", hand("x", 30, "w_1 w_2 w_4 w_9", "", ""), hand("y", 30, "w_5 w_6 w_8 w_9", "", "")),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for clusters, want := range map[int]string{
		0: "[false a.x b.x] [false a.y b.y]",
		1: "[false a.x a.y b.x b.y]",
	} {
		var got []string
		for _, c := range with(func(e *Engine) { e.Clustering.Share, e.Clustering.Similarity, e.Clusters = 0, 0.6, clusters }).pooling().clusters(known) {
			text := fmt.Sprint("[", c.Background)
			for _, m := range c.Members {
				text += " " + m.Task + "." + m.Output
			}
			got = append(got, text+"]")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d wished: %v, want %s", clusters, got, want)
		}
	}
}

// A tuned similarity aims at a number of clusters, of the other tasks.
func TestTuned(t *testing.T) {
	t.Parallel()
	for wished, want := range map[int]string{3: "3 clusters", 4: "4 clusters"} {
		e := with(func(e *Engine) { e.Clusters, e.Clustering.Share = wished, 0 })
		s := donors(t, e, words)
		if n := len(s.pool(t, e).Clusters) - 1; n < wished {
			t.Errorf("%d clusters wished: %d in the pool", wished, n)
		}
		if got := fitted(t, s.on(t, e, "odd"), s.sets["odd"]).fact("similarity"); !strings.Contains(got, want) {
			t.Errorf("%d clusters wished: %s", wished, got)
		}
	}
}

// Fits of all tasks and folds share one pool.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	e := with(func(e *Engine) { e.Clusters, e.Absent = 3, "skip" })
	s := donors(t, e, words)
	known, err := e.Learn(s.pool(t, e).Artefact)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]result, 3*len(words))
	var wait sync.WaitGroup
	for k := range got {
		wait.Go(func() {
			name := words[k%len(words)].name
			own, err := known.On(e, name)
			if err != nil {
				t.Error(err)
				return
			}
			m, err := own.Fit(context.Background(), run(s.sets[name], nil))
			if err != nil {
				t.Error(err)
				return
			}
			got[k] = result{Coefs: m.Coefs(), Fitted: m.(engines.Reporter).Fitted()}
		})
	}
	wait.Wait()
	for k := range got {
		if !reflect.DeepEqual(got[k], got[k%len(words)]) {
			t.Errorf("%s: one fit differs from another", words[k%len(words)].name)
		}
	}
}

// Points of a grid share donors, and pools where these do the same.
func TestStagesAreShared(t *testing.T) {
	t.Parallel()
	plain := with(func(*Engine) {})
	same := func(a, b any) bool {
		x, err := json.Marshal(a)
		y, err2 := json.Marshal(b)
		return err == nil && err2 == nil && bytes.Equal(x, y)
	}
	for name, c := range map[string]struct {
		change      func(*Engine)
		donor, pool bool // the same as with the defaults
	}{
		"setting 2":     {func(e *Engine) { e.Setting = 2 }, true, true},
		"setting 3":     {func(e *Engine) { e.Setting = 3 }, true, false},
		"variant":       {func(e *Engine) { e.Variant = "jmlr" }, true, true},
		"semantic":      {func(e *Engine) { e.Semantic = []string{"w"} }, true, true},
		"a, b, c0, d0":  {func(e *Engine) { e.A, e.B, e.C0, e.D0 = 2, 3, 4, 5 }, true, true},
		"donors, count": {func(e *Engine) { e.Donors, e.Count = largerDonors, countAny }, true, true},
		"similarity":    {func(e *Engine) { e.Clustering.Similarity = 0.5 }, true, false},
		"clusters":      {func(e *Engine) { e.Clusters = 5 }, true, false},
		"skip":          {func(e *Engine) { e.Absent = "skip" }, false, true},
		"alpha":         {func(e *Engine) { e.Alpha = 0.1 }, false, true},
		"search":        {func(e *Engine) { e.Search = "mixed" }, false, true},
	} {
		e := with(c.change)
		if got := registry.Resolved(e.Donor()) == registry.Resolved(plain.Donor()); got != c.donor {
			t.Errorf("%s: donors are the same: %v", name, got)
		}
		if got := same(e.Pooling(), plain.Pooling()); got != c.pool {
			t.Errorf("%s: pools are the same: %v", name, got)
		}
	}
	tuned := with(func(e *Engine) { e.Clusters = 5 })
	for _, clusters := range []int{1, 5} {
		a := with(func(e *Engine) { e.Clusters = clusters })
		if b := with(func(e *Engine) { e.Clusters, e.Clustering.Similarity = clusters, 0.7 }); !same(a.Pooling(), b.Pooling()) {
			t.Errorf("%d clusters: a similarity that is tuned makes other pools", clusters)
		}
	}
	if s := registry.Resolved(plain.Donor()); !strings.Contains(s, `"code":"tpc"`) || !strings.Contains(s, `"simes.alpha":0.05`) {
		t.Errorf("donors have the parameters %s", s)
	}
	if s := registry.Canonical(tuned, with(func(e *Engine) { e.Code = "ric2" })); s != `{"code":"transfer-tpc","transfer.clusters":5}` {
		t.Errorf("the engine has the parameters %s", s)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Engine){
		"code: tpc":                func(e *Engine) { e.Code = "tpc" },
		"search: alpha-investing":  func(e *Engine) { e.Search = "alpha-investing" },
		"ridge: 0":                 func(e *Engine) { e.Ridge = 0 },
		"setting: 5":               func(e *Engine) { e.Setting = 5 },
		"similarity: 2":            func(e *Engine) { e.Clustering.Similarity = 2 },
		"clusters: -1":             func(e *Engine) { e.Clusters = -1 },
		`donors: "big"`:            func(e *Engine) { e.Donors = "big" },
		`count: "negative"`:        func(e *Engine) { e.Count = "negative" },
		`test: "t"`:                func(e *Engine) { e.Test = "t" },
		"alpha: 1, expected a num": func(e *Engine) { e.Alpha = 1 },
	} {
		if err := with(change).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	e := with(func(*Engine) {})
	if err := e.Validate(); err != nil {
		t.Error(err)
	}
	set := words[0].dataset(0)
	refused := func(want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	_, err := e.Fit(context.Background(), run(set, nil))
	refused("needs a data set with family: folder", err)
	known, err := newPool(pooled{Tasks: []pooledTask{handTask("a", hand("l", 3, "x", "", "")), handTask("b")}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = known.On(e, "c")
	refused(`task "c" is none of the 2 tasks`, err)
	_, err = known.On(with(func(e *Engine) { e.Absent = "skip" }), "b")
	refused("did not leave them", err)
	for want, text := range map[string]string{
		"cannot be read":    `{`,
		"is there twice":    `{"tasks":[{"name":"a"},{"name":"a"}]}`,
		"outside 0..0":      `{"tasks":[{"name":"a","features":[{"name":"f","class":"c"}],"levels":[{"name":"l","simes":[1]}]}]}`,
		"task a: level l h": `{"tasks":[{"name":"a","features":[],"levels":[{"name":"l","for":[-1]}]}]}`,
	} {
		_, err := e.Learn([]byte(text))
		refused(want, err)
	}
	_, err = e.Pooling().Pool(context.Background(), []string{"a"}, [][]byte{[]byte("[")})
	refused("task a: what its donor left", err)
	set.Weight = slices.Repeat([]float64{2}, set.Rows())
	_, err = e.Donor().Fit(context.Background(), run(set, nil))
	refused("weights", err)
	if n := e.Needs(); !n.FeatureClasses || n.Levels != 0 || n.Tasks {
		t.Errorf("needs %+v", n)
	}
}

// hand is a level by hand: rows that have it, and lists of features.
func hand(name string, rows int, simes, with, against string) handLevel {
	return handLevel{name, rows, [3][]string{strings.Fields(simes), strings.Fields(with), strings.Fields(against)}}
}

type handLevel struct {
	name  string
	rows  int
	lists [3][]string
}

// handTask is what a donor with such levels leaves. Classes are the part of names before the underscore, or the first letter.
func handTask(name string, own ...handLevel) pooledTask {
	out := pooledTask{Name: name}
	for _, l := range own {
		for _, list := range l.lists {
			for _, f := range list {
				class, _, ok := strings.Cut(f, "_")
				if !ok {
					class = f[:1]
				}
				out.Features = append(out.Features, codes.Feature{Name: f, Class: class})
			}
		}
	}
	slices.SortFunc(out.Features, byName)
	out.Features = slices.Compact(out.Features)
	for _, l := range own {
		numbers := func(list []string) (out2 []int32) {
			for _, f := range list {
				at, _ := slices.BinarySearchFunc(out.Features, codes.Feature{Name: f}, byName)
				out2 = append(out2, int32(at))
			}
			slices.Sort(out2)
			return out2
		}
		out.Levels = append(out.Levels, level{l.name, l.rows, 10 * l.rows, numbers(l.lists[0]), numbers(l.lists[1]), numbers(l.lists[2])})
	}
	return out
}
