package prepare_test

import (
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
)

// shop has a categorical column of three levels, the last of which only the last row has, and two numbers.
func shop() *data.Dataset {
	d := enginetest.Dataset(enginetest.Matrix(
		[]float64{1, 0, 0, 3, 1},
		[]float64{0, 1, 0, 4, 1},
		[]float64{nan, nan, nan, 5, 1},
		[]float64{nan, nan, nan, nan, 1},
		[]float64{0, 0, 1, 6, 1},
	), data.Target{Name: "y", Type: data.Real, Values: []float64{1, 2, 3, 4, 5}})
	d.Features = data.NewFeatures([]string{"plan=basic", "plan=pro", "plan=family", "fee", "fees"})
	d.Factor = []int32{0, 0, 0, -1, -1}
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
		{"", "plan=basic plan=pro fee fees"},
		{"plan", "fee fees"},
		{"plan=pro\nfee", "plan=basic fees"},
		{"fee*", "plan=basic plan=pro"},
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

// TestLevelsOfGaps: a row whose category is missing is no sign of a level, least of all of one that only test rows have.
func TestLevelsOfGaps(t *testing.T) {
	for _, cutoff := range []int{0, 1, 2} {
		p, err := prepare.Recipe{Missing: "mean", Cutoff: cutoff}.Fit(shop(), []int32{0, 1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		want := "plan=basic plan=pro fee fees"
		if cutoff == 2 {
			want = "fee fees"
		}
		if got := names(p); got != want {
			t.Errorf("cutoff %d: %s, want %s", cutoff, got, want)
		}
	}
	if _, err := (prepare.Recipe{Missing: "mean", Unseen: "error"}).Fit(shop(), []int32{0, 1, 2}); err == nil || !strings.Contains(err.Error(), `"plan=family"`) {
		t.Errorf("a level of the last row alone: %v", err)
	}
	want := "row 2 (from 0), column plan: the value is missing, as are 2 others"
	if err := (prepare.Recipe{}).Check(shop()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}
