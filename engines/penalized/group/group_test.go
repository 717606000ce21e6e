package group

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/ridge/leastsquares"
)

var defaults = LassoKind.Defaults().(Lasso)

// multi is the engine multitask-lasso with the same parameters.
func multi(e Lasso) Lasso {
	e.multitask = true
	return e
}

func TestSuite(t *testing.T) {
	for _, loss := range []string{response.Auto, response.Squared} {
		p := defaults
		p.Ratio, p.Loss = 0.1, loss
		t.Run("group-lasso/"+loss, func(t *testing.T) { enginetest.Suite(t, p) })
		t.Run("multitask-lasso/"+loss, func(t *testing.T) { enginetest.Suite(t, multi(p)) })
	}
}

func TestValidate(t *testing.T) {
	set := func(change func(*Lasso)) Lasso {
		p := defaults
		change(&p)
		return p
	}
	for _, c := range []struct {
		p      Lasso
		fields string
	}{
		{defaults, ""},
		{set(func(p *Lasso) { p.Ratio = 0.5 }), ""},
		{set(func(p *Lasso) { p.Lambda = 0 }), ""},
		{set(func(p *Lasso) { p.Lambda = -1 }), "lambda"},
		{set(func(p *Lasso) { p.Lambda = math.NaN() }), "lambda"},
		{set(func(p *Lasso) { p.Lambda = math.Inf(1) }), "lambda"},
		{set(func(p *Lasso) { p.Ratio = -0.5 }), "lambda_ratio"},
		{set(func(p *Lasso) { p.Ratio = 1.5 }), "lambda_ratio"},
		{set(func(p *Lasso) { p.Loss, p.Tol, p.MaxIter = "hinge", 0, 0 }), "loss tol max_iter"},
	} {
		for _, e := range []engines.Engine{c.p, multi(c.p)} {
			if got := enginetest.Fields(e.Validate()); got != c.fields {
				t.Errorf("%+v: complaints about %q, want %q", e, got, c.fields)
			}
		}
	}
}

// problem of random columns, the last constant, of so many targets, in groups of three columns (the last two without a class).
type trial struct {
	logistic, weighted, binary, multi, standardize bool
}

func (c trial) String() string {
	return fmt.Sprintf("logistic %v, weighted %v, binary %v, multi %v, standardize %v", c.logistic, c.weighted, c.binary, c.multi, c.standardize)
}

func trials() (out []trial) {
	for k := range 12 {
		out = append(out, trial{k%2 > 0, k/2%2 > 0, k/4%2 > 0, k%3 == 0, k%5 < 2})
	}
	return append(out, trial{multi: true, logistic: true}, trial{multi: true, logistic: true, weighted: true, standardize: true})
}

func (c trial) set() *data.Dataset {
	const rows, cols = 50, 12
	rng := rand.New(rand.NewPCG(3, 4))
	x := enginetest.Random(5, rows, cols-1, 0.5, c.binary)
	dense := make([][]float64, rows)
	for i := range dense {
		dense[i] = make([]float64, cols)
		row := x.Row(i)
		for k, j := range row.Idx {
			dense[i][j] = row.At(k)
		}
		dense[i][cols-1] = 1
	}
	tasks := 1
	if c.multi {
		tasks = 3
	}
	var targets []data.Target
	for k := range tasks {
		y := make([]float64, rows)
		for i := range y {
			y[i] = 7 + 2*dense[i][0] - dense[i][1+k] + dense[i][4] + rng.NormFloat64()
		}
		name := fmt.Sprint("y", k)
		if !c.logistic {
			targets = append(targets, enginetest.Real(name, y...))
			continue
		}
		for i, v := range y {
			y[i] = 0
			if v > 7.5 {
				y[i] = 1
			}
		}
		targets = append(targets, enginetest.Class(name, 2, y...))
	}
	set := enginetest.Dataset(enginetest.Matrix(dense...), targets...)
	class := make([]int, cols)
	for j := range class {
		if class[j] = j / 3; j >= cols-2 {
			class[j] = -1
		}
	}
	set.Features = inClasses(set.Features, class)
	if c.weighted {
		set.Weight = make([]float64, rows)
		for i := range set.Weight {
			set.Weight[i] = 0.5 + float64(i%4)
		}
	}
	return set
}

