package transfer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/mdl"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// with is the engine with its defaults changed.
func with(change func(*Engine)) Engine {
	e := Engine{MDL: mdl.Kind.Defaults().(mdl.MDL), Options: Kind.Defaults().(Options)}
	e.Code = codes.TransferTPC
	change(&e)
	return e
}

// word is a task: the themes of its senses, and how many rows each has.
type word struct {
	name   string
	themes []string
	rows   int
}

// dataset of a word. Rows of a sense have features of its theme, of the classes tp and w, more often than others, and each word
// has features of its own.
func (w word) dataset(seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 3))
	var names []string
	add := func(format string, args ...any) { names = append(names, fmt.Sprintf(format, args...)) }
	for _, theme := range []string{"law", "food", "sea", "war"} {
		for k := range 4 {
			add("tp_%s%d", theme, k)
			add("w_%s%d", theme, k)
		}
	}
	for k := range 60 {
		add("w_%s%d", w.name, k)
		add("pos_N%d", k)
	}
	var b []([]float64)
	var y []float64
	for s, theme := range w.themes {
		for range w.rows {
			row := make([]float64, len(names))
			for j, name := range names {
				p := 0.06
				if strings.Contains(name, "_"+theme) {
					p = 0.55
				}
				if rng.Float64() < p {
					row[j] = 1
				}
			}
			b, y = append(b, row), append(y, float64(s))
		}
	}
	set := enginetest.Dataset(enginetest.Matrix(b...), enginetest.Class(w.name, len(w.themes), y...))
	set.Features = classed(names)
	return set
}

// classed names the columns, and divides them by the part before the underscore.
func classed(names []string) *data.Features {
	var classes []string
	of := make([]int32, len(names))
	for j, name := range names {
		class, _, _ := strings.Cut(name, "_")
		if !slices.Contains(classes, class) {
			classes = append(classes, class)
		}
		of[j] = int32(slices.Index(classes, class))
	}
	return data.NewFeatures(names).WithClasses(of, classes)
}

// words are a small family. Two senses of "twins" are like each other alone; "odd" is like nothing.
var words = []word{
	{"arrest", []string{"law", "none1"}, 20}, {"sue", []string{"law", "food"}, 24}, {"judge", []string{"law", "sea"}, 16},
	{"cook", []string{"food", "none2"}, 20}, {"sail", []string{"sea", "food", "none3"}, 20}, {"odd", []string{"none4", "none5"}, 20},
	{"twins", []string{"war", "war", "none6", "none7"}, 40},
}

// stages of a family, up to the pool.
type stages struct {
	names []string
	sets  map[string]*data.Dataset
	left  [][]byte
}

func run(set *data.Dataset, rows []int32) engines.Run {
	return engines.Run{Train: enginetest.View(set, rows), Rand: rand.New(rand.NewPCG(7, 8)), Workers: 1}
}

func donors(t testing.TB, e Engine, all []word) stages {
	t.Helper()
	s := stages{sets: map[string]*data.Dataset{}}
	for k, w := range all {
		set := w.dataset(uint64(k))
		m, err := e.Donor().Fit(context.Background(), run(set, nil))
		if err != nil {
			t.Fatal(err)
		}
		text, err := m.(engines.Leaver).Artefact()
		if err != nil {
			t.Fatal(err)
		}
		s.names, s.left, s.sets[w.name] = append(s.names, w.name), append(s.left, text), set
	}
	return s
}

func (s stages) pool(t testing.TB, e Engine) engines.Pooled {
	t.Helper()
	p, err := e.Pooling().Pool(context.Background(), s.names, s.left)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// on is the engine for a task.
func (s stages) on(t testing.TB, e Engine, task string) Engine {
	t.Helper()
	known, err := e.Learn(s.pool(t, e).Artefact)
	if err != nil {
		t.Fatal(err)
	}
	return onTask(t, known, e, task)
}

func onTask(t testing.TB, known engines.Learned, e Engine, task string) Engine {
	t.Helper()
	own, err := known.On(e, task)
	if err != nil {
		t.Fatal(err)
	}
	return own.(Engine)
}

// result is what a fit shows.
type result struct {
	Coefs  []engines.Coef
	Scores []float64
	Fitted engines.Fitted
}

// fitted to all rows but every fifth, and what it predicts for all.
func fitted(t testing.TB, e engines.Engine, set *data.Dataset) result {
	t.Helper()
	var rows []int32
	for i := range set.Rows() {
		if i%5 != 2 {
			rows = append(rows, int32(i))
		}
	}
	m, err := e.Fit(context.Background(), run(set, rows))
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, set.Rows()*m.Outputs())
	m.Predict(scores, enginetest.View(set, nil).Inputs())
	return result{m.Coefs(), scores, m.(engines.Reporter).Fitted()}
}

// fact of a fit.
func (r result) fact(name string) string {
	for _, f := range r.Fitted.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
