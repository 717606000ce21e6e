package prepare_test

import (
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
)

// shop has a categorical column of three levels, the last of which only the last row has, missing in two rows, and two numbers.
func shop() *data.Dataset {
	d := enginetest.Dataset(enginetest.Matrix(
		[]float64{1, 0, 0, 0, 3, 1},
		[]float64{0, 1, 0, 0, 4, 1},
		[]float64{0, 0, 0, nan, 5, 1},
		[]float64{0, 0, 0, nan, nan, 1},
		[]float64{0, 0, 1, 0, 6, 1},
	), data.Target{Name: "y", Type: data.Real, Values: []float64{1, 2, 3, 4, 5}})
	d.Features = data.NewFeatures([]string{"plan=basic", "plan=pro", "plan=family", "plan=(missing)", "fee", "fees"})
	d.Factor = []int32{0, 0, 0, 0, -1, -1}
	return d
}

func names(p *data.Prepared) string {
	v := p.View(nil)
	var out []string
	for j := range p.Columns() {
		out = append(out, v.Features().Name(j))
	}
	return strings.Join(out, " ")
}

func TestDrop(t *testing.T) {
	for _, c := range []struct{ drop, want string }{
		{"", "plan=basic plan=pro plan=(missing) fee fees"},
		{"plan", "fee fees"},
		{"plan=pro\nfee", "plan=basic plan=(missing) fees"},
		{"fee*", "plan=basic plan=pro plan=(missing)"},
		{"pl*", "fee fees"},
	} {
		r := prepare.Recipe{Drop: c.drop, Missing: "median"}
		if err := r.Check(shop()); err != nil {
			t.Errorf("%q: %v", c.drop, err)
		}
		p, err := r.Fit(shop(), []int32{0, 1, 2, 3})
		if err != nil {
			t.Fatalf("%q: %v", c.drop, err)
		}
		if got := names(p); got != c.want {
			t.Errorf("%q: %s are left, want %s", c.drop, got, c.want)
		}
	}
	for drop, want := range map[string]string{
		"feee":         `no column "feee"; did you mean "fee"?`,
		"plam":         `no column "plam"; did you mean "plan"?`,
		"fee\nfamily*": `no column "family*"`,
		"plan\nfee*":   "no columns are left",
		"fees\nplan":   "row 3 (from 0), column fee: the value is missing",
	} {
		if err := (prepare.Recipe{Drop: drop}).Check(shop()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", drop, err, want)
		}
	}
}