func (c trial) fitting(t *testing.T, p Lasso) *fitting {
	t.Helper()
	p.Standardize = c.standardize
	p.multitask = c.multi
	f, err := p.read(context.Background(), engines.Run{Train: enginetest.View(c.set(), nil)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// literal form of a fit's problem.
func (f *fitting) literal() *literal {
	rows, cols := f.p.dims()
	l := &literal{groups: f.parts.columns, weight: f.parts.weight, logistic: f.responses.Loss == response.Logistic}
	for i := range rows {
		x, y := make([]float64, cols), make([]float64, f.p.tasks)
		for j := range x {
			x[j] = -f.p.x.Mean[j] * f.p.x.Scale[j]
		}
		row := f.p.x.X.Row(i)
		for k, j := range row.Idx {
			x[j] += row.At(k) * f.p.x.Scale[j]
		}
		for t := range y {
			y[t] = f.responses.Each[t].Y[i] - f.p.mean[t]
		}
		l.x, l.y, l.m = append(l.x, x), append(l.y, y), append(l.m, f.p.x.RowWeight(i))
	}
	return l
}

func (f *fitting) coefficients() [][]float64 {
	_, cols := f.p.dims()
	b := zeros(cols, f.p.tasks)
	for j := range b {
		copy(b[j], f.pt.coefficientsOf(int32(j)))
	}
	return b
}

// intercepts on centred columns.
func (f *fitting) intercepts() []float64 {
	out := append([]float64(nil), f.pt.bias...)
	for j, b := range f.coefficients() {
		for t, v := range b {
			out[t] += v * f.p.x.Scale[j] * f.p.x.Mean[j]
		}
	}
	return out
}

// The minimum meets its conditions, is that of the literal method, and lies within the gap; any point of the path, from cold
// and from warm starts.
func TestMinimum(t *testing.T) {
	for _, c := range trials() {
		t.Run(c.String(), func(t *testing.T) {
			p := defaults
			p.Tol = 1e-11
			warm := c.fitting(t, p)
			l := warm.literal()
			for _, ratio := range []float64{0.7, 0.2, 0.03} {
				lambda := ratio * warm.lambdaMax
				if _, err := convex.Fit(context.Background(), warm, lambda); err != nil {
					t.Fatal(err)
				}
				cold := c.fitting(t, p)
				if _, err := convex.Fit(context.Background(), cold, lambda); err != nil {
					t.Fatal(err)
				}
				b, bias := cold.coefficients(), cold.intercepts()
				gb, g0 := l.gradient(b, bias)
				size := lambda * 1e-4
				for k, v := range g0 {
					if !(math.Abs(v) <= size) {
						t.Errorf("λ %.3g: intercept %d has gradient %v", lambda, k, v)
					}
				}
				for g, columns := range l.groups {
					norm, gradient, off := l.norm(b, g), 0.0, 0.0
					for _, j := range columns {
						for k, v := range gb[j] {
							gradient += v * v
							if norm > 0 {
								off = math.Max(off, math.Abs(v+lambda*l.weight[g]*b[j][k]/norm))
							}
						}
					}
					if off > size || !(math.Sqrt(gradient) <= lambda*l.weight[g]+size) {
						t.Errorf("λ %.3g, block %d of norm %.3g: gradient %.3g, off by %.3g", lambda, g, norm, math.Sqrt(gradient), off)
					}
				}
				here := l.objective(lambda, b, bias)
				if there := l.objective(lambda, warm.coefficients(), warm.intercepts()); !(math.Abs(here-there) <= 1e-9*here) {
					t.Errorf("λ %.3g: objective %.12g, along the path %.12g", lambda, here, there)
				}
				lb, lbias := l.minimise(lambda, 2000)
				if want := l.objective(lambda, lb, lbias); !(math.Abs(here-want) <= 1e-7*want) {
					t.Errorf("λ %.3g: objective %.12g, literally %.12g", lambda, here, want)
				}
			}
		})
	}
}

// A certificate holds at any point, not only at the minimum.
func TestCertificate(t *testing.T) {
	for _, c := range trials() {
		p := defaults
		p.MaxIter, p.Ratio = 1, 0.05
		f := c.fitting(t, p)
		lambda := 0.05 * f.lambdaMax
		rough, err := convex.Fit(context.Background(), f, lambda)
		if err != nil {
			t.Fatal(err)
		}
		p.MaxIter, p.Tol = 10000, 1e-12
		best := c.fitting(t, p)
		if _, err := convex.Fit(context.Background(), best, lambda); err != nil {
			t.Fatal(err)
		}
		l := f.literal()
		optimum := l.objective(lambda, best.coefficients(), best.intercepts())
		got := rough.(engines.Reporter).Fitted().Certificate
		if here := l.objective(lambda, f.coefficients(), f.intercepts()); !(math.Abs(here-got.Objective) <= 1e-9*here) {
			t.Errorf("%v: objective %v, literally %v", c, got.Objective, here)
		}
		if got.Dual > optimum*(1+1e-10) || got.Objective < optimum*(1-1e-10) {
			t.Errorf("%v: certificate %+v, the minimum is %v", c, got, optimum)
		}
	}
}

// A single group is ridge regression, with the penalty that its own norm makes of λ.
func TestOneGroupIsRidge(t *testing.T) {
	set := trial{}.set()
	set.Features = inClasses(set.Features, make([]int, 12))
	view := enginetest.View(set, nil)
	p := defaults
	p.Tol, p.Standardize = 1e-14, true
	f, err := p.read(context.Background(), engines.Run{Train: view})
	if err != nil {
		t.Fatal(err)
	}
	lambda := 0.3 * f.lambdaMax
	m, err := convex.Fit(context.Background(), f, lambda)
	if err != nil {
		t.Fatal(err)
	}
	norm := f.pt.blockNorm(&f.p.blocks[0])
	ridge, err := leastsquares.Ridge{Lambda: lambda * math.Sqrt(12) / norm, Scale: "sd", Tol: 1e-13}.Fit(context.Background(), engines.Run{Train: view})
	if err != nil {
		t.Fatal(err)
	}
	same(t, m, ridge, 1e-6)
}

func same(t *testing.T, a, b engines.Model, tol float64) {
	t.Helper()
	if len(a.Coefs()) != len(b.Coefs()) {
		t.Fatalf("%d and %d coefficients", len(a.Coefs()), len(b.Coefs()))
	}
	for k, c := range a.Coefs() {
		if d := b.Coefs()[k]; c.Feature != d.Feature || c.Output != d.Output || !(math.Abs(c.Value-d.Value) <= tol) {
			t.Errorf("coefficient %d: %+v and %+v", k, c, d)
		}
	}
}

// With orthonormal columns, b_g = (1 − λ√p_g/‖X_g'y‖)₊ · X_g'y.
func TestOrthonormal(t *testing.T) {
	// the columns of a Hadamard matrix but the first, of norm 1
	const n = 8
	rows, y := make([][]float64, n), []float64{3, -1, 4, 1, -5, 9, 2, 6}
	for i := range rows {
		rows[i] = make([]float64, n-1)
		for j := range rows[i] {
			sign := 1.0
			for bits := i & (j + 1); bits > 0; bits &= bits - 1 {
				sign = -sign
			}
			rows[i][j] = sign / math.Sqrt(n)
		}
	}
	set := enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Real("y", y...))
	group := []int{0, 0, 1, 1, 1, 2, 2}
	set.Features = inClasses(set.Features, group)
	p := defaults
	p.Lambda, p.Tol = 4, 1e-14
	m, err := p.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil)})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, n-1)
	for _, c := range m.Coefs() {
		got[c.Feature] = c.Value
	}
	z, norm, size := make([]float64, n-1), make([]float64, 3), make([]float64, 3)
	for j := range z {
		for i := range y {
			z[j] += rows[i][j] * y[i]
		}
		norm[group[j]] += z[j] * z[j]
		size[group[j]]++
	}
	zero := 0
	for j, g := range group {
		shrink := math.Max(0, 1-4*math.Sqrt(size[g])/math.Sqrt(norm[g]))
		if shrink == 0 {
			zero++
		}
		if !(math.Abs(got[j]-shrink*z[j]) <= 1e-9) {
			t.Errorf("column %d: %v, want %v", j, got[j], shrink*z[j])
		}
	}
	if zero == 0 || zero == len(group) {
		t.Errorf("%d of %d columns shrink to nothing: the test says little", zero, len(group))
	}
}

