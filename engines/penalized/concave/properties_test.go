package concave

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/convex"
)

// fitAt is a fit at a share of the largest penalty, and its coefficients by column.
func fitAt(t *testing.T, e engines.Engine, view *data.View) (engines.Model, []float64) {
	t.Helper()
	m, err := e.Fit(t.Context(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	b := make([]float64, view.Columns())
	for _, c := range m.Coefs() {
		b[c.Feature] = c.Value
	}
	return m, b
}

// On an orthogonal design each coefficient is the closed form of its own: that of the penalty, taken from the papers.
func TestOrthogonalDesign(t *testing.T) {
	x := [][]float64{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}
	y := []float64{6.1, 2.5, -1.3, -7.3} // of slopes 4.3, 2.4 and −0.6
	z := []float64{4.3, 2.4, -0.6}
	view := sketch{x: x, y: y}.view()
	for _, c := range []struct {
		e    Concave
		want func(z, l float64) float64
	}{
		{mcp(3), func(z, l float64) float64 {
			if z <= 3*l {
				return max(0, z-l) * 3 / 2
			}
			return z
		}},
		{scad(3.7), func(z, l float64) float64 {
			switch {
			case z <= 2*l:
				return max(0, z-l)
			case z <= 3.7*l:
				return (2.7*z - 3.7*l) / 1.7
			}
			return z
		}},
	} {
		for _, l := range []float64{4.2, 3, 2.3, 1.3, 1, 0.7, 0.5, 0.1} {
			c.e.Lambda, c.e.Tol = 4*l, 1e-11
			_, b := fitAt(t, c.e, view)
			for j := range z {
				want := math.Copysign(c.want(math.Abs(z[j]), l), z[j])
				oracle.Near(t, "coef", b[j], want, 1e-9)
			}
		}
	}
}

// Every point of a path is stationary, by the derivatives of the objective computed from the model alone; and the objective told is
// that of the model.
func TestStationary(t *testing.T) {
	for seed := range uint64(8) {
		s := draw(seed+100, 60, 30, seed%2 == 1, seed%3 == 0)
		z, _, sd, n := s.standardized()
		e := mcp(3)
		e.Tol = 1e-9
		v := 1.0
		if s.logistic {
			v = 0.25
		}
		run := engines.Run{Train: s.view(), Workers: 2}
		lambdaMax := lambdaMaxOf(t, e, run)
		usual, _ := e.PathValues(run)
		err := e.FitPath(t.Context(), run, ratios(usual.Values), func(k int, m engines.Model) {
			told := m.(engines.Reporter).Fitted()
			if told.Stop != convex.Stationary {
				return
			}
			bias, b := engines.Biases(m), make([]float64, len(sd))
			for _, c := range m.Coefs() {
				b[c.Feature] = c.Value
			}
			lambda := usual.Values[k] * lambdaMax
			gradient := make([]float64, len(b))
			for i, row := range s.x {
				fit := bias[len(bias)-1]
				for j, x := range row {
					fit += b[j] * x
				}
				if s.logistic {
					fit = 1 / (1 + math.Exp(-fit))
				}
				for j := range gradient {
					gradient[j] += s.weight(i) * z[i][j] * (s.y[i] - fit)
				}
			}
			for j, g := range gradient {
				on := b[j] * sd[j]
				slope := max(0, lambda-n*v*math.Abs(on)/e.Gamma)
				if on == 0 && !(math.Abs(g) <= lambda*(1+1e-8)) || on != 0 && !(math.Abs(g-math.Copysign(slope, on)) <= 1e-8*lambda) {
					t.Errorf("seed %d, penalty %d, column %d: coefficient %v, gradient %v, λ %v", seed, k, j, on, g, lambda)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Units of columns change predictions as little as rounding does; where zeros are stored or not, nothing at all.
func TestUnitsAndZeros(t *testing.T) {
	for _, logistic := range []bool{false, true} {
		s := draw(3, 60, 9, logistic, false)
		e := scad(3.7)
		e.Ratio, e.Tol = 0.3, 1e-11
		m, b := fitAt(t, e, s.view())
		scaled := sketch{y: s.y, logistic: logistic}
		for _, row := range s.x {
			other := slices.Clone(row)
			for j := range other {
				other[j] *= math.Pow(10, float64(j%4-1))
			}
			scaled.x = append(scaled.x, other)
		}
		_, c := fitAt(t, e, scaled.view())
		for j := range c {
			c[j] *= math.Pow(10, float64(j%4-1))
		}
		oracle.NearAll(t, "coef in other units", c, b, 1e-8)

		rows, columns := len(s.x), len(s.x[0])
		ptr, idx, val := []int{0}, []int32(nil), []float64(nil)
		for _, row := range s.x {
			for j, v := range row {
				idx, val = append(idx, int32(j)), append(val, v)
			}
			ptr = append(ptr, len(idx))
		}
		d := enginetest.Dataset(sparse.New(columns, ptr, idx, val), enginetest.Real("y", s.y...))
		if logistic {
			d = enginetest.Dataset(d.X, enginetest.Class("y", 2, s.y...))
		}
		full, dense := fitAt(t, e, enginetest.View(d, nil))
		oracle.NearAll(t, "coef of stored zeros", dense, b, 1e-9)
		if rows*columns == s.view().Matrix().NNZ() || len(full.Coefs()) == 0 || len(full.Coefs()) != len(m.Coefs()) {
			t.Errorf("%d entries of %d × %d, %d coefficients and %d", s.view().Matrix().NNZ(), rows, columns, len(full.Coefs()), len(m.Coefs()))
		}
	}
}

// A fit is the model of its penalty on the path, whoever asked for the others; and sizes are those of the features.
func TestFitIsOnThePath(t *testing.T) {
	s := draw(8, 60, 12, false, false)
	e := mcp(3)
	e.Tol = 1e-11
	run := engines.Run{Train: s.view(), Workers: 1}
	usual, err := e.PathValues(run)
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []int{0, 20} { // as tuning goes on from where it was
		err = e.FitPath(t.Context(), run, ratios(usual.Values[first:]), func(k int, m engines.Model) {
			alone, _ := fitAt(t, e.AtValue(usual.Values[first+k]), s.view())
			if len(alone.Coefs()) != len(m.Coefs()) {
				t.Errorf("value %d: %d coefficients alone, %d on the path", first+k, len(alone.Coefs()), len(m.Coefs()))
				return
			}
			for q, c := range m.Coefs() {
				oracle.Near(t, "coef", alone.Coefs()[q].Value, c.Value, 1e-9)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	e.Ratio, e.Path = 0.01, convex.Path{Steps: 50}
	kept := map[int]int{}
	run.At, run.Keep = []int{1, 3}, func(size int, m engines.Model) { kept[size] = len(m.Coefs()) }
	if _, err := e.Fit(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if len(kept) != 2 || kept[1] > 1 || kept[3] > 3 {
		t.Errorf("sizes %v", kept)
	}
}

// Where classes are apart, the fit says so and ends; where minima stop being the only ones, it says from which penalty on.
func TestTold(t *testing.T) {
	apart := sketch{x: [][]float64{{1, 0}, {2, 1}, {3, 0}, {4, 1}, {5, 0}, {6, 1}}, y: []float64{0, 0, 0, 1, 1, 1}, logistic: true}
	e := mcp(3)
	e.Ratio = 0.01
	m, _ := fitAt(t, e, apart.view())
	if told := m.(engines.Reporter).Fitted(); told.Stop != convex.Infinite || !slices.ContainsFunc(told.Notes, func(n string) bool { return strings.HasPrefix(n, engines.NotConverged) }) {
		t.Errorf("%+v", told)
	}
	s := draw(5, 25, 40, false, false)
	var ends []string
	for _, ratio := range []float64{1, 0.9, 0.05} {
		e.Ratio = ratio
		m, _ := fitAt(t, e, s.view())
		for _, f := range m.(engines.Reporter).Fitted().Facts {
			if f.Name == "locally convex" {
				ends = append(ends, f.Value)
			}
		}
	}
	if ends[0] != ends[1] || ends[0] != "as far as the path goes" || !strings.HasPrefix(ends[2], "down to lambda ") {
		t.Errorf("locally convex: %q", ends)
	}
}

// The largest penalty is the smallest that selects nothing; what is told of constant and kept columns are their numbers.
func TestLargestPenalty(t *testing.T) {
	for _, logistic := range []bool{false, true} {
		for seed := range uint64(4) {
			s := draw(seed+200, 60, 10, logistic, seed%2 == 1)
			for i := range s.y {
				if !logistic {
					s.y[i] *= 1e-3 // units change nothing
				}
			}
			e := scad(3.7)
			for _, c := range []struct{ ratio, least, most float64 }{{1, 0, 0}, {0.99, 1, 2}} {
				e.Ratio = c.ratio
				m, _ := fitAt(t, e, s.view())
				if n := float64(len(m.Coefs())); n < c.least || n > c.most {
					t.Errorf("classes %v, seed %d: %v columns at %v of the largest penalty", logistic, seed, n, c.ratio)
				}
			}
			e.Ratio = 0.5
			set := s.dataset()
			factor := []float64{0, 0, 1, 1, 1, 1, 1, 1, 1, 1}
			for _, row := range s.x {
				row[1] = 3 - row[0]
			}
			for k, want := range [][3]string{{"2", "", ""}, {"2", "1", "1"}} {
				if logistic { // package l1 reports none
					want = [3]string{}
				}
				train := enginetest.View(set, nil)
				if k == 1 {
					train = enginetest.Treated(s.dataset(), data.Treatment{Factor: factor})
				}
				m, _ := fitAt(t, e, train)
				told, facts := m.(engines.Reporter).Fitted(), map[string]string{}
				for _, f := range told.Facts {
					facts[f.Name] = f.Value
				}
				if got := [3]string{facts["constant columns"], facts["columns without a penalty"], facts["columns without a penalty that the others of them determine, left out"]}; got != want || told.Iterations == 0 || (len(told.Notes) > 0) != strings.HasPrefix(facts["locally convex"], "down to") {
					t.Errorf("classes %v, seed %d: told %q, want %q; %d passes, notes %q", logistic, seed, got, want, told.Iterations, told.Notes)
				}
			}
		}
	}
}