// TestMissingWords: a missing word is a level of its own, or the commonest of the training rows, and a sign of no other level. A model
// that was fitted to the training rows does the same.
func TestMissingWords(t *testing.T) {
	for _, c := range []struct {
		name   string
		recipe prepare.Recipe
		train  []int32
		want   string // columns, then by row those of the plan that are 1
		facts  string
	}{
		{"a level of its own", prepare.Recipe{Missing: "mean"}, []int32{0, 1, 2, 3}, "plan=basic plan=pro plan=(missing) fee fees; basic pro (missing) (missing) -", "numbers (mean) 1, words (level) 2"},
		{"a level of its own, which most have", prepare.Recipe{Missing: "mean", Cutoff: 2}, []int32{0, 1, 2, 3}, "plan=(missing) fee fees; - - (missing) (missing) -", "numbers (mean) 1, words (level) 2"},
		{"rare as others", prepare.Recipe{Missing: "mean", Cutoff: 2}, []int32{0, 1, 2}, "fee fees; - - - - -", "numbers (mean) 1"},
		{"in test rows alone", prepare.Recipe{Missing: "mean"}, []int32{0, 1, 4}, "plan=basic plan=pro plan=family fee fees; basic pro basic basic family", "numbers (mean) 1, words (level) 2"},
		{"in all training rows", prepare.Recipe{Missing: "mean"}, []int32{2, 3}, "fee fees; - - - - -", "numbers (mean) 1"},
		{"in all training rows, of which none is the commonest", prepare.Recipe{Missing: "mean", Words: prepare.Commonest}, []int32{2, 3}, "fee fees; - - - - -", "numbers (mean) 1"},
		{"the commonest, of several the first", prepare.Recipe{Missing: "mean", Words: prepare.Commonest}, []int32{1, 2, 3, 4}, "plan=pro plan=family fee fees; - pro pro pro family", "numbers (mean) 1, words (commonest) 2"},
		{"the commonest, and no new level", prepare.Recipe{Missing: "mean", Words: prepare.Commonest, Unseen: "error"}, []int32{0, 1, 3, 4}, "plan=basic plan=pro plan=family fee fees; basic pro basic basic family", "numbers (mean) 1, words (commonest) 2"},
		{"in all training rows, and they stay missing", prepare.Recipe{Missing: prepare.Keep}, []int32{2, 3}, "fee fees; - - - - -", "numbers that stay missing 1"},
		{"all levels are missing", prepare.Recipe{Missing: prepare.Keep}, []int32{0, 1, 2, 3}, "plan=basic plan=pro fee fees; basic pro basic+pro basic+pro -", "numbers that stay missing 1"},
		{"numbers are filled in, and all levels are missing", prepare.Recipe{Missing: "mean", Words: prepare.Keep}, []int32{0, 1, 4}, "plan=basic plan=pro plan=family fee fees; basic pro basic+pro+family basic+pro+family family", "numbers (mean) 1"},
		{"not with the column", prepare.Recipe{Missing: "mean", Drop: "plan"}, []int32{0, 1, 2}, "fee fees; - - - - -", "numbers (mean) 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := shop()
			p, err := c.recipe.Fit(d, c.train)
			if err != nil {
				t.Fatal(err)
			}
			if got := names(p) + ";" + plans(p.View(nil)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			var facts []string
			for _, f := range p.Facts {
				if rest, ok := strings.CutPrefix(f.Name, "missing "); ok {
					facts = append(facts, strings.Replace(rest, "filled in ", "", 1)+" "+f.Value)
				}
			}
			if got := strings.Join(facts, ", "); got != c.facts {
				t.Errorf("facts %s, want %s", got, c.facts)
			}
			_, l, err := c.recipe.Learn(d.Select(c.train))
			if err != nil {
				t.Fatal(err)
			}
			l.Unseen = ""
			q, _, err := encoded(t, l).Apply(d)
			if err != nil {
				t.Fatal(err)
			}
			if got := names(q) + ";" + plans(q.View(nil)); got != c.want {
				t.Errorf("the model: got %s, want %s", got, c.want)
			}
		})
	}
	said := shop() // the last row says that the plan is missing
	said.X = enginetest.Matrix([]float64{1, 0, 0, 0, 3, 1}, []float64{1, 0, 0, 0, 4, 1}, []float64{0, 0, 0, nan, 5, 1}, []float64{0, 1, 0, 0, 5, 1}, []float64{0, 0, 0, 1, 6, 1})
	for words, want := range map[string]string{"": " basic basic (missing)", prepare.Commonest: " basic basic basic"} {
		p, err := prepare.Recipe{Missing: "mean", Words: words}.Fit(said, []int32{0, 1, 4})
		if err != nil || !strings.HasPrefix(plans(p.View(nil)), want) {
			t.Errorf("%q: %v, %v", words, plans(p.View(nil)), err)
		}
	}
	if _, err := (prepare.Recipe{Missing: "mean", Unseen: "error"}).Fit(shop(), []int32{0, 1, 2}); err == nil || !strings.Contains(err.Error(), `"plan=family"`) {
		t.Errorf("a level of the last row alone: %v", err)
	}
	for _, c := range []struct {
		recipe prepare.Recipe
		want   string
	}{
		{prepare.Recipe{}, "row 2 (from 0), column plan: the value is missing, as are 2 others"},
		{prepare.Recipe{Missing: "mean", Words: "error"}, "row 2 (from 0), column plan: the value is missing, as is 1 other"},
		{prepare.Recipe{Words: prepare.Level}, "row 3 (from 0), column fee: the value is missing;"},
	} {
		if err := c.recipe.Check(shop()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.recipe, err, c.want)
		}
	}
	for _, r := range []prepare.Recipe{{}, {Words: prepare.Level}, {Missing: "mean", Words: "error"}} { // of rows that lack nothing
		_, l, err := r.Learn(shop().Select([]int32{0, 1, 4}))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := encoded(t, l).Apply(shop()); err == nil || !strings.Contains(err.Error(), "the value is missing, and the model was fitted to rows without") {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// plans returns, by row, the levels of plan that are 1.
func plans(v *data.View) (all string) {
	columns, rows := enginetest.Table(v)
	for _, row := range rows {
		has := "-"
		for j, name := range columns {
			if level, ok := strings.CutPrefix(name, "plan="); ok && row[j] != 0 {
				has = strings.TrimPrefix(has+"+"+level, "-+")
			}
		}
		all += " " + has
	}
	return all
}