// From the largest penalty on nothing is selected; just below it something is.
func TestNullModel(t *testing.T) {
	for _, c := range trials() {
		f := c.fitting(t, defaults)
		for _, ratio := range []float64{1, 1.5, 0.98} {
			m, err := convex.Fit(context.Background(), f, ratio*f.lambdaMax)
			if err != nil {
				t.Fatal(err)
			}
			if none := len(m.Coefs()) == 0; none != (ratio >= 1) {
				t.Errorf("%v: %d coefficients at %v of the largest penalty", c, len(m.Coefs()), ratio)
			}
			if gap := m.(engines.Reporter).Fitted().Certificate.Gap(); gap > 1e-6*f.pt.start {
				t.Errorf("%v: gap %v at %v of the largest penalty", c, gap, ratio)
			}
		}
	}
}

// One target is the lasso: coordinate descent with soft thresholds, and group lasso with a class for each column.
func TestOneTaskIsLasso(t *testing.T) {
	c := trial{}
	set := c.set()
	each := make([]int, 12)
	for j := range each {
		each[j] = j
	}
	set.Features = inClasses(set.Features, each)
	view := enginetest.View(set, nil)
	p := defaults
	p.Lambda, p.Tol = 6, 1e-14
	one, err := multi(p).Fit(context.Background(), engines.Run{Train: view})
	if err != nil {
		t.Fatal(err)
	}
	group, err := p.Fit(context.Background(), engines.Run{Train: view})
	if err != nil {
		t.Fatal(err)
	}
	same(t, one, group, 1e-7)

	f, err := multi(p).read(context.Background(), engines.Run{Train: view})
	if err != nil {
		t.Fatal(err)
	}
	l := f.literal()
	b, r := make([]float64, 12), make([]float64, len(l.y))
	for i := range r {
		r[i] = l.y[i][0]
	}
	for range 2000 {
		for j := range b {
			z, n := 0.0, 0.0
			for i := range r {
				z += l.x[i][j] * r[i]
				n += l.x[i][j] * l.x[i][j]
			}
			if n < 1e-12 {
				continue
			}
			z += n * b[j]
			next := math.Copysign(math.Max(math.Abs(z)-6, 0), z) / n
			for i := range r {
				r[i] -= l.x[i][j] * (next - b[j])
			}
			b[j] = next
		}
	}
	got := make([]float64, 12)
	for _, c := range one.Coefs() {
		got[c.Feature] = c.Value
	}
	for j := range b {
		if !(math.Abs(got[j]-b[j]) <= 1e-7) {
			t.Errorf("column %d: %v, want %v", j, got[j], b[j])
		}
	}
}

