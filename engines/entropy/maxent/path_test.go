package maxent

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/model/softmax"
)

// followed is a fit that hands out models on its way.
type followed struct {
	final *softmax.Model
	sizes []int
	kept  []*softmax.Model
}

func follow(t *testing.T, e engines.Engine, set *data.Dataset, at ...int) followed {
	t.Helper()
	var f followed
	last := -1 // step traced
	m, err := e.Fit(context.Background(), engines.Run{
		Train: enginetest.View(set, nil), Workers: 2, At: at,
		Trace: func(s engines.Step) { last = s.Iter },
		Keep: func(size int, m engines.Model) {
			if _, fixed := e.(Count); !fixed && last != size {
				t.Errorf("the model of %d features comes after step %d", size, last)
			}
			f.sizes, f.kept = append(f.sizes, size), append(f.kept, m.(*softmax.Model))
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	f.final = m.(*softmax.Model)
	return f
}

// apart tells where the weights of two models differ by more than rounding, "" where they do not.
func apart(a, b *softmax.Model) string {
	x, y := a.Coefs(), b.Coefs()
	if len(x) != len(y) {
		return fmt.Sprintf("%d weights, %d", len(x), len(y))
	}
	for k := range x {
		if x[k].Feature != y[k].Feature || x[k].Output != y[k].Output || x[k].Rank != y[k].Rank ||
			!(math.Abs(x[k].Value-y[k].Value) <= 1e-9) || !(math.Abs(x[k].Score-y[k].Score) <= 1e-9) {
			return fmt.Sprintf("%+v, %+v", x[k], y[k])
		}
	}
	for c := range a.Outputs() {
		if !(math.Abs(a.Bias(c)-b.Bias(c)) <= 1e-9) {
			return fmt.Sprintf("bias %d: %v, %v", c, a.Bias(c), b.Bias(c))
		}
	}
	return ""
}

// same is apart, and what the fits tell has to agree too.
func same(a, b *softmax.Model) string {
	f, g := a.Fitted(), b.Fitted()
	if f.Evaluated != g.Evaluated || f.Iterations != g.Iterations || f.Stop != g.Stop || fmt.Sprint(f.Notes) != fmt.Sprint(g.Notes) {
		return fmt.Sprintf("%+v, %+v", f, g)
	}
	return apart(a, b)
}

// A model of some size is the one of a separate fit, whatever is handed out before it.
func TestPathIsSeparateFits(t *testing.T) {
	set := problem(9, 120, 14, 4)
	at := []int{1, 4, 6, 11}
	for _, refit := range []bool{false, true} {
		for _, every := range []int{0, 2, 3} {
			selection := func(n int) Selection {
				return few(func(e *Selection) { e.Features, e.FinalRefit, e.RefitEvery, e.PriorVariance = n, refit, every, 2 })
			}
			for name, engine := range map[string]func(n int) engines.Engine{
				"ifs":       func(n int) engines.Engine { return IFS{selection(n)} },
				"sgc":       func(n int) engines.Engine { return SGC{Selection: selection(n)} },
				"exact":     func(n int) engines.Engine { return SGC{Selection: selection(n), Exact: true} },
				"lookahead": func(n int) engines.Engine { return SGC{Selection: selection(n), Lookahead: 3} },
				"count":     func(n int) engines.Engine { return Count{n, Candidates{1, true}, estimation} },
			} {
				f := follow(t, engine(11), set, at...)
				if !slices.Equal(f.sizes, at) || f.final != f.kept[len(at)-1] {
					t.Fatalf("%s: models of %v, the last of them the fit's: %v", name, f.sizes, f.final == f.kept[len(f.kept)-1])
				}
				for k, n := range at {
					alone, _ := fit(t, engine(n), set)
					if d := same(f.kept[k], alone); d != "" {
						t.Errorf("%s, refit %v, every %d, %d features: %s", name, refit, every, n, d)
					}
				}
			}
		}
	}
}

// The points of ifs and of exact sgc agree, with fewer gains computed.
func TestPathOfExactIsIFS(t *testing.T) {
	for seed := range uint64(6) {
		set := problem(seed, 150, 20, 5)
		e := few(func(e *Selection) { e.Features, e.FinalRefit, e.RefitTol = 24, seed%2 == 0, 1e-11 })
		a, b := follow(t, IFS{e}, set, 3, 12, 24), follow(t, SGC{Selection: e, Exact: true}, set, 3, 12, 24)
		for k := range a.kept {
			if d := apart(a.kept[k], b.kept[k]); d != "" {
				t.Errorf("seed %d, %d features: %s", seed, a.sizes[k], d)
			}
			if x, y := a.kept[k].Fitted().Evaluated, b.kept[k].Fitted().Evaluated; y >= x {
				t.Errorf("seed %d, %d features: %d gains of ifs, %d of exact sgc", seed, a.sizes[k], x, y)
			}
		}
	}
}

// A selection that ends early hands out what it reached; its end is the fit's model.
func TestPathEndsEarly(t *testing.T) {
	set := problem(3, 60, 6, 3)
	most := func(e *Selection) { e.Features = 1000 }
	for name, engine := range map[string]engines.Engine{
		"exhausted":         SGC{Selection: few(most)},
		"min_gain":          IFS{few(func(e *Selection) { e.Features, e.MinGain = 1000, 2 })},
		"there are no more": Count{1000, Candidates{1, true}, estimation},
	} {
		f := follow(t, engine, set, 1, 2, 500, 1000)
		if !slices.Equal(f.sizes, []int{1, 2}) {
			t.Errorf("%s: models of %v", name, f.sizes)
		}
		alone, _ := fit(t, engine, set)
		if fmt.Sprint(alone.Coefs()) != fmt.Sprint(f.final.Coefs()) {
			t.Errorf("%s: the fit's model depends on the path", name)
		}
	}
}

// A path that ends where the selection happens to run dry has all its models, and says nothing.
func TestPathReachesTheEnd(t *testing.T) {
	set := problem(3, 60, 6, 3)
	e := few(func(e *Selection) { e.Features = 1000 })
	all, _ := fit(t, SGC{Selection: e}, set)
	n := all.Fitted().Iterations
	f := follow(t, SGC{Selection: e}, set, 2, n)
	if !slices.Equal(f.sizes, []int{2, n}) || strings.Contains(strings.Join(f.final.Fitted().Notes, "\n"), "path") {
		t.Errorf("models of %v of %d, notes %q", f.sizes, n, f.final.Fitted().Notes)
	}
	if d := same(f.final, all); d != "" {
		t.Error(d)
	}
}