// A row of weight m counts as m rows.
func TestWeightIsMultiplicity(t *testing.T) {
	for _, c := range []trial{{}, {logistic: true}, {multi: true}} {
		set := c.set()
		set.Weight = make([]float64, 50)
		var rows []int32
		for i := range set.Weight {
			set.Weight[i] = float64(1 + i%3)
			for range 1 + i%3 {
				rows = append(rows, int32(i))
			}
		}
		p := defaults
		p.Tol = 1e-13
		var e engines.Engine = p
		if c.multi {
			e = multi(p)
		}
		weighted, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil)})
		if err != nil {
			t.Fatal(err)
		}
		set.Weight = nil
		repeated, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, rows)})
		if err != nil {
			t.Fatal(err)
		}
		same(t, weighted, repeated, 1e-5)
	}
}

// A path gives the models of single fits, and the values that it is usually made of start at the null model.
func TestPath(t *testing.T) {
	for _, e := range []engines.Pathed{defaults, multi(defaults)} {
		run := engines.Run{Train: enginetest.View(trial{logistic: true}.set(), nil)}
		usual, err := e.PathValues(run)
		if err != nil {
			t.Fatal(err)
		}
		values := usual.Values
		if len(values) != 51 || !(math.Abs(values[50]/values[0]-1e-2) <= 1e-12) || e.PathParameters()[0] != "lambda_ratio" {
			t.Fatalf("%d values of %s from %v to %v", len(values), e.PathParameters()[0], values[0], values[50])
		}
		some, next := []float64{values[0], values[30], values[0] / 250}, 0
		err = e.FitPath(context.Background(), run, engines.PathPoints{Parameter: e.PathParameters()[0], Values: some, MayEnd: true}, func(i int, m engines.Model) {
			if i != next {
				t.Errorf("model %d came as number %d", i, next)
			}
			next++
			single, err := e.AtValue(some[i]).Fit(context.Background(), run)
			if err != nil {
				t.Fatal(err)
			}
			a, b := m.(engines.Reporter).Fitted().Certificate, single.(engines.Reporter).Fitted().Certificate
			if !(math.Abs(a.Objective-b.Objective) <= 2e-6*b.Objective) {
				t.Errorf("λ %v: objective %v along the path, %v alone", some[i], a.Objective, b.Objective)
			}
			if (len(m.Coefs()) == 0) != (i == 0) {
				t.Errorf("λ %v: %d coefficients", some[i], len(m.Coefs()))
			}
		})
		if err != nil || next != 3 {
			t.Errorf("%d models, %v", next, err)
		}
	}
}

// What columns are of one class, the report says; those of none are one of their own. A set of features that overlaps another
// cannot get here: features have one class at most.
func TestClasses(t *testing.T) {
	f := trial{}.fitting(t, defaults)
	m, err := convex.Fit(context.Background(), f, 0.5*f.lambdaMax)
	if err != nil {
		t.Fatal(err)
	}
	fitted := m.(engines.Reporter).Fitted()
	if fmt.Sprint(f.parts.columns) != "[[0 1 2] [3 4 5] [6 7 8] [9] [10 11]]" {
		t.Errorf("groups %v", f.parts.columns)
	}
	if len(fitted.Notes) != 1 || fitted.Notes[0] != "2 of 12 columns have no class; they are one of their own, _none" {
		t.Errorf("notes %q", fitted.Notes)
	}
	if got := fitted.Facts[1]; got.Name != "classes selected" || !strings.HasPrefix(got.Value, "2 of 5: c0, c1") {
		t.Errorf("fact %+v", got)
	}
	if got := f.parts.name(4); got != data.None {
		t.Errorf("the last group is %s", got)
	}
	for _, c := range m.Coefs() {
		if c.Rank != -1 {
			t.Errorf("a coefficient has a rank, columns enter in no order: %+v", c)
		}
		if c.Feature == 11 {
			t.Errorf("the constant column has a coefficient: %+v", c)
		}
	}
}

func TestRefused(t *testing.T) {
	x := enginetest.Matrix([]float64{1, 0}, []float64{0, 1}, []float64{1, 1})
	y, label := enginetest.Real("y", 1, 2, 4), enginetest.Class("c", 2, 0, 1, 1)
	some := enginetest.Real("part", 1, 2)
	some.Rows = []int32{0, 2}
	flat := enginetest.Real("flat", 3, 3, 3)
	gap := enginetest.Real("gap", 1, math.NaN(), 3)
	logistic := defaults
	logistic.Loss = response.Logistic
	for _, c := range []struct {
		name    string
		e       engines.Engine
		x       *sparse.Matrix
		targets []data.Target
		want    string
	}{
		{"no classes", defaults, x, []data.Target{y}, "classes of features, there are none"},
		{"different rows", multi(defaults), x, []data.Target{y, some}, "y and part are defined on different rows"},
		{"constant", multi(defaults), x, []data.Target{y, flat}, "target flat is constant (3 in all 3 training rows)"},
		{"missing", multi(defaults), x, []data.Target{gap}, "row 1: target gap is NaN"},
		{"mixed", multi(defaults), x, []data.Target{y, label}, "c is a class, y a number"},
		{"logistic of numbers", multi(logistic), x, []data.Target{y}, "target y is a number"},
		{"three levels", multi(defaults), x, []data.Target{enginetest.Class("k", 3, 0, 1, 2)}, "target k has 3 levels"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.e.Fit(context.Background(), engines.Run{Train: enginetest.View(enginetest.Dataset(c.x, c.targets...), nil)})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// Scores mean what the loss says.
func TestOutputs(t *testing.T) {
	c := trial{multi: true, logistic: true}
	view := enginetest.View(c.set(), nil)
	for _, loss := range []string{response.Logistic, response.Squared} {
		p := defaults
		p.Loss = loss
		m, err := multi(p).Fit(context.Background(), engines.Run{Train: view})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.(engines.Reporter).Fitted().Probabilities; got != (loss == response.Logistic) {
			t.Errorf("%s: probabilities %v", loss, got)
		}
		k := m.Outputs()
		scores, one := make([]float64, k*view.Len()), make([]float64, k)
		m.Predict(scores, view.Inputs())
		m.(engines.Scorer).Score(one, view.Row(3))
		if loss == response.Logistic {
			scores, one = enginetest.Exp(scores), enginetest.Exp(one)
		}
		mean := make([]float64, k)
		for i, s := range scores {
			mean[i%k] += s / float64(view.Len())
			if i/k == 3 && s != one[i%k] {
				t.Errorf("%s: row 3, output %d: %v among all, %v alone", loss, i%k, s, one[i%k])
			}
		}
		for task := range 3 {
			_, y := view.Target(task)
			share := 0.0
			for _, v := range y {
				share += v / float64(len(y))
			}
			// an intercept that is not penalised makes the mean score that of the response
			if !(math.Abs(mean[2*task+1]-share) <= 1e-9) || !(math.Abs(mean[2*task]+mean[2*task+1]-1) <= 1e-12) {
				t.Errorf("%s: mean scores %v, share of the second level of target %d %v", loss, mean, task, share)
			}
		}
		for _, c := range m.Coefs() {
			if c.Output%2 != 1 {
				t.Errorf("%s: coefficient of a first level: %+v", loss, c)
			}
		}
	}
}

// Where ctx ends, neither a bound of a block's curvature nor a sweep goes through the entries any further.
func TestDescentEnds(t *testing.T) {
	f := trials()[1].fitting(t, defaults)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	b := block{columns: f.p.blocks[0].columns, frob: f.p.blocks[0].frob}
	if f.p.setSpectralNorm(ended, &b); len(b.columns) < 2 || b.norm2 != b.frob*b.frob {
		t.Errorf("%d columns, bound %v, the Frobenius norm's is %v", len(b.columns), b.norm2, b.frob*b.frob)
	}
	d := newDescent(t.Context(), f.pt, f.lambdaMax/10, []int32{0}, make([]float64, len(f.pt.eta)))
	if fall := d.sweep(ended, true); fall != 0 || f.pt.blockNorm(&f.p.blocks[0]) != 0 {
		t.Errorf("a sweep after the end lowered the objective by %v", fall)
	}
	if fall := d.sweep(t.Context(), true); !(fall > 0) {
		t.Error("a sweep before the end does nothing either")
	}
}

// What a column adds to the curvature is Σ h·x̃² about its mean, the largest of all tasks, and its products with h are Σ h·x.
func TestColumnCurve(t *testing.T) {
	for _, c := range trials() {
		if !c.logistic {
			continue
		}
		f := c.fitting(t, defaults)
		if _, err := convex.Fit(context.Background(), f, f.lambdaMax/10); err != nil { // so that h differs by row
			t.Fatal(err)
		}
		d := newDescent(t.Context(), f.pt, f.lambdaMax/20, []int32{0}, make([]float64, len(f.pt.eta)))
		l, tasks := f.literal(), f.p.tasks
		for j := range l.x[0] {
			cross, curves := make([]float64, tasks), make([]float64, tasks)
			got, most := d.columnCurvature(int32(j), cross, curves), 0.0
			for k := range tasks {
				curve, product := 0.0, 0.0
				for i, row := range l.x {
					h := d.h[i*tasks+k]
					curve += h * row[j] * row[j]
					if f.p.x.Scale[j] > 0 {
						product += h * (row[j]/f.p.x.Scale[j] + f.p.x.Mean[j])
					}
				}
				most = math.Max(most, curve)
				if f.p.x.Scale[j] > 0 && !(math.Abs(cross[k]-product) <= 1e-10) {
					t.Errorf("%v: column %d, task %d: Σ h·x is %v, want %v", c, j, k, cross[k], product)
				}
			}
			if !(math.Abs(got-most) <= 1e-10) {
				t.Errorf("%v: column %d: curvature %v, want %v", c, j, got, most)
			}
		}
	}
}
